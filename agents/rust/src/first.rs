//! The first legal action, whatever it is.

use maumau_protocol::Action;
use maumau_protocol::message::{Ask, Start};
use maumau_sdk::{Agent, Words, first_legal};

/// Plays the first legal action and says what must be said.
#[derive(Clone, Debug)]
pub struct First {
    words: Words,
}

impl First {
    /// The player of one game.
    pub fn new(start: &Start) -> First {
        First { words: Words::new(start) }
    }
}

impl Agent for First {
    fn choose(&mut self, ask: &Ask) -> Action {
        self.words.say_what_must_be_said(ask, first_legal(ask))
    }
}
