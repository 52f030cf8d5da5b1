//! One simulated run: its games are played, written to the disk and announced; it crashes and is resumed until its plan
//! is complete. It decides what happens between two crashes; games themselves are in `world`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::ensure;
use maumau_engine::ChoiceStream;
use maumau_model_check::Breach;
use maumau_protocol::ruleset::RuleSet;
use maumau_referee::Verifier;
use maumau_referee::record::Digest;
use maumau_run::league::{Queue, Taken};
use maumau_run::run_store::{RunPlan, StoredGame, commit};
use maumau_run::runner::GameConfig;
use maumau_tournament::{PlannedGame, Tally};

use super::conditions::Conditions;
use super::disk::SimulatedDisk;
use super::postconditions::check_record;
use super::seat_ledger::hold;
use super::world::{CheckedEnd, World};

/// One in this many games is verified as a record, line by line.
const RECORDS_ONE_IN: u64 = 16;

/// The sums over simulated runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    /// Games that are on the disk.
    pub(crate) games: u64,
    /// Games that began, including those lost in a crash.
    pub(crate) begun: u64,
    /// Inputs of the finished games.
    pub(crate) inputs: u64,
    /// Deadlines that were void.
    pub(crate) void: u64,
    /// Agents that were dismissed from a game.
    pub(crate) dismissed: u64,
    /// Crashes.
    pub(crate) crashes: u64,
    /// A digest of everything that happened: the same for the same run.
    pub(crate) fingerprint: u64,
}

impl Counted {
    /// Adds another run.
    pub(crate) fn add(&mut self, other: &Counted) {
        self.games += other.games;
        self.begun += other.begun;
        self.inputs += other.inputs;
        self.void += other.void;
        self.dismissed += other.dismissed;
        self.crashes += other.crashes;
        self.fingerprint = self.fingerprint.wrapping_add(other.fingerprint);
    }
}

/// How a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Complete,
    Crash,
}

/// A run in progress.
struct Run<'a> {
    conditions: &'a Conditions,
    plan: &'a RunPlan,
    dice: ChoiceStream<'static>,
    disk: SimulatedDisk,
    /// The announced games with their digests, over all crashes.
    announced: BTreeMap<u64, Digest>,
    counted: Counted,
}

/// Plays run `number` of `seed`.
///
/// # Errors
/// The law that it breaks.
pub(super) fn play(sets: &[RuleSet], seed: u64, number: u64) -> Result<Counted, Breach> {
    let mut dice = ChoiceStream::new(&[seed, number]);
    let conditions = Conditions::draw(sets, &mut dice);
    let with_conditions = |Breach(why): Breach| Breach(format!("{why}\n{conditions:?}"));
    let plan = conditions.plan(&sets[conditions.set]).map_err(|error| with_conditions(Breach(format!("{error:#}"))))?;
    let disk = SimulatedDisk::new(dice.fork(), conditions.disk_fails_one_in);
    let (announced, counted) = Default::default();
    let mut run = Run { conditions: &conditions, plan: &plan, dice, disk, announced, counted };
    run.play().map_err(with_conditions)?;
    Ok(run.counted)
}

impl Run<'_> {
    fn play(&mut self) -> Result<(), Breach> {
        loop {
            let may_crash = self.counted.crashes < self.conditions.crashes;
            // The last attempt has no failures, so that every run is completed.
            let crash_one_in = if may_crash { 1 + self.dice.number_below(4_000) } else { u64::MAX };
            self.disk.works_from_now_on(!may_crash);
            match self.play_on(crash_one_in)? {
                Stop::Complete => return self.check_end(),
                Stop::Crash => self.counted.crashes += 1,
            }
        }
    }

    /// Opens the disk and plays what is missing, until that is done or everything but the disk is lost.
    fn play_on(&mut self, crash_one_in: u64) -> Result<Stop, Breach> {
        let mut tally = Tally::new(self.plan.pairings.clone());
        for game in self.disk.games.values() {
            tally.add(&game.finished()).map_err(|error| Breach(format!("the disk: {error}")))?;
        }
        self.check_announced()?;
        let queue = Queue::new(self.plan, &tally);
        queue.close();
        let mut world = World::new(self.conditions, self.dice.fork());
        let mut next: Option<PlannedGame> = None;
        let mut batch: Vec<StoredGame> = Vec::new();
        loop {
            next = next.or_else(|| match queue.take() {
                Taken::Game(game) => Some(game),
                Taken::Later | Taken::Over => None,
            });
            if world.playing() < self.conditions.at_once
                && let Some(planned) = next.take()
            {
                let reveals_seed = queue.is_last_of_deal(&planned);
                hold!(!reveals_seed || self.has_rest_of_deal(&planned), "the seed of a deal is revealed too early");
                let table = self.plan.table(&planned, reveals_seed);
                let table = GameConfig { clock: self.conditions.clock, ..table };
                let names = planned.agents.iter().map(|agent| self.plan.pairings.name(*agent).to_owned()).collect();
                self.counted.begun += 1;
                world.begin(planned, table, names)?;
            } else if world.playing() > 0 {
                world.advance()?;
            } else if batch.is_empty() {
                return Ok(Stop::Complete);
            }
            for ended in world.take_ended()? {
                batch.push(self.keep(ended)?);
            }
            if self.dice.one_in(crash_one_in) {
                return Ok(Stop::Crash);
            }
            let all_played = world.playing() == 0 && next.is_none();
            if !batch.is_empty() && (all_played || self.dice.one_in(20)) {
                let Run { disk, dice, announced, .. } = self;
                let mut failure = None;
                let committed = commit(disk, &batch, |_, games| {
                    // Before anything is announced.
                    ensure!(!dice.one_in(crash_one_in), "the arena crashes");
                    for game in games {
                        failure = failure.take().or(tally.add(&game.finished()).err());
                        queue.is_durable_now(game.number());
                        announced.insert(game.number(), game.digest);
                    }
                    Ok(())
                });
                hold!(failure.is_none(), "a game does not count: {failure:?}");
                if committed.is_err() {
                    return Ok(Stop::Crash);
                }
                batch.clear();
            }
        }
    }

    /// True if all other games of the deal are on the disk.
    fn has_rest_of_deal(&self, game: &PlannedGame) -> bool {
        let (first, games) = self.plan.pairings.deal_of(game.index);
        let mut others = (first..first + games).filter(|number| *number != game.index);
        others.all(|number| self.disk.games.contains_key(&number))
    }

    /// What is kept of a finished game; it is replayed on the way.
    fn keep(&mut self, ended: CheckedEnd) -> Result<StoredGame, Breach> {
        let CheckedEnd { planned, played } = ended;
        self.counted.inputs += played.log.inputs.len() as u64;
        self.counted.void += played.tallies.iter().map(|tally| tally.void).sum::<u64>();
        self.counted.dismissed += played.log.result.dismissed.len() as u64;
        if self.dice.one_in(RECORDS_ONE_IN) {
            check_record(&played.log)?;
        }
        StoredGame::new(&planned, played).map_err(|error| Breach(format!("{error:#}")))
    }

    /// Checks that nothing announced is missing, duplicated or changed.
    fn check_announced(&self) -> Result<(), Breach> {
        hold!(self.disk.doubled.is_none(), "game number {:?} was played twice", self.disk.doubled);
        for (number, digest) in &self.announced {
            let kept = self.disk.games.get(number).map(|game| &game.digest);
            hold!(kept == Some(digest), "game number {number} was announced, and the disk has {kept:?}");
        }
        Ok(())
    }

    fn check_end(&mut self) -> Result<(), Breach> {
        self.check_announced()?;
        let planned: BTreeSet<u64> = (0..self.plan.pairings.len()).collect();
        let kept: BTreeSet<u64> = self.disk.games.keys().copied().collect();
        hold!(kept == planned, "{} of {} games are there", kept.len(), planned.len());
        let mut verifier = Verifier::default();
        // The header of a record follows from the plan, which plays in lockstep.
        for game in self.disk.games.values().filter(|_| !self.conditions.is_live()) {
            if self.dice.one_in(RECORDS_ONE_IN) {
                game.verify(self.plan, &mut verifier).map_err(|error| Breach(format!("{error:#}")))?;
            }
        }
        self.counted.games = kept.len() as u64;
        let digests = self.disk.games.values().filter_map(|game| game.digest.0.first_chunk());
        let numbers = digests.map(|first| u64::from_be_bytes(*first));
        self.counted.fingerprint = numbers.fold(self.counted.inputs, |sum, number| sum.rotate_left(5) ^ number);
        Ok(())
    }
}
