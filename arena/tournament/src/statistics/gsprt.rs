//! The generalised sequential probability ratio test, exact on the counts of the values that occur: for comparison with the
//! tests of chess engines. Its error rates hold approximately; [`super::sequential`] states its own.
//! It reads counts and knows no agents.

use std::collections::BTreeMap;

/// The count that is assumed for a value that never occurred.
const NEVER: f64 = 0.001;

/// The logarithm of the likelihood ratio of mean `mu1` against mean `mu0`, from the values and their counts.
pub fn log_likelihood_ratio(counts: &[(f64, f64)], mu0: f64, mu1: f64) -> f64 {
    let counts: Vec<(f64, f64)> =
        counts.iter().map(|(value, count)| (*value, if *count > 0.0 { *count } else { NEVER })).collect();
    let total: f64 = counts.iter().map(|(_, count)| count).sum();
    let tilts = [mu0, mu1].map(|mean| tilt(&counts, total, mean));
    let part = |(value, count): &(f64, f64)| {
        let weight = |mean, tilt| 1.0 + tilt * (value - mean);
        count * (libm::log(weight(mu0, tilts[0])) - libm::log(weight(mu1, tilts[1])))
    };
    counts.iter().map(part).sum()
}

/// The `θ` for which `p / (1 + θ (value - mean))` is the most likely distribution with that mean, by bisection.
fn tilt(counts: &[(f64, f64)], total: f64, mean: f64) -> f64 {
    let least = counts.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min);
    let most = counts.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / (most - mean), 1.0 / (mean - least));
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        let slope: f64 =
            counts.iter().map(|(value, count)| count / total * (value - mean) / (1.0 + middle * (value - mean))).sum();
        if slope > 0.0 { low = middle } else { high = middle }
    }
}

/// The bounds between which the test continues: below the first "not better", above the second "better".
pub fn bounds(alpha: f64, beta: f64) -> (f64, f64) {
    (libm::log(beta / (1.0 - alpha)), libm::log((1.0 - beta) / alpha))
}

/// The shares of deals so far, counted by value.
///
/// Where all shares are quarters, as those of two-seat deals of two games are, the cells are the five quarters of the tests of
/// chess engines. Otherwise they are the values that have occurred, and 0 and 1, so that every mean lies between two of them.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// By value in units of [`SAME`]: the value as it first occurred, and its count.
    counts: BTreeMap<u64, (f64, u64)>,
}

/// Values closer than this are one: a mean over rule sets is rounded.
const SAME: f64 = 1e-9;

impl Cells {
    /// Counts the share of a deal, from 0 to 1.
    pub fn take(&mut self, share: f64) {
        self.counts.entry(place(share)).or_insert((share, 0)).1 += 1;
    }

    /// The values and their counts, for [`log_likelihood_ratio`].
    pub fn counts(&self) -> Vec<(f64, f64)> {
        let is_quarter = |place_of: &u64| QUARTERS.iter().any(|quarter| place(*quarter) == *place_of);
        let always = if self.counts.keys().all(is_quarter) { &QUARTERS[..] } else { &[0.0, 1.0] };
        let mut counts = self.counts.clone();
        for value in always {
            counts.entry(place(*value)).or_insert((*value, 0));
        }
        counts.into_values().map(|(value, count)| (value, count as f64)).collect()
    }
}

const QUARTERS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn place(share: f64) -> u64 {
    (share / SAME).round() as u64
}

/// The mean score that corresponds to a difference of `points` on the rating scale.
pub fn score_of_points(points: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-points * std::f64::consts::LN_10 / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shares: &[f64], expected: &[(f64, f64)]) {
        let mut cells = Cells::default();
        shares.iter().for_each(|share| cells.take(*share));
        assert_eq!(cells.counts(), expected, "{shares:?}");
    }

    #[test]
    fn cells_are_the_values_that_occur_and_quarters_where_nothing_else_does() {
        check(&[], &[(0.0, 0.0), (0.25, 0.0), (0.5, 0.0), (0.75, 0.0), (1.0, 0.0)]);
        check(&[0.5, 0.75, 0.5], &[(0.0, 0.0), (0.25, 0.0), (0.5, 2.0), (0.75, 1.0), (1.0, 0.0)]);
        check(&[0.375, 0.5, 1.0, 0.375], &[(0.0, 0.0), (0.375, 2.0), (0.5, 1.0), (1.0, 1.0)]);
        // The mean of a third and two thirds over two rule sets is a half, whatever its last bit.
        check(&[0.1, (1.0 / 3.0 + 2.0 / 3.0) / 2.0, 0.5 + 1e-16], &[(0.0, 0.0), (0.1, 1.0), (0.5, 2.0), (1.0, 0.0)]);
    }
}
