//! Seats that are out of a round which goes on (G-43). Keeps them in the order in which they went out; who sits where is in
//! `seating`.

use maumau_protocol::ruleset::LastCardEffects;
use maumau_protocol::{Card, DrawReason, Event, MAX_SEATS, RoundEnd, Seat, SeatSet};

use crate::game::{Game, Witness};

/// The seats that are out, the first one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::game) struct Places {
    order: [Seat; MAX_SEATS],
    seats: SeatSet,
    /// What the points of the others are multiplied by, from the last card of each seat.
    times: [u8; MAX_SEATS],
    /// The seats that went out last, the latest first, and in which turn.
    latest: [Option<(Seat, u32)>; 2],
}

impl Default for Places {
    fn default() -> Places {
        Places { order: [Seat::FIRST; MAX_SEATS], seats: SeatSet::EMPTY, times: [1; MAX_SEATS], latest: [None; 2] }
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

    /// What the points of the others are multiplied by at the end of the round.
    pub(in crate::game) fn times(&self) -> i32 {
        if self.is_empty() { 1 } else { i32::from(self.times[0]) }
    }

    fn in_order(&self) -> &[Seat] {
        &self.order[..self.seats.len()]
    }

    fn add(&mut self, seat: Seat, times: u8, turn: u32) -> u8 {
        let place = self.seats.len();
        self.order[place] = seat;
        self.times[place] = times;
        self.seats.insert(seat);
        self.latest = [Some((seat, turn)), self.latest[0]];
        (place + 1) as u8
    }

    /// For positions that are set up: `seat` went out in an earlier turn.
    pub(in crate::game) fn leave_out(&mut self, seat: Seat) {
        self.add(seat, 1, 0);
    }

    fn remove(&mut self, seat: Seat) {
        let Some(place) = self.in_order().iter().position(|out| *out == seat) else { return };
        self.order.copy_within(place + 1.., place);
        self.times.copy_within(place + 1.., place);
        self.seats = self.seats.without(SeatSet::of(seat));
        for latest in &mut self.latest {
            *latest = latest.filter(|(out, _)| *out != seat);
        }
    }

    /// The turn number `turn` was lost and not taken: what the one before brought about lasts one more (G-71).
    pub(super) fn lose_turn(&mut self, turn: u32) {
        for (_, out) in self.latest.iter_mut().flatten().filter(|(_, out)| *out + 1 == turn) {
            *out += 1;
        }
    }
}

impl Game {
    /// The seats that are out of this round, the first one first (G-43).
    pub fn went_out(&self) -> &[Seat] {
        self.table.places.in_order()
    }

    /// Whether the last card of a seat that goes out has its effect (G-43).
    pub(super) fn last_card_acts(&self) -> bool {
        self.rules.set.ending.last_card_effects == LastCardEffects::Act
    }

    /// The seats that still play in this round.
    pub(super) fn playing(&self) -> usize {
        self.seats() - self.table.places.seats.len()
    }

    /// The hand of `seat` is empty by `card`, which counts `times`, and it is out; whether the round is over with that: one seat has
    /// cards left (G-43), and the card brings none back (G-71).
    pub(super) fn go_out<W: Witness>(&mut self, witness: &mut W, seat: Seat, card: Card, times: u8) -> bool {
        let brings_back = self.rules.faces[card.index()].brings_back && self.last_card_acts();
        let brings_back = brings_back && self.may_come_back().is_some();
        let place = self.table.places.add(seat, times, self.table.turns);
        self.forget_mau(seat);
        self.emit(witness, Event::WentOut { seat, place });
        let over = self.playing() <= 1 && !brings_back;
        if over {
            self.finish_round(witness, self.table.places.winner(), RoundEnd::Won, self.table.places.times());
        }
        over
    }

    /// The seat that went out in the turn before this one, if there is a card for it to draw (G-71).
    pub(super) fn may_come_back(&self) -> Option<Seat> {
        let turn = self.table.turns;
        let before = self.table.places.latest.iter().flatten().find(|(_, out)| *out + 1 == turn);
        before.map(|(seat, _)| *seat).filter(|_| self.left_to_draw() > 0)
    }

    /// `seat`, which was out, is back in the round, and draws `cards` cards (G-71).
    pub(super) fn come_back<W: Witness>(&mut self, witness: &mut W, seat: Seat, cards: u16) {
        self.table.places.remove(seat);
        self.emit(witness, Event::CameBack { seat });
        self.draw_cards(witness, seat, cards, DrawReason::Effect);
        self.table.changes.progress();
    }
}
