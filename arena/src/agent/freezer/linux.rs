//! Stops an agent's processes through descriptors. Knows numbers of processes, not whose they are. It signals only
//! processes that it was told to track.

use std::cell::{Cell, RefCell};
use std::os::fd::OwnedFd;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The processes of one agent, frozen through descriptors, so that a reused number never means another's process.
#[derive(Debug, Default)]
pub(in crate::agent) struct Freezer {
    processes: RefCell<Vec<OwnedFd>>,
    frozen: Cell<bool>,
}

impl Freezer {
    /// Sets its processes. They stay stopped or running as before, and new ones follow.
    pub(in crate::agent) fn track(&self, processes: &[i32]) {
        // A process that has ended meanwhile need not be stopped.
        *self.processes.borrow_mut() = processes.iter().filter_map(|pid| open(*pid)).collect();
        if self.frozen.get() {
            self.send(Signal::STOP);
        }
    }

    /// Stops them.
    pub(in crate::agent) fn freeze(&self) {
        if !self.frozen.replace(true) {
            self.send(Signal::STOP);
        }
    }

    /// Lets them continue.
    pub(in crate::agent) fn thaw(&self) {
        if self.frozen.replace(false) {
            self.send(Signal::CONT);
        }
    }

    fn send(&self, signal: Signal) {
        for process in &*self.processes.borrow() {
            // It may have ended since; then there is nothing to stop.
            let _ = pidfd_send_signal(process, signal);
        }
    }
}

fn open(pid: i32) -> Option<OwnedFd> {
    pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}
