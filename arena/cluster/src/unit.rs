//! A unit of work: some games of a run that one worker plays. It names games by numbers; what they are is not known here.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A SHA-256 in hexadecimal digits: of a run's settings, an archive, a unit or a result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sha(String);

impl Sha {
    /// The hash of all `parts` together, each with its length before it.
    pub fn of_parts(parts: &[&[u8]]) -> Sha {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Sha(hex(&hash.finalize()))
    }

    /// The plain SHA-256 of `bytes`.
    pub fn of(bytes: &[u8]) -> Sha {
        Sha(hex(&Sha256::digest(bytes)))
    }

    /// What `hash` comes to.
    pub(crate) fn finished(hash: Sha256) -> Sha {
        Sha(hex(&hash.finalize()))
    }

    /// Its 64 digits.
    pub fn digits(&self) -> &str {
        &self.0
    }

    /// Its first digits, for people.
    pub fn short(&self) -> &str {
        &self.0[..12]
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A text that is no SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hexadecimal digits, found {0:?}")]
pub struct NoSha(String);

impl TryFrom<String> for Sha {
    type Error = NoSha;

    fn try_from(text: String) -> Result<Sha, NoSha> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        match text.len() == 64 && text.bytes().all(is_digit) {
            true => Ok(Sha(text)),
            false => Err(NoSha(text)),
        }
    }
}

impl From<Sha> for String {
    fn from(sha: Sha) -> String {
        sha.0
    }
}

impl fmt::Display for Sha {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Some games of a run that are played and handed in together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Its number in the run, from 0.
    pub number: u64,
    /// The number of its first game in the plan; its games are consecutive.
    pub first: u64,
    /// The number of games.
    pub games: u64,
    /// The games themselves, where a worker cannot compute them from their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listed: Vec<Listed>,
}

/// One game of a run whose games follow from rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// The group of its deal.
    pub group: u32,
    /// The number of its deal within the group.
    pub deal: u32,
    /// The rotation of the seats.
    pub rotation: u8,
    /// The numbers of its agents in seat order.
    pub agents: Vec<u16>,
}

impl Unit {
    /// The unit's id in the run with the settings `run`: it stands for the rules, the seed, the agents' fingerprints, the
    /// limits and the games.
    pub fn id(&self, run: &Sha) -> Sha {
        let mut games = Vec::new();
        for game in &self.listed {
            games.extend_from_slice(&game.group.to_be_bytes());
            games.extend_from_slice(&game.deal.to_be_bytes());
            games.push(game.rotation);
            games.push(game.agents.len() as u8);
            game.agents.iter().for_each(|agent| games.extend_from_slice(&agent.to_be_bytes()));
        }
        let numbers = [self.number, self.first, self.games].map(u64::to_be_bytes).concat();
        Sha::of_parts(&[b"maumau/1 unit", run.digits().as_bytes(), &numbers, &games])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_unit_depends_on_its_run_and_on_every_game() {
        let (run, other) = (Sha::of(b"run"), Sha::of(b"another run"));
        let game = Listed { group: 1, deal: 2, rotation: 0, agents: vec![0, 1] };
        let unit = Unit { number: 3, first: 6, games: 2, listed: vec![game.clone()] };
        let changed = [
            Unit { number: 4, ..unit.clone() },
            Unit { first: 8, ..unit.clone() },
            Unit { games: 4, ..unit.clone() },
            Unit { listed: vec![], ..unit.clone() },
            Unit { listed: vec![Listed { agents: vec![1, 0], ..game.clone() }], ..unit.clone() },
            Unit { listed: vec![Listed { deal: 3, ..game }], ..unit.clone() },
        ];
        let mut ids: Vec<Sha> =
            changed.iter().map(|unit| unit.id(&run)).chain([unit.id(&run), unit.id(&other)]).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), changed.len() + 2);
    }

    #[test]
    fn only_hexadecimal_digits_are_a_hash() {
        for wrong in ["", "abc", &"g".repeat(64), &"A".repeat(64), "../../etc/passwd"] {
            assert!(Sha::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
        let empty = Sha::of(b"");
        assert_eq!(empty.digits(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(Sha::try_from(String::from(empty.clone())), Ok(empty));
    }
}
