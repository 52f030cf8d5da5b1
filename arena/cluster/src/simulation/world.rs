//! The course of a simulated run: workers that fetch, play, renew and hand in, hosts and connections that fail, a collector that is
//! killed. Its clock is the queue of events.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::server::Server;
use crate::leases::{Leases, WorkerLoad};
use crate::ledger::{Arrival, UnitLedger};

/// How often a worker looks for units and renews leases, and a collector for results.
const EVERY_MS: u64 = 1_000;
/// No course is longer.
const END_MS: u64 = 7 * 24 * 3_600 * 1_000;

/// How often things fail: the mean time between two failures of one host, and how long they last. 0 = never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// A worker is gone with all that it holds; another one takes its place after `back_ms`.
    pub crash_ms: u64,
    /// A worker loses the server for `back_ms`.
    pub partition_ms: u64,
    /// The server is away for `back_ms`.
    pub restart_ms: u64,
    /// The collector is killed, and knows again only what is in its file.
    pub collector_ms: u64,
    /// How long a crash, a partition or a restart lasts on average.
    pub back_ms: u64,
}

/// A cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedCluster {
    /// The workers.
    pub workers: u64,
    /// The units.
    pub units: u64,
    /// Milliseconds that a unit takes on average; a tenth of the hosts take three times as long.
    pub unit_ms: u64,
    /// Seconds of a lease.
    pub lease_s: u64,
    /// What fails.
    pub faults: Faults,
    /// The seed.
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimulationResult {
    /// Milliseconds until all units were collected.
    pub took_ms: u64,
    /// The time that the same work takes if nothing fails and no worker ever waits.
    pub least_ms: u64,
    /// Units that were collected; none of them twice.
    pub collected: u64,
    /// Units that were played to their end, results that came second included.
    pub played: u64,
    /// Results that came second.
    pub second: u64,
    /// Units that were lost with a worker in the middle of them.
    pub cut_off: u64,
    /// Crashes, partitions, restarts of the server, kills of the collector.
    pub crashes: u64,
    /// As `crashes`.
    pub partitions: u64,
    /// As `crashes`.
    pub restarts: u64,
    /// As `crashes`.
    pub kills: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A worker of this life looks after everything.
    Look(u64, u64),
    /// A worker of this life has played its unit.
    Over(u64, u64),
    Crash(u64),
    Back(u64),
    Partition(u64),
    Healed(u64),
    Restart,
    Up,
    Collect,
    Kill,
}

struct Simulated {
    leases: Leases<u64>,
    /// Counts its lives: events of earlier ones are void.
    life: u64,
    is_alive: bool,
    is_cut_off: bool,
    /// Times slower than others.
    slow: u64,
    playing: Option<u64>,
    /// Results that wait for the connection.
    waiting: Vec<u64>,
}

struct Course {
    world: SimulatedCluster,
    dice: SimulationRandom,
    now_ms: u64,
    queue: BinaryHeap<Reverse<(u64, u64, Event)>>,
    count: u64,
    server: Server,
    is_up: bool,
    workers: Vec<Simulated>,
    ledger: UnitLedger,
    /// What is durable at the collector, and how far it has read since it began.
    file: BTreeSet<u64>,
    read: usize,
    result: SimulationResult,
}

/// Plays a run of `world` to its end.
///
/// # Panics
/// A unit was collected twice, or the run does not end.
pub fn simulate(world: SimulatedCluster) -> SimulationResult {
    let mut course = Course::new(world);
    while course.file.len() < world.units as usize {
        let Reverse((at, _, event)) = course.queue.pop().expect("workers look after units forever");
        assert!(at < END_MS, "{} of {} units after a week: {:?}", course.file.len(), world.units, course.result);
        course.now_ms = at;
        course.happens(event);
    }
    assert!(course.ledger.open().next().is_none(), "the ledger and the file differ");
    course.result.took_ms = course.now_ms;
    course.result.collected = course.file.len() as u64;
    course.result
}

impl Course {
    fn new(world: SimulatedCluster) -> Course {
        let mut server = Server::new(1_000 * world.lease_s);
        (0..world.units).for_each(|unit| server.publish(unit));
        let worker = |number: u64| Simulated {
            leases: Leases::new(1_000 * world.lease_s),
            life: 0,
            is_alive: true,
            is_cut_off: false,
            slow: if number % 10 == 9 { 3 } else { 1 },
            playing: None,
            waiting: Vec::new(),
        };
        let workers: Vec<Simulated> = (0..world.workers).map(worker).collect();
        // A slow host does a third of the others' work.
        let thirds: u64 = workers.iter().map(|worker| 3 / worker.slow).sum();
        let result = SimulationResult {
            least_ms: world.units * world.unit_ms * 3 / thirds.max(1),
            ..SimulationResult::default()
        };
        let mut course = Course {
            world,
            dice: SimulationRandom::new(world.seed),
            now_ms: 0,
            queue: BinaryHeap::new(),
            count: 0,
            server,
            is_up: true,
            workers,
            ledger: UnitLedger::new(u32::MAX),
            file: BTreeSet::new(),
            read: 0,
            result,
        };
        (0..world.units).for_each(|_| course.ledger.add(false));
        let faults = world.faults;
        for worker in 0..world.workers {
            let first = course.dice.below(EVERY_MS);
            course.after(first, Event::Look(worker, 0));
            course.sometimes(faults.crash_ms, Event::Crash(worker));
            course.sometimes(faults.partition_ms, Event::Partition(worker));
        }
        course.after(EVERY_MS, Event::Collect);
        course.sometimes(faults.restart_ms, Event::Restart);
        course.sometimes(faults.collector_ms, Event::Kill);
        course
    }

    fn after(&mut self, ms: u64, event: Event) {
        // Events of one moment happen in the order in which they were decided.
        self.count += 1;
        self.queue.push(Reverse((self.now_ms + ms, self.count, event)));
    }

    fn sometimes(&mut self, mean_ms: u64, event: Event) {
        if mean_ms > 0 {
            let ms = self.dice.until(mean_ms);
            self.after(ms, event);
        }
    }

    fn happens(&mut self, event: Event) {
        let faults = self.world.faults;
        match event {
            Event::Look(worker, life) if self.workers[worker as usize].life == life => {
                self.look(worker as usize);
                self.after(EVERY_MS, Event::Look(worker, life));
            }
            Event::Over(worker, life) if self.workers[worker as usize].life == life => self.over(worker as usize),
            Event::Look(..) | Event::Over(..) => {}
            Event::Crash(number) => {
                let worker = &mut self.workers[number as usize];
                self.result.crashes += 1;
                self.result.cut_off += u64::from(worker.playing.is_some());
                *worker = Simulated {
                    leases: Leases::new(1_000 * self.world.lease_s),
                    life: worker.life + 1,
                    is_alive: false,
                    playing: None,
                    waiting: Vec::new(),
                    ..*worker
                };
                self.sometimes(faults.back_ms, Event::Back(number));
                self.sometimes(faults.crash_ms, Event::Crash(number));
            }
            Event::Back(worker) => {
                self.workers[worker as usize].is_alive = true;
                let life = self.workers[worker as usize].life;
                self.after(1, Event::Look(worker, life));
            }
            Event::Partition(worker) => {
                self.result.partitions += 1;
                self.workers[worker as usize].is_cut_off = true;
                self.sometimes(faults.back_ms, Event::Healed(worker));
                self.sometimes(faults.partition_ms, Event::Partition(worker));
            }
            Event::Healed(worker) => self.workers[worker as usize].is_cut_off = false,
            Event::Restart => {
                self.result.restarts += 1;
                self.is_up = false;
                self.sometimes(faults.back_ms, Event::Up);
                self.sometimes(faults.restart_ms, Event::Restart);
            }
            Event::Up => self.is_up = true,
            Event::Collect => {
                self.collect();
                self.after(EVERY_MS, Event::Collect);
            }
            Event::Kill => {
                self.result.kills += 1;
                self.read = 0;
                self.ledger = UnitLedger::new(u32::MAX);
                (0..self.world.units).for_each(|unit| self.ledger.add(self.file.contains(&unit)));
                self.sometimes(faults.collector_ms, Event::Kill);
            }
        }
    }

    fn can_reach(&self, number: usize) -> bool {
        let worker = &self.workers[number];
        self.is_up && worker.is_alive && !worker.is_cut_off
    }

    /// A worker hands in what waits, renews its leases, and fetches what it wants.
    fn look(&mut self, number: usize) {
        if !self.workers[number].is_alive {
            return;
        }
        if self.can_reach(number) {
            for unit in std::mem::take(&mut self.workers[number].waiting) {
                self.hand_in(number, unit);
            }
            let (worker, now_ms) = (&mut self.workers[number], self.now_ms);
            for unit in worker.leases.renewals(now_ms) {
                self.server.renew(*unit, now_ms);
            }
            let load = WorkerLoad { waiting: 0, in_play: 1, games_per_s_milli: 1_000_000 / self.world.unit_ms.max(1) };
            for _ in 0..worker.leases.wanted(load, 1) {
                let Some((unit, times)) = self.server.take(now_ms) else { break };
                worker.leases.take(unit, unit, 1, times > 1, now_ms);
            }
        }
        self.begin(number);
    }

    fn begin(&mut self, number: usize) {
        let worker = &mut self.workers[number];
        if worker.playing.is_some() {
            return;
        }
        let Some(unit) = worker.leases.begin().map(|(unit, _)| unit) else { return };
        worker.playing = Some(unit);
        let (life, mean) = (worker.life, self.world.unit_ms * worker.slow);
        let ms = mean / 2 + self.dice.below(mean.max(1));
        self.after(ms, Event::Over(number as u64, life));
    }

    fn over(&mut self, number: usize) {
        let Some(unit) = self.workers[number].playing.take() else { return };
        self.result.played += 1;
        if self.can_reach(number) {
            self.hand_in(number, unit);
        } else {
            self.workers[number].waiting.push(unit);
        }
        self.look(number);
    }

    fn hand_in(&mut self, number: usize, unit: u64) {
        if !self.server.result(unit, number as u64) {
            self.result.second += 1;
        }
        self.server.acknowledge(unit);
        self.workers[number].leases.remove(unit);
    }

    /// The collector reads on, and publishes what is lost.
    fn collect(&mut self) {
        if !self.is_up {
            return;
        }
        while let Some(unit) = self.server.order.get(self.read).copied() {
            self.read += 1;
            match self.ledger.arrival(unit) {
                Arrival::First => {
                    assert!(self.file.insert(unit), "unit {unit} was collected twice");
                    self.ledger.is_done(unit);
                }
                Arrival::Again => {}
                Arrival::Foreign => panic!("unit {unit} is not of this run"),
            }
        }
        if self.server.units() == 0 {
            let open: Vec<u64> = self.ledger.open().collect();
            open.into_iter().for_each(|unit| self.server.publish(unit));
        }
    }
}

/// A stream of numbers from a seed.
#[derive(Clone, Debug)]
pub(super) struct SimulationRandom(u64);

impl SimulationRandom {
    pub(super) fn new(seed: u64) -> SimulationRandom {
        SimulationRandom(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which must not be 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// A time until something happens that happens once in `mean` on average: exponential, and at least 1.
    pub(super) fn until(&mut self, mean: u64) -> u64 {
        let uniform = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        (-(1.0 - uniform).ln() * mean as f64) as u64 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUGH: Faults = Faults {
        crash_ms: 600_000,
        partition_ms: 600_000,
        restart_ms: 300_000,
        collector_ms: 120_000,
        back_ms: 40_000,
    };

    fn world(workers: u64, faults: Faults, seed: u64) -> SimulatedCluster {
        SimulatedCluster { workers, units: 40 * workers, unit_ms: 5_000, lease_s: 30, faults, seed }
    }

    #[test]
    fn every_unit_is_collected_exactly_once_whatever_fails() {
        let mut result = SimulationResult::default();
        for seed in 0..20 {
            let one = simulate(world(20, ROUGH, seed));
            assert_eq!(one.collected, 800);
            assert!(one.played >= 800 + one.second, "{one:?}");
            result.crashes += one.crashes;
            result.second += one.second;
            result.restarts += one.restarts;
            result.kills += one.kills;
            result.cut_off += one.cut_off;
        }
        // Otherwise nothing was tried.
        assert!(
            result.crashes > 50
                && result.second > 10
                && result.restarts > 10
                && result.kills > 20
                && result.cut_off > 10,
            "{result:?}"
        );
    }

    #[test]
    fn without_failures_no_unit_is_played_twice_and_workers_hardly_wait() {
        let result = simulate(world(50, Faults::default(), 1));
        assert_eq!((result.collected, result.played, result.second), (2_000, 2_000, 0));
        assert!(result.took_ms < result.least_ms * 12 / 10, "{result:?}");
    }

    #[test]
    fn one_seed_gives_one_course() {
        assert_eq!(simulate(world(30, ROUGH, 5)), simulate(world(30, ROUGH, 5)));
        assert_ne!(simulate(world(30, ROUGH, 5)), simulate(world(30, ROUGH, 6)));
    }
}
