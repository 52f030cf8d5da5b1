//! A judge of the decisions in recorded games. For each decision it deals the hidden cards at random, to agree with what the
//! seat knew, tries every legal action in the same deals, lets all seats play on greedily, and compares the action that was
//! taken with the best one. It reads logs, and no files; what its figures look like is decided elsewhere.
//!
//! The numbers of deals are fixed, and their dice follow from the record, so the same record gives the same figures on every
//! machine.

mod judge;
mod kind;
mod loss;
mod mean;
mod sums;

pub use judge::{Effort, GameAnalysis, JudgedAction, JudgedDecision, Judgement, Verdicts, analyse};
pub use kind::{DecisionKind, RoundPart};
pub use loss::{ActionLead, ActionLoss, LossMark};
pub use mean::MeanWithError;
pub use sums::DecisionSums;

#[cfg(test)]
mod tests;
