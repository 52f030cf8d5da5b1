//! Choices that can be made again: SplitMix64.

/// A row of numbers from one seed.
pub(super) struct Dice(u64);

fn mixed(number: u64) -> u64 {
    let mut z = number;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Dice {
    /// The row that belongs to `path`; different paths have rows that have nothing to do with each other.
    pub(super) fn new(path: &[u64]) -> Dice {
        let step = |state: u64, part: &u64| mixed(state ^ mixed(part.wrapping_add(0x9e37_79b9_7f4a_7c15)));
        Dice(path.iter().fold(path.len() as u64, step))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// 0 to `count` - 1.
    pub(super) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// True `percent` times in a hundred.
    pub(super) fn often(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub(super) fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for place in (1..things.len()).rev() {
            things.swap(place, self.below(place + 1));
        }
    }
}
