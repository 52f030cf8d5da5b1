//! The position of a game: what the table knows, and what each turn faces.

use maumau_protocol::ruleset::RequestEnds;
use maumau_protocol::{Card, CardSet, Choice, Direction, EventNumber, Seat, SeatSet, Suit};

use super::interject::Run;
use crate::hand::Hand;

/// Where a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A round is to be dealt.
    BetweenRounds,
    /// The dealer hands out the cards.
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
pub(crate) enum Facing {
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
        /// Cards drawn for it already, and those of them that the present debtor drew.
        drawn: u16,
        own: u16,
    },
    /// Turns are lost unless they are answered.
    Skipped {
        /// Index into the rules' skips.
        skip: u8,
        count: u16,
    },
    /// A further card may, or must, be laid.
    Again { must: bool },
    /// A suit or value must be named before anybody moves.
    Naming,
    /// Either neighbour of `by` may act; to move is the one in the direction of flow.
    Race { by: Seat },
}

impl Facing {
    pub(crate) const FRESH: Facing = Facing::Ordinary { drawn: 0, last: None };
}

/// How a seat stands with the warning of its last card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MauState {
    /// The turn in which the seat came down to one card.
    pub(crate) one_since: u32,
    /// The turn in which it said the word that counts for the present hand, if it did.
    pub(crate) said: Option<u32>,
    /// The turn in which it said the word ahead of a play, while it was to move.
    pub(crate) said_ahead: Option<u32>,
    pub(crate) duty: MauDuty,
}

/// Whether a seat owes the word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MauDuty {
    #[default]
    None,
    /// It may still be said.
    Due,
    /// The deadline has passed, by a move in this turn; a call is upheld.
    Overdue { since: u32 },
}

/// A request that binds the whole table (D-45).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) names: Choice,
    pub(crate) by: Seat,
    pub(crate) ends: RequestEnds,
    /// The turn in which it was made.
    pub(crate) made: u32,
    /// Seats that have served it.
    pub(crate) served: SeatSet,
    /// Seats that have had a turn at it.
    pub(crate) had_turn: SeatSet,
    /// Turns in a row in which nobody served it and nobody could draw.
    pub(crate) fruitless: usize,
}

impl Standing {
    /// The cards that serve it.
    pub(crate) fn serving(&self) -> CardSet {
        match self.names {
            Choice::Suit(suit) => CardSet::suit(suit),
            Choice::Rank(rank) => CardSet::rank(rank),
        }
    }
}

/// The table in one round.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) hands: Vec<Hand>,
    /// Bottom to top.
    pub(crate) pile: Vec<Card>,
    pub(crate) direction: Direction,
    pub(crate) dealer: Seat,
    pub(crate) turn: Seat,
    /// Turns of this round so far.
    pub(crate) turns: u32,
    pub(crate) facing: Facing,
    /// The suit to be served, where the top card's player could name one.
    pub(crate) suit: Option<Suit>,
    /// The top card waits for a suit to be stated.
    pub(crate) suit_open: bool,
    /// Cards of the top card's kind laid in a row as interjections.
    pub(crate) run: Run,
    pub(crate) request: Option<Standing>,
    /// Whether the seat to move has served the request or taken a card in this turn.
    pub(crate) fruitful: bool,
    /// Anything may be laid (option `shortage=top_card`).
    pub(crate) anything: bool,
    /// Refused actions of the seat to move in this turn.
    pub(crate) refusals: u8,
    pub(crate) mau: Vec<MauState>,
    /// Seats whose duty is not [`MauDuty::None`].
    pub(crate) mau_open: SeatSet,
    /// Seats that see their cards.
    pub(crate) looked: SeatSet,
    /// The seat whose hand is empty while the closing time runs.
    pub(crate) closing: Option<Seat>,
    /// Turn limits in a row that passed without what the game waits for.
    pub(crate) limits: u8,
    /// The last event that changed the top card or whose turn it is (G-03).
    pub(crate) last_change: EventNumber,
}
