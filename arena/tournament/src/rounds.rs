//! Rounds of tables as a run file keeps them, and the games that follow from them by number.

use serde::{Deserialize, Serialize};

use crate::agent_id::AgentId;
use crate::cyclic_order::cyclic_order;
use crate::planned_game::{DealId, PlannedGame};

/// A table: who sits at it for how many deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The agents; one that plays with copies of itself is there several times.
    pub agents: Vec<AgentId>,
    /// The deals, each played in every rotation that differs from those before it.
    pub deals: u32,
}

impl Table {
    /// Games of a deal: the number of rotations that differ.
    pub fn rotations(&self) -> usize {
        let seats = self.agents.len();
        let same = |turn: &usize| (0..seats).all(|seat| self.agents[seat] == self.agents[(seat + turn) % seats]);
        (1..seats).find(same).unwrap_or(seats)
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        u64::from(self.deals) * self.rotations() as u64
    }
}

/// What is played together: nothing of it depends on the results of any of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Round {
    /// The next so many games of a complete round-robin.
    Games(u64),
    /// Tables.
    Tables {
        /// The tables.
        tables: Vec<Table>,
        /// The agents that sit out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        byes: Vec<AgentId>,
    },
    /// No games, but another pool: agents have joined or left. It is what an organiser decided, and follows from no results.
    Pool {
        /// How many agents the run had before.
        before: usize,
        /// The agents that play from now on.
        playing: Vec<AgentId>,
        /// Games of earlier rounds that are not played any more, since an agent of theirs has left.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        dropped: Vec<u64>,
    },
}

/// Tables one after the other, and where their games begin. A run may have a million of them, and several plans of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tables {
    /// Deals that are played in the same order around the table, one by each rule set.
    rule_sets: usize,
    tables: Vec<Listed>,
    /// The agents of all tables.
    agents: Vec<AgentId>,
    games: u64,
    deals: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listed {
    first_game: u64,
    first_deal: u64,
    /// The place of its first agent among those of all tables.
    first_agent: usize,
    deals: u32,
    seats: u8,
    rotations: u8,
}

impl Tables {
    /// No tables yet, for games by so many rule sets.
    pub(crate) fn new(rule_sets: usize) -> Tables {
        Tables { rule_sets, tables: Vec::new(), agents: Vec::new(), games: 0, deals: 0 }
    }

    /// The number of games.
    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    pub(crate) fn push(&mut self, table: &Table) {
        let (first_game, first_deal, first_agent) = (self.games, self.deals, self.agents.len());
        let (seats, rotations) = (table.agents.len() as u8, table.rotations() as u8);
        self.games += table.games();
        self.deals += u64::from(table.deals);
        self.agents.extend(&table.agents);
        self.tables.push(Listed { first_game, first_deal, first_agent, deals: table.deals, seats, rotations });
    }

    /// The table of a game, its number, and the game's number there.
    fn at(&self, index: u64) -> (usize, Listed, u64) {
        let place = self.tables.partition_point(|listed| listed.first_game <= index) - 1;
        let listed = self.tables[place];
        (place, listed, index - listed.first_game)
    }

    pub(crate) fn game(&self, index: u64) -> PlannedGame {
        let (place, Listed { first_agent, seats, rotations, .. }, within) = self.at(index);
        let (seats, games) = (usize::from(seats), u64::from(rotations));
        let (deal, rotation) = ((within / games) as u32, (within % games) as usize);
        let listed = &self.agents[first_agent..first_agent + seats];
        let mut agents = match usize::from(rotations) == seats {
            // Copies keep their order: it is what makes their rotations alike.
            true if !has_copies(listed) => {
                let order = cyclic_order(u64::from(deal) / self.rule_sets as u64 + place as u64, seats);
                order.into_iter().map(|seat| listed[seat]).collect()
            }
            _ => listed.to_vec(),
        };
        agents.rotate_right(rotation);
        PlannedGame { index, deal: DealId { group: place as u32, deal }, rotation: rotation as u8, agents }
    }

    /// The first game of the deal of a game, and the games of that deal.
    pub(crate) fn deal_of(&self, index: u64) -> (u64, u64) {
        let (_, Listed { rotations, .. }, within) = self.at(index);
        let games = u64::from(rotations);
        (index - within % games, games)
    }

    /// How many deals lie before the game, which is the first of its deal.
    pub(crate) fn deals_before(&self, index: u64) -> u64 {
        if index == self.games {
            return self.deals;
        }
        let (_, listed, within) = self.at(index);
        listed.first_deal + within / u64::from(listed.rotations)
    }

    /// The number of a game.
    pub(crate) fn find(&self, deal: DealId, rotation: u64) -> Option<u64> {
        let listed = self.tables.get(deal.group as usize)?;
        let games = u64::from(listed.rotations);
        let is_there = deal.deal < listed.deals && rotation < games;
        is_there.then(|| listed.first_game + u64::from(deal.deal) * games + rotation)
    }
}

fn has_copies(agents: &[AgentId]) -> bool {
    agents.iter().enumerate().any(|(seat, agent)| agents[..seat].contains(agent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(agents: &[u16], deals: u32) -> Table {
        Table { agents: agents.iter().map(|agent| AgentId(*agent)).collect(), deals }
    }

    #[test]
    fn a_deal_is_played_in_each_rotation_that_differs() {
        assert_eq!(table(&[0, 1], 3).games(), 6);
        assert_eq!(table(&[0, 1, 0, 1], 3).games(), 6);
        assert_eq!(table(&[0, 0, 1], 1).games(), 3);
        assert_eq!(table(&[4, 2, 7, 1], 2).games(), 8);
    }

    #[test]
    fn games_are_numbered_through_tables_and_found_by_name() {
        let mut tables = Tables::new(1);
        [table(&[0, 1, 0, 1], 2), table(&[2, 3, 4, 5], 1)].iter().for_each(|table| tables.push(table));
        let listed: Vec<String> = (0..tables.games())
            .map(|index| {
                let game = tables.game(index);
                assert_eq!(tables.find(game.deal, game.rotation.into()), Some(index));
                let agents: Vec<String> = game.agents.iter().map(|agent| agent.0.to_string()).collect();
                format!("{} {} of {:?}", game.id().0, agents.join(" "), tables.deal_of(index))
            })
            .collect();
        assert_eq!(
            listed,
            [
                "g000-d0000-r0 0 1 0 1 of (0, 2)",
                "g000-d0000-r1 1 0 1 0 of (0, 2)",
                "g000-d0001-r0 0 1 0 1 of (2, 2)",
                "g000-d0001-r1 1 0 1 0 of (2, 2)",
                "g001-d0000-r0 2 3 5 4 of (4, 4)",
                "g001-d0000-r1 4 2 3 5 of (4, 4)",
                "g001-d0000-r2 5 4 2 3 of (4, 4)",
                "g001-d0000-r3 3 5 4 2 of (4, 4)",
            ]
        );
        assert_eq!((tables.deals_before(2), tables.deals_before(4), tables.deals_before(8)), (1, 2, 3));
    }
}
