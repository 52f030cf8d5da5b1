//! Repeatable choices: from a seed by SplitMix64, or from given bytes. It knows no game. It changes only its own state,
//! and draws no randomness from the system.

/// A sequence of numbers.
#[derive(Clone, Debug)]
pub enum ChoiceStream<'a> {
    /// The state of a sequence that follows from a seed.
    Row(u64),
    /// Bytes that have not been used; zeros come after them.
    Bytes(&'a [u8]),
}

fn mixed(number: u64) -> u64 {
    let mut z = number;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl ChoiceStream<'_> {
    /// The sequence that belongs to `path`; different paths have unrelated sequences.
    pub fn new(path: &[u64]) -> ChoiceStream<'static> {
        let step = |state: u64, part: &u64| mixed(state ^ mixed(part.wrapping_add(0x9e37_79b9_7f4a_7c15)));
        ChoiceStream::Row(path.iter().fold(path.len() as u64, step))
    }

    /// The sequence that belongs to `bytes`, not the bytes themselves.
    pub fn of_bytes(bytes: &[u8]) -> ChoiceStream<'static> {
        let step = |state: u64, byte: &u8| (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        ChoiceStream::Row(mixed(bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)))
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.number(u64::MAX)
    }

    /// A separate sequence, which follows from this one.
    pub fn fork(&mut self) -> ChoiceStream<'static> {
        ChoiceStream::Row(self.any())
    }

    /// A number from which one up to `most` can be made: takes no more bytes than that needs.
    fn number(&mut self, most: u64) -> u64 {
        match self {
            ChoiceStream::Row(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                mixed(*state)
            }
            ChoiceStream::Bytes(bytes) => {
                let count = 8 - most.leading_zeros() as usize / 8;
                let (taken, rest) = bytes.split_at(count.min(bytes.len()));
                *bytes = rest;
                taken.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
            }
        }
    }

    /// Whether there are no bytes left.
    pub fn is_spent(&self) -> bool {
        matches!(self, ChoiceStream::Bytes([]))
    }

    /// 0 to `count` - 1; `count` must not be 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.number_below(count as u64) as usize
    }

    /// As [`ChoiceStream::below`].
    pub fn number_below(&mut self, count: u64) -> u64 {
        self.number(count - 1) % count
    }

    /// A number from 0 up to, but without, 1.
    pub fn part(&mut self) -> f32 {
        // As many bits as the number holds.
        (self.any() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// True once in that many times.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.number_below(times) == 0
    }

    /// True `percent` times in a hundred.
    pub fn often(&mut self, percent: u64) -> bool {
        self.number(99) % 100 < percent
    }

    /// One of them; there must be at least one.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    /// Puts them in a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for place in (1..things.len()).rev() {
            things.swap(place, self.below(place + 1));
        }
    }
}
