//! Packs, cards, ranks and suits. Values only: which cards a deck holds, and what a card does, is not known here.
//!
//! A card is a small integer: its place in its pack, `suit * 13 + rank` with the cards without suit last, and in two high
//! bits the pack, so that sets of cards are a word ([`CardSet`](crate::CardSet)). Values from two to nine have the same place in every pack, and no other letter
//! stands for two of them, so that every code is read without knowing the game.

use std::fmt;
use std::str::FromStr;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A pack: which cards there can be, and how they are written (G-63).
///
/// The two coloured packs have most cards in common. Waterfall has `M` and `F` in the places of `2` and `0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, serde::Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pack {
    /// Clubs, diamonds, hearts and spades, two to ace, and the joker.
    #[default]
    French,
    /// Blue, green, red and yellow, nought to nine, no turn, turn round and plus two; two wild cards.
    Colours,
    /// Blue, green, red and yellow, one, three to nine, no turn, turn round, plus two, more and fall; a wild card, a wild fall and
    /// a king without suit.
    Waterfall,
}

impl Pack {
    /// All packs.
    pub const ALL: [Pack; 3] = [Pack::French, Pack::Colours, Pack::Waterfall];

    /// The name in rule files.
    pub const fn name(self) -> &'static str {
        match self {
            Pack::French => "french",
            Pack::Colours => "colours",
            Pack::Waterfall => "waterfall",
        }
    }

    /// The four suits, in the order in which the referee names them when it must choose (G-05).
    pub const fn suits(self) -> [Suit; 4] {
        match self {
            Pack::French => Suit::ALL,
            Pack::Colours | Pack::Waterfall => [Suit::Blue, Suit::Green, Suit::Red, Suit::Yellow],
        }
    }

    /// The thirteen values, from the lowest up.
    pub const fn ranks(self) -> [Rank; Rank::COUNT] {
        const fn of(letters: &[u8; Rank::COUNT]) -> [Rank; Rank::COUNT] {
            let mut ranks = [Rank(0); Rank::COUNT];
            let mut place = 0;
            while place < Rank::COUNT {
                ranks[place] = Rank(RANKS[letters[place] as usize]);
                place += 1;
            }
            ranks
        }
        match self {
            Pack::French => const { of(b"23456789TJQKA") },
            Pack::Colours => const { of(b"0123456789NVP") },
            Pack::Waterfall => const { of(b"13456789NVPMF") },
        }
    }
}

/// In two high bits of a card or a rank: it is of a coloured pack.
const COLOURED: u8 = 0x40;
/// Beside [`COLOURED`]: it is one that only the waterfall pack has.
const WATERFALL: u8 = 0x80;
/// The bits of a place.
const PLACE: u8 = 0x3f;
/// Letters that stand for no rank.
const NONE: u8 = u8::MAX;

/// By letter the rank.
const RANKS: [u8; 256] = {
    let mut ranks = [NONE; 256];
    let mut kind = 0;
    while kind < 4 {
        let mut place = 0;
        while place < 13 {
            let letter = Rank::LETTERS[kind][place] as usize;
            // The values from two to nine are those of all packs.
            if letter != b' ' as usize && ranks[letter] == NONE {
                ranks[letter] = (kind as u8) << 6 | place as u8;
            }
            place += 1;
        }
        kind += 1;
    }
    ranks
};

/// One of the suits of a pack, in the order in which the referee names them when it must choose: C, D, H, S (G-05).
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
    /// Blue, written `B`.
    Blue,
    /// Green, written `G`.
    Green,
    /// Red, written `R`.
    Red,
    /// Yellow, written `Y`.
    Yellow,
}

impl Suit {
    /// The suits of the French pack in the order C, D, H, S.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The suits of all packs, each pack's in its order.
    pub const OF_ALL_PACKS: [Suit; 8] =
        [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades, Suit::Blue, Suit::Green, Suit::Red, Suit::Yellow];

    /// The place among the suits of its pack, 0 to 3.
    pub const fn index(self) -> usize {
        self as usize & 3
    }

    /// Whether it is of a coloured pack.
    pub const fn is_coloured(self) -> bool {
        self as u8 > 3
    }

    /// The letter on the wire.
    pub const fn letter(self) -> char {
        match self {
            Suit::Clubs => 'C',
            Suit::Diamonds => 'D',
            Suit::Hearts => 'H',
            Suit::Spades => 'S',
            Suit::Blue => 'B',
            Suit::Green => 'G',
            Suit::Red => 'R',
            Suit::Yellow => 'Y',
        }
    }

    /// The suit of a letter on the wire.
    pub(crate) fn from_byte(byte: u8) -> Option<Suit> {
        const SUITS: [u8; 256] = places_of(b"CDHSBGRY");
        Suit::OF_ALL_PACKS.get(usize::from(SUITS[usize::from(byte)])).copied()
    }

    /// The sign shown to people.
    pub const fn sign(self) -> char {
        match self {
            Suit::Clubs => '♣',
            Suit::Diamonds => '♦',
            Suit::Hearts => '♥',
            Suit::Spades => '♠',
            Suit::Blue => '◆',
            Suit::Green => '▲',
            Suit::Red => '●',
            Suit::Yellow => '■',
        }
    }

    /// The English name, of a French suit in the plural.
    pub const fn name(self) -> &'static str {
        match self {
            Suit::Clubs => "clubs",
            Suit::Diamonds => "diamonds",
            Suit::Hearts => "hearts",
            Suit::Spades => "spades",
            Suit::Blue => "blue",
            Suit::Green => "green",
            Suit::Red => "red",
            Suit::Yellow => "yellow",
        }
    }
}

/// The value or symbol printed on a card; of the French pack two lowest and ace highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// The letters by kind (the two high bits) and place.
    const LETTERS: [&'static [u8; 13]; 4] = [b"23456789TJQKA", b"23456789NVP01", b"             ", b"M          F "];

    /// The number of ranks of a full suit.
    pub const COUNT: usize = 13;

    /// All ranks of the French pack, from two to ace.
    pub fn all() -> impl DoubleEndedIterator<Item = Rank> {
        (0..13).map(Rank)
    }

    /// The rank of the French pack at `index`, 0 for the two to 12 for the ace; `None` above.
    pub const fn from_index(index: u8) -> Option<Rank> {
        if index < 13 { Some(Rank(index)) } else { None }
    }

    /// The place in a suit of its pack: 0 for the two to 7 for the nine, 12 for the ace.
    pub const fn index(self) -> usize {
        (self.0 & PLACE) as usize
    }

    /// A number that no rank of any pack shares; of the French pack the [index](Rank::index).
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The rank with this [number](Rank::number), or `None` if there is none.
    pub const fn from_number(number: u8) -> Option<Rank> {
        if number & PLACE >= 13 {
            return None;
        }
        let rank = Rank(number);
        let known = RANKS[Rank::LETTERS[(number >> 6) as usize][rank.index()] as usize];
        if known == number { Some(rank) } else { None }
    }

    /// The letter on the wire: `2`..`9`, `T`, `J`, `Q`, `K`, `A`; of coloured packs `0`..`9`, `N`, `V`, `P`, `M`, `F`.
    pub const fn letter(self) -> char {
        Self::LETTERS[(self.0 >> 6) as usize][self.index()] as char
    }

    /// The English name in the singular.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 13] =
            ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
        match self.letter() {
            'N' => "no turn",
            'V' => "turn round",
            'P' => "plus two",
            '0' => "nought",
            '1' => "one",
            'M' => "more",
            'F' => "fall",
            _ => NAMES[self.index()],
        }
    }

    /// The English name in the plural: `sixes`, `no turn cards`.
    pub fn plural(self) -> String {
        match self.name() {
            "six" => "sixes".to_owned(),
            symbol if self.is_symbol() => format!("{symbol} cards"),
            value => format!("{value}s"),
        }
    }

    /// As it is printed on a card: `7`, `10`, `K`, `+2`, `×`.
    pub fn printed(self) -> String {
        match self.letter() {
            'T' => "10".to_owned(),
            'P' => "+2".to_owned(),
            'N' => "×".to_owned(),
            'V' => "↔".to_owned(),
            'M' => "+".to_owned(),
            'F' => "↓".to_owned(),
            letter => letter.to_string(),
        }
    }

    /// Whether it is a symbol of a coloured pack and no number.
    pub const fn is_symbol(self) -> bool {
        self.is_coloured() && !matches!(self.letter(), '0' | '1')
    }

    const fn from_byte(byte: u8) -> Option<Rank> {
        let rank = RANKS[byte as usize];
        if rank == NONE { None } else { Some(Rank(rank)) }
    }

    /// The nine, up to which values are those of all packs.
    pub(crate) const NINE: Rank = Rank(7);

    /// Whether only coloured packs have it.
    pub(crate) const fn is_coloured(self) -> bool {
        self.0 & COLOURED != 0
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

/// One kind of card: of the French pack one of 52, or the joker. Copies of a card are interchangeable (G-16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The joker, written `XX`.
    pub const JOKER: Card = Card(52);

    /// The number of places that cards of any pack have, for tables by [`Card::index`]: 52, the joker and others without suit.
    pub const PLACES: usize = 57;

    /// The number of kinds of the French pack: 52 and the joker.
    pub const KINDS: usize = 53;

    /// The card of `rank` and `suit`, which are of one pack.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        let pack = if suit.is_coloured() { COLOURED | rank.0 & WATERFALL } else { 0 };
        Card((suit.index() as u8 * 13 + rank.index() as u8) | pack)
    }

    /// The card of the French pack with this [index](Card::index), or `None` if there is none.
    pub const fn from_index(index: u8) -> Option<Card> {
        if index < Self::KINDS as u8 { Some(Card(index)) } else { None }
    }

    /// The place in its pack: `suit * 13 + rank`; the joker is 52.
    pub const fn index(self) -> usize {
        (self.0 & PLACE) as usize
    }

    /// A number that no card of any pack shares; of the French pack the [index](Card::index).
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The card with this [number](Card::number), or `None` if there is none.
    pub const fn from_number(number: u8) -> Option<Card> {
        if Self::CODES[number as usize][0] == b' ' { None } else { Some(Card(number)) }
    }

    /// The card at a place of `pack`.
    pub(crate) const fn at(pack: Pack, place: u8) -> Card {
        match pack {
            Pack::French => Card(place),
            _ if place == 52 => Card::JOKER,
            // What `M` and `F` stand in the places of.
            Pack::Waterfall if place < 52 && matches!(place % 13, 0 | 11) => Card(place | COLOURED | WATERFALL),
            _ => Card(place | COLOURED),
        }
    }

    /// Whether this is the joker, which has neither rank nor suit.
    pub const fn is_joker(self) -> bool {
        self.0 == 52
    }

    /// The suit; `None` for the joker and other cards without one.
    pub const fn suit(self) -> Option<Suit> {
        let place = self.index();
        if place >= 52 {
            return None;
        }
        Some(Suit::OF_ALL_PACKS[place / 13 + if self.0 & COLOURED == 0 { 0 } else { 4 }])
    }

    /// The rank; `None` for the joker and other cards without one.
    pub const fn rank(self) -> Option<Rank> {
        let place = self.index() as u8;
        if place >= 52 {
            return None;
        }
        let rank = place % 13;
        // The values from two to nine are those of all packs.
        Some(Rank(if self.0 & WATERFALL != 0 || rank > 7 { rank | self.0 & !PLACE } else { rank }))
    }

    /// The two bytes on the wire: rank, suit; `XX` for the joker; `W` and a letter for other cards without suit.
    pub const fn code(self) -> [u8; 2] {
        Self::CODES[self.0 as usize]
    }

    /// The code of each card, by number; spaces where there is none.
    const CODES: &[[u8; 2]; 256] = &{
        let mut codes = [*b"  "; 256];
        codes[52] = *b"XX";
        let mut number = 0;
        while number < 256 {
            let card = Card(number as u8);
            if let (Some(rank), Some(suit)) = (card.rank(), card.suit())
                && rank.letter() != ' '
                && Card::new(rank, suit).0 == card.0
            {
                codes[number] = [rank.letter() as u8, suit.letter() as u8];
            }
            number += 1;
        }
        let mut other = 0;
        while other < Card::OTHERS.len() {
            codes[Card::OTHERS[other].0 as usize] = [b'W', Card::OTHERS[other].1];
            other += 1;
        }
        codes
    };

    /// The cards of coloured packs that have neither suit nor value, with their second letters.
    const OTHERS: [(u8, u8); 4] =
        [(COLOURED | 53, b'0'), (COLOURED | 54, b'4'), (COLOURED | 55, b'F'), (COLOURED | 56, b'K')];

    /// What a card without suit and value is called; `None` for a card that has them.
    pub fn other_name(self) -> Option<&'static str> {
        Some(match &self.code() {
            b"XX" => "joker",
            b"W0" => "wild",
            b"W4" => "wild plus four",
            b"WF" => "wild fall",
            b"WK" => "wild king",
            _ => return None,
        })
    }

    /// Where people look for it in a hand: by suit, then by number, symbols after them; cards without suit last.
    pub fn order_in_hand(self) -> (usize, usize) {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) => {
                let number = rank.letter().to_digit(10).map(|number| number as usize);
                (suit.index(), number.unwrap_or(10 + rank.index()))
            }
            _ => (4, self.index()),
        }
    }

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
        if rank == b'W' {
            return Card::OTHERS.iter().find(|(_, letter)| *letter == suit).map(|(number, _)| Card(*number));
        }
        let (rank, suit) = (Rank::from_byte(rank)?, Suit::from_byte(suit)?);
        let of_one_pack = rank.0 <= Rank::NINE.0 || suit.is_coloured() == rank.is_coloured();
        of_one_pack.then(|| Card::new(rank, suit))
    }

    /// The card for people: `7♥`, `10♣`, `joker`; of coloured packs `7●`, `+2●`, `W+4`.
    pub fn pretty(self) -> String {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) => format!("{}{}", rank.printed(), suit.sign()),
            _ if self.is_joker() => "joker".to_owned(),
            _ => match &self.code() {
                b"W0" => "W".to_owned(),
                b"W4" => "W+4".to_owned(),
                b"WF" => "W↓".to_owned(),
                _ => self.to_string(),
            },
        }
    }

    /// The English name: `seven of hearts`, `red plus two card`, `joker`.
    pub fn name(self) -> String {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) if rank.is_symbol() => format!("{} {} card", suit.name(), rank.name()),
            (Some(rank), Some(suit)) if suit.is_coloured() => format!("{} {}", suit.name(), rank.name()),
            (Some(rank), Some(suit)) => format!("{} of {}", rank.name(), suit.name()),
            _ if self.is_joker() => "joker".to_owned(),
            _ => format!("{} card", self.other_name().unwrap_or_default()),
        }
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

const CARD_FORM: &str = "card: write rank and suit like \"7H\" or \"TC\" (ranks 2-9 T J Q K A, suits C D H S), or \"XX\"; in coloured \
                         packs like \"7R\" (ranks 0-9 N V P M F, suits B G R Y), or \"W0\", \"W4\", \"WF\", \"WK\"";
const SUIT_FORM: &str = "suit: write one of C, D, H, S, or in coloured packs of B, G, R, Y";
const RANK_FORM: &str = "rank: write one of 2-9, T, J, Q, K, A, or in coloured packs of 0-9, N, V, P, M, F";

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
as_text!(Card, CARD_FORM, "^([2-9TJQKA][CDHS]|[0-9NVPMF][BGRY]|W[04FK]|XX)$");
as_text!(Suit, SUIT_FORM, "^[CDHSBGRY]$");
as_text!(Rank, RANK_FORM, "^[0-9TJQKANVPMF]$");

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
    use crate::CardSet;

    #[test]
    fn a_hand_is_in_the_order_of_its_numbers() {
        let order = |hand: &str| {
            let mut cards: Vec<Card> = hand.split(' ').map(|code| code.parse().expect("a card")).collect();
            cards.sort_by_key(|card| card.order_in_hand());
            cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(order("W4 PB 1R 9B 1B NB 0B 2B"), "0B 1B 2B 9B NB PB 1R W4");
        assert_eq!(order("XX 2D AC TC 9C KC"), "9C TC KC AC 2D XX");
    }

    #[test]
    fn every_card_reads_back_from_its_code() {
        for index in 0..Card::KINDS as u8 {
            let card = Card::from_index(index).expect("an index below KINDS");
            assert_eq!(card.to_string().parse::<Card>().expect("its own code"), card);
            assert_eq!((card.number(), Card::from_number(index)), (index, Some(card)));
        }
        for pack in Pack::ALL {
            let cards: Vec<Card> = pack.cards().iter().collect();
            assert_eq!(cards.len(), pack.cards().len());
            for card in cards {
                assert_eq!(card.to_string().parse::<Card>().expect("its own code"), card, "{pack:?}");
                assert_eq!(Card::from_number(card.number()), Some(card));
                assert!(!CardSet::of(card).is_foreign_to(pack), "{card} in {pack:?}");
            }
        }
        assert_eq!((0..=u8::MAX).filter_map(Card::from_number).count(), 53 + 52 + 2 + 2 + 8);
        assert_eq!((0..=u8::MAX).filter_map(Rank::from_number).count(), 13 + 5 + 2);
        for wrong in ["", "7", "7h", "1H", "10H", "XH", "7HH", "♥7", "TR", "NH", "FS", "0C", "W7", "W", "WH", "XR"] {
            assert!(wrong.parse::<Card>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn suits_read_exactly_one_letter() {
        assert_eq!("H".parse::<Suit>().expect("hearts"), Suit::Hearts);
        for wrong in ["", "h", "HH", "♥"] {
            assert!(wrong.parse::<Suit>().is_err(), "{wrong}");
        }
    }
}
