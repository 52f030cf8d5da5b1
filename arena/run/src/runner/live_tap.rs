//! A tap through which others watch games in play. Each loop samples its games now and then, and publishes copies of what
//! happened; it never waits for a viewer, and publishes nothing while there is none. It does not know who looks, or at
//! what.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use maumau_protocol::{Seat, SeatSet};
use maumau_referee::record::{Header, MoveCount};
use maumau_referee::story::Snapshot;
use maumau_referee::{GameLog, Logged, Referee};

/// How often a loop samples.
pub(super) const SAMPLE_EVERY: Duration = Duration::from_millis(100);

/// Inputs between two samples that are published, at most. Of a game that is faster a copy of the table is published instead, and
/// the inputs that follow it.
const MOST_INPUTS: usize = 50;

/// The same for a game that is looked at for the first time.
const MOST_AT_FIRST: usize = 10_000;

/// Inputs after a copy of the table that are published with it.
const AFTER_SNAPSHOT: usize = 10;

/// A game that was too fast for the last sample is published at each of so many samples.
const FAST_EVERY: u32 = 3;

/// The tap of a run, through which nobody looks at first.
#[derive(Clone, Default)]
pub struct LiveTap(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// True if somebody looks at the tables.
    looks: AtomicBool,
    /// Games that somebody looks at.
    wanted: AtomicUsize,
    /// Games that are over.
    over: AtomicU64,
    /// By loop, the games in play when it sampled last.
    tables: Mutex<BTreeMap<usize, Vec<GameInPlay>>>,
    games: Mutex<BTreeMap<String, Feed>>,
}

/// A game in play.
#[derive(Clone, Debug)]
pub struct GameInPlay {
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
    /// A later moment than that of the last inputs, from which `inputs` go on; absent if they go on from those.
    pub snapshot: Option<Box<Snapshot>>,
    /// The inputs that are new.
    pub inputs: Vec<Logged>,
    /// True if it is over: nothing more comes.
    pub is_over: bool,
    progress: Progress,
}

/// How far a game has been published.
#[derive(Default)]
struct Progress {
    /// Inputs that have been published or left out; `None` before anything has.
    inputs: Option<usize>,
    /// The moves in them.
    moves: MoveCount,
    /// The table after them, if some were left out.
    snapshot: Option<Box<Snapshot>>,
    /// Glances since then.
    samples: u32,
}

impl LiveTap {
    /// Says whether somebody looks at the tables.
    pub fn look(&self, looks: bool) {
        self.0.looks.store(looks, Ordering::Relaxed);
    }

    /// The games in play when the loops sampled last.
    pub fn tables(&self) -> Vec<GameInPlay> {
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
        let (header, snapshot, inputs) = (feed.header.take(), feed.snapshot.take(), std::mem::take(&mut feed.inputs));
        Some(Feed { header, snapshot, inputs, is_over: feed.is_over, ..Feed::default() })
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

    /// Publishes what is wanted of the games of a loop. If somebody is taking it just now, the next sample publishes it.
    pub(super) fn sample<'a>(&self, event_loop: usize, games: impl Iterator<Item = (&'a str, &'a Referee)>) {
        let (Some(mut tables), Some(mut wanted)) = (try_lock(&self.0.tables), try_lock(&self.0.games)) else { return };
        let mut in_play = Vec::new();
        for (name, referee) in games {
            let (header, inputs) = (referee.header(), referee.logged());
            if let Some(feed) = wanted.get_mut(name) {
                feed.sample(&header, referee);
            }
            let view = referee.game().view(Seat::FIRST);
            in_play.push(GameInPlay {
                name: name.to_owned(),
                agents: header.names,
                round: (view.round, view.rounds),
                cards: view.hands,
                inputs: inputs.len(),
            });
        }
        tables.insert(event_loop, in_play);
    }

    /// The game `name` is over. `false` if it could not be published, because somebody is taking something just now.
    pub(super) fn finished(&self, name: &str, log: &GameLog) -> bool {
        self.0.over.fetch_add(1, Ordering::Relaxed);
        !self.is_watched() || self.publish(name, log)
    }

    /// Publishes a game that is over, if it is wanted; `false` if somebody is taking something just now.
    pub(super) fn publish(&self, name: &str, log: &GameLog) -> bool {
        let Some(mut games) = try_lock(&self.0.games) else { return false };
        if let Some(feed) = games.get_mut(name) {
            feed.finish(log);
        }
        true
    }
}

impl Feed {
    /// Publishes what is new of a game in play: its inputs, or if they are too many the first of them, and later those that follow
    /// the table as it stands.
    fn sample(&mut self, header: &Header, referee: &Referee) {
        if self.progress.snapshot.is_some() {
            self.progress.samples += 1;
            if self.progress.samples < FAST_EVERY {
                return;
            }
        }
        let inputs = referee.logged();
        let most = if self.progress.inputs.is_some() { MOST_INPUTS } else { MOST_AT_FIRST };
        let new = self.go_on(header, inputs);
        if new.len() <= most {
            return self.inputs.extend_from_slice(new);
        }
        self.inputs.extend_from_slice(&new[..AFTER_SNAPSHOT]);
        let game = referee.game();
        let mut dismissed = SeatSet::EMPTY;
        Seat::all(game.rules().seats())
            .filter(|seat| referee.is_dismissed(*seat))
            .for_each(|seat| dismissed.insert(seat));
        self.progress.snapshot = Some(Box::new(Snapshot::new(game, dismissed, self.progress.moves)));
        self.progress.samples = 0;
    }

    /// Publishes the rest of a game.
    fn finish(&mut self, log: &GameLog) {
        let new = self.go_on(&log.header, &log.inputs);
        self.inputs.extend_from_slice(new);
        self.is_over = true;
    }

    /// The inputs since the last call, which count as published from now on. The table that they go on from is published here.
    fn go_on<'a>(&mut self, header: &Header, inputs: &'a [Logged]) -> &'a [Logged] {
        let Progress { inputs: so_far, moves, snapshot, .. } = &mut self.progress;
        if so_far.is_none() {
            self.header = Some(header.clone());
        }
        let new = inputs.get(so_far.unwrap_or(0)..).unwrap_or_default();
        new.iter().for_each(|input| _ = moves.of(&input.entry));
        *so_far = Some(inputs.len());
        if let Some(snapshot) = snapshot.take() {
            self.snapshot = Some(snapshot);
            self.inputs.clear();
        }
        new
    }
}

/// Nothing is left half changed by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same for a loop, which does not wait: `None` if somebody else has it.
fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

#[cfg(test)]
mod tests {
    use maumau_engine::Rules;
    use maumau_engine::rules::load_built_in;
    use maumau_protocol::Verb;
    use maumau_protocol::message::Ready;
    use maumau_referee::local_game::{LocalGame, setup};
    use maumau_referee::record::Meta;

    use super::*;
    use crate::trial::game_with_a_fault;

    /// Plays on until so many inputs are logged.
    fn play(game: &mut LocalGame, inputs: usize) {
        while game.referee().logged().len() < inputs {
            let (seat, id) = game.next_asked().expect("a game that goes on");
            let verb = game.referee().game().legal(seat).nth(0).unwrap_or(Verb::Wait);
            game.act(seat, id, verb, Meta::default());
        }
    }

    #[test]
    fn of_a_game_that_is_too_fast_a_copy_of_the_table_is_published_now_and_then() {
        let set = load_built_in("basic", &[]).expect("a built-in set").set;
        let rules = Rules::for_table(&Arc::new(set), 2, Some(1_000)).expect("a table");
        let ready = || Ok(Ready::new("bot", Vec::new()));
        let mut game = LocalGame::begin_unwatched(setup(Arc::new(rules), 7, [ready(), ready()]));
        let tap = LiveTap::default();
        tap.want("1");
        let look = |game: &LocalGame| {
            tap.sample(0, [("1", game.referee())].into_iter());
            tap.take("1").expect("it is wanted")
        };
        play(&mut game, 1_000);
        let first = look(&game);
        assert_eq!(first.inputs, game.referee().logged(), "what came before is shown, if it is not too much");
        assert!(first.header.is_some() && first.snapshot.is_none());

        let mut before = game.referee().logged().len();
        for is_first in [true, false, false] {
            play(&mut game, before + 2 * MOST_INPUTS);
            let samples = if is_first { 1 } else { FAST_EVERY };
            for _ in 1..samples {
                let feed = look(&game);
                assert!(feed.inputs.is_empty() && feed.snapshot.is_none());
            }
            let feed = look(&game);
            assert_eq!(feed.inputs, game.referee().logged()[before..before + AFTER_SNAPSHOT]);
            assert_eq!(
                feed.snapshot.is_some(),
                !is_first,
                "the inputs go on from where the last ones ended, or say from where"
            );
            before = game.referee().logged().len();
        }

        play(&mut game, before + 5);
        (1..FAST_EVERY).for_each(|_| assert!(look(&game).inputs.is_empty()));
        let feed = look(&game);
        assert!(feed.snapshot.is_some(), "it has become slow, and goes on from the last copy");
        assert_eq!(feed.inputs, game.referee().logged()[before..]);
        before = game.referee().logged().len();
        play(&mut game, before + 5);
        let feed = look(&game);
        assert!(feed.snapshot.is_none());
        assert_eq!(feed.inputs, game.referee().logged()[before..]);
    }

    #[test]
    fn a_game_that_ends_between_two_samples_is_published_to_its_end_and_others_are_not() {
        let log = game_with_a_fault();
        let tap = LiveTap::default();
        assert!(tap.finished("game-1", &log));
        tap.want("game-2");
        assert!(tap.is_watched());
        ["game-2", "game-3"].into_iter().for_each(|name| assert!(tap.finished(name, &log)));
        let feed = tap.take("game-2").expect("it is wanted");
        assert!(feed.is_over && feed.header.is_some());
        assert_eq!(feed.inputs, log.inputs);
        let again = tap.take("game-2").expect("it is wanted");
        assert!(again.is_over && again.header.is_none() && again.inputs.is_empty());
        assert!(tap.take("game-3").is_none());
        tap.leave("game-2");
        tap.look(false);
        assert!(tap.take("game-2").is_none() && !tap.is_watched());
        assert_eq!(tap.over(), 3);
    }

    #[test]
    fn a_loop_does_not_wait_for_viewers() {
        let tap = LiveTap::default();
        tap.want("1");
        let looking = tap.0.games.lock().expect("no panic");
        tap.sample(0, std::iter::empty());
        let log = game_with_a_fault();
        assert!(!tap.finished("1", &log), "it is to be published later");
        drop(looking);
        assert!(tap.publish("1", &log));
        assert!(tap.take("1").expect("it is wanted").is_over);
        tap.sample(0, std::iter::empty());
        assert!(tap.tables().is_empty());
    }
}
