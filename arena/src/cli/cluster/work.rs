//! `maumau cluster work`: this machine plays units of submitted runs.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use maumau_protocol::SandboxLevel;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::counted;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::league::PlayOptions;

use crate::cli::nats_access::AccessArguments;
use crate::cli::sandbox::level;
use crate::cli::tournament::cpus;
use crate::cluster::{self, Accepted, Worked, WorkerConfig};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau cluster work --nats nats://host:4222
  maumau cluster work --nats tls://host:4222 --creds worker.creds --slots 200

Plays what has been submitted, the oldest run first. A run whose sandbox level, agents or secrets this machine cannot give is left \
to other workers; `maumau cluster status` names the reason. So is a run that asks for more than this command accepts with --accept-…: \
by default its agents play at the level basic or above, read their own folders and the system, and reach nothing else. Secrets of \
agents are taken from this command's environment. The first \
Ctrl-C finishes the games in play and gives other units back; a second one ends at once.

Exit codes: 0 it ended as asked, 1 a run was refused and nothing played, 3 this host misses too many deadlines, or the server cannot \
be reached.")]
pub(super) struct ClusterWorkArguments {
    /// Play only these runs
    #[arg(value_name = "NAME")]
    runs: Vec<String>,
    /// Games at once in all; by default as many as the agents and processors allow
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4_096))]
    slots: Option<u16>,
    /// Processors to play on: a number, or a list such as 0,1; by default all
    #[arg(long, value_name = "N|LIST")]
    cpus: Option<String>,
    /// A folder with a folder for each agent, by its name: they are used where their digests are those of the run
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// Where archives of agents are unpacked; by default in the user's cache
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// The user that agents run as if root starts the worker, or a range of user numbers, from which each process gets its own. By default a
    /// range that no account uses
    #[arg(long, value_name = "USER|FIRST-LAST", help_heading = "Sandbox")]
    sandbox_user: Option<String>,
    /// Of the system agents see this file or folder alone, and all that they see is kept in memory; for runs from the level strict on.
    /// Can be given many times
    #[arg(long, value_name = "PATH", help_heading = "Sandbox")]
    sandbox_in_memory: Vec<PathBuf>,
    /// End once there is nothing to do
    #[arg(long)]
    until_idle: bool,
    #[command(flatten)]
    accepted: AcceptedArguments,
    #[command(flatten)]
    access: AccessArguments,
}

/// What a worker accepts of runs that others submit.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "What runs may ask for (all else is refused)")]
struct AcceptedArguments {
    /// The lowest sandbox level at which runs are played
    #[arg(long, value_name = "LEVEL", value_parser = level(), default_value = SandboxLevel::Basic.name())]
    accept_level: SandboxLevel,
    /// A file or folder that agents may be permitted to read, or may name in their commands, besides their own folders and the system. Can
    /// be given many times
    #[arg(long, value_name = "PATH")]
    accept_read: Vec<PathBuf>,
    /// A variable of this environment that agents may have as a secret; can be given many times
    #[arg(long, value_name = "NAME")]
    accept_secret: Vec<String>,
    /// A variable that may have the submitter's value; can be given many times
    #[arg(long, value_name = "NAME")]
    accept_env: Vec<String>,
    /// A host that agents may be connected to; can be given many times
    #[arg(long, value_name = "NAME:PORT")]
    accept_host: Vec<String>,
    /// Agents may connect to the network
    #[arg(long)]
    accept_network: bool,
}

impl AcceptedArguments {
    fn read(&self) -> Result<Accepted> {
        let real = |path: &PathBuf| {
            path.canonicalize().map_err(|error| usage(format!("--accept-read {}: {error}", path.display())))
        };
        Ok(Accepted {
            level: self.accept_level,
            reads: self.accept_read.iter().map(real).collect::<Result<_>>()?,
            secrets: self.accept_secret.clone(),
            env: self.accept_env.clone(),
            hosts: self.accept_host.clone(),
            network: self.accept_network,
        })
    }
}

pub(super) fn run(arguments: &ClusterWorkArguments) -> Result<CommandOutcome> {
    if let Some(agents) = arguments.agents.as_ref().filter(|agents| !agents.is_dir()) {
        return Err(usage(format!("--agents: there is no folder {}", agents.display())));
    }
    let cache = match &arguments.cache {
        Some(cache) => cache.clone(),
        None => users_cache()?,
    };
    std::fs::create_dir_all(&cache).with_context(|| format!("the folder {} cannot be made", cache.display()))?;
    let config = WorkerConfig {
        access: arguments.access.read()?,
        runs: arguments.runs.clone(),
        play_options: PlayOptions {
            cpus: cpus(arguments.cpus.as_deref())?,
            concurrency: arguments.slots.map(usize::from),
            quiet: true,
            fault_reports: PathBuf::new(),
            announce: false,
            gives_up: false,
            tap: None,
            lender: None,
        },
        agents: arguments.agents.clone(),
        cache: cache.canonicalize()?,
        sandbox_user: arguments.sandbox_user.clone(),
        in_memory: arguments.sandbox_in_memory.clone(),
        accepted: arguments.accepted.read()?,
        private: arguments.access.private(),
        until_idle: arguments.until_idle,
    };
    let Worked { units, games, refused, drained, interrupted } = cluster::work(&config)?;
    print_stderr!("{} of {} handed in", counted(games, "game"), counted(units, "unit"));
    if let Some(why) = drained {
        print_stderr!("maumau: this worker takes no more units: {}", Untrusted::new(&why).terminal());
        return Ok(CommandOutcome::Environment);
    }
    Ok(match (interrupted, units, refused.is_empty()) {
        (true, ..) => CommandOutcome::Interrupted,
        (_, 0, false) => CommandOutcome::NotRight,
        _ => CommandOutcome::Done,
    })
}

/// The folder for what can be made again.
fn users_cache() -> Result<PathBuf> {
    let home = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = home("XDG_CACHE_HOME").or_else(|| home("HOME").map(|home| home.join(".cache")));
    let cache = cache.or_else(|| home("LOCALAPPDATA"));
    ensure!(cache.is_some(), usage("there is no place for agents: HOME is not set; say --cache DIR"));
    Ok(cache.context("a folder")?.join("maumau").join("agents"))
}
