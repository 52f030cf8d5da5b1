//! The order of seats: who is next, also where two have changed places (N-29 to N-35).

use maumau_protocol::{Event, MAX_SEATS, Seat, SeatSet};

use crate::game::state::Swap;
use crate::game::{Game, Witness};

/// Everybody at the place of their own number.
pub(crate) fn seating() -> [Seat; MAX_SEATS] {
    let mut places = [Seat::FIRST; MAX_SEATS];
    for (place, seat) in places.iter_mut().zip(Seat::all(MAX_SEATS)) {
        *place = seat;
    }
    places
}

impl Game {
    /// The seat `steps` places after `seat` in the direction of play, by the order now in force.
    #[inline]
    pub(in crate::game) fn after(&self, seat: Seat, steps: usize) -> Seat {
        let (direction, seats) = (self.table.direction, self.seats());
        if !self.table.reseated {
            return seat.step(direction, steps, seats);
        }
        self.table.places[self.place_of(seat).step(direction, steps, seats).index()]
    }

    /// Who sits at `place`.
    pub(in crate::game) fn seat_at(&self, place: Seat) -> Seat {
        if !self.table.reseated { place } else { self.table.places[place.index()] }
    }

    /// Where `seat` sits.
    #[inline]
    pub(in crate::game) fn place_of(&self, seat: Seat) -> Seat {
        if !self.table.reseated {
            return seat;
        }
        Seat::all(self.seats()).find(|place| self.table.places[place.index()] == seat).unwrap_or(seat)
    }

    /// The next player and the one after him change places.
    pub(super) fn swap_next<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let seats = [self.after(seat, 1), self.after(seat, 2)];
        self.exchange(seats);
        self.table.swaps.push(Swap { seats, had_turn: [false; 2], made: self.table.turns });
        self.tell(witness, Event::Swapped { seats: seats.into_iter().collect::<SeatSet>(), back: false });
    }

    fn exchange(&mut self, [one, other]: [Seat; 2]) {
        let seats = self.seats();
        for place in &mut self.table.places[..seats] {
            if *place == one {
                *place = other;
            } else if *place == other {
                *place = one;
            }
        }
        // N-34: exchanges that share a seat and do not end in reverse order leave others at other places.
        self.table.reseated = self.table.places[..seats] != seating()[..seats];
    }

    /// `seat` has had a turn: a card played, cards taken, or skipped (N-31). The turn in which an exchange was made does
    /// not count for it.
    #[inline]
    pub(in crate::game) fn note_turn_of(&mut self, seat: Seat) {
        let turns = self.table.turns;
        for swap in self.table.swaps.iter_mut().filter(|swap| swap.made != turns) {
            for (who, had_turn) in swap.seats.iter().zip(&mut swap.had_turn) {
                *had_turn |= *who == seat;
            }
        }
    }

    /// After the turn has moved on: exchanges whose two seats have had a turn are undone, the last one first (N-32, N-34).
    pub(in crate::game) fn undo_swaps<W: Witness>(&mut self, witness: &mut W) {
        for index in (0..self.table.swaps.len()).rev() {
            let swap = self.table.swaps[index];
            if swap.had_turn == [true; 2] {
                self.exchange(swap.seats);
                self.table.swaps.remove(index);
                self.tell(witness, Event::Swapped { seats: swap.seats.into_iter().collect::<SeatSet>(), back: true });
                self.table.turn = self.table.places[self.table.turn_place.index()];
            }
        }
    }
}
