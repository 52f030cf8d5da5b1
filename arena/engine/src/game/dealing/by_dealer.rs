//! Deals by actions of the dealer, or of another seat by mistake: who may deal what, which way, and when the deal is
//! over (N-107 to N-113, N-116 to N-121, P-02 to P-04). Penalty cards that are dealt out, wrong hands and the count of
//! ten have their own files. It moves cards from the draw pile to the hands and keeps what was dealt so far.

use crate::reuse::clone_in_place;
use maumau_protocol::ruleset::DealOrder;
use maumau_protocol::{Card, Direction, Event, MAX_SEATS, Reason, RuleFault, Say, Seat, SeatSet};

use crate::game::{Game, Phase, Verdict, Witness};
use crate::random::Purpose;

/// A deal in progress, by actions.
#[derive(Debug, Default, PartialEq)]
pub(super) struct DealInProgress {
    /// Who is dealing, and the receivers so far.
    dealer: Option<Seat>,
    receivers: Vec<Seat>,
    /// The cards in the order in which they were dealt.
    cards: Vec<Card>,
    wrong_way: bool,
}

clone_in_place!(DealInProgress { dealer, receivers, cards, wrong_way });

impl DealInProgress {
    /// A new deal begins.
    pub(super) fn begin(&mut self) {
        self.dealer = None;
        self.receivers.clear();
        self.cards.clear();
        self.wrong_way = false;
    }

    /// A deal of which only the hands are known.
    pub(super) fn know_hands<'a>(&mut self, hands: impl Iterator<Item = (Seat, &'a [Card])>) {
        for (seat, cards) in hands {
            self.cards.extend_from_slice(cards);
            self.receivers.extend(std::iter::repeat_n(seat, cards.len()));
        }
    }

    /// Whether cards have been dealt by actions, or the right to do so taken up.
    pub(super) fn is_begun(&self) -> bool {
        self.dealer.is_some()
    }

    /// Forgets the last card dealt to `seat` among those for which `is_there` holds.
    pub(super) fn take_back(&mut self, seat: Seat, is_there: impl Fn(Card) -> bool) -> Option<Card> {
        let dealt = self.receivers.iter().zip(&self.cards);
        let at = dealt
            .enumerate()
            .filter(|(_, (to, card))| **to == seat && is_there(**card))
            .map(|(at, _)| at)
            .next_back()?;
        self.receivers.remove(at);
        Some(self.cards.remove(at))
    }

    /// The cards dealt to each seat.
    pub(super) fn counts(&self) -> [u16; MAX_SEATS] {
        let mut counts = [0; MAX_SEATS];
        self.receivers.iter().for_each(|seat| counts[seat.index()] += 1);
        counts
    }

    /// Whether the cards have gone round against `direction`, from the dealer to the first receiver and from each receiver
    /// to the next: whether more of these steps go the wrong way than the right one (N-109). With two seats both
    /// ways are the same.
    fn goes_against(&self, dealer: Seat, direction: Direction, seats: usize) -> bool {
        let from = std::iter::once(&dealer).chain(&self.receivers);
        let steps = |way: Direction| {
            from.clone().zip(&self.receivers).filter(|(from, to)| from.step(way, 1, seats) == **to).count()
        };
        steps(direction.reversed()) > steps(direction)
    }
}

impl Game {
    /// The shuffled deck lies ready for the dealer.
    pub(super) fn begin_dealing(&mut self) {
        let mut deck = self.rules.deck.clone();
        let count = deck.len();
        self.chance.stream(Purpose::Deal, 0).shuffle_front(&mut deck, count);
        self.draw_pile.clear(self.seats());
        self.draw_pile.put_on_top(deck.into_iter());
        self.enter_dealing();
    }

    pub(in crate::game) fn enter_dealing(&mut self) {
        self.dealing.begin();
        self.phase = Phase::Deal;
    }

    /// The seat whose deal goes on: the one that has begun, otherwise the right dealer.
    pub(in crate::game) fn dealing_seat(&self) -> Seat {
        self.dealing.deal.dealer.unwrap_or(self.table.dealer)
    }

    pub(in crate::game) fn deals_freely(&self) -> bool {
        self.rules.set.deal.order == DealOrder::Free
    }

    /// Whether every seat has a card; always true unless the dealer decides how many (P-03).
    pub(in crate::game) fn dealing_is_complete(&self) -> bool {
        let counts = self.dealing.deal.counts();
        !self.deals_freely() || counts[..self.seats()].iter().all(|count| *count > 0)
    }

    /// Whether `seat` may deal a card to each of `receivers` now. In a free deal only the dealer may, until it has looked
    /// at its own cards (P-04).
    pub(in crate::game) fn may_deal(&self, seat: Seat, receivers: &[Seat]) -> bool {
        let finished = self.has_looked(self.table.dealer) && self.dealing_is_complete();
        let free = seat == self.table.dealer && !self.is_paused() && !finished;
        let other_deals = self.dealing.deal.dealer.is_some_and(|dealer| dealer != seat);
        let enough = self.draw_pile.len() >= receivers.len() + self.kept_behind(receivers);
        self.phase == Phase::Deal && !other_deals && !receivers.is_empty() && enough && (free || !self.deals_freely())
    }

    /// Cards that must be left after `receivers` have theirs: one to turn up, in a free deal some to draw, and one for each
    /// seat that has none yet (P-03). A round without them could never begin.
    fn kept_behind(&self, receivers: &[Seat]) -> usize {
        if !self.deals_freely() {
            return 1;
        }
        1 + self.seats() * self.rules.set.deal.leave_each as usize + self.without_card(receivers).len()
    }

    /// The seats without a card after `receivers` have been dealt theirs.
    pub(in crate::game) fn without_card(&self, receivers: &[Seat]) -> SeatSet {
        let counts = self.dealing.deal.counts();
        Seat::all(self.seats()).filter(|seat| counts[seat.index()] == 0 && !receivers.contains(seat)).collect()
    }

    /// Cards of the draw pile that the deal still needs. No penalty can take them: it lapses instead (G-07).
    pub(in crate::game) fn kept_for_deal(&self) -> usize {
        match self.phase {
            Phase::TurnUp => 1,
            Phase::Deal => {
                let proper = if self.deals_freely() { 0 } else { self.rules.deal_cards * self.seats() };
                proper.saturating_sub(self.dealt_cards()) + self.kept_behind(&[])
            }
            _ => 0,
        }
    }

    /// `seat` deals one card to each of `receivers` (N-109 to N-113, N-116, N-117, P-02, P-04).
    pub(in crate::game) fn deal_cards<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        receivers: &[Seat],
        say: &Say,
    ) -> Verdict {
        let seats = self.seats();
        if !self.may_deal(seat, receivers) {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        if receivers.iter().any(|receiver| receiver.index() >= seats) {
            return self.refuse(witness, seat, None, Reason::NotYours);
        }
        self.table.patience.acted();
        self.speak(witness, seat, say);
        let is_false = seat != self.table.dealer;
        if self.dealing.deal.dealer.is_none() {
            self.dealing.deal.dealer = Some(seat);
            if is_false {
                self.keep_for_calls(seat, RuleFault::FalseDeal);
            }
        }
        for receiver in receivers {
            self.deal_one(witness, seat, *receiver);
            let over = self.hand(*receiver).len() as usize > self.rules.deal_cards;
            if is_false && over {
                self.enlarge_false_deal(seat);
            }
        }
        if self.deals_freely() || self.dealing.deal.wrong_way {
            return Verdict::Accepted;
        }
        if is_false {
            // N-113: for a false dealer, the way in which the deal begins counts.
            let backwards = seat.step(self.table.seating.direction().reversed(), 1, seats);
            self.dealing.deal.wrong_way = seats > 2 && self.dealing.deal.receivers.first() == Some(&backwards);
            if self.dealing.deal.wrong_way {
                self.enlarge_false_deal(seat);
            }
        } else if self.is_dealt() && self.went_the_wrong_way() {
            self.mistake(witness, seat, RuleFault::WrongDirection, 1);
        }
        Verdict::Accepted
    }

    /// Whether all cards of the round have been dealt.
    pub(super) fn is_dealt(&self) -> bool {
        self.dealt_cards() >= self.rules.deal_cards * self.seats()
    }

    /// Whether the right dealer's whole deal has gone against the direction, which counts as one mistake; true only once
    /// (N-109).
    fn went_the_wrong_way(&mut self) -> bool {
        let known = self.dealing.deal.wrong_way;
        self.dealing.deal.wrong_way |=
            self.dealing.deal.goes_against(self.table.dealer, self.table.seating.direction(), self.seats());
        self.dealing.deal.wrong_way && !known
    }

    /// In a fixed deal no seat sees cards before the turn-up; in a free one the seats that have looked do (P-05).
    pub(super) fn deal_one<W: Witness>(&mut self, witness: &mut W, by: Seat, to: Seat) {
        let Some(card) = self.draw_pile.draw(&self.chance, by) else { return };
        self.table.hands[to.index()].add(card);
        self.dealing.deal.receivers.push(to);
        self.table.changes.progress();
        self.dealing.deal.cards.push(card);
        self.table.changes.progress();
        if self.deals_freely() {
            let sealed = self.is_covered(to);
            self.emit(witness, Event::Dealt { seat: to, count: 1, cards: Some(Box::new([card])), sealed });
        } else {
            self.emit(witness, Event::DealtCard { by, to });
        }
    }

    /// Hands were exchanged, except those that `stays`: rewrites the record of the deal from what they now hold; for a
    /// comparison of hidden cards.
    pub(in crate::game) fn deal_was_of_hands(&mut self, stays: impl Fn(Seat) -> bool) {
        let mut hands: Vec<_> = self.table.hands.iter().map(|hand| hand.cards()).collect();
        for (receiver, card) in self.dealing.deal.receivers.iter().zip(&mut self.dealing.deal.cards) {
            if !stays(*receiver) {
                *card = hands[receiver.index()].next().unwrap_or(*card);
            }
        }
    }

    fn enlarge_false_deal(&mut self, seat: Seat) {
        if let Some(deal) = self.ledger.find(seat, RuleFault::FalseDeal) {
            deal.count += 1;
        }
    }

    /// A called false deal is void: the cards go back and are shuffled (N-120).
    pub(in crate::game) fn void_deal<W: Witness>(&mut self, witness: &mut W) {
        let mut cards: Vec<Card> = self.draw_pile.cards().chain(self.dealing.deal.cards.iter().copied()).collect();
        let count = cards.len();
        let number = self.table.takes.next_number();
        self.chance.stream(Purpose::Deal, number).shuffle_front(&mut cards, count);
        self.table.hands.iter_mut().for_each(|hand| hand.clear());
        self.draw_pile.clear(self.seats());
        self.draw_pile.put_on_top(cards.into_iter());
        self.emit(witness, Event::DealVoid);
        self.note_restored();
        self.enter_dealing();
    }

    /// Whether `seat` may end a fixed deal as it stands: the seat that has dealt may, and the right dealer if another seat
    /// has dealt all cards and no seat calls it (N-16, N-120).
    pub(super) fn ends_the_deal(&self, seat: Seat) -> bool {
        seat == self.dealing_seat() || (seat == self.table.dealer && !self.deals_freely() && self.is_dealt())
    }

    /// The dealer turns up the first card; where the deal is fixed, wrong hands are then put right and charged (N-110,
    /// N-121).
    pub(in crate::game) fn turn_up_by<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        let begun = self.phase == Phase::Deal && self.dealing.deal.is_begun();
        let dealt = begun && self.ends_the_deal(seat) && self.dealing_is_complete();
        let prepared = self.phase == Phase::TurnUp && seat == self.table.dealer;
        if self.is_paused() {
            return self.refuse(witness, seat, None, Reason::Rests);
        }
        if !dealt && !prepared {
            return self.refuse(witness, seat, None, Reason::NotYours);
        }
        self.record_speech(witness, seat, say);
        self.phase = Phase::TurnUp;
        let rightly = *self.dealing.deal.dealer.get_or_insert(seat) == self.table.dealer;
        let proper = self.rules.deal_cards as u16;
        let first_card = self.play_first_card(witness);
        let (mut wrong_way, mut wrong) = (false, 0);
        if dealt && !self.deals_freely() {
            // The effect of the first card, for example a take, applies to corrected hands.
            wrong_way = rightly && self.went_the_wrong_way();
            wrong = self.even_out(witness, proper);
            for seat in Seat::all(self.seats()) {
                let hand = self.hand(seat);
                let (count, cards) = (hand.len(), Some(hand.cards().collect()));
                self.emit(witness, Event::Dealt { seat, count, cards, sealed: false });
            }
        }
        if let Some(card) = first_card {
            self.first_card_takes_effect(witness, card);
        }
        if wrong_way {
            self.mistake(witness, seat, RuleFault::WrongDirection, 1);
        }
        if wrong > 0 && rightly {
            self.mistake(witness, seat, RuleFault::Misdeal, wrong);
        }
        self.on_speech(witness, seat, say);
        Verdict::Accepted
    }

    /// Cards dealt so far.
    pub(in crate::game) fn dealt_cards(&self) -> usize {
        self.dealing.deal.receivers.len()
    }

    /// The referee finishes the deal for an absent dealer (G-22).
    pub(in crate::game) fn deal_for<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        if self.phase == Phase::Deal {
            let proper =
                if self.deals_freely() && self.dealing_is_complete() { 0 } else { self.rules.deal_cards as u16 };
            let mut receivers = Vec::new();
            for round in 0..proper {
                for step in 1..=self.seats() {
                    let receiver = seat.step(self.table.seating.direction(), step, self.seats());
                    if self.hand(receiver).len() <= round {
                        receivers.push(receiver);
                    }
                }
            }
            if !receivers.is_empty() {
                self.deal_cards(witness, seat, &receivers, &Say::Nothing);
            }
            self.dealing.deal.dealer = Some(seat);
        }
        self.dealing.outstanding.deal();
        self.turn_up_by(witness, seat, &Say::Nothing);
    }
}
