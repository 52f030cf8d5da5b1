//! Scores with intervals, and the match test, as the tournament computes them.

use maumau_tournament::statistics::DealSums;
use maumau_tournament::statistics::sequential::{MatchProgress, MatchTest as Test};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Mean and 95 % interval of scores from 0 to 1, by deal: each entry holds the scores of the games of one deal, each a
/// multiple of 1 / `units`.
#[pyfunction]
pub(crate) fn estimate(deals: Vec<Vec<f64>>, units: u16) -> PyResult<(f64, Option<(f64, f64)>)> {
    let mut sums = DealSums::default();
    for deal in &deals {
        if let Some(score) = deal.iter().find(|score| !(0.0..=1.0).contains(*score)) {
            return Err(PyValueError::new_err(format!("a score is from 0 to 1, found {score}")));
        }
        let units = deal.iter().map(|score| (score * f64::from(units)).round() as u64).sum();
        sums.add(deal.len() as u64, units);
    }
    let estimate =
        sums.estimate(units.max(1).into()).ok_or_else(|| PyValueError::new_err("there is no game to estimate from"))?;
    Ok((estimate.mean, estimate.interval.map(|interval| (interval.low, interval.high))))
}

/// A test of whether one side is better, which may be looked at after every deal.
#[pyclass(module = "maumau._native")]
pub(crate) struct MatchTest(MatchProgress);

#[pymethods]
impl MatchTest {
    #[new]
    #[pyo3(signature = (mu0=0.5, mu1=0.55, alpha=0.05, beta=0.05))]
    fn new(mu0: f64, mu1: f64, alpha: f64, beta: f64) -> PyResult<MatchTest> {
        let inside = |value: f64| value > 0.0 && value < 1.0;
        if !(inside(mu0) && inside(mu1) && mu0 < mu1 && inside(alpha) && inside(beta)) {
            return Err(PyValueError::new_err(
                "a match test needs mu0 < mu1, and mu0, mu1, alpha and beta between 0 and 1",
            ));
        }
        Ok(MatchTest(MatchProgress::new(Test { mu0, mu1, alpha, beta })))
    }

    /// Takes the share of comparisons of the next deal that the challenger won, from 0 to 1.
    fn take(&mut self, share: f64) -> PyResult<()> {
        if !(0.0..=1.0).contains(&share) {
            return Err(PyValueError::new_err(format!("a share is from 0 to 1, found {share}")));
        }
        self.0.take(share);
        Ok(())
    }

    /// "better", "not better", or nothing yet; and the deals before the decision.
    fn decision(&self) -> Option<(&'static str, u64)> {
        self.0.decision.map(|(verdict, deals)| (verdict.name(), deals))
    }
}
