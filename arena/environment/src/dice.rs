//! Random numbers for choices among actions, cheaper than the engine's: xorshift. They deal no cards.

/// A sequence of random numbers that follows from its seed.
#[derive(Clone, Copy, Debug)]
pub struct Xorshift(u64);

impl Xorshift {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Xorshift {
        // One round of splitmix64, so that neighbouring seeds have unrelated sequences; 0 is the one state that stays.
        let mut state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Xorshift((state ^ (state >> 31)).max(1))
    }

    /// The sequence that goes on from `state`.
    pub fn at(state: u64) -> Xorshift {
        Xorshift(state.max(1))
    }

    /// From where the sequence goes on.
    pub fn state(self) -> u64 {
        self.0
    }

    /// 0 to `bound` - 1; 0 if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }
}
