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

mod made;

/// Write puzzles from the judged games of a run, or of a rule set: positions in which one action is worth clearly more than every other
/// one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau analyse my-league.maumau --quick
  maumau puzzles my-league.maumau --html puzzles.html
  maumau puzzles my-league.maumau > puzzles.json
  maumau puzzles --rules skat --rules makao

Every action but the best one would be a blunder, also were its loss two standard errors smaller. At most one position of a game is \
taken; first come those in which the seat did not find the best action.

By default one JSON object is written to stdout (`maumau schema puzzles`): the position as the seat saw it, its legal actions, the best \
one and what it is worth more. --html writes a page with the positions drawn and their solutions to be opened; it loads nothing.

With --rules no run is needed: greedy and careful play one in --folder, its games are judged until there are enough puzzles, and JSON and a page are written beside it, the same on every machine. The same command goes on after Ctrl-C.")]
pub(super) struct PuzzlesArguments {
    /// A run file whose games `maumau analyse` has judged
    #[arg(required_unless_present = "rules")]
    run: Option<PathBuf>,
    /// At most so many: of a run by default 20, with --rules 200
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    most: Option<u32>,
    /// Write a page to this file instead
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Instead of a run: name of a built-in rule set, or path of a rule file; can be given many times
    #[arg(long, value_name = "SET", conflicts_with_all = ["run", "html"])]
    rules: Vec<String>,
    /// With --rules, the folder for runs, JSON and pages
    #[arg(long, value_name = "DIR", default_value = "maumau-puzzles", conflicts_with = "run")]
    folder: PathBuf,
}

/// Puzzles of a run, and of a rule set.
const OF_A_RUN: u32 = 20;
const OF_A_SET: u32 = 200;

pub(super) fn run(arguments: &PuzzlesArguments) -> Result<CommandOutcome> {
    let Some(run) = &arguments.run else {
        for rules in &arguments.rules {
            let outcome = made::make(rules, arguments.most.unwrap_or(OF_A_SET), &arguments.folder)?;
            if outcome != CommandOutcome::Done {
                return Ok(outcome);
            }
        }
        return Ok(CommandOutcome::Done);
    };
    arguments.html.iter().try_for_each(|file| atomic_file::check(file))?;
    let puzzles = PuzzleSet::of(&RunFile::open(run)?, arguments.most.unwrap_or(OF_A_RUN) as usize)?;
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
