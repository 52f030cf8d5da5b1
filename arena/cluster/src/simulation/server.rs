//! What the server promises, as a model: units in a work queue with leases, and the first result of each. It knows no failures but
//! leases that run out.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The streams of one run.
#[derive(Debug, Default)]
pub(super) struct Server {
    /// Units that are not done.
    there: BTreeSet<u64>,
    /// Those that wait, in their order; some may be done.
    waiting: VecDeque<u64>,
    /// Units that are with a worker: how often they were given out, and when their leases end.
    held: BTreeMap<u64, (u64, u64)>,
    /// How often units that wait have been given out before.
    given: BTreeMap<u64, u64>,
    ends: BTreeSet<(u64, u64)>,
    results: BTreeMap<u64, u64>,
    /// The results in their order.
    pub(super) order: Vec<u64>,
    lease_ms: u64,
}

impl Server {
    pub(super) fn new(lease_ms: u64) -> Server {
        Server { lease_ms, ..Server::default() }
    }

    /// Publishes a unit, unless it is there.
    pub(super) fn publish(&mut self, unit: u64) {
        if self.there.insert(unit) {
            self.waiting.push_back(unit);
        }
    }

    /// Gives out a unit, and says how often it has been given out.
    pub(super) fn take(&mut self, now_ms: u64) -> Option<(u64, u64)> {
        self.expire(now_ms);
        let unit = loop {
            let unit = self.waiting.pop_front()?;
            if self.there.contains(&unit) {
                break unit;
            }
        };
        let times = self.given.remove(&unit).unwrap_or(0) + 1;
        let end = now_ms + self.lease_ms;
        self.held.insert(unit, (times, end));
        self.ends.insert((end, unit));
        Some((unit, times))
    }

    /// Units whose leases have run out wait again, before others.
    fn expire(&mut self, now_ms: u64) {
        while let Some((end, unit)) = self.ends.first().copied().filter(|(end, _)| *end <= now_ms) {
            self.ends.remove(&(end, unit));
            if let Some((times, _)) = self.held.remove(&unit) {
                self.given.insert(unit, times);
                self.waiting.push_front(unit);
            }
        }
    }

    /// Renews the lease of a unit; without effect if it has run out, as on the server.
    pub(super) fn renew(&mut self, unit: u64, now_ms: u64) {
        self.expire(now_ms);
        if let Some((_, end)) = self.held.get_mut(&unit) {
            self.ends.remove(&(*end, unit));
            *end = now_ms + self.lease_ms;
            self.ends.insert((*end, unit));
        }
    }

    /// Takes a result; false if the unit has one.
    pub(super) fn result(&mut self, unit: u64, worker: u64) -> bool {
        let is_first = !self.results.contains_key(&unit);
        if is_first {
            self.results.insert(unit, worker);
            self.order.push(unit);
        }
        is_first
    }

    /// Removes a unit that is done.
    pub(super) fn acknowledge(&mut self, unit: u64) {
        if let Some((_, end)) = self.held.remove(&unit) {
            self.ends.remove(&(end, unit));
        }
        self.there.remove(&unit);
        self.given.remove(&unit);
    }

    /// Units that wait or are held.
    pub(super) fn units(&self) -> usize {
        self.there.len()
    }
}
