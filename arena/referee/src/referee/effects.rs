//! The referee's effects, as values. Data and its buffer only: the caller moves the bytes and arms the timers.

use std::ops::Range;

use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::AskId;

use super::Timer;
use super::times::TimeChange;

/// Something for the caller, which moves bytes and arms timers, to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefereeEffect {
    /// Send a line, newline included: this part of [`Effects::bytes`].
    Send {
        /// The recipient.
        seat: Seat,
        /// The range of the line in the bytes.
        line: Range<usize>,
        /// The id of the ask that it is; `None` for any other line.
        ask: Option<AskId>,
    },
    /// Start the one deadline of a seat, counted from when its line has been written.
    StartDeadline {
        /// Whose.
        seat: Seat,
        /// Of which ask.
        id: AskId,
        /// Milliseconds.
        ms: u64,
    },
    /// Stop a seat's deadline.
    StopDeadline {
        /// Whose.
        seat: Seat,
    },
    /// Start a time of a live game; replaces a running one of the same kind.
    StartTimer {
        /// Which.
        timer: Timer,
        /// Milliseconds.
        ms: u64,
    },
    /// Stop a time of a live game.
    StopTimer {
        /// Which.
        timer: Timer,
    },
    /// The agent plays no further part in this game.
    Dismiss {
        /// Whose.
        seat: Seat,
        /// Why.
        fault: ConductFault,
    },
    /// The game is over; take it with [`Referee::finish`](super::Referee::finish).
    Finished,
}

impl From<TimeChange> for RefereeEffect {
    fn from(change: TimeChange) -> RefereeEffect {
        match change {
            TimeChange::Start(timer, ms) => RefereeEffect::StartTimer { timer, ms },
            TimeChange::Stop(timer) => RefereeEffect::StopTimer { timer },
        }
    }
}

/// What is to be done, in order. Reused from call to call, so that a move allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// What to do.
    pub list: Vec<RefereeEffect>,
    /// The bytes of the lines.
    pub bytes: Vec<u8>,
}

impl Effects {
    /// Forgets what has been done.
    pub fn clear(&mut self) {
        self.list.clear();
        self.bytes.clear();
    }

    /// Sends the ask `id`: `write` adds the line and returns it, and names the lines that come before it.
    #[inline]
    pub(super) fn ask(
        &mut self,
        seat: Seat,
        id: AskId,
        write: impl FnOnce(&mut Vec<u8>, &mut dyn FnMut(Range<usize>)) -> Range<usize>,
    ) {
        let Effects { list, bytes } = self;
        let line = write(bytes, &mut |line| list.push(RefereeEffect::Send { seat, line, ask: None }));
        list.push(RefereeEffect::Send { seat, line, ask: Some(id) });
    }

    /// Sends each of the lines that `write` adds and names.
    #[inline]
    pub(super) fn send_lines(&mut self, seat: Seat, write: impl FnOnce(&mut Vec<u8>, &mut dyn FnMut(Range<usize>))) {
        let Effects { list, bytes } = self;
        write(bytes, &mut |line| list.push(RefereeEffect::Send { seat, line, ask: None }));
    }

    pub(super) fn send(&mut self, seat: Seat, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.list.push(RefereeEffect::Send { seat, line: start..self.bytes.len(), ask: None });
    }
}
