//! Limits of one agent, which the launcher sets on itself. Processes and memory of a whole agent are bounded by
//! `cgroup`.

use anyhow::{Context, Result};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// Maximum processes and threads of one agent.
pub(super) const PROCESSES: u64 = 64;
/// Maximum open files of one process.
pub(super) const OPEN_FILES: u64 = 256;
/// Maximum bytes of a file that an agent writes.
pub(super) const FILE_BYTES: u64 = 8 << 20;

/// Maximum processes and threads of a build, open files of a process of it, bytes of a file that it writes, and of data of a process.
const BUILD_PROCESSES: u64 = 256;
const BUILD_OPEN_FILES: u64 = 1_024;
const BUILD_FILE_BYTES: u64 = 256 << 20;
const BUILD_MEMORY: u64 = 2 << 30;
/// Maximum seconds of a processor that a process of a build takes.
const BUILD_PROCESSOR_S: u64 = 300;

/// The limits that differ from agent to agent or from machine to machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SandboxLimits {
    /// Maximum bytes of data of one process; absent if the memory of the whole agent is limited.
    pub(super) memory: Option<u64>,
    /// True if processes can be counted for this agent alone.
    pub(super) processes: bool,
    /// True for a build.
    #[serde(default)]
    pub(super) build: bool,
}

impl SandboxLimits {
    /// Sets them on this process and its descendants.
    pub(super) fn set(&self) -> Result<()> {
        let (file_bytes, open_files, processes) = match self.build {
            true => (BUILD_FILE_BYTES, BUILD_OPEN_FILES, BUILD_PROCESSES),
            false => (FILE_BYTES, OPEN_FILES, PROCESSES),
        };
        lower(Resource::RLIMIT_CORE, 0)?;
        lower(Resource::RLIMIT_FSIZE, file_bytes)?;
        lower(Resource::RLIMIT_NOFILE, open_files)?;
        if let Some(memory) = self.memory {
            lower(Resource::RLIMIT_DATA, if self.build { BUILD_MEMORY } else { memory })?;
        }
        if self.processes {
            lower(Resource::RLIMIT_NPROC, processes)?;
        }
        if self.build {
            lower(Resource::RLIMIT_CPU, BUILD_PROCESSOR_S)?;
        }
        Ok(())
    }
}

fn lower(resource: Resource, to: u64) -> Result<()> {
    let (_, hard) = getrlimit(resource).with_context(|| format!("{resource:?}"))?;
    let to = to.min(hard);
    setrlimit(resource, to, to).with_context(|| format!("{resource:?} cannot be set to {to}"))
}
