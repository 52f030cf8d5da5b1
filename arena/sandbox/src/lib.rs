//! Agents as programs to be started: what their commands and permits say about them, and how they are isolated from this
//! machine, from the arena and from other agents. Knows commands, files, limits and system calls; no game, no line of the
//! protocol, no log.
//!
//! A level is requested, tested before the first agent is started, and never lowered: if it is unavailable, the error says how
//! to get it. `arena/docs/sandbox.md` describes the levels. Limits are set inside, by this same program started as a launcher
//! (`launcher`). Systems other than Linux know only the level `none`.

mod apart;
#[cfg(target_os = "linux")]
mod bubblewrap;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod cgroup;
mod command;
#[cfg(target_os = "linux")]
mod confined;
#[cfg(target_os = "linux")]
mod doctor;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod file_access;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod forwarder;
#[cfg(target_os = "linux")]
mod guard;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod limits;
mod look;
#[cfg(target_os = "linux")]
mod memory_tree;
mod named_files;
#[cfg(target_os = "linux")]
mod namespaces;
mod permits;
mod process_tree;
#[cfg(target_os = "linux")]
mod rights;
#[cfg(target_os = "linux")]
mod user;
#[cfg(target_os = "linux")]
mod view;

#[cfg(target_os = "linux")]
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use maumau_protocol::SandboxLevel;
use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
pub use cgroup::Group;
pub use command::AgentCommand;
#[cfg(target_os = "linux")]
pub use doctor::{LevelFindings, examine, what_is_tried};
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Group, LevelFindings, examine, what_is_tried};
pub use look::ProcessLook;
pub use permits::{Grant, PermitError, PermitSettings, TOO_SHORT, check_host, check_variable};
pub use process_tree::ProcessTree;

/// The default level: the strongest that needs no other program and no privileges.
const USUAL_LEVEL: SandboxLevel = if cfg!(target_os = "linux") { SandboxLevel::Basic } else { SandboxLevel::None };

/// The default mebibytes of memory for one process of an agent, and for the whole agent at `strict+cgroup`.
const USUAL_MEMORY_MIB: u64 = 512;

/// A league's settings for the sandbox of its agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxSettings {
    /// The level.
    pub level: SandboxLevel,
    /// Mebibytes of memory of one process, at `strict+cgroup` of the whole agent.
    pub memory_mib: u64,
}

impl SandboxSettings {
    /// The defaults.
    pub const USUAL: SandboxSettings = SandboxSettings { level: USUAL_LEVEL, memory_mib: USUAL_MEMORY_MIB };
}

/// The requirements of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxWishes {
    /// The level.
    pub level: SandboxLevel,
    /// The user that agents run as, or numbers FIRST-LAST of users; absent = the user that runs the arena, and if that is root a user of
    /// its own for each process.
    pub user: Option<String>,
    /// Mebibytes of memory.
    pub memory_mib: u64,
    /// Files of the arena that no agent may read, wherever they are: run files, league files, records.
    pub private: Vec<PathBuf>,
    /// True if a file that a command names does not bring its folder, unless that is the agent's own.
    pub files_alone: bool,
    /// From `strict` on: if any, agents see of the system these places alone, and everything that they see is kept in memory.
    pub in_memory: Vec<PathBuf>,
}

/// An agent ready to be started.
#[derive(Debug)]
pub struct PreparedAgent {
    /// The process that becomes it, with its streams not set yet.
    pub process: std::process::Command,
    /// True if this process is not the agent but its guard, which must never be stopped.
    pub has_guard: bool,
    /// The control group that this process enters, from `strict+cgroup` on. To be removed when the agent has ended.
    pub group: Option<Group>,
}

/// Files that an agent may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Files {
    /// Files and folders that it may read.
    pub reads: Vec<PathBuf>,
    /// Folders whose names it may list.
    pub lists: Vec<PathBuf>,
    /// Files and folders that it may write.
    pub writes: Vec<PathBuf>,
}

/// A level that has been tested on this machine.
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

    /// Tests the requested level by starting a process in it.
    ///
    /// # Errors
    /// This machine does not provide it; the message says what is missing and how to get it.
    pub fn ready(wishes: &SandboxWishes) -> Result<Arc<Sandbox>> {
        if wishes.level == SandboxLevel::None {
            if wishes.user.is_some() {
                return Err(usage("--sandbox-user needs a sandbox level other than none"));
            }
            if !wishes.in_memory.is_empty() {
                return Err(usage("--sandbox-in-memory needs the sandbox level strict or strict+cgroup"));
            }
            return Ok(Sandbox::none());
        }
        #[cfg(target_os = "linux")]
        {
            let confined = confined::Confined::ready(wishes)?;
            Ok(Arc::new(Sandbox { level: wishes.level, confined: Some(confined) }))
        }
        #[cfg(not(target_os = "linux"))]
        Err(usage(format!(
            "the sandbox level {} exists on Linux only; on this system agents run with your rights: --sandbox none",
            wishes.level
        )))
    }

    /// The level.
    pub fn level(&self) -> SandboxLevel {
        self.level
    }

    /// True if agents are in the network of this machine, whether or not they may use it.
    pub fn shares_network(&self) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(confined) = &self.confined {
            return confined.shares_network();
        }
        true
    }

    /// What a person who starts the arena should know about this level on this machine, one sentence each.
    pub fn remarks(&self) -> Vec<String> {
        #[cfg(target_os = "linux")]
        if let Some(confined) = &self.confined {
            return confined.remarks();
        }
        Vec::new()
    }

    /// Looks up everything that an agent needs, without starting it.
    ///
    /// # Errors
    /// As [`Sandbox::start_of`].
    pub fn check(&self, command: &AgentCommand) -> Result<()> {
        #[cfg(target_os = "linux")]
        if let Some(confined) = &self.confined {
            return confined.check(command);
        }
        command.bare_process().map(drop)
    }

    /// The agent, ready to be started.
    ///
    /// # Errors
    /// The program cannot be found or run, or may not be read where it is; or a control group cannot be created; or it is a build, and
    /// this level is below `strict`.
    pub fn start_of(&self, command: &AgentCommand) -> Result<PreparedAgent> {
        if command.is_build() && self.level < SandboxLevel::Strict {
            return Err(usage(format!("a build needs the sandbox level strict; this one is {}", self.level)));
        }
        #[cfg(target_os = "linux")]
        if let Some(confined) = &self.confined {
            return confined.start_of(command);
        }
        Ok(PreparedAgent { process: command.bare_process()?, has_guard: false, group: None })
    }

    /// What an agent with this command may read and write besides what its user may anyway; `None` at the level `none`, where that is all.
    ///
    /// # Errors
    /// As [`Sandbox::start_of`].
    pub fn files_of(&self, command: &AgentCommand) -> Result<Option<Files>> {
        #[cfg(target_os = "linux")]
        if let Some(confined) = &self.confined {
            return confined.files_of(command).map(Some);
        }
        let _ = command;
        Ok(None)
    }

    /// Whether `command` may read `path`, an absolute path without links, at this level; true if that is not known.
    pub fn may_read(&self, command: &AgentCommand, path: &std::path::Path) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(confined) = &self.confined {
            return confined.may_read(command, path);
        }
        let _ = (command, path);
        true
    }

    /// How a process of this level ended, from its `status`, in words.
    pub fn ended(&self, status: std::process::ExitStatus) -> String {
        #[cfg(target_os = "linux")]
        if let Some(signal) = self.confined.as_ref().and_then(|confined| confined.signal_of(status)) {
            return format!("{status} (as after {signal}; the sandbox cannot tell that from an exit of its own)");
        }
        status.to_string()
    }
}

/// True for a file of the system, which every agent may read.
pub fn is_of_system(path: &std::path::Path) -> bool {
    #[cfg(target_os = "linux")]
    return file_access::is_of_system(path);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = path;
        false
    }
}

/// How this process, an agent, gets connections to the one host that it is permitted, if the arena opens them; `None` where
/// it connects by itself.
#[cfg(unix)]
pub fn dial() -> Option<impl Fn() -> std::io::Result<std::os::unix::net::UnixStream> + Send + Sync> {
    #[cfg(target_os = "linux")]
    return forwarder::inherited().map(|number| move || forwarder::dial(number));
    #[cfg(not(target_os = "linux"))]
    None::<fn() -> std::io::Result<std::os::unix::net::UnixStream>>
}

/// Wrong usage or input, as opposed to a machine that does not provide what is needed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(String);

/// An error of usage with this message.
pub fn usage(message: impl std::fmt::Display) -> anyhow::Error {
    UsageError(message.to_string()).into()
}

/// A program's stderr, for the middle of a sentence.
#[cfg(target_os = "linux")]
fn one_line(said: &[u8]) -> String {
    String::from_utf8_lossy(said).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reports to the process that started this program, instead of its result. If stderr is closed nobody is left to read it.
#[cfg(target_os = "linux")]
fn complain(error: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "maumau: {error}");
}

/// Becomes an agent, if this program was started as its launcher; returns only if that failed. Runs a probe of the doctor, if
/// it was started as one.
pub fn launched() -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    return launcher::launched().or_else(memory_tree::held).or_else(confined::tried).or_else(doctor::probed);
    #[cfg(not(target_os = "linux"))]
    None
}
