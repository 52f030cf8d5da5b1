//! The position of a game: what the table knows, and what each turn faces.

use maumau_protocol::{Direction, EventNumber, Seat, SeatSet};

use super::out_of_turn::{OwedTurn, Takes, Threat};
use super::pile::Pile;
use super::reset;
use super::speech::{Announcements, MauDuties};
use super::turn::{BarredSuits, DrawnForDebt, Facing, RequestState, Seating};
use crate::hand::Hand;

/// The table in one round.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    pub(super) hands: Vec<Hand>,
    pub(super) pile: Pile,
    pub(super) direction: Direction,
    pub(super) dealer: Seat,
    pub(super) turn: Seat,
    /// Turns of this round so far.
    pub(super) turns: u32,
    /// Cards laid in this round so far.
    pub(super) laid: u32,
    /// Passes in a row with nothing left to draw.
    pub(super) dry_passes: u32,
    pub(super) facing: Facing,
    pub(super) drawn_for_debt: DrawnForDebt,
    pub(super) request: RequestState,
    /// Refused actions of the seat to move in this turn.
    pub(super) refusals: u8,
    /// Cards of each seat that no seat has seen yet.
    pub(super) sealed: Vec<Hand>,
    pub(super) seating: Seating,
    pub(super) threat: Threat,
    pub(super) takes: Takes,
    pub(super) owed_turn: OwedTurn,
    pub(super) barred_suits: BarredSuits,
    pub(super) announcements: Announcements,
    /// Turn limits that have passed without the action that is waited for.
    pub(super) limits_passed: u8,
    /// The last event that the acting seat had seen.
    pub(super) acting_as_of: EventNumber,
    /// Counts cards that move and turns that pass.
    pub(super) progress: u64,
    /// Counts what others may answer before the seat to move is asked.
    pub(super) reaction: u32,
    pub(super) mau: MauDuties,
    /// Seats that see their cards.
    pub(super) looked: SeatSet,
    /// The last event that changed the top card or whose turn it is (G-03).
    pub(super) last_change: EventNumber,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            hands: Vec::new(),
            pile: Pile::default(),
            direction: Direction::default(),
            dealer: Seat::FIRST,
            turn: Seat::FIRST,
            turns: 0,
            laid: 0,
            dry_passes: 0,
            facing: Facing::FRESH,
            drawn_for_debt: DrawnForDebt::default(),
            request: RequestState::default(),
            refusals: 0,
            sealed: Vec::new(),
            seating: Seating::default(),
            threat: Threat::default(),
            takes: Takes::default(),
            owed_turn: OwedTurn::default(),
            barred_suits: BarredSuits::default(),
            announcements: Announcements::default(),
            limits_passed: 0,
            acting_as_of: EventNumber(0),
            progress: 0,
            reaction: 0,
            mau: MauDuties::default(),
            looked: SeatSet::EMPTY,
            last_change: EventNumber(0),
        }
    }
}

impl Table {
    /// Makes it the table of a match of `seats` that has not begun, with the memory that it has.
    pub(super) fn restart(&mut self, seats: usize) {
        *self = Table {
            hands: std::mem::take(&mut self.hands),
            pile: std::mem::take(&mut self.pile),
            sealed: std::mem::take(&mut self.sealed),
            seating: std::mem::take(&mut self.seating),
            takes: std::mem::take(&mut self.takes),
            announcements: std::mem::take(&mut self.announcements),
            mau: std::mem::take(&mut self.mau),
            looked: SeatSet::all(seats),
            ..Table::default()
        };
        reset(&mut self.hands, seats, Hand::default());
        self.pile.clear();
        reset(&mut self.sealed, seats, Hand::default());
        self.seating.clear();
        self.takes.clear();
        self.announcements.clear(seats);
        self.mau.clear(seats);
    }
}
