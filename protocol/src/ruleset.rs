//! Rule sets as data: what a rule file can say, and what an agent is sent.
//!
//! A rule set is a combination of small pieces: a deck, a deal, a turn, effects of cards, duties to say things, prices of
//! mistakes, an ending and a scoring. Nothing here knows the name of a rule set. Reading rule files, applying options and
//! checking that a combination makes sense is the engine's part.

mod by_seats;
mod calls;
mod deal;
mod duty;
mod effect;
mod ending;
mod interject;
mod price;
mod talk;
mod turn;

use std::collections::BTreeMap;
use std::fmt;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use by_seats::{BySeats, SeatRow};
pub use calls::{CallUntil, Calls, FalseCall, Notice, PenaltiesInDeal};
pub use deal::{Deal, DealOrder, DealtBy, Deck, DeckCards, FirstCard, Look, NextDealer};
pub use duty::{CallableUntil, Duties, Mau, MauDue, MauMau, MauMissing, Word};
pub use effect::{AfterOwed, Again, ChooseSuit, Effect, Named, Owe, Request, RequestEnds, Skip, Take};
pub use ending::{ChipDebt, Decides, Ending, EndingAt, LastCardEffects, Scoring, Tie};
pub use interject::Interject;
pub use price::{DebtAfterWrong, Illegal, Misplay, Prices};
pub use talk::{Done, Loud, PointOfOrder, SaidDuty, Talk, WordList};
pub use turn::{AfterDraw, Shortage, Turn};

/// A resolved rule set: every option decided, every default filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuleSet {
    /// The version of the rule file format: 1.
    pub format: u32,
    /// The short name, as in file names and on the command line.
    pub name: String,
    /// The name shown to people.
    pub title: String,
    /// What kind of game this is, in a sentence or two.
    #[serde(default)]
    pub about: String,
    /// How many can play.
    pub seats: SeatRange,
    /// The cards.
    pub deck: Deck,
    /// How a round begins.
    pub deal: Deal,
    /// What a turn is.
    #[serde(default)]
    pub turn: Turn,
    /// What cards do beyond being played, by a name of the effect's own.
    #[serde(default)]
    pub effects: BTreeMap<String, Effect>,
    /// What must be said.
    #[serde(default)]
    pub duties: Duties,
    /// Twins of the top card, played at any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interject: Option<Interject>,
    /// What should not be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk: Option<Talk>,
    /// Pauses in which play rests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point_of_order: Option<PointOfOrder>,
    /// What mistakes cost.
    #[serde(default)]
    pub prices: Prices,
    /// Mistakes that have to be called.
    #[serde(default)]
    pub calls: Calls,
    /// How a round ends.
    #[serde(default)]
    pub ending: Ending,
    /// What a round and a match are worth.
    #[serde(default)]
    pub scoring: Scoring,
    /// The table options that were chosen, defaults included.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
}

/// The smallest and largest table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeatRange {
    /// Fewest seats, at least 2.
    pub min: u8,
    /// Most seats, at most 16.
    pub max: u8,
}

/// The value of a table option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum OptionValue {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A word.
    Text(String),
    /// A list of words.
    List(Vec<String>),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Bool(value) => write!(f, "{value}"),
            OptionValue::Int(value) => write!(f, "{value}"),
            OptionValue::Text(value) => f.write_str(value),
            OptionValue::List(values) => f.write_str(&values.join(",")),
        }
    }
}
