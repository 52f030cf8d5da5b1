//! Games without agents for those who train and search: many are stepped per call, and their positions and actions are
//! numbers.
//!
//! [`Encoding`] numbers the actions of a table and writes what a seat may know as a vector, both made from rule data.
//! [`SteppedGame`] steps one game in the order of the referee (`maumau_referee::lockstep`), and [`Batch`] many. A play of
//! several cards is one answer that takes several steps ([`BegunPlay`]). Pure: seeds are arguments.

#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_macros))]

mod actions;
mod batch;
mod begun;
mod dice;
mod discards;
mod encoding;
mod observation;
mod parity;
mod steps;
mod table;

pub use actions::{Actions, IllegalAction, ObservationBlock};
pub use batch::{Batch, BatchOutput, BatchSetup, Opponent, OpponentMaker, RowState, StepError};
pub use begun::{ActionStep, BegunPlay};
pub use dice::Xorshift;
pub use discards::Discards;
pub use encoding::{Encoding, VERSION};
pub use observation::{Element, Observation};
pub use parity::{Judged, judged};
pub use table::{GivenAnswer, SteppedGame};
