//! `maumau agent`: the built-in bots. It only passes the name on: `maumau-agents` plays.

use anyhow::Result;

use crate::error::{Outcome, usage};
use crate::pages::web_agent;

use maumau_agents::{NAMES, RunError};
use maumau_engine::rules::suggestion;

/// Run a built-in bot on stdin and stdout, as the arena starts it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau agent greedy
  maumau play --seat 'maumau agent greedy' --seat 'maumau agent random'

The agent web plays for a person on a page; `maumau play --serve --seat web` starts it.")]
pub struct Arguments {
    /// random, first or greedy; or web
    name: String,
    /// How many games at once the bot offers to play
    #[arg(long, default_value_t = 64)]
    games: u32,
}

/// Plays until stdin ends.
///
/// # Errors
/// No built-in bot has the name, or stdin or stdout fail.
pub fn run(arguments: Arguments) -> Result<Outcome> {
    if arguments.name == web_agent::NAME {
        return web_agent::play().map(|()| Outcome::Done);
    }
    match maumau_agents::run(&arguments.name, arguments.games) {
        Ok(()) => Ok(Outcome::Done),
        Err(error @ RunError::UnknownName { .. }) => Err(usage(unknown(&error, &arguments.name))),
        Err(error) if error.exit_status() == 2 => Err(usage(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// What is told of a name that no built-in bot has, in one line: it may be the last one that a bot says.
pub(super) fn unknown(error: &RunError, name: &str) -> String {
    format!("{error}{}", suggestion(name, NAMES.map(|(name, _)| name)))
}
