//! The fault table (SPEC §6): which fault something is, whom it is charged to, what it costs, what happens to the ask, what is
//! counted, and the words for the author of the agent.
//!
//! Everything here is a value or a pure function; the referee, the connections, the reports and the commands carry the values
//! and decide nothing of their own. What a rule fault costs in cards is the rule set's business and is carried out by the
//! engine. Tests compare the tables with those of SPEC.

mod act_ruling;
mod charge;
mod conduct;
mod flood;
mod misconduct;
mod refusal;
#[cfg(test)]
mod tests;

pub use act_ruling::{ActRuling, IdState, rule_act};
pub use charge::{Candidate, charged};
pub use conduct::{ConductRow, Consequence, FoundAt, sentence};
pub use flood::{ByteCount, Flood, LineCount};
pub use misconduct::Misconduct;
pub(crate) use refusal::rule_faults;
pub use refusal::{Cost, Refusal, refusal};
