//! `maumau puzzles`: positions of a run in which one action is clearly the best, as a page or as JSON. What an action was worth has been
//! measured by `analyse`; which positions they are and how they look is decided in `report`.

use std::path::PathBuf;

use anyhow::Result;
use maumau_report::PuzzleSet;
use maumau_run::error::CommandOutcome;
use maumau_run::io::atomic_file;
use maumau_run::io::format::counted;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::run_store::RunFile;

/// Write puzzles from the judged games of a run: positions in which one action is worth clearly more than every other one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau analyse my-league.maumau --quick
  maumau puzzles my-league.maumau --html puzzles.html
  maumau puzzles my-league.maumau > puzzles.json

Every action but the best one would be a blunder, also were its loss two standard errors smaller. At most one position of a game is \
taken; first come those in which the seat did not find the best action.

By default one JSON object is written to stdout (`maumau schema puzzles`): the position as the seat saw it, its legal actions, the best \
one and what it is worth more. --html writes a page with the positions drawn and their solutions to be opened; it loads nothing.")]
pub(super) struct PuzzlesArguments {
    /// A run file whose games `maumau analyse` has judged
    run: PathBuf,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    most: u32,
    /// Write a page to this file instead
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(super) fn run(arguments: &PuzzlesArguments) -> Result<CommandOutcome> {
    arguments.html.iter().try_for_each(|file| atomic_file::check(file))?;
    let puzzles = PuzzleSet::of(&RunFile::open(&arguments.run)?, arguments.most as usize)?;
    match &arguments.html {
        None => print(&(untrusted::json(&puzzles.json())? + "\n"))?,
        Some(file) => {
            atomic_file::write(file, puzzles.page().as_bytes())?;
            let count = counted(puzzles.count() as u64, "puzzle");
            print_stderr!("{count} in {}", Untrusted::path(file).terminal());
        }
    }
    Ok(CommandOutcome::Done)
}
