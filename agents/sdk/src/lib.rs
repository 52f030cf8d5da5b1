//! What an agent in Rust needs to play in the arena: write an [`Agent`], hand it to [`serve_stdio`].
//!
//! ```no_run
//! use maumau_protocol::{Action, message::{Ask, Start}};
//! use maumau_sdk::{Agent, Dice, Profile, serve_stdio};
//!
//! struct MyBot {
//!     dice: Dice,
//! }
//!
//! impl Agent for MyBot {
//!     fn choose(&mut self, ask: &Ask) -> Action {
//!         self.dice.pick(&ask.legal).expect("the arena lists what is legal").clone()
//!     }
//! }
//!
//! fn main() -> Result<(), maumau_sdk::ServeError> {
//!     serve_stdio(Profile::new("my bot", "1"), |start| MyBot { dice: Dice::new(start) })
//! }
//! ```
//!
//! One agent object is made for each game, so a process can play many games at once without mixing them up. The crate
//! knows the protocol and nothing of the rules: what they want said stands in each legal action already.

mod agent;
mod dice;
mod newer;
mod serve;
mod session;

#[cfg(test)]
mod tests;

pub use agent::{Agent, Profile, first_legal};
pub use dice::Dice;
pub use serve::{ServeError, serve, serve_stdio};
