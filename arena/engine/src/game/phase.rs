//! Where a match stands, and what the seat to move faces in it.

use maumau_protocol::{Card, Seat};

/// The stage of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The next round has not been dealt.
    BetweenRounds,
    /// The dealer deals by its own actions.
    Deal,
    /// Hands are dealt; the dealer turns up the first card.
    TurnUp,
    /// Cards are laid.
    Play,
    /// The last round is over.
    MatchOver,
}

/// What the seat to move faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Facing {
    /// An ordinary turn.
    Ordinary {
        /// Cards drawn in it so far.
        drawn: u8,
        /// The last one, where it is still in the hand.
        last: Option<Card>,
    },
    /// Cards are owed.
    Owed {
        /// Index into the rules' debts.
        debt: u8,
        cards: u16,
        /// Some of them have been taken already, so that no answer is possible any more.
        begun: bool,
        /// The cards on the pile that make it.
        live: u16,
        /// Cards that all seats have drawn for it already.
        drawn: u16,
    },
    /// Turns are lost unless they are answered.
    Skipped {
        /// Index into the rules' skips.
        skip: u8,
        count: u16,
    },
    /// A further card may, or must, be laid.
    Again { must: bool },
    /// A suit or value must be named before any seat moves.
    Naming,
    /// Either neighbour of `by` may act; to move is the one in the direction of flow.
    Race { by: Seat },
}

impl Facing {
    pub(super) const FRESH: Facing = Facing::Ordinary { drawn: 0, last: None };
}
