//! What has changed, and how much of it a seat had seen: whether an action was overtaken (G-03), whether a seat moves the
//! game on, and whether others may answer before the seat to move is asked (G-13, N-44, N-106).
//!
//! The numbers are kept only here; the rules and the referee decide what follows from them.

use maumau_protocol::{Card, EventNumber, Reason, Seat};

use super::Game;
use super::speech::Lateness;

/// The changes of a match so far, each as the number of the last event that made it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Changes {
    /// Another card lies on top.
    top: EventNumber,
    /// Another seat is to move, or a turn has become another one.
    turn: EventNumber,
    /// Something else must be served: a named suit or value, or a debt.
    demand: EventNumber,
    /// A card went from hand to hand.
    taken: EventNumber,
    /// All hands were put back to what they had been.
    restored: EventNumber,
    /// The first event of this round; 0 in the first round.
    round: EventNumber,
    departures: Departures,
    /// The last event that the acting seat had seen.
    seen: EventNumber,
    /// Counts moves of cards and passes of the turn.
    progress: u64,
    /// Counts things that others may answer before the seat to move is asked.
    reactions: u32,
}

/// A card that left the hand of a seat; event 0 stands for none.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Departure {
    event: EventNumber,
    seat: Seat,
    card: Card,
}

impl Default for Departure {
    fn default() -> Departure {
        Departure { event: EventNumber(0), seat: Seat::FIRST, card: Card::JOKER }
    }
}

/// The number of departures that are remembered.
const REMEMBERED: usize = 32;

/// The cards that left a hand last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Departures {
    ring: [Departure; REMEMBERED],
    next: u8,
}

impl Departures {
    #[inline(always)]
    fn push(&mut self, departure: Departure) {
        self.ring[usize::from(self.next) % REMEMBERED] = departure;
        self.next = self.next.wrapping_add(1);
    }

    /// Whether `card` has left the hand of `seat` after the event `seen`; also true if that is so long ago that it is
    /// forgotten.
    fn include(&self, seat: Seat, card: Card, seen: EventNumber) -> bool {
        let oldest = self.ring[usize::from(self.next) % REMEMBERED];
        let newer = self.ring.iter().filter(|departure| departure.event > seen);
        oldest.event > seen || newer.into_iter().any(|departure| (departure.seat, departure.card) == (seat, card))
    }
}

impl Changes {
    /// A seat acts, having seen events up to `as_of`.
    #[inline(always)]
    pub(super) fn act_as_of(&mut self, as_of: EventNumber) {
        self.seen = as_of;
    }

    /// The last event that the acting seat had seen.
    pub(super) fn seen(&self) -> EventNumber {
        self.seen
    }

    /// Whether the acting seat had seen nothing of this round.
    #[inline(always)]
    pub(super) fn act_is_of_earlier_round(&self) -> bool {
        self.seen < self.round
    }

    /// Whether the acting seat had not seen the top card.
    pub(super) fn has_new_top(&self) -> bool {
        self.top > self.seen
    }

    /// Whether the acting seat had seen neither the top card nor whose turn it is.
    pub(super) fn has_new_turn(&self) -> bool {
        self.has_new_top() || self.turn > self.seen
    }

    /// The last event that changed the top card, the turn, what must be served or a hand from outside.
    pub(super) fn last(&self) -> EventNumber {
        self.top.max(self.turn).max(self.demand).max(self.taken)
    }

    /// Whether something that the acting seat had not seen made an action wrong for `reason` (G-03). The reason decides
    /// which changes can have done that; `card` is the one that the seat wanted to play.
    fn made_wrong(&self, seat: Seat, card: Option<Card>, reason: Reason) -> bool {
        match reason {
            Reason::DoesNotFit => self.has_new_top() || self.demand > self.seen,
            Reason::MayNotBeLast | Reason::ChoiceMissing | Reason::ChoiceWrong => self.demand > self.seen,
            Reason::NotYourTurn | Reason::NotYours | Reason::Rests => self.has_new_turn(),
            Reason::NotNow => self.last() > self.seen,
            Reason::NothingToTake => self.taken > self.seen,
            Reason::NotInHand => {
                let left = card.is_some_and(|card| self.departures.include(seat, card, self.seen));
                left || self.restored > self.seen
            }
            Reason::Interrupted => true,
            Reason::NotUpheld
            | Reason::SuitBarred
            | Reason::Sealed
            | Reason::NotLooked
            | Reason::LookInPause
            | Reason::PauseBarred => false,
        }
    }

    /// A card has moved, or a turn has passed.
    #[inline(always)]
    pub(super) fn progress(&mut self) {
        self.progress += 1;
    }

    /// Something has happened that others may answer first.
    pub(super) fn open_reaction(&mut self) {
        self.reactions += 1;
    }

    /// Clears what is no part of the position: what the acting seat had seen.
    pub(super) fn forget_seen(&mut self) {
        self.seen = EventNumber::default();
    }
}

impl Game {
    /// The first event that an action of this round may have seen last.
    pub fn first_of_round(&self) -> EventNumber {
        self.table.changes.round
    }

    /// Another card lies on top since the last event.
    #[inline(always)]
    pub(in crate::game) fn note_top(&mut self) {
        self.table.changes.top = self.events;
    }

    /// Another seat is to move since the last event, or its turn has become another one.
    #[inline(always)]
    pub(in crate::game) fn note_turn(&mut self) {
        self.table.changes.turn = self.events;
    }

    /// Another suit, value or debt must be served since the last event.
    pub(in crate::game) fn note_demand(&mut self) {
        self.table.changes.demand = self.events;
    }

    /// A card went from hand to hand with the last event.
    pub(in crate::game) fn note_taken(&mut self) {
        self.table.changes.taken = self.events;
    }

    /// With the last event everything was put back to what it had been.
    pub(in crate::game) fn note_restored(&mut self) {
        let changes = &mut self.table.changes;
        (changes.top, changes.turn, changes.demand, changes.restored) =
            (self.events, self.events, self.events, self.events);
    }

    /// A round begins with the next event: nothing that was decided before is carried out in it (G-03).
    pub(in crate::game) fn note_round(&mut self) {
        self.table.changes.round = EventNumber(if self.round > 1 { self.events.0 + 1 } else { 0 });
    }

    /// `card` has left the hand of `seat` with the last event.
    #[inline(always)]
    pub(in crate::game) fn note_departure(&mut self, seat: Seat, card: Card) {
        self.table.changes.departures.push(Departure { event: self.events, seat, card });
    }

    /// Why an action of `seat` that is wrong for `reason` is refused: as interrupted, at no cost, if something that the seat
    /// had not seen made it wrong (G-03).
    pub(in crate::game) fn unless_interrupted(&self, seat: Seat, card: Option<Card>, reason: Reason) -> Reason {
        if self.table.changes.made_wrong(seat, card, reason) { Reason::Interrupted } else { reason }
    }

    /// Changes with everything that other seats may answer before the seat to move is asked.
    pub fn reaction(&self) -> u32 {
        self.table.changes.reactions
    }

    /// Changes whenever a card moves or a turn passes: a seat whose answers do not change it holds up the game.
    pub fn progress(&self) -> u64 {
        self.table.changes.progress
    }

    /// The event since which words are due that the end of the grace time would make late; `None` if it would change
    /// nothing, and in a point of order, in which nobody runs out of time for words (P-97).
    pub fn words_waited_for(&self) -> Option<EventNumber> {
        if self.point_of_order().is_some() {
            return None;
        }
        let owes = |seat| self.owes_mau_mau(seat, Lateness::NotQuick);
        let waits = self.is_closing() && Seat::all(self.seats()).any(owes);
        self.ledger.words_waited_for().into_iter().chain(waits.then_some(self.table.changes.last())).min()
    }
}
