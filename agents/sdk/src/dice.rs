//! An agent's own randomness, seeded by the arena so that a game can be replayed move for move. It reads no entropy of
//! the system, so a bot that uses nothing else plays the same game again.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use maumau_protocol::message::Start;

/// Random choices that follow from `start.seed` alone.
#[derive(Debug)]
pub struct Dice(ChaCha8Rng);

impl Clone for Dice {
    /// The same numbers come from both.
    fn clone(&self) -> Dice {
        Dice(ChaCha8Rng::deserialize_state(&self.0.serialize_state()))
    }
}

impl Dice {
    /// The dice of one game. A seed that is not a hexadecimal number counts as 0.
    pub fn new(start: &Start) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(u64::from_str_radix(&start.seed, 16).unwrap_or_default()))
    }

    /// A number below `bound`, each equally likely (Lemire's multiplication with rejection).
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        let bound = bound as u64;
        let refused = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            if product as u64 >= refused {
                return (product >> 64) as usize;
            }
        }
    }

    /// One of `items`, each equally likely; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}
