//! The ids of a game's asks: nobody can guess an id that it was not told (SPEC 5). It knows only its key, which the
//! caller gives; which id is open is kept with the seat.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use maumau_protocol::message::AskId;

/// A sequence of random ids that depends on a key alone.
pub(super) struct AskIds(ChaCha20Rng);

impl AskIds {
    pub(super) fn new(key: [u8; 32]) -> AskIds {
        AskIds(ChaCha20Rng::from_seed(key))
    }

    pub(super) fn next(&mut self) -> AskId {
        AskId(self.0.next_u64())
    }
}

impl Clone for AskIds {
    /// The same ids come from both.
    fn clone(&self) -> AskIds {
        AskIds(ChaCha20Rng::deserialize_state(&self.0.serialize_state()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_goes_on_from_the_same_place() {
        let mut ids = AskIds::new([7; 32]);
        for _ in 0..37 {
            ids.next();
        }
        let mut copy = ids.clone();
        assert!((0..100).all(|_| ids.next() == copy.next()));
    }
}
