//! The seams of a table's world: the way to an agent, and the time.

use std::cell::Cell;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::agent::{Evidence, Process, QUOTED_BYTES, Usage};
use crate::io::untrusted::Untrusted;

/// The way to one agent.
pub trait Transport {
    /// Sends bytes. `false` once the agent does not take them any more; it is then past help.
    fn send(&self, bytes: &[u8]) -> bool;
    /// Whether bytes that were sent wait until the agent reads.
    fn is_behind(&self) -> bool {
        false
    }
    /// Reads what has come, noticed by the loop or not, without waiting; 0 bytes at the end.
    ///
    /// # Errors
    /// `WouldBlock` where nothing has come yet.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize>;
    /// Ends the agent at once.
    fn kill(&self);
    /// The processor time that the agent has had, where it is known.
    fn usage(&self) -> Option<Usage>;
    /// The processor time of the processes that it is known to have, quickly; where that is known.
    fn known_ran(&self) -> Option<Duration> {
        None
    }
    /// Stops the agent until [`Transport::thaw`]; nothing where agents are scripted.
    fn freeze(&self) {}
    /// Lets it go on.
    fn thaw(&self) {}
    /// The beginning of a line of the agent, as it can be shown.
    fn quoted(&self, line: &[u8]) -> String {
        Untrusted::new(line).beginning(QUOTED_BYTES)
    }
    /// What is kept of the agent for a fault report, where anything is.
    fn evidence(&self) -> Option<Evidence>;
}

impl Transport for Process {
    fn send(&self, bytes: &[u8]) -> bool {
        Process::send(self, bytes);
        // The watcher of its input tells the games when it does not take them, and reads its last words before.
        true
    }

    fn is_behind(&self) -> bool {
        self.outbox.is_behind()
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Process::read(self, buffer)
    }

    fn kill(&self) {
        Process::kill(self);
    }

    fn usage(&self) -> Option<Usage> {
        Process::usage(self)
    }

    fn known_ran(&self) -> Option<Duration> {
        Process::known_ran(self)
    }

    fn freeze(&self) {
        Process::freeze(self);
    }

    fn thaw(&self) {
        Process::thaw(self);
    }

    fn quoted(&self, line: &[u8]) -> String {
        Process::quoted(self, line)
    }

    fn evidence(&self) -> Option<Evidence> {
        Some(Process::evidence(self))
    }
}

/// A clock that is never set back.
pub trait Clock {
    /// Now.
    fn now(&self) -> Instant;
}

/// The machine's monotonic clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MonotonicClock;

impl Clock for MonotonicClock {
    #[inline]
    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// A clock that is set by hand, for worlds in which nobody waits.
#[derive(Clone, Debug)]
pub struct VirtualClock(Rc<Cell<Instant>>);

impl Default for VirtualClock {
    /// Some moment: only the time between moments means anything.
    fn default() -> VirtualClock {
        VirtualClock(Rc::new(Cell::new(Instant::now())))
    }
}

impl VirtualClock {
    /// Sets it; it is never set back.
    pub fn set(&self, now: Instant) {
        self.0.set(now.max(self.0.get()));
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Instant {
        self.0.get()
    }
}
