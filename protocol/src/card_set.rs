//! Sets of cards as one word: a suit is thirteen neighbouring bits, a rank four bits at a distance of thirteen, and "what
//! fits" is a handful of bit operations.

use std::fmt;

use crate::card::{Card, Pack, Rank, Suit};

/// A set of card kinds of one pack, one bit each; how many copies there are is not in it.
///
/// Its high bits, one for each pack, say of which packs its cards may be: of all as long as the set is empty, and of fewer
/// with each card or set that is put in or met with, so that a set of places becomes cards again. Sets of different packs are
/// never joined. Two sets are equal if they have the same places.
#[derive(Clone, Copy)]
pub struct CardSet(u64);

impl Default for CardSet {
    fn default() -> CardSet {
        CardSet::EMPTY
    }
}

impl PartialEq for CardSet {
    #[inline]
    fn eq(&self, other: &CardSet) -> bool {
        CardSet(self.0 ^ other.0).is_empty()
    }
}

impl Eq for CardSet {}

impl std::hash::Hash for CardSet {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.places().hash(state);
    }
}

impl Pack {
    /// All its cards, each once, and the joker.
    pub const fn cards(self) -> CardSet {
        const SUITED: u64 = (1 << 52) - 1;
        let others = match self {
            Pack::French => 0b1,
            Pack::Colours => 0b111,
            Pack::Waterfall => 0b11011,
        };
        CardSet(SUITED | others << 52 | CardSet::bit_of(self))
    }

    /// The cards that have neither suit nor value, but for the joker.
    pub fn others(self) -> impl Iterator<Item = Card> {
        self.cards().iter().filter(|card| card.suit().is_none() && !card.is_joker())
    }
}

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(Self::PACKS);
    /// Every place of a pack, of whichever pack.
    pub const ALL: CardSet = CardSet(Self::PACKS | Self::PLACES);

    const PLACES: u64 = (1 << Card::PLACES) - 1;
    const COLOURS: u64 = 1 << 61;
    const WATERFALL: u64 = 1 << 62;
    const FRENCH: u64 = 1 << 63;
    const PACKS: u64 = Self::FRENCH | Self::COLOURS | Self::WATERFALL;
    /// How many bits are above the places: shifted out, they take no part in a question about cards.
    const ABOVE: usize = u64::BITS as usize - Card::PLACES;

    const fn bit_of(pack: Pack) -> u64 {
        match pack {
            Pack::French => Self::FRENCH,
            Pack::Colours => Self::COLOURS,
            Pack::Waterfall => Self::WATERFALL,
        }
    }

    /// By number the set of that one card; nothing at all where there is no such card.
    const ONE: &[CardSet; 256] = &{
        let mut sets = [CardSet(0); 256];
        let mut pack = 0;
        while pack < Pack::ALL.len() {
            let CardSet(cards) = Pack::ALL[pack].cards();
            let mut place = 0;
            while place < Card::PLACES {
                if cards >> place & 1 == 1 {
                    let card = Card::at(Pack::ALL[pack], place as u8);
                    sets[card.number() as usize].0 |= 1 << place | Self::bit_of(Pack::ALL[pack]);
                }
                place += 1;
            }
            pack += 1;
        }
        sets
    };

    /// By number the cards of that rank.
    const OF_RANK: &[CardSet; 256] = &{
        let mut sets = [CardSet(0); 256];
        let mut pack = 0;
        while pack < Pack::ALL.len() {
            let ranks = Pack::ALL[pack].ranks();
            let mut rank = 0;
            while rank < ranks.len() {
                let of_each_suit = (1 | 1 << 13 | 1 << 26 | 1 << 39) << ranks[rank].index();
                sets[ranks[rank].number() as usize].0 |= of_each_suit | Self::bit_of(Pack::ALL[pack]);
                rank += 1;
            }
            pack += 1;
        }
        sets
    };

    const fn places(self) -> u64 {
        self.0 & Self::PLACES
    }

    /// The pack of which its cards are: the first of those that are possible.
    pub const fn pack(self) -> Pack {
        match self.0 & Self::PACKS {
            packs if packs & Self::FRENCH != 0 => Pack::French,
            Self::WATERFALL => Pack::Waterfall,
            _ => Pack::Colours,
        }
    }

    /// The same places as cards of `pack`; those that it has not are left out.
    pub const fn in_pack(self, pack: Pack) -> CardSet {
        CardSet(self.places() & pack.cards().places() | Self::bit_of(pack))
    }

    /// Whether it has cards that `pack` has not.
    pub const fn is_foreign_to(self, pack: Pack) -> bool {
        self.0 & Self::bit_of(pack) == 0 || self.places() & !pack.cards().places() != 0
    }

    /// The one card.
    #[inline]
    pub const fn of(card: Card) -> CardSet {
        Self::ONE[card.number() as usize]
    }

    /// All cards of a suit.
    pub const fn suit(suit: Suit) -> CardSet {
        let packs = if suit.is_coloured() { Self::COLOURS | Self::WATERFALL } else { Self::FRENCH };
        CardSet(0x1fff << (suit.index() as u32 * 13) | packs)
    }

    /// All cards of a rank, of every pack that has it.
    pub const fn rank(rank: Rank) -> CardSet {
        Self::OF_RANK[rank.number() as usize]
    }

    /// Whether `card` is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Whether no card is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 << Self::ABOVE == 0
    }

    /// The number of kinds in the set.
    #[inline]
    pub const fn len(self) -> usize {
        (self.0 << Self::ABOVE).count_ones() as usize
    }

    /// Both sets together.
    #[inline]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet((self.0 | other.0) & (self.0 & other.0 | Self::PLACES))
    }

    /// What is in both sets.
    #[inline]
    pub const fn intersect(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// What is in this set but not in `other`.
    #[inline]
    pub const fn without(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.places())
    }

    /// Puts `card` in.
    #[inline]
    pub const fn insert(&mut self, card: Card) {
        *self = self.union(CardSet::of(card));
    }

    /// Takes `card` out.
    #[inline]
    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.index());
    }

    /// The cards by index, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let (mut rest, pack) = (self.places(), self.pack());
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let card = Card::at(pack, rest.trailing_zeros() as u8);
            rest &= rest - 1;
            Some(card)
        })
    }

    /// The ranks of the cards, each once, lowest first.
    #[inline]
    pub fn ranks(self) -> impl ExactSizeIterator<Item = Rank> {
        const SUIT: u64 = 0x1fff;
        let of = |suit: u64| self.0 >> (suit * 13) & SUIT;
        let (mut rest, ranks) = ((of(0) | of(1) | of(2) | of(3)) as u16, self.pack().ranks());
        (0..rest.count_ones() as usize).map(move |_| {
            let rank = ranks[rest.trailing_zeros() as usize];
            rest &= rest - 1;
            rank
        })
    }

    /// Whether this very card is in the set of cards that lie or are held: not one of another pack in its place.
    #[inline]
    pub const fn holds(self, card: Card) -> bool {
        let same = self.intersect(CardSet::of(card));
        !same.is_empty() && same.0 & Self::PACKS != 0
    }

    /// The cards that come before `card` by index.
    pub const fn before(self, card: Card) -> CardSet {
        CardSet(self.0 & (((1 << card.index()) - 1) | Self::PACKS))
    }

    /// The `nth` card by index, counted from 0.
    #[inline]
    pub const fn nth(self, nth: usize) -> Option<Card> {
        const fn rest(cards: u64) -> u64 {
            cards & cards.wrapping_sub(1)
        }
        // The bits of the packs come after all cards, so they are found only where there is no such card.
        let (mut cards, mut nth) = (self.0, nth);
        // Four at a time, and without a branch among them: which card is chosen is hard to predict, and is known later than the
        // cards.
        loop {
            let [first, second] = [rest(cards), rest(rest(cards))];
            let third = rest(second);
            if nth < 4 {
                let low = if nth & 1 == 0 { cards } else { first };
                let high = if nth & 1 == 0 { second } else { third };
                let from = if nth & 2 == 0 { low } else { high };
                let place = from.trailing_zeros() as usize;
                return if place < Card::PLACES { Some(Card::at(self.pack(), place as u8)) } else { None };
            }
            cards = rest(third);
            nth -= 4;
        }
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, |set, card| set.union(CardSet::of(card)))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|card| card.to_string())).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_a_suit_and_a_rank_meet_in_one_card() {
        for suit in Suit::ALL {
            for rank in Rank::all() {
                let both = CardSet::suit(suit).intersect(CardSet::rank(rank));
                assert_eq!(both, CardSet::of(Card::new(rank, suit)));
            }
        }
        assert!(!CardSet::suit(Suit::Spades).contains(Card::JOKER));
        for pack in Pack::ALL {
            for suit in pack.suits() {
                for rank in pack.ranks() {
                    let both: Vec<Card> =
                        pack.cards().intersect(CardSet::suit(suit)).intersect(CardSet::rank(rank)).iter().collect();
                    assert_eq!(both, [Card::new(rank, suit)]);
                    assert_eq!((both[0].rank(), both[0].suit()), (Some(rank), Some(suit)));
                }
            }
        }
    }

    #[test]
    fn a_set_of_a_coloured_pack_gives_its_own_cards_whatever_it_is_met_with() {
        let card = |code: &str| Card::from_code(code).expect("a card");
        let hand: CardSet = ["7R", "MR", "FB", "WK"].map(card).into_iter().collect();
        let codes = |set: CardSet| set.iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(codes(hand), "FB MR 7R WK");
        assert_eq!(codes(hand.intersect(CardSet::suit(Suit::Red))), "MR 7R");
        assert_eq!(codes(hand.intersect(CardSet::ALL).without(CardSet::of(card("7R")))), "FB MR WK");
        assert_eq!(codes(CardSet::ALL.intersect(hand).before(card("7R"))), "FB MR");
        assert_eq!(hand.nth(1), Some(card("MR")));
        assert_eq!(codes(hand.intersect(CardSet::rank("7".parse().expect("a rank")))), "7R");
        let mut few = hand;
        ["7R", "MR", "FB"].map(card).into_iter().for_each(|card| few.remove(card));
        assert_eq!(codes(few), "WK");
        few.remove(card("WK"));
        assert!(few.is_empty() && few == CardSet::EMPTY && few.pack() == Pack::Waterfall);
        assert!(hand.is_foreign_to(Pack::Colours) && !hand.is_foreign_to(Pack::Waterfall));
    }
}
