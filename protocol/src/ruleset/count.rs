//! A count of each seat that changes as it wins rounds, and what depends on it: cards dealt, and cards of its value. Keys
//! and values only; the engine compiles the rules once for each count.

use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{BySeats, RuleSet};
use crate::card::{CardSet, Rank};
use crate::card_list::CardList;

/// The word for what depends on the count of a seat.
const COUNT: &str = "count";

/// A number of each seat that changes with each round it wins, and decides the match (G-57).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// The clauses that it states.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// What every seat begins a match with.
    pub start: u8,
    /// What a won round adds to the count of its winner.
    pub on_win: i8,
    /// The count that ends the match.
    pub match_at: u8,
    /// Whether a hand that is empty ends the round; otherwise its seat goes on with a new one, of as many cards as its count
    /// then is (G-72).
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub redeal: bool,
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_yes(value: &bool) -> bool {
    *value
}

impl Count {
    /// The counts by which seats can play, from the start on; empty if `match_at` is never reached.
    pub fn played(&self) -> Vec<u8> {
        let (start, step, last) = (i16::from(self.start), i16::from(self.on_win), i16::from(self.match_at));
        if step == 0 || (last - start) % step != 0 || (last - start) / step <= 0 {
            return Vec::new();
        }
        (0..(last - start) / step).filter_map(|wins| u8::try_from(start + wins * step).ok()).collect()
    }
}

/// The value whose number is `count`: an ace for 1, a king for 13.
pub fn rank_of_count(count: u8) -> Option<Rank> {
    let place = match count {
        1 => Rank::COUNT - 1,
        2..=13 => usize::from(count) - 2,
        _ => return None,
    };
    Rank::all().nth(place)
}

impl RuleSet {
    /// Whether something besides the match depends on the counts of seats.
    pub fn depends_on_count(&self) -> bool {
        let by_cards = self.deal.not_first.1 || self.effects.values().any(|effect| effect.cards.1);
        by_cards || self.deal.cards == DealtCards::Count
    }

    /// The rules as they are for a seat of this count.
    #[must_use]
    pub fn at_count(&self, count: u8) -> RuleSet {
        let cards = rank_of_count(count).map_or(CardSet::EMPTY, CardSet::rank);
        let mut set = self.clone();
        for list in set.effects.values_mut().map(|effect| &mut effect.cards).chain([&mut set.deal.not_first]) {
            if std::mem::take(&mut list.1) {
                list.0 = list.0.union(cards);
            }
        }
        if set.deal.cards == DealtCards::Count {
            set.deal.cards = DealtCards::Fixed(BySeats::All(count));
        }
        set
    }
}

/// Cards in a list, in which the word `count` stands for the cards whose value is the count of their player (G-58).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountedCards(
    /// The cards that are listed by themselves.
    pub CardSet,
    /// Whether the cards of the count are among them.
    pub bool,
);

impl CountedCards {
    /// Whether it lists nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty() && !self.1
    }
}

impl fmt::Display for CountedCards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tokens = CardList(self.0).tokens();
        tokens.extend(self.1.then(|| COUNT.to_owned()));
        f.write_str(&tokens.join(" "))
    }
}

impl Serialize for CountedCards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CountedCards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CountedCards, D::Error> {
        struct Visitor;
        impl Visitor {
            fn add<E: de::Error>(list: CountedCards, text: &str) -> Result<CountedCards, E> {
                let is_count = |token: &&str| *token == COUNT;
                let tokens = || text.split([' ', ',']);
                let cards: Vec<&str> = tokens().filter(|token| !is_count(token)).collect();
                let cards = CardList::parse(&cards.join(" ")).map_err(E::custom)?;
                Ok(CountedCards(list.0.union(cards.0), list.1 || tokens().any(|token| is_count(&token))))
            }
        }
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = CountedCards;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("cards, as a text like \"7 8 KH\" or a list of such texts")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<CountedCards, E> {
                Visitor::add(CountedCards::default(), text)
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<CountedCards, A::Error> {
                let mut list = CountedCards::default();
                while let Some(text) = seq.next_element::<String>()? {
                    list = Visitor::add(list, &text)?;
                }
                Ok(list)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
impl JsonSchema for CountedCards {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CountedCards".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "cards: ranks (\"7\"), ranges of ranks (\"7-A\"), suits (\"S\"), single cards (\"KH\"), the joker (\"XX\"), those of the value of the player's count (\"count\")",
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }]
        })
    }
}

/// Cards dealt to each seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DealtCards {
    /// The same number to all seats of a table.
    Fixed(BySeats<u8>),
    /// As many as the count of the seat (G-58).
    Count,
}

impl DealtCards {
    /// The number for all seats of a table of `seats`; `None` if there is none, or it depends on the seat.
    pub fn get(&self, seats: usize) -> Option<&u8> {
        match self {
            DealtCards::Fixed(cards) => cards.get(seats),
            DealtCards::Count => None,
        }
    }
}

impl Serialize for DealtCards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            DealtCards::Fixed(cards) => cards.serialize(serializer),
            DealtCards::Count => serializer.serialize_str(COUNT),
        }
    }
}

impl<'de> Deserialize<'de> for DealtCards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DealtCards, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = DealtCards;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value, or a list of rows like { seats = [2, 4], is = VALUE }")
            }
            fn visit_u64<E: de::Error>(self, cards: u64) -> Result<DealtCards, E> {
                BySeats::deserialize(de::value::U64Deserializer::new(cards)).map(DealtCards::Fixed)
            }
            fn visit_i64<E: de::Error>(self, cards: i64) -> Result<DealtCards, E> {
                BySeats::deserialize(de::value::I64Deserializer::new(cards)).map(DealtCards::Fixed)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<DealtCards, E> {
                if text == COUNT {
                    return Ok(DealtCards::Count);
                }
                BySeats::deserialize(de::value::StrDeserializer::new(text)).map(DealtCards::Fixed)
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<DealtCards, A::Error> {
                BySeats::deserialize(de::value::SeqAccessDeserializer::new(seq)).map(DealtCards::Fixed)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
impl JsonSchema for DealtCards {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "DealtCards".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let fixed = generator.subschema_for::<BySeats<u8>>();
        json_schema!({
            "description": "a number of cards, or the count of the seat",
            "anyOf": [fixed, { "const": COUNT }]
        })
    }
}
