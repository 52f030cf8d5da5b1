//! `maumau check`: whether an agent does what the protocol asks of it. It reads the options and sets the exit code; the
//! steps are in `conformance`.

use std::time::Duration;

use anyhow::Result;
use maumau_engine::rules::all_sets;
use maumau_places::suggestion;
use maumau_protocol::MAX_SEATS;
use maumau_run::agent::{AgentCommand, SandboxSettings};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::OutputFormat;
use maumau_run::runner::on_one_processor;

use super::SandboxArguments;
use super::sandbox::print_shell_words;
use crate::conformance::{AnswerTimeouts, CheckedTables, ConformanceReport, check};

/// Check that an agent does what the protocol asks of it, step by step.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau check -- python3 my_bot.py
  maumau check --fail-fast -- node my_bot.mjs
  maumau check --rules skat --rules snap --games 10 -- ./my_bot --fast
  maumau check --rules skat --seats 3 -- ./my_bot

A failed step shows the lines and the path of the problem, and the exit code is 1. A failure is shown once; after three similar \
ones in a row the remaining steps are skipped.")]
pub(super) struct CheckArguments {
    /// A rule set to play; can be given many times. By default all built-in ones that the agent plays
    #[arg(long, value_name = "NAME")]
    rules: Vec<String>,
    /// How many seats a table has; can be given many times. By default 2, 3 and 4, or those that the agent plays
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=MAX_SEATS as i64))]
    seats: Vec<u8>,
    /// Games at each table
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    games: u64,
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

pub(super) fn run(arguments: CheckArguments) -> Result<CommandOutcome> {
    let sandbox = arguments.sandbox.ready(arguments.sandbox.over(SandboxSettings::USUAL), Vec::new(), true)?;
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
    let mut report = on_one_processor(|| {
        let (command, tables) = (&command, &tables);
        async move {
            let mut report = ConformanceReport::new(arguments.format, arguments.fail_fast);
            check(command, tables, arguments.games, patience, &mut report).await?;
            Ok(report)
        }
    })?;
    report.end()?;
    Ok(if report.is_good() { CommandOutcome::Done } else { CommandOutcome::NotRight })
}
