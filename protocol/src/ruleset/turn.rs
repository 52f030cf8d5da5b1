//! What a turn is. Keys and values only; the engine's `game/turn` plays by them.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Turn {
    /// Cards that one may take in a turn for want of a play, one after another.
    pub draws: u8,
    /// What may follow a draw.
    pub after_draw: AfterDraw,
    /// Whether taking owed cards counts as the draw of the turn that follows.
    pub owed_counts_as_draw: bool,
    /// Whether owed cards are taken by one action each.
    pub owed_one_by_one: bool,
    /// Turn limits in a row after which the referee acts for a silent seat; 0 = at the first, at the price of slowness
    /// (G-05, G-22).
    pub absent_limits: u8,
    /// Whether instructions (to take a card) are carried out by the referee at once.
    pub musts_at_once: bool,
    /// Whether a further card that must be played may be refused although one fits.
    pub again_may_draw: bool,
    /// Refused actions of a seat in one turn before the referee acts for it (G-21).
    pub max_refusals: u8,
    /// Turns in a round; then it is scored as it stands and nobody wins it.
    pub cap: u32,
    /// Whether a card drawn out of turn is kept and changes nothing; otherwise the draw is refused.
    pub draw_out_of_turn: bool,
    /// Whether the discard pile under its top card becomes the new draw pile when that is used up (G-06).
    #[serde(skip_serializing_if = "is_true")]
    pub reshuffle: bool,
    /// What happens when nothing is left to draw (G-07).
    pub shortage: Shortage,
    /// Cards played in a round; then it is scored as it stands and nobody wins it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards_cap: Option<u32>,
    /// Conduct faults after which an agent is dismissed and the referee plays its seat (G-04).
    pub max_strikes: u8,
}

impl Default for Turn {
    fn default() -> Turn {
        Turn {
            draws: 1,
            after_draw: AfterDraw::Over,
            owed_counts_as_draw: false,
            owed_one_by_one: false,
            absent_limits: 0,
            musts_at_once: false,
            again_may_draw: true,
            max_refusals: 3,
            draw_out_of_turn: false,
            cap: crate::limits::DEFAULT_TURN_CAP,
            reshuffle: true,
            shortage: Shortage::Waive,
            cards_cap: None,
            max_strikes: 3,
        }
    }
}

/// What may follow a draw in the same turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AfterDraw {
    /// Nothing: the turn is over.
    #[default]
    Over,
    /// The card just drawn may be played if it fits.
    DrawnCard,
    /// Any card that fits may be played.
    AnyCard,
}

/// What happens when draw pile and discard pile together cannot supply a card (G-07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Shortage {
    /// The missing cards are waived.
    #[default]
    Waive,
    /// The drawer also takes the top card, and the next player may play anything.
    TopCard,
    /// Nobody draws: one plays a card or passes, and a card that would make a debt makes none.
    Pass,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_true(is: &bool) -> bool {
    *is
}
