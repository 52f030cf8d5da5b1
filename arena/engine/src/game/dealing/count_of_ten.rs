//! The count of ten between rounds, within which the dealer must pick up the cards (N-114, N-115, N-129). Keeps whether
//! a seat counts; how many ticks a count lasts is the referee's business, and mistakes are charged by `calls`.

use maumau_protocol::{Event, Reason, RuleFault, Say, Seat};

use crate::game::{Game, Phase, Verdict, Witness};

/// Whether a seat counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CountOfTen(bool);

impl Game {
    /// Whether a seat counts down from ten (N-114).
    pub fn is_counting(&self) -> bool {
        self.may_count() && self.dealing.count.0
    }

    /// Whether a seat can count from ten: between rounds, if the rules have this count.
    fn may_count(&self) -> bool {
        matches!(self.phase, Phase::Deal | Phase::TurnUp) && !self.deals_freely()
    }

    /// `seat` counts down from ten between rounds (N-114).
    pub(in crate::game) fn count<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        if !self.may_count() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.speak(witness, seat, say);
        self.dealing.count = CountOfTen(true);
        self.emit(witness, Event::Counting { by: seat });
        Verdict::Accepted
    }

    /// `seat` picks up the cards; the count ends, and it is a mistake unless `seat` is the dealer (N-115, N-129).
    pub(in crate::game) fn pick_up<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        if !self.is_counting() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.speak(witness, seat, say);
        self.dealing.count = CountOfTen(false);
        self.emit(witness, Event::PickedUp { by: seat });
        if seat != self.table.dealer {
            self.mistake(witness, seat, RuleFault::PickUp, 1);
        }
        Verdict::Accepted
    }

    /// The count is over and the cards have not been picked up: the dealer's mistake. A seat that has dealt them has
    /// picked them up (N-114).
    pub(in crate::game) fn count_is_over<W: Witness>(&mut self, witness: &mut W) {
        let counted = self.is_counting();
        self.dealing.count = CountOfTen(false);
        if counted && self.phase == Phase::Deal && !self.is_dealt() {
            self.mistake(witness, self.table.dealer, RuleFault::PickUp, 1);
        }
    }
}
