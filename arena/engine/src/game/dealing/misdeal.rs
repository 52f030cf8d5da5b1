//! Hands that were dealt wrongly: how many cards each seat should have, and how that is put right (N-121, P-70 to
//! P-72). Moves cards between hands and the draw pile; which cards a seat was dealt is kept by `by_dealer`.

use maumau_protocol::{Choice, Event, Rank, Reason, RuleFault, Say, Seat};

use crate::game::{Game, Verdict, Witness};

/// The number of cards that each seat should have got in a free deal, by the dealer's word (P-71).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ProperNumber(Option<u16>);

impl Game {
    /// The number of cards each seat should have got in a free deal: the dealer's word, or the number that costs the dealer
    /// least, the smallest of several.
    fn free_proper(&self) -> u16 {
        let counts = &self.dealing.deal.counts()[..self.seats()];
        let cost = |number: u16| counts.iter().map(|count| u32::from(count.abs_diff(number))).sum::<u32>();
        let cheapest = || (0..=counts.iter().copied().max().unwrap_or(0)).min_by_key(|number| cost(*number));
        self.dealing.proper.0.or_else(cheapest).unwrap_or(0)
    }

    /// The dealer says how many cards each should have got, before a seat calls the misdeal (P-71).
    pub(in crate::game) fn choose_proper<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        choice: Choice,
        say: &Say,
    ) -> Verdict {
        let number = match choice {
            Choice::Rank(rank) => Rank::all().position(|other| other == rank).map(|at| at as u16 + 2),
            Choice::Suit(_) | Choice::Seat(_) => None,
        };
        match number.filter(|number| *number <= 10 && self.deals_freely() && seat == self.table.dealer) {
            Some(number) => {
                self.speak(witness, seat, say);
                self.dealing.proper = ProperNumber(Some(number));
                self.emit(witness, Event::Chose { seat, choose: choice });
                Verdict::Accepted
            }
            None => self.refuse(witness, seat, None, Reason::NotNow),
        }
    }

    /// The dealer has finished a free deal, by looking or by turning up: unequal hands are a mistake (P-70).
    pub(super) fn note_misdeal<W: Witness>(&mut self, witness: &mut W, turning_up: bool) {
        let (seats, dealer) = (self.seats(), self.table.dealer);
        let counts = self.dealing.deal.counts();
        let unequal = counts[..seats].iter().any(|count| *count != counts[0]);
        let finished = turning_up || self.dealing_is_complete();
        if self.deals_freely() && unequal && finished && self.ledger.find(dealer, RuleFault::Misdeal).is_none() {
            self.note(witness, dealer, RuleFault::Misdeal);
        }
    }

    /// A misdeal is charged: makes the hands equal and returns the number of wrong cards (P-70 to P-72).
    pub(in crate::game) fn even_out_free_deal<W: Witness>(&mut self, witness: &mut W) -> u16 {
        let proper = self.free_proper();
        self.even_out(witness, proper)
    }

    /// Gives every hand its proper size: surplus cards, last dealt first, go under the draw pile, missing ones come from
    /// its top (N-121, P-72). Returns the number of wrong cards.
    pub(super) fn even_out<W: Witness>(&mut self, witness: &mut W, proper: u16) -> u16 {
        let counts = self.dealing.deal.counts();
        for seat in Seat::all(self.seats()) {
            for _ in proper..counts[seat.index()] {
                self.return_one(witness, seat);
            }
        }
        for seat in Seat::all(self.seats()) {
            for _ in counts[seat.index()]..proper {
                self.deal_one(witness, self.table.dealer, seat);
            }
        }
        counts[..self.seats()].iter().map(|count| count.abs_diff(proper)).sum()
    }

    fn return_one<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let hand = &self.table.hands[seat.index()];
        let last = self.dealing.deal.take_back(seat, |card| hand.contains(card));
        let Some(card) = last.or_else(|| hand.cards().next()) else { return };
        let sealed = self.is_covered(seat) || !self.deals_freely();
        self.table.hands[seat.index()].remove(card);
        self.draw_pile.put_under(card);
        self.emit(witness, Event::Returned { seat, card: Some(card), sealed });
        self.note_departure(seat, card);
    }
}
