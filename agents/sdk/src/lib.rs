//! Everything an agent in Rust needs to play in the arena: write an [`Agent`], pass it to [`run`].
//!
#![doc = concat!("```no_run\n", include_str!("../examples/my_bot.rs"), "```")]
//!
//! One agent object is made for each game, so a process can play many games at once without mixing them up. The crate knows
//! the protocol but not the rules: each legal action already contains the words that they demand.

mod agent;
mod dice;
mod rehearsal;
mod serve;
mod session;
mod table;

#[cfg(test)]
mod tests;

pub use agent::{Agent, Profile, ServeError, first_legal};
pub use dice::Dice;
pub use rehearsal::{RehearsalError, rehearse};
pub use serve::{run, serve, serve_from, serve_stdio};
pub use table::{CardCounter, card_points, deck, fits, next_seat};
