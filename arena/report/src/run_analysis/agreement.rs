//! How far two efforts agree about the same decisions: what was chosen as best, which decisions were marked, what they lost. It judges
//! nothing.

use serde_json::{Value, json};

use super::{JudgedGame, MeasuredDecision};
use crate::judged_words::rounded;
use crate::tables::Sheet;

/// How far a quick and a deep judgement of the same decisions agree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Agreement {
    /// Decisions that both judged.
    choices: u32,
    /// Those of which both found the same action best.
    same_best: u32,
    /// Those with the same mark, or none, from both.
    same_mark: u32,
    /// Those that the quick one marked.
    quick_marks: u32,
    /// Those that the deep one marked.
    deep_marks: u32,
    /// Those that both marked.
    both_mark: u32,
    /// The absolute differences of their losses in sum.
    difference: f64,
}

impl Agreement {
    /// Compares the decisions of `quick` with those of `deep`, the same games in the same order.
    pub(super) fn of(quick: &[&JudgedGame], deep: &[&JudgedGame]) -> Agreement {
        let mut agreement = Agreement::default();
        for (quick, deep) in quick.iter().zip(deep).filter(|(quick, deep)| quick.digest == deep.digest) {
            // A decision is measured by both or by none, so they stand at the same places.
            for (quick, deep) in quick.decisions.iter().zip(&deep.decisions) {
                agreement.add(quick, deep);
            }
        }
        agreement
    }

    fn add(&mut self, quick: &MeasuredDecision, deep: &MeasuredDecision) {
        let (mark, deep_mark) = (quick.mark(), deep.mark());
        self.choices += 1;
        self.same_best += u32::from(quick.best == deep.best);
        self.same_mark += u32::from(mark == deep_mark);
        self.quick_marks += u32::from(mark.is_some());
        self.deep_marks += u32::from(deep_mark.is_some());
        self.both_mark += u32::from(mark.is_some() && deep_mark.is_some());
        self.difference += (quick.loss - deep.loss).abs();
    }

    fn mean_difference(&self) -> f64 {
        self.difference / f64::from(self.choices.max(1))
    }

    pub(super) fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.text_column("quick and deep").number_column("decisions").number_column("of").number_column("share");
        for (name, count, of) in [
            ("the same best action", self.same_best, self.choices),
            ("the same mark, or none", self.same_mark, self.choices),
            ("marks of quick that deep marks too", self.both_mark, self.quick_marks),
            ("marks of deep that quick marks too", self.both_mark, self.deep_marks),
        ] {
            let share =
                if of > 0 { format!("{:.1} %", 100.0 * f64::from(count) / f64::from(of)) } else { "-".to_owned() };
            sheet.row(vec![name.to_owned(), count.to_string(), of.to_string(), share]);
        }
        sheet
    }

    /// A sentence about what no share says.
    pub(super) fn sentence(&self) -> String {
        format!("Their losses differ by {:.4} on average.", self.mean_difference())
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "choices": self.choices,
            "same_best": self.same_best,
            "same_mark": self.same_mark,
            "quick_marks": self.quick_marks,
            "deep_marks": self.deep_marks,
            "both_mark": self.both_mark,
            "mean_difference": rounded(self.mean_difference()),
        })
    }
}

#[cfg(test)]
mod tests {
    use maumau_protocol::Verb;

    use super::super::judged_games::tests::game;
    use super::*;

    #[test]
    fn decisions_are_compared_one_by_one() {
        let judged = |losses: &[(f64, f64, Verb)]| {
            let mut judged = game(1);
            let like = judged.decisions.remove(0);
            judged.decisions = losses
                .iter()
                .map(|(loss, error, best)| MeasuredDecision {
                    loss: *loss,
                    error: *error,
                    best: Some(best.clone().into()),
                    ..like.clone()
                })
                .collect();
            judged
        };
        let quick = judged(&[(0.3, 0.01, Verb::Draw), (0.3, 0.2, Verb::Draw), (0.07, 0.01, Verb::Pass)]);
        let deep = judged(&[(0.2, 0.001, Verb::Draw), (0.3, 0.01, Verb::Draw), (0.01, 0.01, Verb::Draw)]);
        let found = Agreement::of(&[&quick], &[&deep]);
        let expected = Agreement {
            choices: 3,
            same_best: 2,
            same_mark: 0,
            quick_marks: 2,
            deep_marks: 2,
            both_mark: 1,
            difference: 0.16,
        };
        assert!((found.difference - expected.difference).abs() < 1e-9, "{found:?}");
        // The first is a blunder for one and, two errors less, a mistake for the other.
        assert_eq!(Agreement { difference: 0.16, ..found }, expected);
        assert_eq!(Agreement::of(&[&quick], &[&game(2)]).choices, 0, "it is another game");
    }
}
