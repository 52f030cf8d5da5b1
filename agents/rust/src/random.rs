//! Any legal action.

use maumau_protocol::Action;
use maumau_protocol::message::{Ask, Start};
use maumau_sdk::{Agent, Dice, Words, first_legal};

/// Plays any legal action, each equally likely, and says what must be said.
#[derive(Clone, Debug)]
pub struct Random {
    words: Words,
    dice: Dice,
}

impl Random {
    /// The player of one game.
    pub fn new(start: &Start) -> Random {
        Random { words: Words::new(start), dice: Dice::new(start) }
    }
}

impl Agent for Random {
    fn choose(&mut self, ask: &Ask) -> Action {
        let action = self.dice.pick(&ask.legal).map_or_else(|| first_legal(ask), |verb| verb.clone().into());
        self.words.say_what_must_be_said(ask, action)
    }
}
