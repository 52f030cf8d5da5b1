//! Cards, ranks, suits and sets of them. Values only: which cards a deck holds, and what a card does, is not known
//! here.
//!
//! A card is a small integer: `suit * 13 + rank` with the joker last. So a suit is thirteen neighbouring bits of a
//! [`CardSet`], a rank four bits at a distance of thirteen, and "what fits" is a handful of bit operations.

use std::fmt;
use std::str::FromStr;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// One of the four suits, in the order in which the referee names them when it must choose: C, D, H, S (G-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// Clubs, written `C`.
    Clubs,
    /// Diamonds, written `D`.
    Diamonds,
    /// Hearts, written `H`.
    Hearts,
    /// Spades, written `S`.
    Spades,
}

impl Suit {
    /// All suits in the order C, D, H, S.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The letter on the wire.
    pub const fn letter(self) -> char {
        match self {
            Suit::Clubs => 'C',
            Suit::Diamonds => 'D',
            Suit::Hearts => 'H',
            Suit::Spades => 'S',
        }
    }

    /// The suit of a letter on the wire.
    pub(crate) fn from_byte(byte: u8) -> Option<Suit> {
        const SUITS: [u8; 256] = places_of(b"CDHS");
        Suit::ALL.get(usize::from(SUITS[usize::from(byte)])).copied()
    }

    /// The sign shown to people.
    pub const fn sign(self) -> char {
        match self {
            Suit::Clubs => '♣',
            Suit::Diamonds => '♦',
            Suit::Hearts => '♥',
            Suit::Spades => '♠',
        }
    }

    /// The English name, in the plural.
    pub const fn name(self) -> &'static str {
        match self {
            Suit::Clubs => "clubs",
            Suit::Diamonds => "diamonds",
            Suit::Hearts => "hearts",
            Suit::Spades => "spades",
        }
    }
}

/// The value printed on a card, two lowest and ace highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    const LETTERS: &'static [u8; 13] = b"23456789TJQKA";

    /// The number of ranks of a full suit.
    pub const COUNT: usize = 13;

    /// All ranks from two to ace.
    pub fn all() -> impl DoubleEndedIterator<Item = Rank> {
        (0..13).map(Rank)
    }

    /// The rank at `index`, 0 for the two to 12 for the ace; `None` above.
    pub const fn from_index(index: u8) -> Option<Rank> {
        if index < 13 { Some(Rank(index)) } else { None }
    }

    /// 0 for the two to 12 for the ace.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The letter on the wire: `2`..`9`, `T`, `J`, `Q`, `K`, `A`.
    pub const fn letter(self) -> char {
        Self::LETTERS[self.0 as usize] as char
    }

    /// The English name in the singular.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 13] =
            ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
        NAMES[self.0 as usize]
    }

    const fn from_byte(byte: u8) -> Option<Rank> {
        const RANKS: [u8; 256] = places_of(Rank::LETTERS);
        Rank::from_index(RANKS[byte as usize])
    }
}

/// By byte its place among `letters`, and behind them where it is none. To look there takes no guess, as a search would.
const fn places_of(letters: &[u8]) -> [u8; 256] {
    let mut places = [letters.len() as u8; 256];
    let mut place = 0;
    while place < letters.len() {
        places[letters[place] as usize] = place as u8;
        place += 1;
    }
    places
}

/// One kind of card: one of 52, or the joker. Copies of a card are interchangeable (G-16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The joker, written `XX`.
    pub const JOKER: Card = Card(52);

    /// The number of kinds: 52 and the joker.
    pub const KINDS: usize = 53;

    /// The card of `rank` and `suit`.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(suit as u8 * 13 + rank.0)
    }

    /// The card with this [index](Card::index), or `None` if there is none.
    pub const fn from_index(index: u8) -> Option<Card> {
        if index < Self::KINDS as u8 { Some(Card(index)) } else { None }
    }

    /// `suit * 13 + rank`; the joker is 52.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether this is the joker, which has neither rank nor suit.
    pub const fn is_joker(self) -> bool {
        self.0 == 52
    }

    /// The suit; `None` for the joker.
    pub const fn suit(self) -> Option<Suit> {
        match self.0 / 13 {
            0 => Some(Suit::Clubs),
            1 => Some(Suit::Diamonds),
            2 => Some(Suit::Hearts),
            3 => Some(Suit::Spades),
            _ => None,
        }
    }

    /// The rank; `None` for the joker.
    pub const fn rank(self) -> Option<Rank> {
        if self.is_joker() { None } else { Some(Rank(self.0 % 13)) }
    }

    /// The two bytes on the wire: rank, suit; `XX` for the joker.
    pub const fn code(self) -> [u8; 2] {
        Self::CODES[self.0 as usize]
    }

    /// The code of each card.
    const CODES: [[u8; 2]; Self::KINDS] = {
        let mut codes = [*b"XX"; Self::KINDS];
        let mut number = 0;
        while number < 52 {
            codes[number] = [Rank::LETTERS[number % 13], Suit::ALL[number / 13].letter() as u8];
            number += 1;
        }
        codes
    };

    /// Reads the two characters of [`Card::code`].
    pub fn from_code(code: &str) -> Option<Card> {
        Card::from_bytes(code.as_bytes())
    }

    /// The same from bytes.
    pub(crate) fn from_bytes(code: &[u8]) -> Option<Card> {
        let &[rank, suit] = code else { return None };
        if code == b"XX" {
            return Some(Card::JOKER);
        }
        let rank = Rank::from_byte(rank)?;
        Some(Card::new(rank, Suit::from_byte(suit)?))
    }

    /// The card for people: `7♥`, `10♣`, `joker`.
    pub fn pretty(self) -> String {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) if rank.letter() == 'T' => format!("10{}", suit.sign()),
            (Some(rank), Some(suit)) => format!("{}{}", rank.letter(), suit.sign()),
            _ => "joker".to_owned(),
        }
    }
}

/// A set of card kinds, one bit each; how many copies there are is not in it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52 cards and the joker.
    pub const ALL: CardSet = CardSet((1 << Card::KINDS) - 1);

    /// The one card.
    pub const fn of(card: Card) -> CardSet {
        CardSet(1 << card.0)
    }

    /// All cards of a suit.
    pub const fn suit(suit: Suit) -> CardSet {
        CardSet(0x1fff << (suit as u32 * 13))
    }

    /// All cards of a rank.
    pub const fn rank(rank: Rank) -> CardSet {
        CardSet((1 | 1 << 13 | 1 << 26 | 1 << 39) << rank.0)
    }

    /// Whether `card` is in the set.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Whether no card is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of kinds in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Both sets together.
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// What is in both sets.
    pub const fn intersect(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// What is in this set but not in `other`.
    pub const fn without(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// Puts `card` in.
    pub const fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    /// Takes `card` out.
    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    /// The cards by index, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let card = Card(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            Some(card)
        })
    }

    /// The cards that come before `card` by index.
    pub const fn before(self, card: Card) -> CardSet {
        CardSet(self.0 & ((1 << card.0) - 1))
    }

    /// The `nth` card by index, counted from 0.
    #[inline]
    pub const fn nth(self, nth: usize) -> Option<Card> {
        const fn rest(cards: u64) -> u64 {
            cards & cards.wrapping_sub(1)
        }
        let (mut cards, mut nth) = (self.0, nth);
        // By four at a time and without a branch among them: which card is chosen is hard to foretell, and comes to be known
        // later than the cards.
        loop {
            let [first, second] = [rest(cards), rest(rest(cards))];
            let third = rest(second);
            if nth < 4 {
                let low = if nth & 1 == 0 { cards } else { first };
                let high = if nth & 1 == 0 { second } else { third };
                let from = if nth & 2 == 0 { low } else { high };
                return if from == 0 { None } else { Some(Card(from.trailing_zeros() as u8)) };
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

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rank, suit] = self.code();
        write!(f, "{}{}", rank as char, suit as char)
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A text that is no card, rank or suit; says what would be one.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no {1}")]
pub struct ParseCardError(String, &'static str);

const CARD_FORM: &str =
    "card: write rank and suit like \"7H\" or \"TC\" (ranks 2-9 T J Q K A, suits C D H S), or \"XX\"";
const SUIT_FORM: &str = "suit: write one of C, D, H, S";
const RANK_FORM: &str = "rank: write one of 2-9, T, J, Q, K, A";

impl FromStr for Card {
    type Err = ParseCardError;
    fn from_str(text: &str) -> Result<Card, ParseCardError> {
        Card::from_code(text).ok_or_else(|| ParseCardError(short(text), CARD_FORM))
    }
}

impl FromStr for Suit {
    type Err = ParseCardError;
    fn from_str(text: &str) -> Result<Suit, ParseCardError> {
        let suit = if let [letter] = text.as_bytes() { Suit::from_byte(*letter) } else { None };
        suit.ok_or_else(|| ParseCardError(short(text), SUIT_FORM))
    }
}

impl FromStr for Rank {
    type Err = ParseCardError;
    fn from_str(text: &str) -> Result<Rank, ParseCardError> {
        match text.as_bytes() {
            [byte] => Rank::from_byte(*byte),
            _ => None,
        }
        .ok_or_else(|| ParseCardError(short(text), RANK_FORM))
    }
}

fn short(text: &str) -> String {
    text.chars().take(20).collect()
}

macro_rules! as_text {
    ($type:ident, $form:expr, $pattern:literal) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                struct Text;
                impl de::Visitor<'_> for Text {
                    type Value = $type;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        write!(f, "a {}", $form)
                    }
                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }
        #[cfg(test)]
        impl JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": $pattern, "description": $form })
            }
        }
    };
}
as_text!(Card, CARD_FORM, "^([2-9TJQKA][CDHS]|XX)$");
as_text!(Suit, SUIT_FORM, "^[CDHS]$");
as_text!(Rank, RANK_FORM, "^[2-9TJQKA]$");

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let code = self.code();
        serializer.serialize_str(std::str::from_utf8(&code).unwrap_or("XX"))
    }
}

impl Serialize for Suit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl Serialize for Rank {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_back_from_its_code() {
        for index in 0..Card::KINDS as u8 {
            let card = Card::from_index(index).expect("an index below KINDS");
            assert_eq!(card.to_string().parse::<Card>().expect("its own code"), card);
        }
        for wrong in ["", "7", "7h", "1H", "10H", "XH", "7HH", "♥7"] {
            assert!(wrong.parse::<Card>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn sets_of_a_suit_and_a_rank_meet_in_one_card() {
        for suit in Suit::ALL {
            for rank in Rank::all() {
                let both = CardSet::suit(suit).intersect(CardSet::rank(rank));
                assert_eq!(both, CardSet::of(Card::new(rank, suit)));
            }
        }
        assert!(!CardSet::suit(Suit::Spades).contains(Card::JOKER));
    }

    #[test]
    fn suits_read_exactly_one_letter() {
        assert_eq!("H".parse::<Suit>().expect("hearts"), Suit::Hearts);
        for wrong in ["", "h", "HH", "♥"] {
            assert!(wrong.parse::<Suit>().is_err(), "{wrong}");
        }
    }
}
