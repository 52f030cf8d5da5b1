//! How a round begins and ends: deals, the first card, hands that are covered or sealed, and the score. Each file
//! keeps its own part of the state; turns in between belong to `turn`.

mod by_dealer;
mod count_of_ten;
mod looking;
mod misdeal;
mod outstanding;
mod round;
mod sealed;

use crate::reuse::clone_in_place;
use by_dealer::DealInProgress;
use count_of_ten::CountOfTen;
pub(in crate::game) use looking::Looked;
use maumau_protocol::{Card, Seat};
use misdeal::ProperNumber;
use outstanding::Outstanding;
pub(in crate::game) use sealed::Sealed;

/// The record of a deal by actions of the dealer; each part belongs to the file that defines it.
#[derive(Debug, Default, PartialEq)]
pub(in crate::game) struct Dealing {
    deal: DealInProgress,
    outstanding: Outstanding,
    count: CountOfTen,
    proper: ProperNumber,
}

clone_in_place!(Dealing { deal, outstanding, count, proper });

impl Dealing {
    /// Makes it ready for a match.
    pub(in crate::game) fn restart(&mut self) {
        self.outstanding.restart();
        self.begin();
    }

    /// A new deal begins; mistakes to be paid in it stay.
    pub(in crate::game) fn begin(&mut self) {
        self.deal.begin();
        self.outstanding.begin();
        self.count = CountOfTen::default();
        self.proper = ProperNumber::default();
    }

    /// For positions that are set up: a deal of which only the hands are known.
    pub(in crate::game) fn know_hands<'a>(&mut self, hands: impl Iterator<Item = (Seat, &'a [Card])>) {
        self.deal.know_hands(hands);
    }

    /// For positions that are set up: `counts` says how many mistakes of each seat are to be paid in the deal.
    pub(in crate::game) fn set_up_outstanding(&mut self, counts: &[u16]) {
        self.outstanding.set_up(counts);
    }
}
