//! Detects agents that compute while they are not asked (SPEC 5.11): by the processor time that they use between the
//! end of an ask and the next one. From then on they are frozen whenever they are not asked, so that they take nothing
//! from the agent that is. It decides from measured times and freezes nothing itself.
//!
//! Only a few of these spans are measured, so a move of an honest agent costs nothing. [`idle_watch`](super::idle_watch)
//! decides when.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// The time without an ask that a verdict needs, from one span or several, also from several looks.
const ENOUGH: Duration = Duration::from_millis(20);
/// Spans that one look measures.
const SPANS_A_LOOK: u32 = 4;
/// The processor time within a verdict's spans that counts as computing.
const COMPUTES: Duration = Duration::from_millis(1);
/// What it may use besides in each of them, to finish its answer and to read what it is sent.
const OF_A_SPAN: Duration = Duration::from_micros(250);
/// How many verdicts in a row must find an agent computing before it is restrained.
const VERDICTS: u32 = 3;

/// What is known of an agent's processor use while it is not asked.
#[derive(Debug, Default)]
pub(super) struct IdleCpuGuard {
    /// Spans still to be measured in this look.
    spans_left: Cell<u32>,
    /// When the measured span began, and the agent's processor time at that moment.
    began: Cell<Option<(Instant, Duration)>>,
    measured: Cell<Measured>,
    /// How many verdicts in a row found that it computed while it was not asked.
    found: Cell<u32>,
    restrained: Cell<bool>,
}

/// Spans in which an agent was not asked.
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    spans: u32,
    idle: Duration,
    ran: Duration,
}

impl IdleCpuGuard {
    /// True if it is to be frozen while it is not asked.
    pub(super) fn is_restrained(&self) -> bool {
        self.restrained.get()
    }

    /// True if the end of its asks matters here.
    #[inline]
    pub(super) fn concern(&self) -> bool {
        self.is_restrained() || self.spans_left.get() > 0
    }

    /// It is restrained from now on.
    pub(super) fn restrain(&self) {
        self.restrained.set(true);
    }

    /// A look begins.
    pub(super) fn look(&self) {
        self.spans_left.set(SPANS_A_LOOK);
    }

    /// Its last open ask is over. `ran` returns its processor time, if known.
    pub(super) fn idle_begins(&self, ran: impl FnOnce() -> Option<Duration>) {
        if self.spans_left.get() > 0 {
            self.began.set(ran().map(|ran| (Instant::now(), ran)));
        }
    }

    /// It is about to be asked.
    pub(super) fn idle_ends(&self, ran: impl FnOnce() -> Option<Duration>) {
        if let Some((began, before)) = self.began.take()
            && let Some(ran) = ran()
        {
            self.spans_left.set(self.spans_left.get().saturating_sub(1));
            self.add(began.elapsed(), ran.saturating_sub(before));
        }
    }

    fn add(&self, idle: Duration, ran: Duration) {
        let Measured { spans, idle: idle_before, ran: ran_before } = self.measured.get();
        self.measured.set(Measured { spans: spans + 1, idle: idle_before + idle, ran: ran_before + ran });
    }

    /// Whether it computes while it is not asked, once enough verdicts agree.
    pub(super) fn is_found_out(&self) -> bool {
        let Measured { spans, idle, ran } = self.measured.get();
        if idle >= ENOUGH {
            let computes = ran >= COMPUTES + OF_A_SPAN * spans;
            self.found.set(if computes { self.found.get() + 1 } else { 0 });
            self.measured.set(Measured::default());
        }
        self.found.get() >= VERDICTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if an agent is detected by spans of this many microseconds, in each of which it ran for this many, each after a
    /// look.
    pub(super) fn is_found_out(spans: &[(u64, u64)]) -> bool {
        let idle_cpu = IdleCpuGuard::default();
        spans.iter().any(|(idle, ran)| {
            idle_cpu.add(Duration::from_micros(*idle), Duration::from_micros(*ran));
            idle_cpu.is_found_out()
        })
    }

    #[test]
    fn only_who_computes_time_and_again_is_found_out() {
        for (what, spans, found) in [
            ("long silence", [(20_000, 5_000)].repeat(3), true),
            ("twice only", [(20_000, 5_000)].repeat(2), false),
            ("not one time after another", [(20_000, 5_000), (20_000, 5_000), (20_000, 0)].repeat(9), false),
            ("asked every 5 ms", [(5_000, 2_000)].repeat(12), true),
            ("asked every millisecond", [(1_000, 500)].repeat(60), true),
            ("ends its answers", [(5_000, 200)].repeat(400), false),
            ("reads what it is sent", [(1_000, 200)].repeat(400), false),
            ("as much as reading in one long span", [(20_000, 1_249)].repeat(9), false),
            ("asked all the time", [(10, 10)].repeat(1_000), false),
        ] {
            assert_eq!(is_found_out(&spans), found, "{what}");
        }
    }

    #[test]
    fn a_look_measures_a_few_spans_and_no_more() {
        let idle_cpu = IdleCpuGuard::default();
        let reads = Cell::new(0);
        let ran = || {
            reads.set(reads.get() + 1);
            Some(Duration::ZERO)
        };
        for _ in 0..2 {
            idle_cpu.look();
            for _ in 0..100 {
                idle_cpu.idle_begins(ran);
                idle_cpu.idle_ends(ran);
            }
        }
        assert_eq!(reads.get(), 2 * 2 * SPANS_A_LOOK);
    }
}
