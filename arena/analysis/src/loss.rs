//! What an action lost against the best one, and the mark that this earns. The thresholds stand here; how losses are measured
//! is up to `judge`.

use crate::mean::MeanWithError;

/// What the action taken lost against the best one, as a share of opponents, with its standard error.
pub type ActionLoss = MeanWithError;

/// What the best action was worth more than the next best, likewise.
pub type ActionLead = MeanWithError;

/// Standard errors by which a loss must exceed a threshold to earn the mark.
const DOUBT: f64 = 2.0;

/// How bad a decision was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LossMark {
    /// At least [`LossMark::threshold`] was lost, and so on.
    Inaccuracy,
    /// More.
    Mistake,
    /// Most.
    Blunder,
}

impl LossMark {
    /// All of them, the mildest first.
    pub const ALL: [LossMark; 3] = [LossMark::Inaccuracy, LossMark::Mistake, LossMark::Blunder];

    /// What must be lost at least, as a share of opponents.
    pub const fn threshold(self) -> f64 {
        match self {
            LossMark::Inaccuracy => 0.05,
            LossMark::Mistake => 0.10,
            LossMark::Blunder => 0.20,
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            LossMark::Inaccuracy => "inaccuracy",
            LossMark::Mistake => "mistake",
            LossMark::Blunder => "blunder",
        }
    }

    /// The mark of a decision that lost `loss`: the gravest whose threshold is reached even if the loss is two standard errors
    /// smaller than measured.
    pub fn of(loss: ActionLoss) -> Option<LossMark> {
        let surely = loss.mean - DOUBT * loss.error;
        LossMark::ALL.into_iter().rev().find(|mark| surely >= mark.threshold())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_holds_even_if_the_loss_is_two_standard_errors_smaller() {
        use LossMark::{Blunder, Inaccuracy, Mistake};
        for (mean, error, mark) in [
            (0.0, 0.0, None),
            (-0.3, 0.01, None),
            (0.049, 0.0, None),
            (0.05, 0.0, Some(Inaccuracy)),
            (0.099, 0.0, Some(Inaccuracy)),
            (0.10, 0.0, Some(Mistake)),
            (0.199, 0.0, Some(Mistake)),
            (0.20, 0.0, Some(Blunder)),
            (1.0, 0.0, Some(Blunder)),
            // What an error undoes is unmarked, or marked as what it leaves.
            (0.07, 0.011, None),
            (0.07, 0.009, Some(Inaccuracy)),
            (0.25, 0.03, Some(Mistake)),
            (0.25, 0.02, Some(Blunder)),
            (0.25, 0.08, Some(Inaccuracy)),
            (0.25, 0.11, None),
            (1.0, 0.5, None),
        ] {
            assert_eq!(LossMark::of(ActionLoss { mean, error }), mark, "{mean} ± {error}");
        }
    }
}
