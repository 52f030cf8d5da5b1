//! The one form that nearly all lines have, read without detours. It never refuses a line: every other form is left to serde, which
//! reads these lines the same way. The fuzzing targets `agent_line` and `arena_line` compare the two.

mod act;
mod action;
mod ask;

pub(super) use act::read_act;
pub use action::scan_action_into;
pub use ask::QuickAsk;
pub(super) use ask::read_ask;
