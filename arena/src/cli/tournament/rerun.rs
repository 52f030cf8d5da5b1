//! `maumau tournament rerun`: games of a run once more, beside it. It checks that the agents are those that played and says what is
//! different; `league` plays.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use maumau_engine::VERSION;
use maumau_report::outcome_of;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::atomic_file;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::league::{self, PlayOptions};
use maumau_run::run_store::{AgentSettings, LeagueSettings, RunFile, StoredGame};
use maumau_run::runner::processors;

use crate::cli::sandbox::SandboxArguments;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament rerun my-league.maumau g000-d0000-r0
  maumau tournament rerun my-league.maumau g000-d0000-r0 --to again

Each game has the cards, seats, agents, times and sandbox that it had; agents that have retired play it, too. The run may be played meanwhile, and \
stays as it is: `maumau tournament run --again-game` replaces results, but not where rounds followed from them, as in a ladder.

Exit codes: 0 all games are the same, event by event; 1 one is not; 2 an agent has changed, or there is no such game.")]
pub(super) struct TournamentRerunArguments {
    /// The run file
    run: PathBuf,
    /// The names of the games
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// A folder for the records of the new games; made if need be
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

pub(super) fn run(arguments: &TournamentRerunArguments) -> Result<CommandOutcome> {
    let run = RunFile::open(&arguments.run)?;
    let engine = &run.plan.settings.engine;
    ensure!(
        engine == VERSION,
        usage(format!(
            "the run was played by engine {engine}; this program has engine {VERSION} and cannot play its games again"
        ))
    );
    let before = league::find_games(&run, &arguments.games)?;
    let mut plan = run.plan.clone();
    let permits = arguments.sandbox.permits();
    plan.settings.league.agents.iter_mut().for_each(|agent| agent.permits.add(&permits));
    let agents = &plan.settings.league.agents;
    let in_games = |place: usize| before.iter().any(|game| game.planned.agents.iter().any(|one| one.index() == place));
    let playing = agents.iter().enumerate().filter(|(place, _)| in_games(*place)).map(|(_, agent)| agent);
    playing.clone().try_for_each(ensure_same)?;
    LeagueSettings::check_secrets_of(playing.clone())?;
    let beside = ["toml", "fault-reports", "replaced"].map(|ending| arguments.run.with_extension(ending));
    let private = [arguments.run.clone()].into_iter().chain(beside).chain(arguments.to.clone()).collect();
    let settings = arguments.sandbox.over(run.plan.settings.league.sandbox);
    let sandbox = arguments.sandbox.ready(settings, private, true)?;
    let problems = league::look_up(&playing.map(|agent| agent.spec(&sandbox)).collect::<Result<Vec<_>>>()?);
    ensure!(problems.is_empty(), usage(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")));
    let play_options = PlayOptions {
        cpus: processors().into_iter().take(1).collect(),
        concurrency: Some(1),
        quiet: true,
        fault_reports: arguments.run.with_extension("fault-reports"),
        announce: false,
        gives_up: false,
        tap: None,
        lender: None,
    };
    let planned = before.iter().map(|game| game.planned.clone()).collect();
    let mut now = league::rerun(&Arc::new(plan.clone()), planned, &play_options, &sandbox)?;
    if let Some(folder) = &arguments.to {
        std::fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    }
    let (mut outcome, mut is_interrupted) = (CommandOutcome::Done, false);
    for old in before {
        let Some(place) = now.iter().position(|new| new.planned == old.planned) else {
            is_interrupted = true;
            continue;
        };
        let new = now.swap_remove(place);
        if let Some(folder) = &arguments.to {
            atomic_file::write(&folder.join(format!("{}.jsonl", new.id())), &new.record(&plan)?)?;
        }
        if new.digest != old.digest {
            outcome = CommandOutcome::NotRight;
        }
        print(&comparison(&run, old, new)?)?;
    }
    Ok(if is_interrupted { CommandOutcome::Interrupted } else { outcome })
}

/// Refuses an agent that is not the one that played.
fn ensure_same(agent: &AgentSettings) -> Result<()> {
    let Some(before) = &agent.life.fingerprint else { return Ok(()) };
    let command = agent.parsed_command()?.granted(agent.permits.grant());
    let changes = before.differences(&before.taken_again(&command)?);
    let name = Untrusted::new(&agent.name).terminal();
    ensure!(
        changes.is_empty(),
        usage(format!(
            "agent {name} is not the one that played: {}; files are looked for from where the run was played",
            changes.join("; ")
        ))
    );
    Ok(())
}

/// What came of a game before and now, in a line.
fn comparison(run: &RunFile, old: StoredGame, new: StoredGame) -> Result<String> {
    let name = old.id();
    let differs = league::first_difference(&old.game_log(&run.plan)?, &new.game_log(&run.plan)?);
    let is_same = old.digest == new.digest;
    let [was, is] = [old, new].map(|game| Untrusted::new(&outcome_of(run, game)).terminal());
    Ok(match differs {
        _ if is_same => format!("{name} was {was} and is the same again, event by event\n"),
        Some(from) => format!("{name} was {was} and is now {is}; it differs from move {from} on\n"),
        None => format!("{name} was {was} and is now {is}\n"),
    })
}
