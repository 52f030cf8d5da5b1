//! An agent and everything it has started, killed together: a process group on Unix, a job object on Windows. Knows processes,
//! nothing of pipes and lines.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fmt;

#[cfg(unix)]
pub(super) use unix::{ProcessGroup, ended_by};
#[cfg(windows)]
pub(super) use windows::{ProcessGroup, ended_by};

/// What ended an agent's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndedBy {
    Itself,
    Arena,
    /// A signal that the arena did not send and that no program error raises: from the system, or from another process.
    Outside,
}

impl fmt::Display for EndedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndedBy::Itself => "by itself",
            EndedBy::Arena => "by the arena",
            EndedBy::Outside => "by the system or another process, not by the arena",
        })
    }
}
