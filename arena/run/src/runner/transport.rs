//! The interfaces of a game host to its surroundings: the transport to an agent, and the time. Only interfaces and
//! their plainest implementations; who is behind them is not known to the host.

use std::borrow::Cow;
use std::cell::Cell;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use maumau_referee::record::Silence;

use crate::agent::{Evidence, Freeze, Process, QUOTED_BYTES, Usage};
use crate::io::untrusted::Untrusted;

/// The transport to one agent.
pub trait Transport {
    /// Sends bytes. `false` once the agent no longer takes them; it is lost then.
    fn send(&self, bytes: &[u8]) -> bool;
    /// True if sent bytes wait until the agent reads.
    fn is_behind(&self) -> bool {
        false
    }
    /// Reads what has come, whether or not the loop has noticed it, without waiting; 0 bytes at the end.
    ///
    /// # Errors
    /// `WouldBlock` if nothing has come yet.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize>;
    /// Ends the agent at once.
    fn kill(&self);
    /// The agent's processor time, if known.
    fn usage(&self) -> Option<Usage>;
    /// The processor time of its known processes, quickly; if known.
    fn known_ran(&self) -> Option<Duration> {
        None
    }
    /// Freezes the agent until [`Transport::thaw`]; does nothing for scripted agents.
    fn freeze(&self) {}
    /// Lets it continue.
    fn thaw(&self) {}
    /// When it was frozen last, if it ever was.
    fn frozen(&self) -> Option<Freeze> {
        None
    }
    /// A line of the agent, without the secrets that it must not reveal.
    fn without_secrets<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        Cow::Borrowed(line)
    }

    /// What it is seen to do while an answer is waited for, if that is known; `unfinished` is the line that has not ended.
    fn silence(&self, _unfinished: &[u8]) -> Option<Silence> {
        None
    }
    /// The beginning of a line of the agent, in printable form.
    fn quoted(&self, line: &[u8]) -> String {
        Untrusted::new(line).beginning(QUOTED_BYTES)
    }
    /// What it has written to stderr since this was last called, if anything.
    fn take_stderr(&self) -> Option<String> {
        None
    }
    /// The evidence about the agent for a fault report, if there is any.
    fn evidence(&self) -> Option<Evidence>;
}

impl Transport for Process {
    fn send(&self, bytes: &[u8]) -> bool {
        Process::send(self, bytes);
        // The task that watches its input notifies the games if it fails, after reading its last words.
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

    fn frozen(&self) -> Option<Freeze> {
        Process::frozen(self)
    }

    fn without_secrets<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        Process::without_secrets(self, line)
    }

    fn silence(&self, unfinished: &[u8]) -> Option<Silence> {
        Process::silence(self, unfinished)
    }

    fn quoted(&self, line: &[u8]) -> String {
        Process::quoted(self, line)
    }

    fn take_stderr(&self) -> Option<String> {
        Process::take_stderr(self)
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

/// A clock that is set by hand, for tests in which nobody waits.
#[derive(Clone, Debug)]
pub struct VirtualClock(Rc<Cell<Instant>>);

impl Default for VirtualClock {
    /// An arbitrary moment: only the time between moments means anything.
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
