//! The deadlines of all games of one loop. Each game has one entry in a heap; the game's real deadlines are only
//! checked when it comes up, so a move that is answered in time costs nothing here. It knows games by their numbers and
//! reads no clock.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

/// When to check which game.
#[derive(Debug, Default)]
pub(super) struct Deadlines {
    heap: BinaryHeap<Reverse<(Instant, u64)>>,
    earlier: bool,
}

impl Deadlines {
    /// Checks `game` at `when`.
    pub(super) fn add(&mut self, when: Instant, game: u64) {
        self.earlier |= self.first().is_none_or(|first| when < first);
        self.heap.push(Reverse((when, game)));
    }

    /// Wakes the task that follows the deadlines.
    pub(super) fn wake(&mut self) {
        self.earlier = true;
    }

    /// When the next game is to be checked.
    pub(super) fn first(&self) -> Option<Instant> {
        self.heap.peek().map(|Reverse((when, _))| *when)
    }

    /// Drops the first entries as long as `is_over` is true for their games.
    pub(super) fn forget(&mut self, is_over: impl Fn(u64) -> bool) {
        while self.heap.peek().is_some_and(|Reverse((_, game))| is_over(*game)) {
            self.heap.pop();
        }
    }

    /// A game that is to be checked by `now`.
    pub(super) fn pop(&mut self, now: Instant) -> Option<u64> {
        self.first().filter(|first| *first <= now)?;
        self.heap.pop().map(|Reverse((_, game))| game)
    }

    /// True if [`Deadlines::first`] has become earlier since the last call, or the task was to be woken.
    pub(super) fn take_earlier(&mut self) -> bool {
        std::mem::take(&mut self.earlier)
    }
}
