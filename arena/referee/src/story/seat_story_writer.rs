//! Writes the story of a game from the events that one seat is sent, in the same sentences as everybody else's: for clients, which have no
//! log. It knows no game; what an event alone does not say, such as shared first places of dismissed seats, it leaves out.

use std::sync::Arc;

use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Card, SeatSet, SeenEvent, Stand};

use super::basis;
use super::line::Line;
use super::sentence::{self, Context};

/// Writes the story of one game, event by event, as one seat was sent them.
#[derive(Clone, Debug)]
pub struct SeatStoryWriter {
    set: Arc<RuleSet>,
    seats: usize,
    top: Option<Card>,
    refusals: bool,
}

impl SeatStoryWriter {
    /// For a game by `set` at a table of `seats`.
    pub fn new(set: Arc<RuleSet>, seats: usize) -> SeatStoryWriter {
        SeatStoryWriter { set, seats, top: None, refusals: false }
    }

    /// The line of `event`, with the clauses that it rests on; `None` for events that another line covers.
    pub fn line(&mut self, event: &SeenEvent) -> Option<Line> {
        let mut winners = SeatSet::EMPTY;
        match event {
            SeenEvent::Played { card, .. } | SeenEvent::TurnedUp { card } => self.top = Some(*card),
            SeenEvent::ActedFor { why, .. } => self.refusals = *why == Stand::Refusals,
            SeenEvent::MatchOver { winners: first } => winners = *first,
            _ => {}
        }
        let context = Context { decides: self.set.scoring.decides, refusals: self.refusals, winners, faster: None };
        let line = sentence::line(event, context)?;
        Some(Line { clauses: basis::clauses(&self.set, self.seats, self.top, event), ..line })
    }
}
