//! What is said at the table: words that are owed with a card, words that nobody should say, and pauses to talk. Keys,
//! values and the form of word lists; the engine's `game/speech` listens.

use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::card_list::CardList;
use crate::event::RuleFault;

/// Words that the player of a card owes within the grace time. A phrase that is heard counts for every duty that lists it,
/// and where two phrases could be heard the longer one is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SaidDuty {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The phrases that fulfil it, in the form of G-10.
    pub say: Vec<String>,
    /// The mistake of a seat that says none of them.
    pub fault: RuleFault,
    /// The cards with which it is owed; none named = all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<CardList>,
    /// Only if this many cards are left in the hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u8>,
    /// Only if the card is an interjection: 0 = any, 3 = the third one in a row of the same card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interjection: Option<u8>,
    /// Whether the dealer owes it for the first card turned up.
    #[serde(default)]
    pub first_card: bool,
    /// Switches it off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

/// The word of the seat that has drawn the last card owed, with the number of its cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The word, in the form of G-10.
    pub word: String,
    /// With this number of cards the number may be left out; otherwise it goes before the word.
    pub without_number: u16,
    /// Switches it off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

/// What should not be said at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Talk {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// Words that make a question where they stand first; a question mark always does.
    #[serde(default)]
    pub questions: WordList,
    /// Words that are swearing.
    #[serde(default)]
    pub swears: WordList,
    /// Names that may not be invoked.
    #[serde(default)]
    pub deities: WordList,
    /// Words that explain the rules; none = explaining is allowed.
    #[serde(default)]
    pub explaining: WordList,
    /// What is too loud.
    #[serde(default)]
    pub loud: Loud,
    /// Whether it is a mistake to say something without a word that the rules ask for (G-78).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub silence: bool,
}

/// What is too loud.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Loud {
    /// An utterance at which two other seats glare, one with two players.
    #[default]
    Glares,
    /// An utterance in capitals only, or of more than 80 characters.
    Caps,
    /// Nothing.
    Off,
}

/// Pauses in which one may ask, and play rests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PointOfOrder {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// Pauses that a seat may call for in a round.
    pub max: u8,
    /// Whether only the drawer may call for one while cards that are owed are drawn one by one.
    #[serde(default)]
    pub drawer_only: bool,
}

/// Words in the form of G-10, written as a text or as a list of texts. The word `built-in` stands for the list that comes
/// with the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordList(Vec<String>);

impl WordList {
    /// The word that stands for the list of the program.
    pub const BUILT_IN: &'static str = "built-in";

    /// The words of a text.
    pub fn parse(text: &str) -> WordList {
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// The words, in alphabetical order.
    pub fn words(&self) -> &[String] {
        &self.0
    }

    /// Whether `word` is in the list.
    pub fn contains(&self, word: &str) -> bool {
        self.0.binary_search_by(|listed| listed.as_str().cmp(word)).is_ok()
    }
}

impl FromIterator<String> for WordList {
    fn from_iter<T: IntoIterator<Item = String>>(words: T) -> WordList {
        let mut words: Vec<String> = words.into_iter().collect();
        words.sort();
        words.dedup();
        WordList(words)
    }
}

impl Serialize for WordList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.join(" "))
    }
}

impl<'de> Deserialize<'de> for WordList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WordList, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = WordList;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("words in a text, or a list of texts")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<WordList, E> {
                Ok(WordList::parse(text))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<WordList, A::Error> {
                let mut words = Vec::new();
                while let Some(text) = seq.next_element::<String>()? {
                    words.extend(text.split_whitespace().map(str::to_owned));
                }
                Ok(words.into_iter().collect())
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
impl JsonSchema for WordList {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "WordList".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "words, in a text or a list of texts",
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }]
        })
    }
}
