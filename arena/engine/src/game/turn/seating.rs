//! The order of seats: whose turn it is, which way play goes and which seat is next, even after two have changed places
//! (N-29 to N-35). Only this file touches its members, so the seat to move and its place always agree.

use std::sync::Arc;

use crate::reuse::clone_in_place;
use maumau_protocol::{Direction, Event, MAX_SEATS, Seat, SeatSet};

use crate::game::{Game, Witness};

/// Two seats that have changed places (N-29).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Swap {
    seats: [Seat; 2],
    had_turn: [bool; 2],
    /// The turn in which they changed.
    made: u32,
}

/// Whose turn it is, which way play goes, and which seat is at which place.
#[derive(Debug, PartialEq)]
pub(in crate::game) struct Seating {
    turn: Seat,
    direction: Direction,
    /// The seat at each place.
    places: [Seat; MAX_SEATS],
    swaps: Vec<Swap>,
    /// Some seat is not at the place of its own number.
    reseated: bool,
    /// The place whose turn it is; the seat `turn` sits there.
    turn_place: Seat,
}

clone_in_place!(Seating { turn, direction, places, swaps, reseated, turn_place });

impl Default for Seating {
    fn default() -> Seating {
        let (turn, direction, swaps) = (Seat::FIRST, Direction::default(), Vec::new());
        Seating { turn, direction, places: own_places(), swaps, reseated: false, turn_place: Seat::FIRST }
    }
}

impl Seating {
    /// Makes it ready for a match.
    pub(in crate::game) fn clear(&mut self) {
        self.swaps.clear();
        *self = Seating { swaps: std::mem::take(&mut self.swaps), ..Seating::default() };
    }

    /// Makes it ready for a round that goes in `direction`; keeps whose turn it was until the first turn.
    pub(in crate::game) fn begin_round(&mut self, direction: Direction) {
        let turn = self.turn;
        self.clear();
        (self.turn, self.direction) = (turn, direction);
    }

    /// The seat to move, while cards are played.
    #[inline(always)]
    pub(in crate::game) fn turn(&self) -> Seat {
        self.turn
    }

    /// The direction of play.
    #[inline(always)]
    pub(in crate::game) fn direction(&self) -> Direction {
        self.direction
    }
}

/// Every seat at the place of its own number.
fn own_places() -> [Seat; MAX_SEATS] {
    let mut places = [Seat::FIRST; MAX_SEATS];
    for (place, seat) in places.iter_mut().zip(Seat::all(MAX_SEATS)) {
        *place = seat;
    }
    places
}

impl Game {
    /// The seat `steps` places after `seat` in the direction of play, by the present order.
    #[inline]
    pub(in crate::game) fn after(&self, seat: Seat, steps: usize) -> Seat {
        let (direction, seats) = (self.table.seating.direction, self.seats());
        if !self.table.places.is_empty() {
            return self.after_with_places(seat, steps, direction);
        }
        if !self.table.seating.reseated {
            return seat.step(direction, steps, seats);
        }
        self.table.seating.places[self.place_of(seat).step(direction, steps, seats).index()]
    }

    /// As [`Game::after`] in `direction`, where seats that are out are stepped over (G-43).
    #[cold]
    fn after_with_places(&self, seat: Seat, steps: usize, direction: Direction) -> Seat {
        let mut seat = seat;
        for _ in 0..steps {
            seat = seat.step(direction, 1, self.seats());
            while self.table.places.is_out(seat) {
                seat = seat.step(direction, 1, self.seats());
            }
        }
        seat
    }

    /// The seat before `seat`, against the direction of play.
    pub(in crate::game) fn before(&self, seat: Seat) -> Seat {
        if self.table.places.is_empty() {
            return self.after(seat, self.seats() - 1);
        }
        self.after_with_places(seat, 1, self.table.seating.direction.reversed())
    }

    /// The places from the seat to move on to `seat`, in the direction of play; a whole lap if it is the same.
    pub(super) fn steps_to(&self, seat: Seat) -> usize {
        (1..self.seats()).find(|steps| self.after(self.table.seating.turn(), *steps) == seat).unwrap_or(self.seats())
    }

    /// The seat at `place`.
    pub(in crate::game) fn seat_at(&self, place: Seat) -> Seat {
        if !self.table.seating.reseated { place } else { self.table.seating.places[place.index()] }
    }

    /// The place of `seat`.
    #[inline]
    pub(in crate::game) fn place_of(&self, seat: Seat) -> Seat {
        if !self.table.seating.reseated {
            return seat;
        }
        Seat::all(self.seats()).find(|place| self.table.seating.places[place.index()] == seat).unwrap_or(seat)
    }

    /// The next player and the one after it change places.
    pub(super) fn swap_next<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let seats = [self.after(seat, 1), self.after(seat, 2)];
        self.exchange(seats);
        self.table.seating.swaps.push(Swap { seats, had_turn: [false; 2], made: self.table.turns });
        self.emit(witness, Event::Swapped { seats: seats.into_iter().collect::<SeatSet>(), back: false });
    }

    fn exchange(&mut self, [one, other]: [Seat; 2]) {
        let seats = self.seats();
        for place in &mut self.table.seating.places[..seats] {
            if *place == one {
                *place = other;
            } else if *place == other {
                *place = one;
            }
        }
        // N-34: if exchanges share a seat and do not end in reverse order, other seats are left at other places.
        self.table.seating.reseated = self.table.seating.places[..seats] != own_places()[..seats];
    }

    /// `seat` has had a turn: a card played, cards taken, or skipped (N-31). The turn in which an exchange was made does
    /// not count for it.
    #[inline]
    pub(in crate::game) fn note_turn_of(&mut self, seat: Seat) {
        let turns = self.table.turns;
        for swap in self.table.seating.swaps.iter_mut().filter(|swap| swap.made != turns) {
            for (who, had_turn) in swap.seats.iter().zip(&mut swap.had_turn) {
                *had_turn |= *who == seat;
            }
        }
    }

    /// After the turn has passed on: undoes exchanges whose two seats have had a turn, the last one first (N-32, N-34).
    pub(in crate::game) fn undo_swaps<W: Witness>(&mut self, witness: &mut W) {
        for index in (0..self.table.seating.swaps.len()).rev() {
            let swap = self.table.seating.swaps[index];
            if swap.had_turn == [true; 2] {
                self.exchange(swap.seats);
                self.table.seating.swaps.remove(index);
                self.emit(witness, Event::Swapped { seats: swap.seats.into_iter().collect::<SeatSet>(), back: true });
                self.table.seating.turn = self.table.seating.places[self.table.seating.turn_place.index()];
            }
        }
    }

    /// From now on play goes the other way.
    pub(in crate::game) fn reverse<W: Witness>(&mut self, witness: &mut W) {
        let direction = self.table.seating.direction.reversed();
        self.table.seating.direction = direction;
        self.emit_with(witness, || Event::Reversed { direction });
    }

    /// `seat` has the turn, wherever it sits.
    #[inline]
    pub(in crate::game) fn give_turn(&mut self, seat: Seat) {
        self.table.seating.turn = seat;
        self.table.seating.turn_place = self.place_of(seat);
        if self.features.counts {
            self.judge_by_count();
        }
    }

    /// From now on cards are judged by the count of the seat to move (G-58).
    #[cold]
    fn judge_by_count(&mut self) {
        let count = self.points[self.table.seating.turn.index()];
        if let Some(rules) = self.table_rules.at_count(count) {
            self.rules = Arc::clone(rules);
            self.table.pile.refit(&self.rules);
        }
    }

    /// The turn passes to the seat `steps` places later.
    #[inline(always)]
    pub(super) fn step_turn<const PLAIN: bool, W: Witness>(&mut self, witness: &mut W, steps: usize) {
        let seating = &self.table.seating;
        if self.features::<PLAIN>().exchanges && (!seating.swaps.is_empty() || seating.reseated) {
            return self.step_turn_reseated(witness, steps);
        }
        if self.features::<PLAIN>().places && !self.table.places.is_empty() {
            return self.give_turn(self.after(self.table.seating.turn, steps));
        }
        self.table.seating.turn = self.table.seating.turn.step(self.table.seating.direction, steps, self.seats());
        self.table.seating.turn_place = self.table.seating.turn;
        if self.features::<PLAIN>().counts {
            self.judge_by_count();
        }
    }

    #[cold]
    fn step_turn_reseated<W: Witness>(&mut self, witness: &mut W, steps: usize) {
        let seats = self.seats();
        let seating = &mut self.table.seating;
        seating.turn_place = seating.turn_place.step(seating.direction, steps, seats);
        seating.turn = seating.places[seating.turn_place.index()];
        self.undo_swaps(witness);
    }
}
