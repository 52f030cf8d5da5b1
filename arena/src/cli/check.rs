//! `maumau check`: whether an agent does what the protocol asks of it, or how many puzzles it solves. It reads the options and sets the
//! exit code; the steps are in `conformance`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use maumau_engine::rules::all_sets;
use maumau_places::suggestion;
use maumau_protocol::MAX_SEATS;
use maumau_report::{PuzzleSet, PuzzleTask};
use maumau_run::agent::{AgentCommand, SandboxSettings};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::{OutputFormat, counted};
use maumau_run::io::progress::ProgressLine;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted;
use maumau_run::run_store::RunFile;
use maumau_run::runner::on_one_processor;

use serde_json::json;

use super::SandboxArguments;
use super::feed::said;
use super::sandbox::print_shell_words;
use crate::conformance::{AnswerTimeouts, CheckedTables, ConformanceReport, check, solve};

/// Check that an agent does what the protocol asks of it, step by step.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau check -- python3 my_bot.py
  maumau check --fail-fast -- node my_bot.mjs
  maumau check --rules skat --rules snap --games 10 -- ./my_bot --fast
  maumau check --rules skat --seats 3 -- ./my_bot
  maumau check --puzzles my-league.maumau -- python3 my_bot.py

A failed step shows the lines and the path of the problem, and the exit code is 1. A failure is shown once; after three similar \
ones in a row the remaining steps are skipped. With --puzzles it is 1 if an answer does not come or is no line of the protocol.")]
pub(super) struct CheckArguments {
    /// A rule set to play; can be given many times. By default all built-in ones that the agent plays
    #[arg(long, value_name = "NAME")]
    rules: Vec<String>,
    /// How many seats a table has; can be given many times. By default 2, 3 and 4, or those that the agent plays
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=MAX_SEATS as i64))]
    seats: Vec<u8>,
    /// Games at each table, by default 3; of puzzles at most so many, by default 200
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    games: Option<u64>,
    /// Count instead how many puzzles of this run it solves (`maumau puzzles`): each is a game of a run that `maumau analyse` has judged,
    /// sent to an agent of its own up to a decision in which one action is clearly the best
    #[arg(long, value_name = "RUN", conflicts_with_all = ["rules", "seats", "fail_fast"])]
    puzzles: Option<PathBuf>,
    /// Milliseconds for one answer
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    move_ms: u64,
    /// Milliseconds from the start of the agent to its readiness
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    start_ms: u64,
    /// Stop at the first failure
    #[arg(long)]
    fail_fast: bool,
    /// Output format: text while the check runs, json as one object at the end
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// The agent's command
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

/// The schema of what `check --puzzles` writes as JSON.
pub(super) const CHECK_PUZZLES_SCHEMA: &str = include_str!("../../docs/check-puzzles.schema.json");

/// Games at each table, and puzzles, unless the command says otherwise.
const GAMES: u64 = 3;
const PUZZLES: u64 = 200;

pub(super) fn run(arguments: CheckArguments) -> Result<CommandOutcome> {
    // What is best stands in the run.
    let private = arguments.puzzles.iter().cloned().collect();
    let sandbox = arguments.sandbox.ready(arguments.sandbox.over(SandboxSettings::USUAL), private, true)?;
    let command = AgentCommand::of_words(arguments.command)?.in_sandbox(&sandbox).granted(arguments.sandbox.grant()?);
    print_shell_words([&command]);
    let sets = arguments.rules;
    if let Some(unknown) = sets.iter().find(|name| !all_sets().any(|set| set.name == name.as_str())) {
        let known = suggestion(unknown, all_sets().map(|set| set.name));
        return Err(usage(format!(
            "--rules {unknown}: a check plays the sets of this program, and none is called that{known}"
        )));
    }
    let tables = CheckedTables { sets, seats: arguments.seats.into_iter().map(usize::from).collect() };
    let patience = AnswerTimeouts {
        start: Duration::from_millis(arguments.start_ms),
        answer: Duration::from_millis(arguments.move_ms),
    };
    if let Some(run) = &arguments.puzzles {
        let most = arguments.games.unwrap_or(PUZZLES) as usize;
        return on_one_processor(|| check_puzzles(run, most, &command, &patience, arguments.format));
    }
    let games = arguments.games.unwrap_or(GAMES);
    let mut report = on_one_processor(|| {
        let (command, tables) = (&command, &tables);
        async move {
            let mut report = ConformanceReport::new(arguments.format, arguments.fail_fast);
            check(command, tables, games, patience, &mut report).await?;
            Ok(report)
        }
    })?;
    report.end()?;
    Ok(if report.is_good() { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

/// Counts the puzzles of `run`, at most `most`, that the agent solves. Words said with an action do not count.
async fn check_puzzles(
    run: &Path,
    most: usize,
    command: &AgentCommand,
    patience: &AnswerTimeouts,
    format: OutputFormat,
) -> Result<CommandOutcome> {
    let run = RunFile::open(run)?;
    let puzzles = PuzzleSet::of(&run, most)?;
    if puzzles.count() == 0 {
        return Err(usage(
            "in no judged game of this run is one action clearly the best; more games or a deeper `maumau analyse` may find some",
        ));
    }
    let progress = ProgressLine::new("check", puzzles.count() as u64);
    let (mut solved, mut failed, mut solved_then) = (0, 0, 0);
    let mut rows = Vec::new();
    for (done, task) in puzzles.tasks(&run).enumerate() {
        let task = task?;
        let PuzzleTask { game, number, best, lead, was_solved, .. } = &task;
        let found = solve(command, &task, patience).await;
        let is_solved = found.as_ref().is_ok_and(|action| action.verb == best.verb);
        solved += u64::from(is_solved);
        failed += u64::from(found.is_err());
        solved_then += u64::from(*was_solved);
        let answer = match &found {
            Ok(action) => said(action),
            Err(problem) => problem.to_string(),
        };
        if matches!(format, OutputFormat::Text) {
            print(&match is_solved {
                true => format!("{game}, move {number}: solved, {answer}\n"),
                false => format!(
                    "{game}, move {number}: {answer}\n  best: {}, worth {:.1} points more than any other\n",
                    said(best),
                    100.0 * lead
                ),
            })?;
        }
        let (answer, failure) = match found {
            Ok(action) => (Some(action), None),
            Err(problem) => (None, Some(problem.to_string())),
        };
        rows.push(json!({
            "game": game, "move": number.0, "solved": is_solved, "answer": answer, "failure": failure, "best": best,
            "was_solved": was_solved,
        }));
        progress.is_at(done as u64 + 1, failed);
    }
    progress.end();
    match format {
        OutputFormat::Text => {
            let (of, all) = (counted(puzzles.count() as u64, "puzzle"), puzzles.count() as f64);
            print(&format!(
                "{solved} of {of} solved ({:.3}); the seats that played these games solved {solved_then}\n",
                solved as f64 / all
            ))?;
        }
        OutputFormat::Json => {
            let whole = json!({
                "schema": "maumau-check-puzzles/1",
                "puzzles": puzzles.count(),
                "solved": solved,
                "failed": failed,
                "solved_then": solved_then,
                "answers": rows,
            });
            print(&(untrusted::json(&whole)? + "\n"))?;
        }
    }
    Ok(if failed == 0 { CommandOutcome::Done } else { CommandOutcome::NotRight })
}
