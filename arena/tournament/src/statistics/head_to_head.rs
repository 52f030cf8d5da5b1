//! Two agents compared over the games in which both sat: the share of them in which one was ahead, and a sequential test of it.
//!
//! The deal is the unit, as everywhere. The games of a deal count for the test once the deal is complete, in the order of the
//! plan.

use std::collections::BTreeMap;

use super::estimate::{DealSums, Estimate};
use super::sequential::{ConfidenceSequence, MatchProgress, MatchTest};
use crate::agent_id::AgentId;
use crate::plan::Plan;
use crate::score::duel;

/// Units of one comparison: 2 for being ahead, 1 for a tie.
const UNITS: u64 = 2;

/// The games of two agents against each other.
#[derive(Clone, Debug)]
pub struct HeadToHead {
    agents: (AgentId, AgentId),
    /// By the first game of the deal in the plan.
    deals: BTreeMap<u64, Deal>,
}

/// The games of two agents in one deal.
#[derive(Clone, Copy, Debug, Default)]
struct Deal {
    games: u64,
    /// The first agent's units in them.
    units: u64,
    /// Comparisons of the two.
    pairs: u64,
    /// Games that the deal has in all.
    of: u64,
}

/// What a sequential test says of two agents.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The test after all complete deals.
    pub progress: MatchProgress,
    /// Complete deals.
    pub deals: u64,
    /// The 95 % interval of the first agent's score that holds at every look.
    pub interval: (f64, f64),
}

impl HeadToHead {
    /// No games yet of these two agents.
    pub fn new(agents: (AgentId, AgentId)) -> HeadToHead {
        HeadToHead { agents, deals: BTreeMap::new() }
    }

    /// Counts game number `index` of `plan`, each once, with its places by seat. Games without one of the two do not count.
    ///
    /// # Panics
    /// The game is not in the plan.
    pub fn add(&mut self, plan: &Plan, index: u64, places: &[u8]) {
        let game = plan.game(index);
        let places_of = |agent: AgentId| game.agents.iter().zip(places).filter(move |(at, _)| **at == agent);
        let (first, of) = plan.deal_of(index);
        // In a match an agent has several seats.
        for (_, one) in places_of(self.agents.0) {
            for (_, other) in places_of(self.agents.1) {
                let deal = self.deals.entry(first).or_default();
                deal.units += u64::from(duel(*one, *other));
                deal.pairs += 1;
                deal.of = of;
            }
        }
        let met = [self.agents.0, self.agents.1].iter().all(|agent| game.agents.contains(agent));
        if let Some(deal) = self.deals.get_mut(&first).filter(|_| met) {
            deal.games += 1;
        }
    }

    /// Games of the two.
    pub fn games(&self) -> u64 {
        self.deals.values().map(|deal| deal.games).sum()
    }

    /// Deals with such a game.
    pub fn deals(&self) -> u64 {
        self.deals.len() as u64
    }

    /// The first agent's mean score against the second: 1 for being ahead, 1/2 for a tie. `None` if they have not met.
    pub fn estimate(&self) -> Option<Estimate> {
        let mut sums = DealSums::default();
        self.deals.values().for_each(|deal| sums.add(deal.pairs, deal.units));
        sums.estimate(UNITS)
    }

    /// The test whether the first agent is better than the second.
    pub fn sequence(&self, test: MatchTest) -> Sequence {
        let (mut progress, mut sequence, mut deals) = (MatchProgress::new(test), ConfidenceSequence::new(0.05), 0);
        for deal in self.deals.values().filter(|deal| deal.games == deal.of) {
            let x = deal.units as f64 / (deal.pairs * UNITS) as f64;
            progress.take(x);
            sequence.take(x);
            deals += 1;
        }
        Sequence { progress, deals, interval: sequence.interval() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::League;
    use crate::statistics::sequential::MatchVerdict;

    fn plan() -> Plan {
        let agents = ["a", "b", "c"].map(str::to_owned).into();
        Plan::new(League { agents, seats: 2, games_per_pairing: 200, ..League::default() }).expect("a league")
    }

    #[test]
    fn only_games_of_both_count_and_each_from_the_first_ones_side() {
        let plan = plan();
        let mut both = HeadToHead::new((AgentId(1), AgentId(0)));
        assert!(both.estimate().is_none());
        // The agent b wins the first game of deal 0 against a, and its second one is a tie.
        for (name, places) in [("g000-d0000-r0", [2, 1]), ("g000-d0000-r1", [1, 1]), ("g001-d0000-r0", [1, 2])] {
            both.add(&plan, plan.game_called(name).expect("a game").index, &places);
        }
        assert_eq!((both.games(), both.deals()), (2, 1));
        assert_eq!(both.estimate().map(|estimate| estimate.mean), Some(0.75));
    }

    #[test]
    fn a_winner_is_named_by_the_test_and_an_open_deal_does_not_count() {
        let plan = plan();
        let test = MatchTest { mu0: 0.5, mu1: 0.55, alpha: 0.05, beta: 0.05 };
        let mut both = HeadToHead::new((AgentId(0), AgentId(1)));
        for index in (0..plan.len()).filter(|index| plan.game(*index).deal.group == 0) {
            let first = usize::from(plan.game(index).agents[0] != AgentId(0));
            both.add(&plan, index, &[[1, 2], [2, 1]][first]);
        }
        let sequence = both.sequence(test);
        assert_eq!(sequence.progress.decision.map(|(verdict, _)| verdict), Some(MatchVerdict::Better));
        assert_eq!(sequence.deals, 100);
        assert!(sequence.interval.0 > 0.9 && sequence.interval.1 == 1.0, "{:?}", sequence.interval);
        let mut open = HeadToHead::new((AgentId(0), AgentId(1)));
        open.add(&plan, plan.game_called("g000-d0000-r0").expect("a game").index, &[1, 2]);
        assert_eq!(open.sequence(test).deals, 0);
    }
}
