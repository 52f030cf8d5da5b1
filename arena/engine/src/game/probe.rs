//! Questions of the checks in `selftest` about a position that no player could ask, and the one change that they make
//! to it: they exchange the cards that a seat may not know. No player and no referee uses it.

use std::sync::Arc;

use maumau_protocol::{Card, Direction, Seat, Seed};

use super::changes::Changes;
use super::state::Table;
use super::{Facing, Game, Phase, Unseen};
use crate::hand::Hand;

impl Game {
    /// Whether play rests: in a point of order, or in a closing time without answers.
    pub(crate) fn is_resting(&self) -> bool {
        self.rests()
    }

    /// Whether `card` may be laid as the twin of the top card.
    pub(crate) fn is_twin(&self, card: Card) -> bool {
        self.twin() == Some(card)
    }

    /// Whether `seat` has begun a movement.
    pub(crate) fn has_reached(&self, seat: Seat) -> bool {
        self.reached(seat).is_some()
    }

    /// Whether a suit is waiting to be stated, by any seat.
    pub(crate) fn is_suit_open(&self) -> bool {
        self.table.pile.waits_for_suit()
    }

    /// Whether a wrong card lies that can still be called.
    pub(crate) fn lies_wrongly(&self) -> bool {
        self.wrong_card.lies()
    }

    /// Whether a further card may be laid, or drawn for.
    pub(crate) fn lays_again(&self) -> bool {
        matches!(self.table.facing, Facing::Again { .. })
    }

    /// Whether something must be named whose cost depends on the hand (D-50, D-60).
    pub(crate) fn names_by_hand(&self) -> bool {
        let request = self.top().and_then(|card| self.requests(card));
        self.phase == Phase::Play && self.table.facing == Facing::Naming && request.is_some()
    }

    /// Two accounts of the round that would begin now, which are equal: of this match, and of one by the same rules that has
    /// just begun. Left aside are the dealer, the direction, the events and mistakes to be paid in the deal.
    pub(crate) fn next_rounds(&self) -> [impl PartialEq + std::fmt::Debug + use<>; 2] {
        let (mut next, mut first) = (self.clone(), Game::new(Arc::clone(&self.rules), &Seed([0; 32])));
        // It shows until the first turn which seat moved last.
        first.give_turn(next.table.seating.turn());
        [&mut next, &mut first].map(|game| {
            game.clear_table(&mut Unseen);
            if game.direction() != Direction::Clockwise {
                game.reverse(&mut Unseen);
            }
            let table = Table { dealer: Seat::FIRST, changes: Changes::default(), ..game.table.clone() };
            let pauses = game.pauses.as_ref().map(|pauses| format!("{pauses:?}"));
            let conduct = game.conduct.as_ref().map(|conduct| format!("{conduct:?}"));
            (table, game.ledger.clone(), conduct, pauses, game.wrong_card.lies())
        })
    }

    /// The position without the traces that a refusal may leave: how often the seat was refused, and what it had seen.
    pub(crate) fn essence(&self) -> impl PartialEq + std::fmt::Debug + use<> {
        let mut table = self.table.clone();
        table.patience.forget_refusals();
        table.changes.forget_seen();
        let draw: Vec<Card> = self.draw_pile_cards().collect();
        (self.phase, table, draw, self.points.clone(), self.wins.clone(), self.dealing.clone())
    }

    /// As [`Game::essence`], without what penalty cards of `seat` may change: its hand and the words for it, the draw pile,
    /// and the pile that may have become one.
    pub(crate) fn essence_but_price(&self, seat: Seat) -> impl PartialEq + std::fmt::Debug + use<> {
        let mut table = self.table.clone();
        table.hands[seat.index()].clear();
        table.announcements.forget(seat);
        table.mau.forget(seat);
        let faced = (table.facing, table.threat, table.takes, table.request.named(), table.owed_turn);
        let words = (table.announcements, table.mau, table.barred_suits, table.looked);
        let pile = (table.pile.top(), table.pile.suit(), table.pile.waits_for_suit(), table.pile.takes_anything());
        (self.phase, table.hands, faced, words, pile, table.seating, table.laid, self.points.clone())
    }

    /// A position that differs only in cards that `seat` may not know: the other hands, all sealed cards, the draw pile,
    /// and its own hand while that is covered, exchange their cards in the order that `shuffle` makes.
    pub(crate) fn with_other_hidden_cards(&self, seat: Seat, shuffle: impl FnOnce(&mut [Card])) -> Game {
        let mut twin = self.clone();
        let seats = self.seats();
        let knows = |whose: Seat| whose == seat && !self.is_covered(seat);
        let mut hidden: Vec<Card> = self.draw_pile_cards().collect();
        for whose in Seat::all(seats) {
            hidden.extend(self.hand(whose).cards().filter(|_| !knows(whose)));
            hidden.extend(self.table.sealed.of(whose).cards());
        }
        shuffle(&mut hidden);
        let mut rest = hidden.into_iter();
        let mut fill = |hand: &mut Hand| *hand = rest.by_ref().take(usize::from(hand.len())).collect();
        for whose in Seat::all(seats) {
            if !knows(whose) {
                fill(&mut twin.table.hands[whose.index()]);
            }
            fill(twin.table.sealed.of_mut(whose));
        }
        twin.draw_pile.exchange(rest);
        twin.deal_was_of_hands(knows);
        // The card just drawn, which only its drawer knows.
        let mover = twin.table.seating.turn();
        if let Facing::Ordinary { last: Some(card), .. } = &mut twin.table.facing
            && !knows(mover)
        {
            *card = twin.table.hands[mover.index()].cards().next().unwrap_or(*card);
        }
        twin
    }
}
