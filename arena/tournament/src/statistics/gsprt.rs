//! The generalised sequential probability ratio test, exact on the counts of a few values: for comparison with the
//! tests of chess engines. Its error rates hold approximately, and for two seats; [`super::sequential`] states its own.
//! It reads counts and knows no agents.

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

/// The cell of two-seat deals of two games that is nearest to `x`: 0, 1/4, 1/2, 3/4 or 1.
pub fn cell(x: f64) -> usize {
    (0..5).min_by(|a, b| distance(x, *a).total_cmp(&distance(x, *b))).unwrap_or(2)
}

fn distance(x: f64, cell: usize) -> f64 {
    (x - cell as f64 / 4.0).abs()
}

/// The mean score that corresponds to a difference of `points` on the rating scale.
pub fn score_of_points(points: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-points * std::f64::consts::LN_10 / 400.0))
}
