//! `maumau agent`: the built-in bots.

use anyhow::Result;

use super::{Outcome, usage};

// The built-in bots as players in this process, for whoever measures games without pipes.
pub(crate) use maumau_agents::{Agent, player, profile};

/// Run a built-in bot on stdin and stdout, as the arena starts it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  maumau agent greedy\n  maumau play --rules basic --seat 'maumau agent greedy' --seat 'maumau agent random'"
)]
pub(super) struct Arguments {
    /// random, first or greedy
    name: String,
    /// How many games at once the bot offers to play
    #[arg(long, default_value_t = 64)]
    games: u32,
}

pub(super) fn run(arguments: Arguments) -> Result<Outcome> {
    match maumau_agents::run(&arguments.name, arguments.games) {
        Ok(()) => Ok(Outcome::Done),
        Err(error) if error.exit_status() == 2 => Err(usage(error.to_string())),
        Err(error) => Err(error.into()),
    }
}
