//! The names of conduct faults: what an agent can do wrong as a program, whatever the rules of the game (SPEC §6); and counts
//! of faults of every kind.
//!
//! What each of them is, costs and leads to is the fault table's business, which belongs to the referee.

mod counts;

use crate::named::named;

pub use counts::{CountedFault, FaultCounts, FreeFault};

named! {
    /// A wrong line or a lost agent, in the order of the table, which is their precedence. Each one that a living agent commits is
    /// a strike (G-04).
    pub enum ConductFault {
        /// A line over the limit; the rest of it is skipped to its newline.
        LineTooLong = "line_too_long",
        /// More lines than allowed while one ask is open.
        Flood = "flood",
        /// Not UTF-8 or not JSON.
        NotJson = "not_json",
        /// JSON, but not a message: not an object, a member missing, doubled or of a wrong type.
        WrongShape = "wrong_shape",
        /// An action that does not exist.
        UnknownVerb = "unknown_verb",
        /// A message that does not belong at this point, such as a second `ready`.
        OutOfPlace = "out_of_place",
        /// A game that is not open.
        UnknownGame = "unknown_game",
        /// An ask of this game that has been answered.
        StaleId = "stale_id",
        /// An id that was never given.
        UnknownId = "unknown_id",
        /// A card that is not in the hand.
        NotInHand = "not_in_hand",
        /// A suit or value that had to be named is missing, or one that cannot be named.
        WrongChoice = "wrong_choice",
        /// An answer that is not one to this ask, such as `wait` when a move is due.
        NotAnAnswer = "not_an_answer",
        /// The agent ended or closed its output.
        Gone = "gone",
        /// The agent could not be started, or was not ready in time, or speaks another protocol.
        NotStarted = "not_started",
        /// Too many deadlines in a row, each of a move that the game waited for, without an answer.
        Silent = "silent",
    }
}
