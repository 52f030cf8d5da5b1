//! Dealing by the dealer's actions: card by card in any order, and evening out a misdeal (P-02 to P-04, P-70 to P-72).

use maumau_protocol::{Card, Choice, Event, MAX_SEATS, Rank, Reason, RuleFault, Seat};

use super::{Game, Phase, Verdict, Witness};

/// What has been dealt in this round, and how many cards each should have got.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dealing {
    /// Every card in the order in which it was dealt.
    dealt: Vec<(Seat, Card)>,
    /// The number that the dealer has named (P-71).
    proper: Option<u8>,
}

impl Dealing {
    /// A deal that is known only by its hands.
    pub(crate) fn of_hands<'a>(hands: impl Iterator<Item = (Seat, &'a [Card])>) -> Dealing {
        let dealt = hands.flat_map(|(seat, cards)| cards.iter().map(move |card| (seat, *card))).collect();
        Dealing { dealt, proper: None }
    }

    fn counts(&self) -> [u16; MAX_SEATS] {
        let mut counts = [0; MAX_SEATS];
        self.dealt.iter().for_each(|(seat, _)| counts[seat.index()] += 1);
        counts
    }

    /// The number that each should have got: the dealer's, or the one that costs him least, the smallest of several (P-71).
    fn proper(&self, seats: usize) -> u16 {
        let counts = &self.counts()[..seats];
        let cost = |number: u16| counts.iter().map(|count| u32::from(count.abs_diff(number))).sum::<u32>();
        let cheapest = || (0..=counts.iter().copied().max().unwrap_or(0)).min_by_key(|number| cost(*number));
        self.proper.map(u16::from).or_else(cheapest).unwrap_or(0)
    }

    pub(crate) fn is_unequal(&self, seats: usize) -> bool {
        let counts = self.counts();
        counts[..seats].iter().any(|count| *count != counts[0])
    }

    fn everybody_has_one(&self, seats: usize) -> bool {
        self.counts()[..seats].iter().all(|count| *count > 0)
    }
}

impl Game {
    /// The dealer hands out one card to each of `to`. One card must be left to turn up and one a seat to draw (P-03).
    pub(super) fn deal_out<W: Witness>(&mut self, witness: &mut W, seat: Seat, to: &[Seat]) -> Verdict {
        let seats = self.seats();
        let left = seats * self.rules.set.deal.leave_each as usize;
        let over = self.table.looked.contains(self.table.dealer) && self.dealing_is_complete();
        if seat != self.table.dealer || self.phase != Phase::Deal || self.is_paused() || over {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        if to.iter().any(|to| to.index() >= seats) || self.draw_pile.len() < to.len() + 1 + left {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.table.limits = 0;
        for to in to {
            self.deal_one(witness, *to);
        }
        Verdict::Accepted
    }

    pub(super) fn deal_one<W: Witness>(&mut self, witness: &mut W, to: Seat) {
        let Some(card) = self.draw_pile.draw(&mut self.chance, to) else { return };
        self.table.hands[to.index()].add(card);
        if let Some(dealing) = &mut self.dealing {
            dealing.dealt.push((to, card));
        }
        let covered = self.is_covered(to);
        self.tell(witness, Event::Dealt { seat: to, count: 1, cards: Some(Box::new([card])), covered });
    }

    pub(super) fn dealing_is_complete(&self) -> bool {
        self.dealing.as_ref().is_none_or(|dealing| dealing.everybody_has_one(self.seats()))
    }

    /// The dealer says how many cards each should have got (P-71).
    pub(super) fn choose_proper<W: Witness>(&mut self, witness: &mut W, seat: Seat, choice: Choice) -> Verdict {
        let number = match choice {
            Choice::Rank(rank) => Rank::all().position(|other| other == rank).map(|at| at as u8 + 2),
            Choice::Suit(_) => None,
        };
        match (&mut self.dealing, number.filter(|number| (2..=10).contains(number))) {
            (Some(dealing), Some(number)) if seat == self.table.dealer => {
                dealing.proper = Some(number);
                self.tell(witness, Event::Chose { seat, choose: choice });
                Verdict::Accepted
            }
            _ => self.refuse(witness, seat, None, Reason::NotNow),
        }
    }

    /// The dealer has finished dealing, by looking or by turning up: unequal hands are a mistake (P-70).
    pub(super) fn note_misdeal<W: Witness>(&mut self, witness: &mut W, turning_up: bool) {
        let (seats, dealer) = (self.seats(), self.table.dealer);
        let unequal = |dealing: &super::dealing::Dealing| {
            dealing.is_unequal(seats) && (turning_up || dealing.everybody_has_one(seats))
        };
        let known = self.ledger.as_ref().is_none_or(|ledger| ledger.has(dealer, RuleFault::Misdeal));
        if !known && self.dealing.as_ref().is_some_and(|dealing| unequal(dealing)) {
            self.note(witness, dealer, RuleFault::Misdeal);
        }
    }

    /// Makes every hand what it should have been: surplus cards, last dealt first, go under the draw pile, missing ones
    /// come from its top (P-72). Returns the number of wrong cards.
    pub(super) fn even_out<W: Witness>(&mut self, witness: &mut W) -> u8 {
        let seats = self.seats();
        let Some(mut dealing) = self.dealing.take() else { return 1 };
        let (counts, proper) = (dealing.counts(), dealing.proper(seats));
        let mut wrong = 0u16;
        for seat in Seat::all(seats) {
            let count = counts[seat.index()];
            wrong += count.abs_diff(proper);
            for _ in proper..count {
                self.return_one(witness, seat, &mut dealing);
            }
        }
        self.dealing = Some(dealing);
        for seat in Seat::all(seats) {
            for _ in counts[seat.index()]..proper {
                self.deal_one(witness, seat);
            }
        }
        u8::try_from(wrong).unwrap_or(u8::MAX)
    }

    fn return_one<W: Witness>(&mut self, witness: &mut W, seat: Seat, dealing: &mut Dealing) {
        let held = |(to, card): &(Seat, Card)| *to == seat && self.hand(seat).contains(*card);
        let last = dealing.dealt.iter().rposition(held).map(|at| dealing.dealt.remove(at).1);
        let Some(card) = last.or_else(|| self.hand(seat).cards().next()) else { return };
        let covered = self.is_covered(seat);
        self.table.hands[seat.index()].remove(card);
        self.draw_pile.put_under(card);
        self.tell(witness, Event::Returned { seat, card: Some(card), covered });
    }
}
