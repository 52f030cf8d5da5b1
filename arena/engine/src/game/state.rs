//! The position of a game: what the table knows, and what each turn faces.

use maumau_protocol::ruleset::RequestEnds;
use maumau_protocol::{Card, CardSet, Choice, Direction, EventNumber, MAX_SEATS, Seat, SeatSet, Suit, TakeOrder};

use super::out_of_turn::Run;
use super::reset;
use super::speech::Announced;
use super::turn::seating;
use crate::hand::Hand;

/// Where a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A round is to be dealt.
    BetweenRounds,
    /// The dealer deals by actions of his own.
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
        /// Cards drawn for it already, by whomever.
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
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// Two seats that have changed places (N-29).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Swap {
    pub(crate) seats: [Seat; 2],
    pub(crate) had_turn: [bool; 2],
    /// The turn in which they changed.
    pub(crate) made: u32,
}

/// A seat that loses its turn unless it answers (N-41).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Threat {
    pub(crate) victim: Seat,
    /// Index into the rules' skips.
    pub(crate) skip: u8,
}

/// The table in one round.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    pub(crate) hands: Vec<Hand>,
    /// Bottom to top.
    pub(crate) pile: Vec<Card>,
    pub(crate) direction: Direction,
    pub(crate) dealer: Seat,
    pub(crate) turn: Seat,
    /// Turns of this round so far.
    pub(crate) turns: u32,
    /// Cards laid in this round so far.
    pub(crate) laid: u32,
    /// Passes in a row with nothing left to draw.
    pub(crate) dry_passes: u32,
    pub(crate) facing: Facing,
    /// Cards that each seat has drawn for the debt that stands, or stood last (P-94).
    pub(crate) drawn_for_debt: [u16; MAX_SEATS],
    /// What fits on what lies there, requests aside; see [`Game::refit`](super::Game::refit).
    pub(crate) fits: CardSet,
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
    /// Cards of each seat that nobody has seen yet.
    pub(crate) sealed: Vec<Hand>,
    /// Who sits where, where seats have changed places.
    pub(crate) places: [Seat; MAX_SEATS],
    pub(crate) swaps: Vec<Swap>,
    /// Somebody sits at another place than that of their own number.
    pub(crate) reseated: bool,
    /// The place whose turn it is; who sits there is `turn`.
    pub(crate) turn_place: Seat,
    /// The seat that is skipped unless it answers.
    pub(crate) threat: Option<Threat>,
    /// Instructions to take a card, the oldest first.
    pub(crate) takes: Vec<TakeOrder>,
    /// Takes of this round so far.
    pub(crate) takes_made: u32,
    /// The seat to move has laid a free card in this turn.
    pub(crate) owed_turn: bool,
    /// Suits that may not be named now.
    pub(crate) barred_suits: [Option<Suit>; 2],
    /// Whoever lays the next card owes the word for two identical cards.
    pub(crate) snap_due: bool,
    pub(crate) snap_said: SeatSet,
    pub(crate) announced: Vec<Announced>,
    /// Turn limits that have passed without the action that is waited for.
    pub(crate) limits_passed: u8,
    /// What the seat that acts had seen.
    pub(crate) acting_as_of: EventNumber,
    /// The event since which the word for two identical cards is due.
    pub(crate) snap_since: EventNumber,
    /// Counts cards that move and turns that pass.
    pub(crate) progress: u64,
    /// Counts what others may answer before the seat to move is asked.
    pub(crate) reaction: u32,
    pub(crate) mau: Vec<MauState>,
    /// Seats whose duty is not [`MauDuty::None`].
    pub(crate) mau_open: SeatSet,
    /// Seats that see their cards.
    pub(crate) looked: SeatSet,
    /// The last event that changed the top card or whose turn it is (G-03).
    pub(crate) last_change: EventNumber,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            hands: Vec::new(),
            pile: Vec::new(),
            direction: Direction::default(),
            dealer: Seat::FIRST,
            turn: Seat::FIRST,
            turns: 0,
            laid: 0,
            dry_passes: 0,
            facing: Facing::FRESH,
            drawn_for_debt: [0; MAX_SEATS],
            fits: CardSet::ALL,
            suit: None,
            suit_open: false,
            run: Run::default(),
            request: None,
            fruitful: false,
            anything: false,
            refusals: 0,
            sealed: Vec::new(),
            places: seating(),
            swaps: Vec::new(),
            reseated: false,
            turn_place: Seat::FIRST,
            threat: None,
            takes: Vec::new(),
            takes_made: 0,
            owed_turn: false,
            barred_suits: [None; 2],
            snap_due: false,
            snap_said: SeatSet::EMPTY,
            announced: Vec::new(),
            limits_passed: 0,
            acting_as_of: EventNumber(0),
            snap_since: EventNumber(0),
            progress: 0,
            reaction: 0,
            mau: Vec::new(),
            mau_open: SeatSet::EMPTY,
            looked: SeatSet::EMPTY,
            last_change: EventNumber(0),
        }
    }
}

impl Table {
    /// Makes it the table of a match of `seats` that has not begun, with the memory that it has.
    pub(crate) fn restart(&mut self, seats: usize) {
        *self = Table {
            hands: std::mem::take(&mut self.hands),
            pile: std::mem::take(&mut self.pile),
            sealed: std::mem::take(&mut self.sealed),
            swaps: std::mem::take(&mut self.swaps),
            takes: std::mem::take(&mut self.takes),
            announced: std::mem::take(&mut self.announced),
            mau: std::mem::take(&mut self.mau),
            looked: SeatSet::all(seats),
            ..Table::default()
        };
        reset(&mut self.hands, seats, Hand::default());
        self.pile.clear();
        reset(&mut self.sealed, seats, Hand::default());
        self.swaps.clear();
        self.takes.clear();
        reset(&mut self.announced, seats, Announced::default());
        reset(&mut self.mau, seats, MauState::default());
    }
}
