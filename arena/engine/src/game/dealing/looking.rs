//! Looking at one's own hand: which cards a seat sees, and when (P-05, P-73, P-83). Keeps who has looked; the cards
//! stay where they are, and sealed cards have their own file.

use maumau_protocol::ruleset::Look;
use maumau_protocol::{Direction, Event, Reason, RuleFault, Say, Seat, SeatSet};

use crate::game::{Game, Phase, Verdict, Witness};

/// The seats that see their cards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct Looked(SeatSet);

impl Looked {
    /// All `seats` of a table.
    pub(in crate::game) fn all(seats: usize) -> Looked {
        Looked(SeatSet::all(seats))
    }

    /// The seats of a table of `seats` that are not among these.
    pub(in crate::game) fn missing(self, seats: usize) -> SeatSet {
        SeatSet::all(seats).without(self.0)
    }

    /// For positions that are set up.
    pub(in crate::game) fn set_up(missing: SeatSet, seats: usize) -> Looked {
        Looked(Looked(missing).missing(seats))
    }
}

impl Game {
    /// Whether `seat` has looked at its cards since they were dealt.
    #[inline]
    pub(crate) fn has_looked(&self, seat: Seat) -> bool {
        self.table.looked.0.contains(seat)
    }

    /// Whether the hand of `seat` is covered to itself: before it has looked, and in a point of order.
    #[inline]
    pub fn is_covered(&self, seat: Seat) -> bool {
        !self.has_looked(seat) || self.is_paused()
    }

    /// `seat` looks at its cards; doing so before the dealer is a mistake (P-73), in a point of order a refused one (P-83).
    pub(in crate::game) fn look<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        let possible = self.rules.set.deal.look != Look::Dealt || self.pauses.is_some();
        if !possible || !matches!(self.phase, Phase::Deal | Phase::TurnUp | Phase::Play) {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        if self.is_paused() {
            let verdict = self.refuse(witness, seat, None, Reason::LookInPause);
            self.note(witness, seat, RuleFault::LookInPo);
            return verdict;
        }
        if self.has_looked(seat) {
            self.speak(witness, seat, say);
            return Verdict::Accepted;
        }
        if self.hand(seat).is_empty() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.speak(witness, seat, say);
        self.uncover(witness, seat);
        if seat == self.table.dealer {
            self.table.patience.acted();
            self.note_misdeal(witness, false);
        } else if !self.has_looked(self.table.dealer) {
            self.note(witness, seat, RuleFault::EarlyLook);
        }
        Verdict::Accepted
    }

    fn uncover<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        self.table.looked.0.insert(seat);
        self.table.changes.progress();
        self.emit(witness, Event::Looked { seat });
        self.show_hand(witness, seat);
    }

    pub(in crate::game) fn show_hand<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let cards = Some(if witness.looks() { self.hand(seat).cards().collect() } else { Box::default() });
        self.emit(witness, Event::HandShown { seat, cards });
    }

    /// The referee looks for the seats that have not looked, the dealer first (P-05, option `auto_look`).
    pub(super) fn look_for_all<W: Witness>(&mut self, witness: &mut W) {
        if self.rules.set.deal.look == Look::Auto {
            for place in 0..self.seats() {
                let seat = self.table.dealer.step(Direction::Clockwise, place, self.seats());
                if !self.has_looked(seat) {
                    self.uncover(witness, seat);
                }
            }
        }
    }

    /// The seats that see their hands as soon as a round is dealt.
    pub(super) fn looking_at_deal(&self) -> Looked {
        match self.rules.set.deal.look {
            Look::Dealt => Looked::all(self.seats()),
            Look::Auto | Look::Asked => Looked::default(),
        }
    }
}
