//! The draw pile: which cards lie in it and in which order each seat draws them. Only this file changes either; whether
//! a seat may draw is decided elsewhere.
//!
//! Each seat draws in its own random order: its next card is the first in that order that is still in the pile. To the
//! players this looks like one shuffled pile, as every order is random and no seat knows any; but when the same deal is
//! replayed with other agents, a seat draws nearly the same cards however often the others have drawn, which makes
//! duplicate deals comparable (ARCHITECTURE.md#randomness). A pile in a given order, as in test positions,
//! lies on top of that.

use crate::reuse::clone_in_place;
use maumau_protocol::{Card, Seat, Seed};

use crate::random::{Chance, DrawOrders};

/// The draw pile of a round.
#[derive(Debug, Default)]
pub(crate) struct DrawPile {
    /// Cards in a given order, the next one last.
    ordered: Vec<Card>,
    /// Cards under everything else, the next one last.
    under: Vec<Card>,
    /// The cards that each seat draws in its own order; `None` where a card has been drawn.
    pool: Vec<Option<Card>>,
    left: usize,
    /// All cards of the pile.
    len: usize,
    orders: DrawOrders,
    /// Draw piles of this round so far.
    count: u32,
    /// Known cards of later piles, in a position set up by hand, the next one last.
    foretold: Vec<Card>,
}

clone_in_place!(DrawPile { ordered, under, pool, left, len, orders, count, foretold });

impl DrawPile {
    /// Empties the pile for a new round of `seats`.
    pub(crate) fn clear(&mut self, seats: usize) {
        self.ordered.clear();
        self.under.clear();
        self.pool.clear();
        (self.left, self.len) = (0, 0);
        self.count = 0;
        self.foretold.clear();
        self.orders.clear(seats);
    }

    /// Takes the memory for piles of up to `cards` cards at once: of many games, each would else leave gaps when it grows.
    pub(crate) fn reserve(&mut self, cards: usize) {
        self.pool.reserve_exact(cards);
        self.orders.reserve(cards);
    }

    /// The number of cards.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        debug_assert_eq!(self.len, self.ordered.len() + self.left + self.under.len(), "the cards were miscounted");
        self.len
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes `cards`, in any order, the new pile; the pile must be empty.
    pub(crate) fn fill(&mut self, cards: impl Iterator<Item = Card>) {
        self.pool.clear();
        self.pool.extend(cards.map(Some));
        self.left = self.pool.len();
        self.len += self.left;
        self.count += 1;
        if !self.foretold.is_empty() {
            self.obey();
        }
        self.orders.restart(self.count, self.pool.len());
    }

    /// Puts `card` back and shuffles the whole pile.
    pub(crate) fn shuffle_in(&mut self, card: Card) {
        let cards: Vec<Card> = self.cards().chain([card]).collect();
        self.ordered.clear();
        self.under.clear();
        self.len = 0;
        self.fill(cards.into_iter());
    }

    /// Cards of later piles come in this order, as far as those piles hold them.
    pub(crate) fn foretell(&mut self, cards: &[Card]) {
        self.foretold = cards.iter().rev().copied().collect();
    }

    /// Puts the foretold cards that the new pile holds on top.
    fn obey(&mut self) {
        let from = self.ordered.len();
        while let Some(place) =
            self.foretold.last().and_then(|next| self.pool.iter().position(|card| *card == Some(*next)))
        {
            self.ordered.extend(self.pool.swap_remove(place));
            self.foretold.pop();
        }
        self.ordered[from..].reverse();
        self.left = self.pool.len();
    }

    /// Puts `cards`, the next one first, on top.
    pub(crate) fn put_on_top(&mut self, cards: impl DoubleEndedIterator<Item = Card>) {
        let before = self.ordered.len();
        self.ordered.extend(cards.rev());
        self.len += self.ordered.len() - before;
    }

    /// Puts `card` under the pile.
    pub(crate) fn put_under(&mut self, card: Card) {
        self.under.insert(0, card);
        self.len += 1;
    }

    /// The next card of `seat`.
    pub(crate) fn draw(&mut self, chance: &Chance, seat: Seat) -> Option<Card> {
        self.draw_at_once(chance, seat)
    }

    /// As [`DrawPile::draw`], for the place where most cards are drawn.
    #[inline(always)]
    pub(crate) fn draw_at_once(&mut self, chance: &Chance, seat: Seat) -> Option<Card> {
        if self.left == 0 || !self.ordered.is_empty() {
            return self.draw_in_order();
        }
        self.left -= 1;
        self.len -= 1;
        let number = self.orders.take(chance, seat, &self.pool);
        self.pool[number].take()
    }

    /// The next card of those in a given order.
    #[cold]
    fn draw_in_order(&mut self) -> Option<Card> {
        let card = self.ordered.pop().or_else(|| self.under.pop());
        self.len -= usize::from(card.is_some());
        card
    }

    /// Replaces the remaining cards with `cards`, the same number in any order; for a comparison of hidden cards.
    pub(crate) fn exchange(&mut self, cards: impl Iterator<Item = Card>) {
        let pool = self.pool.iter_mut().flatten();
        let places = self.ordered.iter_mut().chain(&mut self.under).chain(pool);
        places.zip(cards).for_each(|(place, card)| *place = card);
    }

    /// Replaces the remaining cards: first `cards` are drawn, the last one of them first, then `under` in the same way.
    pub(crate) fn lay_out(&mut self, cards: impl Iterator<Item = Card>, under: impl Iterator<Item = Card>) {
        self.ordered.clear();
        self.ordered.extend(cards);
        self.under.clear();
        self.under.extend(under);
        self.pool.clear();
        self.left = 0;
        self.len = self.ordered.len() + self.under.len();
    }

    /// From now on seats draw by other random streams; all cards must lie in a given order.
    pub(crate) fn change_streams(&mut self) {
        debug_assert_eq!(self.left, 0, "cards of the pile are drawn by the streams of before");
        self.orders.forget();
    }

    /// The remaining cards, in an order that reveals nothing.
    pub(crate) fn cards(&self) -> impl Iterator<Item = Card> {
        self.ordered.iter().chain(&self.under).chain(self.pool.iter().flatten()).copied()
    }
}

/// The order in which `seats` seats that draw in turn, the first one first, get the cards of the first draw pile of round
/// number `round` in the game with this seed.
pub fn drawn_in_turn(
    game_seed: &Seed,
    round: u32,
    seats: usize,
    cards: impl Iterator<Item = Card>,
) -> impl Iterator<Item = Card> {
    let mut chance = Chance::new(game_seed);
    chance.enter_round(round);
    let mut pile = DrawPile::default();
    pile.clear(seats);
    pile.fill(cards);
    Seat::all(seats).cycle().map_while(move |seat| pile.draw(&chance, seat))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed_of_number;

    fn pile(cards: usize) -> DrawPile {
        let mut pile = DrawPile::default();
        pile.clear(2);
        pile.fill((0..cards as u8).filter_map(Card::from_index));
        pile
    }

    #[test]
    fn every_card_is_drawn_once_by_whatever_seat() {
        let chance = Chance::new(&seed_of_number(5));
        let mut pile = pile(32);
        let mut drawn: Vec<Card> = (0..32)
            .map(|turn| pile.draw(&chance, Seat::new(turn % 2).expect("a small seat")).expect("a card is left"))
            .collect();
        assert_eq!(pile.draw(&chance, Seat::new(0).expect("a small seat")), None);
        drawn.sort();
        drawn.dedup();
        assert_eq!(drawn.len(), 32);
    }

    #[test]
    fn a_seat_draws_the_same_cards_but_for_those_that_others_took() {
        let [me, other] = [0, 1].map(|index| Seat::new(index).expect("a small seat"));
        let chance = Chance::new(&seed_of_number(6));
        let mut alone = pile(30);
        let mine: Vec<Card> = (0..5).filter_map(|_| alone.draw(&chance, me)).collect();
        let mut shared = pile(30);
        let taken: Vec<Card> = (0..4).filter_map(|_| shared.draw(&chance, other)).collect();
        let later: Vec<Card> = (0..5).filter_map(|_| shared.draw(&chance, me)).collect();
        let kept: Vec<Card> = mine.into_iter().filter(|card| !taken.contains(card)).collect();
        assert_eq!(&later[..kept.len()], &kept[..]);
    }

    #[test]
    fn every_card_has_the_same_chance_to_be_drawn_next() {
        let mut counts = [0u32; 8];
        for number in 0..8_000 {
            let chance = Chance::new(&seed_of_number(number));
            let mut pile = pile(8);
            pile.draw(&chance, Seat::new(1).expect("a small seat"));
            let card = pile.draw(&chance, Seat::new(0).expect("a small seat")).expect("a card is left");
            counts[card.index()] += 1;
        }
        let chi_square: f64 = counts.iter().map(|count| (f64::from(*count) - 1_000.0).powi(2) / 1_000.0).sum();
        assert!(chi_square < 30.0, "chi-square of 7 degrees of freedom: {chi_square}");
    }
}
