//! The units that a worker holds: how many it should hold, in which order it plays them, and when it has to say that it still
//! does. Times are arguments; messages are sent by others.

use std::collections::{BTreeMap, VecDeque};

/// Work that should wait in a worker's hand, so that it never waits for the server.
const AHEAD_MS: u64 = 1_000;
/// Units in hand, at most.
const MOST_UNITS: u64 = 256;
/// A lease is renewed three times as often as needed: two messages may be lost.
const RENEWALS: u64 = 3;

/// A worker's units, by their numbers; `U` is what else the worker keeps of one.
#[derive(Debug)]
pub struct Leases<U> {
    lease_ms: u64,
    waiting: VecDeque<u64>,
    held: BTreeMap<u64, Held<U>>,
    /// Units that have begun and are not over.
    begun: Vec<u64>,
}

#[derive(Debug)]
struct Held<U> {
    unit: U,
    games: u64,
    /// True if it has failed before: it is played alone, so that it takes no other unit down with it.
    alone: bool,
    since_ms: u64,
    renewed_ms: u64,
}

/// What a worker plays now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerLoad {
    /// Games that have not begun, of units that have.
    pub waiting: u64,
    /// Games being played.
    pub in_play: u64,
    /// Games a second, in thousandths.
    pub games_per_s_milli: u64,
}

impl<U> Leases<U> {
    /// An empty hand; a unit goes to another worker `lease_ms` after it was taken or renewed.
    pub fn new(lease_ms: u64) -> Leases<U> {
        Leases { lease_ms, waiting: VecDeque::new(), held: BTreeMap::new(), begun: Vec::new() }
    }

    /// How many more units to ask for: enough games for about a second and for all places, but no more, since they wait
    /// for this worker alone.
    pub fn wanted(&self, load: WorkerLoad, unit_games: u64) -> u64 {
        let waiting: u64 = load.waiting + self.waiting.iter().map(|unit| self.held[unit].games).sum::<u64>();
        let enough = load.in_play.max(1).max(load.games_per_s_milli * AHEAD_MS / 1_000_000);
        let more = enough.saturating_sub(waiting).div_ceil(unit_games.max(1));
        more.min(MOST_UNITS.saturating_sub(self.held.len() as u64))
    }

    /// Takes a unit of `games` games. False if it is in hand already: its lease ran out on the way, and it came once more.
    pub fn take(&mut self, number: u64, unit: U, games: u64, alone: bool, now_ms: u64) -> bool {
        if self.held.contains_key(&number) {
            return false;
        }
        self.held.insert(number, Held { unit, games, alone, since_ms: now_ms, renewed_ms: now_ms });
        self.waiting.push_back(number);
        true
    }

    /// The next unit to begin, if one may: a unit that has failed before begins when no other is in play, and none begins
    /// beside it.
    pub fn begin(&mut self) -> Option<(u64, &U)> {
        let first = *self.waiting.front()?;
        let is_beside = self.begun.iter().any(|begun| self.held[begun].alone);
        if is_beside || self.held[&first].alone && !self.begun.is_empty() {
            return None;
        }
        self.waiting.pop_front();
        self.begun.push(first);
        Some((first, &self.held[&first].unit))
    }

    /// Removes a unit that has been handed in or given back.
    pub fn remove(&mut self, number: u64) -> Option<U> {
        self.waiting.retain(|waiting| *waiting != number);
        self.begun.retain(|begun| *begun != number);
        self.held.remove(&number).map(|held| held.unit)
    }

    /// Removes the units that have not begun.
    pub fn give_back(&mut self) -> Vec<U> {
        let waiting: Vec<u64> = self.waiting.drain(..).collect();
        waiting.iter().filter_map(|number| self.held.remove(number)).map(|held| held.unit).collect()
    }

    /// The unit with this number.
    pub fn get(&self, number: u64) -> Option<&U> {
        self.held.get(&number).map(|held| &held.unit)
    }

    /// The units whose leases are to be renewed now.
    pub fn renewals(&mut self, now_ms: u64) -> Vec<&U> {
        let due = self.lease_ms / RENEWALS;
        let held = self.held.values_mut().filter(|held| now_ms.saturating_sub(held.renewed_ms) >= due);
        held.map(|held| {
            held.renewed_ms = now_ms;
            &held.unit
        })
        .collect()
    }

    /// Each unit in hand and the milliseconds since it was taken.
    pub fn ages(&self, now_ms: u64) -> impl Iterator<Item = (u64, u64)> {
        self.held.iter().map(move |(number, held)| (*number, now_ms.saturating_sub(held.since_ms)))
    }

    /// True if no unit is in leases.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leases(units: &[(u64, bool)]) -> Leases<u64> {
        let mut leases = Leases::new(30_000);
        for (number, alone) in units {
            assert!(leases.take(*number, *number, 64, *alone, 0));
        }
        leases
    }

    #[test]
    fn a_worker_wants_about_a_second_of_work_and_never_less_than_its_places() {
        let load =
            |waiting, in_play, games_per_s: u64| WorkerLoad { waiting, in_play, games_per_s_milli: 1000 * games_per_s };
        for (load, unit_games, wanted) in [
            (load(0, 0, 0), 64, 1),
            (load(64, 2, 0), 64, 0),
            (load(1, 2, 0), 64, 1),
            (load(0, 2, 6400), 64, 100),
            (load(0, 200, 1), 2, 100),
            (load(0, 2, 1_000_000), 2, 256),
        ] {
            assert_eq!(leases(&[]).wanted(load, unit_games), wanted, "{load:?}");
        }
        assert_eq!(leases(&[(1, false)]).wanted(load(0, 2, 128), 64), 1, "one unit waits");
    }

    #[test]
    fn a_unit_that_comes_twice_is_held_once() {
        let mut leases = leases(&[(7, false)]);
        assert!(!leases.take(7, 7, 64, true, 5));
        assert_eq!(leases.begin(), Some((7, &7)));
        assert_eq!(leases.begin(), None);
    }

    #[test]
    fn a_unit_that_has_failed_is_played_alone() {
        let mut leases = leases(&[(1, false), (2, true), (3, false)]);
        assert_eq!(leases.begin(), Some((1, &1)));
        assert_eq!(leases.begin(), None, "1 is still in play");
        leases.remove(1);
        assert_eq!(leases.begin(), Some((2, &2)));
        assert_eq!(leases.begin(), None, "nothing begins beside 2");
        leases.remove(2);
        assert_eq!(leases.begin(), Some((3, &3)));
    }

    #[test]
    fn leases_are_renewed_three_times_as_often_as_they_run_out() {
        let mut leases = leases(&[(1, false)]);
        assert!(leases.renewals(9_999).is_empty());
        assert_eq!(leases.renewals(10_000), [&1]);
        assert!(leases.renewals(19_999).is_empty());
        assert_eq!(leases.renewals(20_000), [&1]);
    }

    #[test]
    fn what_has_not_begun_is_given_back() {
        let mut leases = leases(&[(1, false), (2, false)]);
        leases.begin();
        assert_eq!(leases.give_back(), [2]);
        assert_eq!(leases.ages(5).collect::<Vec<_>>(), [(1, 5)]);
        assert_eq!(leases.remove(1), Some(1));
        assert!(leases.is_empty());
    }
}
