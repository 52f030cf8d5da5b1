//! Whether the arena serves: a loop that comes back later than it meant to, having done nothing meanwhile, was stopped or had
//! no processor (SPEC 5.10). What agents send cannot bring that about: work on their lines is service.

use std::time::{Duration, Instant};

use super::missed_deadline::first_look;

/// Lateness up to this is the grain of timers, and the most that one read and what it brings may take.
const GRAIN: Duration = Duration::from_millis(4);
/// How long the loop may sleep at most; less where less time is allowed.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// When a loop was at work, and when it means to be again.
#[derive(Debug)]
pub(super) struct StallDetector {
    /// The last moment in which it was at work.
    seen: Instant,
    /// When it looks around, whether anything is due or not.
    beat: Instant,
    sleep: Duration,
}

impl StallDetector {
    /// A loop that is at work now.
    pub(super) fn new(now: Instant) -> StallDetector {
        StallDetector { seen: now, beat: now, sleep: LONGEST_SLEEP }
    }

    /// A game begins in which a move may take so many milliseconds.
    pub(super) fn expect(&mut self, move_ms: u64) {
        let sleep = first_look(Duration::from_millis(move_ms)).max(GRAIN);
        self.sleep = self.sleep.min(sleep);
    }

    /// When the loop looks around next, where nothing is `due` before.
    pub(super) fn next(&self, due: Option<Instant>) -> Instant {
        due.map_or(self.beat, |due| due.min(self.beat))
    }

    /// The loop begins to sleep, and means to wake before long.
    pub(super) fn rest(&mut self, now: Instant) {
        self.beat = now + self.sleep;
    }

    /// The loop is at work now. Gives how long it was not, though something was `due`.
    pub(super) fn stalled(&mut self, now: Instant, due: Option<Instant>) -> Option<Duration> {
        let meant = self.next(due).max(self.seen);
        self.seen = now;
        Some(now.saturating_duration_since(meant)).filter(|late| *late > GRAIN)
    }
}
