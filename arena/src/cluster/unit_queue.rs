//! The games of a worker's units, for its loops: it gives out games, gathers them again, and says when a unit is whole. Where units
//! come from and go is not known here.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};
use maumau_cluster::leases::{Leases, WorkerLoad};
use maumau_run::league::{GameQueue, Taken};
use maumau_run::run_store::StoredGame;
use maumau_tournament::PlannedGame;
use tokio::sync::{Notify, watch};

/// A unit in hand; `L` is what renews its lease.
pub(super) struct LeasedUnit<L> {
    pub(super) lease: L,
    games: Vec<PlannedGame>,
}

/// A unit whose games have all been played.
pub(super) struct Whole<L> {
    pub(super) number: u64,
    pub(super) lease: L,
    pub(super) games: Vec<StoredGame>,
    pub(super) took_ms: u64,
}

/// The units of a worker, and their games.
pub(super) struct UnitQueue<L>(Mutex<State<L>>, Notify, watch::Sender<u64>);

struct State<L> {
    leases: Leases<LeasedUnit<L>>,
    /// Games of units that have begun.
    games: VecDeque<(u64, PlannedGame)>,
    /// The unit of each game in play.
    in_play: HashMap<u64, u64>,
    played: BTreeMap<u64, Gathered>,
    /// True if no more units come.
    is_closed: bool,
    /// The time is measured from here.
    began: Instant,
    /// Games that were over, by the second.
    finished: VecDeque<(u64, u64)>,
}

struct Gathered {
    missing: usize,
    games: Vec<StoredGame>,
    began: Instant,
}

/// Seconds over which the speed is measured.
const SPEED_OVER_S: u64 = 5;

impl<L: Clone + Send> UnitQueue<L> {
    /// An empty queue; see [`Leases::new`].
    pub(super) fn new(lease_ms: u64) -> UnitQueue<L> {
        let state = State {
            leases: Leases::new(lease_ms),
            games: VecDeque::new(),
            in_play: HashMap::new(),
            played: BTreeMap::new(),
            is_closed: false,
            began: Instant::now(),
            finished: VecDeque::new(),
        };
        UnitQueue(Mutex::new(state), Notify::new(), watch::Sender::new(0))
    }

    fn state(&self) -> MutexGuard<'_, State<L>> {
        // Nothing in here panics between two changes that belong together.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes when there may be games again.
    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.2.subscribe()
    }

    fn notify(&self) {
        self.2.send_modify(|times| *times += 1);
    }

    /// Waits until a unit has begun or is gone, so that more may be wanted.
    pub(super) async fn changed(&self) {
        self.1.notified().await;
    }

    /// How many more units are wanted.
    pub(super) fn wanted(&self, unit_games: u64) -> u64 {
        let state = self.state();
        let load = WorkerLoad {
            waiting: state.games.len() as u64,
            in_play: state.in_play.len() as u64,
            games_per_s_milli: state.speed_milli(),
        };
        if state.is_closed { 0 } else { state.leases.wanted(load, unit_games) }
    }

    /// Games a second, in thousandths.
    pub(super) fn speed_milli(&self) -> u64 {
        self.state().speed_milli()
    }

    /// Adds a unit. False if it is in hand already, or the queue is closed.
    pub(super) fn add(&self, number: u64, lease: L, games: Vec<PlannedGame>, alone: bool) -> bool {
        let mut state = self.state();
        let (now, count) = (state.now_ms(), games.len() as u64);
        let is_new = !state.is_closed && state.leases.take(number, LeasedUnit { lease, games }, count, alone, now);
        drop(state);
        self.notify();
        is_new
    }

    /// Takes a game that is over. Returns its unit once that is whole.
    ///
    /// # Errors
    /// The game was not given out.
    pub(super) fn finish(&self, game: StoredGame) -> Result<Option<Whole<L>>> {
        let mut state = self.state();
        let unit = state.in_play.remove(&game.number()).context("a game is over that no unit has")?;
        state.count_finished();
        let gathered = state.played.get_mut(&unit).context("a game is over whose unit is gone")?;
        gathered.games.push(game);
        gathered.missing -= 1;
        if gathered.missing > 0 {
            return Ok(None);
        }
        let Gathered { mut games, began, .. } = state.played.remove(&unit).context("a unit")?;
        games.sort_by_key(StoredGame::number);
        let lease = state.leases.get(unit).context("a unit is whole that is not in hand")?.lease.clone();
        Ok(Some(Whole { number: unit, lease, games, took_ms: began.elapsed().as_millis() as u64 }))
    }

    /// Removes a unit that has been handed in.
    pub(super) fn remove(&self, number: u64) {
        self.state().leases.remove(number);
        self.1.notify_one();
        self.notify();
    }

    /// Takes no more units; returns those that have not begun.
    pub(super) fn close(&self) -> Vec<L> {
        let mut state = self.state();
        state.is_closed = true;
        let back = state.leases.give_back().into_iter().map(|held| held.lease).collect();
        drop(state);
        self.1.notify_one();
        self.notify();
        back
    }

    /// The units that are left, after the loops have ended.
    pub(super) fn rest(&self) -> Vec<(u64, L)> {
        let mut state = self.state();
        let now = state.now_ms();
        let numbers: Vec<u64> = state.leases.ages(now).map(|(number, _)| number).collect();
        numbers.into_iter().filter_map(|number| Some((number, state.leases.remove(number)?.lease))).collect()
    }

    /// The leases that are to be renewed now.
    pub(super) fn renewals(&self) -> Vec<L> {
        let mut state = self.state();
        let now = state.now_ms();
        state.leases.renewals(now).into_iter().map(|held| held.lease.clone()).collect()
    }

    /// Each unit in hand and the seconds since it was taken.
    pub(super) fn ages_s(&self) -> Vec<(u64, u64)> {
        let state = self.state();
        state.leases.ages(state.now_ms()).map(|(number, age_ms)| (number, age_ms / 1_000)).collect()
    }

    /// True if no unit is in leases.
    pub(super) fn is_empty(&self) -> bool {
        self.state().leases.is_empty()
    }
}

impl<L> State<L> {
    fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    fn count_finished(&mut self) {
        let second = self.now_ms() / 1_000;
        match self.finished.back_mut() {
            Some((last, games)) if *last == second => *games += 1,
            _ => self.finished.push_back((second, 1)),
        }
        while self.finished.front().is_some_and(|(first, _)| first + SPEED_OVER_S < second) {
            self.finished.pop_front();
        }
    }

    fn speed_milli(&self) -> u64 {
        let now = self.now_ms();
        let recent = self.finished.iter().filter(|(second, _)| second + SPEED_OVER_S >= now / 1_000);
        let games: u64 = recent.map(|(_, games)| games).sum();
        let since = self.finished.front().map_or(now, |(first, _)| now.saturating_sub(first * 1_000));
        games * 1_000_000 / since.max(200)
    }

    /// Begins the next unit, if one may begin.
    fn begin(&mut self) -> bool {
        let Some((number, held)) = self.leases.begin() else { return false };
        let games = held.games.clone();
        let gathered = Gathered { missing: games.len(), games: Vec::with_capacity(games.len()), began: Instant::now() };
        self.played.insert(number, gathered);
        self.games.extend(games.into_iter().map(|game| (number, game)));
        true
    }
}

impl<L: Clone + Send> GameQueue for UnitQueue<L> {
    fn take(&self) -> Taken {
        let mut state = self.state();
        let mut has_begun = false;
        while state.games.is_empty() && state.begin() {
            has_begun = true;
        }
        let taken = match state.games.pop_front() {
            Some((unit, game)) => {
                state.in_play.insert(game.index, unit);
                Taken::Game(game)
            }
            None if state.is_closed => Taken::Over,
            None => Taken::Later,
        };
        drop(state);
        if has_begun || taken == Taken::Later {
            self.1.notify_one();
        }
        taken
    }

    /// A unit may be played again elsewhere, so no seed is ever published.
    fn is_last_of_deal(&self, _: &PlannedGame) -> bool {
        false
    }
}
