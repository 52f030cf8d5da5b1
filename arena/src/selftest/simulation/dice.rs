//! Choices that can be made again: SplitMix64.

/// A row of numbers from one seed.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

fn mixed(number: u64) -> u64 {
    let mut z = number;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Dice {
    /// The row of `number` in the rows of `seed`.
    pub(super) fn new(seed: u64, number: u64) -> Dice {
        Dice(mixed(mixed(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ number))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A row of its own.
    pub(super) fn fork(&mut self) -> Dice {
        Dice(self.next())
    }

    /// 0 to `count` - 1.
    pub(super) fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    /// True once in so many times.
    pub(super) fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len() as u64) as usize]
    }
}
