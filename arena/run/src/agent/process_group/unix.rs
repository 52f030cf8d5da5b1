//! The process group that an agent leads, and what signals say about its end. Knows numbers of processes and signals.
//! It kills that group and nothing else.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use tokio::process::Child;

use super::EndedBy;

/// An agent and what it has started, except what has left its group.
#[derive(Clone, Debug)]
pub(in crate::agent) struct ProcessGroup(Pid);

impl ProcessGroup {
    /// For a process that was just started as the leader of its group.
    ///
    /// # Errors
    /// It has ended and has been waited for.
    pub(in crate::agent) fn of(leader: &Child) -> Result<ProcessGroup> {
        let pid = leader.id().context("the process ended before it had a number")?;
        Ok(ProcessGroup(Pid::from_raw(pid as i32)))
    }

    /// The number of its leader.
    pub(in crate::agent) fn leader(&self) -> i32 {
        self.0.as_raw()
    }

    /// Kills all of it, including its leader, which must not have been waited for: until then its number is not reused.
    pub(in crate::agent) fn kill(&self) {
        self.kill_rest();
        // It may not have created its group yet.
        let _ = kill(self.0, Signal::SIGKILL);
    }

    /// Kills the rest of it.
    pub(in crate::agent) fn kill_rest(&self) {
        // The group is gone if everything in it has ended already: nothing is left to kill.
        let _ = killpg(self.0, Signal::SIGKILL);
    }
}

/// What ended a process that ended with `status`.
pub(in crate::agent) fn ended_by(status: ExitStatus, killed: bool) -> EndedBy {
    let signal = status.signal().and_then(|signal| Signal::try_from(signal).ok());
    match signal {
        Some(Signal::SIGKILL) if killed => EndedBy::Arena,
        Some(
            Signal::SIGKILL
            | Signal::SIGTERM
            | Signal::SIGINT
            | Signal::SIGHUP
            | Signal::SIGXCPU
            | Signal::SIGXFSZ
            | Signal::SIGSYS,
        ) => EndedBy::Outside,
        _ => EndedBy::Itself,
    }
}
