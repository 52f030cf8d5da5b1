//! The first line of a record, and what an arena would never write there.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::RECORD_FORMAT;
use maumau_protocol::MAX_SEATS;
use maumau_protocol::limits::{MAX_MS, MAX_NAME_CHARS, MAX_ROUNDS};
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::seed::Seed;
use maumau_protocol::steers;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`RECORD_FORMAT`].
    pub format: String,
    /// The version of the engine that played.
    pub engine: String,
    /// The game.
    pub game: GameId,
    /// The names of the seats.
    pub names: Vec<String>,
    /// The resolved rule set.
    pub rules: Arc<RuleSet>,
    /// Rounds of the match.
    pub rounds: u32,
    /// The game's seed.
    pub seed: Seed,
    /// How answers were put in order.
    pub clock: ClockMode,
    /// The time a seat had.
    pub time: TimeControl,
}

impl Header {
    /// Holds everything but the rules to the limits that an arena keeps (SPEC 9.10).
    ///
    /// # Errors
    /// Names the first member that is beyond, and its limit.
    pub fn check(&self) -> Result<(), HeaderError> {
        let fail = |what: String| Err(HeaderError(what));
        let Header { format, engine, game, names, rules: _, rounds, seed: _, clock: _, time } = self;
        if format != RECORD_FORMAT {
            let shown: String = format.chars().take(MAX_NAME_CHARS).collect();
            return fail(format!("the record is of the format {shown:?}; this program reads {RECORD_FORMAT:?}"));
        }
        if !(2..=MAX_SEATS).contains(&names.len()) {
            return fail(format!("the header has {} names; a table has 2 to {MAX_SEATS} seats", names.len()));
        }
        let texts = [("engine", engine.as_str()), ("game", &game.0)];
        for (member, text) in texts.into_iter().chain(names.iter().map(|name| ("names", name.as_str()))) {
            let count = text.chars().count();
            if count > MAX_NAME_CHARS {
                let what =
                    format!("the header has {count} characters in a text of {member}; at most are {MAX_NAME_CHARS}");
                return fail(what);
            }
            if let Some(c) = text.chars().find(|c| steers(*c)) {
                return fail(format!("the header has the character {} in {member}", c.escape_unicode()));
            }
        }
        if !(1..=MAX_ROUNDS).contains(rounds) {
            return fail(format!("the header has {rounds} rounds; a match has 1 to {MAX_ROUNDS}"));
        }
        let longest = time.longest_ms();
        if longest > MAX_MS {
            return fail(format!("the header has a time of {longest} ms; at most are {MAX_MS}"));
        }
        Ok(())
    }
}

/// The head of a record is not one that an arena writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HeaderError(pub String);
