//! A seed that a person wrote down, and whether agents could find it by trying. It draws nothing and knows no league.

use std::str::FromStr;

use maumau_engine::{SeedTextError, parse_seed};
use maumau_protocol::Seed;

/// The fewest different bytes among the 32 of a seed that was drawn. Chance brings fewer less than once in 10^16 times; otherwise a
/// person has made it up.
const DIFFERENT_BYTES: usize = 16;

/// What agents of other people may know of a league with such a seed, and what to write instead.
pub(super) const GUESSABLE: &str = "agents can find a seed that a person chose by trying, and then they know every card. Leave it \
     out, and one is drawn and kept in the run file; or write 64 hexadecimal digits that were drawn";

/// A seed as a person gave it, in a league file or on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenSeed {
    /// The seed.
    pub seed: Seed,
    /// True if an agent that sees the first message of a game can find it: a number, or digits that nobody drew.
    pub is_guessable: bool,
}

impl FromStr for GivenSeed {
    type Err = SeedTextError;

    fn from_str(text: &str) -> Result<GivenSeed, SeedTextError> {
        let seed = parse_seed(text)?;
        let mut bytes = seed.0;
        bytes.sort_unstable();
        let different = 1 + bytes.windows(2).filter(|pair| pair[0] != pair[1]).count();
        Ok(GivenSeed { seed, is_guessable: text.len() != 64 || different < DIFFERENT_BYTES })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_digits_that_nobody_drew_are_guessable() {
        for (text, is_guessable) in [
            ("7", true),
            ("18446744073709551615", true),
            (&*"0".repeat(64), true),
            (&*format!("{:064}", 7), true),
            (&*"0123456789abcdef".repeat(4), true),
            (&*"deadbeef".repeat(8), true),
            (&*maumau_engine::seed_of_number(7).to_string(), false),
            ("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", false),
        ] {
            let given: GivenSeed = text.parse().expect("a seed");
            assert_eq!(given, GivenSeed { seed: parse_seed(text).expect("a seed"), is_guessable }, "{text}");
        }
        assert!("x".parse::<GivenSeed>().is_err());
    }
}
