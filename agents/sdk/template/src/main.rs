//! `my-bot`: a bot for the Mau-Mau arena. README.md has the commands.

use maumau_protocol::message::Ask;
use maumau_protocol::{Action, Verb};
use maumau_sdk::{Agent, Profile, card_points, run};

struct MyBot;

impl Agent for MyBot {
    fn choose(&mut self, ask: &Ask) -> Action {
        // Think here. Each entry of ask.legal is a whole answer; ask.view is the position.
        let dearness = |action: &&Action| match action.verb {
            Verb::Play { card, .. } => 1 + card_points(card, None),
            _ => 0,
        };
        let dearest = ask.legal.iter().rev().max_by_key(dearness); // of equal ones the first
        dearest.expect("legal is never empty").clone()
    }
}

fn main() {
    run(Profile { games: 64, ..Profile::new("my-bot", "1") }, |_| MyBot);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds the bot a recorded game: `lines.jsonl` is what the arena sent a player of `game.jsonl`.
    #[test]
    fn every_answer_is_legal() {
        let answers = maumau_sdk::rehearse(include_str!("../lines.jsonl"), |_| MyBot).expect("lines of the arena");
        assert!(!answers.is_empty());
        for (ask, action) in answers {
            assert!(ask.legal.contains(&action), "{action:?} is not legal");
        }
    }
}
