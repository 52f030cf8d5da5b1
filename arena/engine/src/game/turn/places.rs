//! Seats that are out of a round which goes on (G-43). Keeps them in the order in which they went out; who sits where is in
//! `seating`.

use maumau_protocol::{Event, MAX_SEATS, RoundEnd, Seat, SeatSet};

use crate::game::{Game, Witness};

/// The seats that are out, the first one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::game) struct Places {
    order: [Seat; MAX_SEATS],
    seats: SeatSet,
    /// What the points of the others are multiplied by, from the last card of the first seat.
    times: i32,
}

impl Default for Places {
    fn default() -> Places {
        Places { order: [Seat::FIRST; MAX_SEATS], seats: SeatSet::EMPTY, times: 1 }
    }
}

impl Places {
    /// Whether no seat is out.
    #[inline(always)]
    pub(in crate::game) fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// Whether `seat` is out.
    pub(in crate::game) fn is_out(&self, seat: Seat) -> bool {
        self.seats.contains(seat)
    }

    /// The seats that are out.
    pub(in crate::game) fn seats(&self) -> SeatSet {
        self.seats
    }

    /// The one that went out first, as the winner of the round.
    pub(in crate::game) fn winner(&self) -> SeatSet {
        self.in_order().first().map_or(SeatSet::EMPTY, |seat| SeatSet::of(*seat))
    }

    fn in_order(&self) -> &[Seat] {
        &self.order[..self.seats.len()]
    }

    fn add(&mut self, seat: Seat) -> u8 {
        let place = self.seats.len();
        self.order[place] = seat;
        self.seats.insert(seat);
        (place + 1) as u8
    }
}

impl Game {
    /// The seats that are out of this round, the first one first (G-43).
    pub fn went_out(&self) -> &[Seat] {
        self.table.places.in_order()
    }

    /// The seats that still play in this round.
    pub(super) fn playing(&self) -> usize {
        self.seats() - self.table.places.seats.len()
    }

    /// The hand of `seat` is empty by a card that counts `times`, and it is out; whether the round is over with that: one seat has
    /// cards left (G-43).
    pub(super) fn go_out<W: Witness>(&mut self, witness: &mut W, seat: Seat, times: i32) -> bool {
        if self.table.places.is_empty() {
            self.table.places.times = times;
        }
        let place = self.table.places.add(seat);
        self.forget_mau(seat);
        self.emit(witness, Event::WentOut { seat, place });
        let over = self.playing() <= 1;
        if over {
            let Places { times, .. } = self.table.places;
            self.finish_round(witness, self.table.places.winner(), RoundEnd::Won, times);
        }
        over
    }
}
