//! Simulated leagues: how often the printed intervals hold the truth. Results are drawn with known strengths; no game
//! is played.

use maumau_engine::ChoiceStream;
use maumau_run::io::progress::ProgressLine;
use maumau_tournament::statistics::DealSums;
use maumau_tournament::statistics::ratings::{Bound, RatedGames, RatingOptions, rate};

/// A kind of league: by agent how strong it is, in logits. Two of them play each deal in both seats.
pub(crate) struct LeagueKind {
    /// In words.
    pub(crate) name: &'static str,
    strengths: &'static [f64],
}

/// The leagues that are simulated: likes, three kinds, and two in which one agent wins nearly always.
pub(crate) const LEAGUES: [LeagueKind; 4] = [
    LeagueKind { name: "4 equal agents", strengths: &[0.0; 4] },
    LeagueKind { name: "6 agents of three kinds", strengths: &[0.5, 0.5, 0.0, 0.0, -0.5, -0.5] },
    LeagueKind { name: "2 agents, mean 0.925", strengths: &[1.256_153, -1.256_153] },
    LeagueKind { name: "2 agents, mean 0.958", strengths: &[1.563_727, -1.563_727] },
];

impl LeagueKind {
    /// The score that each agent has in the long run.
    fn means(&self) -> Vec<f64> {
        let mean = |agent: usize| {
            let others = (0..self.strengths.len()).filter(|other| *other != agent);
            let chances = others.map(|other| chance(self.strengths[agent] - self.strengths[other]));
            chances.sum::<f64>() / (self.strengths.len() - 1) as f64
        };
        (0..self.strengths.len()).map(mean).collect()
    }

    /// The largest share of intervals, in percent, that may hold the truth after so many deals: intervals that always hold it are too
    /// wide, except where one side nearly always wins or there are few deals.
    pub(crate) fn most_held(&self, deals: u64) -> f64 {
        let is_central = self.means().iter().all(|mean| (0.2..=0.8).contains(mean));
        if is_central && deals >= 20 { 97.5 } else { 100.0 }
    }
}

/// What came of some leagues of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Coverage {
    /// Intervals of scores, and how many of them held the truth.
    pub(crate) scores: (u64, u64),
    /// The same of ratings.
    pub(crate) ratings: (u64, u64),
    /// Intervals of no width.
    pub(crate) empty: u64,
}

/// The share that held, in percent.
pub(crate) fn percent((all, held): (u64, u64)) -> f64 {
    100.0 * held as f64 / all.max(1) as f64
}

/// Plays `leagues` leagues in which each two agents meet on so many deals that every agent has about `deals`.
pub(crate) fn simulate(league: &LeagueKind, deals: u64, leagues: u64, seed: u64) -> Coverage {
    let count = league.strengths.len();
    let opponents = (count - 1) as u64;
    let per_pair = deals.div_ceil(opponents);
    let (means, mean) = (league.means(), league.strengths.iter().sum::<f64>() / count as f64);
    let mut coverage = Coverage::default();
    let progress = ProgressLine::new(league.name, leagues);
    for number in 0..leagues {
        let mut dice = ChoiceStream::new(&[seed, count as u64, deals, number]);
        let mut sums = vec![DealSums::default(); count];
        let mut games = RatedGames::new(count);
        let mut deal = 0;
        for one in 0..count {
            for other in one + 1..count {
                let p = chance(league.strengths[one] - league.strengths[other]);
                for _ in 0..per_pair {
                    let mut won = 0;
                    for _ in 0..2 {
                        let first = (dice.number_below(1 << 53) as f64) < p * (1_u64 << 53) as f64;
                        won += u64::from(first);
                        games.add(deal, [(one, if first { 1 } else { 2 }), (other, if first { 2 } else { 1 })]);
                    }
                    sums[one].add(2, 2 * won);
                    sums[other].add(2, 2 * (2 - won));
                    deal += 1;
                }
            }
        }
        let rated = rate(&games, &RatingOptions::default());
        for (agent, sums) in sums.iter().enumerate() {
            let truth = means[agent];
            if let Some(interval) = sums.estimate(2).and_then(|estimate| estimate.interval) {
                coverage.scores.0 += 1;
                coverage.scores.1 += u64::from((interval.low..=interval.high).contains(&truth));
                coverage.empty += u64::from(interval.low >= interval.high);
            }
            let truth = 1500.0 + 400.0 / std::f64::consts::LN_10 * (league.strengths[agent] - mean);
            if let Some(interval) = rated.agents[agent].interval {
                let (low, high) = match rated.agents[agent].bound {
                    Some(Bound::Low) => (interval.low, f64::INFINITY),
                    Some(Bound::High) => (f64::NEG_INFINITY, interval.high),
                    None => (interval.low, interval.high),
                };
                coverage.ratings.0 += 1;
                coverage.ratings.1 += u64::from((low..=high).contains(&truth));
            }
        }
        progress.is_at(number + 1, 0);
    }
    progress.end();
    coverage
}

fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_few_leagues_hold_the_truth_and_none_is_empty() {
        for league in &LEAGUES {
            for deals in [5, 30] {
                let coverage = simulate(league, deals, 200, 3);
                for held in [percent(coverage.scores), percent(coverage.ratings)] {
                    assert!(held >= 91.0, "{}, {deals} deals: {held} %", league.name);
                }
                assert_eq!(coverage.empty, 0, "{}", league.name);
            }
        }
    }
}
