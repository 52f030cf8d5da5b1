//! The deadlines of all games of one loop. Each game has one entry in a heap; when it comes up, the game's real deadlines
//! are looked at, so a move that is answered in time costs nothing here.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use tokio::sync::Notify;

/// When to look at which game.
#[derive(Debug, Default)]
pub(crate) struct Deadlines {
    heap: RefCell<BinaryHeap<Reverse<(Instant, u64)>>>,
    earlier: Notify,
}

impl Deadlines {
    /// Looks at `game` at `when`.
    pub(crate) fn add(&self, when: Instant, game: u64) {
        let mut heap = self.heap.borrow_mut();
        let first = heap.peek().is_none_or(|Reverse((first, _))| when < *first);
        heap.push(Reverse((when, game)));
        if first {
            self.earlier.notify_one();
        }
    }

    /// Waits until a game is to be looked at.
    pub(crate) async fn next(&self) -> u64 {
        loop {
            let first = self.heap.borrow().peek().map(|Reverse(entry)| *entry);
            match first {
                Some((when, game)) if when <= Instant::now() => {
                    self.heap.borrow_mut().pop();
                    return game;
                }
                Some((when, _)) => {
                    tokio::select! {
                        () = tokio::time::sleep_until(when.into()) => {}
                        () = self.earlier.notified() => {}
                    }
                }
                None => self.earlier.notified().await,
            }
        }
    }
}
