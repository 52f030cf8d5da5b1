//! Suits and values that are named, with a card or separately, and the suits that may not be (K-10, N-54 to N-57).
//! Suits that are stated in words belong to [`speech`](crate::game::speech). Keeps the barred suits; the suit to be
//! served is kept by `game/pile`.

use maumau_protocol::ruleset::{FirstNames, Named};
use maumau_protocol::{Card, Choice, Event, Pack, Reason, RuleFault, Say, Seat, Suit};

use crate::game::way::PlayWay;
use crate::game::{Facing, Game, Phase, Verdict, Witness};

/// The suits that may not be named now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct BarredSuits([Option<Suit>; 2]);

impl BarredSuits {
    fn contains(self, suit: Suit) -> bool {
        self.0.contains(&Some(suit))
    }

    /// The suits, for the list of legal actions.
    pub(in crate::game) fn suits(self) -> [Option<Suit>; 2] {
        self.0
    }
}

impl Game {
    /// Names the awaited suit or value.
    pub(in crate::game) fn choose<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        choice: Choice,
        say: &Say,
    ) -> Verdict {
        if seat != self.table.seating.turn() {
            return self.refuse(witness, seat, None, Reason::NotYourTurn);
        }
        match (self.table.facing, choice) {
            (_, Choice::Suit(suit)) if self.table.pile.waits_for_suit() => {
                self.record_speech(witness, seat, say);
                self.state_suit(witness, seat, suit);
                Verdict::Accepted
            }
            (Facing::Naming, _) if self.may_name(choice) => {
                self.record_speech(witness, seat, say);
                self.emit(witness, Event::Chose { seat, choose: choice });
                self.name(witness, choice);
                Verdict::Accepted
            }
            (Facing::Naming, Choice::Suit(_)) if self.names_new_suit() => self.refuse_suit(witness, seat),
            (Facing::Naming, _) => self.refuse(witness, seat, None, Reason::ChoiceWrong),
            _ => self.refuse(witness, seat, None, Reason::NotNow),
        }
    }

    /// Names the awaited suit or value; the card then has its other effects (K-10).
    pub(in crate::game) fn name<W: Witness>(&mut self, witness: &mut W, choice: Choice) {
        let (seat, card) = (self.table.seating.turn(), self.top());
        if let (true, Choice::Suit(suit)) = (self.names_for_first_turn(), choice) {
            self.table.pile.serve_suit(Some(suit), &self.rules);
            self.note_demand();
            self.table.changes.progress();
            return self.stay_with(seat);
        }
        if let (Some(then), Choice::Suit(suit)) = (self.named_by_drawer(), choice) {
            self.table.pile.serve_suit(Some(suit), &self.rules);
            self.note_demand();
            self.table.changes.progress();
            return self.go_on_after_owed(witness, then, 1);
        }
        let request = card.and_then(|card| self.requests(card));
        match (card, choice, request) {
            (_, choice, Some(request)) => {
                self.begin_request(witness, seat, request, choice);
                self.end_turn(witness, 1);
            }
            (Some(card), Choice::Suit(suit), None) => {
                self.table.pile.serve_suit(Some(suit), &self.rules);
                self.note_demand();
                self.run_effects(witness, seat, card, PlayWay::Turn, None);
            }
            _ => self.end_turn(witness, 1),
        }
    }

    /// Whether the seat to move names the suit of the card that was turned up, and then has its turn (G-51).
    fn names_for_first_turn(&self) -> bool {
        let by_first_player = self.rules.set.deal.first_names == FirstNames::FirstPlayer;
        by_first_player && self.table.played == 0 && self.table.pile.cards().len() == 1
    }

    /// The suit named with `card`, if it is a new one: neither the card's own nor that of the card before (N-54).
    pub(in crate::game) fn new_suit(&mut self, card: Card, choose: Option<Choice>) -> Option<Suit> {
        if !self.rules.new_suit.contains(card) {
            return None;
        }
        // The card has already been played, so the one below it counts.
        let below = self.table.pile.visible_below(1, &self.rules);
        self.table.barred_suits = BarredSuits([card.suit(), below.and_then(Card::suit)]);
        match choose {
            Some(Choice::Suit(suit)) if !self.table.barred_suits.contains(suit) => Some(suit),
            _ => None,
        }
    }

    /// The dealer has turned up `card`, with which something must be named: the seat to move names it before anything else
    /// (K-10, G-51).
    pub(in crate::game) fn ask_for_first_name(&mut self, card: Card) {
        self.table.facing = Facing::Naming;
        self.table.barred_suits = BarredSuits([card.suit().filter(|_| self.rules.new_suit.contains(card)), None]);
        self.note_turn();
    }

    /// The seat to move has drawn what it owed, and names the suit of the next card (G-70).
    pub(super) fn ask_drawer(&mut self) {
        self.table.facing = Facing::Naming;
        self.table.barred_suits = BarredSuits::default();
        self.note_turn();
    }

    /// A card was played without the suit that it needs: a mistake, and no seat moves until one is named (N-57).
    pub(in crate::game) fn ask_for_suit<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        self.give_turn(seat);
        self.table.facing = Facing::Naming;
        self.note_turn();
        self.mistake(witness, seat, RuleFault::NoSuit, 1);
    }

    /// Whether the awaited suit must be a new one.
    pub(in crate::game) fn names_new_suit(&self) -> bool {
        self.visible_top().is_some_and(|card| self.rules.new_suit.contains(card))
    }

    /// Whether the pack has `suit`.
    #[inline]
    pub(in crate::game) fn knows_suit(&self, suit: Suit) -> bool {
        suit.is_coloured() == (self.rules.pack() != Pack::French)
    }

    /// Whether `choice` is an awaited one.
    pub(in crate::game) fn may_name(&self, choice: Choice) -> bool {
        match (self.top().and_then(|card| self.requests(card)), choice) {
            (Some(request), choice) => self.can_name(request, choice),
            (None, Choice::Suit(suit)) => self.knows_suit(suit) && !self.table.barred_suits.contains(suit),
            (None, Choice::Rank(_) | Choice::Seat(_)) => false,
        }
    }

    /// Naming a forbidden suit is one more mistake, and the referee asks again (N-54, N-57).
    pub(in crate::game) fn refuse_suit<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        self.mistake(witness, seat, RuleFault::NoSuit, 1);
        self.refuse(witness, seat, None, Reason::SuitBarred)
    }

    /// The referee's choice for a seat that makes none: the first that can be named (G-05).
    pub(in crate::game) fn first_choice(&self) -> Choice {
        let suits = self.rules.pack().suits();
        let request = self.top().and_then(|card| self.requests(card));
        match request.map(|request| request.names) {
            Some(Named::Rank) => {
                let rank = self.rules.pack().ranks().into_iter().find(|rank| self.rules.can_request(*rank));
                rank.map_or(Choice::Suit(suits[0]), Choice::Rank)
            }
            Some(Named::Suit) | None => {
                let suit = suits.into_iter().find(|suit| !self.table.barred_suits.contains(*suit));
                Choice::Suit(suit.unwrap_or(suits[0]))
            }
        }
    }

    /// The kind of choice that the seat to move must make before anything else.
    #[inline]
    pub fn waits_for_name(&self) -> Option<Named> {
        if self.phase != Phase::Play || self.table.facing != Facing::Naming {
            return None;
        }
        let request = self.top().and_then(|card| self.requests(card));
        Some(request.map_or(Named::Suit, |request| request.names))
    }
}
