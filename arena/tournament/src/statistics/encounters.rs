//! The score of each agent against each other, with intervals by deal.

use super::estimate::{DealSums, Estimate, Interval};
use super::ratings::RatedGames;
use crate::score::duel;

/// A comparison of two seats has two units: both for being ahead, one for a tie.
const UNITS: u64 = 2;

/// The sums of all pairs of agents that have met.
#[derive(Clone, Debug)]
pub struct Encounters {
    agents: usize,
    /// `sums[a * agents + b]` for `a < b`: the comparisons of `a` with `b`.
    sums: Vec<DealSums>,
}

impl Encounters {
    /// Compares every two agents over the games in which both sat.
    pub fn new(games: &RatedGames) -> Encounters {
        let agents = games.agents();
        let mut sums = vec![DealSums::default(); agents * agents];
        let mut deal_sums: Vec<(usize, u64, u64)> = Vec::new();
        games.for_each_deal(|deal| {
            deal_sums.clear();
            for seats in deal {
                for (seat, (agent, place)) in seats.iter().enumerate() {
                    for (other, against) in &seats[seat + 1..] {
                        let (pair, won) = match agent.cmp(other) {
                            std::cmp::Ordering::Equal => continue,
                            std::cmp::Ordering::Less => ((agent, other), duel(*place, *against)),
                            std::cmp::Ordering::Greater => ((other, agent), duel(*against, *place)),
                        };
                        let cell = *pair.0 as usize * agents + *pair.1 as usize;
                        match deal_sums.iter_mut().find(|known| known.0 == cell) {
                            Some((_, compared, units)) => {
                                *compared += 1;
                                *units += u64::from(won);
                            }
                            None => deal_sums.push((cell, 1, won.into())),
                        }
                    }
                }
            }
            deal_sums.iter().for_each(|(cell, compared, units)| sums[*cell].add(*compared, *units));
        });
        Encounters { agents, sums }
    }

    /// The mean score of `agent` against `other`: 1 for a better place, 1/2 for the same, 0 for a worse one; `None` if they have
    /// not met.
    ///
    /// # Panics
    /// One of them is not in the pool.
    pub fn estimate(&self, agent: usize, other: usize) -> Option<Estimate> {
        if agent < other {
            return self.sums[agent * self.agents + other].estimate(UNITS);
        }
        let seen_from_other = self.sums[other * self.agents + agent].estimate(UNITS)?;
        let turned = |interval: Interval| Interval { low: 1.0 - interval.high, high: 1.0 - interval.low };
        Some(Estimate {
            mean: 1.0 - seen_from_other.mean,
            std_error: seen_from_other.std_error,
            interval: seen_from_other.interval.map(turned),
            student: seen_from_other.student.map(turned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_compared_over_the_games_in_which_both_sat_computed_by_hand() {
        let mut games = RatedGames::new(4);
        // Deal 0: agent 0 is ahead of 1 twice; deal 1: once behind, once tied.
        games.add(0, [(0, 1), (1, 2), (2, 3)]);
        games.add(0, [(1, 3), (2, 1), (0, 2)]);
        games.add(1, [(0, 2), (1, 1), (2, 3)]);
        games.add(1, [(1, 1), (2, 3), (0, 1)]);
        let encounters = Encounters::new(&games);
        let got = encounters.estimate(0, 1).expect("they met");
        assert_eq!(got.mean, 2.5 / 4.0);
        // Deal scores 2 and 1/2 of two comparisons each: residuals 3/4 and -3/4, variance 2 · (2 · 9/16) / 4² = 9/64.
        assert_eq!(got.std_error, Some(0.375));
        let turned = encounters.estimate(1, 0).expect("they met");
        assert_eq!((turned.mean, turned.std_error), (1.0 - got.mean, got.std_error));
        let [Some(one), Some(other)] = [got.interval, turned.interval] else { panic!("two deals") };
        assert_eq!((one.low, one.high), (1.0 - other.high, 1.0 - other.low));
        assert!(encounters.estimate(0, 3).is_none() && encounters.estimate(3, 0).is_none());
    }

    #[test]
    fn copies_of_one_agent_are_not_compared_with_each_other() {
        let mut games = RatedGames::new(2);
        games.add(0, [(0, 1), (0, 3), (1, 2), (1, 4)]);
        let got = Encounters::new(&games).estimate(0, 1).expect("they met");
        assert_eq!(got.mean, 0.75, "three of four comparisons");
    }
}
