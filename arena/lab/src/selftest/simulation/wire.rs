//! The transport to a scripted agent. It keeps lines and moments; what is written is decided by `script`.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use maumau_run::agent::{Evidence, Usage};
use maumau_run::runner::{Clock, Transport, VirtualClock};

/// How an agent spends its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AgentActivity {
    Sleeping,
    Computing,
    /// It is ready to run, but not allowed to.
    Waiting,
}

/// Both pipes of an agent, and its use of a processor.
#[derive(Debug)]
pub(super) struct Wire {
    clock: VirtualClock,
    /// Sent by the arena, not yet read by the agent.
    to_agent: RefCell<Vec<u8>>,
    /// Written by the agent, not yet read by the arena.
    from_agent: RefCell<Vec<u8>>,
    /// True if the agent has closed its output, or is gone.
    ended: Cell<bool>,
    /// True if it has closed its input.
    deaf: Cell<bool>,
    /// Maximum bytes of one read.
    chunk: usize,
    doing: Cell<(AgentActivity, Instant)>,
    ran: Cell<Duration>,
    waited: Cell<Duration>,
}

impl Wire {
    pub(super) fn new(clock: VirtualClock, chunk: usize) -> Rc<Wire> {
        let now = clock.now();
        Rc::new(Wire {
            clock,
            to_agent: RefCell::default(),
            from_agent: RefCell::default(),
            ended: Cell::new(false),
            deaf: Cell::new(false),
            chunk,
            doing: Cell::new((AgentActivity::Sleeping, now)),
            ran: Cell::default(),
            waited: Cell::default(),
        })
    }

    /// Takes what the arena has sent, whether or not the agent reads it.
    pub(super) fn take_sent(&self) -> Vec<u8> {
        self.to_agent.take()
    }

    /// The agent writes.
    pub(super) fn write(&self, bytes: &[u8]) {
        if !self.ended.get() {
            self.from_agent.borrow_mut().extend_from_slice(bytes);
        }
    }

    /// The agent closes its output.
    pub(super) fn close_output(&self) {
        self.ended.set(true);
    }

    /// The agent closes its input.
    pub(super) fn close_input(&self) {
        self.deaf.set(true);
    }

    /// True if the agent reads what it is sent.
    pub(super) fn hears(&self) -> bool {
        !self.deaf.get() && !self.ended.get()
    }

    /// True if a read gives something new.
    pub(super) fn is_readable(&self) -> bool {
        self.ended.get() || !self.from_agent.borrow().is_empty()
    }

    /// Sets the agent's activity from now on.
    pub(super) fn does(&self, doing: AgentActivity) {
        let (before, since) = self.doing.replace((doing, self.clock.now()));
        self.count(before, self.clock.now() - since);
    }

    fn count(&self, doing: AgentActivity, time: Duration) {
        match doing {
            AgentActivity::Sleeping => {}
            AgentActivity::Computing => self.ran.set(self.ran.get() + time),
            AgentActivity::Waiting => self.waited.set(self.waited.get() + time),
        }
    }
}

/// The arena's end of a wire.
#[derive(Debug)]
pub(super) struct WireEnd(pub(super) Rc<Wire>);

impl Transport for WireEnd {
    fn send(&self, bytes: &[u8]) -> bool {
        self.0.to_agent.borrow_mut().extend_from_slice(bytes);
        true
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.0.from_agent.borrow_mut();
        if bytes.is_empty() {
            return if self.0.ended.get() { Ok(0) } else { Err(io::ErrorKind::WouldBlock.into()) };
        }
        let count = bytes.len().min(self.0.chunk).min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        bytes.drain(..count);
        Ok(count)
    }

    fn kill(&self) {
        self.0.ended.set(true);
    }

    fn usage(&self) -> Option<Usage> {
        let (doing, _) = self.0.doing.get();
        self.0.does(doing);
        Some(Usage::scripted(self.0.ran.get(), self.0.waited.get()))
    }

    fn evidence(&self) -> Option<Evidence> {
        None
    }
}
