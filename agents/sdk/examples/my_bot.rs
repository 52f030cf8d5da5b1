//! A bot that does anything that is legal. It knows no rules: the arena lists what is legal.

use maumau_protocol::Action;
use maumau_protocol::message::Ask;
use maumau_sdk::{Agent, Dice, Profile, run};

struct MyBot {
    dice: Dice,
}

impl Agent for MyBot {
    fn choose(&mut self, ask: &Ask) -> Action {
        self.dice.pick(&ask.legal).expect("the arena lists what is legal").clone()
    }
}

fn main() {
    run(Profile::new("my bot", "1"), |start| MyBot { dice: Dice::new(start) });
}
