//! Leagues: the file that an organiser writes, and the run of it.
//!
//! A `LeagueFile` says what is to be played, `play` plays the games that the run store does not hold yet, `export` writes
//! their records. Where finished games are kept is `run_store`'s part; who plays whom, and what follows from the results, is
//! `maumau-tournament`'s.

mod absentees;
mod demo;
mod export;
mod league_file;
mod pace;
mod play;
mod problems;
mod progress;
mod queue;

pub(crate) use absentees::{Absentee, absentees};
pub(crate) use demo::set_up_demo;
pub(crate) use export::{Which, export};
pub(crate) use league_file::LeagueFile;
pub(crate) use pace::Pace;
pub(crate) use play::play;
pub use queue::Queue;
