//! The one form that nearly all lines have, read and written without detours. It never refuses a line: what it does not
//! know is left to serde.
//!
//! serde reads the lines read here the same way, and writes the same lines as this module; every other form is left to
//! serde. The fuzzing target `agent_line` compares the two.

mod act;
mod action;
mod ask;

pub(super) use act::read_act;
pub use action::{scan_action_into, write_action};
pub use ask::QuickAsk;
pub(super) use ask::read_ask;
