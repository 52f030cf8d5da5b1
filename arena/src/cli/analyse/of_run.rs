//! The decisions of a run's games, judged on several threads. Judged games are kept in a file beside the run, so a second call goes on where
//! the first one ended. It finds the games and shows how far the work is; what is kept and shown is decided by `report`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use anyhow::{Context, Result};
use maumau_analysis::{Effort, analyse};
use maumau_places::suggestion;
use maumau_referee::Verifier;
use maumau_referee::record::Digest;
use maumau_report::{JudgedGame, JudgedGames, RunAnalysis, TableLook};
use maumau_run::agent::resource_limits::start_thread;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::OutputFormat;
use maumau_run::io::progress::ProgressLine;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::run_store::{RunFile, StoredGame};
use maumau_run::runner::processors;

use super::AnalyseArguments;

/// Judges the games that are wanted and not yet judged, and prints what was found.
pub(super) fn run(arguments: &AnalyseArguments, effort: Effort) -> Result<CommandOutcome> {
    let path = &arguments.record;
    let run = RunFile::open(path)?;
    let agent = arguments.agent.as_deref();
    let finished = finished_games(&run, agent)?;
    let games = chosen_games(&run, &finished, arguments.games)?;
    let jobs = arguments.jobs.map_or_else(|| processors().len(), |jobs| jobs.get().into());
    let judged = judge_games(path, &games, effort, jobs)?;
    let deep = arguments.agreement.then(|| judge_games(path, &games, Effort::DEEP, jobs)).transpose()?;
    let shown = Untrusted::path(path).terminal();
    let found = RunAnalysis {
        run: &shown,
        effort,
        games: judged.games(&games),
        of: finished.len() as u64,
        agent,
        calibrates: arguments.calibration,
        deep: deep.as_ref().map(|deep| deep.games(&games)),
    };
    match arguments.format {
        OutputFormat::Text => {
            print(&found.text(TableLook::for_stdout()))?;
            print(&format!("\nJudged games are kept in {}\n", Untrusted::path(judged.path()).terminal()))?;
        }
        OutputFormat::Json => print(&(untrusted::json(&found.json())? + "\n"))?,
    }
    Ok(CommandOutcome::Done)
}

/// Judges so many of the games of the run at `path`, spread evenly, as far as they are not yet judged. Returns how many that is: fewer if
/// there are no more.
pub(in crate::cli) fn judge(path: &Path, wanted: u64, effort: Effort) -> Result<u64> {
    let run = RunFile::open(path)?;
    let finished = finished_games(&run, None)?;
    let games = chosen_games(&run, &finished, Some(wanted))?;
    judge_games(path, &games, effort, processors().len())?;
    Ok(games.len() as u64)
}

/// The numbers of the finished games, or of those of `agent`.
fn finished_games(run: &RunFile, agent: Option<&str>) -> Result<Vec<u64>> {
    let plan = &run.plan.pairings;
    let wanted = agent.map(|name| {
        let known = plan.agents().find(|agent| plan.name(*agent) == name);
        known.ok_or_else(|| {
            let known = suggestion(name, plan.agents().map(|agent| plan.name(agent)));
            usage(format!("--agent {name}: no agent of the run has this name{known}"))
        })
    });
    let wanted = wanted.transpose()?;
    let mut numbers = Vec::new();
    run.for_each_result(|plan, finished| {
        if wanted.is_none_or(|agent| plan.game(finished.index).agents.contains(&agent)) {
            numbers.push(finished.index);
        }
    })?;
    if numbers.is_empty() {
        let of = agent.map_or(String::new(), |agent| format!(" of {agent}"));
        return Err(usage(format!("{}: no game{of} is finished yet", Untrusted::path(run.path()).terminal())));
    }
    Ok(numbers)
}

/// As many of `finished` as are wanted, one from each of as many equal parts; by default all. The place in a part moves on from one to
/// the next, since games alternate between the rotations of a deal.
fn chosen(finished: &[u64], wanted: Option<u64>) -> impl Iterator<Item = u64> {
    let all = finished.len();
    let count = wanted.map_or(all, |wanted| usize::try_from(wanted).map_or(all, |wanted| wanted.min(all)));
    let begin = move |part: usize| (part as u128 * all as u128 / count as u128) as usize;
    (0..count).map(move |part| finished[begin(part) + part % (begin(part + 1) - begin(part))])
}

/// The games that [`chosen`] takes of `finished`, by number, with the digests of their records.
fn chosen_games(run: &RunFile, finished: &[u64], wanted: Option<u64>) -> Result<Vec<(u64, Digest)>> {
    let games = chosen(finished, wanted).map(|number| stored_game(run, number));
    games.map(|game| game.map(|game| (game.number(), game.digest))).collect()
}

fn stored_game(run: &RunFile, number: u64) -> Result<StoredGame> {
    let game = run.game(number)?;
    game.with_context(|| format!("{}: a game was removed meanwhile", Untrusted::path(run.path()).terminal()))
}

/// Judges those of `games` that are not yet judged.
fn judge_games(path: &Path, games: &[(u64, Digest)], effort: Effort, jobs: usize) -> Result<JudgedGames> {
    let mut judged = JudgedGames::open(path, effort)?;
    let missing = games.iter().filter(|(number, digest)| judged.game(*number, *digest).is_none());
    let missing: Vec<u64> = missing.map(|(number, _)| *number).collect();
    if !missing.is_empty() {
        judge_each(path, &missing, effort, jobs, &mut judged)?;
    }
    Ok(judged)
}

/// Judges `games` on `jobs` threads and keeps them in this order, however fast each of them is judged.
fn judge_each(path: &Path, games: &[u64], effort: Effort, jobs: usize, judged: &mut JudgedGames) -> Result<()> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let work = |sender: &mpsc::Sender<(usize, Result<JudgedGame>)>| {
        let mut verifier = Verifier::default();
        let opened = RunFile::open(path);
        while !is_over.load(Ordering::Relaxed) {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(number) = games.get(place) else { return };
            let judged = match &opened {
                Ok(run) => judge_game(run, *number, effort, &mut verifier),
                Err(error) => Err(anyhow::anyhow!("{error:#}")),
            };
            if sender.send((place, judged)).is_err() {
                return;
            }
        }
    };
    let progress = ProgressLine::new("analyse", games.len() as u64);
    let kept = std::thread::scope(|scope| {
        let work = &work;
        for _ in 0..jobs.min(games.len()) {
            let sender = sender.clone();
            if let Err(error) = start_thread(scope, move || work(&sender)) {
                is_over.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut done = 0;
        for (place, game) in &receiver {
            early.insert(place, game);
            while let Some(game) = early.remove(&done) {
                if let Err(error) = game.and_then(|game| judged.add(game)) {
                    is_over.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                done += 1;
                progress.is_at(done as u64, 0);
            }
        }
        Ok(())
    });
    progress.end();
    kept
}

/// # Errors
/// The game is damaged or was played by another engine: nothing of it is judged.
fn judge_game(run: &RunFile, number: u64, effort: Effort, verifier: &mut Verifier) -> Result<JudgedGame> {
    let game = stored_game(run, number)?;
    let of_game = |why: String| {
        let why = Untrusted::new(&why).terminal();
        usage(format!("{}: {}: {why}; the game is not judged", Untrusted::path(run.path()).terminal(), game.id()))
    };
    game.verify(&run.plan, verifier).map_err(|error| of_game(format!("{error:#}")))?;
    let log = game.game_log(&run.plan)?;
    let analysis = analyse(&log, game.digest, effort, None, |_, _| {}).map_err(|error| of_game(error.to_string()))?;
    Ok(JudgedGame::of_run(&run.plan, &game, &analysis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_chosen_evenly_and_none_twice() {
        let finished: Vec<u64> = (100..110).collect();
        for (wanted, expected) in [
            (None, finished.clone()),
            (Some(3), vec![100, 104, 108]),
            // Of a deal's two rotations both are there.
            (Some(5), vec![100, 103, 104, 107, 108]),
            (Some(1), vec![100]),
            (Some(10), finished.clone()),
            (Some(99), finished.clone()),
        ] {
            assert_eq!(chosen(&finished, wanted).collect::<Vec<_>>(), expected, "{wanted:?}");
        }
    }
}
