//! Why things happen that no action asked for, why actions are refused, and how a round ends. Names only: the engine
//! decides which one applies and what follows from it.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::named::named;

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
    /// At once, because of a card that was played (G-35).
    Effect,
}

named! {
    /// Why an action was refused.
    pub enum Reason {
        /// The card does not fit (rule fault).
        DoesNotFit = "does_not_fit",
        /// The card may not be the last one, or the warning before it is missing (rule fault).
        MayNotBeLast = "may_not_be_last",
        /// It is another seat's turn (rule fault for a card, free otherwise).
        NotYourTurn = "not_your_turn",
        /// An event that the seat had not seen came first; no fault (G-03).
        Interrupted = "interrupted",
        /// The card is not in the hand (protocol error, G-04).
        NotInHand = "not_in_hand",
        /// A suit or value had to be named (protocol error, G-04).
        ChoiceMissing = "choice_missing",
        /// A suit or value was named that is not asked for or cannot be named (protocol error, G-04).
        ChoiceWrong = "choice_wrong",
        /// The action does not exist in this rule set or at this moment.
        NotNow = "not_now",
        /// A call that is not upheld.
        NotUpheld = "not_upheld",
        /// The suit may not be named here (rule fault).
        SuitBarred = "suit_barred",
        /// The card is sealed (rule fault).
        Sealed = "sealed",
        /// An instruction to another seat, or none, stands here.
        NothingToTake = "nothing_to_take",
        /// It is another seat's part to do this.
        NotYours = "not_yours",
        /// Play rests: a point of order, or a closing time in which nothing can be answered; no fault (P-96, P-98).
        Rests = "rests",
        /// The seat has not looked at its cards yet; no fault (P-05).
        NotLooked = "not_looked",
        /// Nobody may look at cards during a point of order (rule fault, P-83).
        LookInPause = "look_in_pause",
        /// A point of order that may not be called now (rule fault, P-92, P-95).
        PauseBarred = "pause_barred",
    }
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
    /// The turn cap, or the most cards that may be played, was reached; nobody wins.
    TurnCap,
    /// Nothing was left to draw, and everybody passed; nobody wins, or the lowest hands (G-46).
    Blocked,
}
