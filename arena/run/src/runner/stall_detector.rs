//! Detects stalls of the arena: a loop that comes back later than it meant to, without having done anything, was
//! stopped or had no processor (SPEC 5.10). Agents cannot cause that by what they send: work on their lines counts as
//! service. It keeps moments that it is given and reads no clock.

use std::time::{Duration, Instant};

use super::missed_deadline::first_look;

/// Lateness up to this is the grain of timers, and the most that one read and its effects may take.
const GRAIN: Duration = Duration::from_millis(4);
/// The longest time the loop may sleep; less if moves have less time.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// When a loop was last at work, and when it means to be again.
#[derive(Debug)]
pub(super) struct StallDetector {
    /// The last moment at which it was at work.
    seen: Instant,
    /// When it wakes, whether anything is due or not.
    beat: Instant,
    sleep: Duration,
}

impl StallDetector {
    /// A loop that is at work now.
    pub(super) fn new(now: Instant) -> StallDetector {
        StallDetector { seen: now, beat: now, sleep: LONGEST_SLEEP }
    }

    /// A game begins in which a move may take this many milliseconds.
    pub(super) fn expect(&mut self, move_ms: u64) {
        let sleep = first_look(Duration::from_millis(move_ms)).max(GRAIN);
        self.sleep = self.sleep.min(sleep);
    }

    /// When the loop wakes next, unless something is `due` before.
    pub(super) fn next(&self, due: Option<Instant>) -> Instant {
        due.map_or(self.beat, |due| due.min(self.beat))
    }

    /// The loop goes to sleep, and means to wake before long.
    pub(super) fn rest(&mut self, now: Instant) {
        self.beat = now + self.sleep;
    }

    /// The loop is at work now. Returns how long it was stalled although something was `due`.
    pub(super) fn stalled(&mut self, now: Instant, due: Option<Instant>) -> Option<Duration> {
        let meant = self.next(due).max(self.seen);
        self.seen = now;
        Some(now.saturating_duration_since(meant)).filter(|late| *late > GRAIN)
    }
}
