//! One game of a plan. Only names and derived values; its seed and rules are added by the run store.

use std::fmt;

use maumau_protocol::Seat;
use maumau_protocol::message::GameId;
use serde::{Serialize, Serializer};

use crate::agent_id::AgentId;

/// A deal of a run: the cards and all other randomness, the same in each of its games. As text `g003-d0007`.
///
/// In a complete round-robin groups are numbered in colexicographic order and deals one after the other, so a deal keeps its
/// name when the league gets more games, or more agents at the end of its list. In other formats groups are tables, numbered as
/// they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DealId {
    /// The group of agents that plays it, from 0.
    pub group: u32,
    /// Which of the group's deals, from 0.
    pub deal: u32,
}

impl fmt::Display for DealId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "g{:03}-d{:04}", self.group, self.deal)
    }
}

impl Serialize for DealId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Which of an agent's processes plays at a seat: at most as many as a table has seats, or half their square where copies of an
/// agent fill the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Lane(pub u8);

/// One game of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedGame {
    /// Its number in the plan, from 0.
    pub index: u64,
    /// What is dealt.
    pub deal: DealId,
    /// How many seats clockwise each agent sits from where it sat in the deal's first game.
    pub rotation: u8,
    /// The agents in seat order.
    pub agents: Vec<AgentId>,
}

impl PlannedGame {
    /// The game's name, unique in its run, for example `g003-d0007-r1`.
    ///
    /// It reveals the deal: an agent that sees it can find out which games are dealt alike.
    pub fn id(&self) -> GameId {
        GameId(format!("{}-r{}", self.deal, self.rotation).into())
    }

    /// The agents in seat order, each with the lane of the process that plays there.
    ///
    /// The guarantee: a process is kept for one agent and one lane, all seats of an agent in the games of a deal are in different
    /// lanes, and so no process ever sees the same deal twice.
    pub fn lanes(&self) -> impl Iterator<Item = (AgentId, Lane)> + '_ {
        self.agents.iter().enumerate().map(|(seat, agent)| {
            let copies = self.agents.iter().filter(|other| *other == agent).count();
            let before = self.agents[..seat].iter().filter(|other| *other == agent).count();
            (*agent, Lane((usize::from(self.rotation) * copies + before) as u8))
        })
    }

    /// The seats with their agents, clockwise from 0.
    pub fn seating(&self) -> impl Iterator<Item = (Seat, AgentId)> + '_ {
        Seat::all(self.agents.len()).zip(self.agents.iter().copied())
    }

    /// True if one of `agents` plays in it.
    pub fn is_of_any(&self, agents: &[AgentId]) -> bool {
        self.agents.iter().any(|agent| agents.contains(agent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_fixed_widths_that_large_numbers_outgrow() {
        let game =
            |group, deal| PlannedGame { index: 0, deal: DealId { group, deal }, rotation: 1, agents: Vec::new() };
        assert_eq!(&*game(3, 7).id().0, "g003-d0007-r1");
        assert_eq!(&*game(12_345, 67_890).id().0, "g12345-d67890-r1");
    }
}
