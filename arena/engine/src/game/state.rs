//! The position of a game: what the table knows, and what each turn faces. Each part belongs to the file that defines
//! it. This file only resets it for a new match.

use crate::reuse::clone_in_place;
use maumau_protocol::{Direction, Seat};

use super::changes::Changes;
use super::dealing::{Looked, Sealed};
use super::out_of_turn::{OwedTurn, Takes, Threat};
use super::pile::Pile;
use super::reset;
use super::speech::{Announcements, MauDuties};
use super::turn::{
    BarredSuits, DoubtfulPlay, DrawnForDebt, DryPasses, Facing, MoverDelay, Places, RequestState, Runs, Seating,
    TurnsLost,
};
use crate::hand::Hand;

/// The table in one round.
#[derive(Debug, PartialEq)]
pub(super) struct RoundState {
    pub(super) hands: Vec<Hand>,
    pub(super) pile: Pile,
    pub(super) dealer: Seat,
    /// Turns of this round so far.
    pub(super) turns: u32,
    /// Cards played in this round so far.
    pub(super) played: u32,
    /// Cards drawn in this round in place of further ones, after which their seat was still to move.
    pub(super) further_draws: u32,
    pub(super) dry_passes: DryPasses,
    pub(super) facing: Facing,
    pub(super) drawn_for_debt: DrawnForDebt,
    pub(super) runs: Runs,
    pub(super) doubt: Option<Box<DoubtfulPlay>>,
    pub(super) request: RequestState,
    pub(super) sealed: Sealed,
    pub(super) seating: Seating,
    pub(super) turns_lost: TurnsLost,
    pub(super) places: Places,
    pub(super) threat: Threat,
    pub(super) takes: Takes,
    pub(super) owed_turn: OwedTurn,
    pub(super) barred_suits: BarredSuits,
    pub(super) announcements: Announcements,
    pub(super) patience: MoverDelay,
    pub(super) changes: Changes,
    pub(super) mau: MauDuties,
    pub(super) looked: Looked,
}

clone_in_place!(RoundState {
    hands,
    pile,
    dealer,
    turns,
    played,
    further_draws,
    dry_passes,
    facing,
    drawn_for_debt,
    runs,
    doubt,
    request,
    sealed,
    seating,
    turns_lost,
    places,
    threat,
    takes,
    owed_turn,
    barred_suits,
    announcements,
    patience,
    changes,
    mau,
    looked
});

impl Default for RoundState {
    fn default() -> RoundState {
        RoundState {
            hands: Vec::new(),
            pile: Pile::default(),
            dealer: Seat::FIRST,
            turns: 0,
            played: 0,
            further_draws: 0,
            dry_passes: DryPasses::default(),
            facing: Facing::FRESH,
            drawn_for_debt: DrawnForDebt::default(),
            runs: Runs::default(),
            doubt: None,
            request: RequestState::default(),
            sealed: Sealed::default(),
            seating: Seating::default(),
            turns_lost: TurnsLost::default(),
            places: Places::default(),
            threat: Threat::default(),
            takes: Takes::default(),
            owed_turn: OwedTurn::default(),
            barred_suits: BarredSuits::default(),
            announcements: Announcements::default(),
            patience: MoverDelay::default(),
            changes: Changes::default(),
            mau: MauDuties::default(),
            looked: Looked::default(),
        }
    }
}

impl RoundState {
    /// Makes it the table of a match of `seats` that has not begun, reusing its memory.
    pub(super) fn restart(&mut self, seats: usize) {
        (self.dealer, self.changes) = (Seat::FIRST, Changes::default());
        self.begin_round(Direction::default(), Looked::all(seats), seats);
        self.seating.clear();
    }

    /// Makes it the table of a round of `seats` that goes in `direction`, with nothing on it; only those that `looked` will
    /// see their hands as they are dealt. The dealer stays, and so does what has changed so far.
    pub(super) fn begin_round(&mut self, direction: Direction, looked: Looked, seats: usize) {
        // Every field by name, so that none is carried over by mistake.
        let RoundState {
            hands,
            pile,
            dealer: _,
            turns,
            played,
            further_draws,
            dry_passes,
            facing,
            drawn_for_debt,
            runs,
            doubt,
            request,
            sealed,
            seating,
            turns_lost,
            places,
            threat,
            takes,
            owed_turn,
            barred_suits,
            announcements,
            patience,
            changes: _,
            mau,
            looked: looking,
        } = self;
        reset(hands, seats, Hand::default());
        pile.clear();
        (*turns, *played, *further_draws) = (0, 0, 0);
        *dry_passes = DryPasses::default();
        *facing = Facing::FRESH;
        *drawn_for_debt = DrawnForDebt::default();
        *runs = Runs::default();
        *doubt = None;
        *request = RequestState::default();
        sealed.clear();
        seating.begin_round(direction);
        *turns_lost = TurnsLost::default();
        *places = Places::default();
        *threat = Threat::default();
        takes.clear();
        *owed_turn = OwedTurn::default();
        *barred_suits = BarredSuits::default();
        *announcements = Announcements::default();
        *patience = MoverDelay::default();
        mau.clear(seats);
        *looking = looked;
    }
}
