//! Mistakes that somebody has to notice: what an upheld call costs, who may notice, and for how long.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How mistakes are noticed and charged. Without this section the prices of the rule set are taken at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// Penalty cards for each mistake that is charged.
    pub cards: u8,
    /// Who notices.
    #[serde(default)]
    pub notice: Notice,
    /// What becomes of a call that is not upheld.
    #[serde(default)]
    pub false_call: FalseCall,
    /// How long a mistake can be called.
    #[serde(default)]
    pub until: CallUntil,
}

/// Who notices mistakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// Another seat, by a call.
    #[default]
    Seats,
    /// The referee, as soon as they can be noticed.
    Referee,
}

/// What becomes of a call that is not upheld.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FalseCall {
    /// Nothing.
    #[default]
    Free,
    /// It is a mistake of the caller, `bad_penalty`, which can itself be called.
    Violation,
}

/// How long a mistake can be called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallUntil {
    /// Until the round is over.
    #[default]
    RoundEnd,
    /// Until the offender has completed the next ordinary turn of his own; and until the round is over.
    OwnNextTurn,
}
