//! A check of the ratings: whether they explain the results of every pair of agents.
//!
//! A rating is one number an agent. If A beats B, B beats C and C beats A, no three numbers fit, and the pairs' results differ from
//! what the ratings expect by more than chance. A pair's misfit is the sum of its deals' residuals in their standard errors.

use serde::{Deserialize, Serialize};

use super::ratings::{Pair, Ratings, sigma};
use super::student::two_sided_p;

/// A pair and what the ratings expect of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairMisfit {
    /// The agents, the smaller number first.
    pub agents: (usize, usize),
    /// The score that the ratings expect of the first against the second.
    pub expected: f64,
    /// How far the first one's result lies above it, in standard errors.
    pub z: f64,
    /// The two-sided probability of a misfit this large somewhere if the ratings explain all pairs (Bonferroni).
    pub p: f64,
}

/// The misfit of every pair that has met, the largest first.
pub fn misfits(ratings: &Ratings) -> Vec<PairMisfit> {
    let met: Vec<(&Pair, f64)> = ratings.pairs.iter().filter_map(|pair| Some((pair, pair.misfit?))).collect();
    let of_pair = |(pair, z): &(&Pair, f64)| {
        let (first, second) = pair.agents;
        let deals = ratings.agents[first].deals.min(ratings.agents[second].deals);
        let p = two_sided_p(*z, deals.saturating_sub(1).max(1));
        PairMisfit { agents: pair.agents, expected: sigma(pair.difference), z: *z, p: (p * met.len() as f64).min(1.0) }
    };
    let mut misfits: Vec<PairMisfit> = met.iter().map(of_pair).collect();
    misfits.sort_by(|a, b| b.z.abs().total_cmp(&a.z.abs()).then(a.agents.cmp(&b.agents)));
    misfits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ratings::{RatedGames, RatingOptions, rate};

    /// Two-seat deals in which the first of `pair` wins one game for certain, and the other one too in `both` of ten deals.
    fn deals(games: &mut RatedGames, first: u64, pair: (usize, usize), both: u64) {
        for deal in first..first + 40 {
            let won = deal % 10 < both;
            games.add(deal, [(pair.0, 1), (pair.1, 2)]);
            games.add(deal, [(pair.1, if won { 2 } else { 1 }), (pair.0, if won { 1 } else { 2 })]);
        }
    }

    #[test]
    fn a_circle_of_agents_that_beat_one_another_is_a_misfit_and_an_order_is_none() {
        let mut circle = RatedGames::new(3);
        deals(&mut circle, 0, (0, 1), 5);
        deals(&mut circle, 100, (1, 2), 5);
        deals(&mut circle, 200, (2, 0), 5);
        let found = misfits(&rate(&circle, &RatingOptions::default()));
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|pair| pair.p < 0.01 && (pair.expected - 0.5).abs() < 1e-9), "{found:?}");
        let signs: Vec<((usize, usize), bool)> = found.iter().map(|pair| (pair.agents, pair.z > 0.0)).collect();
        assert!(signs.contains(&((0, 1), true)) && signs.contains(&((0, 2), false)), "{signs:?}");

        let mut order = RatedGames::new(3);
        deals(&mut order, 0, (0, 1), 3);
        deals(&mut order, 100, (1, 2), 3);
        deals(&mut order, 200, (0, 2), 6);
        let found = misfits(&rate(&order, &RatingOptions::default()));
        assert!(found.iter().all(|pair| pair.p > 0.5), "{found:?}");
    }

    #[test]
    fn agents_that_never_met_have_no_misfit() {
        let mut games = RatedGames::new(3);
        deals(&mut games, 0, (0, 1), 5);
        deals(&mut games, 100, (1, 2), 5);
        let found = misfits(&rate(&games, &RatingOptions::default()));
        assert_eq!(found.iter().map(|pair| pair.agents).collect::<Vec<_>>().len(), 2, "{found:?}");
        assert!(!found.iter().any(|pair| pair.agents == (0, 2)));
    }
}
