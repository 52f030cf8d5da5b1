//! What the seat to move faces: each thing that can stand between it and an ordinary turn, with its data. Data only;
//! the code that judges each of them says what follows from it.

use maumau_protocol::ruleset::Again;
use maumau_protocol::{Card, Seat};

use super::debt::Owed;

/// What the seat to move faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum Facing {
    /// An ordinary turn.
    Ordinary {
        /// Cards drawn in it so far.
        drawn: u8,
        /// The last one, if it is still in the hand.
        last: Option<Card>,
    },
    /// Cards are owed.
    Owed(Owed),
    /// Turns are lost unless the seat answers.
    Skipped {
        /// Index into the rules' skips.
        skip: u8,
        count: u16,
    },
    /// A further card may, or must, be played.
    Again(Again),
    /// A suit or value must be named before any seat moves.
    Naming,
    /// Either neighbour of `by` may act; the one in the direction of flow is to move.
    Race { by: Seat },
}

impl Facing {
    pub(in crate::game) const FRESH: Facing = Facing::Ordinary { drawn: 0, last: None };
}
