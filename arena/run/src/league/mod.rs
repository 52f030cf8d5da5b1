//! Leagues: the file that an organiser writes, and its run. It starts no agent itself: `runner` does.
//!
//! A `LeagueFile` defines what to play, `play` plays the games that the run store does not hold yet, `export` writes their
//! records. `run_store` keeps finished games; `maumau-tournament` decides who plays whom, and what follows from the results.

mod absentees;
mod export;
mod formats;
mod given_seed;
pub mod league_edit;
mod league_file;
mod lending;
mod play;
mod play_options;
mod progress;
mod queue;
mod rerun;
mod roster;
mod rounds;
mod rule_sets;
mod startable;
mod unit_play;

pub use absentees::{Absentee, absentees};
pub use export::{Which, export, find as find_games};
pub use given_seed::GivenSeed;
pub use league_file::{FILE_SCHEMA, LeagueFile, MAX_LEAGUE_BYTES};
pub use lending::{Lender, Lending};
pub use play::play;
pub use play_options::PlayOptions;
pub use queue::GameQueue;
pub use queue::{Queue, Taken};
pub use rerun::{first_difference, rerun};
pub use roster::{ChangePolicy, Changed, Roster};
pub use rounds::{Rounds, RoundsEnd};
pub use startable::{ensure_most_can_start, look_up};
pub use unit_play::{UnitPlay, play_units};
