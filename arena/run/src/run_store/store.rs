//! What a run keeps of a game, and the interface of the store that keeps it. It replays a finished game to check it and
//! opens no file.

use anyhow::{Context, Result, ensure};
use maumau_protocol::fault::{CountedFault, FaultCounts, FreeFault};
use maumau_protocol::message::GameResult;
use maumau_protocol::{Seat, SeatSet};
use maumau_referee::record::{Digest, DismissedEntry, Entry};
use maumau_referee::{GameLog, Sound, Verifier};
use maumau_tournament::{Finished, PlannedGame};

use super::log_codec;
use super::settings::RunPlan;
use crate::runner::Played;

/// A store for the games of a run.
pub trait RunStore: Send {
    /// Adds games: all of them or none, and when this returns they are durable.
    ///
    /// # Errors
    /// The games are not in the store. After an error nothing more may be added: what reached the disk is unknown until the
    /// store is opened again.
    fn add(&mut self, games: &[StoredGame]) -> Result<()>;
}

/// The counts of one seat's time in one game. They differ between two runs of the same games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatTimes {
    /// Asks answered in time.
    pub answers: u64,
    /// Microseconds from asks to answers or deadlines, all together.
    pub took_us: u64,
    /// Answers that came after their deadline.
    pub late: u64,
    /// Deadlines that did not count because the host was to blame.
    pub void: u64,
}

impl From<[u64; 4]> for SeatTimes {
    fn from([answers, took_us, late, void]: [u64; 4]) -> SeatTimes {
        SeatTimes { answers, took_us, late, void }
    }
}

impl From<SeatTimes> for [u64; 4] {
    fn from(times: SeatTimes) -> [u64; 4] {
        [times.answers, times.took_us, times.late, times.void]
    }
}

/// A finished game as a run keeps it. Lists are in seat order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// Who played it on which deal.
    pub planned: PlannedGame,
    /// Its result.
    pub result: GameResult,
    /// Faults of each seat.
    pub faults: Vec<FaultCounts>,
    /// The time each seat used.
    pub times: Vec<SeatTimes>,
    /// The digest of its record.
    pub digest: Digest,
    /// Its inputs, as [`log_codec::pack`] writes them.
    pub log: Vec<u8>,
}

impl StoredGame {
    /// What is kept of `played`. The game is replayed from its inputs for its digest, so a log that does not lead to its result
    /// never gets into a run.
    ///
    /// # Errors
    /// The log contradicts itself.
    pub fn new(planned: &PlannedGame, played: Played) -> Result<StoredGame> {
        let Played { log, tallies, .. } = played;
        Ok(StoredGame {
            planned: planned.clone(),
            digest: log.digest().with_context(|| format!("the game {}", planned.id().0))?,
            log: log_codec::pack(&log.inputs)?,
            result: log.result,
            times: tallies
                .iter()
                .map(|tally| SeatTimes {
                    answers: tally.answers,
                    took_us: tally.took_us,
                    late: tally.late,
                    void: tally.void,
                })
                .collect(),
            faults: tallies.into_iter().map(|tally| tally.faults).collect(),
        })
    }

    /// Its number in the plan.
    pub fn number(&self) -> u64 {
        self.planned.index
    }

    /// Its name in the plan, such as `g003-d0007-r1`.
    pub fn id(&self) -> String {
        self.planned.id().0.to_string()
    }

    /// The game as the tournament counts it.
    pub fn finished(&self) -> Finished {
        Finished { index: self.number(), result: self.result.clone(), faults: self.faults.clone() }
    }

    /// How many actions were taken up, those of the referee for a seat included.
    ///
    /// # Errors
    /// The stored game is damaged.
    pub fn actions(&self) -> Result<u32> {
        let inputs = log_codec::unpack(&self.log).with_context(|| format!("the game {} is damaged", self.id()))?;
        let actions = inputs.iter().filter(|input| matches!(input.entry, Entry::Act(_) | Entry::Stand(_)));
        Ok(actions.count() as u32)
    }

    /// Why `seat` was dismissed, if it was.
    ///
    /// # Errors
    /// The stored game is damaged.
    pub fn dismissal(&self, seat: Seat) -> Result<Option<DismissedEntry>> {
        if !self.result.dismissed.contains(&seat) {
            return Ok(None);
        }
        let inputs = log_codec::unpack(&self.log).with_context(|| format!("the game {} is damaged", self.id()))?;
        Ok(inputs.into_iter().find_map(|input| match input.entry {
            Entry::Dismissed(dismissed) if dismissed.seat == seat => Some(dismissed),
            _ => None,
        }))
    }

    /// The log of the game.
    ///
    /// # Errors
    /// The stored game is damaged.
    pub fn game_log(&self, plan: &RunPlan) -> Result<GameLog> {
        let inputs = log_codec::unpack(&self.log).with_context(|| format!("the game {} is damaged", self.id()))?;
        Ok(GameLog {
            header: plan.header(&self.planned),
            inputs,
            result: self.result.clone(),
            sandbox: Some(plan.settings.league.sandbox.level),
            permits: plan.permits(&self.planned),
            public_seed: plan.settings.league.cards_may_be_known(),
            hidden_names: plan.settings.league.hidden_names,
            human_pace: SeatSet::EMPTY,
        })
    }

    /// Replays the game and compares what is kept of it, except the times, with the replay: `verifier` must accept the record,
    /// and the digest, the result and the faults must be those of the record.
    ///
    /// # Errors
    /// The difference.
    pub fn verify(&self, plan: &RunPlan, verifier: &mut Verifier) -> Result<Sound> {
        let (sound, found) = verifier.check_log(&self.game_log(plan)?)?;
        self.must_have(sound.digest)?;
        ensure!(found.len() == self.faults.len(), "faults of {} seats, not of {}", self.faults.len(), found.len());
        for (seat, (kept, found)) in Seat::all(found.len()).zip(self.faults.iter().zip(&found)) {
            ensure!(
                are_faults_of(kept, found),
                "the faults of seat {seat} are [{}], and those in its record [{}]",
                kept.list(", "),
                found.list(", ")
            );
        }
        Ok(sound)
    }

    /// The full record as JSON lines, checked against the digest.
    ///
    /// # Errors
    /// The stored game is damaged or was played by another engine.
    pub fn record(&self, plan: &RunPlan) -> Result<Vec<u8>> {
        self.record_of(&self.game_log(plan)?)
    }

    fn record_of(&self, log: &GameLog) -> Result<Vec<u8>> {
        let (record, digest) = log.to_record().with_context(|| format!("the game {}", self.id()))?;
        self.must_have(digest)?;
        Ok(record)
    }

    fn must_have(&self, digest: Digest) -> Result<()> {
        ensure!(
            digest == self.digest,
            "the game {} is damaged, or was played by another engine: its digest is {digest}, the run file says {}",
            self.id(),
            self.digest
        );
        Ok(())
    }
}

/// True if a seat stored with the faults `kept` has the faults `found` in its record. The record leaves out those failures of
/// an author's code that came with a late answer.
fn are_faults_of(kept: &FaultCounts, found: &FaultCounts) -> bool {
    let are_there = kept.iter().all(|(fault, kept)| match fault {
        CountedFault::Free(FreeFault::Crash) => kept >= found.get(fault),
        fault => kept == found.get(fault),
    });
    are_there && found.iter().all(|(fault, _)| kept.get(fault) > 0)
}
