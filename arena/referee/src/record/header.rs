//! The first line of a record, and the checks for values that an arena would never write there. It checks the header by
//! itself; whether the game agrees with it is found by `verify`.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_protocol::limits::{MAX_MS, MAX_NAME_CHARS, MAX_ROUNDS};
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{MAX_SEATS, Seat, Seed, steers};
use serde::{Deserialize, Serialize};

/// The name and version of the format.
pub const RECORD_FORMAT: &str = "maumau-record/2";

/// The first line. Members that all games of a league share come first, so that its records begin with the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`RECORD_FORMAT`].
    pub format: String,
    /// The version of the engine that played.
    pub engine: String,
    /// The resolved rule set.
    pub rules: Arc<RuleSet>,
    /// Rounds of the match.
    pub rounds: u32,
    /// How answers were put in order.
    pub clock: ClockMode,
    /// The time a seat had.
    pub time: TimeControl,
    /// The game.
    pub game: GameId,
    /// The names of the seats.
    pub names: Vec<String>,
    /// The game's seed.
    pub seed: Seed,
}

impl Header {
    /// The header of a game at a table of `rules`, which an engine of that version plays.
    pub fn new(
        rules: &Rules,
        engine: &str,
        clock: ClockMode,
        time: TimeControl,
        game: GameId,
        names: Vec<String>,
        seed: Seed,
    ) -> Header {
        Header {
            format: RECORD_FORMAT.to_owned(),
            engine: engine.to_owned(),
            rules: Arc::clone(rules.set()),
            rounds: rules.rounds(),
            clock,
            time,
            game,
            names,
            seed,
        }
    }

    /// Checks everything but the rules against the limits of an arena (SPEC 9.10).
    ///
    /// # Errors
    /// Names the first member that is over its limit, and the limit.
    pub fn check(&self) -> Result<(), HeaderError> {
        let fail = |what: String| Err(HeaderError(what));
        let Header { format, engine, rules: _, rounds, clock: _, time, game, names, seed: _ } = self;
        if format != RECORD_FORMAT {
            return Err(HeaderError::other_format(format));
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

impl HeaderError {
    /// The record has a format that this program does not read.
    pub(crate) fn other_format(format: &str) -> HeaderError {
        let shown: String = format.chars().take(MAX_NAME_CHARS).collect();
        HeaderError(format!("the record is of the format {shown:?}; this program reads {RECORD_FORMAT:?}"))
    }
}

/// What the seats of a table are called where agents are not shown who plays.
pub(crate) fn numbered(seats: usize) -> Vec<String> {
    Seat::all(seats).map(|seat| format!("seat-{seat}")).collect()
}

/// The header's last members, which differ between the games of a league, in the order in which they are written.
#[derive(Serialize, Deserialize)]
pub(crate) struct OwnMembers {
    pub(crate) game: GameId,
    pub(crate) names: Vec<String>,
    pub(crate) seed: Seed,
}

impl Header {
    /// True if the record of a game with the header `other` begins with the same bytes, up to those members, at a table of as many
    /// seats.
    pub(crate) fn begins_like(&self, other: &Header) -> bool {
        let Header { format, engine, rules, rounds, clock, time, game: _, names, seed: _ } = self;
        let is_same = (format, engine, rounds, clock, time)
            == (&other.format, &other.engine, &other.rounds, &other.clock, &other.time);
        is_same && names.len() == other.names.len() && (Arc::ptr_eq(rules, &other.rules) || *rules == other.rules)
    }

    /// The values of those members.
    pub(crate) fn own_members(&self) -> OwnMembers {
        OwnMembers { game: self.game.clone(), names: self.names.clone(), seed: self.seed }
    }
}

/// The head of a record is not one that an arena writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HeaderError(pub String);
