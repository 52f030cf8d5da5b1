//! Penalty cards for mistakes between rounds, which the dealer deals out (N-118, N-119, N-122, N-128). Keeps how many
//! each seat is owed; that a mistake was made is decided where it is made.

use crate::reuse::clone_in_place;
use maumau_protocol::{Event, Reason, RuleFault, Say, Seat};

use crate::game::calls::Until;
use crate::game::{Game, Phase, Verdict, Witness};

/// Mistakes to be paid in the deal.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Outstanding {
    /// Each with the seat that made it (N-118, N-122).
    mistakes: Vec<(Seat, RuleFault)>,
    /// The number of them whose cards the dealer has dealt out (N-118).
    dealt: usize,
}

clone_in_place!(Outstanding { mistakes, dealt });

impl Outstanding {
    /// Makes it ready for a match.
    pub(super) fn restart(&mut self) {
        self.mistakes.clear();
        self.dealt = 0;
    }

    /// A new deal begins.
    pub(super) fn begin(&mut self) {
        self.dealt = 0;
    }

    /// For positions that are set up.
    pub(super) fn set_up(&mut self, counts: &[u16]) {
        self.mistakes.clear();
        for (seat, count) in Seat::all(counts.len()).zip(counts) {
            self.mistakes.extend((0..*count).map(|_| (seat, RuleFault::FalseDeal)));
        }
    }

    /// The dealer has dealt the cards for all of them.
    pub(super) fn deal(&mut self) {
        self.dealt = self.mistakes.len();
    }

    /// Whether the cards for some of them have not been dealt out.
    fn are_left_out(&self) -> bool {
        self.mistakes.len() > self.dealt
    }

    fn take(&mut self, seat: Seat) -> Vec<RuleFault> {
        self.mistakes.extract_if(.., |(by, _)| *by == seat).map(|(_, fault)| fault).collect()
    }
}

impl Game {
    /// `count` mistakes of `seat` are to be paid in the deal.
    pub(in crate::game) fn defer(&mut self, seat: Seat, fault: RuleFault, count: u16) {
        self.dealing.outstanding.mistakes.extend((0..count).map(|_| (seat, fault)));
    }

    /// Whether every seat has its cards of a fixed deal.
    fn everybody_has_enough(&self) -> bool {
        self.dealing.deal.counts()[..self.seats()].iter().all(|count| usize::from(*count) >= self.rules.deal_cards)
    }

    /// Whether `seat` may deal out penalty cards: once every seat has the cards of a fixed deal (N-118).
    fn may_deal_penalties(&self, seat: Seat) -> bool {
        !self.deals_freely()
            && match self.phase {
                Phase::Deal => self.ends_the_deal(seat) && self.everybody_has_enough(),
                Phase::TurnUp => seat == self.table.dealer,
                Phase::BetweenRounds | Phase::Play | Phase::ChooseRule | Phase::MatchOver => false,
            }
    }

    /// The dealer deals out the outstanding cards; they reach the hands with the turn-up. For mistakes made after that,
    /// until the turn-up, it deals out cards again (N-118).
    pub(in crate::game) fn deal_penalties<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        if !self.may_deal_penalties(seat) {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.table.patience.acted();
        self.speak(witness, seat, say);
        self.dealing.outstanding.deal();
        self.emit(witness, Event::PenaltiesDealt { by: seat });
        Verdict::Accepted
    }

    /// Puts outstanding penalty cards into the hands, dealt out or not (N-119, N-128).
    pub(super) fn deal_outstanding<W: Witness>(&mut self, witness: &mut W) {
        let by_actions = self.dealing.deal.is_begun();
        if by_actions && self.leaves_penalties_out() {
            let seat = self.dealing_seat();
            self.offend(witness, seat, RuleFault::PenaltiesNotDealt, Until::RoundEnd);
        }
        for seat in Seat::all(self.seats()) {
            for fault in self.dealing.outstanding.take(seat) {
                self.penalise(witness, seat, self.rules.set.calls.cards.into(), fault);
            }
        }
    }

    /// Whether ending the deal now would leave out penalty cards (N-119).
    fn leaves_penalties_out(&self) -> bool {
        self.dealing.outstanding.are_left_out()
    }

    /// Whether `seat` still must deal out penalty cards, and may.
    pub(in crate::game) fn owes_penalty_deal(&self, seat: Seat) -> bool {
        self.leaves_penalties_out() && self.may_deal_penalties(seat)
    }
}
