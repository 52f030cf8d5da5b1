//! Stops an agent's processes through descriptors. Knows numbers of processes, not whose they are. It signals only
//! processes that it was asked to track.

use std::cell::{Cell, RefCell};
use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::Freeze;

/// The processes of one agent, frozen through descriptors, so that a reused number never means another's process.
#[derive(Debug, Default)]
pub(in crate::agent) struct Freezer {
    processes: RefCell<Vec<(i32, OwnedFd)>>,
    /// When they were stopped last.
    last: Cell<Option<Freeze>>,
}

impl Freezer {
    /// Sets its processes. They stay stopped or running as before, and new ones follow.
    pub(in crate::agent) fn track(&self, processes: &[i32]) {
        let mut tracked = self.processes.borrow_mut();
        // Stopped ones are kept until they go on, however they look meanwhile.
        if !self.is_frozen() {
            tracked.clear();
        }
        for pid in processes {
            // A process that has ended meanwhile need not be stopped.
            if !tracked.iter().any(|(known, _)| known == pid)
                && let Some(process) = open(*pid)
            {
                tracked.push((*pid, process));
            }
        }
        drop(tracked);
        if self.is_frozen() {
            self.send(Signal::STOP);
        }
    }

    /// Stops them.
    pub(in crate::agent) fn freeze(&self) {
        if !self.is_frozen() {
            self.last.set(Some(Freeze { from: Instant::now(), to: None }));
            self.send(Signal::STOP);
        }
    }

    /// Lets them continue.
    pub(in crate::agent) fn thaw(&self) {
        if let Some(Freeze { from, to: None }) = self.last.get() {
            self.send(Signal::CONT);
            self.last.set(Some(Freeze { from, to: Some(Instant::now()) }));
        }
    }

    /// When they were stopped last, if they ever were.
    pub(in crate::agent) fn last(&self) -> Option<Freeze> {
        self.last.get()
    }

    fn is_frozen(&self) -> bool {
        self.last.get().is_some_and(|last| last.to.is_none())
    }

    fn send(&self, signal: Signal) {
        for (_, process) in &*self.processes.borrow() {
            // It may have ended since; then there is nothing to stop.
            let _ = pidfd_send_signal(process, signal);
        }
    }
}

fn open(pid: i32) -> Option<OwnedFd> {
    pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}
