//! What submitter, workers and collector say to one another, as JSON. Data only; nothing is sent from here.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::unit::Sha;

/// The version of everything here. Other versions are refused by name.
pub const SCHEMA: &str = "maumau-cluster/1";

/// Maximum bytes of the first line of a result.
const MAX_HEAD: usize = 64 * 1024;

/// A submitted run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`SCHEMA`].
    pub schema: String,
    /// The hash of the run's settings, by which the object store holds them.
    pub run: Sha,
    /// The version of the program that submitted it. Others might play other games.
    pub program: String,
    /// The number of games; absent = they follow from rounds, which the collector decides.
    pub games: Option<u64>,
    /// The number of units; absent as `games`.
    pub units: Option<u64>,
    /// Games of a unit, at most.
    pub unit_games: u64,
    /// Seconds after which a unit goes to another worker if its worker says nothing.
    pub lease_s: u64,
    /// So many failures park a unit.
    pub park_after: u32,
    /// Each agent of the run in its order: how workers get it.
    pub agents: Vec<Travel>,
    /// When it was submitted, in milliseconds since 1970.
    pub submitted_ms: u64,
}

/// How an agent comes to a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Travel {
    /// It needs no files: it is a part of this program, or its program is installed.
    Installed,
    /// As an archive in the object store.
    Archive(Sha),
    /// The worker has its folder, which must pack to this digest.
    Present(Sha),
}

/// A worker and the machine that it runs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worker {
    /// Unique: host, process and some random digits.
    pub name: String,
    /// The host's class: its processors, and how many of them the worker plays on.
    pub class: String,
}

/// The first line of a result; the games follow it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// [`SCHEMA`].
    pub schema: String,
    /// The unit's id.
    pub unit: Sha,
    /// The unit's number.
    pub number: u64,
    /// Who played it.
    pub worker: Worker,
    /// The host's load over a minute when it was played, in thousandths.
    pub load_milli: u64,
    /// Milliseconds from the first game's beginning to the last one's end.
    pub took_ms: u64,
}

impl Head {
    /// The result with these games.
    pub fn with(&self, games: &[u8]) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).expect("a head has no map whose keys are not texts");
        bytes.push(b'\n');
        bytes.extend_from_slice(games);
        bytes
    }

    /// Takes a result apart.
    ///
    /// # Errors
    /// It has no such head, or one of another version.
    pub fn split(result: &[u8]) -> Result<(Head, &[u8])> {
        let end = result.iter().take(MAX_HEAD).position(|byte| *byte == b'\n').context("the result has no head")?;
        let head: Head = serde_json::from_slice(&result[..end]).context("the head of the result cannot be read")?;
        ensure!(head.schema == SCHEMA, "the result is of version {:?}, expected {SCHEMA}", head.schema);
        Ok((head, &result[end + 1..]))
    }
}

/// A unit's failure on a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitFailure {
    /// The worker.
    pub worker: String,
    /// What happened.
    pub why: String,
}

/// What is known of a unit that has failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failures {
    /// In order.
    pub list: Vec<UnitFailure>,
    /// True once it is given to no worker any more.
    pub parked: bool,
}

/// What a worker does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum WorkerState {
    /// It waits for units.
    Idle,
    /// It plays units of this run.
    Playing(String),
    /// It takes no more units, and why.
    Drained(String),
    /// It has left.
    Left,
}

/// What a worker says of itself every few seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerReport {
    /// [`SCHEMA`].
    pub schema: String,
    /// The worker.
    pub worker: Worker,
    /// What it does.
    pub doing: WorkerState,
    /// Runs that it cannot play, and why.
    pub refuses: Vec<(String, String)>,
    /// Units in hand: their numbers, and seconds since each was taken.
    pub in_hand: Vec<(u64, u64)>,
    /// Units handed in.
    pub units: u64,
    /// Games handed in.
    pub games: u64,
    /// Games a second over the last seconds, in thousandths.
    pub games_per_s_milli: u64,
    /// Answers of agents.
    pub answers: u64,
    /// Deadlines that did not count because the host was to blame.
    pub void: u64,
    /// The host's load over a minute, in thousandths.
    pub load_milli: u64,
}

/// A text that cannot be the name of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?}: expected at most 48 letters, digits, - and _")]
pub struct BadName(String);

/// Checks the name of a run: it becomes a part of subjects and streams.
///
/// # Errors
/// It has other characters, or too many.
pub fn check_name(name: &str) -> Result<(), BadName> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    match (1..=48).contains(&name.len()) && name.bytes().all(is_plain) {
        true => Ok(()),
        false => Err(BadName(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        let worker = Worker { name: "host-1-abc".to_owned(), class: "some processor".to_owned() };
        Head { schema: SCHEMA.to_owned(), unit: Sha::of(b"unit"), number: 7, worker, load_milli: 250, took_ms: 12 }
    }

    #[test]
    fn a_result_comes_apart_as_it_was_put_together_whatever_its_games_are() {
        for games in [&b""[..], b"\n", b"\n\n{}", &[0, 255, 10, 13]] {
            assert_eq!(Head::split(&head().with(games)).expect("a result"), (head(), games));
        }
    }

    #[test]
    fn results_without_a_head_or_of_another_version_are_refused() {
        let other = Head { schema: "maumau-cluster/2".to_owned(), ..head() }.with(b"");
        for (bytes, why) in [
            (Vec::new(), "no head"),
            (vec![b' '; 2 * MAX_HEAD], "no head"),
            (b"{}\n".to_vec(), "cannot be read"),
            (other, "of version \"maumau-cluster/2\""),
        ] {
            let error = format!("{:#}", Head::split(&bytes).expect_err(why));
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn names_that_steer_subjects_are_refused() {
        for wrong in ["", "a.b", "a*", ">", "a b", "ä", &"x".repeat(49)] {
            assert!(check_name(wrong).is_err(), "{wrong}");
        }
        assert_eq!(check_name("My-League_2"), Ok(()));
    }
}
