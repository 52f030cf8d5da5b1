//! Takes any legal action. Its random numbers follow from the seed that the arena gives it; it knows no rules.

use maumau_protocol::Action;
use maumau_protocol::message::{Ask, Start};
use maumau_sdk::{Agent, Dice, first_legal};

/// Plays any legal action. Each is equally likely, except that a card counts once, however many suits or values may be
/// named with it: one of those is drawn after the card.
#[derive(Clone, Debug)]
pub struct Random {
    dice: Dice,
}

impl Random {
    /// The player of one game.
    pub fn new(start: &Start) -> Random {
        Random { dice: Dice::new(start) }
    }
}

impl Agent for Random {
    fn choose(&mut self, ask: &Ask) -> Action {
        // Plays of one card are adjacent.
        let options: Vec<&[Action]> = ask.legal.chunk_by(plays_the_same).collect();
        let option = self.dice.pick(&options).copied().unwrap_or_default();
        self.dice.pick(option).cloned().unwrap_or_else(|| first_legal(ask))
    }
}

fn plays_the_same(one: &Action, other: &Action) -> bool {
    one.verb.single_card().is_some_and(|card| other.verb.single_card() == Some(card))
}
