//! Two controls for measuring bots and rules: one that draws whenever it may, one that breaks a rule at every turn. A
//! rule set in which either does well pays for not playing. They rate nothing and remember nothing.

use maumau_protocol::message::{Ask, What};
use maumau_protocol::{Action, Say, Verb};
use maumau_sdk::{Agent, first_legal};

/// Draws whenever it may, otherwise takes the first legal action.
#[derive(Clone, Copy, Debug)]
pub struct Drawer;

impl Agent for Drawer {
    fn choose(&mut self, ask: &Ask) -> Action {
        ask.legal.iter().find(|action| action.verb == Verb::Draw).cloned().unwrap_or_else(|| first_legal(ask))
    }
}

/// Plays a card of its hand that may not be played at every turn; if all may, or it is not its turn, takes the first legal action.
#[derive(Clone, Copy, Debug)]
pub struct Clown;

impl Agent for Clown {
    fn choose(&mut self, ask: &Ask) -> Action {
        let hand = match (&ask.view, ask.what) {
            (Some(view), What::Turn) if !ask.legal.is_empty() => view.hand.as_slice(),
            _ => &[],
        };
        let is_legal =
            |held| ask.legal.iter().any(|action| matches!(action.verb, Verb::Play { card, .. } if card == held));
        match hand.iter().find(|card| !is_legal(**card)) {
            Some(card) => Action { verb: Verb::Play { card: *card, choose: None }, say: Say::Nothing },
            None => first_legal(ask),
        }
    }
}
