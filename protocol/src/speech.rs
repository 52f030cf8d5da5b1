//! What seats say: bounded texts, cheap where they are words of the game. Lengths are checked here; what a text means
//! in a game is the engine's business.

use std::borrow::Cow;
use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::limits::{MAX_SAY_CHARS, MAX_SAYS};

/// The words that rule sets want said most; they are held without allocating.
const WORDS: [&str; 12] =
    ["mau", "mau mau", "maumau", "snap", "spam", "last card", "done", "spade", "clubs", "diamonds", "hearts", "spades"];

/// One utterance of at most [`MAX_SAY_CHARS`] characters.
#[derive(Clone, PartialEq, Eq)]
pub struct Text(Cow<'static, str>);

impl Text {
    /// A text known when the program was compiled.
    pub const fn fixed(text: &'static str) -> Text {
        Text(Cow::Borrowed(text))
    }

    /// The characters as they were sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text over [`MAX_SAY_CHARS`] characters.
#[derive(Debug, thiserror::Error)]
#[error("a text of {0} characters is too long: at most {MAX_SAY_CHARS}")]
pub struct TextTooLong(usize);

impl TryFrom<&str> for Text {
    type Error = TextTooLong;
    fn try_from(text: &str) -> Result<Text, TextTooLong> {
        if let Some(word) = WORDS.into_iter().find(|word| *word == text) {
            return Ok(Text::fixed(word));
        }
        if text.len() > MAX_SAY_CHARS {
            let count = text.chars().count();
            if count > MAX_SAY_CHARS {
                return Err(TextTooLong(count));
            }
        }
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a text of at most {MAX_SAY_CHARS} characters")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
                Text::try_from(text).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

#[cfg(test)]
impl JsonSchema for Text {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "maxLength": MAX_SAY_CHARS, "description": "one utterance" })
    }
}

/// The words spoken with an action; most actions are silent (G-11).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Say {
    /// Nothing is said.
    #[default]
    Nothing,
    /// One utterance.
    One(Text),
    /// Several utterances, in order.
    Many(Box<[Text]>),
}

impl Say {
    /// One word known when the program was compiled.
    pub const fn word(word: &'static str) -> Say {
        Say::One(Text::fixed(word))
    }

    /// The utterances in order.
    pub fn texts(&self) -> &[Text] {
        match self {
            Say::Nothing => &[],
            Say::One(text) => std::slice::from_ref(text),
            Say::Many(texts) => texts,
        }
    }

    /// Whether nothing is said.
    pub fn is_silent(&self) -> bool {
        self.texts().is_empty()
    }
}

impl Serialize for Say {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.texts())
    }
}

impl<'de> Deserialize<'de> for Say {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Say, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Say;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MAX_SAYS} texts")
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Say, A::Error> {
                let Some(first) = seq.next_element::<Text>()? else { return Ok(Say::Nothing) };
                let Some(second) = seq.next_element::<Text>()? else { return Ok(Say::One(first)) };
                let mut texts = vec![first, second];
                while let Some(text) = seq.next_element::<Text>()? {
                    if texts.len() == MAX_SAYS {
                        return Err(de::Error::custom(format_args!("more than {MAX_SAYS} texts in one action")));
                    }
                    texts.push(text);
                }
                Ok(Say::Many(texts.into()))
            }
        }
        deserializer.deserialize_seq(Visitor)
    }
}

#[cfg(test)]
impl JsonSchema for Say {
    fn schema_name() -> Cow<'static, str> {
        "Say".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let text = generator.subschema_for::<Text>();
        json_schema!({ "type": "array", "items": text, "maxItems": MAX_SAYS, "description": "words spoken with the action" })
    }
}
