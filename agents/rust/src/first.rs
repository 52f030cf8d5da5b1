//! Takes the first legal action, whatever it is. Knows no rules, no cards and no earlier moves.

use maumau_protocol::Action;
use maumau_protocol::message::Ask;
use maumau_sdk::{Agent, first_legal};

/// Plays the first legal action.
#[derive(Clone, Copy, Debug)]
pub struct First;

impl Agent for First {
    fn choose(&mut self, ask: &Ask) -> Action {
        first_legal(ask)
    }
}
