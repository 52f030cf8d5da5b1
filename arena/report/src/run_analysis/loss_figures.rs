//! Measured decisions in sums: how much they lost, and how many of them were marked. It chooses none.

use maumau_analysis::{LossMark, MeanWithError};
use serde_json::{Value, json};

use super::MeasuredDecision;
use crate::judged_words::rounded;

/// Some decisions with a choice, in sums.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LossFigures {
    /// How many.
    pub(super) choices: u32,
    /// What they lost together.
    pub(super) loss: f64,
    squares: f64,
    /// How many earned each mark, in the order of [`LossMark::ALL`].
    pub(super) marks: [u32; LossMark::ALL.len()],
    /// Those without a mark whose loss seems large enough for one.
    pub(super) undecided: u32,
}

impl LossFigures {
    pub(super) fn of<'a>(decisions: impl Iterator<Item = &'a MeasuredDecision>) -> LossFigures {
        let mut figures = LossFigures::default();
        for decision in decisions {
            figures.choices += 1;
            figures.loss += decision.loss;
            figures.squares += decision.loss * decision.loss;
            match decision.mark() {
                Some(mark) => figures.marks[mark as usize] += 1,
                None => figures.undecided += u32::from(decision.loss >= LossMark::Inaccuracy.threshold()),
            }
        }
        figures
    }

    /// The mean loss, with its standard error as the mean of a sample of decisions.
    pub(super) fn mean(&self) -> MeanWithError {
        let count = f64::from(self.choices.max(1));
        let mean = self.loss / count;
        let variance = (self.squares / count - mean * mean).max(0.0);
        MeanWithError { mean: mean + 0.0, error: (variance / (count - 1.0).max(1.0)).sqrt() }
    }

    pub(super) fn json(&self, name: &str) -> Value {
        let MeanWithError { mean, error } = self.mean();
        json!({
            "name": name,
            "choices": self.choices,
            "loss": rounded(self.loss),
            "mean_loss": rounded(mean),
            "error": rounded(error),
            "inaccuracies": self.marks[LossMark::Inaccuracy as usize],
            "mistakes": self.marks[LossMark::Mistake as usize],
            "blunders": self.marks[LossMark::Blunder as usize],
            "undecided": self.undecided,
        })
    }
}
