//! What an agent is to this crate: the player of one game, and how its program introduces itself.

use maumau_protocol::limits::MAX_NAME_CHARS;
use maumau_protocol::message::{Ask, Fault, Over, Start, Tell, Want, What};
use maumau_protocol::{Action, Verb};

/// The player of one game. Only [`Agent::choose`] has to be written.
///
/// A panic in any method ends nothing: the first legal action is played where an answer is due, and the arena is told with the
/// next answer (SPEC 6.16). A program that is built with `panic = "abort"` ends with every game that it plays.
pub trait Agent {
    /// The game begins. The agent was made for the same message a moment ago.
    fn start(&mut self, start: &Start) {
        let _ = start;
    }

    /// The answer to `ask`: one of `ask.legal`, which says what must be said with it, or an action made by hand.
    fn choose(&mut self, ask: &Ask) -> Action;

    /// What the record shall hold beside the answer just chosen, such as an evaluation; at most 4 KiB of JSON.
    fn note(&mut self) -> Option<serde_json::Value> {
        None
    }

    /// Something happened while nothing is asked; only for an agent that wants events.
    fn tell(&mut self, tell: &Tell) {
        let _ = tell;
    }

    /// Something was wrong. Where the ask may be answered anew it is in `open`: an action is sent as the answer, and for
    /// `None` the first legal action goes out in its place.
    fn fault(&mut self, fault: &Fault, open: Option<&Ask>) -> Option<Action> {
        let _ = (fault, open);
        None
    }

    /// The game is over; the agent is not used again.
    fn over(&mut self, over: &Over) {
        let _ = over;
    }
}

/// How a program introduces itself in `ready`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The agent's name, at most 64 characters.
    pub name: String,
    /// The agent's version, at most 64 characters.
    pub version: String,
    /// What an ask shall hold.
    pub wants: Vec<Want>,
    /// Whether the agent wants to be asked at every opportunity, not only when it has a card to lay.
    pub ticks: bool,
    /// How many games the process plays at once. Their asks are answered one after another while all their clocks run.
    pub games: u32,
}

impl Profile {
    /// An agent that plays one game at a time and wants the view, the legal actions and the rule set.
    pub fn new(name: &str, version: &str) -> Profile {
        let wants = vec![Want::View, Want::Legal, Want::Rules];
        Profile { name: name.to_owned(), version: version.to_owned(), wants, ticks: false, games: 1 }
    }

    /// What the arena would refuse about this profile, in a sentence.
    pub(crate) fn problem(&self) -> Option<String> {
        for (what, text) in [("name", &self.name), ("version", &self.version)] {
            let count = text.chars().count();
            if count > MAX_NAME_CHARS {
                return Some(format!("its {what} has {count} characters; at most {MAX_NAME_CHARS}"));
            }
        }
        (self.games == 0).then(|| "it plays 0 games at once; at least 1".to_owned())
    }
}

/// The first legal action, with the words that go with it. It is always accepted; where the ask lists none the turn is
/// given up by a draw, and anything else let pass.
pub fn first_legal(ask: &Ask) -> Action {
    let without_list = if ask.what == What::Turn { Verb::Draw } else { Verb::Wait };
    ask.legal.first().cloned().unwrap_or(without_list.into())
}
