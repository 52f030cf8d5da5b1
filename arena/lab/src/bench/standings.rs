//! Measures how long the tables of a large run file take. It makes the run file itself, from copies of a few games;
//! none is played through pipes.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use maumau_run::io::stdout::print;
use maumau_run::run_store::{RunFile, RunStore, RunWriter, StoredGame};

use super::store::{copy, play, settings};
use super::{heading, median, rules_for};

/// Games in one commit.
const COMMIT: u64 = 1_024;

#[derive(clap::Args)]
pub(crate) struct StandingsArguments {
    /// Games in the run file
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seats at the table
    #[arg(long, default_value_t = 4)]
    players: usize,
    /// Measurements
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
    /// Where to make the run file, which is kept for `maumau tournament show`; by default it is removed
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

/// Makes a run file, measures and prints a table.
pub(crate) fn standings(arguments: &StandingsArguments) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = arguments.keep.clone().unwrap_or_else(|| folder.path().join("bench.maumau"));
    ensure!(!path.exists(), "{} is there already", path.display());
    let rules = rules_for("basic", &[], arguments.players)?;
    let settings = settings(&rules, arguments.players, arguments.games);
    let (mut writer, plan) = RunWriter::open(&path, |_| Ok(settings))?;
    let played = play(&rules, &plan)?;
    for first in (0..arguments.games).step_by(COMMIT as usize) {
        let last = (first + COMMIT).min(arguments.games);
        let games: Vec<StoredGame> = (first..last).map(|number| copy(&plan, &played, number)).collect();
        writer.add(&games)?;
    }
    drop(writer);
    let bytes = std::fs::metadata(&path).with_context(|| path.display().to_string())?.len();
    let (mut tables, mut checks) = (Vec::new(), Vec::new());
    for _ in 0..arguments.repeats {
        let start = Instant::now();
        let games = RunFile::open(&path)?.tally()?.0.standings().games;
        tables.push(start.elapsed().as_secs_f64() * 1e3);
        ensure!(games == arguments.games, "{games} games are in the tables");
        let start = Instant::now();
        RunFile::open(&path)?.check_tally()?;
        checks.push(start.elapsed().as_secs_f64() * 1e3);
    }
    print(&format!(
        "{}| games | MB | tables after ms | held to all games after ms |\n|---|---|---|---|\n| {} | {:.0} | {} | {} |\n",
        heading(),
        arguments.games,
        bytes as f64 / 1e6,
        median(&mut tables, 1),
        median(&mut checks, 0),
    ))
}
