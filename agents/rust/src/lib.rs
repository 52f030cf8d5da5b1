//! The reference bots, one module each, and the way the binary starts them as `maumau agent NAME`; and in [`person`] what
//! every client of a person needs. It starts no thread and reads no file; `maumau-sdk` moves the lines.
//!
//! They answer from `legal` alone, with the words listed there, so they play any rule set: a verb that they do not rate is
//! taken only when it is the first one.

mod first;
mod greedy;
pub mod person;
mod random;
mod table;

#[cfg(test)]
mod tests;

pub use first::First;
pub use greedy::Greedy;
pub use random::Random;

pub use maumau_sdk::{Agent, Profile};

use maumau_protocol::message::{Start, Want};
use maumau_sdk::{ServeError, serve_stdio};

/// Every bot with a one-line description.
pub const NAMES: [(&str, &str); 3] = [
    ("random", "any legal action, each card equally likely, following the seed that the arena gives it"),
    ("first", "the first legal action: the quickest bot there is"),
    ("greedy", "sheds dear and attacking cards, keeps cards that fit anything, names its longest suit"),
];

/// Why a bot could not be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no such bot.
    #[error("there is no built-in agent {name:?}")]
    UnknownName {
        /// The requested name.
        name: String,
    },
    /// It could not play.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

impl RunError {
    /// The exit status of a program that ends with this error: 2 for wrong use or input, 3 for the environment.
    pub fn exit_status(&self) -> u8 {
        match self {
            RunError::UnknownName { .. } => 2,
            RunError::Serve(error) => error.exit_status(),
        }
    }
}

fn unknown(name: &str) -> RunError {
    RunError::UnknownName { name: name.to_owned() }
}

/// How the bot `name` introduces itself.
///
/// # Errors
/// There is no such bot.
pub fn profile(name: &str) -> Result<Profile, RunError> {
    let profile = Profile::new(name, env!("CARGO_PKG_VERSION"));
    match name {
        "random" | "first" => Ok(Profile { wants: vec![Want::Legal], ..profile }),
        "greedy" => Ok(profile),
        _ => Err(unknown(name)),
    }
}

/// The bot `name` as the player of the game of `start`, for callers that play without processes.
///
/// # Errors
/// There is no such bot.
pub fn player(name: &str, start: &Start) -> Result<Box<dyn Agent>, RunError> {
    match name {
        "random" => Ok(Box::new(Random::new(start))),
        "first" => Ok(Box::new(First)),
        "greedy" => Ok(Box::new(Greedy::new(start))),
        _ => Err(unknown(name)),
    }
}

/// Plays as the bot `name` on standard input and output until the arena says `bye` or disconnects; `games` is the number of
/// simultaneous games that the process offers to play.
///
/// # Errors
/// There is no such bot, or [`serve_stdio`] failed.
pub fn run(name: &str, games: u32) -> Result<(), RunError> {
    let profile = Profile { games, ..profile(name)? };
    match name {
        "random" => serve_stdio(profile, Random::new)?,
        "first" => serve_stdio(profile, |_| First)?,
        "greedy" => serve_stdio(profile, Greedy::new)?,
        _ => return Err(unknown(name)),
    }
    Ok(())
}
