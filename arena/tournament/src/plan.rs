//! Every game of a league, by number. It computes each game when asked and keeps none; which have been played is not
//! known here.
//!
//! Each group of agents plays its deals; each deal is played once in every rotation. Deals are the outermost loop: deal 0 of
//! all groups in all rotations, then deal 1 of all groups, and so on. So all pairings advance evenly, and the games of one deal
//! are next to each other.
//!
//! All rotations of a deal keep the group's order around the table; it changes from deal to deal, so that with three seats or
//! more no agent always plays after the same one.

use crate::combinations::{choose, combination};
use crate::cyclic_order::cyclic_order;
use crate::league::{AgentId, League, LeagueProblems};
use crate::planned_game::{DealId, PlannedGame};

/// A checked league and the games that follow from it. Games are computed when asked for, never listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    league: League,
    groups: u64,
}

impl Plan {
    /// Checks a league.
    ///
    /// # Errors
    ///
    /// Every problem of the league.
    pub fn new(league: League) -> Result<Plan, LeagueProblems> {
        let problems = league.problems();
        if !problems.is_empty() {
            return Err(LeagueProblems(problems));
        }
        let groups = choose(league.agents.len() as u64, league.seats as u64);
        Ok(Plan { league, groups })
    }

    /// The league as written.
    pub fn league(&self) -> &League {
        &self.league
    }

    /// The number of games, at least 2.
    #[expect(clippy::len_without_is_empty, reason = "a plan has games")]
    pub fn len(&self) -> u64 {
        self.groups * self.league.games_per_pairing
    }

    /// The number of groups: the ways to choose a table out of all agents.
    pub fn groups(&self) -> u64 {
        self.groups
    }

    /// The number of deals that each group plays.
    pub fn deals_per_group(&self) -> u64 {
        self.league.games_per_pairing / self.league.seats as u64
    }

    /// Seats at a table, and games of a deal.
    pub fn seats(&self) -> usize {
        self.league.seats
    }

    /// An agent's name.
    ///
    /// # Panics
    ///
    /// If `agent` is not in this league.
    pub fn name(&self, agent: AgentId) -> &str {
        &self.league.agents[agent.index()]
    }

    /// All agents in the order of the league.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = AgentId> + use<> {
        (0..self.league.agents.len() as u16).map(AgentId)
    }

    /// Game number `index`. The group's agents sit in a circle whose order follows from the deal and the group; in the
    /// deal's first game it begins at seat 0, and in rotation `r` at seat `r`.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`Plan::len`].
    pub fn game(&self, index: u64) -> PlannedGame {
        assert!(index < self.len(), "game {index} of a plan of {} games", self.len());
        let seats = self.league.seats;
        let (deal_number, rotation) = (index / seats as u64, (index % seats as u64) as usize);
        let deal = DealId { group: (deal_number % self.groups) as u32, deal: (deal_number / self.groups) as u32 };
        let group = self.group(deal.group);
        let turn = u64::from(deal.deal) + u64::from(deal.group);
        let mut agents: Vec<AgentId> = cyclic_order(turn, seats).into_iter().map(|place| group[place]).collect();
        agents.rotate_right(rotation);
        PlannedGame { index, deal, rotation: rotation as u8, agents }
    }

    /// The agents of a group in the order of the league.
    fn group(&self, group: u32) -> Vec<AgentId> {
        combination(group.into(), self.league.seats).into_iter().map(|agent| AgentId(agent as u16)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(agents: usize, seats: usize, deals: u64) -> Plan {
        let agents = (0..agents).map(|number| format!("agent {number}")).collect();
        Plan::new(League { agents, seats, games_per_pairing: deals * seats as u64 }).expect("a good league")
    }

    #[test]
    fn deals_are_outermost_then_groups_then_rotations() {
        let plan = plan(3, 2, 2);
        let listed: Vec<String> = (0..plan.len())
            .map(|index| {
                let game = plan.game(index);
                let agents: Vec<String> = game.agents.iter().map(|agent| agent.0.to_string()).collect();
                format!("{} {}", game.id().0, agents.join(" "))
            })
            .collect();
        assert_eq!(
            listed,
            [
                "g000-d0000-r0 0 1",
                "g000-d0000-r1 1 0",
                "g001-d0000-r0 0 2",
                "g001-d0000-r1 2 0",
                "g002-d0000-r0 1 2",
                "g002-d0000-r1 2 1",
                "g000-d0001-r0 0 1",
                "g000-d0001-r1 1 0",
                "g001-d0001-r0 0 2",
                "g001-d0001-r1 2 0",
                "g002-d0001-r0 1 2",
                "g002-d0001-r1 2 1",
            ]
        );
    }

    #[test]
    fn in_each_rotation_everybody_moves_on_by_one_seat() {
        let plan = plan(4, 4, 1);
        let seats: Vec<Vec<u16>> =
            (0..4).map(|index| plan.game(index).agents.iter().map(|agent| agent.0).collect()).collect();
        assert_eq!(seats, [[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]]);
    }

    #[test]
    fn everybody_sits_behind_everybody_equally_often_once_all_orders_are_through() {
        let plan = plan(4, 4, 6);
        let mut behind = std::collections::BTreeMap::new();
        for index in 0..plan.len() {
            let agents = plan.game(index).agents;
            for (place, agent) in agents.iter().enumerate() {
                *behind.entry((*agent, agents[(place + 1) % 4])).or_insert(0) += 1;
            }
        }
        assert_eq!(behind.len(), 12);
        assert!(behind.values().all(|count| *count == 8), "{behind:?}");
    }

    #[test]
    fn the_largest_plan_is_reached_by_number() {
        let plan = plan(1_024, 2, 9);
        assert_eq!(plan.len(), 523_776 * 18);
        let last = plan.game(plan.len() - 1);
        assert_eq!(last.agents, [AgentId(1_023), AgentId(1_022)]);
        assert_eq!(&*last.id().0, "g523775-d0008-r1");
    }

    #[test]
    fn a_deal_keeps_its_name_and_agents_when_the_league_grows() {
        let (small, large) = (plan(4, 3, 2), plan(6, 3, 5));
        for index in 0..small.len() {
            let game = small.game(index);
            let same = (0..large.len()).map(|index| large.game(index)).find(|other| other.id() == game.id());
            assert_eq!(same.map(|other| other.agents), Some(game.agents));
        }
    }
}
