//! The options that say how far a command that starts agents keeps them apart. It reads them and looks up
//! secrets; the levels themselves are in `maumau-sandbox`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use maumau_protocol::SandboxLevel;
use maumau_run::agent::{
    AgentCommand, Grant, PermitError, PermitSettings, Sandbox, SandboxSettings, SandboxWishes, TOO_SHORT, check_host,
    check_variable, resource_limits, shell_words,
};
use maumau_run::error::usage;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::log;

/// What may be wished of a sandbox on the command line.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Sandbox")]
pub struct SandboxArguments {
    /// How strictly agents are isolated from this machine and from one another; by default basic on Linux, none elsewhere. If
    /// the level is unavailable, the command fails
    #[arg(long = "sandbox", value_name = "LEVEL", value_parser = level())]
    level: Option<SandboxLevel>,
    /// The user that agents run as if root starts the arena, or a range of user numbers, from which each process gets its own. By
    /// default a range that no account uses
    #[arg(long = "sandbox-user", value_name = "USER|FIRST-LAST")]
    user: Option<String>,
    /// Mebibytes of memory for one process of an agent, at strict+cgroup for the whole agent; by default 512
    #[arg(long = "sandbox-memory", value_name = "MIB", value_parser = clap::value_parser!(u64).range(32..=1_048_576))]
    memory_mib: Option<u64>,
    /// From strict on: of the system agents see this file or folder alone, and all that they see is kept in memory, so that none can
    /// leave word for a later one by what it reads or looks for; can be given many times
    #[arg(long = "sandbox-in-memory", value_name = "PATH")]
    in_memory: Vec<PathBuf>,
    #[command(flatten)]
    permits: PermitArguments,
}

/// What agents may be permitted on the command line.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Sandbox")]
pub(super) struct PermitArguments {
    /// A file or folder that agents may read besides their own; can be given many times
    #[arg(long = "sandbox-read", value_name = "PATH")]
    reads: Vec<String>,
    /// An environment variable for agents: NAME=VALUE, or NAME for its value here, which is never written; can be given many
    /// times
    #[arg(long = "sandbox-env", value_name = "NAME[=VALUE]", value_parser = variable)]
    variables: Vec<Variable>,
    /// Let agents connect to the network
    #[arg(long = "sandbox-network")]
    network: bool,
    /// Connect agents to this one host, and no other: maumau agent llm asks its model there
    #[arg(long = "sandbox-host", value_name = "NAME:PORT", value_parser = host)]
    host: Option<String>,
}

fn host(text: &str) -> Result<String, PermitError> {
    check_host(text).map(|()| text.to_owned())
}

/// Reads a level by its name.
pub(super) fn level() -> impl TypedValueParser<Value = SandboxLevel> {
    PossibleValuesParser::new(SandboxLevel::ALL.map(SandboxLevel::name)).try_map(|name| name.parse::<SandboxLevel>())
}

/// A variable as it is said on the command line; without a value it has that of the arena's own environment.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    value: Option<String>,
}

fn variable(text: &str) -> Result<Variable, PermitError> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    check_variable(name)?;
    Ok(Variable { name: name.to_owned(), value })
}

/// Points out the words of commands that only a shell would understand.
pub(super) fn print_shell_words<'a>(commands: impl IntoIterator<Item = &'a AgentCommand>) {
    commands.into_iter().filter_map(shell_words).for_each(|note| print_stderr!("maumau: {note}"));
}

impl SandboxArguments {
    /// What the command line says, else `settings`.
    pub fn over(&self, settings: SandboxSettings) -> SandboxSettings {
        SandboxSettings {
            level: self.level.unwrap_or(settings.level),
            memory_mib: self.memory_mib.unwrap_or(settings.memory_mib),
        }
    }

    /// The sandbox with these settings, tried; what it does not hold here is printed on stderr, unless `quiet`. `private` are files of the
    /// arena that no agent may read.
    ///
    /// # Errors
    /// It cannot be had on this machine.
    pub fn ready(&self, settings: SandboxSettings, private: Vec<PathBuf>, quiet: bool) -> Result<Arc<Sandbox>> {
        resource_limits::ensure_some_files()?;
        let began = Instant::now();
        let sandbox = Sandbox::ready(&SandboxWishes {
            level: settings.level,
            user: self.user.clone(),
            memory_mib: settings.memory_mib,
            private,
            files_alone: false,
            in_memory: self.in_memory.clone(),
        })?;
        log::sandbox_ready(sandbox.level().to_string(), began.elapsed().as_millis() as u64);
        sandbox.remarks().iter().for_each(|remark| log::sandbox_remark(Untrusted::new(remark)));
        for remark in sandbox.remarks().iter().filter(|_| !quiet) {
            print_stderr!("maumau: sandbox {}: {remark}", sandbox.level());
        }
        Ok(sandbox)
    }

    /// What every agent is permitted.
    pub fn permits(&self) -> PermitSettings {
        self.permits.permits()
    }

    /// What every agent is granted.
    ///
    /// # Errors
    /// A file does not exist, or a variable without a value has none here, or one that is too short for a secret.
    pub fn grant(&self) -> Result<Grant> {
        self.permits.grant()
    }
}

impl PermitArguments {
    /// What every agent is permitted.
    pub(super) fn permits(&self) -> PermitSettings {
        let mut permits =
            PermitSettings { network: self.network, host: self.host.clone(), ..PermitSettings::default() };
        permits.read.extend(self.reads.iter().cloned());
        for Variable { name, value } in &self.variables {
            // What is said last goes before.
            permits.env.remove(name);
            permits.secrets.remove(name);
            match value {
                Some(value) => _ = permits.env.insert(name.clone(), value.clone()),
                None => _ = permits.secrets.insert(name.clone()),
            }
        }
        permits
    }

    /// What every agent is granted.
    ///
    /// # Errors
    /// A file does not exist, or a variable without a value has none here, or one that is too short for a secret.
    pub(super) fn grant(&self) -> Result<Grant> {
        let permits = self.permits();
        let unread = permits.read.iter().filter(|path| !Path::new(path).exists());
        let mut problems: Vec<String> = unread.map(|path| format!("--sandbox-read: there is no {path:?}")).collect();
        problems.extend(permits.missing().map(|name| {
            format!("--sandbox-env {name}: {name} has no value in this environment; export it, or say {name}=VALUE")
        }));
        problems
            .extend(permits.short().map(|name| format!("--sandbox-env {name}: the value {TOO_SHORT}: {name}=VALUE")));
        ensure!(problems.is_empty(), usage(problems.join("\n")));
        Ok(permits.grant())
    }
}
