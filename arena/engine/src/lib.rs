//! The law of the maumau arena: rule sets as data, and the game they make.
//!
//! Pure: no clock, no files, no processes, no environment and no entropy of its own. Time and seeds are arguments; the
//! lints of the workspace forbid the rest. No code here asks which rule set is played: a [`Rules`] is a combination of
//! small pieces that a rule file states, and [`Game`] carries them out.

#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_macros))]

mod dice;
mod draw_pile;
mod game;
mod hand;
mod random;
mod reuse;
pub mod rules;
mod speech;

pub use dice::ChoiceStream;
pub use draw_pile::drawn_in_turn;
pub use game::{
    DealLeft, Forced, Foreseen, Game, GameProbe, Legal, NextCard, Phase, PlayGround, Position, PositionError,
    PositionPhase, RareActions, Retrace, SeenTake, StandIns, Unseen, Verdict, Witness,
};
pub use hand::Hand;
pub use random::{
    SeedTextError, agent_seed, commitment, deal_seed, game_id, parse_seed, seed_of_number, shuffle_for_deal,
};
pub use rules::{Rules, TableError};

/// The version of the engine, as named in records.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The example of the crate's README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
