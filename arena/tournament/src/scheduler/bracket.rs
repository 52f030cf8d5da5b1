//! Knock-out in heats, with one life or two: who is still in, and the heats that are not decided yet.
//!
//! Agents are ordered by a seeding. In the first round the best of it go on without playing, as many as let later tables fill;
//! later on those that went out last fill a table that would stay partly empty, as the fastest losers do in athletics, and only
//! where that is impossible somebody goes on without playing, an agent with the fewest byes. A tie where it matters is played off
//! with further deals, then decided by lot.

use crate::agent_id::AgentId;
use crate::plan::Plan;
use crate::rounds::Round;
use crate::schedule::heats;

use super::history::History;
use super::lot::lot;
use super::results::{AtTable, HeatOutcome, Placed, PlacedBy, RoundResult, TableResult, TournamentResult};
use super::tables::{deals, table};

/// Deals, by each rule set, that may be added to a heat until the lot decides.
pub(crate) const EXTRA_DEALS: u32 = 3;

#[derive(Clone, Debug)]
pub(super) struct Bracket {
    /// The agents in the order of the seeding, the best first.
    seeds: Vec<usize>,
    /// By agent, the heats in which it did not go on.
    losses: Vec<u32>,
    /// By agent, the rounds in which it went on without playing.
    byes: Vec<u32>,
    /// Agents that are out and the round in which they went, the last one at the end.
    out: Vec<(usize, usize)>,
    heats: Vec<Heat>,
    /// Of the round of these heats: byes, and who waits for others.
    free: Vec<usize>,
    waiting: Vec<usize>,
    /// The rounds before that of the heats.
    past: Vec<RoundResult>,
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
    /// Its last so many agents were out when it was drawn up.
    fill_ins: Vec<usize>,
    /// Heats that each agent had lost.
    losses: Option<u32>,
}

impl Bracket {
    /// The bracket of the agents in `seeds`, the best first, before its first round.
    pub(super) fn new(seeds: Vec<usize>) -> Bracket {
        let agents = seeds.len();
        Bracket {
            seeds,
            losses: vec![0; agents],
            byes: vec![0; agents],
            out: Vec::new(),
            heats: Vec::new(),
            free: Vec::new(),
            waiting: Vec::new(),
            past: Vec::new(),
            result: None,
        }
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
        bracket.draw_up(plan.seats(), advance, lives);
        let byes = bracket.free.iter().map(|agent| AgentId(*agent as u16)).collect();
        let tables = bracket.heats.iter().map(|heat| table(&heat.group(), deals(plan))).collect();
        (bracket, Some(Round::Tables { tables, byes }))
    }

    /// All agents, the best first, as far as the bracket says.
    pub(super) fn order(&self) -> Vec<Placed> {
        let mut order: Vec<Placed> = Vec::with_capacity(self.seeds.len());
        let finalists = self.result.iter().flatten().map(|agent| Placed { agent: *agent, by: PlacedBy::Final });
        order.extend(finalists);
        let is_in_final = |agent: usize| self.result.iter().flatten().any(|of_final| *of_final == agent);
        let plays = |agent: usize| self.heats.iter().any(|heat| heat.group().contains(&agent));
        let is_out = |agent: usize| self.out.iter().any(|(out, _)| *out == agent) && !plays(agent);
        let mut still_in: Vec<usize> =
            self.seeds.iter().copied().filter(|agent| !is_out(*agent) && !is_in_final(*agent)).collect();
        still_in.sort_by_key(|agent| self.losses[*agent]);
        order.extend(still_in.into_iter().map(|agent| Placed { agent, by: PlacedBy::StillIn }));
        let out = self.out.iter().rev().filter(|(agent, _)| is_out(*agent) && !is_in_final(*agent));
        order.extend(out.map(|(agent, round)| Placed { agent: *agent, by: PlacedBy::Out { round: *round } }));
        order
    }

    /// All that is known of the tournament; games of heats that `history` has and the bracket has not read yet count as well.
    pub(super) fn results(&self, history: &History, has_read_latest: bool) -> TournamentResult {
        let mut shown = self.clone();
        if !has_read_latest {
            shown.add(history);
        }
        let mut rounds = shown.past.clone();
        if !shown.heats.is_empty() {
            let tables = shown.heats.iter().map(|heat| heat.result(&heat.agents)).collect();
            rounds.push(RoundResult { tables, byes: shown.free.clone(), waiting: shown.waiting.clone() });
        }
        TournamentResult { order: shown.order(), rounds, is_over: shown.result.is_some() }
    }

    /// Adds the results of the latest round to the open heats.
    fn add(&mut self, history: &History) {
        let open = self.heats.iter_mut().filter(|heat| heat.is_open);
        for (heat, played) in open.zip(history.latest()) {
            for (agent, halves) in &mut heat.agents {
                *halves += played.iter().find(|(of, _)| of == agent).map_or(0, |(_, halves)| *halves);
            }
        }
    }

    /// Adds the results of the latest round to the open heats, and closes those that are decided.
    fn read(&mut self, history: &History) {
        self.add(history);
        for heat in self.heats.iter_mut().filter(|heat| heat.is_open) {
            heat.agents.sort_by_key(|(_, halves)| std::cmp::Reverse(*halves));
            heat.is_open = heat.is_tied() && heat.extra < EXTRA_DEALS;
            heat.extra += u32::from(heat.is_open);
        }
    }

    /// Takes what the decided heats say; equal agents in the order of their lots.
    fn settle(&mut self, lives: u32, seed: u64, draw: u64) {
        let heats = std::mem::take(&mut self.heats);
        if heats.is_empty() {
            return;
        }
        let round = self.past.len();
        let mut tables = Vec::new();
        // Those who go out, with their shares.
        let mut gone: Vec<(AtTable, usize)> = Vec::new();
        for heat in &heats {
            let mut order = heat.agents.clone();
            order.sort_by_key(|(agent, halves)| (std::cmp::Reverse(*halves), lot(seed, draw, *agent)));
            let mut result = heat.result(&order);
            if heat.is_final {
                result.agents.iter_mut().for_each(|seated| seated.outcome = Some(HeatOutcome::Placed));
                self.result = Some(order.iter().map(|(agent, _)| *agent).collect());
            } else {
                for (place, seated) in result.agents.iter_mut().enumerate() {
                    seated.outcome = Some(self.judge(seated.agent, place < heat.advance, lives));
                    if seated.outcome == Some(HeatOutcome::Out) {
                        gone.push((*seated, self.seeds.iter().position(|agent| *agent == seated.agent).unwrap_or(0)));
                    }
                }
            }
            tables.push(result);
        }
        // The best at the end; equal ones by the seeding.
        gone.sort_by(|(one, one_seed), (other, other_seed)| {
            one.score.unwrap_or(0.0).total_cmp(&other.score.unwrap_or(0.0)).then(other_seed.cmp(one_seed))
        });
        self.out.extend(gone.into_iter().map(|(seated, _)| (seated.agent, round)));
        let (byes, waiting) = (std::mem::take(&mut self.free), std::mem::take(&mut self.waiting));
        self.past.push(RoundResult { tables, byes, waiting });
    }

    /// What a heat means for an agent that goes on or does not; one that was out and goes on is in again.
    fn judge(&mut self, agent: usize, goes_on: bool, lives: u32) -> HeatOutcome {
        self.out.retain(|(out, _)| *out != agent);
        let losses = &mut self.losses[agent];
        if goes_on {
            *losses = (*losses).min(lives - 1);
            return HeatOutcome::GoesOn;
        }
        *losses = (*losses + 1).min(lives);
        if *losses < lives { HeatOutcome::FirstLoss } else { HeatOutcome::Out }
    }

    /// Draws up the heats of a round, and who goes on without playing.
    fn draw_up(&mut self, seats: usize, advance: usize, lives: u32) {
        let with = |losses: u32| -> Vec<usize> {
            self.seeds.iter().copied().filter(|agent| self.losses[*agent] == losses).collect()
        };
        let pools: Vec<(Option<u32>, Vec<usize>)> = (0..lives).map(|losses| (Some(losses), with(losses))).collect();
        let left: Vec<usize> = pools.iter().flat_map(|(_, pool)| pool.clone()).collect();
        let best_out =
            |count: usize| -> Vec<usize> { self.out.iter().rev().take(count).map(|(agent, _)| *agent).collect() };
        if left.len() <= seats {
            let fill_ins = best_out(seats - left.len());
            let agents = left.iter().chain(&fill_ins).map(|agent| (*agent, 0)).collect();
            let losses = None;
            self.heats = vec![Heat { agents, advance: 1, extra: 0, is_open: true, is_final: true, fill_ins, losses }];
            return;
        }
        let all_left = left.len();
        let (full, small): (Vec<_>, Vec<_>) = pools.into_iter().partition(|(_, pool)| pool.len() >= seats);
        let (playing, waiting) = match full.is_empty() {
            true => (vec![(None, left)], Vec::new()),
            false => (full, small.into_iter().flat_map(|(_, pool)| pool).collect()),
        };
        let (mut drawn, mut free) = (Vec::new(), Vec::new());
        for (losses, pool) in playing {
            // With two lives nobody that is out comes back, but to keep others from a bye into the final.
            let after_byes = all_left - pool.len() / seats * (seats - advance);
            let may_fill = lives == 1 || (losses != Some(0) && after_byes <= seats);
            let out = if may_fill { self.out.len() } else { 0 };
            let (byes, fill_ins) = match (self.past.is_empty(), heats::fill_ins(pool.len(), seats, advance, out)) {
                (true, _) => (heats::first_byes(pool.len(), seats, advance), 0),
                (false, Some(missing)) => (0, missing),
                (false, None) => (pool.len() % seats, 0),
            };
            let mut by_byes = pool.clone();
            by_byes.sort_by_key(|agent| self.byes[*agent]);
            let sits_out = &by_byes[..byes];
            let fill_ins = best_out(fill_ins);
            let at_tables: Vec<usize> =
                pool.into_iter().filter(|agent| !sits_out.contains(agent)).chain(fill_ins.iter().copied()).collect();
            drawn.extend(heats::serpentine(&at_tables, seats).into_iter().map(|agents| Heat {
                fill_ins: fill_ins.iter().copied().filter(|agent| agents.contains(agent)).collect(),
                agents: agents.into_iter().map(|agent| (agent, 0)).collect(),
                advance,
                extra: 0,
                is_open: true,
                is_final: false,
                losses: losses.filter(|_| lives > 1),
            }));
            free.extend_from_slice(sits_out);
        }
        free.iter().for_each(|agent| self.byes[*agent] += 1);
        (self.heats, self.free, self.waiting) = (drawn, free, waiting);
    }
}

impl Heat {
    fn group(&self) -> Vec<usize> {
        self.agents.iter().map(|(agent, _)| *agent).collect()
    }

    /// How many of its agents are distinguished from the others.
    fn cut(&self) -> usize {
        if self.is_final { 1 } else { self.advance }
    }

    /// True if the agents, the best first, are equal where it matters.
    fn is_tied(&self) -> bool {
        let cut = self.cut();
        self.agents.get(cut).is_some_and(|(_, halves)| *halves == self.agents[cut - 1].1)
    }

    /// What is shown of it, `agents` being its agents in the order that counts.
    fn result(&self, agents: &[(usize, u64)]) -> TableResult {
        let mut result = TableResult::of(agents);
        let at_cut = agents.get(self.cut() - 1).map(|(_, halves)| *halves).filter(|_| !self.is_open && self.is_tied());
        for (seated, (_, halves)) in result.agents.iter_mut().zip(agents) {
            seated.by_lot = at_cut == Some(*halves);
            seated.fills_in = self.fill_ins.contains(&seated.agent);
        }
        TableResult { play_offs: self.extra, is_final: self.is_final, losses: self.losses, ..result }
    }
}
