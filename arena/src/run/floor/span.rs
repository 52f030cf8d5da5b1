//! The time of one ask, or of a turn or another time of the live clock. It stands still while the arena does not serve.

use std::rc::Rc;
use std::time::{Duration, Instant};

use maumau_protocol::record::Meta;
use maumau_referee::Blame;

use crate::host::Usage;
use crate::run::blame::{MOST_LATE, Miss, first_look};
use crate::run::desk::Desk;
use crate::run::link::Link;

pub(super) struct Span {
    since: Instant,
    allowed: Duration,
    /// How long the arena has not served since.
    stalled: Duration,
    /// The agent's usage, once it has been measured, and when that was.
    usage: Option<Box<(Instant, Option<Usage>)>>,
}

impl Span {
    pub(super) fn new(since: Instant, ms: u64) -> Span {
        Span { since, allowed: Duration::from_millis(ms), stalled: Duration::ZERO, usage: None }
    }

    /// It begins at `since` instead.
    pub(super) fn begin_at(&mut self, since: Instant) {
        self.since = since;
    }

    /// The arena has not served for so long until `now`: the end moves by that.
    pub(super) fn give_back(&mut self, stalled: Duration, now: Instant) {
        self.stalled += stalled.min(now.saturating_duration_since(self.since));
    }

    /// Whoever was not served for as long as all its time gets no more of it, and is not to blame.
    pub(super) fn end(&self) -> Instant {
        let moved = if self.stalled < self.allowed { self.stalled } else { Duration::ZERO };
        self.since + self.allowed + moved
    }

    pub(super) fn is_over(&self, now: Instant) -> bool {
        self.end() <= now
    }

    /// When the agent's usage is to be measured, and once it is, the end.
    pub(super) fn next_look(&self) -> Instant {
        if self.usage.is_none() { self.since + first_look(self.allowed) } else { self.end() }
    }

    /// Measures the usage if it is time for that.
    pub(super) fn measure<L: Link>(&mut self, now: Instant, desk: Option<&Rc<Desk<L>>>) {
        if self.usage.is_none() && self.next_look() <= now {
            self.usage = Some(Box::new((now, desk.and_then(|desk| desk.link.usage()))));
        }
    }

    /// How long an answer that is read `now` took; nothing where the arena itself came so late that nobody knows, so that
    /// the seat is not charged for that.
    pub(super) fn answered(&self, now: Instant) -> Meta {
        let took_us = (now <= self.end() + MOST_LATE).then(|| self.took_us(now));
        Meta { took_us, stalled_us: self.stalled_us(), ..Meta::default() }
    }

    /// What there is to say about it now that it is over: its times, and who is to blame.
    pub(super) fn missed<L: Link>(&self, now: Instant, desk: Option<&Rc<Desk<L>>>) -> (Meta, Blame) {
        let spent = self.usage.as_ref().and_then(|usage| {
            let (since, before) = &**usage;
            let spent = desk?.link.usage()?.since(before.as_ref()?);
            Some((spent, now - *since))
        });
        let meta = Meta {
            took_us: Some(self.took_us(now)),
            cpu_us: spent.map(|(spent, _)| spent.ran_us),
            waited_us: spent.map(|(spent, _)| spent.waited_us),
            stalled_us: self.stalled_us(),
            ..Meta::default()
        };
        let late = now.saturating_duration_since(self.end());
        (meta, Miss { allowed: self.allowed, late, stalled: self.stalled, spent }.blame())
    }

    fn took_us(&self, now: Instant) -> u64 {
        (now - self.since).saturating_sub(self.stalled).as_micros() as u64
    }

    fn stalled_us(&self) -> Option<u64> {
        (!self.stalled.is_zero()).then_some(self.stalled.as_micros() as u64)
    }
}
