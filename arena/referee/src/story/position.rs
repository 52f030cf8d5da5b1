//! The table as it stands, for observers: everything, or what one seat sees. It reads the game and its views; how a
//! table is drawn is left to those who show it.

use maumau_engine::Game;
use maumau_protocol::{Card, Direction, Pending, Seat, SeatSet, View};
use serde::Serialize;

use super::Eyes;

/// The table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum StoryPosition {
    /// As one seat sees it.
    Seen(Box<View>),
    /// From the referee's eyes.
    Open(Box<OpenTable>),
}

/// The table with all hands open. Lists by seat are in seat order; fields not described here are as in [`View`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenTable {
    /// The cards of each hand that its owner may look at.
    pub hands: Vec<Vec<Card>>,
    /// The sealed cards of each hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sealed: Vec<Vec<Card>>,
    /// The top card of the discard pile.
    pub top: Option<Card>,
    /// The topmost card that counts, if it is a different one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible: Option<Card>,
    /// Cards in the discard pile.
    pub pile: usize,
    /// Cards in the draw pile.
    pub draw_pile: u16,
    /// The seat to move.
    pub turn: Option<Seat>,
    /// The direction of play.
    pub direction: Direction,
    /// What the seat to move faces.
    pub pending: Pending,
    /// Seats that are out of the round.
    #[serde(skip_serializing_if = "is_nobody")]
    pub out: SeatSet,
    /// Turns that each seat has still to miss; empty if no rule adds them up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns_lost: Vec<u16>,
    /// Seats that hold one card and have said so.
    pub mau_said: SeatSet,
    /// The round, from 1.
    pub round: u32,
    /// The rounds of the match.
    pub rounds: u32,
    /// Who dealt.
    pub dealer: Option<Seat>,
    /// Points so far.
    pub points: Vec<i32>,
    /// Rounds won so far.
    pub wins: Vec<u32>,
    /// Seats that have not looked at their cards yet.
    pub not_looked: SeatSet,
    /// The seat whose point of order lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_of_order: Option<Seat>,
}

/// Whether no seat is among them.
fn is_nobody(seats: &SeatSet) -> bool {
    seats.is_empty()
}

impl StoryPosition {
    /// What these eyes see of a game as it stands.
    pub fn new(game: &Game, eyes: Eyes) -> StoryPosition {
        // What everybody may know is the same in every seat's view.
        if let Some(eyes) = eyes {
            let sits = eyes.index() < game.rules().seats();
            let mut view = game.view(if sits { eyes } else { Seat::FIRST });
            if !sits {
                view.hand.clear();
            }
            return StoryPosition::Seen(Box::new(view));
        }
        let view = game.view(Seat::FIRST);
        let seats = || Seat::all(game.rules().seats());
        let sealed = |seat| game.sealed_hand(seat).cards().collect();
        StoryPosition::Open(Box::new(OpenTable {
            hands: seats().map(|seat| game.hand(seat).cards().collect()).collect(),
            sealed: if view.sealed.is_empty() { Vec::new() } else { seats().map(sealed).collect() },
            top: view.top,
            visible: view.visible,
            pile: game.pile().len(),
            draw_pile: view.draw_pile,
            turn: view.turn,
            direction: view.direction,
            pending: view.pending,
            out: view.out,
            turns_lost: view.turns_lost,
            mau_said: view.mau_said,
            round: view.round,
            rounds: view.rounds,
            dealer: view.dealer,
            points: view.points,
            wins: view.wins,
            not_looked: view.not_looked,
            point_of_order: view.point_of_order,
        }))
    }
}
