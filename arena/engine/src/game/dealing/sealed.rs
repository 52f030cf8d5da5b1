//! Penalty cards that their owner may not look at yet (N-98 to N-103). Keeps these cards apart from the open hands
//! until they are opened; which penalties are sealed is decided where they are given.

use maumau_protocol::{Card, Event, Reason, RuleFault, Seat};

use crate::game::{Game, Verdict, Witness};
use crate::hand::Hand;

/// The sealed cards of each seat, beside its hand: as many hands as reach the last seat that has had any, so that most rules
/// have none to look at.
#[derive(Debug, Default)]
pub(in crate::game) struct Sealed(Vec<Hand>);

static NO_CARDS: Hand = Hand::EMPTY;

impl PartialEq for Sealed {
    fn eq(&self, other: &Sealed) -> bool {
        Seat::all(self.0.len().max(other.0.len())).all(|seat| self.of(seat) == other.of(seat))
    }
}

impl Clone for Sealed {
    fn clone(&self) -> Sealed {
        Sealed(self.0.clone())
    }

    fn clone_from(&mut self, other: &Sealed) {
        self.0.clone_from(&other.0);
    }
}

impl Sealed {
    /// Makes it ready for a round.
    pub(in crate::game) fn clear(&mut self) {
        self.0.clear();
    }

    /// The sealed cards of `seat`.
    #[inline]
    pub(in crate::game) fn of(&self, seat: Seat) -> &Hand {
        self.0.get(seat.index()).unwrap_or(&NO_CARDS)
    }

    /// As [`Sealed::of`], to change them.
    pub(in crate::game) fn of_mut(&mut self, seat: Seat) -> &mut Hand {
        if self.0.len() <= seat.index() {
            self.0.resize(seat.index() + 1, Hand::EMPTY);
        }
        &mut self.0[seat.index()]
    }
}

impl Game {
    /// All cards of `seat`, sealed ones included (N-100).
    #[inline]
    pub fn held(&self, seat: Seat) -> u16 {
        self.hand(seat).len() + self.table.sealed.of(seat).len()
    }

    /// As [`Game::held`], of every seat in order.
    pub(in crate::game) fn held_by_each(&self) -> impl Iterator<Item = u16> {
        let sealed = &self.table.sealed.0;
        let hands = self.table.hands.iter().enumerate();
        hands.map(|(at, open)| open.len() + sealed.get(at).map_or(0, Hand::len))
    }

    /// The sealed cards of `seat`, which it may not look at yet; only the referee sees them.
    pub fn sealed_hand(&self, seat: Seat) -> &Hand {
        self.table.sealed.of(seat)
    }

    /// The number of sealed cards of `seat`.
    pub fn sealed(&self, seat: Seat) -> u16 {
        self.table.sealed.of(seat).len()
    }

    /// As [`Game::sealed`], of every seat in order.
    pub(in crate::game) fn sealed_of_each(&self) -> impl Iterator<Item = u16> {
        let sealed = &self.table.sealed.0;
        (0..self.table.hands.len()).map(|at| sealed.get(at).map_or(0, Hand::len))
    }

    /// Whether `seat` holds `card`, open or sealed.
    pub fn holds(&self, seat: Seat, card: Card) -> bool {
        self.hand(seat).contains(card) || self.table.sealed.of(seat).contains(card)
    }

    /// A turn of `seat` is over: its sealed cards are now open. Cards taken in a turn wait for its end, cards taken between
    /// turns for the end of the next one, which is the same moment (N-98, N-99, N-102).
    pub(in crate::game) fn unseal<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        if self.table.sealed.of(seat).is_empty() {
            return;
        }
        let sealed = std::mem::take(&mut self.table.sealed.0[seat.index()]);
        let cards: Box<[Card]> = sealed.cards().collect();
        for card in &cards {
            self.table.hands[seat.index()].add(*card);
        }
        self.emit(witness, Event::Unsealed { seat, count: sealed.len(), cards: Some(cards) });
    }

    /// Looking at sealed cards is a mistake (N-103).
    pub(in crate::game) fn look_at_sealed<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        self.mistake(witness, seat, RuleFault::Sealed, 1);
        self.refuse(witness, seat, None, Reason::Sealed)
    }
}
