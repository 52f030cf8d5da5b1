//! The discard pile as it follows from the events that any seat sees, for those that have no game to look at. It knows no
//! rules: what happens to the pile is known from events.

use maumau_protocol::{Card, DrawReason, Event, SeenEvent};

/// The cards on the discard pile, from the events of a game so far.
#[derive(Clone, Debug, Default)]
pub struct Discards {
    cards: Vec<Card>,
    /// The pile before the last card was played: when that card is taken back, a reshuffle since then is undone as well.
    before: Vec<Card>,
}

impl Discards {
    /// Takes note of the next event.
    pub fn see(&mut self, event: &SeenEvent) {
        match event {
            Event::RoundStarted { .. } => self.cards.clear(),
            Event::TurnedUp { card } => self.cards.push(*card),
            Event::Played { card, .. } => {
                self.before.clone_from(&self.cards);
                self.cards.push(*card);
            }
            // Where nothing else is left, the top card is drawn.
            Event::Drew { why: DrawReason::Shortage, .. } => drop(self.cards.pop()),
            Event::Reshuffled { count } => drop(self.cards.drain(..usize::from(*count).min(self.cards.len()))),
            Event::TakenBack { .. } => self.cards.clone_from(&self.before),
            _ => {}
        }
    }

    /// The cards, lowest first.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }
}
