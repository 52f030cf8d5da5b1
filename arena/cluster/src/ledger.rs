//! What the collector knows of each unit: open, done or parked. It decides what becomes of results and failures; it reads and
//! writes nothing.

use std::collections::BTreeMap;

use crate::words::{Failures, UnitFailure};

/// All units of a run.
#[derive(Debug)]
pub struct UnitLedger {
    park_after: u32,
    done: Vec<bool>,
    count: u64,
    failures: BTreeMap<u64, Failures>,
}

/// What becomes of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It is the first of its unit: it is to be checked and kept.
    First,
    /// The unit is done. The first result counts.
    Again,
    /// The run has no such unit.
    Foreign,
}

/// What becomes of a unit that has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Other workers try it.
    Retry,
    /// It has failed too often.
    Park,
}

impl UnitLedger {
    /// No units yet; `park_after` failures park one.
    pub fn new(park_after: u32) -> UnitLedger {
        UnitLedger { park_after, done: Vec::new(), count: 0, failures: BTreeMap::new() }
    }

    /// Adds the next unit.
    pub fn add(&mut self, is_done: bool) {
        self.done.push(is_done);
        self.count += u64::from(is_done);
    }

    /// The number of units.
    pub fn units(&self) -> u64 {
        self.done.len() as u64
    }

    /// The number of units that are done.
    pub fn done(&self) -> u64 {
        self.count
    }

    /// What a result of this unit is.
    pub fn arrival(&self, number: u64) -> Arrival {
        match usize::try_from(number).ok().and_then(|number| self.done.get(number)) {
            None => Arrival::Foreign,
            Some(true) => Arrival::Again,
            Some(false) => Arrival::First,
        }
    }

    /// The unit's games are durable.
    pub fn is_done(&mut self, number: u64) {
        if self.arrival(number) == Arrival::First {
            self.done[number as usize] = true;
            self.count += 1;
            self.failures.remove(&number);
        }
    }

    /// The unit has failed once more.
    pub fn fail(&mut self, number: u64, failure: UnitFailure) -> After {
        let failures = self.failures.entry(number).or_default();
        failures.list.push(failure);
        decide(failures, self.park_after)
    }

    /// What others have seen fail; a unit that is done has no failures.
    pub fn learn(&mut self, number: u64, failures: Failures) {
        if self.arrival(number) == Arrival::First {
            self.failures.insert(number, failures);
        }
    }

    /// The failures of this unit.
    pub fn failures(&self, number: u64) -> Option<&Failures> {
        self.failures.get(&number)
    }

    /// The units that are given to no worker any more.
    pub fn parked(&self) -> impl Iterator<Item = (u64, &Failures)> {
        self.failures.iter().filter(|(_, failures)| failures.parked).map(|(number, failures)| (*number, failures))
    }

    /// The units that workers are still to play.
    pub fn open(&self) -> impl Iterator<Item = u64> {
        let is_parked = |number: &u64| self.failures.get(number).is_some_and(|failures| failures.parked);
        (0..self.units()).filter(|number| !self.done[*number as usize]).filter(move |number| !is_parked(number))
    }
}

/// What becomes of a unit with these failures, which are marked if it is parked.
pub fn decide(failures: &mut Failures, park_after: u32) -> After {
    failures.parked |= failures.list.len() >= park_after.max(1) as usize;
    if failures.parked { After::Park } else { After::Retry }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(why: &str) -> UnitFailure {
        UnitFailure { worker: "w".to_owned(), why: why.to_owned() }
    }

    #[test]
    fn the_first_result_of_a_unit_counts() {
        let mut ledger = UnitLedger::new(3);
        [false, true].into_iter().for_each(|is_done| ledger.add(is_done));
        assert_eq!([0, 1, 2].map(|unit| ledger.arrival(unit)), [Arrival::First, Arrival::Again, Arrival::Foreign]);
        ledger.is_done(0);
        ledger.is_done(0);
        ledger.is_done(9);
        assert_eq!((ledger.done(), ledger.arrival(0)), (2, Arrival::Again));
        assert_eq!(ledger.open().count(), 0);
    }

    #[test]
    fn a_unit_that_fails_too_often_is_parked_and_named_until_a_result_comes() {
        let mut ledger = UnitLedger::new(3);
        [false, false].into_iter().for_each(|is_done| ledger.add(is_done));
        assert_eq!(["a", "b", "c"].map(|why| ledger.fail(0, failure(why))), [After::Retry, After::Retry, After::Park]);
        assert_eq!(ledger.open().collect::<Vec<_>>(), [1]);
        assert_eq!(ledger.parked().map(|(unit, failures)| (unit, failures.list.len())).collect::<Vec<_>>(), [(0, 3)]);
        ledger.is_done(0);
        assert_eq!(ledger.parked().count(), 0);
        ledger.learn(0, Failures { list: vec![failure("late")], parked: true });
        assert_eq!(ledger.parked().count(), 0, "it is done");
    }
}
