//! Several cards in one play. Keys and values only; the engine judges such a play and carries it out.

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::card_list::CardList;

/// A way to play several cards at once: the first of them must be one that may be played, each other one must follow the
/// card before it (G-40 to G-42).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SeveralCards {
    /// The clauses that it states.
    pub clauses: Vec<String>,
    /// The cards that may be part of it.
    pub cards: CardList,
    /// The cards that begin a run of their suit, or of the suit in force; only with `step = "suit"` (G-73).
    #[serde(skip_serializing_if = "CardList::is_empty")]
    pub opened_by: CardList,
    /// Cards without a suit that may be the last of a run, which is then over (G-73).
    #[serde(skip_serializing_if = "CardList::is_empty")]
    pub ended_by: CardList,
    /// Whether a run can be left open, so that the next player may go on with it (G-73).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// How a card may follow the one before it.
    pub step: Steps,
    /// Whether in a run the lowest value follows the highest.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub wraps: bool,
    /// How many cards it may have; none = any number from two on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<u8>,
    /// Which of its cards have an effect.
    pub counts: Counting,
    /// Switches it off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

/// A way in which a card may follow the one before it in a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// It has the same value.
    Rank,
    /// It has the same suit and the next value, up or down; once up never down, and once down never up.
    Run,
    /// It has the suit of the run, which a card of `opened_by` has begun (G-73).
    Suit,
}

/// The ways in which a card may follow: a word, or a list of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps(pub Vec<Step>);

impl Default for Steps {
    fn default() -> Steps {
        Steps(vec![Step::Rank])
    }
}

impl Serialize for Steps {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [step] => step.serialize(serializer),
            steps => steps.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Steps {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Steps, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Steps;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("\"rank\", \"run\", \"suit\" or a list of them")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Steps, E> {
                Ok(Steps(vec![Step::deserialize(de::value::StrDeserializer::new(text))?]))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<Steps, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(seq)).map(Steps)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
impl JsonSchema for Steps {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Steps".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let step = generator.subschema_for::<Step>();
        json_schema!({
            "description": "how a card may follow: a word, or a list of words",
            "anyOf": [step, { "type": "array", "items": step }]
        })
    }
}

/// Which cards of a play have an effect (G-41).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Counting {
    /// All.
    #[default]
    All,
    /// The last one, and those directly before it of the same value.
    LastRank,
    /// The last one.
    Last,
}
