//! Games that are played again: whose, and when that is worth telling. It compares settings and prints; which games are
//! missing is known by the run file.

use std::path::Path;

use anyhow::Result;
use maumau_engine::rules::suggestion;
use maumau_tournament::AgentId;

use super::RunArguments;
use crate::error::{Outcome, usage};
use crate::io::program_name::program_name;
use crate::league::{Absentee, LeagueFile, absentees};
use crate::run_store::{RunFile, Settings};
use crate::runner::Stage;

/// The agents of these names.
///
/// # Errors
/// The league has no such agent.
pub(super) fn agents_called(names: &[String], league: &LeagueFile) -> Result<Vec<AgentId>> {
    let agents = &league.league.agents;
    let find = |name: &String| match agents.iter().position(|agent| agent.name == *name) {
        Some(place) => Ok(AgentId(place as u16)),
        None => {
            let known = suggestion(name, agents.iter().map(|agent| agent.name.as_str()));
            Err(usage(format!("--again {name}: the league has no such agent{known}")))
        }
    };
    names.iter().map(find).collect()
}

/// Refuses to go on with the run `stored` in the file `run`, but for the games of the agents in `again`, where `wanted`, which
/// the league file at `league` asks for, would make other games.
///
/// # Errors
/// What differs, and what to do: to play agents again helps only where nothing but agents differs.
pub(super) fn check_same_games(
    stored: &Settings,
    wanted: &Settings,
    again: &[AgentId],
    run: &Path,
    league: &Path,
) -> Result<()> {
    let differences = stored.differences(wanted, again);
    if differences.is_empty() {
        return Ok(());
    }
    let all: Vec<AgentId> = (0..wanted.league.agents.len()).map(|place| AgentId(place as u16)).collect();
    let what_to_do = if stored.differences(wanted, &all).is_empty() {
        "Go on with the league as it was, name another run file with --run, or play all games of a changed agent again with \
         --again NAME"
    } else {
        "Go on with the league as it was, or name another run file with --run"
    };
    Err(usage(format!(
        "{} holds a run of other games than {} asks for: {}. {what_to_do}",
        run.display(),
        league.display(),
        differences.join("; ")
    )))
}

/// Tells which agents of a run did not start and what to do about them; the exit code is that of a match with an agent that
/// never started.
///
/// # Errors
/// The run file cannot be read.
pub(super) fn tell_absentees(arguments: &RunArguments, run: &Path) -> Result<Outcome> {
    let file = RunFile::open(run)?;
    let absentees = absentees(&file, &file.tally()?.0.standings())?;
    for Absentee { name, games, absent, reason } in &absentees {
        let where_not = if absent == games { "any".to_owned() } else { absent.to_string() };
        tell!("maumau: {name} did not start in {where_not} of its {games} games: {reason}");
        tell!("  when it is mended, its games are played again by: {}", command(arguments, name));
    }
    let never = |stage: Stage| absentees.iter().any(|one| one.never_started() && Stage::told_by(&one.reason) == stage);
    Ok(match (never(Stage::Command), never(Stage::Handshake)) {
        (true, _) => Outcome::Usage,
        (false, true) => Outcome::NotRight,
        (false, false) => Outcome::Done,
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
