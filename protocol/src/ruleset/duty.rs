//! What must be said, and when. Keys and values only; the engine's `game/speech` decides when a word is due and when it
//! was said.

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::talk::{Done, SaidDuty};

/// What must be said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Duties {
    /// The warning of a seat that holds one card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mau: Option<Mau>,
    /// Words owed with a card, by a name of the duty's own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, SaidDuty>,
    /// The word of a seat that has drawn what was owed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<Done>,
    /// The word of a seat that holds no card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mau_mau: Option<MauMau>,
    /// The word with a last card, without which it does not win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<LastWord>,
    /// The word of the seat that plays the card after two identical ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identical: Option<Word>,
}

/// The word of a seat that holds no card: due quickly, and before the next card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MauMau {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The word, in the form of G-10.
    pub word: String,
    /// Whether being late and being later than the next card are two mistakes.
    #[serde(default)]
    pub double: bool,
}

/// A word that is due at a certain moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Word {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The word, in the form of G-10.
    pub word: String,
}

/// The warning that one card is left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mau {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The word, in the form of G-10.
    pub word: String,
    /// What comes of it when it is missing.
    pub if_missing: MauMissing,
    /// Cards that a missing word costs, where it costs cards.
    #[serde(default)]
    pub cards: u8,
    /// Where the last card is barred: the word counts whenever it is said, also with the last card.
    #[serde(default)]
    pub any_time: bool,
    /// Its last moment.
    #[serde(default)]
    pub due: MauDue,
    /// Where it has to be called: when a call is too late.
    #[serde(default)]
    pub callable_until: CallableUntil,
    /// Whether the last card may not follow a further-card effect in the same turn unless the word was said before it.
    #[serde(default)]
    pub before_last_of_chain: bool,
    /// Cards that it costs at once to say the word with two or more cards in hand (G-47).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub false_costs: u8,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// The word that goes with a last card (G-50).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LastWord {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The word, in the form of G-10.
    pub word: String,
    /// What comes of it when it is missing.
    #[serde(default)]
    pub if_missing: LastWordMissing,
    /// Cards that its player then draws.
    pub cards: u8,
}

/// What comes of a last card without its word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LastWordMissing {
    /// The card lies and does what it does, and its player draws and stays in the round.
    #[default]
    PlaysOn,
}

/// The last moment of the warning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MauDue {
    /// Before the first action of a following turn; due only for one card left at the end of one's own turn.
    #[default]
    NextTurn,
    /// Before the next card that anybody plays; due however one came to hold one card.
    NextCard,
}

/// When a call of a missing word is too late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CallableUntil {
    /// From the offender's own next turn on.
    #[default]
    OwnTurn,
    /// From the move of the next-but-one player on.
    NextButOne,
    /// From the first action in a later turn on; until then a call counts as soon as the offender's turn is over (G-48).
    NextAction,
}

/// What comes of a missing word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MauMissing {
    /// The referee charges the cards before the next turn's first action.
    Charged,
    /// Another seat has to call it, from the next turn's first action on.
    Called,
    /// The last card may not be played.
    BarsLastCard,
}
