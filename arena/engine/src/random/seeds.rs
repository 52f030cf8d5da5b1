//! Seeds, names of games and commitments, each derived from others by a hash (SPEC 8.1 to 8.4, 8.10). Pure functions:
//! nothing is drawn here.
//!
//! This module knows no cards and no rounds; its neighbours draw from a seed.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use maumau_protocol::seed::hex;
use maumau_protocol::{Seat, Seed};
use sha2::{Digest, Sha256};

/// HMAC-SHA-256 of `parts`, each followed by a zero byte, under `key`.
pub(super) fn keyed_hash(key: &Seed, parts: &[&[u8]]) -> [u8; 32] {
    #[allow(clippy::expect_used)]
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key.0).expect("HMAC takes a key of any length");
    for part in parts {
        mac.update(part);
        mac.update(b"\0");
    }
    mac.finalize().into_bytes().into()
}

/// The seed that a whole number stands for: SHA-256 of the text `maumau seed N` (SPEC 8.1).
pub fn seed_of_number(number: u64) -> Seed {
    Seed(Sha256::digest(format!("maumau seed {number}")).into())
}

/// A text that is no seed; says what a seed looks like.
#[derive(Debug)]
pub struct SeedTextError;

impl fmt::Display for SeedTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a seed: write 64 hexadecimal digits, or a whole number from 0 to 2^64-1")
    }
}

impl std::error::Error for SeedTextError {}

/// Reads a seed as people write it: 64 hexadecimal digits, or a decimal number as in [`seed_of_number`].
///
/// # Errors
/// The text is neither of these.
pub fn parse_seed(text: &str) -> Result<Seed, SeedTextError> {
    if text.len() == 64 {
        return text.parse().map_err(|_| SeedTextError);
    }
    // A number has no sign.
    let number = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    number.and_then(|number| number.parse().ok()).map(seed_of_number).ok_or(SeedTextError)
}

/// The seed of a deal of a run: revealing one seed says nothing about the others.
pub fn deal_seed(master: &Seed, deal: &str) -> Seed {
    Seed(keyed_hash(master, &[b"maumau/1 deal", deal.as_bytes()]))
}

/// The name under which agents know a game, 16 hexadecimal digits that reveal nothing about `planned`, its name in the run:
/// names must not show which games share a deal.
pub fn game_id(master: &Seed, planned: &str) -> String {
    hex(&keyed_hash(master, &[b"maumau/1 game", planned.as_bytes()])[..8])
}

/// The seed that an agent is given for its own use, 16 hexadecimal digits.
pub fn agent_seed(game_seed: &Seed, game: &str, seat: Seat) -> String {
    hex(&keyed_hash(game_seed, &[b"maumau/1 agent", game.as_bytes(), seat.to_string().as_bytes()])[..8])
}

/// The commitment that `start` publishes: SHA-256 of `maumau/1 commitment`, a zero byte, the game id, a zero byte and the
/// 32 bytes of the seed, as 64 hexadecimal digits (SPEC 8.10). The game id is in it so that nobody can see that two games
/// are of one deal.
pub fn commitment(game: &str, seed: &Seed) -> String {
    let hasher = Sha256::new().chain_update(b"maumau/1 commitment\0").chain_update(game).chain_update(b"\0");
    hex(&hasher.chain_update(seed.0).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_read_as_digits_or_as_a_number() {
        let seed = parse_seed("7").expect("a number");
        assert_eq!(parse_seed(&seed.to_string()).expect("its digits"), seed);
        assert_eq!(parse_seed("18446744073709551615").expect("the largest"), seed_of_number(u64::MAX));
        for wrong in ["", "-1", "+1", "x", "18446744073709551616", &"g".repeat(64), &"7".repeat(63)] {
            assert!(parse_seed(wrong).is_err(), "{wrong}");
        }
    }
}
