//! Agents compared in pairs, and the ranks that the pairs leave possible. Knows logits and their covariance, however they were
//! found.

use super::deals::{Deals, Record};
use super::fit::sigma;
use crate::statistics::matrix::Matrix;
use crate::statistics::student::two_sided_p;

/// Two agents compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The agents, the smaller number first.
    pub agents: (usize, usize),
    /// The first one's rating minus the second one's, in logits.
    pub difference: f64,
    /// Its standard error.
    pub std_error: f64,
    /// The two-sided probability of a difference this large between equals.
    pub p: f64,
    /// How far the model is from their games, in standard errors of the deals' residuals; absent if they have not met.
    pub misfit: Option<f64>,
}

/// All pairs of agents in the same part, in order.
pub(super) fn pairs(
    parts: &[Vec<usize>],
    logits: &[f64],
    variance: &Matrix,
    records: &[Record],
    misfits: &[Option<f64>],
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for part in parts {
        for (place, first) in part.iter().enumerate() {
            for second in &part[place + 1..] {
                let difference = logits[*first] - logits[*second];
                let square =
                    variance.at(*first, *first) + variance.at(*second, *second) - 2.0 * variance.at(*first, *second);
                let std_error = square.max(0.0).sqrt();
                let p = match std_error {
                    0.0 => f64::from(u8::from(difference == 0.0)),
                    error => {
                        two_sided_p(difference / error, freedom(records[*first].deals.min(records[*second].deals)))
                    }
                };
                let misfit = misfits[first * logits.len() + second];
                pairs.push(Pair { agents: (*first, *second), difference, std_error, p, misfit });
            }
        }
    }
    pairs.sort_by_key(|pair| pair.agents);
    pairs
}

/// The pairs that Holm's procedure tells apart at 5 % over all pairs.
pub(super) fn decided(pairs: &[Pair]) -> impl Iterator<Item = &Pair> {
    let mut by_p: Vec<&Pair> = pairs.iter().collect();
    by_p.sort_by(|a, b| a.p.total_cmp(&b.p).then(a.agents.cmp(&b.agents)));
    let told_apart = |(place, pair): &(usize, &Pair)| pair.p <= 0.05 / (pairs.len() - place) as f64;
    by_p.into_iter().enumerate().take_while(told_apart).map(|(_, pair)| pair)
}

/// The ranks that Holm's procedure leaves for each agent among those that are `rated`, at 5 % over all pairs.
pub(super) fn ranks(agents: usize, rated: usize, pairs: &[Pair]) -> Vec<(usize, usize)> {
    let mut ranks = vec![(1, rated); agents];
    for pair in decided(pairs) {
        let (better, worse) = if pair.difference > 0.0 { pair.agents } else { (pair.agents.1, pair.agents.0) };
        ranks[better].1 -= 1;
        ranks[worse].0 += 1;
    }
    ranks
}

/// By pair (the first agent's number times the pool's size plus the second's): how far the model is from their games.
pub(super) fn misfits(deals: &Deals, logits: &[f64]) -> Vec<Option<f64>> {
    let agents = deals.agents();
    let mut sums = vec![(0.0, 0.0_f64); agents * agents];
    for kind in deals.kinds() {
        for (one, square) in kind.comparisons.iter().zip(kind.squares()) {
            let p = sigma(logits[one.first] - logits[one.second]);
            let expected = one.weight / kind.deals as f64 * p;
            let (sum, squares) = &mut sums[one.first * agents + one.second];
            *sum += one.score - one.weight * p;
            // The sum of the squared residuals.
            *squares += square - 2.0 * expected * one.score + kind.deals as f64 * expected * expected;
        }
    }
    sums.into_iter().map(|(sum, squares)| (squares > 0.0).then(|| sum / squares.sqrt())).collect()
}

/// The degrees of freedom of Student's distribution for an agent of `deals` deals.
pub(super) fn freedom(deals: u64) -> u64 {
    deals.saturating_sub(1).max(1)
}
