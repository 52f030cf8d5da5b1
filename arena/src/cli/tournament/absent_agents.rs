//! Prints the agents that did not start, whose games are worth playing again.

use std::path::Path;

use anyhow::Result;
use maumau_run::error::CommandOutcome;
use maumau_run::io::program_name::program_name;
use maumau_run::league::{Absentee, absentees};
use maumau_run::run_store::RunFile;
use maumau_run::runner::StartStage;

use super::RunArguments;

/// Prints which agents of a run did not start and what to do about them; the exit code is that of a match with an agent that
/// never started.
///
/// # Errors
/// The run file cannot be read.
pub(super) fn print_absentees(arguments: &RunArguments, run: &Path) -> Result<CommandOutcome> {
    let file = RunFile::open(run)?;
    let absentees = absentees(&file, &file.tally()?.0.standings())?;
    for Absentee { name, games, absent, reason } in &absentees {
        let where_not = if absent == games { "any".to_owned() } else { absent.to_string() };
        print_stderr!("maumau: {name} did not start in {where_not} of its {games} games: {reason}");
        let agent = file.plan.settings.league.agents.iter().find(|agent| agent.name == *name);
        if let Some(agent) = agent.filter(|agent| !agent.life.retired) {
            let command = command(arguments, agent.league_name());
            print_stderr!("  when it is mended, its games are played again by: {command}");
        }
    }
    let never = |stage: StartStage| {
        absentees.iter().any(|one| one.never_started() && StartStage::of_sentence(&one.reason) == stage)
    };
    Ok(match (never(StartStage::Command), never(StartStage::Handshake)) {
        (true, _) => CommandOutcome::Usage,
        (false, true) => CommandOutcome::NotRight,
        (false, false) => CommandOutcome::Done,
    })
}

/// The command that plays the games of `agent` again.
fn command(arguments: &RunArguments, agent: &str) -> String {
    let quote = |word: &str| shlex::try_quote(word).map(Into::into).unwrap_or_else(|_| word.to_owned());
    let run = arguments.run.as_ref().map(|run| format!(" --run {}", quote(&run.display().to_string())));
    format!(
        "{} tournament run {}{} --again {}",
        program_name(),
        quote(&arguments.league.display().to_string()),
        run.unwrap_or_default(),
        quote(agent)
    )
}
