//! The world as one seat may see it. Only the data is defined here; the engine fills it in, and decides what a seat may
//! know.

use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::action::Choice;
use crate::card::{Card, Suit};
use crate::seat::{Direction, Seat, SeatSet};
use crate::speech::Text;

/// Everything that a seat may know of the present position (G-08). Lists by seat are in seat order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default)]
pub struct View {
    /// The seat's own cards, by suit (C, D, H, S) and in a suit from two to ace, jokers last.
    pub hand: Vec<Card>,
    /// The top card of the discard pile; absent where the pile is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Card>,
    /// The seat to move; absent between rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<Seat>,
    /// The direction of play.
    pub direction: Direction,
    /// The number of cards in each hand.
    pub hands: Vec<u16>,
    /// The number of sealed cards in each hand; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sealed: Vec<u16>,
    /// Seats that are out of the round.
    #[serde(skip_serializing_if = "is_nobody")]
    pub out: SeatSet,
    /// The turns that each seat has still to miss; absent where no seat can lose several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns_lost: Vec<u16>,
    /// The card that counts, if it is not the top card: the one below cards that are as if they were not there, or the one for
    /// which the top card stands (G-79).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible: Option<Card>,
    /// The number of cards in the draw pile.
    pub draw_pile: u16,
    /// What the seat to move faces.
    pub pending: Pending,
    /// Seats that hold one card and have said so.
    #[serde(skip_serializing_if = "is_nobody")]
    pub mau_said: SeatSet,
    /// The round, counted from 1.
    pub round: u32,
    /// The rounds of the match.
    pub rounds: u32,
    /// Who dealt.
    pub dealer: Option<Seat>,
    /// Points of each seat in the match so far.
    pub points: Vec<i32>,
    /// Rounds won by each seat so far.
    pub wins: Vec<u32>,
    /// Seats that have not looked at their cards yet.
    #[serde(skip_serializing_if = "is_nobody")]
    pub not_looked: SeatSet,
    /// The seat whose point of order lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_of_order: Option<Seat>,
    /// The rules of the menu that hold, by name, in the order in which they were added.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Text>,
}

/// What stands between the seat to move and an ordinary play. Absent, 0 and `null` mean the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default)]
pub struct Pending {
    /// Cards owed.
    #[serde(skip_serializing_if = "is_zero")]
    pub draw: u16,
    /// The kind of the debt, as the rule set names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_kind: Option<Arc<str>>,
    /// The seat that may challenge the card which makes it owe cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenge: Option<Seat>,
    /// Cards that lie one on another and make the debt, where it is drawn one by one.
    #[serde(skip_serializing_if = "is_zero")]
    pub sevens: u16,
    /// A suit must be stated, by anybody, before a card has to be of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub suit_open: bool,
    /// The race of the neighbours of a joker's player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joker: Option<Race>,
    /// Players to be suspended, beginning with the seat to move.
    #[serde(skip_serializing_if = "is_zero")]
    pub skip: u16,
    /// The suit that must be served: wished, or the top card's own where a wish was possible and not made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suit: Option<Suit>,
    /// The value or suit that the whole table has to serve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// The run that is open, which the seat to move may go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<OpenRun>,
    /// The seat that may play a further card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<Seat>,
    /// The seat that must name a suit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choose: Option<Seat>,
    /// The seat that is skipped unless it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_victim: Option<Seat>,
    /// The oldest instruction to take a card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<TakeOrder>,
    /// The player of the next card owes the word for two identical cards.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub snap: bool,
    /// The seat that has played a free card in its turn and still owes the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owed_turn: Option<Seat>,
    /// Whether a hand is empty and the round closes unless that changes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub closing: bool,
    /// Cards that the seat to move has drawn in this turn.
    #[serde(skip_serializing_if = "is_zero")]
    pub drawn: u16,
    /// Anything may be played.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub anything: bool,
    /// A rule of the menu has to be added, before the next round (G-74).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choose_rule: Option<Box<RuleChoice>>,
}

/// A choice of a rule to add.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuleChoice {
    /// Who chooses.
    pub by: Seat,
    /// The names of the rules that can be chosen, in alphabetical order.
    pub offer: Vec<Text>,
}

/// A value or suit that the whole table has to serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Request {
    /// What was named.
    #[serde(flatten)]
    pub names: Choice,
    /// By whom.
    pub by: Seat,
}

/// A run of a suit that the next player may go on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenRun {
    /// The suit of its cards.
    pub suit: Suit,
    /// Who opened it, or played its last card.
    pub by: Seat,
}

/// A card that either neighbour of its player may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Race {
    /// Who played it.
    pub by: Seat,
}

/// An instruction to take a card from another hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct TakeOrder {
    /// Who has to take it.
    pub by: Seat,
    /// From whose hand.
    pub from: Seat,
}

fn is_zero(number: &u16) -> bool {
    *number == 0
}

fn is_nobody(seats: &SeatSet) -> bool {
    seats.is_empty()
}
