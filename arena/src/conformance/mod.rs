//! `maumau check`: an agent taken through everything that the protocol lets an arena do, one step after another.
//!
//! The games are real ones: a `test_game::TestGame` is a referee with the agent at one seat and legal answers by lot at the others.
//! What the agent sends is read by the arena's own reader, so what is said about a line is what a game would say.

mod agent_under_test;
mod newer;
mod play;
mod report;
mod schemas;
mod steps;
mod test_game;

pub(crate) use agent_under_test::{AgentUnderTest, Heard, hello};
pub(crate) use report::{Problem, Report};
pub(crate) use steps::{Patience, check};
