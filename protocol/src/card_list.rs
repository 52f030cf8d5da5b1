//! Sets of cards as rule files write them: `"7"`, `"7 8 J"`, `"7-A"`, `"KH"`, `"S"`, `"XX"`, or a list of such texts.
//! Parses and writes these texts; it knows no deck and not what a set of cards is for.

use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::card::{Card, CardSet, Pack, Rank, Suit};

/// A [`CardSet`] that reads and writes itself as ranks, ranges of ranks, suits and single cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardList(pub CardSet);

/// A text that names no cards.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0:?} names no cards: write ranks (\"7\"), ranges (\"7-A\"), suits (\"S\"), cards (\"KH\") or the joker (\"XX\")"
)]
pub struct ParseCardListError(String);

impl CardList {
    /// Whether it lists nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads a text of tokens between spaces or commas.
    ///
    /// # Errors
    /// Names the first token that is no card, rank, range, suit or joker.
    pub fn parse(text: &str) -> Result<CardList, ParseCardListError> {
        text.split([' ', ',']).filter(|token| !token.is_empty()).try_fold(CardList::default(), |list, token| {
            let set = token_set(token).ok_or_else(|| ParseCardListError(token.chars().take(20).collect()))?;
            Ok(CardList(list.0.union(set)))
        })
    }

    /// The shortest list of ranks, suits and cards that names this set.
    pub fn tokens(self) -> Vec<String> {
        let mut rest = self.0;
        let mut tokens = Vec::new();
        let pack = self.0.pack();
        for rank in pack.ranks() {
            let set = CardSet::rank(rank);
            if rest.intersect(set) == set {
                tokens.push(rank.to_string());
                rest = rest.without(set);
            }
        }
        for suit in pack.suits() {
            let whole = self.0.intersect(CardSet::suit(suit)) == CardSet::suit(suit);
            if whole && !rest.intersect(CardSet::suit(suit)).is_empty() {
                tokens.push(suit.to_string());
                rest = rest.without(CardSet::suit(suit));
            }
        }
        tokens.extend(rest.iter().map(|card| card.to_string()));
        tokens
    }
}

fn token_set(token: &str) -> Option<CardSet> {
    if let Some((low, high)) = token.split_once('-') {
        return range(low.parse().ok()?, high.parse().ok()?);
    }
    if let Ok(rank) = token.parse::<Rank>() {
        return Some(whole_rank(rank));
    }
    if let Ok(suit) = token.parse::<Suit>() {
        return Some(CardSet::suit(suit).written_with(None, Some(suit)));
    }
    let card = token.parse::<Card>().ok()?;
    Some(CardSet::of(card).written_with(card.rank(), card.suit()))
}

fn whole_rank(rank: Rank) -> CardSet {
    CardSet::rank(rank).written_with(Some(rank), None)
}

/// The values from `low` to `high` in the first pack that has them in this order.
fn range(low: Rank, high: Rank) -> Option<CardSet> {
    Pack::ALL.into_iter().find_map(|pack| {
        let ranks = pack.ranks();
        let place = |rank: Rank| ranks.iter().position(|other| *other == rank);
        let values = ranks.get(place(low)?..=place(high)?)?;
        (!values.is_empty()).then(|| values.iter().fold(CardSet::EMPTY, |set, rank| set.union(whole_rank(*rank))))
    })
}

impl fmt::Display for CardList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tokens().join(" "))
    }
}

impl Serialize for CardList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CardList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CardList, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = CardList;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("cards, as a text like \"7 8 KH\" or a list of such texts")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<CardList, E> {
                CardList::parse(text).map_err(E::custom)
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<CardList, A::Error> {
                let mut list = CardList::default();
                while let Some(text) = seq.next_element::<String>()? {
                    list.0 = list.0.union(CardList::parse(&text).map_err(de::Error::custom)?.0);
                }
                Ok(list)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
impl JsonSchema for CardList {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cards".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "cards: ranks (\"7\"), ranges of ranks (\"7-A\"), suits (\"S\"), single cards (\"KH\"), the joker (\"XX\")",
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back_from_its_tokens() {
        for (text, tokens) in [
            ("7", "7"),
            ("7-9", "7 8 9"),
            ("KH, A", "A KH"),
            ("S", "S"),
            ("XX 2C", "2C XX"),
            ("2-A", "2 3 4 5 6 7 8 9 T J Q K A"),
            ("S 7", "7 S"),
            ("", ""),
            ("0-P W0 W4", "0 1 2 3 4 5 6 7 8 9 N V P W0 W4"),
            ("1-F WK", "1 3 4 5 6 7 8 9 N V P M F WK"),
            ("N R", "N R"),
            ("7R 0", "0 7R"),
        ] {
            let list = CardList::parse(text).expect("a list");
            assert_eq!(list.to_string(), tokens);
            assert_eq!(CardList::parse(tokens).expect("its own tokens"), list);
        }
        for wrong in ["10", "A-7", "7-", "KK", "joker", "0-A", "T-P", "M-0"] {
            assert!(CardList::parse(wrong).is_err(), "{wrong}");
        }
    }
}
