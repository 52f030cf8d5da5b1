//! Simulated matches: how often the match test errs, and how many deals it takes against the ratio test of chess programs with the same
//! errors. Deals are drawn with known means; no game is played.

use maumau_engine::ChoiceStream;
use maumau_run::io::progress::ProgressLine;
use maumau_tournament::statistics::gsprt;
use maumau_tournament::statistics::sequential::{MatchProgress, MatchTest, MatchVerdict};

/// What a deal may show: the cells of two seats in two games.
const VALUES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The errors that are asked for.
const ERROR: f64 = 0.05;

/// Matches without a decision after so many deals are given up, and counted as errors.
const MOST_DEALS: u64 = 200_000;

/// How the deals of two like agents come out: the probability of each value.
pub(crate) struct Population {
    /// In words.
    pub(crate) name: &'static str,
    chances: [f64; 5],
}

/// Deals that are mostly halved, as between agents that play alike; independent games; and four seats, with values between.
pub(crate) const POPULATIONS: [Population; 3] = [
    Population { name: "deals mostly halved", chances: [0.1, 0.0, 0.8, 0.0, 0.1] },
    Population { name: "independent games", chances: [0.25, 0.0, 0.5, 0.0, 0.25] },
    Population { name: "four seats", chances: [0.06, 0.2, 0.48, 0.2, 0.06] },
];

/// The hypotheses that are tried, as pairs of means.
pub(crate) const HYPOTHESES: [(f64, f64); 2] = [(0.5, 0.53), (0.5, 0.55)];

/// What came of many matches with one true mean.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcomes {
    /// Matches.
    pub(crate) matches: u64,
    /// Wrong decisions by betting, and by the ratio test.
    pub(crate) wrong: [u64; 2],
    /// Deals in all, by betting and by the ratio test.
    pub(crate) deals: [u64; 2],
}

impl Outcomes {
    /// The share of wrong decisions by betting.
    pub(crate) fn error(&self) -> f64 {
        self.wrong[0] as f64 / self.matches as f64
    }

    /// Deals by betting for one by the ratio test.
    pub(crate) fn ratio(&self) -> f64 {
        self.deals[0] as f64 / self.deals[1] as f64
    }

    /// Mean deals of a match, by betting and by the ratio test.
    pub(crate) fn mean_deals(&self) -> [f64; 2] {
        self.deals.map(|deals| deals as f64 / self.matches as f64)
    }
}

/// The three true means at which a test is judged: of both hypotheses, and far beyond the second.
pub(crate) fn means((mu0, mu1): (f64, f64)) -> [f64; 3] {
    [mu0, mu1, mu1 + 2.0 * (mu1 - mu0)]
}

/// Plays `matches` matches of a population with the true mean `mean`, each until both tests have decided.
pub(crate) fn play(population: &Population, (mu0, mu1): (f64, f64), mean: f64, matches: u64, seed: u64) -> Outcomes {
    let chances = tilted(population.chances, mean);
    let test = MatchTest { mu0, mu1, alpha: ERROR, beta: ERROR };
    let right = if mean <= mu0 { MatchVerdict::NotBetter } else { MatchVerdict::Better };
    let mut outcomes = Outcomes { matches, ..Outcomes::default() };
    let progress = ProgressLine::new(population.name, matches);
    for number in 0..matches {
        let mut dice = ChoiceStream::new(&[seed, number, (mean * 1e6) as u64, (mu1 * 1e6) as u64]);
        let (mut betting, mut ratio) = (MatchProgress::new(test), RatioTest::default());
        let mut deals = 0;
        while deals < MOST_DEALS && (betting.decision.is_none() || ratio.decision.is_none()) {
            deals += 1;
            let value = drawn(&chances, &mut dice);
            if betting.decision.is_none() {
                betting.take(VALUES[value]);
            }
            if ratio.decision.is_none() {
                ratio.take(value, test, deals);
            }
        }
        for (place, decision) in [betting.decision, ratio.decision].into_iter().enumerate() {
            let (verdict, after) = decision.map_or((None, MOST_DEALS), |(verdict, after)| (Some(verdict), after));
            outcomes.wrong[place] += u64::from(verdict != Some(right));
            outcomes.deals[place] += after;
        }
        progress.is_at(number + 1, 0);
    }
    progress.end();
    outcomes
}

/// The ratio test, exact on the counts of the cells, with a look after every deal.
#[derive(Default)]
struct RatioTest {
    counts: [u64; 5],
    decision: Option<(MatchVerdict, u64)>,
}

impl RatioTest {
    fn take(&mut self, value: usize, test: MatchTest, deals: u64) {
        self.counts[value] += 1;
        let counts: Vec<(f64, f64)> = VALUES.into_iter().zip(self.counts.map(|count| count as f64)).collect();
        let ratio = gsprt::log_likelihood_ratio(&counts, test.mu0, test.mu1);
        let (low, high) = gsprt::bounds(test.alpha, test.beta);
        if ratio >= high {
            self.decision = Some((MatchVerdict::Better, deals));
        } else if ratio <= low {
            self.decision = Some((MatchVerdict::NotBetter, deals));
        }
    }
}

/// A value with these chances.
fn drawn(chances: &[f64; 5], dice: &mut ChoiceStream<'_>) -> usize {
    let mut left = dice.number_below(1 << 53) as f64 / (1_u64 << 53) as f64;
    for (value, chance) in chances.iter().enumerate() {
        left -= chance;
        if left < 0.0 {
            return value;
        }
    }
    VALUES.len() - 1
}

/// The chances with the mean `mean` that differ least from `chances` (exponential tilting), by bisection.
fn tilted(chances: [f64; 5], mean: f64) -> [f64; 5] {
    let by = |rate: f64| {
        let mut tilted = [0.0; 5];
        for (place, chance) in chances.iter().enumerate() {
            tilted[place] = chance * (rate * VALUES[place]).exp();
        }
        let sum: f64 = tilted.iter().sum();
        tilted.map(|chance| chance / sum)
    };
    let mean_of = |chances: [f64; 5]| chances.iter().zip(VALUES).map(|(chance, value)| chance * value).sum::<f64>();
    let (mut low, mut high) = (-50.0, 50.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if mean_of(by(middle)) < mean { low = middle } else { high = middle }
    }
    by(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_matches_err_seldom_and_take_about_as_many_deals_as_the_ratio_test() {
        let hypotheses = HYPOTHESES[1];
        for population in &POPULATIONS {
            for (place, mean) in means(hypotheses).into_iter().enumerate() {
                let outcomes = play(population, hypotheses, mean, 100, 1);
                // Of 100 matches 12 errors are seldom where 5 are expected.
                assert!(outcomes.wrong[0] <= 11, "{}, mean {mean}: {outcomes:?}", population.name);
                let most = if place < 2 { 1.4 } else { 1.15 };
                assert!(outcomes.ratio() <= most, "{}, mean {mean}: {outcomes:?}", population.name);
            }
        }
    }

    #[test]
    fn a_tilted_population_has_the_mean_and_no_value_that_it_had_not() {
        for population in &POPULATIONS {
            for mean in [0.5, 0.53, 0.65] {
                let chances = tilted(population.chances, mean);
                let found: f64 = chances.iter().zip(VALUES).map(|(chance, value)| chance * value).sum();
                assert!((found - mean).abs() < 1e-9, "{mean}: {found}");
                assert!(chances.iter().zip(population.chances).all(|(now, before)| (*now > 0.0) == (before > 0.0)));
            }
        }
    }
}
