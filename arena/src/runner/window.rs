//! A window through which others watch games in play. Each loop glances through it now and then, and lays out copies of what
//! happened; it never waits for a viewer, and lays out nothing while there is none. It does not know who looks, or at
//! what.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use maumau_protocol::Seat;
use maumau_referee::record::Header;
use maumau_referee::{GameLog, Logged, Referee};

/// How often a loop glances.
pub(super) const GLANCE_EVERY: Duration = Duration::from_millis(100);

/// The name of a game by its number among those of its source.
type NameOf = dyn Fn(u64) -> String + Send + Sync;

/// The window of a run.
#[derive(Clone)]
pub struct Window(Arc<Shared>);

struct Shared {
    name_of: Box<NameOf>,
    /// True if somebody looks at the tables.
    looks: AtomicBool,
    /// Games that somebody looks at.
    wanted: AtomicUsize,
    /// Games that are over.
    over: AtomicU64,
    /// By loop, the games in play when it glanced last.
    tables: Mutex<BTreeMap<usize, Vec<InPlay>>>,
    games: Mutex<BTreeMap<String, Feed>>,
}

/// A game in play.
#[derive(Clone, Debug)]
pub struct InPlay {
    /// Its name.
    pub name: String,
    /// The agents by seat.
    pub agents: Vec<String>,
    /// The round, and how many there are.
    pub round: (u32, u32),
    /// The number of cards of each seat.
    pub cards: Vec<u16>,
    /// Inputs so far.
    pub inputs: usize,
}

/// What a watched game has brought since it was taken last.
#[derive(Default)]
pub struct Feed {
    /// What its story begins with; only once.
    pub header: Option<Header>,
    /// The inputs that are new.
    pub inputs: Vec<Logged>,
    /// True if it is over: nothing more comes.
    pub is_over: bool,
    /// Inputs that have been laid out; `None` before anything has.
    laid_out: Option<usize>,
}

impl Window {
    /// A window through which nobody looks yet.
    pub fn new(name_of: impl Fn(u64) -> String + Send + Sync + 'static) -> Window {
        Window(Arc::new(Shared {
            name_of: Box::new(name_of),
            looks: AtomicBool::new(false),
            wanted: AtomicUsize::new(0),
            over: AtomicU64::new(0),
            tables: Mutex::default(),
            games: Mutex::default(),
        }))
    }

    /// Says whether somebody looks at the tables.
    pub fn look(&self, looks: bool) {
        self.0.looks.store(looks, Ordering::Relaxed);
    }

    /// The games in play when the loops glanced last.
    pub fn tables(&self) -> Vec<InPlay> {
        lock(&self.0.tables).values().flatten().cloned().collect()
    }

    /// How many games are over.
    pub fn over(&self) -> u64 {
        self.0.over.load(Ordering::Relaxed)
    }

    /// Wants what happens in the game `name`, from its beginning.
    pub fn want(&self, name: &str) {
        let mut games = lock(&self.0.games);
        games.entry(name.to_owned()).or_default();
        self.0.wanted.store(games.len(), Ordering::Relaxed);
    }

    /// Takes what the game `name` has brought; `None` if nobody wants it.
    pub fn take(&self, name: &str) -> Option<Feed> {
        let mut games = lock(&self.0.games);
        let feed = games.get_mut(name)?;
        let (header, inputs) = (feed.header.take(), std::mem::take(&mut feed.inputs));
        Some(Feed { header, inputs, is_over: feed.is_over, ..Feed::default() })
    }

    /// Wants nothing more of a game.
    pub fn leave(&self, name: &str) {
        let mut games = lock(&self.0.games);
        games.remove(name);
        self.0.wanted.store(games.len(), Ordering::Relaxed);
    }

    /// True if anybody looks.
    pub(super) fn is_watched(&self) -> bool {
        self.0.looks.load(Ordering::Relaxed) || self.0.wanted.load(Ordering::Relaxed) > 0
    }

    /// Lays out what is wanted of the games of a loop. If somebody is taking it just now, the next glance lays it out.
    pub(super) fn glance<'a>(&self, event_loop: usize, games: impl Iterator<Item = (u64, &'a Referee)>) {
        let (Ok(mut tables), Ok(mut wanted)) = (self.0.tables.try_lock(), self.0.games.try_lock()) else { return };
        let mut in_play = Vec::new();
        for (number, referee) in games {
            let name = (self.0.name_of)(number);
            let (header, inputs) = (referee.header(), referee.logged());
            if let Some(feed) = wanted.get_mut(&name) {
                feed.lay_out(&header, inputs);
            }
            let view = referee.game().view(Seat::FIRST);
            in_play.push(InPlay {
                name,
                agents: header.names,
                round: (view.round, view.rounds),
                cards: view.hands,
                inputs: inputs.len(),
            });
        }
        tables.insert(event_loop, in_play);
    }

    /// A game is over.
    pub(super) fn finished(&self, number: u64, log: &GameLog) {
        self.0.over.fetch_add(1, Ordering::Relaxed);
        if !self.is_watched() {
            return;
        }
        let name = (self.0.name_of)(number);
        if let Some(feed) = lock(&self.0.games).get_mut(&name) {
            feed.lay_out(&log.header, &log.inputs);
            feed.is_over = true;
        }
    }
}

impl Feed {
    /// Copies what is new.
    fn lay_out(&mut self, header: &Header, inputs: &[Logged]) {
        let first = self.laid_out.unwrap_or_else(|| {
            self.header = Some(header.clone());
            0
        });
        self.inputs.extend_from_slice(inputs.get(first..).unwrap_or_default());
        self.laid_out = Some(inputs.len());
    }
}

/// Nothing is left half changed by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::game_with_a_fault;

    #[test]
    fn a_game_that_ends_between_two_glances_is_laid_out_to_its_end_and_others_are_not() {
        let log = game_with_a_fault();
        let window = Window::new(|number| format!("game-{number}"));
        window.finished(1, &log);
        window.want("game-2");
        assert!(window.is_watched());
        [2, 3].into_iter().for_each(|number| window.finished(number, &log));
        let feed = window.take("game-2").expect("it is wanted");
        assert!(feed.is_over && feed.header.is_some());
        assert_eq!(feed.inputs, log.inputs);
        let again = window.take("game-2").expect("it is wanted");
        assert!(again.is_over && again.header.is_none() && again.inputs.is_empty());
        assert!(window.take("game-3").is_none());
        window.leave("game-2");
        window.look(false);
        assert!(window.take("game-2").is_none() && !window.is_watched());
        assert_eq!(window.over(), 3);
    }

    #[test]
    fn a_loop_does_not_wait_for_whoever_looks() {
        let window = Window::new(|number| number.to_string());
        window.want("1");
        let looking = window.0.games.lock().expect("no panic");
        window.glance(0, std::iter::empty());
        drop(looking);
        window.glance(0, std::iter::empty());
        assert!(window.tables().is_empty());
    }
}
