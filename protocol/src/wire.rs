//! Lines: the only place that reads the lines of agents, and the arena's lines to agents. It reads and writes text, not
//! pipes.
//!
//! `agent` and `arena` read the lines of either side in every form that SPEC §4 allows; `diagnosis` names what is wrong
//! with a line; `quick` reads and writes the one form that nearly all lines have, and leaves every other form to the rest.
//! The fault table of the referee decides which conduct fault a faulty line is.

mod agent;
mod arena;
mod diagnosis;
mod quick;

pub use agent::{read_agent_line, read_agent_line_among, write_act};
pub use arena::read_arena_line;
pub use diagnosis::{LineError, LineProblem};
pub use quick::{QuickAsk, scan_action_into};
