//! The position of a game: what the table knows, and what each turn faces. Each part belongs to the file that defines
//! it. This file only resets it for a new match.

use maumau_protocol::Seat;

use super::changes::Changes;
use super::dealing::{Looked, Sealed};
use super::out_of_turn::{OwedTurn, Takes, Threat};
use super::pile::Pile;
use super::reset;
use super::speech::{Announcements, MauDuties};
use super::turn::{BarredSuits, DrawnForDebt, DryPasses, Facing, Patience, RequestState, Seating};
use crate::hand::Hand;

/// The table in one round.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    pub(super) hands: Vec<Hand>,
    pub(super) pile: Pile,
    pub(super) dealer: Seat,
    /// Turns of this round so far.
    pub(super) turns: u32,
    /// Cards laid in this round so far.
    pub(super) laid: u32,
    pub(super) dry_passes: DryPasses,
    pub(super) facing: Facing,
    pub(super) drawn_for_debt: DrawnForDebt,
    pub(super) request: RequestState,
    pub(super) sealed: Sealed,
    pub(super) seating: Seating,
    pub(super) threat: Threat,
    pub(super) takes: Takes,
    pub(super) owed_turn: OwedTurn,
    pub(super) barred_suits: BarredSuits,
    pub(super) announcements: Announcements,
    pub(super) patience: Patience,
    pub(super) changes: Changes,
    pub(super) mau: MauDuties,
    pub(super) looked: Looked,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            hands: Vec::new(),
            pile: Pile::default(),
            dealer: Seat::FIRST,
            turns: 0,
            laid: 0,
            dry_passes: DryPasses::default(),
            facing: Facing::FRESH,
            drawn_for_debt: DrawnForDebt::default(),
            request: RequestState::default(),
            sealed: Sealed::default(),
            seating: Seating::default(),
            threat: Threat::default(),
            takes: Takes::default(),
            owed_turn: OwedTurn::default(),
            barred_suits: BarredSuits::default(),
            announcements: Announcements::default(),
            patience: Patience::default(),
            changes: Changes::default(),
            mau: MauDuties::default(),
            looked: Looked::default(),
        }
    }
}

impl Table {
    /// Makes it the table of a match of `seats` that has not begun, reusing its memory.
    pub(super) fn restart(&mut self, seats: usize) {
        *self = Table {
            hands: std::mem::take(&mut self.hands),
            pile: std::mem::take(&mut self.pile),
            sealed: std::mem::take(&mut self.sealed),
            seating: std::mem::take(&mut self.seating),
            takes: std::mem::take(&mut self.takes),
            announcements: std::mem::take(&mut self.announcements),
            mau: std::mem::take(&mut self.mau),
            looked: Looked::all(seats),
            ..Table::default()
        };
        reset(&mut self.hands, seats, Hand::default());
        self.pile.clear();
        self.sealed.clear(seats);
        self.seating.clear();
        self.takes.clear();
        self.announcements.clear(seats);
        self.mau.clear(seats);
    }
}
