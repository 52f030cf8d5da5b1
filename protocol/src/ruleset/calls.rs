//! Mistakes that somebody has to notice: what they cost, who notices, and for how long. Keys and values only; the
//! engine's `game/calls` keeps the mistakes and charges them.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Mistakes that have to be called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Calls {
    /// Penalty cards for a mistake that is called, or that the referee notices.
    pub cards: u8,
    /// Who notices mistakes.
    pub notice: Notice,
    /// What a call costs that is not upheld.
    pub false_call: FalseCall,
    /// Who notices slowness.
    pub slow: Notice,
    /// How long a mistake can be called, where its own clause does not say.
    pub until: CallUntil,
    /// What becomes of penalty cards before the first card is turned up.
    pub in_deal: PenaltiesInDeal,
    /// Whether starting to draw or to play and then doing the other thing is a mistake.
    pub movements: bool,
}

/// Who notices a mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The other seats, by calls.
    #[default]
    Seats,
    /// The referee, at once.
    Referee,
}

/// What a call costs that is not upheld.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FalseCall {
    /// Nothing.
    #[default]
    Free,
    /// The cards of a mistake.
    Cards,
    /// It is a mistake of the caller, which can itself be called.
    Violation,
}

/// How long a mistake can be called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CallUntil {
    /// Until the round is over.
    #[default]
    RoundEnd,
    /// Until the offender has completed the next ordinary turn of his own; and until the round is over.
    OwnNextTurn,
}

/// What becomes of penalty cards before the first card is turned up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PenaltiesInDeal {
    /// The dealer deals them out before the turn-up (N-118, N-122).
    #[default]
    Outstanding,
    /// They are taken at once, as at any other time (P-86, P-105).
    AtOnce,
}
