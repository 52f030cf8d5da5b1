//! Every game of a league that is known so far, by number. Which have been played is not known here.
//!
//! In a complete round-robin each group of agents plays its deals, and deals are the outermost loop: deal 0 of all groups, then
//! deal 1 of all groups, and so on. The groups of a lap come in such an order that a run that stops anywhere has about as
//! many games of each agent. In the other formats games follow from rounds, which a [`crate::Scheduler`] adds.
//! Each deal is played once in every rotation, so the games of one deal are next to each other.
//!
//! Where there are several rule sets, the deals of a group take turns: deal `n` is played by rule set `n` modulo their number. So
//! any beginning of a run has about as many games of each, and all names stay what they are.
//!
//! All rotations of a deal keep the group's order around the table; it changes from deal to deal, so that with three seats or
//! more no agent always plays after the same one.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::agent_id::AgentId;
use crate::combinations::combination;
use crate::cyclic_order::cyclic_order;
use crate::format::{Format, StopRules};
use crate::group_order::GroupOrder;
use crate::league::{League, LeagueProblems, MAX_GAMES};
use crate::planned_game::{DealId, PlannedGame};
use crate::rounds::{Round, Table, Tables};

/// A checked league and the games that follow from it. Those of a complete round-robin are computed when asked for, never listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    league: Arc<League>,
    games: Games,
    rounds: usize,
    /// Games that are not played any more.
    dropped: BTreeSet<u64>,
}

#[derive(Clone, Debug, PartialEq)]
enum Games {
    /// A complete round-robin, of which so many games are known.
    All { order: GroupOrder, known: u64 },
    /// Those of tables.
    Listed(Arc<Tables>),
}

/// A round that no league of this kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a round is not of this league")]
pub struct ForeignRound;

impl Plan {
    /// Checks a league. A complete round-robin without a stop rule is planned at once; the other formats begin without games.
    ///
    /// # Errors
    ///
    /// Every problem of the league.
    pub fn new(league: League) -> Result<Plan, LeagueProblems> {
        let problems = league.problems();
        if !problems.is_empty() {
            return Err(LeagueProblems(problems));
        }
        let games = if league.format == Format::RoundRobin {
            let groups = league.groups();
            let known = if league.stop == StopRules::default() { groups * league.games_of_meeting() } else { 0 };
            Games::All { order: group_order(&league), known }
        } else {
            Games::Listed(Arc::new(Tables::new(league.rule_sets)))
        };
        Ok(Plan { league: Arc::new(league), games, rounds: 0, dropped: BTreeSet::new() })
    }

    /// Adds a round. Numbers of games do not change.
    ///
    /// # Panics
    ///
    /// The round is not of this league.
    pub fn extend(&mut self, round: &Round) {
        self.try_extend(round).unwrap_or_else(|error| panic!("{error}: {round:?}"));
    }

    /// As [`Plan::extend`], for a round from outside.
    ///
    /// # Errors
    ///
    /// The round is not of this league. Nothing has changed.
    pub fn try_extend(&mut self, round: &Round) -> Result<(), ForeignRound> {
        let (agents, seats) = (self.league.agents.len(), self.league.seats);
        let all = self.groups().saturating_mul(self.league.games_of_meeting());
        match (&mut self.games, round) {
            (Games::All { known, .. }, Round::Games(games))
                if games.is_multiple_of(seats as u64) && *games <= all - *known =>
            {
                *known += games;
            }
            (Games::Listed(listed), Round::Tables { tables, .. }) => {
                let is_ours = |table: &Table| {
                    table.agents.len() == seats && table.agents.iter().all(|agent| agent.index() < agents)
                };
                let games: u64 = tables.iter().map(Table::games).sum();
                if !tables.iter().all(is_ours) || listed.games().saturating_add(games) > MAX_GAMES {
                    return Err(ForeignRound);
                }
                let listed = Arc::make_mut(listed);
                tables.iter().for_each(|table| listed.push(table));
            }
            (Games::Listed(listed), Round::Pool { before, playing, dropped }) if self.league.has_open_pool() => {
                let is_ours = *before <= agents && playing.iter().all(|agent| agent.index() < agents);
                if !is_ours || playing.len() < seats || dropped.iter().any(|game| *game >= listed.games()) {
                    return Err(ForeignRound);
                }
                self.dropped.extend(dropped);
            }
            _ => return Err(ForeignRound),
        }
        self.rounds += 1;
        Ok(())
    }

    /// The same games in a league to whose agents others have been added, or that have other names.
    ///
    /// # Errors
    /// Every problem of the league.
    ///
    /// # Panics
    /// The league has fewer agents, or games are not those of tables.
    pub fn with_league(&self, league: League) -> Result<Plan, LeagueProblems> {
        assert!(league.has_open_pool() && league.agents.len() >= self.league.agents.len(), "agents only join");
        let problems = league.problems();
        if !problems.is_empty() {
            return Err(LeagueProblems(problems));
        }
        Ok(Plan { league: Arc::new(league), ..self.clone() })
    }

    /// True if game number `index` is not played any more, since an agent of it had left before it began.
    pub fn is_dropped(&self, index: u64) -> bool {
        self.dropped.contains(&index)
    }

    /// How many games are not played any more.
    pub fn dropped(&self) -> u64 {
        self.dropped.len() as u64
    }

    /// The number of rounds that have been added.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The league as written.
    pub fn league(&self) -> &League {
        &self.league
    }

    /// The number of games that are known so far.
    #[expect(clippy::len_without_is_empty, reason = "it has games as soon as it is played")]
    pub fn len(&self) -> u64 {
        match &self.games {
            Games::All { known, .. } => *known,
            Games::Listed(tables) => tables.games(),
        }
    }

    /// The number of groups: the ways to choose a table out of all agents.
    pub fn groups(&self) -> u64 {
        self.league.groups()
    }

    /// The number of deals that each group plays whenever it plays.
    pub fn deals_per_group(&self) -> u64 {
        self.league.games_of_meeting() / self.league.seats as u64
    }

    /// By which of the league's rule sets game number `index` is played, from 0.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`Plan::len`].
    pub fn rule_set(&self, index: u64) -> usize {
        match self.league.rule_sets {
            1 => 0,
            _ => self.league.rule_set_of(self.game(index).deal),
        }
    }

    /// Seats at a table.
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
        let order = match &self.games {
            Games::All { order, .. } => order,
            Games::Listed(tables) => return tables.game(index),
        };
        let seats = self.league.seats;
        let (deal_number, rotation) = (index / seats as u64, (index % seats as u64) as usize);
        let groups = order.groups();
        let group = order.group(deal_number % groups);
        let deal = DealId { group: group as u32, deal: (deal_number / groups) as u32 };
        let group = self.group(deal.group);
        let turn = u64::from(deal.deal) / self.league.rule_sets as u64 + u64::from(deal.group);
        let mut agents: Vec<AgentId> = cyclic_order(turn, seats).into_iter().map(|place| group[place]).collect();
        agents.rotate_right(rotation);
        PlannedGame { index, deal, rotation: rotation as u8, agents }
    }

    /// The first game of the deal of game number `index`, and the number of games of that deal.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`Plan::len`].
    pub fn deal_of(&self, index: u64) -> (u64, u64) {
        assert!(index < self.len(), "game {index} of a plan of {} games", self.len());
        let seats = self.league.seats as u64;
        match &self.games {
            Games::All { .. } => (index - index % seats, seats),
            Games::Listed(tables) => tables.deal_of(index),
        }
    }

    /// How many deals lie before game number `index`, the first one of its deal or [`Plan::len`].
    pub fn deals_before(&self, index: u64) -> u64 {
        match &self.games {
            Games::All { .. } => index / self.league.seats as u64,
            Games::Listed(tables) => tables.deals_before(index),
        }
    }

    /// The game with the name `id`, for example `g003-d0007-r1`.
    pub fn game_called(&self, id: &str) -> Option<PlannedGame> {
        let mut parts = id.split('-');
        let mut number = |letter: char| parts.next()?.strip_prefix(letter)?.parse::<u64>().ok();
        let (group, deal, rotation) = (number('g')?, number('d')?, number('r')?);
        let index = match &self.games {
            Games::All { order, .. } => {
                let deals = deal.checked_mul(order.groups())?.checked_add(order.place(group)?)?;
                deals.checked_mul(self.seats() as u64)?.checked_add(rotation)?
            }
            Games::Listed(tables) => {
                let deal = DealId { group: u32::try_from(group).ok()?, deal: u32::try_from(deal).ok()? };
                tables.find(deal, rotation)?
            }
        };
        let game = (index < self.len()).then(|| self.game(index))?;
        (*game.id().0 == *id).then_some(game)
    }

    /// The agents of a group in the order of the league.
    fn group(&self, group: u32) -> Vec<AgentId> {
        combination(group.into(), self.league.seats).into_iter().map(|agent| AgentId(agent as u16)).collect()
    }
}

/// The order of the groups of a lap.
fn group_order(league: &League) -> GroupOrder {
    let (agents, seats) = (league.agents.len(), league.seats);
    if league.kept_apart.is_empty() {
        return GroupOrder::new(agents, seats);
    }
    GroupOrder::of_some(agents, seats, |group| {
        let mut pairs =
            group.iter().enumerate().flat_map(|(at, one)| group[at + 1..].iter().map(move |other| (one, other)));
        pairs.all(|(one, other)| league.may_meet(*one, *other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(agents: usize, seats: usize, deals: u64) -> Plan {
        let agents = (0..agents).map(|number| format!("agent {number}")).collect();
        Plan::new(League { agents, seats, games_per_pairing: deals * seats as u64, ..League::default() })
            .expect("a good league")
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
        assert_eq!(plan.game_called(&last.id().0), Some(last.clone()));
        assert_eq!((last.deal.deal, last.rotation), (8, 1));
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
