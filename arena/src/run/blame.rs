//! Who is to blame for a missed deadline (SPEC 5.9). A pure function of what was measured.

use std::time::Duration;

use maumau_referee::Blame;

use crate::host::Spent;

/// The most that a deadline may be looked at too late and still count.
pub(crate) const MOST_LATE: Duration = Duration::from_millis(50);
/// The part of its time that an agent must have waited for a processor, one in so many.
const WAITED_PART: u64 = 4;
/// The least of it, in microseconds: less is the grain of the scheduler.
const LEAST_WAITED_US: u64 = 1_000;
/// The part of its time after which an ask that is still open is looked at for the first time, one in so many.
const FIRST_LOOK_PART: u32 = 8;
/// The latest such moment.
const LATEST_FIRST_LOOK: Duration = Duration::from_millis(50);

/// A deadline without an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Miss {
    /// What the agent had.
    pub(crate) allowed: Duration,
    /// How long after the deadline it was looked for.
    pub(crate) late: Duration,
    /// How long the arena itself did not serve meanwhile.
    pub(crate) stalled: Duration,
    /// What it spent since it was looked at first, and how long that is; absent where it is not known.
    pub(crate) spent: Option<(Spent, Duration)>,
}

/// How long after an ask the agent's usage is measured for the first time; most asks have long been answered by then.
pub(crate) fn first_look(allowed: Duration) -> Duration {
    (allowed / FIRST_LOOK_PART).min(LATEST_FIRST_LOOK)
}

impl Miss {
    /// The verdict.
    pub(crate) fn blame(&self) -> Blame {
        // So much is not given back.
        let stalled = !self.stalled.is_zero() && self.stalled >= self.allowed;
        if self.late > MOST_LATE || stalled || self.waiting_explains_it() {
            return Blame::Host;
        }
        Blame::Agent
    }

    fn waiting_explains_it(&self) -> bool {
        let Some((spent, over)) = self.spent else { return false };
        let micros = |time: Duration| time.as_micros() as u64;
        // While one of its threads runs the others wait for the agent, not for the host.
        let idle_us = micros(over).saturating_sub(spent.ran_us);
        let waited_us = spent.waited_us.min(idle_us);
        waited_us >= LEAST_WAITED_US && waited_us >= micros(self.allowed) / WAITED_PART
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_blame_is_this() {
        use Blame::{Agent, Host};
        for (what, allowed_ms, stalled_ms, late_ms, spent_ms, blame) in [
            // Spent: ran, waited, over.
            ("nothing is known", 1_000, 0, 0, None, Agent),
            ("it slept", 1_000, 0, 1, Some((0, 0, 950)), Agent),
            ("it computed for too long", 1_000, 0, 1, Some((945, 5, 950)), Agent),
            ("it waited a little", 1_000, 0, 1, Some((700, 249, 950)), Agent),
            ("it waited for a quarter of its time", 1_000, 0, 1, Some((700, 250, 950)), Host),
            ("it never ran", 1_000, 0, 1, Some((0, 950, 950)), Host),
            ("its threads waited for each other", 1_000, 0, 1, Some((948, 7_000, 950)), Agent),
            ("its threads had half a processor together", 1_000, 0, 1, Some((475, 7_000, 950)), Host),
            ("it used more than one processor", 1_000, 0, 1, Some((1_800, 900, 950)), Agent),
            ("a grain of a short time", 2, 0, 0, Some((0, 0, 1)), Agent),
            ("half of a short time", 2, 0, 0, Some((0, 1, 1)), Host),
            ("the arena came at the last moment", 1_000, 0, 50, None, Agent),
            ("the arena came too late", 1_000, 0, 51, None, Host),
            ("the arena stopped for a part of it", 1_000, 999, 0, None, Agent),
            ("the arena stopped for as long as it had", 1_000, 1_000, 0, None, Host),
            ("there was no time at all", 0, 0, 0, None, Agent),
            ("the arena was stopped", 1_000, 0, 5_000, Some((0, 0, 5_950)), Host),
        ] {
            let ms = Duration::from_millis;
            let spent = spent_ms
                .map(|(ran, waited, over)| (Spent { ran_us: ran * 1_000, waited_us: waited * 1_000 }, ms(over)));
            let miss = Miss { allowed: ms(allowed_ms), late: ms(late_ms), stalled: ms(stalled_ms), spent };
            assert_eq!(miss.blame(), blame, "{what}");
        }
    }

    #[test]
    fn the_first_look_is_early_and_never_before_the_ask() {
        for (allowed_ms, look_us) in [(0, 0), (8, 1_000), (400, 50_000), (60_000, 50_000)] {
            assert_eq!(first_look(Duration::from_millis(allowed_ms)), Duration::from_micros(look_us));
        }
    }
}
