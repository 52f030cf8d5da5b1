//! Checksums of the contents of a run file: damage to any byte that is read is noticed. They are not a seal: a program
//! that can write the file can recompute them. It reads no rows: its callers give it their bytes.
//!
//! Each setting has one, of its key and its value, and each game two: of its log, and of everything else with the first. A
//! separate setting counts the games and adds up their checksums, so that none is missing or duplicated.

use sha2::{Digest, Sha256};

/// Bytes of a checksum.
const BYTES: usize = 8;

/// The first 8 bytes of a SHA-256.
pub(super) type Checksum = [u8; BYTES];

/// The checksum of `parts`, in order, each preceded by its length.
fn of(parts: &[&[u8]]) -> Checksum {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let digest: [u8; 32] = hash.finalize().into();
    std::array::from_fn(|byte| digest[byte])
}

/// The checksum of a setting.
pub(super) fn of_setting(key: &str, value: &str) -> Checksum {
    of(&[key.as_bytes(), value.as_bytes()])
}

/// The checksum of the log of game number `number`.
pub(super) fn of_log(number: i64, log: &[u8]) -> Checksum {
    of(&[&number.to_be_bytes(), log])
}

/// The checksum of the row of game number `number`, whose log has the checksum `log`.
pub(super) fn of_game(number: i64, outcome: &[u8], faults: Option<&str>, digest: &[u8], log: &[u8]) -> Checksum {
    let faults = faults.map_or(&[][..], str::as_bytes);
    of(&[&number.to_be_bytes(), outcome, faults, digest, log])
}

/// The number of games, and the sum of their checksums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Total {
    pub(super) games: u64,
    sum: u64,
}

impl Total {
    pub(super) fn add(&mut self, game: Checksum) {
        self.games += 1;
        self.sum = self.sum.wrapping_add(u64::from_be_bytes(game));
    }

    pub(super) fn remove(&mut self, game: Checksum) {
        self.games = self.games.wrapping_sub(1);
        self.sum = self.sum.wrapping_sub(u64::from_be_bytes(game));
    }
}

impl AsRef<Total> for Total {
    fn as_ref(&self) -> &Total {
        self
    }
}

impl std::fmt::Display for Total {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:016x}", self.games, self.sum)
    }
}

impl std::str::FromStr for Total {
    type Err = std::num::ParseIntError;
    fn from_str(text: &str) -> Result<Total, Self::Err> {
        let (games, sum) = text.split_once(' ').unwrap_or((text, ""));
        Ok(Total { games: games.parse()?, sum: u64::from_str_radix(sum, 16)? })
    }
}
