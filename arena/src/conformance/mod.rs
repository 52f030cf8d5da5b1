//! `maumau check`: takes an agent through everything that the protocol lets an arena do, step by step. It starts the
//! agent's processes and prints the report; the exit code is decided in `cli`.
//!
//! The games are real: a `test_game::TestGame` is a referee with the agent at one seat and random legal answers at the others.
//! The agent's lines are read by the arena's own reader, so a report about a line says what a game would say.

mod agent_under_test;
mod newer;
mod play;
mod puzzles;
mod report;
mod schemas;
mod steps;
mod test_game;

pub(crate) use agent_under_test::{AgentUnderTest, Heard, hello};
pub(crate) use puzzles::solve;
pub(crate) use report::{CHECK_SCHEMA, ConformanceProblem, ConformanceReport};
pub(crate) use steps::{AnswerTimeouts, CheckedTables, check};
