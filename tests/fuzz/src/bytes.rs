//! Choices that a target makes from its input. It knows no target; bytes that are used up count as zeros.

/// An input that is used up from its beginning; behind its end are zeros.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn is_spent(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// 0 to `count` - 1, of at most 65,536. Not that of the engine's dice: kept inputs are spelled with this one.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        match count {
            0..=256 => usize::from(self.byte()) % count.max(1),
            _ => (usize::from(self.byte()) << 8 | usize::from(self.byte())) % count,
        }
    }

    pub(crate) fn pick<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())]
    }

    /// The bytes up to the next newline, which is passed over.
    pub(crate) fn line(&mut self) -> &'a [u8] {
        let end = self.0.iter().position(|byte| *byte == b'\n').unwrap_or(self.0.len());
        let (line, rest) = self.0.split_at(end);
        self.0 = rest.get(1..).unwrap_or_default();
        line
    }
}

/// A number that follows from all of `data`, for choices that are to be independent of what is in it.
pub(crate) fn mixed(data: &[u8]) -> u64 {
    let fnv = |state: u64, byte: &u8| (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    data.iter().fold(0xcbf2_9ce4_8422_2325, fnv) >> 32
}
