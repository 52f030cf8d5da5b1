//! `maumau cluster submit` and `remove`: a league goes to the server, or a run leaves it.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::counted;
use maumau_run::io::stdout::print;
use maumau_run::league::{ChangePolicy, GivenSeed, LeagueFile, Roster};

use crate::cli::nats_access::AccessArguments;
use crate::cli::sandbox::SandboxArguments;
use crate::cluster::{self, SharingLimits};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau cluster submit league.toml --nats nats://host:4222
  maumau cluster submit league.toml --name spring --unit-games 4

The league file is that of `maumau tournament run`. An agent with directory = travels as an archive of that folder; one without needs \
nothing but this program or an installed one. Submitting the same league again adds what the server lacks, and tries parked units \
once more. Where games follow from rounds, `maumau cluster collect` publishes their units and must run meanwhile.")]
pub(super) struct ClusterSubmitArguments {
    /// The league file
    league: PathBuf,
    /// The run's name on the server; by default that of the league file
    #[arg(long)]
    name: Option<String>,
    /// The master seed: 64 hexadecimal digits, or a whole number where the league file has public_seed = true or all agents
    /// are built in; overrides the one in the league file
    #[arg(long)]
    seed: Option<GivenSeed>,
    /// About how many games a worker plays before it hands them in: some seconds of work. Few for slow agents
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=4_096))]
    unit_games: u64,
    /// Seconds after which the unit of a worker that is not heard of goes to another one
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(2..=3_600))]
    lease: u64,
    /// A unit that so many workers have not handed in is parked and named
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    park_after: u32,
    /// Send no archives: workers have the agents' folders already, and name them with --agents. They are checked by digest
    #[arg(long)]
    present: bool,
    #[command(flatten)]
    sandbox: SandboxArguments,
    #[command(flatten)]
    access: AccessArguments,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau cluster remove league --nats nats://host:4222

What has been collected stays in its run file. Archives of agents stay on the server, since other runs may have the same.")]
pub(super) struct Remove {
    /// The run's name on the server
    name: String,
    #[command(flatten)]
    access: AccessArguments,
}

pub(super) fn run(arguments: &ClusterSubmitArguments) -> Result<CommandOutcome> {
    let access = arguments.access.read()?;
    let name = match &arguments.name {
        Some(name) => name.clone(),
        None => arguments.league.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
    };
    let mut league = LeagueFile::read(&arguments.league)?;
    league.league.sandbox = arguments.sandbox.over(league.league.sandbox);
    // Secrets have their values where agents are started, not here.
    let permits = arguments.sandbox.permits();
    league.league.agents.iter_mut().for_each(|agent| agent.permits.add(&permits));
    league.take_fingerprints(std::slice::from_ref(&arguments.league))?;
    let roster = Roster::join(None, &league, ChangePolicy { again: &[], new_version: false, replaced: None });
    ensure!(roster.problems.is_empty(), usage(roster.problems.join("\n")));
    let mut settings = league.seeded(arguments.seed, None)?;
    settings.league.agents = roster.agents;
    let limits = SharingLimits {
        unit_games: arguments.unit_games,
        lease_s: arguments.lease,
        park_after: arguments.park_after,
        present: arguments.present,
    };
    let submission = cluster::submit(&access, &name, &settings, limits)?;
    let archives = match submission.archived {
        0 => String::new(),
        bytes => format!(", archives of {bytes} bytes"),
    };
    print(&match submission.games {
        Some(games) => format!(
            "{name}: {} in {}, {} new{archives}\n",
            counted(games, "game"),
            counted(submission.units, "unit"),
            submission.new
        ),
        None => {
            format!("{name}: its games follow from rounds, which `maumau cluster collect {name}` publishes{archives}\n")
        }
    })?;
    Ok(CommandOutcome::Done)
}

pub(super) fn remove(arguments: &Remove) -> Result<CommandOutcome> {
    cluster::remove(&arguments.access.read()?, &arguments.name)?;
    print(&format!("{} is removed\n", arguments.name))?;
    Ok(CommandOutcome::Done)
}
