//! What an agent in Rust needs to play in the arena: write an [`Agent`], hand it to [`serve_stdio`].
//!
//! ```no_run
//! use maumau_protocol::{Action, message::{Ask, Start}};
//! use maumau_sdk::{Agent, Dice, Profile, Words, serve_stdio};
//!
//! struct MyBot {
//!     words: Words,
//!     dice: Dice,
//! }
//!
//! impl Agent for MyBot {
//!     fn choose(&mut self, ask: &Ask) -> Action {
//!         let action = self.dice.pick(&ask.legal).expect("the arena lists what is legal").clone();
//!         self.words.say_what_must_be_said(ask, action.into())
//!     }
//! }
//!
//! fn main() -> Result<(), maumau_sdk::ServeError> {
//!     serve_stdio(Profile::new("my bot", "1"), |start| MyBot { words: Words::new(start), dice: Dice::new(start) })
//! }
//! ```
//!
//! One agent object is made for each game, so a process can play many games at once without mixing them up. The crate
//! knows the protocol and nothing of the rules.

mod agent;
mod dice;
mod newer;
mod serve;
mod session;
mod words;

#[cfg(test)]
mod tests;

pub use agent::{Agent, Profile, first_legal};
pub use dice::Dice;
pub use serve::{ServeError, serve, serve_stdio};
pub use words::Words;
