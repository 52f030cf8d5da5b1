//! What the cards of the French pack look like and are called where they have other pictures (G-80). Words for people: on the wire a
//! card is the same with any faces.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::card::{Card, Rank, Suit};

/// The pictures and names of the cards. Coloured packs have their own, which these leave as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Faces {
    /// Clubs, diamonds, hearts and spades; jack and queen.
    #[default]
    French,
    /// Acorns, bells, hearts and leaves; under and ober.
    German,
    /// Acorns, bells, roses and shields; banner, under and ober.
    Swiss,
}

impl Faces {
    /// All faces.
    pub const ALL: [Faces; 3] = [Faces::French, Faces::German, Faces::Swiss];

    /// The name in rule files.
    pub const fn name(self) -> &'static str {
        match self {
            Faces::French => "french",
            Faces::German => "german",
            Faces::Swiss => "swiss",
        }
    }

    /// The English name of a suit, in the plural: `hearts`, `acorns`, `blue`.
    pub const fn suit(self, suit: Suit) -> &'static str {
        match (self, suit) {
            (Faces::German | Faces::Swiss, Suit::Clubs) => "acorns",
            (Faces::German | Faces::Swiss, Suit::Diamonds) => "bells",
            (Faces::Swiss, Suit::Hearts) => "roses",
            (Faces::German, Suit::Spades) => "leaves",
            (Faces::Swiss, Suit::Spades) => "shields",
            _ => suit.name(),
        }
    }

    /// The same of one card: `heart`, `acorn`, `leaf`.
    pub fn one_of_suit(self, suit: Suit) -> &'static str {
        match self.suit(suit) {
            "leaves" => "leaf",
            plural => plural.trim_end_matches('s'),
        }
    }

    /// The sign of a suit in text: of the characters that most fonts have, the nearest to the picture.
    pub const fn sign(self, suit: Suit) -> char {
        match (self, suit) {
            (Faces::German | Faces::Swiss, Suit::Diamonds) => '◉',
            (Faces::Swiss, Suit::Hearts) => '✿',
            (Faces::Swiss, Suit::Spades) => '▼',
            _ => suit.sign(),
        }
    }

    /// The suit that a sign stands for with any faces.
    pub fn suit_of_sign(sign: char) -> Option<Suit> {
        let shows = |suit: &Suit| Faces::ALL.into_iter().any(|faces| faces.sign(*suit) == sign);
        Suit::OF_ALL_PACKS.into_iter().find(shows)
    }

    /// The English name of a value in the singular: `seven`, `under`.
    pub const fn rank(self, rank: Rank) -> &'static str {
        match (self, rank.letter()) {
            (Faces::German | Faces::Swiss, 'J') => "under",
            (Faces::German | Faces::Swiss, 'Q') => "ober",
            (Faces::Swiss, 'T') => "banner",
            _ => rank.name(),
        }
    }

    /// The English name in the plural: `sixes`, `unders`, `no turn cards`.
    pub fn ranks(self, rank: Rank) -> String {
        match self.rank(rank) == rank.name() {
            true => rank.plural(),
            false => format!("{}s", self.rank(rank)),
        }
    }

    /// As it is printed on a card: `7`, `10`, `K`, `U`, `+2`.
    pub fn printed(self, rank: Rank) -> String {
        match (self, rank.letter()) {
            (Faces::German | Faces::Swiss, 'J') => "U".to_owned(),
            (Faces::German | Faces::Swiss, 'Q') => "O".to_owned(),
            _ => rank.printed(),
        }
    }

    /// A card in short: `7♥`, `U◉`, `joker`.
    pub fn short(self, card: Card) -> String {
        match (card.rank(), card.suit()) {
            (Some(rank), Some(suit)) => format!("{}{}", self.printed(rank), self.sign(suit)),
            _ => card.pretty(),
        }
    }

    /// The English name of a card: `seven of hearts`, `ober of leaves`, `red plus two card`.
    pub fn card(self, card: Card) -> String {
        match (card.rank(), card.suit()) {
            (Some(rank), Some(suit)) if !suit.is_coloured() => format!("{} of {}", self.rank(rank), self.suit(suit)),
            _ => card.name(),
        }
    }

    /// Whether these are those of a pack that has no others.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub(crate) fn is_french(&self) -> bool {
        *self == Faces::French
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_called_by_their_pictures() {
        for (code, names, shorts) in [
            ("QS", ["queen of spades", "ober of leaves", "ober of shields"], ["Q♠", "O♠", "O▼"]),
            ("JD", ["jack of diamonds", "under of bells", "under of bells"], ["J♦", "U◉", "U◉"]),
            ("TH", ["ten of hearts", "ten of hearts", "banner of roses"], ["10♥", "10♥", "10✿"]),
            ("AC", ["ace of clubs", "ace of acorns", "ace of acorns"], ["A♣", "A♣", "A♣"]),
            ("XX", ["joker"; 3], ["joker"; 3]),
            ("PR", ["red plus two card"; 3], ["+2●"; 3]),
        ] {
            let card: Card = code.parse().expect("a card");
            assert_eq!(Faces::ALL.map(|faces| faces.card(card)), names);
            assert_eq!(Faces::ALL.map(|faces| faces.short(card)), shorts);
        }
    }

    #[test]
    fn with_french_faces_names_are_those_of_the_cards() {
        for card in crate::Pack::ALL.into_iter().flat_map(|pack| pack.cards().iter().collect::<Vec<_>>()) {
            assert_eq!(Faces::French.card(card), card.name());
            assert_eq!(Faces::French.short(card), card.pretty());
        }
    }

    #[test]
    fn one_sign_stands_for_one_suit() {
        for faces in Faces::ALL {
            for suit in Suit::OF_ALL_PACKS {
                assert_eq!(Faces::suit_of_sign(faces.sign(suit)), Some(suit));
            }
        }
        assert_eq!([Suit::Spades, Suit::Hearts].map(|suit| Faces::German.one_of_suit(suit)), ["leaf", "heart"]);
        assert_eq!(Faces::suit_of_sign('x'), None);
    }
}
