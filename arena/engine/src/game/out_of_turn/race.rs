//! The race of two neighbours: after a joker the first one to act moves, and fixes the direction (P-33 to P-39, P-109).
//! The race itself is what the seat to move faces (`turn/facing`); the card that wins it is played in `turn`.

use maumau_protocol::{Event, Seat};

use crate::game::{Facing, Game, Phase, Witness};

impl Game {
    /// Opens the race of the neighbours of `by`; the one in the direction of flow is to move (P-109).
    pub(in crate::game) fn open_race<W: Witness>(&mut self, witness: &mut W, by: Seat) {
        self.emit(witness, Event::RaceOpened { by });
        self.pass_turn_facing(witness, 1, Facing::Race { by });
    }

    /// The seat whose neighbours race.
    #[inline]
    pub fn race(&self) -> Option<Seat> {
        match self.table.facing {
            Facing::Race { by } if self.phase == Phase::Play => Some(by),
            _ => None,
        }
    }

    /// Whether `seat` is one of the racing neighbours.
    #[inline]
    pub fn is_racing(&self, seat: Seat) -> bool {
        self.race().is_some_and(|by| seat == self.table.seating.turn() || seat == self.before(by))
    }

    /// `seat` acts first: it is on turn, and play goes on in the direction from the joker to it (P-35, P-37).
    pub(in crate::game) fn settle_race<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        if seat != self.table.seating.turn() {
            self.give_turn(seat);
            self.reverse(witness);
        }
        self.table.facing = Facing::FRESH;
    }
}
