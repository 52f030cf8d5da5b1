//! The one form in which nearly all lines come, read and written without detours.
//!
//! What is read here is read the same way by serde, and what is written here is what serde writes; every other form is left
//! to serde. The fuzzing target `agent_line` compares the two.

mod act;
mod action;
mod ask;

pub(super) use act::read_act;
pub use action::{scan_action_into, write_action};
pub use ask::QuickAsk;
pub(super) use ask::read_ask;
