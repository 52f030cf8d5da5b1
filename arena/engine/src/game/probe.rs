//! The door for those who check the game: questions about a position that no player may ask, and positions that differ from
//! it only in cards that a seat may not know. It changes nothing. No player and no referee uses it.

use std::sync::Arc;

use maumau_protocol::{Card, Direction, Seat, Seed};

use super::changes::Changes;
use super::state::RoundState;
use super::{Facing, Game, Phase, Unseen};
use crate::hand::Hand;

impl Game {
    /// The door for those who check the game.
    pub fn probe(&self) -> GameProbe<'_> {
        GameProbe(self)
    }
}

/// Questions about a position that no player may ask, from [`Game::probe`].
#[derive(Clone, Copy, Debug)]
pub struct GameProbe<'a>(&'a Game);

impl GameProbe<'_> {
    /// Whether play rests: in a point of order, or in a closing time without answers.
    pub fn is_resting(self) -> bool {
        self.0.rests()
    }

    /// Whether `card` may be played as the twin of the top card.
    pub fn is_twin(self, card: Card) -> bool {
        self.0.is_twin(card)
    }

    /// Whether `seat` has forgotten a warning in an earlier turn, for which it has not paid and mostly cannot be called yet (B-13).
    pub fn has_forgotten_mau(self, seat: Seat) -> bool {
        self.0.mau_is_due(seat)
    }

    /// Whether `seat` has begun a movement.
    pub fn has_reached(self, seat: Seat) -> bool {
        self.0.reached(seat).is_some()
    }

    /// Whether `seat` has looked at its cards.
    pub fn has_looked(self, seat: Seat) -> bool {
        self.0.has_looked(seat)
    }

    /// Whether a suit is waiting to be stated, by any seat.
    pub fn is_suit_open(self) -> bool {
        self.0.table.pile.waits_for_suit()
    }

    /// Whether a wrong card lies that can still be called.
    pub fn lies_wrongly(self) -> bool {
        self.0.wrong_card.lies()
    }

    /// Whether a further card may be played, or drawn for.
    pub fn plays_again(self) -> bool {
        matches!(self.0.table.facing, Facing::Again(_))
    }

    /// Whether a seat that can play a card may have to, so that a draw or a pass says what it does not hold (G-53, G-54).
    pub fn must_play(&self) -> bool {
        self.0.rules.must_play
    }

    /// Whether something must be named whose cost depends on the hand (D-50, D-60).
    pub fn names_by_hand(self) -> bool {
        let request = self.0.top().and_then(|card| self.0.requests(card));
        self.0.phase == Phase::Play && self.0.table.facing == Facing::Naming && request.is_some()
    }

    /// Two accounts of the round that would begin now, which are equal: of this match, and of one by the same rules that has
    /// just begun. Left aside are the dealer, the direction, the events and mistakes to be paid in the deal.
    pub fn next_rounds(self) -> [impl PartialEq + std::fmt::Debug; 2] {
        let (mut next, mut first) = (self.0.clone(), Game::new(Arc::clone(&self.0.rules), &Seed([0; 32])));
        // It shows until the first turn which seat moved last.
        first.give_turn(next.table.seating.turn());
        [&mut next, &mut first].map(|game| {
            game.clear_table(&mut Unseen);
            if game.direction() != Direction::Clockwise {
                game.reverse(&mut Unseen);
            }
            let table = RoundState { dealer: Seat::FIRST, changes: Changes::default(), ..game.table.clone() };
            let pauses = game.pauses.as_ref().map(|pauses| format!("{pauses:?}"));
            let conduct = game.conduct.as_ref().map(|conduct| format!("{conduct:?}"));
            (table, game.ledger.clone(), conduct, pauses, game.wrong_card.lies())
        })
    }

    /// The position without the traces that a refusal may leave: how often the seat was refused, and what it had seen.
    pub fn essence(self) -> impl PartialEq + std::fmt::Debug {
        let mut table = self.0.table.clone();
        table.patience.forget_refusals();
        table.changes.forget_seen();
        let draw: Vec<Card> = self.0.draw_pile_cards().collect();
        let match_so_far = (self.0.points.clone(), self.0.wins.clone(), self.0.added_rules().to_vec());
        (self.0.phase, table, draw, match_so_far, self.0.dealing.clone())
    }

    /// As [`GameProbe::essence`], without what penalty cards of `seat` may change: its hand and the words for it, the draw pile,
    /// and the pile that may have become one.
    pub fn essence_but_price(self, seat: Seat) -> impl PartialEq + std::fmt::Debug {
        let mut table = self.0.table.clone();
        table.hands[seat.index()].clear();
        table.announcements.forget(seat);
        table.mau.forget(seat);
        let faced = (table.facing, table.threat, table.takes, table.request.named(), table.owed_turn);
        let words = (table.announcements, table.mau, table.barred_suits, table.looked);
        let pile = (table.pile.top(), table.pile.suit(), table.pile.waits_for_suit(), table.pile.takes_anything());
        (self.0.phase, table.hands, faced, words, pile, table.seating, table.played, self.0.points.clone())
    }

    /// A position that differs only in cards that `seat` may not know: the other hands, all sealed cards, the draw pile,
    /// and its own hand while that is covered, exchange their cards in the order that `shuffle` makes.
    pub fn with_other_hidden_cards(self, seat: Seat, shuffle: impl FnOnce(&mut [Card])) -> Game {
        let mut twin = self.0.clone();
        let seats = self.0.seats();
        let knows = |whose: Seat| whose == seat && !self.0.is_covered(seat);
        let mut hidden: Vec<Card> = self.0.draw_pile_cards().collect();
        for whose in Seat::all(seats) {
            hidden.extend(self.0.hand(whose).cards().filter(|_| !knows(whose)));
            hidden.extend(self.0.table.sealed.of(whose).cards());
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
        if let Some(doubt) = &mut twin.table.doubt {
            let (by, _) = doubt.player();
            doubt.exchange(&twin.table.hands[by.index()], None);
        }
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
