//! Moves a card from the hand to the pile. Whether it may be played was judged in `play`; what follows for the next seat
//! is in `effects`.

use std::ops::ControlFlow;

use maumau_protocol::ruleset::LastCosts;
use maumau_protocol::{Card, Choice, DrawReason, Event, RuleFault, Say, Seat, Suit};

use crate::game::way::PlayWay;
use crate::game::{Facing, Game, Phase, Witness};
use crate::speech;

impl Game {
    /// Moves the card `laid` from the hand to the pile and carries out its effect, or that of the card for which it stands.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    pub(super) fn place_card<const PLAIN: bool, W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        laid: Card,
        stands_for: Option<Card>,
        choose: Option<Choice>,
        say: &Say,
        way: PlayWay,
    ) {
        let features = self.features::<PLAIN>();
        let card = stands_for.unwrap_or(laid);
        let serves = features.requests && self.serves(card);
        let powerless = features.requests && self.is_powerless(card);
        let under = if features.announcements { self.visible_top() } else { None };
        let hand = &mut self.table.hands[seat.index()];
        hand.remove(laid);
        let left = hand.len();
        self.note_departure(seat, laid);
        self.note_top();
        self.table.pile.add(laid);
        if let Some(card) = stands_for {
            self.table.pile.top_stands_for(card);
        }
        self.table.changes.progress();
        self.count_played();
        if features.interjections {
            self.table.pile.extend_run(way);
        }
        if way == PlayWay::Interjection {
            let count = self.table.pile.interjections();
            self.emit_with(witness, || Event::Interjected { seat, count });
        }
        let named = self.suit_under(seat, card, choose, serves || powerless);
        if features.announcements {
            self.note_identical(card, under);
            self.announce(seat, say);
        }
        self.refill(witness);
        let said_mau = self.says_mau(say);
        if left == 1 {
            self.one_card_left(seat, said_mau);
        } else if said_mau {
            self.say_mau_ahead(seat);
            if self.rules.faces[card.index()].hands.is_none() {
                self.charge_false_mau(witness, seat);
            }
        }
        let face = &self.rules.faces[card.index()];
        if face.plain && left > 0 && !serves {
            // By other rules the seat has the turn already.
            if features.react() || features.races || features.exchanges {
                self.stay_with(seat);
            }
            return self.hand_on::<PLAIN, _>(witness, 1, Facing::FRESH);
        }
        if powerless && left > 0 {
            return self.end_turn(witness, 1);
        }
        let charged = left == 0 && !features.closing && self.charge_last_card(witness, seat, card, say, serves);
        let lapses = charged && !serves && self.is_priced_last(card);
        if lapses || (charged && powerless && !self.hand(seat).is_empty()) {
            self.stay_with(seat);
            return self.end_turn(witness, 1);
        }
        self.take_effect(witness, seat, card, choose, named, serves, way);
        if said_mau && self.rules.faces[card.index()].hands.is_some() {
            self.said_before_hands_moved(witness, seat, say);
        }
    }

    /// The warning that `seat` has said with a card by which hands have moved is judged by the hand that it then has (G-44).
    #[cold]
    pub(super) fn said_before_hands_moved<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) {
        if self.phase != Phase::Play {
            return;
        }
        match self.hand(seat).len() {
            1 => say.texts().iter().for_each(|text| self.hear_mau(seat, text.as_str())),
            _ => self.charge_false_mau(witness, seat),
        }
    }

    /// Charges `seat` for `card`, its last, if it does not win: for a card that costs something in this place (G-49), or one
    /// without its word (G-50). False if it wins, or has a price that is not charged here.
    #[cold]
    pub(super) fn charge_last_card<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        say: &Say,
        serves: bool,
    ) -> bool {
        let (cards, fault) = match (self.rules.faces[card.index()].last_costs, &self.rules.set.duties.last) {
            (LastCosts::Cards(cards), _) if !serves => (cards, RuleFault::WrongCard),
            (LastCosts::Unheld, _) if !serves => return false,
            (_, Some(last)) if !say.texts().iter().any(|text| speech::contains(text.as_str(), &last.word)) => {
                (last.cards, RuleFault::NoMauMau)
            }
            _ => return false,
        };
        self.penalise(witness, seat, cards.into(), fault);
        true
    }

    /// Carries out the effect of `card`, which `seat` has just played; a new suit may have been `named` with it, or it may
    /// only have served a request.
    #[allow(clippy::too_many_arguments)]
    #[inline(never)]
    fn take_effect<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        choose: Option<Choice>,
        named: Option<Suit>,
        serves: bool,
        way: PlayWay,
    ) {
        let left = self.hand(seat).len();
        let face = &self.rules.faces[card.index()];
        let chosen = match choose {
            Some(Choice::Seat(chosen)) => Some(chosen),
            _ => None,
        };
        if left > 0 && !serves && face.request.is_none() && (named.is_some() || !self.rules.new_suit.contains(card)) {
            // Most cards: nothing is won, requested or left to be named.
            return self.run_effects(witness, seat, card, way, chosen);
        }
        let wins = left == 0 && !self.features.closing && (serves || face.last_costs.is_nothing());
        let mut dies = false;
        if wins {
            match self.win_with(witness, seat, card, serves) {
                ControlFlow::Break(()) => return,
                ControlFlow::Continue(its_effect_dies) => dies = its_effect_dies,
            }
        }
        if serves {
            self.note_served(seat);
            return self.end_turn(witness, 1);
        }
        if dies {
            self.stay_with(seat);
            return self.end_turn(witness, 1);
        }
        let request = self.rules.faces[card.index()].request;
        if choose.is_none() {
            self.decline_request(witness, seat, request);
        }
        match (request, choose) {
            (Some(request), Some(choice)) => {
                self.begin_request(witness, seat, request, choice);
                self.end_turn(witness, 1);
            }
            _ if self.rules.new_suit.contains(card) && named.is_none() => self.ask_for_suit(witness, seat),
            _ if left == 0 && !self.features.closing && !wins => {
                // D-78, option `last_special=natural`: an ace without a follower draws one.
                self.draw_cards(witness, seat, 1, DrawReason::Turn);
                self.end_turn(witness, 1);
            }
            _ => self.run_effects(witness, seat, card, way, chosen),
        }
    }

    /// `seat` wins with `card`, its last, or goes out with it. If the round goes on, whether the card has no effect.
    #[cold]
    fn win_with<W: Witness>(&mut self, witness: &mut W, seat: Seat, card: Card, serves: bool) -> ControlFlow<(), bool> {
        let goes_out = self.features.places;
        let dies = goes_out && !self.last_card_acts();
        if let Some(total) = self.counts_on(seat) {
            self.take_new_hand(witness, seat, total);
        } else if !goes_out {
            self.win_round(witness, seat, card, serves);
            return ControlFlow::Break(());
        } else {
            let multiplies = if serves { 1 } else { self.rules.faces[card.index()].multiplies };
            if self.go_out(witness, seat, card, multiplies) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(dies)
    }

    /// Sets what must be served after `card`: a wish lasts until the next card; without one the card's own suit counts
    /// (B-24, B-26, K-19). Returns the new suit that was named, if one must be.
    #[inline(always)]
    pub(super) fn suit_under(&mut self, seat: Seat, card: Card, choose: Option<Choice>, serves: bool) -> Option<Suit> {
        if !self.rules.suit_apart.contains(card) {
            self.table.pile.serve_card(card, &self.rules);
            return None;
        }
        // G-49: a last card with a price of its own does nothing, so nothing is named with it.
        let lapses = self.hand(seat).is_empty() && !self.features.closing && self.is_priced_last(card);
        self.suit_under_special(card, choose, serves || lapses)
    }

    /// Whether `card` has a price of its own as the last one, and does nothing then (G-49).
    pub(super) fn is_priced_last(&self, card: Card) -> bool {
        matches!(self.rules.faces[card.index()].last_costs, LastCosts::Cards(_))
    }

    /// As [`Game::suit_under`], for a card that names something, is treated as absent, or opens a run without a suit.
    fn suit_under_special(&mut self, card: Card, choose: Option<Choice>, serves: bool) -> Option<Suit> {
        let named = self.new_suit(card, choose);
        let suit = match choose {
            _ if self.rules.transparent.contains(card) => self.table.pile.suit(),
            _ if self.rules.openers.contains(card) => self.suit_of_opener(card),
            _ if self.rules.new_suit.contains(card) => named,
            _ if serves || !self.rules.chooses.contains(card) => None,
            Some(Choice::Suit(suit)) => Some(suit),
            _ => card.suit(),
        };
        // D-42, D-55: under a request no suit is awaited either.
        self.table.pile.serve(suit, self.rules.spoken.contains(card) && !serves, &self.rules);
        named
    }
}
