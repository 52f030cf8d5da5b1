//! Cards played out of turn because they are exactly the top card. Keys and values only; the engine's `game/out_of_turn`
//! judges the plays.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::card_list::CardList;

/// Whoever holds the twin of the top card, in suit and value, may play it at any time; play then goes on from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Interject {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The cards whose twin may be played so.
    pub cards: CardList,
    /// Phrases that make a twin played by the seat to move an interjection, in the form of G-10; without one it is an
    /// ordinary play.
    pub say: Vec<String>,
    /// A twin played while cards are owed for it takes the debt along: what has been drawn already counts towards it, or the
    /// new debtor owes all of it.
    #[serde(default)]
    pub redraw_full: bool,
    /// Switches it off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}
