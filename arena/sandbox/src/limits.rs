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

/// The limits that differ from agent to agent or from machine to machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SandboxLimits {
    /// Maximum bytes of data of one process; absent if the memory of the whole agent is limited.
    pub(super) memory: Option<u64>,
    /// True if processes can be counted for this agent alone.
    pub(super) processes: bool,
}

impl SandboxLimits {
    /// Sets them on this process and its descendants.
    pub(super) fn set(&self) -> Result<()> {
        lower(Resource::RLIMIT_CORE, 0)?;
        lower(Resource::RLIMIT_FSIZE, FILE_BYTES)?;
        lower(Resource::RLIMIT_NOFILE, OPEN_FILES)?;
        if let Some(memory) = self.memory {
            lower(Resource::RLIMIT_DATA, memory)?;
        }
        if self.processes {
            lower(Resource::RLIMIT_NPROC, PROCESSES)?;
        }
        Ok(())
    }
}

fn lower(resource: Resource, to: u64) -> Result<()> {
    let (_, hard) = getrlimit(resource).with_context(|| format!("{resource:?}"))?;
    let to = to.min(hard);
    setrlimit(resource, to, to).with_context(|| format!("{resource:?} cannot be set to {to}"))
}
