//! Sandbox levels: how far agents are kept apart from this machine, from the arena and from one another.
//!
//! A level is asked for, tried for real before the first agent is started, and never lowered: what cannot be had is an
//! error that says how to get it. The levels and what they hold are described in `arena/docs/sandbox.md`. Limits are set inside, by this very program started as a launcher ([`launcher`]). Systems other
//! than Linux know only the level `none`.

#[cfg(target_os = "linux")]
mod bubblewrap;
mod cgroup;
#[cfg(target_os = "linux")]
mod confined;
#[cfg(target_os = "linux")]
mod doctor;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod guard;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod reach;
#[cfg(target_os = "linux")]
mod rights;
#[cfg(target_os = "linux")]
mod user;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use maumau_protocol::SandboxLevel;
use serde::{Deserialize, Serialize};

pub(super) use cgroup::Group;
#[cfg(target_os = "linux")]
pub use doctor::{Held, examine, what_is_tried};

use super::command::AgentCommand;

/// The level where nobody says anything: the strongest that needs no other program and no rights.
const USUAL_LEVEL: SandboxLevel = if cfg!(target_os = "linux") { SandboxLevel::Basic } else { SandboxLevel::None };

/// Mebibytes of memory for one process of an agent, and for the whole agent at `strict+cgroup`, where nobody says anything.
const USUAL_MEMORY_MIB: u64 = 512;

/// What a league says of the sandbox of its agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxSettings {
    /// The level.
    pub level: SandboxLevel,
    /// Mebibytes of memory of one process, at `strict+cgroup` of the whole agent.
    pub memory_mib: u64,
}

impl SandboxSettings {
    /// Where nobody says anything.
    pub const USUAL: SandboxSettings = SandboxSettings { level: USUAL_LEVEL, memory_mib: USUAL_MEMORY_MIB };
}

/// What is asked of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxWishes {
    /// The level.
    pub level: SandboxLevel,
    /// The user as whom agents run; absent = the one who runs the arena.
    pub user: Option<String>,
    /// Mebibytes of memory.
    pub memory_mib: u64,
    /// Files of the arena that no agent may read, wherever they are: run files, league files, records.
    pub private: Vec<PathBuf>,
}

/// An agent ready to be started.
#[derive(Debug)]
pub(super) struct Start {
    /// The process that becomes it, its streams not yet said.
    pub(super) process: std::process::Command,
    /// Whether this process is not the agent but its guard, which is never to be stopped.
    pub(super) has_guard: bool,
    /// The control group that this process enters, from `strict+cgroup` on. It is to be removed when the agent has ended.
    pub(super) group: Option<Group>,
}

/// A level that has been tried on this machine.
#[derive(Debug, PartialEq, Eq)]
pub struct Sandbox {
    level: SandboxLevel,
    #[cfg(target_os = "linux")]
    confined: Option<confined::Confined>,
}

impl Sandbox {
    /// No sandbox.
    pub fn none() -> Arc<Sandbox> {
        Arc::new(Sandbox {
            level: SandboxLevel::None,
            #[cfg(target_os = "linux")]
            confined: None,
        })
    }

    /// Tries what is wished, by starting a process in it.
    ///
    /// # Errors
    /// This machine does not provide it; the message says what is missing and how to get it.
    pub fn ready(wishes: &SandboxWishes) -> Result<Arc<Sandbox>> {
        if wishes.level == SandboxLevel::None {
            if wishes.user.is_some() {
                return Err(crate::error::usage("--sandbox-user needs a sandbox level other than none"));
            }
            return Ok(Sandbox::none());
        }
        #[cfg(target_os = "linux")]
        {
            let confined = confined::Confined::ready(wishes)?;
            Ok(Arc::new(Sandbox { level: wishes.level, confined: Some(confined) }))
        }
        #[cfg(not(target_os = "linux"))]
        Err(crate::error::usage(format!(
            "the sandbox level {} exists on Linux only; on this system agents run with your rights: --sandbox none",
            wishes.level
        )))
    }

    /// The level.
    pub fn level(&self) -> SandboxLevel {
        self.level
    }

    /// What a person who starts the arena should know about this level on this machine, in a sentence each.
    pub fn remarks(&self) -> Vec<String> {
        #[cfg(target_os = "linux")]
        if let Some(confined) = &self.confined {
            return confined.remarks();
        }
        Vec::new()
    }

    /// The agent, ready to be started.
    ///
    /// # Errors
    /// The program cannot be found or run, or lies where it may not be read; or a control group cannot be made.
    pub(super) fn start_of(&self, command: &AgentCommand) -> Result<Start> {
        #[cfg(target_os = "linux")]
        if let Some(confined) = &self.confined {
            return confined.start_of(command);
        }
        Ok(Start { process: command.bare_process()?, has_guard: false, group: None })
    }

    /// How a process of this level that ended with `status` ended, in words.
    pub(super) fn ended(&self, status: std::process::ExitStatus) -> String {
        let signal = status.code().and_then(|code| nix::sys::signal::Signal::try_from(code - 128).ok());
        match signal {
            Some(signal) if self.level >= SandboxLevel::Strict => {
                format!("{status} (as after {signal}; the sandbox cannot tell that from an exit of its own)")
            }
            _ => status.to_string(),
        }
    }
}

/// Becomes an agent, where this program was started as its launcher; comes back only where that failed. Runs a probe of the
/// doctor, where it was started as one.
pub fn launched() -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    return launcher::launched().or_else(confined::tried).or_else(doctor::probed);
    #[cfg(not(target_os = "linux"))]
    None
}
