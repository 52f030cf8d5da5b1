//! `maumau check`: an agent taken through everything that the protocol lets an arena do, one step after another.
//!
//! The games are real ones: a `table::Table` is a referee with the agent at one seat and legal answers by lot at the others.
//! What the agent sends is read by the arena's own reader, so what is said about a line is what a game would say.

mod newer;
mod peer;
mod play;
mod report;
mod schemas;
mod steps;
mod table;

pub(crate) use peer::{Heard, Peer, hello};
pub(crate) use report::{Problem, Report};
pub(crate) use steps::{Patience, check};
