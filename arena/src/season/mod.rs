//! Tournaments: league files, run files, the loop between them.
//!
//! A run is one file. A [`LeagueFile`] says what is to be played; [`RunWriter`] keeps the finished games; [`play()`] plays
//! what is missing; [`RunFile`] gives them back to tables and exports. Who plays whom, and what follows from the results,
//! is `maumau-tournament`'s part.

mod absentees;
mod demo;
mod export;
mod game_code;
mod league_file;
mod lock;
mod outcome_code;
mod play;
mod problems;
mod progress;
mod queue;
mod recorder;
mod run_file;
mod settings;
mod store;
mod times;

pub(crate) use absentees::{Absentee, absentees};
pub(crate) use demo::set_up_demo;
pub(crate) use export::{Which, export};
pub(crate) use league_file::LeagueFile;
pub(crate) use play::{Pace, play};
pub(crate) use queue::Queue;
pub(crate) use recorder::commit;
pub(crate) use run_file::{RunFile, RunWriter, Wanted, is_run_file};
pub(crate) use settings::{AgentSettings, LeagueSettings, Season, Settings};
pub(crate) use store::{RunStore, SeatTimes, StoredGame};
pub(crate) use times::TimeTotals;
