//! The options by which a command that starts agents is told how far to keep them apart.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use maumau_protocol::SandboxLevel;

use crate::host::{Sandbox, SandboxSettings, SandboxWishes};

/// What may be wished of a sandbox on the command line.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct SandboxArguments {
    /// How far agents are kept apart from this machine and from one another: none, basic, strict or strict+cgroup; by
    /// default basic on Linux, none elsewhere. What is asked for and cannot be had is refused
    #[arg(long = "sandbox", value_name = "LEVEL")]
    level: Option<SandboxLevel>,
    /// The user as whom agents run, where the arena is started by root
    #[arg(long = "sandbox-user", value_name = "USER")]
    user: Option<String>,
    /// Mebibytes of memory of one process of an agent, at strict+cgroup of the whole agent; by default 512
    #[arg(long = "sandbox-memory", value_name = "MIB", value_parser = clap::value_parser!(u64).range(32..=1_048_576))]
    memory_mib: Option<u64>,
    /// A file or folder that agents may read besides their own; can be given many times
    #[arg(long = "sandbox-read", value_name = "PATH")]
    reads: Vec<PathBuf>,
}

impl SandboxArguments {
    /// What the command line says, else `settings`.
    pub(crate) fn over(&self, settings: SandboxSettings) -> SandboxSettings {
        SandboxSettings {
            level: self.level.unwrap_or(settings.level),
            memory_mib: self.memory_mib.unwrap_or(settings.memory_mib),
        }
    }

    /// The sandbox with these settings, tried; what it does not hold here is told on stderr, unless `quiet`. `private` are files of the
    /// arena that no agent may read.
    ///
    /// # Errors
    /// It cannot be had on this machine.
    pub(crate) fn ready(&self, settings: SandboxSettings, private: Vec<PathBuf>, quiet: bool) -> Result<Arc<Sandbox>> {
        let sandbox = Sandbox::ready(&SandboxWishes {
            level: settings.level,
            user: self.user.clone(),
            memory_mib: settings.memory_mib,
            reads: self.reads.clone(),
            private,
        })?;
        for remark in sandbox.remarks().iter().filter(|_| !quiet) {
            tell!("maumau: sandbox {}: {remark}", sandbox.level());
        }
        Ok(sandbox)
    }
}
