//! Simulated runs: the real referee, host, connections, wire, plan, queue and logs, with scripted agents, a clock that is set
//! by hand and a disk that fails. No processes and no waiting, so that a run depends only on a seed and its number, and can be
//! repeated.
//!
//! What is checked:
//!
//! | after every happening | |
//! |---|---|
//! | cards | each card of the deck is in one place (`world`) |
//! | times | in lockstep a deadline runs for exactly the open asks, whose agents are known to be asked; every game is looked at in time (`GameHost::check_times`) |
//! | games | what is played or over is what was begun, and nobody plays what is over (`world`) |
//! | lines | only to a seat of an open game, after `start`, not after `over` or a dismissal (`ledger`) |
//! | asks | one verdict each; banks, void asks and misses in a row add up; an id once (`ledger`) |
//! | events | to whom wants them, all of them, once, in order, without what others hold; the hand shown is the hand held (`ledger`, `world`) |
//! | seeds | of a deal whose other games are on the disk, or not revealed (`league`) |
//! | progress | something happens, and games end (`world`) |
//!
//! | of every game | |
//! |---|---|
//! | replay | from its inputs to the same result; a second ledger of hands, piles, points and wins agrees; what seats were sent is what happened (`postconditions`) |
//! | actions | each taken up was written by its seat to an ask with that stamp, and once |
//! | faults | strikes count up, the last one and no other dismisses, the counts are those of the record, good agents have none and are never slow |
//! | deadlines | judged at their moment, void where the host was at fault and nowhere else |
//! | places | by standing, dismissed seats behind all others; seed and result as promised |
//! | record | one in sixteen is verified line by line |
//!
//! | of every run | |
//! |---|---|
//! | crashes | what was announced is on the disk, unchanged and once |
//! | plan | in the end every game of it is there |
//! | chance | one run in thirty-two comes out the same when it is played again |
//!
//! Planted bugs, one at a time, and whether 5,000 games find them:
//!
//! | planted | found |
//! |---|---|
//! | a deadline that is not stopped; one that ends 2 ms early; a bank that outlives a missed deadline | yes |
//! | a strike for the wrong seat; dismissed one strike late; `silent` one miss early, or never | yes |
//! | a void deadline that counts; lines counted on from ask to ask | yes |
//! | a `tell` that one seat is not sent; a drawn card shown to all; `over` sent to who is dismissed | yes |
//! | an input recorded twice; taken up with a later stamp; a stale id taken for the open ask | yes |
//! | a card doubled when the pile is turned over; a dismissed seat not ranked last | yes |
//! | announced before the commit; a game left out; a game played twice; a seed revealed too early; a finished game still held by its agent | yes |
//! | misses in a row never forgotten after an answer; reactions never forgotten after a movement | no |

mod conditions;
mod disk;
mod league;
mod postconditions;
mod script;
mod seat_ledger;
mod wire;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use maumau_model_check::Breach;
use maumau_protocol::ruleset::RuleSet;
use maumau_run::io::progress::ProgressLine;

pub(crate) use league::Counted;

/// Maximum number of runs that are described in full when they break a law.
const MOST_SHOWN: usize = 10;

/// One in this many runs is played twice, to see whether the result is the same.
const TWICE_ONE_IN: u64 = 32;

/// Simulated runs, one after another.
pub(crate) struct Simulation {
    sets: Vec<RuleSet>,
    seed: u64,
}

/// The results of many runs.
#[derive(Debug, Default)]
pub(crate) struct Simulated {
    /// The sum over all that passed.
    pub(crate) counted: Counted,
    /// The number of runs that passed.
    pub(crate) runs: u64,
    /// Runs that broke a law; the first of them with the breach.
    pub(crate) failed: u64,
    /// In words.
    pub(crate) described: Vec<String>,
}

impl Simulation {
    /// The runs of `seed`.
    ///
    /// # Errors
    /// A rule set cannot be loaded.
    pub(crate) fn new(seed: u64) -> Result<Simulation> {
        Ok(Simulation { sets: conditions::rule_sets()?, seed })
    }

    /// Plays runs on this many threads, from `first` on, until `games` games are finished or all the runs up to `end` are.
    pub(crate) fn play(&self, threads: usize, first: u64, end: u64, games: u64) -> Simulated {
        let progress = ProgressLine::new("simulation", games);
        let next = AtomicU64::new(first);
        let report = Mutex::new(Simulated::default());
        let lock = || report.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= end || lock().counted.games >= games {
                    return;
                }
                let outcome = self.play_run(number);
                let mut report = lock();
                match outcome {
                    Ok(counted) => {
                        report.runs += 1;
                        report.counted.add(&counted);
                    }
                    Err(breach) => {
                        report.failed += 1;
                        if report.described.len() < MOST_SHOWN {
                            let description = self.description(number, &breach);
                            progress.print(&description);
                            report.described.push(description);
                        }
                    }
                }
                progress.is_at(report.counted.games, report.failed);
            }
        };
        std::thread::scope(|scope| (0..threads.max(1)).for_each(|_| _ = scope.spawn(work)));
        progress.end();
        report.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays run `number`, some twice.
    fn play_run(&self, number: u64) -> Result<Counted, Breach> {
        let play = || {
            catch_unwind(AssertUnwindSafe(|| league::play(&self.sets, self.seed, number)))
                .unwrap_or_else(|_| Err(Breach("the arena has panicked".to_owned())))
        };
        let counted = play()?;
        if number.is_multiple_of(TWICE_ONE_IN) && play()? != counted {
            return Err(Breach("played again it comes out differently".to_owned()));
        }
        Ok(counted)
    }

    fn description(&self, number: u64, breach: &Breach) -> String {
        format!(
            "run {number}: {breach}\nthis run again: maumau-lab selftest simulation --seed {} --run {number}",
            self.seed
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of games of the short form; `maumau-lab selftest simulation` plays many more.
    const GAMES: u64 = 2_000;

    #[test]
    fn simulated_runs_keep_every_law() {
        let simulation = Simulation::new(1).expect("rule sets");
        let report = simulation.play(maumau_run::runner::processors().len(), 0, u64::MAX, GAMES);
        assert_eq!(report.failed, 0, "{}", report.described.join("\n"));
        let Counted { games, void, dismissed, crashes, .. } = report.counted;
        assert!(games >= GAMES && void > 0 && dismissed > 0 && crashes > 0, "{report:?}");
    }

    /// Runs with games that the verifier once refused: a turn limit of spam that left no event was followed by answers of its
    /// tick, a deadline without an entry of its own was the last of too many in a row (SPEC 6.15), and the grace time of words
    /// that had been said went on for others, which became due with the same action (SPEC 7.14).
    #[test]
    fn runs_that_once_broke_a_law_pass() {
        for (seed, run) in [(22, 3212), (22, 11486), (1, 4024), (1, 866)] {
            let simulation = Simulation::new(seed).expect("rule sets");
            simulation.play_run(run).unwrap_or_else(|breach| panic!("{}", simulation.description(run, &breach)));
        }
    }
}
