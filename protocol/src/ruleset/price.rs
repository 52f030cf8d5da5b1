//! What mistakes cost. Keys and values only; they price what breaks the rules of the game. Faults of an agent as a
//! program are priced by the referee.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What mistakes cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Prices {
    /// A card that does not fit or comes out of turn.
    pub misplay: Misplay,
    /// Penalty cards for a missed deadline, beside what the referee does for the seat (G-05).
    pub slow_cards: u8,
    /// What becomes of a wrong card.
    pub illegal: Illegal,
    /// Whether penalty cards may not be looked at or used before their owner's next turn is over.
    pub sealed: bool,
}

/// What becomes of a wrong card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Illegal {
    /// It is refused at once.
    #[default]
    Refused,
    /// It lies like a right one unless somebody calls it before the next card.
    Stands,
}

/// The price of a wrong card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Misplay {
    /// Penalty cards.
    pub cards: u8,
    /// Whether a wrong card played in turn ends the turn.
    pub ends_turn: bool,
    /// What becomes of owed cards when a wrong card ends the turn.
    pub debt: DebtAfterWrong,
    /// Whether it is a mistake to be noticed like those that are called, besides what it costs at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub called: bool,
}

/// What becomes of owed cards when a wrong card ends the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DebtAfterWrong {
    /// They are taken as well.
    #[default]
    Taken,
    /// The next player owes them.
    Passes,
}
