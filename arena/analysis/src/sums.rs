//! Decisions in sums. It counts what was judged and judges nothing.

use crate::judge::{JudgedDecision, Judgement};
use crate::loss::LossMark;
use crate::mean::MeanWithError;

/// Some decisions in sums.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DecisionSums {
    /// All of them.
    pub decisions: u32,
    /// Those without a choice.
    pub forced: u32,
    /// Those that could not be judged.
    pub unknown: u32,
    /// The mean loss of the others, with the error of measuring it; 0 if there are none.
    pub loss: MeanWithError,
    /// How many earned each mark, in the order of [`LossMark::ALL`].
    pub marks: [u32; LossMark::ALL.len()],
    /// Decisions without a mark whose loss seems large enough for one, but has too large an error.
    pub undecided: u32,
}

impl DecisionSums {
    /// Sums up `decisions`.
    pub fn of<'a>(decisions: impl IntoIterator<Item = &'a JudgedDecision>) -> DecisionSums {
        let mut sums = DecisionSums::default();
        let (mut losses, mut squares) = (0.0, 0.0);
        for decision in decisions {
            sums.decisions += 1;
            match &decision.judgement {
                Judgement::Forced => sums.forced += 1,
                Judgement::Unknown => sums.unknown += 1,
                Judgement::Measured(verdicts) => {
                    losses += verdicts.loss.mean;
                    squares += verdicts.loss.error * verdicts.loss.error;
                    match verdicts.mark() {
                        Some(mark) => sums.marks[mark as usize] += 1,
                        None => sums.undecided += u32::from(verdicts.loss.mean >= LossMark::Inaccuracy.threshold()),
                    }
                }
            }
        }
        // Deals of different decisions have nothing to do with one another.
        let measured = f64::from(sums.measured().max(1));
        sums.loss = MeanWithError { mean: losses / measured, error: f64::sqrt(squares) / measured };
        sums
    }

    /// The decisions whose loss was measured.
    pub fn measured(&self) -> u32 {
        self.decisions - self.forced - self.unknown
    }
}
