//! Examines eight bytes at once, as a number whose lowest byte is the first. Each function only marks the bytes of one
//! class; its caller reads the marks and knows what the text is.
//!
//! A byte is marked by its high bit. The lowest mark is always right; above it there may be false ones.

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;

/// Bytes that are 0.
const fn zeros(eight: u64) -> u64 {
    eight.wrapping_sub(ONES) & !eight & HIGH
}

/// Bytes that are `byte`.
const fn equal(eight: u64, byte: u8) -> u64 {
    zeros(eight ^ (ONES * byte as u64))
}

/// Bytes that need an escape in a JSON text: control characters, the quote and the backslash.
#[inline]
pub(crate) const fn escaped(eight: u64) -> u64 {
    let control = eight.wrapping_sub(ONES * 0x20) & !eight & HIGH;
    control | equal(eight, b'"') | equal(eight, b'\\')
}

/// Those and whatever is not printable ASCII.
#[inline]
pub(crate) const fn unusual(eight: u64) -> u64 {
    escaped(eight) | equal(eight, 0x7f) | (eight & HIGH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_high_bit_is_right_for_every_byte_at_every_place() {
        for place in 0..8 {
            for byte in 0..=u8::MAX {
                for filling in [b'a', b' ', b'!', b'~'] {
                    let mut bytes = [filling; 8];
                    bytes[place] = byte;
                    let eight = u64::from_le_bytes(bytes);
                    let is_escaped = byte < 0x20 || byte == b'"' || byte == b'\\';
                    let is_unusual = is_escaped || byte >= 0x7f;
                    for (found, is_found) in [(escaped(eight), is_escaped), (unusual(eight), is_unusual)] {
                        let first = (found != 0).then(|| found.trailing_zeros() as usize / 8);
                        assert_eq!(first, is_found.then_some(place), "{bytes:?}");
                    }
                }
            }
        }
    }
}
