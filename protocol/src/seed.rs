//! Seeds: 64 hexadecimal digits, and how such digits are read and written. What follows from a seed is the engine's
//! business (SPEC §8).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// 256 bits from which everything random in a game, or in a run, follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub [u8; 32]);

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(..)")
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// A text that is not the 64 hexadecimal digits of a seed.
#[derive(Debug, thiserror::Error)]
#[error("not a seed: 64 hexadecimal digits")]
pub struct ParseSeedError;

impl FromStr for Seed {
    type Err = ParseSeedError;
    fn from_str(text: &str) -> Result<Seed, ParseSeedError> {
        unhex(text).map(Seed).ok_or(ParseSeedError)
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let mut digits = Vec::with_capacity(2 * bytes.len());
    write_hex(&mut digits, bytes);
    String::from_utf8(digits).unwrap_or_default()
}

/// Adds lower-case hexadecimal digits to `out`.
#[inline]
pub(crate) fn write_hex(out: &mut Vec<u8>, bytes: &[u8]) {
    let (fours, rest) = bytes.as_chunks();
    for four in fours {
        out.extend_from_slice(&digits_of_four(*four));
    }
    let mut four = [0; 4];
    four[..rest.len()].copy_from_slice(rest);
    out.extend_from_slice(&digits_of_four(four)[..2 * rest.len()]);
}

/// The two lower-case hexadecimal digits of each byte.
#[inline]
pub fn digits_of<const N: usize>(bytes: [u8; N]) -> [[u8; 2]; N] {
    const { assert!(N.is_multiple_of(4), "four bytes at a time") };
    let mut digits = [[0; 2]; N];
    for (eight, four) in digits.as_flattened_mut().as_chunks_mut().0.iter_mut().zip(bytes.as_chunks().0) {
        *eight = digits_of_four(*four);
    }
    digits
}

/// The digits of four bytes.
#[inline(always)]
fn digits_of_four(bytes: [u8; 4]) -> [u8; 8] {
    let mut halves = u64::from(u32::from_be_bytes(bytes));
    halves = (halves << 16 | halves) & 0x0000_ffff_0000_ffff;
    halves = (halves << 8 | halves) & 0x00ff_00ff_00ff_00ff;
    halves = (halves << 4 | halves) & 0x0f0f_0f0f_0f0f_0f0f;
    let letters = (halves + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    (halves + u64::from_be_bytes([b'0'; 8]) + letters * u64::from(b'a' - 10 - b'0')).to_be_bytes()
}

/// Reads exactly 32 bytes of hexadecimal digits.
pub fn unhex(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let high = (pair[0] as char).to_digit(16)?;
        let low = (pair[1] as char).to_digit(16)?;
        *byte = (high << 4 | low) as u8;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_read_back_from_their_digits() {
        let seed = Seed(std::array::from_fn(|place| 37_u8.wrapping_mul(place as u8)));
        assert_eq!(seed.to_string().parse::<Seed>().expect("its digits"), seed);
        for wrong in ["", "7", &"g".repeat(64), &"7".repeat(63), &"7".repeat(65)] {
            assert!(wrong.parse::<Seed>().is_err(), "{wrong}");
        }
    }
}
