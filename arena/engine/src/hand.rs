//! A hand: how many copies of each card a seat holds, and nothing else. It knows no seats and no rules.

use maumau_protocol::{Card, CardSet};

/// A multiset of cards: counts of copies, and also the kinds held as a [`CardSet`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    kinds: CardSet,
    len: u16,
    copies: [u8; Card::PLACES],
}

impl Default for Hand {
    fn default() -> Hand {
        Hand::EMPTY
    }
}

impl Hand {
    /// No card.
    pub const EMPTY: Hand = Hand { kinds: CardSet::EMPTY, len: 0, copies: [0; Card::PLACES] };

    /// The kinds held.
    #[inline]
    pub fn kinds(&self) -> CardSet {
        self.kinds
    }

    /// The number of cards.
    #[inline]
    pub fn len(&self) -> u16 {
        self.len
    }

    /// Whether there is no card.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a copy of `card` is held.
    #[inline]
    pub fn contains(&self, card: Card) -> bool {
        self.kinds.holds(card)
    }

    /// The copies of `card` held.
    #[inline]
    pub fn copies(&self, card: Card) -> u8 {
        self.copies[card.index()]
    }

    /// Adds a copy of `card`.
    #[inline(always)]
    pub fn add(&mut self, card: Card) {
        self.kinds.insert(card);
        self.copies[card.index()] += 1;
        self.len += 1;
    }

    /// Takes one copy out; the card must be held.
    #[inline(always)]
    pub fn remove(&mut self, card: Card) {
        let copies = &mut self.copies[card.index()];
        *copies -= 1;
        if *copies == 0 {
            self.kinds.remove(card);
        }
        self.len -= 1;
    }

    /// As [`Hand::cards`], appended to `list`.
    pub(crate) fn append_to(&self, list: &mut Vec<Card>) {
        list.reserve(usize::from(self.len));
        for card in self.kinds.iter() {
            for _ in 0..self.copies(card) {
                list.push(card);
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Hand::default();
    }

    /// All cards, copies side by side, by [`Card::index`].
    pub fn cards(&self) -> impl Iterator<Item = Card> {
        self.kinds.iter().flat_map(|card| std::iter::repeat_n(card, self.copies(card) as usize))
    }
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Hand {
        let mut hand = Hand::default();
        cards.into_iter().for_each(|card| hand.add(card));
        hand
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_counted() {
        let seven = Card::from_code("7H").expect("a card");
        let mut hand: Hand = [seven, seven].into_iter().collect();
        hand.remove(seven);
        assert_eq!((hand.len(), hand.contains(seven)), (1, true));
        hand.remove(seven);
        assert_eq!(hand, Hand::default());
    }
}
