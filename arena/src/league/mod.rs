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
mod play;
mod play_options;
mod progress;
mod queue;
mod roster;
mod rounds;
mod rule_sets;
mod startable;
mod stop_watch;
#[cfg(feature = "cluster")]
mod unit_play;

pub(crate) use absentees::{Absentee, absentees};
pub(crate) use demo::set_up_demo;
pub(crate) use export::{Which, export, find as find_games};
pub(crate) use given_seed::GivenSeed;
pub(crate) use league_file::{LeagueFile, MAX_LEAGUE_BYTES};
pub(crate) use play::play;
pub(crate) use play_options::PlayOptions;
#[cfg(feature = "cluster")]
pub(crate) use queue::GameQueue;
pub use queue::{Queue, Taken};
pub(crate) use roster::{ChangePolicy, Changed, Roster};
#[cfg(feature = "cluster")]
pub(crate) use rounds::{Rounds, RoundsEnd};
pub(crate) use startable::{ensure_most_can_start, look_up};
#[cfg(feature = "cluster")]
pub(crate) use unit_play::{UnitPlay, play_units};
