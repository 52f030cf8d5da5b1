//! An agent as this crate sees it: the player of one game, how its program introduces itself, and why that program could not
//! continue. Authors implement it; `session` calls it. It knows no lines and no pipes.

use std::io;

use maumau_protocol::limits::{MAX_LINE_BYTES, MAX_NAME_CHARS};
use maumau_protocol::message::{Ask, Fault, Over, PROTOCOL, Plays, Start, Tell, Want, What};
use maumau_protocol::{Action, Verb};

/// The player of one game. Only [`Agent::choose`] is required.
///
/// A panic in any method ends nothing: if an answer is due, the first legal action is played, and the arena learns of the
/// panic with the next answer (SPEC 6.16). A program that is built with `panic = "abort"` ends with every game that it
/// plays.
pub trait Agent {
    /// The game begins. The agent has just been made for the same message.
    fn start(&mut self, start: &Start) {
        let _ = start;
    }

    /// The answer to `ask`: one of `ask.legal`, each with the words that must be said with it, or an action made by hand.
    fn choose(&mut self, ask: &Ask) -> Action;

    /// Data to record with the answer just chosen, for example an evaluation; at most 4 KiB of JSON.
    fn note(&mut self) -> Option<serde_json::Value> {
        None
    }

    /// Something happened while no ask is open; only for an agent that wants events.
    fn tell(&mut self, tell: &Tell) {
        let _ = tell;
    }

    /// Something was wrong. If the ask may be answered again, it is in `open`: a returned action is sent as the answer, and
    /// for `None` the first legal action is sent.
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
    /// The data that an ask should contain.
    pub wants: Vec<Want>,
    /// Whether the agent wants to be asked at every opportunity, not only when it has a card to play.
    pub ticks: bool,
    /// The number of games that the process plays at once. It answers their asks one after another while all their clocks
    /// run.
    pub games: u32,
    /// The rule sets and table sizes that the agent was made for; `None` for all. A league with others is not begun.
    pub plays: Option<Plays>,
}

impl Profile {
    /// An agent that plays one game at a time and wants the view, the legal actions and the rule set.
    pub fn new(name: &str, version: &str) -> Profile {
        let wants = vec![Want::View, Want::Legal, Want::Rules];
        Profile { name: name.to_owned(), version: version.to_owned(), wants, ticks: false, games: 1, plays: None }
    }

    /// The reason why the arena would refuse this profile, in a sentence.
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

/// Why an agent could not continue.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The arena uses another major version.
    #[error("this agent speaks {PROTOCOL} and the arena {0:?}: they cannot play together")]
    OtherProtocol(String),
    /// The profile cannot be announced.
    #[error("this agent's profile would be refused: {0}")]
    Profile(String),
    /// A line without an end.
    #[error("the arena sent a line of more than {MAX_LINE_BYTES} bytes")]
    LineTooLong,
    /// The input failed.
    #[error("the arena could not be read: {0}")]
    Read(io::Error),
    /// The output failed, other than by being closed.
    #[error("the arena could not be written to: {0}")]
    Write(io::Error),
}

impl ServeError {
    /// The exit status of a program that ends with this error: 2 for wrong use or input, 3 for the environment.
    pub fn exit_status(&self) -> u8 {
        match self {
            ServeError::OtherProtocol(_) | ServeError::Profile(_) | ServeError::LineTooLong => 2,
            ServeError::Read(_) | ServeError::Write(_) => 3,
        }
    }
}

/// The first legal action, with its words. It is always accepted; if the ask lists none, the answer to a turn is a draw,
/// and everything else is declined.
pub fn first_legal(ask: &Ask) -> Action {
    let without_list = if ask.what == What::Turn { Verb::Draw } else { Verb::Wait };
    ask.legal.first().cloned().unwrap_or(without_list.into())
}
