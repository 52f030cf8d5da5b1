//! The reference bots, one module each, and the way the binary starts them as `maumau agent NAME`; and in [`person`] what
//! every client of a person needs. It starts no thread and reads no file; `maumau-sdk` moves the lines.
//!
//! They answer from `legal` alone, with the words listed there, so they play any rule set: a verb that they do not rate is
//! taken only when it is the first one. The `clown` alone does on purpose what is not listed.

mod belief;
mod careful;
mod controls;
mod evaluation;
mod first;
mod flat;
mod greedy;
mod human_pace;
mod mind;
mod net;
pub mod person;
mod playouts;
mod random;
mod several;
mod sight;
mod stakes;
mod table;
mod tree;

#[cfg(test)]
mod tests;

pub use careful::Careful;
pub use controls::{Clown, Drawer};
pub use evaluation::{Evaluator, RoundStakes};
pub use first::First;
pub use flat::with_open_cards;
pub use greedy::Greedy;
pub use net::{NET_WEIGHTS, Net};
pub use playouts::{Playouts, SearchMethod, Thinking, acts_between_turns};
pub use random::Random;

pub use maumau_sdk::{Agent, Profile};

use std::io::BufReader;

use maumau_protocol::message::{Start, Want};
use maumau_sdk::{ServeError, serve_from, serve_stdio};

use crate::human_pace::HumanPace;

/// Every bot with a one-line description: two controls, which do not try to win, then the others, the weakest first.
pub const NAMES: [(&str, &str); 10] = [
    ("clown", "a control: a card that may not be played, at every turn"),
    ("drawer", "a control: draws whenever it may, otherwise the first legal action"),
    ("random", "any legal action, each card equally likely, following the seed that the arena gives it"),
    ("first", "the first legal action: the quickest bot there is"),
    ("greedy", "sheds dear and attacking cards, keeps cards that fit anything, names its longest suit"),
    ("net", "a small trained network at tables of two by the built-in sets, greedy elsewhere"),
    ("careful", "counts cards: plays as greedy does what the next seat can hardly answer"),
    ("sample", "deals the hidden cards again many times and plays each action to the end, greedily"),
    ("ismcts", "grows one tree of what all seats may do over many deals of the hidden cards"),
    ("search", "as sample, but thinks longer and infers hands from what others do"),
];

/// Settings of the bots that think ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// Playouts for a choice instead of the bot's own number. All of them are made, however long they take, so that the
    /// same game follows on every machine.
    pub simulations: Option<u32>,
    /// `search` infers nothing from what others do.
    pub no_inference: bool,
}

/// Why a bot could not be run.
#[derive(Debug, thiserror::Error)]
pub enum BotRunError {
    /// There is no such bot.
    #[error("there is no built-in agent {name:?}")]
    UnknownName {
        /// The requested name.
        name: String,
    },
    /// The bot has no such setting.
    #[error("the agent {name:?} does not think ahead, so {setting} means nothing to it")]
    NoSetting {
        /// The bot.
        name: String,
        /// The setting, as it was given.
        setting: &'static str,
    },
    /// It could not play.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

impl BotRunError {
    /// The exit status of a program that ends with this error: 2 for wrong use or input, 3 for the environment.
    pub fn exit_status(&self) -> u8 {
        match self {
            BotRunError::UnknownName { .. } | BotRunError::NoSetting { .. } => 2,
            BotRunError::Serve(error) => error.exit_status(),
        }
    }
}

fn unknown(name: &str) -> BotRunError {
    BotRunError::UnknownName { name: name.to_owned() }
}

/// How the bot `name` thinks with `options`; `None` if it does not think ahead.
fn thinking(name: &str, options: SearchOptions) -> Result<Option<Thinking>, BotRunError> {
    let refuse = |setting| Err(BotRunError::NoSetting { name: name.to_owned(), setting });
    match Thinking::of(name) {
        None if options.simulations.is_some() => refuse("--simulations"),
        None if options.no_inference => refuse("--no-inference"),
        None => Ok(None),
        Some(own) if options.no_inference && !own.infers => refuse("--no-inference"),
        Some(own) => {
            let own = Thinking { infers: own.infers && !options.no_inference, ..own };
            Ok(Some(options.simulations.map_or(own, |simulations| own.fixed(simulations))))
        }
    }
}

/// How the bot `name` introduces itself.
///
/// # Errors
/// There is no such bot.
pub fn profile(name: &str) -> Result<Profile, BotRunError> {
    let profile = Profile::new(name, env!("CARGO_PKG_VERSION"));
    match name {
        "random" | "first" | "drawer" => Ok(Profile { wants: vec![Want::Legal], ..profile }),
        "greedy" | "clown" => Ok(profile),
        "net" | "careful" | "sample" | "ismcts" | "search" => {
            Ok(Profile { wants: vec![Want::View, Want::Legal, Want::Events, Want::Rules], ..profile })
        }
        _ => Err(unknown(name)),
    }
}

/// The bot `name` as the player of the game of `start`, for callers that play without processes.
///
/// # Errors
/// There is no such bot.
pub fn player(name: &str, start: &Start) -> Result<Box<dyn Agent>, BotRunError> {
    player_with(name, start, SearchOptions::default())
}

/// As [`player`], with settings.
///
/// # Errors
/// There is no such bot, or it has no such setting.
pub fn player_with(name: &str, start: &Start, options: SearchOptions) -> Result<Box<dyn Agent>, BotRunError> {
    if let Some(thinking) = thinking(name, options)? {
        return Ok(Box::new(Playouts::new(start, thinking)));
    }
    match name {
        "random" => Ok(Box::new(Random::new(start))),
        "first" => Ok(Box::new(First)),
        "drawer" => Ok(Box::new(Drawer)),
        "clown" => Ok(Box::new(Clown)),
        "greedy" => Ok(Box::new(Greedy::new(start))),
        "net" => Ok(Box::new(Net::new(start))),
        "careful" => Ok(Box::new(Careful::new(start))),
        _ => Err(unknown(name)),
    }
}

/// Plays as the bot `name` on standard input and output until the arena says `bye` or disconnects; `games` is the number of
/// simultaneous games that the process offers to play. Without a number of its own a bot that thinks long offers one, so
/// that no game waits for another. With `human_pace` it takes as long as a person to act.
///
/// # Errors
/// There is no such bot, it has no such setting, or [`serve_stdio`] failed.
pub fn run(name: &str, games: Option<u32>, options: SearchOptions, human_pace: bool) -> Result<(), BotRunError> {
    let usual = match name {
        "sample" => 4,
        "ismcts" | "search" => 1,
        _ => 64,
    };
    let profile = Profile { games: games.unwrap_or(usual), ..profile(name)? };
    if let Some(thinking) = thinking(name, options)? {
        serve_bot(profile, human_pace, |start: &Start| Playouts::new(start, thinking))?;
        return Ok(());
    }
    match name {
        "random" => serve_bot(profile, human_pace, Random::new)?,
        "first" => serve_bot(profile, human_pace, |_| First)?,
        "drawer" => serve_bot(profile, human_pace, |_| Drawer)?,
        "clown" => serve_bot(profile, human_pace, |_| Clown)?,
        "greedy" => serve_bot(profile, human_pace, Greedy::new)?,
        "net" => serve_bot(profile, human_pace, Net::new)?,
        "careful" => serve_bot(profile, human_pace, Careful::new)?,
        _ => return Err(unknown(name)),
    }
    Ok(())
}

/// Serves at the bot's own pace or at that of a person.
fn serve_bot<A: Agent>(profile: Profile, human_pace: bool, make: impl FnMut(&Start) -> A) -> Result<(), ServeError> {
    match human_pace {
        true => serve_from(profile, HumanPace::of(BufReader::new(std::io::stdin())), make),
        false => serve_stdio(profile, make),
    }
}
