//! Why things happen that no action asked for, why actions are refused, and how a round ends. Names only: the engine
//! decides which one applies and what follows from it.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a card was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DrawReason {
    /// In place of a play, or before one.
    Turn,
    /// It was owed for a card.
    Owed,
    /// The top card, taken because nothing else was left (option `shortage`).
    Shortage,
}

/// Why an action was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The card does not fit (rule fault).
    DoesNotFit,
    /// The card may not be the last one, or the warning before it is missing (rule fault).
    MayNotBeLast,
    /// It is another seat's turn (rule fault for a card, free otherwise).
    NotYourTurn,
    /// An event that the seat had not seen came first; no fault (G-03).
    Interrupted,
    /// The card is not in the hand (protocol error, G-04).
    NotInHand,
    /// A suit or value had to be named (protocol error, G-04).
    ChoiceMissing,
    /// A suit or value was named that is not asked for or cannot be named (protocol error, G-04).
    ChoiceWrong,
    /// The action does not exist in this rule set or at this moment.
    NotNow,
    /// A call that is not upheld.
    NotUpheld,
    /// The suit may not be named here (rule fault).
    SuitBarred,
    /// The card is sealed (rule fault).
    Sealed,
    /// An instruction to another seat, or none, stands here.
    NothingToTake,
    /// It is another seat's part to do this.
    NotYours,
    /// Play rests: a point of order, or the closing time after a last card; no fault (P-96, P-98).
    Rests,
    /// The seat has not looked at its cards yet; no fault (P-05).
    NotLooked,
    /// Nobody may look at cards during a point of order (rule fault, P-83).
    LookInPause,
    /// A point of order that may not be called now (rule fault, P-92, P-95).
    PauseBarred,
}

/// Why the referee acted in a seat's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stand {
    /// The time was over (G-05).
    Slow,
    /// Too many cards were refused in one turn (G-21).
    Refusals,
    /// The seat has been dismissed (G-04).
    Dismissed,
    /// Several turn limits in a row have passed (G-22).
    Absent,
}

/// Time that passes with nobody acting (G-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Elapse {
    /// Long enough for words that are due.
    Grace,
    /// Long enough to answer a card.
    Reaction,
    /// The time of a turn.
    TurnLimit,
    /// The time after a last card, the grace time included.
    Closing,
    /// A count of ten.
    CountOfTen,
    /// The longest time that a point of order may last (P-95).
    PointOfOrder,
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RoundEnd {
    /// A hand was empty.
    Won,
    /// The turn cap, or the most cards that may be laid, was reached; nobody wins.
    TurnCap,
    /// Nothing was left to draw, and everybody passed; nobody wins.
    Blocked,
}
