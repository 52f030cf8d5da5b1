//! Limits of one agent, set by the launcher on itself.

use anyhow::{Context, Result};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// Processes and threads of one agent.
pub(super) const PROCESSES: u64 = 64;
/// Files that one process may have open.
pub(super) const OPEN_FILES: u64 = 256;
/// Bytes of a file that an agent may write.
pub(super) const FILE_BYTES: u64 = 8 << 20;

/// The limits that differ from agent to agent or from machine to machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Limits {
    /// Bytes of data of one process; absent where the memory of the whole agent is bounded.
    pub(super) memory: Option<u64>,
    /// Whether processes can be counted for this agent alone.
    pub(super) processes: bool,
}

impl Limits {
    /// Sets them on this process and what it starts.
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
