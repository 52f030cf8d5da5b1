//! How a round ends, and what rounds and matches are worth. Keys and values only; the engine's `game/dealing` ends
//! rounds and scores them.

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::BySeats;
use crate::card::Card;

/// How a round ends: the first empty hand wins it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Ending {
    /// What becomes of the effect of the winning card.
    pub last_card_effects: LastCardEffects,
    /// When an empty hand ends the round.
    pub at: EndingAt,
    /// Whether the others play on once a hand is empty (G-43).
    #[serde(skip_serializing_if = "is_over")]
    pub goes_on: GoesOn,
    /// Whether nothing at all can be played or drawn in the closing time; otherwise what answers the last card can.
    pub rests: bool,
    /// Whether a last card played free in one's own turn wins although the turn is still owed.
    pub free_card_wins_in_turn: bool,
    /// With nothing left to draw: once every seat has passed in a row, and so many seats again, nobody wins. Owed cards
    /// that took the last of the pile, and were all there, count as the first pass. Absent = the round goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked_after: Option<u8>,
    /// Who wins a round that `blocked_after` ends.
    #[serde(skip_serializing_if = "Blocked::is_nobody")]
    pub blocked: Blocked,
}

/// Who wins a round in which nothing is left to draw and all seats pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Blocked {
    /// Nobody.
    #[default]
    Nobody,
    /// The seat with the lowest hand, or all seats with equal lowest hands (G-46).
    Lowest,
}

impl Blocked {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_nobody(&self) -> bool {
        *self == Blocked::Nobody
    }
}

/// What follows when a hand is empty at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GoesOn {
    /// The round is over.
    #[default]
    Over,
    /// The others play on for places, until one of them has cards left.
    Places,
}

fn is_over(goes_on: &GoesOn) -> bool {
    *goes_on == GoesOn::Over
}

/// When an empty hand ends the round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EndingAt {
    /// At once.
    #[default]
    Once,
    /// When the closing time is over and the hand is still empty; all empty hands win.
    Closing,
}

/// What becomes of the effect of the winning card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LastCardEffects {
    /// It dies with the hand.
    #[default]
    Die,
    /// Where the others play on, it finds the next player as usual.
    Act,
    /// Owed cards are drawn before the hands are counted.
    DrawFirst,
}

/// What a round and a match are worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Scoring {
    /// What decides the match.
    pub decides: Decides,
    /// Rounds of a match unless the table says otherwise; 0 = as many as the target takes, and at most 10000 (G-29).
    pub rounds: u32,
    /// What ends the match before its last round, once a seat has as much of what `decides` counts; 0 or absent = nothing
    /// does (G-29).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<BySeats<u32>>,
    /// Points of a card that a seat holds at the end of a round, by rank or by card, which goes first (G-68); what is not named
    /// counts nothing. They count against that seat, unless the winner collects them.
    pub points: BTreeMap<String, u16>,
    /// Whether the points of all other hands are credited to the winner of a round (G-45).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub collects: bool,
    /// Chips that every seat starts with, where chips decide.
    pub chips: u16,
    /// Whether a seat can owe chips.
    pub debt: ChipDebt,
    /// What follows when several seats share the first place after the last round.
    pub tie: Tie,
}

impl Scoring {
    /// The points of `card`: its own, else those of its rank if it has one (G-68).
    pub fn points_of(&self, card: Card) -> u16 {
        let own = self.points.get(&card.to_string());
        let by_rank = || self.points.get(&card.rank()?.to_string());
        own.or_else(by_rank).copied().unwrap_or(0)
    }

    /// Whether cards that are left in a hand count points, and are not merely counted (G-23).
    pub fn counts_points(&self) -> bool {
        self.points.values().any(|points| *points != 0)
    }
}

/// Whether a seat can owe chips, and so when it is broke.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChipDebt {
    /// No seat pays more than it has; with no chips left the match is over.
    #[default]
    None,
    /// Everybody pays in full; the match is over when somebody is below zero.
    Negative,
}

/// What follows when several seats share the first place after the last round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tie {
    /// They share it.
    #[default]
    Shared,
    /// A further round is played, until one seat leads.
    ExtraRound,
}

impl Default for Scoring {
    fn default() -> Scoring {
        Scoring {
            decides: Decides::RoundsWon,
            rounds: 1,
            target: None,
            points: BTreeMap::new(),
            collects: false,
            chips: 0,
            debt: ChipDebt::None,
            tie: Tie::Shared,
        }
    }
}

/// What decides a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Decides {
    /// Most rounds won.
    #[default]
    RoundsWon,
    /// Fewest points.
    FewestPoints,
    /// Most points, where winners collect them (G-45).
    MostPoints,
    /// The count nearest to the one that ends the match (G-57).
    Count,
    /// Most chips: the winner of a round gets one from each other seat for each card left in its hand.
    MostChips,
}
