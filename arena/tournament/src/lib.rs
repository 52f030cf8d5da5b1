//! Tournaments of the maumau arena: who plays whom on which deal, and what follows from the results.
//!
//! A [`League`] is what an organiser writes; [`Plan`] is the checked league and gives every known game of it by number; a
//! [`Scheduler`] adds rounds to it from the results of those before. A [`Tally`] takes the finished games in any order and gives [`Standings`] that are the same to the last bit for the
//! same games. How games are played, stored and shown is not known here.
//!
//! Pure: no clock, no files, no processes, no environment, no entropy. The `clippy.toml` of the workspace forbids them.

mod agent_id;
mod combinations;
mod cyclic_order;
mod format;
mod game_bounds;
mod group_order;
mod league;
mod plan;
mod planned_game;
pub mod power;
mod rounding;
mod rounds;
pub mod schedule;
mod scheduler;
mod score;
mod standings;
pub mod statistics;
mod tally;

pub use agent_id::AgentId;
pub use format::{Allocation, DecisionRule, Format, Method, RankedBy, StopRules};
pub use game_bounds::GameBounds;
pub use league::{League, LeagueProblem, LeagueProblems, MAX_AGENTS, MAX_GAMES, MAX_RULE_SETS};
pub use plan::{ForeignRound, Plan};
pub use planned_game::{DealId, Lane, PlannedGame};
pub use rounding::{fixed, rounded};
pub use rounds::{Round, Table};
pub use scheduler::{
    AtTable, HeatOutcome, MatchState, NextRound, PairsInDoubt, Placed, PlacedBy, RoundMismatch, RoundResult, RunEnding,
    Scheduler, TableResult, TournamentResult,
};
pub use score::{PlacesError, game_scores};
pub use standings::{Encounter, Row, Standings};
pub use statistics::Interval;
pub use tally::{Finished, RowError, Sums, Tally};
