//! The engine's random games on every processor, with progress and a line that repeats each game that breaks a law. The
//! laws are in the engine's `selftest`; this file only hands out numbers of games and prints.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::Result;
use maumau_model_check::{Breach, CheckedGame, Manners, SelfTest, Watched};
use maumau_run::error::usage;
use maumau_run::io::progress::ProgressLine;
use maumau_run::runner::processors;

/// Games that a thread takes at a time; they share their options.
const BLOCK: u64 = 16;

/// Maximum number of games that are described in full when they break a law.
const MOST_SHOWN: u64 = 10;

/// Games of one rule set, by number.
pub(crate) struct NumberedGames<'a> {
    pub(crate) set: &'a str,
    pub(crate) seed: u64,
    pub(crate) first: u64,
    pub(crate) end: u64,
}

/// Their results.
#[derive(Default)]
pub(crate) struct GameTestResults {
    set: String,
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    played: CheckedGame,
    samples: u64,
    seconds: f64,
}

impl std::fmt::Display for GameTestResults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let CheckedGame { steps, legal, twins } = self.played;
        write!(
            f,
            "{}: {} passed, {} failed; {steps} inputs, {legal} legal lists, {twins} twin positions, {} samples, {:.0} s",
            self.set, self.passed, self.failed, self.samples, self.seconds
        )
    }
}

/// Plays and checks them all.
///
/// # Errors
/// There is no such rule set.
pub(crate) fn check(games: &NumberedGames<'_>) -> Result<GameTestResults> {
    let start = Instant::now();
    let next = AtomicU64::new(games.first);
    let progress = ProgressLine::new(games.set, games.end - games.first);
    let report = Mutex::new(GameTestResults { set: games.set.to_owned(), ..GameTestResults::default() });
    let lock = || report.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || -> Result<()> {
        let mut test = begin(games)?;
        loop {
            let from = next.fetch_add(BLOCK, Ordering::Relaxed);
            if from >= games.end {
                return Ok(());
            }
            for number in from..games.end.min(from + BLOCK) {
                let result = catch_unwind(AssertUnwindSafe(|| {
                    let played = test.play(number)?;
                    let manners = if number % 4 == 0 { Manners::Lawful } else { Manners::Any };
                    Ok::<_, Breach>((played, test.watch(number, manners)?))
                }));
                let breach = match result {
                    Ok(Ok((played, Watched { samples, .. }))) => {
                        let mut report = lock();
                        report.passed += 1;
                        report.played.steps += played.steps;
                        report.played.legal += played.legal;
                        report.played.twins += played.twins;
                        report.samples += samples;
                        None
                    }
                    Ok(Err(breach)) => Some(breach.to_string()),
                    Err(_) => Some("the engine has panicked".to_owned()),
                };
                if let Some(breach) = breach {
                    let mut report = lock();
                    report.failed += 1;
                    if report.failed <= MOST_SHOWN {
                        progress.print(&description(games, number, test.table(), &breach));
                    }
                    // The state left by a game that panicked is not used again.
                    test = begin(games)?;
                }
                let report = lock();
                progress.is_at(report.passed + report.failed, report.failed);
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = processors().iter().map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    progress.end();
    let mut report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.seconds = start.elapsed().as_secs_f64();
    Ok(report)
}

fn begin(games: &NumberedGames<'_>) -> Result<SelfTest> {
    SelfTest::new(games.set, games.seed).map_err(|problems| usage(problems.to_string()))
}

fn description(games: &NumberedGames<'_>, number: u64, table: &str, breach: &str) -> String {
    let NumberedGames { set, seed, .. } = games;
    format!(
        "game {number} of {table}:\n{breach}\nthis game again: maumau-lab selftest games --rules {set} --seed {seed} --first {number} --games 1"
    )
}
