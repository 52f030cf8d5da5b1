//! The dealer deals by actions of his own, with all mistakes that can be made (N-107 to N-122, N-128, N-129).

use maumau_protocol::{Card, Event, Reason, RuleFault, Seat};

use super::ledger::{Until, Violation};
use super::{Game, Phase, Verdict, Witness};
use crate::chance::Purpose;

/// A deal in progress, and what is outstanding from before it.
#[derive(Clone, Debug)]
pub(crate) struct Dealing {
    /// Mistakes of each seat that are to be paid in the deal (N-118, N-122).
    pub(crate) outstanding: Vec<u16>,
    /// Who is dealing, and the receivers so far.
    dealer: Option<Seat>,
    receivers: Vec<Seat>,
    /// Each card in the order in which it was dealt.
    cards: Vec<Card>,
    wrong_way: bool,
    penalties_dealt: bool,
    counting: bool,
}

impl Dealing {
    pub(crate) fn new(seats: usize) -> Dealing {
        Dealing {
            outstanding: vec![0; seats],
            dealer: None,
            receivers: Vec::new(),
            cards: Vec::new(),
            wrong_way: false,
            penalties_dealt: false,
            counting: false,
        }
    }

    fn begin(&mut self) {
        self.dealer = None;
        self.receivers.clear();
        self.cards.clear();
        self.wrong_way = false;
        self.penalties_dealt = false;
        self.counting = false;
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

    pub(super) fn enter_dealing(&mut self) {
        self.dealing.begin();
        self.phase = Phase::Deal;
    }

    /// The seat whose deal goes on: whoever has begun, else the right dealer.
    pub(super) fn dealing_seat(&self) -> Seat {
        self.dealing.dealer.unwrap_or(self.table.dealer)
    }

    /// `seat` deals one card to each of `receivers` (N-109 to N-113, N-116, N-117).
    pub(super) fn deal_cards<W: Witness>(&mut self, witness: &mut W, seat: Seat, receivers: &[Seat]) -> Verdict {
        let seats = self.seats();
        let other_deals = self.dealing.dealer.is_some_and(|dealer| dealer != seat);
        if self.phase != Phase::Deal || other_deals || receivers.is_empty() || receivers.len() > self.draw_pile.len() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        if receivers.iter().any(|receiver| receiver.index() >= seats) {
            return self.refuse(witness, seat, None, Reason::NotYours);
        }
        let is_false = seat != self.table.dealer;
        if self.dealing.dealer.is_none() {
            self.dealing.dealer = Some(seat);
            if is_false {
                self.ledger.push(Violation { seat, fault: RuleFault::FalseDeal, count: 1, until: Until::RoundEnd });
            }
        }
        for receiver in receivers {
            let Some(card) = self.draw_pile.draw(&mut self.chance, seat) else { break };
            self.table.hands[receiver.index()].add(card);
            self.dealing.receivers.push(*receiver);
            self.table.progress += 1;
            self.dealing.cards.push(card);
            self.tell(witness, Event::DealtCard { by: seat, to: *receiver });
            let over = self.hand(*receiver).len() as usize > self.rules.deal_cards;
            if is_false && over {
                self.enlarge_false_deal(seat);
            }
        }
        let direction = self.table.direction;
        let backwards = seat.step(direction.reversed(), 1, seats);
        let wrong_way = seats > 2 && self.dealing.receivers.first() == Some(&backwards);
        if wrong_way && !self.dealing.wrong_way {
            self.dealing.wrong_way = true;
            match is_false {
                true => self.enlarge_false_deal(seat),
                false => self.mistake(witness, seat, RuleFault::WrongDirection, 1),
            }
        }
        Verdict::Accepted
    }

    fn enlarge_false_deal(&mut self, seat: Seat) {
        let deal = self.ledger.iter_mut().find(|mistake| mistake.seat == seat && mistake.fault == RuleFault::FalseDeal);
        if let Some(deal) = deal {
            deal.count += 1;
        }
    }

    /// A called false deal is void: the cards go back and are shuffled (N-120).
    pub(super) fn void_deal<W: Witness>(&mut self, witness: &mut W) {
        let mut cards: Vec<Card> = self.draw_pile.cards().chain(self.dealing.cards.iter().copied()).collect();
        let count = cards.len();
        self.table.takes_made += 1;
        self.chance.stream(Purpose::Deal, self.table.takes_made).shuffle_front(&mut cards, count);
        self.table.hands.iter_mut().for_each(|hand| hand.clear());
        self.draw_pile.clear(self.seats());
        self.draw_pile.put_on_top(cards.into_iter());
        self.tell(witness, Event::DealVoid);
        self.enter_dealing();
    }

    /// The dealer deals out what is outstanding; the cards change hands with the turn-up (N-118).
    pub(super) fn deal_penalties<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        if self.phase != Phase::Deal || seat != self.dealing_seat() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.dealing.penalties_dealt = true;
        self.tell(witness, Event::PenaltiesDealt { by: seat });
        Verdict::Accepted
    }

    /// What is outstanding comes into the hands, dealt out or not (N-119, N-128).
    pub(super) fn deal_outstanding<W: Witness>(&mut self, witness: &mut W) {
        let any = self.dealing.outstanding.iter().any(|count| *count > 0);
        if !any {
            return;
        }
        let by_actions = self.dealing.dealer.is_some();
        if by_actions && !self.dealing.penalties_dealt {
            let seat = self.dealing_seat();
            self.offend(witness, seat, RuleFault::PenaltiesNotDealt, Until::RoundEnd);
        }
        for seat in Seat::all(self.seats()) {
            for _ in 0..std::mem::take(&mut self.dealing.outstanding[seat.index()]) {
                self.penalise(witness, seat, self.rules.set.calls.cards, RuleFault::FalseDeal);
            }
        }
    }

    /// The dealer turns up the first card; then wrong hands are put right and charged (N-110, N-121).
    pub(super) fn turn_up_by<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        let dealt = self.phase == Phase::Deal && self.dealing.dealer == Some(seat);
        let prepared = self.phase == Phase::TurnUp && seat == self.table.dealer;
        if !dealt && !prepared {
            return self.refuse(witness, seat, None, Reason::NotYours);
        }
        self.phase = Phase::TurnUp;
        let wrong = if dealt { self.wrong_cards() } else { 0 };
        self.turn_up(witness);
        if dealt {
            self.even_out(witness);
            if wrong > 0 && seat == self.table.dealer {
                self.mistake(witness, seat, RuleFault::Misdeal, wrong);
            }
        }
        Verdict::Accepted
    }

    fn wrong_cards(&self) -> u16 {
        let proper = self.rules.deal_cards as u16;
        Seat::all(self.seats()).map(|seat| self.hand(seat).len().abs_diff(proper)).sum()
    }

    fn even_out<W: Witness>(&mut self, witness: &mut W) {
        let proper = self.rules.deal_cards as u16;
        for seat in Seat::all(self.seats()) {
            let dealt: Vec<Card> = std::iter::zip(&self.dealing.receivers, &self.dealing.cards)
                .filter(|(receiver, _)| **receiver == seat)
                .map(|(_, card)| *card)
                .collect();
            let surplus = dealt.len().saturating_sub(proper as usize);
            for card in dealt.iter().rev().take(surplus) {
                if self.hand(seat).contains(*card) {
                    self.table.hands[seat.index()].remove(*card);
                    self.draw_pile.put_under(*card);
                }
            }
            let missing = proper.saturating_sub(dealt.len() as u16);
            for _ in 0..missing {
                if let Some(card) = self.draw_pile.draw(&mut self.chance, seat) {
                    self.table.hands[seat.index()].add(card);
                }
            }
            let hand = self.hand(seat);
            let (count, cards) = (hand.len(), Some(hand.cards().collect()));
            self.tell(witness, Event::Dealt { seat, count, cards });
        }
    }

    /// Cards dealt so far.
    pub(super) fn dealt_cards(&self) -> usize {
        self.dealing.receivers.len()
    }

    /// Whether outstanding penalty cards are still to be dealt out.
    pub(super) fn owes_penalty_deal(&self) -> bool {
        !self.dealing.penalties_dealt && self.dealing.outstanding.iter().any(|count| *count > 0)
    }

    /// Anybody counts down from ten between rounds (N-114).
    pub(super) fn count<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        if self.phase != Phase::Deal {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.dealing.counting = true;
        self.tell(witness, Event::Counting { by: seat });
        Verdict::Accepted
    }

    /// Somebody picks up the cards; the count ends, and it is a mistake of whoever is not the dealer (N-115, N-129).
    pub(super) fn pick_up<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        if self.phase != Phase::Deal || !self.dealing.counting {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.dealing.counting = false;
        self.tell(witness, Event::PickedUp { by: seat });
        if seat != self.table.dealer {
            self.mistake(witness, seat, RuleFault::PickUp, 1);
        }
        Verdict::Accepted
    }

    /// The count is over and nobody has picked up the cards: the dealer's mistake (N-114).
    pub(super) fn count_is_over<W: Witness>(&mut self, witness: &mut W) {
        if std::mem::take(&mut self.dealing.counting) {
            self.mistake(witness, self.table.dealer, RuleFault::PickUp, 1);
        }
    }

    /// The referee finishes the deal for an absent dealer (G-22).
    pub(super) fn deal_for<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        if self.phase == Phase::Deal {
            let proper = self.rules.deal_cards as u16;
            let mut receivers = Vec::new();
            for round in 0..proper {
                for step in 1..=self.seats() {
                    let receiver = seat.step(self.table.direction, step, self.seats());
                    if self.hand(receiver).len() <= round {
                        receivers.push(receiver);
                    }
                }
            }
            if !receivers.is_empty() {
                self.deal_cards(witness, seat, &receivers);
            }
            self.dealing.dealer = Some(seat);
            self.dealing.penalties_dealt = true;
        }
        self.turn_up_by(witness, seat);
    }
}
