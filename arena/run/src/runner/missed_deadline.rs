//! Decides who is to blame for a missed deadline (SPEC 5.9): a pure function of what was measured. It measures nothing,
//! and the referee decides what a void deadline means for the game.

use std::time::{Duration, Instant};

use maumau_referee::Blame;

use crate::agent::Spent;

/// How late a deadline may be checked and still count.
pub(super) const MOST_LATE: Duration = Duration::from_millis(50);
/// The fraction of its time that an agent must have waited for a processor, as a divisor.
const WAITED_PART: u64 = 4;
/// The minimum of it in microseconds: anything less is the scheduler's grain.
const LEAST_WAITED_US: u64 = 1_000;
/// The fraction of its time after which an open ask is first measured, as a divisor.
const FIRST_LOOK_PART: u32 = 8;
/// The latest moment for that.
const LATEST_FIRST_LOOK: Duration = Duration::from_millis(50);
/// How many more measurements there are until the deadline, approximately.
const LOOKS: u32 = 16;
/// The minimum time between two of them, on average.
const LEAST_BETWEEN: Duration = Duration::from_millis(2);

/// A deadline without an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Miss {
    /// The agent's time.
    pub allowed: Duration,
    /// How long after the deadline it was checked.
    pub late: Duration,
    /// How long the arena itself was stalled meanwhile.
    pub stalled: Duration,
    /// True if the arena had stopped the agent at some moment of it.
    pub frozen: bool,
    /// What it spent since the first measurement; absent if unknown.
    pub spent: Option<Spent>,
}

/// How long after an ask the agent's usage is measured for the first time; most asks have long been answered by then.
pub(super) fn first_look(allowed: Duration) -> Duration {
    (allowed / FIRST_LOOK_PART).min(LATEST_FIRST_LOOK)
}

/// How long after the measurement at `now` the next one is, in an ask since `since`. An agent that knew the moment could stop
/// just before it to hide its work, so it depends on nanoseconds of the arena's clock.
pub(super) fn next_look(allowed: Duration, since: Instant, now: Instant) -> Duration {
    let mixed = (now.saturating_duration_since(since).as_nanos() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    // From a quarter of the average time to seven quarters.
    let part = 0.25 + 1.5 * mixed as f64 / (1_u64 << 32) as f64;
    (allowed / LOOKS).max(LEAST_BETWEEN).mul_f64(part)
}

impl Miss {
    /// The verdict.
    pub(super) fn blame(&self) -> Blame {
        // That much is not given back.
        let stalled = !self.stalled.is_zero() && self.stalled >= self.allowed;
        if self.late > MOST_LATE || stalled || self.frozen || self.waiting_explains_it() {
            return Blame::Host;
        }
        Blame::Agent
    }

    fn waiting_explains_it(&self) -> bool {
        let Some(Spent { waited_us, .. }) = self.spent else { return false };
        waited_us >= LEAST_WAITED_US && waited_us >= self.allowed.as_micros() as u64 / WAITED_PART
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_blame_is_this() {
        use Blame::{Agent, Host};
        for (what, allowed_ms, stalled_ms, late_ms, waited_ms, blame) in [
            ("nothing is known", 1_000, 0, 0, None, Agent),
            ("it slept or computed", 1_000, 0, 1, Some(0), Agent),
            ("it waited a little", 1_000, 0, 1, Some(249), Agent),
            ("it waited for a quarter of its time", 1_000, 0, 1, Some(250), Host),
            ("it never ran", 1_000, 0, 1, Some(950), Host),
            ("a grain of a short time", 2, 0, 0, Some(0), Agent),
            ("half of a short time", 2, 0, 0, Some(1), Host),
            ("the arena came at the last moment", 1_000, 0, 50, None, Agent),
            ("the arena came too late", 1_000, 0, 51, None, Host),
            ("the arena stopped for a part of it", 1_000, 999, 0, None, Agent),
            ("the arena stopped for as long as it had", 1_000, 1_000, 0, None, Host),
            ("there was no time at all", 0, 0, 0, None, Agent),
            ("the arena was stopped", 1_000, 0, 5_000, Some(0), Host),
        ] {
            let ms = Duration::from_millis;
            let spent = waited_ms.map(|waited: u64| Spent { ran_us: 0, waited_us: waited * 1_000 });
            let (allowed, late, stalled) = (ms(allowed_ms), ms(late_ms), ms(stalled_ms));
            let miss = Miss { allowed, late, stalled, frozen: false, spent };
            assert_eq!(miss.blame(), blame, "{what}");
            assert_eq!(Miss { frozen: true, ..miss }.blame(), Host, "{what}, and the arena had stopped it");
        }
    }

    #[test]
    fn the_first_look_is_early_and_never_before_the_ask() {
        for (allowed_ms, look_us) in [(0, 0), (8, 1_000), (400, 50_000), (60_000, 50_000)] {
            assert_eq!(first_look(Duration::from_millis(allowed_ms)), Duration::from_micros(look_us));
        }
    }

    #[test]
    fn later_looks_are_spread_over_the_time_and_no_two_are_alike() {
        let (since, allowed) = (Instant::now(), Duration::from_secs(1));
        let gaps: Vec<Duration> =
            (0..64).map(|nanos| next_look(allowed, since, since + Duration::from_nanos(50_000_000 + nanos))).collect();
        let (least, most) = (gaps.iter().min().expect("some"), gaps.iter().max().expect("some"));
        assert!(*least >= allowed / LOOKS / 4 && *most <= allowed / LOOKS * 7 / 4, "{least:?} to {most:?}");
        let mut sorted = gaps.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), gaps.len());
        assert!(next_look(Duration::from_millis(1), since, since) >= LEAST_BETWEEN / 4);
    }
}
