//! The randomness of a simulation: SplitMix64. Numbers alone; what they decide is not known here.

/// A stream of numbers from a seed.
#[derive(Clone, Debug)]
pub(super) struct SimulationRandom(u64);

impl SimulationRandom {
    pub(super) fn new(seed: u64) -> SimulationRandom {
        SimulationRandom(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which must not be 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// A time until something happens that happens once in `mean` on average: exponential, and at least 1.
    pub(super) fn until(&mut self, mean: u64) -> u64 {
        let uniform = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        (-(1.0 - uniform).ln() * mean as f64) as u64 + 1
    }
}
