//! Knock-out in heats, with one life or two: who is still in, and the heats that are not decided yet.
//!
//! A tie where it matters is played off with further deals, then decided by lot. Where fewer agents are left than a final has
//! seats, the best of those who went out last fill it, as the fastest losers do in athletics.

use crate::agent_id::AgentId;
use crate::plan::Plan;
use crate::rounds::Round;
use crate::schedule::heats;

use super::history::History;
use super::lot::lot;
use super::tables::{deals, table};

/// Deals, by each rule set, that may be added to a heat until the lot decides.
const EXTRA_DEALS: u32 = 3;

#[derive(Clone, Debug)]
pub(super) struct Bracket {
    /// By agent, the heats in which it did not go on.
    losses: Vec<u32>,
    /// Agents that are out, the last one at the end.
    out: Vec<usize>,
    heats: Vec<Heat>,
    /// The agents of the final, the best first, once it is decided.
    result: Option<Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Heat {
    /// Agents and the halves they won.
    agents: Vec<(usize, u64)>,
    advance: usize,
    extra: u32,
    is_open: bool,
    is_final: bool,
}

impl Bracket {
    pub(super) fn new(agents: usize) -> Bracket {
        Bracket { losses: vec![0; agents], out: Vec::new(), heats: Vec::new(), result: None }
    }

    /// The bracket after the results of the latest round, and the next round if there is one: so many agents of a heat advance, and
    /// each has so many lives.
    pub(super) fn next(
        &self,
        plan: &Plan,
        (advance, lives): (usize, u32),
        history: &History,
        seed: u64,
    ) -> (Bracket, Option<Round>) {
        let mut bracket = self.clone();
        let draw = history.taken();
        bracket.read(history);
        let again: Vec<Heat> = bracket.heats.iter().filter(|heat| heat.is_open).cloned().collect();
        if !again.is_empty() {
            let deals = plan.league().rule_sets as u32;
            let tables = again.iter().map(|heat| table(&heat.group(), deals)).collect();
            return (bracket, Some(Round::Tables { tables, byes: Vec::new() }));
        }
        bracket.settle(lives, seed, draw);
        if bracket.result.is_some() {
            return (bracket, None);
        }
        let byes = bracket.draw_up(plan.seats(), advance, lives);
        let tables = bracket.heats.iter().map(|heat| table(&heat.group(), deals(plan))).collect();
        (bracket, Some(Round::Tables { tables, byes }))
    }

    /// All agents, the best first, as far as the bracket tells.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order = self.result.clone().unwrap_or_default();
        let more: Vec<usize> = (0..self.losses.len())
            .filter(|agent| !self.out.contains(agent))
            .chain(self.out.iter().rev().copied())
            .filter(|agent| !order.contains(agent))
            .collect();
        order.extend(more);
        order
    }

    /// Adds the results of the latest round to the open heats, and closes those that are decided.
    fn read(&mut self, history: &History) {
        let open = self.heats.iter_mut().filter(|heat| heat.is_open);
        for (heat, played) in open.zip(history.latest()) {
            for (agent, halves) in &mut heat.agents {
                *halves += played.iter().find(|(of, _)| of == agent).map_or(0, |(_, halves)| *halves);
            }
            heat.agents.sort_by_key(|(_, halves)| std::cmp::Reverse(*halves));
            let cut = if heat.is_final { 1 } else { heat.advance };
            let is_tied = heat.agents.get(cut).is_some_and(|(_, halves)| *halves == heat.agents[cut - 1].1);
            heat.is_open = is_tied && heat.extra < EXTRA_DEALS;
            heat.extra += u32::from(heat.is_open);
        }
    }

    /// Takes what the decided heats say; equal agents in the order of their lots.
    fn settle(&mut self, lives: u32, seed: u64, draw: u64) {
        let mut gone: Vec<(u64, usize)> = Vec::new();
        for heat in std::mem::take(&mut self.heats) {
            let mut order = heat.agents;
            order.sort_by_key(|(agent, halves)| (std::cmp::Reverse(*halves), lot(seed, draw, *agent)));
            if heat.is_final {
                self.result = Some(order.iter().map(|(agent, _)| *agent).collect());
                return;
            }
            for (agent, halves) in &order[heat.advance..] {
                self.losses[*agent] += 1;
                if self.losses[*agent] >= lives {
                    gone.push((*halves, *agent));
                }
            }
        }
        gone.sort_by_key(|(halves, agent)| (*halves, std::cmp::Reverse(*agent)));
        self.out.extend(gone.into_iter().map(|(_, agent)| agent));
    }

    /// Draws up the heats of a round; returns who goes on without playing.
    fn draw_up(&mut self, seats: usize, advance: usize, lives: u32) -> Vec<AgentId> {
        let with = |losses: u32| -> Vec<usize> {
            let all = self.losses.iter().enumerate();
            all.filter(|(_, count)| **count == losses).map(|(agent, _)| agent).collect()
        };
        let pools: Vec<Vec<usize>> = (0..lives).map(with).collect();
        let left: Vec<usize> = pools.concat();
        if left.len() <= seats {
            let fill = self.out.iter().rev().take(seats - left.len()).copied();
            let agents = left.iter().copied().chain(fill).map(|agent| (agent, 0)).collect();
            self.heats = vec![Heat { agents, advance: 1, extra: 0, is_open: true, is_final: true }];
            return Vec::new();
        }
        let full: Vec<Vec<usize>> = pools.into_iter().filter(|pool| pool.len() >= seats).collect();
        let playing = if full.is_empty() { vec![left] } else { full };
        let mut free = Vec::new();
        for pool in playing {
            let round = heats::round(&pool, seats);
            free.extend(round.free.into_iter().map(|agent| AgentId(agent as u16)));
            self.heats.extend(round.heats.into_iter().map(|agents| Heat {
                agents: agents.into_iter().map(|agent| (agent, 0)).collect(),
                advance,
                extra: 0,
                is_open: true,
                is_final: false,
            }));
        }
        free
    }
}

impl Heat {
    fn group(&self) -> Vec<usize> {
        self.agents.iter().map(|(agent, _)| *agent).collect()
    }
}
