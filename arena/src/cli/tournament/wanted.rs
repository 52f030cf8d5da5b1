//! The run that `maumau tournament run` is to play: what the league file asks for, with what the run file holds already.
//! Refuses a league that would make other games. Starts nothing and writes nothing.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use maumau_run::error::usage;
use maumau_run::league::{ChangePolicy, Changed, LeagueFile, Roster};
use maumau_run::run_store::{AgentSettings, ChangeKind, RosterChange, RunSettings};

use super::RunArguments;
use crate::cli::sandbox::SandboxArguments;

/// Reads the league file, with what the command line adds to it. `private` are files of the arena.
///
/// # Errors
/// The league file is wrong, a secret is missing, or an agent's files cannot be read.
pub(super) fn read_league(path: &Path, sandbox: &SandboxArguments, private: &[PathBuf]) -> Result<LeagueFile> {
    let mut league = LeagueFile::read(path)?;
    league.league.sandbox = sandbox.over(league.league.sandbox);
    // As with the levels, the command line comes before the file, for every agent.
    sandbox.grant()?;
    let permits = sandbox.permits();
    league.league.agents.iter_mut().for_each(|agent| agent.permits.add(&permits));
    league.league.check_secrets()?;
    league.take_fingerprints(private)?;
    Ok(league)
}

/// The settings of the run, which holds games of `stored` already, and its agents.
///
/// # Errors
/// The league asks for other games than the run holds: what differs, and what to do. Or there is no seed to be had.
pub(super) fn wanted(
    arguments: &RunArguments,
    league: &LeagueFile,
    stored: Option<&RunSettings>,
    run: &Path,
) -> Result<(RunSettings, Roster)> {
    if let (Some(shard), None, None) = (arguments.shard, arguments.seed.or(league.seed), stored) {
        return Err(usage(format!(
            "--shard {shard}: the league has no seed, so each part would draw another one; write seed = in {}, 64 digits as from `openssl rand -hex 32`, or say --seed",
            arguments.league.display()
        )));
    }
    let policy = ChangePolicy { again: &arguments.again, new_version: arguments.new_version, replaced: None };
    let roster = Roster::join(stored.map(|stored| &stored.league), league, policy);
    ensure!(roster.problems.is_empty(), usage(roster.problems.join("\n")));
    refuse_again_of_nothing(arguments, stored, run)?;
    if league.league.has_rounds() {
        refuse_changes_of_rounds(arguments, league, stored, &roster)?;
    }
    let mut settings = league.seeded(arguments.seed, stored)?;
    settings.league.agents.clone_from(&roster.agents);
    settings.league.shard = arguments.shard;
    if let Some(stored) = stored {
        refuse_other_games(arguments, &stored.differences(&settings), &roster, run)?;
    }
    Ok((settings, roster))
}

/// The settings of the run after a change of the league file that was asked for while it is played, and what happened to agents.
///
/// # Errors
/// The change is not one of agents alone, is none, or leaves too few; what to do about it.
pub(super) fn changed(
    league: &LeagueFile,
    stored: &RunSettings,
    change: &RosterChange,
) -> Result<(RunSettings, Vec<String>)> {
    let name = &change.agent;
    ensure!(
        stored.league.for_schedule().has_open_pool(),
        usage(format!(
            "agents join and leave while a run is played only in a sample or a ladder, and this is {}",
            stored.league.format.name()
        ))
    );
    let replaced = Some(&**name).filter(|_| change.kind == ChangeKind::Replace);
    let roster = Roster::join(Some(&stored.league), league, ChangePolicy { again: &[], new_version: false, replaced });
    ensure!(roster.problems.is_empty(), usage(roster.problems.join("\n")));
    if let Some(Changed { name, changes, .. }) = roster.changed.first() {
        return Err(usage(format!(
            "agent {name:?} has changed too: {}. `maumau tournament replace` lets it play as a new version",
            changes.join("; ")
        )));
    }
    let mut settings = league.seeded(None, Some(stored))?;
    settings.league.agents.clone_from(&roster.agents);
    settings.league.shard = stored.league.shard;
    let differences = stored.differences(&settings);
    ensure!(
        differences.is_empty(),
        usage(format!("the league file asks for other games than the run that is played: {}", differences.join("; ")))
    );
    ensure!(
        !roster.news.is_empty(),
        usage(match change.kind {
            ChangeKind::Add => format!("{name} plays already"),
            ChangeKind::Retire => format!("{name} has retired already"),
            ChangeKind::Replace => format!("{name} has not changed: neither its command nor a file of it"),
        })
    );
    let (playing, seats) = (settings.league.playing().len(), settings.league.seats);
    ensure!(playing >= seats, usage(format!("{playing} agents would be left for tables of {seats}")));
    Ok((settings, roster.news))
}

/// Refuses to play games again from whose results later rounds have followed.
fn refuse_again_where_results_decide(
    arguments: &RunArguments,
    league: &LeagueFile,
    stored: Option<&RunSettings>,
) -> Result<()> {
    let follows = league.league.for_schedule().needs_results();
    let again = arguments.again.iter().map(|agent| format!("--again {agent}"));
    let given = again.chain(arguments.again_game.iter().map(|game| format!("--again-game {game}")));
    ensure!(
        (arguments.again.is_empty() && arguments.again_game.is_empty()) || stored.is_none() || !follows,
        usage(format!(
            "{}: the rounds of this league followed from the results of the games that would be played again. {}ame another run file \
             with --run",
            given.collect::<Vec<_>>().join(" "),
            if arguments.again.is_empty() {
                "N"
            } else {
                "Let the agent join as a new version with --new-version, or n"
            }
        ))
    );
    Ok(())
}

/// Refuses to play a game again of a run that has none.
fn refuse_again_of_nothing(arguments: &RunArguments, stored: Option<&RunSettings>, run: &Path) -> Result<()> {
    let Some(game) = arguments.again_game.first() else { return Ok(()) };
    ensure!(stored.is_some(), usage(format!("--again-game {game}: there is no run file {}", run.display())));
    Ok(())
}

fn refuse_other_games(arguments: &RunArguments, differences: &[String], roster: &Roster, run: &Path) -> Result<()> {
    if differences.is_empty() && roster.changed.is_empty() {
        return Ok(());
    }
    let of_agents = roster.changed.iter().map(|Changed { name, changes, .. }| {
        format!("agent {name:?} is not the one that played its games: {}", changes.join("; "))
    });
    let all: Vec<String> = differences.iter().cloned().chain(of_agents).collect();
    let what_to_do = match roster.changed.first() {
        Some(Changed { name, next, .. }) if differences.is_empty() => format!(
            "--new-version plays {name} as {next} and keeps the games of {name}; --again {name} plays them all again. Or go on \
             with the league as it was, or name another run file with --run"
        ),
        _ => "Go on with the league as it was, or name another run file with --run".to_owned(),
    };
    Err(usage(format!(
        "{} holds a run of other games than {} asks for: {}. {what_to_do}",
        run.display(),
        arguments.league.display(),
        all.join("; ")
    )))
}

/// Refuses agents that join or leave, and parts, where the games follow from rounds: these are decided among the agents of the
/// beginning, by their places in the league file, from the results of all games.
fn refuse_changes_of_rounds(
    arguments: &RunArguments,
    league: &LeagueFile,
    stored: Option<&RunSettings>,
    roster: &Roster,
) -> Result<()> {
    let needs = "its games follow from rounds that are decided while they are played";
    ensure!(
        arguments.shard.is_none(),
        usage(format!(
            "--shard: only a round-robin without [stop] can be played in parts; of this league, {needs}. On many machines `maumau cluster` plays it round by round"
        ))
    );
    refuse_again_where_results_decide(arguments, league, stored)?;
    if league.league.for_schedule().has_open_pool() {
        return Ok(());
    }
    let names =
        |agents: &[AgentSettings]| agents.iter().map(|agent| agent.league_name().to_owned()).collect::<Vec<_>>();
    let nobody_joins = stored.is_none_or(|stored| stored.league.agents.len() == roster.agents.len());
    let stays = nobody_joins && names(&roster.agents) == names(&league.league.agents);
    ensure!(
        stays && !roster.agents.iter().any(|agent| agent.life.retired),
        usage(format!(
            "agents can join, leave, change their places in the league file or play as new versions only in a sample, a ladder or a \
             round-robin without [stop]; of this league, {needs}. Go on with the agents as they were, or name another run file with --run"
        ))
    );
    Ok(())
}
