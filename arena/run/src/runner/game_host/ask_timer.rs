//! The time of one ask, or of a turn or another time of the live clock. It is paused while the arena is stalled. It
//! keeps what was measured for it; who is to blame is decided by `missed_deadline`.

use std::rc::Rc;
use std::time::{Duration, Instant};

use maumau_referee::Blame;
use maumau_referee::record::{Frozen, Meta};

use crate::agent::{Freeze, Spending};
use crate::runner::connection::Connection;
use crate::runner::missed_deadline::{MOST_LATE, Miss, first_look, next_look};
use crate::runner::transport::Transport;

pub(super) struct AskTimer {
    /// When it was decided that the seat is asked.
    decided: Instant,
    since: Instant,
    allowed: Duration,
    /// How long the arena has been stalled since it began.
    stalled: Duration,
    /// The measurements of the agent's usage, once there are any.
    measured: Option<Box<Measured>>,
}

/// What the agent has spent since the first measurement.
struct Measured {
    /// Absent if unknown.
    spending: Option<Spending>,
    /// When it is measured next.
    next: Instant,
}

impl AskTimer {
    pub(super) fn new(since: Instant, ms: u64) -> AskTimer {
        AskTimer { decided: since, since, allowed: Duration::from_millis(ms), stalled: Duration::ZERO, measured: None }
    }

    /// Moves its beginning to `since`.
    pub(super) fn begin_at(&mut self, since: Instant) {
        self.since = since;
    }

    /// The arena was stalled for this long until `now`: the end moves by as much.
    pub(super) fn give_back(&mut self, stalled: Duration, now: Instant) {
        self.stalled += stalled.min(now.saturating_duration_since(self.since));
    }

    /// If the seat was not served for its whole time, the time is not extended, and the seat is not to blame.
    pub(super) fn end(&self) -> Instant {
        let moved = if self.stalled < self.allowed { self.stalled } else { Duration::ZERO };
        self.since + self.allowed + moved
    }

    pub(super) fn is_over(&self, now: Instant) -> bool {
        self.end() <= now
    }

    /// When the agent's usage is to be measured, or the end.
    pub(super) fn next_look(&self) -> Instant {
        let next = self.measured.as_ref().map_or(self.since + first_look(self.allowed), |measured| measured.next);
        next.min(self.end())
    }

    /// Measures the usage if it is time for that.
    pub(super) fn measure<L: Transport>(&mut self, now: Instant, connection: Option<&Rc<Connection<L>>>) {
        if self.next_look() > now || self.is_over(now) {
            return;
        }
        let spending = self.spending(connection);
        let next = if spending.is_some() { now + next_look(self.allowed, self.since, now) } else { self.end() };
        self.measured = Some(Box::new(Measured { spending, next }));
    }

    /// What the agent has spent until now, since the first measurement.
    fn spending<L: Transport>(&self, connection: Option<&Rc<Connection<L>>>) -> Option<Spending> {
        let usage = connection?.transport.usage()?;
        match &self.measured {
            None => Some(Spending::new(usage)),
            Some(measured) => {
                let mut spending = measured.spending.clone()?;
                spending.look(usage);
                Some(spending)
            }
        }
    }

    /// How long an answer read at `now` took; no time if the arena itself was so late that it is unknown, so that the seat is
    /// not charged for it.
    pub(super) fn answered<L: Transport>(&self, now: Instant, connection: Option<&Rc<Connection<L>>>) -> Meta {
        let took_us = (now <= self.end() + MOST_LATE).then(|| self.took_us(now));
        Meta { took_us, stalled_us: self.stalled_us(), frozen: self.frozen(connection), ..Meta::default() }
    }

    /// When the agent was stopped last, if that ended with this ask or after it.
    fn frozen<L: Transport>(&self, connection: Option<&Rc<Connection<L>>>) -> Option<Frozen> {
        let Freeze { from, to } = connection?.frozen().filter(|last| last.to.is_none_or(|to| to >= self.decided))?;
        let after_ask = |moment: Instant| match moment.checked_duration_since(self.since) {
            Some(after) => after.as_micros() as i64,
            None => -(self.since.saturating_duration_since(moment).as_micros() as i64),
        };
        Some(Frozen { from_us: after_ask(from), to_us: to.map(after_ask) })
    }

    /// The result once the time is over: its times, and who is to blame.
    pub(super) fn missed<L: Transport>(&self, now: Instant, connection: Option<&Rc<Connection<L>>>) -> (Meta, Blame) {
        let looked_before = self.measured.is_some();
        let frozen = self.frozen(connection);
        let spent = self.spending(connection).filter(|_| looked_before).map(|spending| spending.spent());
        let meta = Meta {
            took_us: Some(self.took_us(now)),
            cpu_us: spent.map(|spent| spent.ran_us),
            waited_us: spent.map(|spent| spent.waited_us),
            stalled_us: self.stalled_us(),
            frozen,
            silence: connection.and_then(|connection| connection.silence()),
            ..Meta::default()
        };
        let frozen = frozen.is_some_and(|frozen| frozen.while_asked());
        let late = now.saturating_duration_since(self.end());
        (meta, Miss { allowed: self.allowed, late, stalled: self.stalled, frozen, spent }.blame())
    }

    fn took_us(&self, now: Instant) -> u64 {
        (now - self.since).saturating_sub(self.stalled).as_micros() as u64
    }

    fn stalled_us(&self) -> Option<u64> {
        (!self.stalled.is_zero()).then_some(self.stalled.as_micros() as u64)
    }
}
