//! Joint ratings of all agents from all games: Bradley-Terry by paired comparisons inside games, as a quasi-likelihood.
//! It keeps comparisons, not games, and orders no table.
//!
//! Every two seats of a game are compared: 1 for being ahead, 1/2 for a tie, with weight 1/(seats - 1). So an agent's rating
//! depends on its results only through its score at the tables, ties need no parameter, and tables of any size can be combined.
//! A prior of one drawn game against a rating of 0 keeps perfect records finite.
//!
//! Errors are by deal, since games of one deal are not independent: the sandwich estimator in its leave-one-deal-out form CR3
//! (Bell and McCaffrey, Survey Methodology 28, 2002), with Student's quantile for the agent's deals. Nearly perfect records
//! have hardly any variance to observe, so there is a floor under it; for a perfect record only one end is known.

mod deals;
mod fit;

use deals::{Record, parts};
use fit::{covariance, fit};
use serde::{Deserialize, Serialize};

use super::Interval;
use super::matrix::Matrix;
use super::student::quantile_975;
use super::student::two_sided_p;

pub use deals::{Bound, Deals, RatedGames};
pub(super) use fit::sigma;

/// Points of the rating scale per unit of the logistic scale: 400 points are odds of 10 to 1.
pub const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// The options of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingOptions {
    /// The rating of the mean of the pool, or of the anchor.
    pub base: f64,
    /// An agent whose rating is fixed at `base`.
    pub anchor: Option<usize>,
    /// Drawn games added for each agent, against a rating of 0.
    pub prior: f64,
}

impl Default for RatingOptions {
    fn default() -> RatingOptions {
        RatingOptions { base: 1500.0, anchor: None, prior: 1.0 }
    }
}

/// The rating of one agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// On the logistic scale, centred by the prior.
    pub logit: f64,
    /// On the rating scale.
    pub rating: f64,
    /// Its standard error; absent with fewer than two deals in all.
    pub std_error: Option<f64>,
    /// The 95 % interval.
    pub interval: Option<Interval>,
    /// Deals that the agent played.
    pub deals: u64,
    /// The mean of its expected scores against each of the others.
    pub expected_score: f64,
    /// True if only one end of the interval is known.
    pub bound: Option<Bound>,
    /// The best and the worst rank that the games do not rule out, at 5 % over all pairs (Holm).
    pub ranks: (usize, usize),
}

/// Joint ratings.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By agent.
    pub agents: Vec<Rating>,
    /// All pairs of agents in the same part, in order.
    pub pairs: Vec<Pair>,
    /// Parts of the pool between which no game was played, each with its agents in order. Ratings of different parts cannot be
    /// compared.
    pub parts: Vec<Vec<usize>>,
}

/// The difference of two ratings, in points of the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The first rating minus the second.
    pub points: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// The two-sided probability of a difference this large between equals.
    pub p: f64,
}

impl Ratings {
    /// How far agent `one` is rated above agent `other`; `None` if no chain of games leads from one to the other, or there are
    /// fewer than two deals.
    pub fn difference(&self, one: usize, other: usize) -> Option<Difference> {
        let (first, sign) = if one < other { ((one, other), 1.0) } else { ((other, one), -1.0) };
        let pair = self.pairs.iter().find(|pair| pair.agents == first)?;
        let deals = self.agents[one].deals.min(self.agents[other].deals);
        if deals < 2 {
            return None;
        }
        let (points, reach) = (sign * pair.difference * POINTS, quantile_975(freedom(deals)) * pair.std_error * POINTS);
        Some(Difference { points, interval: Interval { low: points - reach, high: points + reach }, p: pair.p })
    }

    /// The best and the worst rank that the games do not rule out among the agents that `count`, at 5 % over all pairs of them (Holm);
    /// `None` for the others.
    pub fn ranks_among(&self, count: impl Fn(usize) -> bool) -> Vec<Option<(usize, usize)>> {
        let counts: Vec<bool> = (0..self.agents.len()).map(count).collect();
        let pairs: Vec<Pair> =
            self.pairs.iter().filter(|pair| counts[pair.agents.0] && counts[pair.agents.1]).copied().collect();
        let rated = counts.iter().filter(|counts| **counts).count();
        let all = ranks(self.agents.len(), rated.max(1), &pairs);
        counts.into_iter().zip(all).map(|(counts, ranks)| counts.then_some(ranks)).collect()
    }

    /// How many pairs of the agents that `count` are distinguished: by Holm's procedure, at 5 % over all pairs.
    pub fn decided(&self, count: impl Fn(usize) -> bool) -> usize {
        decided(&self.pairs).filter(|pair| count(pair.agents.0) && count(pair.agents.1)).count()
    }
}

/// The ratings of all agents. The same games in any order give the same bits.
pub fn rate(games: &RatedGames, options: &RatingOptions) -> Ratings {
    rate_deals(&Deals::of(games), options)
}

/// The logits that fit the deals best, and their errors: what rounds follow from. [`Ratings`] say more of them, and take longer.
pub(crate) struct FittedLogits {
    /// By agent.
    pub(crate) logits: Vec<f64>,
    variance: Matrix,
    records: Vec<Record>,
    parts: Vec<Vec<usize>>,
    /// By agent, the number of its part.
    part: Vec<usize>,
}

impl FittedLogits {
    pub(crate) fn of(deals: &Deals, prior: f64) -> FittedLogits {
        let totals = deals.totals();
        let count = deals.agents();
        let (logits, inverse) = fit(count, &totals, prior);
        let mut variance = covariance(deals, &logits, &inverse);
        let records = deals.records();
        for (agent, record) in records.iter().enumerate() {
            if let Some(floor) = record.variance_floor() {
                let own = variance.at(agent, agent);
                variance.add(agent, agent, own.max(floor) - own);
            }
        }
        let parts = parts(count, &totals);
        let mut part = vec![0; count];
        for (number, agents) in parts.iter().enumerate() {
            agents.iter().for_each(|agent| part[*agent] = number);
        }
        FittedLogits { logits, variance, records, parts, part }
    }

    /// How many deals an agent has played.
    pub(crate) fn deals(&self, agent: usize) -> u64 {
        self.records[agent].deals
    }

    /// The first agent's logit minus the second one's, and its standard error; `None` if they never met, even through others.
    pub(crate) fn difference(&self, first: usize, second: usize) -> Option<(f64, f64)> {
        (self.part[first] == self.part[second]).then(|| {
            let variance = &self.variance;
            let square = variance.at(first, first) + variance.at(second, second) - 2.0 * variance.at(first, second);
            (self.logits[first] - self.logits[second], square.max(0.0).sqrt())
        })
    }

    /// All pairs of agents in the same part, in order.
    fn pairs(&self, misfits: &[Option<f64>]) -> Vec<Pair> {
        let of_part = self.parts.iter().flat_map(|part| {
            part.iter().enumerate().flat_map(|(place, first)| part[place + 1..].iter().map(|second| (*first, *second)))
        });
        let compared = of_part.filter_map(|(first, second)| {
            let (difference, std_error) = self.difference(first, second)?;
            let p = match std_error {
                0.0 => f64::from(u8::from(difference == 0.0)),
                error => two_sided_p(difference / error, freedom(self.deals(first).min(self.deals(second)))),
            };
            let misfit = misfits[first * self.logits.len() + second];
            Some(Pair { agents: (first, second), difference, std_error, p, misfit })
        });
        let mut pairs: Vec<Pair> = compared.collect();
        pairs.sort_by_key(|pair| pair.agents);
        pairs
    }
}

/// The ratings of all agents from deals that are summed up already.
pub fn rate_deals(deals: &Deals, options: &RatingOptions) -> Ratings {
    let count = deals.agents();
    let fitted = FittedLogits::of(deals, options.prior);
    let pairs = fitted.pairs(&misfits(deals, &fitted.logits));
    let FittedLogits { logits, variance, records, parts, .. } = fitted;
    let rated = records.iter().filter(|record| record.deals > 0).count();
    let ranks = ranks(count, rated.max(1), &pairs);
    let errors = rating_errors(&variance, options.anchor);
    let reference = match options.anchor {
        Some(anchor) => logits[anchor],
        None => logits.iter().sum::<f64>() / count as f64,
    };
    let agents = (0..count).map(|agent| {
        let rating = options.base + POINTS * (logits[agent] - reference);
        let std_error = (deals.count() > 1).then(|| POINTS * errors[agent]);
        let others = (0..count).filter(|other| *other != agent).map(|other| sigma(logits[agent] - logits[other]));
        Rating {
            logit: logits[agent],
            rating,
            std_error,
            interval: std_error.map(|error| {
                let reach = quantile_975(freedom(records[agent].deals)) * error;
                Interval { low: rating - reach, high: rating + reach }
            }),
            deals: records[agent].deals,
            expected_score: others.sum::<f64>() / (count.max(2) - 1) as f64,
            bound: records[agent].bound(),
            ranks: ranks[agent],
        }
    });
    Ratings { agents: agents.collect(), pairs, parts }
}

/// Standard errors of each logit minus that of the reference.
fn rating_errors(variance: &Matrix, anchor: Option<usize>) -> Vec<f64> {
    let size = variance.size;
    let of_agent = |agent: usize| variance.at(agent, agent);
    let errors: Vec<f64> = match anchor {
        Some(anchor) => {
            let against = |agent| of_agent(agent) + of_agent(anchor) - 2.0 * variance.at(agent, anchor);
            (0..size).map(against).collect()
        }
        None => {
            let sums: Vec<f64> = (0..size).map(|row| variance.row(row).iter().sum()).collect();
            let (count, all) = (size as f64, sums.iter().sum::<f64>());
            (0..size).map(|agent| of_agent(agent) - 2.0 * sums[agent] / count + all / (count * count)).collect()
        }
    };
    errors.into_iter().map(|variance| variance.max(0.0).sqrt()).collect()
}

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

/// The pairs that Holm's procedure distinguishes at 5 % over all pairs.
fn decided(pairs: &[Pair]) -> impl Iterator<Item = &Pair> {
    let mut by_p: Vec<&Pair> = pairs.iter().collect();
    by_p.sort_by(|a, b| a.p.total_cmp(&b.p).then(a.agents.cmp(&b.agents)));
    let differs = |(place, pair): &(usize, &Pair)| pair.p <= 0.05 / (pairs.len() - place) as f64;
    by_p.into_iter().enumerate().take_while(differs).map(|(_, pair)| pair)
}

/// The ranks that Holm's procedure leaves for each agent among those that are `rated`, at 5 % over all pairs.
fn ranks(agents: usize, rated: usize, pairs: &[Pair]) -> Vec<(usize, usize)> {
    let mut ranks = vec![(1, rated); agents];
    for pair in decided(pairs) {
        let (better, worse) = if pair.difference > 0.0 { pair.agents } else { (pair.agents.1, pair.agents.0) };
        ranks[better].1 -= 1;
        ranks[worse].0 += 1;
    }
    ranks
}

/// By pair (the first agent's number times the pool's size plus the second's): how far the model is from their games.
fn misfits(deals: &Deals, logits: &[f64]) -> Vec<Option<f64>> {
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
fn freedom(deals: u64) -> u64 {
    deals.saturating_sub(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_among_some_leave_the_others_out() {
        let mut games = RatedGames::new(4);
        // Each beats those after it in nine deals of ten.
        for deal in 0..400_u64 {
            for (one, other) in [(0, 1), (1, 2), (2, 3), (0, 3)] {
                let places = if deal % 10 == 0 { [2, 1] } else { [1, 2] };
                games.add(deal * 4 + one as u64, [(one, places[0]), (other, places[1])]);
            }
        }
        let ratings = rate(&games, &RatingOptions::default());
        let own: Vec<Option<(usize, usize)>> = ratings.agents.iter().map(|rating| Some(rating.ranks)).collect();
        assert_eq!(ratings.ranks_among(|_| true), own);
        assert_eq!(own, [1, 2, 3, 4].map(|rank| Some((rank, rank))));
        let without = ratings.ranks_among(|agent| agent != 1);
        assert_eq!(without, [Some((1, 1)), None, Some((2, 2)), Some((3, 3))]);
        assert_eq!(ratings.ranks_among(|_| false), [None; 4]);
    }
}
