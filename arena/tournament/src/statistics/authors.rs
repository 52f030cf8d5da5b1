//! Whether agents of one author gain when they sit at one table: tables of more than two invite collusion.
//!
//! Looked at are the comparisons of an author's agents with everybody else's, each minus what the ratings expect of it, so that the
//! opponents' strength cancels. The effect is the mean over games in which two or more of the author's agents sat, minus the mean
//! over games in which one of the same agents sat alone. A deal is one observation, for its games are not independent; the two
//! kinds of deals are two samples, with Welch's degrees of freedom. The errors of the ratings are left out: they are the same in
//! both samples, and cancel as far as the opponents do.

use serde::{Deserialize, Serialize};

use super::Interval;
use super::ratings::{RatedGames, Ratings, sigma};
use super::student::{quantile_975, two_sided_p};
use crate::score::duel;

/// What the agents of one author gain by sitting together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Together {
    /// The author, as numbered by the caller.
    pub author: usize,
    /// Deals in which two or more of the author's agents sat at a table with others.
    pub together: u64,
    /// Deals in which one of them sat with others alone.
    pub alone: u64,
    /// The gain in score against the others; absent unless there are deals of both kinds.
    pub effect: Option<f64>,
    /// Its standard error; absent with fewer than two deals of either kind.
    pub std_error: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
    /// The two-sided probability of an effect this large if sitting together changes nothing.
    pub p: Option<f64>,
}

/// Sums of deals: `weight` comparisons with the sum `sum` of residuals, for a mean as a ratio.
#[derive(Clone, Debug, Default)]
struct Sample {
    deals: Vec<(f64, f64)>,
}

impl Sample {
    fn mean(&self) -> f64 {
        let (weight, sum) = self.deals.iter().fold((0.0, 0.0), |all, deal| (all.0 + deal.0, all.1 + deal.1));
        sum / weight
    }

    /// The variance of the mean, linearised, as in the estimate of a score.
    fn variance(&self) -> f64 {
        let (count, mean) = (self.deals.len() as f64, self.mean());
        let weight: f64 = self.deals.iter().map(|deal| deal.0).sum();
        let squares: f64 = self.deals.iter().map(|(weight, sum)| (sum - mean * weight) * (sum - mean * weight)).sum();
        count / (count - 1.0) * squares / (weight * weight)
    }
}

/// What each author's agents gain by sitting together, for authors with more than one agent.
///
/// `authors` has the number of each agent's author, counted from 0; `None` for agents that name none.
///
/// # Panics
/// `ratings` or `authors` are not of the pool of `games`.
pub fn together(games: &RatedGames, ratings: &Ratings, authors: &[Option<usize>]) -> Vec<Together> {
    assert!(authors.len() == games.agents() && ratings.agents.len() == games.agents(), "one entry for each agent");
    let count = authors.iter().flatten().max().map_or(0, |most| most + 1);
    let mut samples = vec![[Sample::default(), Sample::default()]; count];
    games.for_each_deal(|deal| {
        let mut sums = vec![[(0.0, 0.0); 2]; count];
        for seats in deal {
            for (seat, (agent, place)) in seats.iter().enumerate() {
                let Some(author) = authors[*agent as usize] else { continue };
                let others = |is_mate: bool| {
                    let at = seats.iter().enumerate().filter(move |(other, _)| *other != seat);
                    at.filter(move |(_, (other, _))| (authors[*other as usize] == Some(author)) == is_mate)
                };
                let sum = &mut sums[author][usize::from(others(true).next().is_none())];
                for (_, (other, against)) in others(false) {
                    let difference = ratings.agents[*agent as usize].logit - ratings.agents[*other as usize].logit;
                    sum.0 += 1.0;
                    sum.1 += f64::from(duel(*place, *against)) / 2.0 - sigma(difference);
                }
            }
        }
        for (author, sums) in sums.into_iter().enumerate() {
            for (sample, sum) in samples[author].iter_mut().zip(sums) {
                if sum.0 > 0.0 {
                    sample.deals.push(sum);
                }
            }
        }
    });
    let has_mates = |author: &usize| authors.iter().flatten().filter(|other| *other == author).count() > 1;
    let gains = samples.iter().enumerate().filter(|(author, _)| has_mates(author));
    gains.map(|(author, [together, alone])| gain(author, together, alone)).collect()
}

fn gain(author: usize, together: &Sample, alone: &Sample) -> Together {
    let samples = [together, alone];
    let effect = samples.iter().all(|sample| !sample.deals.is_empty()).then(|| together.mean() - alone.mean());
    let variances = samples.iter().all(|sample| sample.deals.len() > 1).then(|| samples.map(Sample::variance));
    let known = variances.filter(|[a, b]| a + b > 0.0);
    let std_error = known.map(|[a, b]| (a + b).sqrt());
    let freedom = known.map(|variances| {
        let total: f64 = variances.iter().sum();
        let parts = variances.iter().zip(samples);
        let below: f64 = parts.map(|(variance, sample)| variance * variance / (sample.deals.len() as f64 - 1.0)).sum();
        ((total * total / below) as u64).max(1)
    });
    let tested = effect.zip(std_error).zip(freedom);
    Together {
        author,
        together: together.deals.len() as u64,
        alone: alone.deals.len() as u64,
        effect,
        std_error,
        interval: tested.map(|((effect, error), freedom)| {
            let reach = quantile_975(freedom) * error;
            Interval { low: effect - reach, high: effect + reach }
        }),
        p: tested.map(|((effect, error), freedom)| two_sided_p(effect / error, freedom)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ratings::{RatingOptions, rate};

    /// A small generator of numbers from 0 to 1 (splitmix64).
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    /// Deals of one game at tables of three of five equal agents, of which 0 and 1 have one author. If both sit at a table, one of
    /// them gives up with probability `help` where that lets the other win.
    fn league(deals: u64, help: f64, seed: u64) -> (RatedGames, Vec<Option<usize>>) {
        let mut numbers = Numbers(seed);
        let mut games = RatedGames::new(5);
        for deal in 0..deals {
            let mut agents: Vec<usize> = (0..5).collect();
            for place in (1..5).rev() {
                agents.swap(place, (numbers.next() * (place + 1) as f64) as usize);
            }
            agents.truncate(3);
            // In the order of their places.
            let mates: Vec<usize> = (0..3).filter(|place| agents[*place] < 2).collect();
            if let [0 | 1, 2] = mates[..]
                && numbers.next() < help
            {
                agents.swap(1, 2);
                if mates[0] == 1 {
                    agents.swap(0, 1);
                }
            }
            games.add(deal, agents.into_iter().zip(1..));
        }
        (games, vec![Some(0), Some(0), Some(1), None, None])
    }

    fn found(deals: u64, help: f64, seed: u64) -> Together {
        let (games, authors) = league(deals, help, seed);
        let rated = rate(&games, &RatingOptions::default());
        let [gain] = &together(&games, &rated, &authors)[..] else { panic!("one author has two agents") };
        gain.clone()
    }

    #[test]
    fn agents_that_help_each_other_are_found_and_honest_ones_are_not() {
        let gain = found(2_000, 0.5, 1);
        assert!(gain.effect.is_some_and(|effect| effect > 0.05) && gain.p.is_some_and(|p| p < 0.001), "{gain:?}");
        // Two of five agents sit at three tables of ten together, and one of them alone at six.
        assert!((500..700).contains(&gain.together) && (1_100..1_300).contains(&gain.alone), "{gain:?}");
        let wrong = (0..400).filter(|seed| found(60, 0.0, 1_000 + seed).p.is_some_and(|p| p < 0.05)).count();
        assert!((5..=35).contains(&wrong), "{wrong} of 400 honest leagues, where 20 are expected");
    }

    #[test]
    fn without_deals_of_both_kinds_there_is_no_effect() {
        let mut games = RatedGames::new(3);
        games.add(0, [(0, 1), (1, 2), (2, 3)]);
        let rated = rate(&games, &RatingOptions::default());
        let found = together(&games, &rated, &[Some(0), Some(0), None]);
        let [Together { together: 1, alone: 0, effect: None, std_error: None, interval: None, p: None, .. }] =
            found[..]
        else {
            panic!("{found:?}")
        };
        assert_eq!(together(&games, &rated, &[Some(0), Some(1), None]), [], "no author has two agents");
    }
}
