//! Which games are still to be played, and which are in the run file; shared by all loops of a run.

use std::sync::atomic::{AtomicU64, Ordering};

use maumau_tournament::{PlannedGame, Tally};

use crate::run_store::RunPlan;

/// The games of a plan in order, without those in the run file already. A game goes to the first loop that asks; since its
/// cards depend on its name alone, it does not matter which loop plays it, or when.
pub struct Queue {
    next: AtomicU64,
    games: u64,
    seats: u64,
    /// One bit for each game that is not to be played: it was in the run file at the start, or is not open.
    done: Vec<u64>,
    /// One bit for each game that is in the run file now.
    durable: Vec<AtomicU64>,
}

impl Queue {
    /// The games of `plan` that are still to be played, since `tally` has not counted them.
    pub fn new(plan: &RunPlan, tally: &Tally) -> Queue {
        let games = plan.pairings.len();
        let word = |word: u64| {
            let numbers = (0..64).filter(|bit| tally.is_counted(word * 64 + bit));
            numbers.fold(0, |bits, bit| bits | 1_u64 << bit)
        };
        let there: Vec<u64> = (0..games.div_ceil(64)).map(word).collect();
        let durable = there.iter().map(|word| AtomicU64::new(*word)).collect();
        let mut done = vec![u64::MAX; there.len()];
        plan.missing(tally).for_each(|number| done[(number / 64) as usize] &= !(1 << (number % 64)));
        Queue { next: AtomicU64::new(0), games, seats: plan.pairings.seats() as u64, done, durable }
    }

    /// Takes the next game.
    pub fn take(&self) -> Option<u64> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games {
                return None;
            }
            if self.done[(number / 64) as usize] >> (number % 64) & 1 == 0 {
                return Some(number);
            }
        }
    }

    /// Records that a game is in the run file.
    pub fn is_durable_now(&self, number: u64) {
        self.durable[(number / 64) as usize].fetch_or(1 << (number % 64), Ordering::Release);
    }

    /// True if all other games of the deal are in the run file, so that its seed can be published.
    pub fn is_last_of_deal(&self, game: &PlannedGame) -> bool {
        let first = game.index - u64::from(game.rotation);
        (first..first + self.seats)
            .filter(|number| *number != game.index)
            .all(|number| self.durable[(number / 64) as usize].load(Ordering::Acquire) >> (number % 64) & 1 == 1)
    }
}
