//! Agents that compute while nobody asks them anything (SPEC 5.11): found by the processor time that they use between the end
//! of an ask and the next one, and from then on stopped whenever they are not asked, so that they take nothing from the agent
//! that is.
//!
//! Only a few of these spans are measured, so a move of an honest agent costs nothing. When they are is the part of
//! [`idle_watch`](super::idle_watch).

use std::cell::Cell;
use std::time::{Duration, Instant};

/// The time without an ask that is needed for a verdict, of one span or of several, also from several looks.
const ENOUGH: Duration = Duration::from_millis(20);
/// Spans that one look measures.
const SPANS_A_LOOK: u32 = 4;
/// Processor time within a verdict's spans from which on an agent computes.
const COMPUTES: Duration = Duration::from_millis(1);
/// What it may use besides in each of them, to end its answer and to read what it is told.
const OF_A_SPAN: Duration = Duration::from_micros(250);
/// Verdicts one after another that an agent computed before it is restrained.
const VERDICTS: u32 = 3;

/// What is known of an agent's use of the processor while it is not asked.
#[derive(Debug, Default)]
pub(super) struct IdleCpuGuard {
    /// Spans that are still to be measured in this look.
    spans_left: Cell<u32>,
    /// When the span that is being measured began, and the processor time that the agent had had by then.
    began: Cell<Option<(Instant, Duration)>>,
    measured: Cell<Measured>,
    /// Verdicts in a row that it computed while it was not asked.
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
    /// Whether it is to be stopped while it is not asked.
    pub(super) fn is_restrained(&self) -> bool {
        self.restrained.get()
    }

    /// Whether anything hangs on the end of its asks.
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

    /// Its last open ask is over. `ran` tells the processor time that it has had, where that is known.
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

    /// Whether it computes while it is not asked, once so many verdicts say so.
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

    /// Whether an agent is found out by spans of so many microseconds in which it ran for so many, each after a look.
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
            ("reads what it is told", [(1_000, 200)].repeat(400), false),
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
