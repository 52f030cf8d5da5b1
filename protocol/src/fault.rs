//! The names of conduct faults: what an agent can do wrong as a program, whatever the rules of the game (SPEC §6); and counts
//! of faults of every kind.
//!
//! What each of them is, costs and leads to is the fault table's business, which belongs to the referee.

mod counts;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use counts::{CountedFault, FaultCounts, FreeFault};

/// A wrong line or a lost agent. Each one that a living agent commits is a strike (G-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ConductFault {
    /// A line over the limit; the rest of it is skipped to its newline.
    LineTooLong,
    /// More lines than allowed while one ask is open.
    Flood,
    /// Not UTF-8 or not JSON.
    NotJson,
    /// JSON, but not a message: not an object, a member missing, doubled or of a wrong type.
    WrongShape,
    /// An action that does not exist.
    UnknownVerb,
    /// A message that does not belong at this point, such as a second `ready`.
    OutOfPlace,
    /// A game that is not open.
    UnknownGame,
    /// An ask of this game that has been answered.
    StaleId,
    /// An id that was never given.
    UnknownId,
    /// A card that is not in the hand.
    NotInHand,
    /// A suit or value that had to be named is missing, or one that cannot be named.
    WrongChoice,
    /// An answer that is not one to this ask, such as `wait` when a move is due.
    NotAnAnswer,
    /// The agent ended or closed its output.
    Gone,
    /// The agent could not be started, or was not ready in time, or speaks another protocol.
    NotStarted,
    /// Too many deadlines in a row, each of a move that the game waited for, without an answer.
    Silent,
}

impl ConductFault {
    /// Every fault in the order of the table, which is their precedence.
    pub const ALL: [ConductFault; 15] = [
        ConductFault::LineTooLong,
        ConductFault::Flood,
        ConductFault::NotJson,
        ConductFault::WrongShape,
        ConductFault::UnknownVerb,
        ConductFault::OutOfPlace,
        ConductFault::UnknownGame,
        ConductFault::StaleId,
        ConductFault::UnknownId,
        ConductFault::NotInHand,
        ConductFault::WrongChoice,
        ConductFault::NotAnAnswer,
        ConductFault::Gone,
        ConductFault::NotStarted,
        ConductFault::Silent,
    ];

    /// The name on the wire, in records and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            ConductFault::LineTooLong => "line_too_long",
            ConductFault::Flood => "flood",
            ConductFault::NotJson => "not_json",
            ConductFault::WrongShape => "wrong_shape",
            ConductFault::UnknownVerb => "unknown_verb",
            ConductFault::OutOfPlace => "out_of_place",
            ConductFault::UnknownGame => "unknown_game",
            ConductFault::StaleId => "stale_id",
            ConductFault::UnknownId => "unknown_id",
            ConductFault::NotInHand => "not_in_hand",
            ConductFault::WrongChoice => "wrong_choice",
            ConductFault::NotAnAnswer => "not_an_answer",
            ConductFault::Gone => "gone",
            ConductFault::NotStarted => "not_started",
            ConductFault::Silent => "silent",
        }
    }
}
