//! Leagues: the file that an organiser writes, and its run. It starts no agent itself: `runner` does.
//!
//! A `LeagueFile` defines what to play, `play` plays the games that the run store does not hold yet, `export` writes their
//! records. `run_store` keeps finished games; `maumau-tournament` decides who plays whom, and what follows from the results.

mod absentees;
mod demo;
mod export;
mod formats;
mod given_seed;
pub(crate) mod league_edit;
mod league_file;
mod pace;
#[cfg(feature = "cluster")]
mod piecework;
mod play;
mod progress;
mod queue;
mod roster;
mod rounds;
mod rule_sets;
mod startable;
mod stop_watch;

pub(crate) use absentees::{Absentee, absentees};
pub(crate) use demo::set_up_demo;
pub(crate) use export::{Which, export, find as find_games};
pub(crate) use given_seed::GivenSeed;
pub(crate) use league_file::{LeagueFile, MAX_LEAGUE_BYTES};
pub(crate) use pace::Pace;
#[cfg(feature = "cluster")]
pub(crate) use piecework::{Piecework, play_pieces};
pub(crate) use play::play;
#[cfg(feature = "cluster")]
pub(crate) use queue::GameQueue;
pub use queue::{Queue, Taken};
pub(crate) use roster::{Changed, Roster, Wishes};
#[cfg(feature = "cluster")]
pub(crate) use rounds::{End, Rounds};
pub(crate) use startable::{ensure_most_can_start, look_up};
