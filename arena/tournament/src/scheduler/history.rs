//! What rounds depend on: the results so far, summed up as the formats need them. It decides nothing.

use crate::agent_id::AgentId;
use crate::format::{DecisionRule, Format, Method};
use crate::league::League;
use crate::plan::Plan;
use crate::rounds::{Round, Table};
use crate::schedule::swiss;
use crate::score::duel;
use crate::statistics::gsprt;
use crate::statistics::ratings::{self, FittedLogits, RatingOptions};
use crate::statistics::sequential::{ConfidenceSequence, MatchProgress, MatchVerdict, Side, match_unit};
use crate::statistics::{DealSums, Interval};

use super::lot::lot;
use super::tables::{deals, table};

/// An interval is not looked at before so many deals.
const LEAST_DEALS: u64 = 10;

#[derive(Clone, Debug)]
pub(super) struct History {
    taken: u64,
    /// The agents that play, in ascending order.
    playing: Vec<usize>,
    /// By agent, over complete deals.
    sums: Vec<DealSums>,
    /// By agent, halves won in comparisons with others.
    halves: Vec<u64>,
    byes: Vec<u64>,
    /// By pair, at how many tables they met.
    met: Vec<u64>,
    rated: ratings::Deals,
    match_state: Option<MatchState>,
    /// What a match's deals since the last unit showed: a unit is a deal by each rule set.
    unit: Vec<f64>,
    /// The games of the deal that is being taken: agents and places by seat.
    deal: Vec<(Vec<AgentId>, Vec<u8>)>,
    /// The tables before the latest round.
    tables_before: usize,
    /// By table of the latest round and agent there, in the order of the table: halves won.
    latest: Vec<Vec<(usize, u64)>>,
}

/// How a match stands after its complete deals.
#[derive(Clone, Debug)]
pub struct MatchState {
    decision: Option<DecisionRule>,
    /// Complete deals; with several rule sets, of each.
    pub deals: u64,
    sum: f64,
    progress: Option<MatchProgress>,
    sequence: ConfidenceSequence,
    cells: gsprt::Cells,
    ratio: f64,
    decided: Option<(MatchVerdict, u64)>,
}

impl MatchState {
    fn new(decision: Option<DecisionRule>) -> MatchState {
        let progress = decision.map(|decision| MatchProgress::new(decision.test));
        let sequence = ConfidenceSequence::new(0.05);
        MatchState {
            decision,
            deals: 0,
            sum: 0.0,
            progress,
            sequence,
            cells: gsprt::Cells::default(),
            ratio: 0.0,
            decided: None,
        }
    }

    fn take(&mut self, x: f64) {
        self.deals += 1;
        self.sum += x;
        self.sequence.take(x);
        let (Some(decision), Some(progress)) = (self.decision, &mut self.progress) else { return };
        progress.take(x);
        match decision.method {
            Method::Betting => self.decided = progress.decision,
            Method::Gsprt => {
                self.cells.take(x);
                let test = decision.test;
                self.ratio = gsprt::log_likelihood_ratio(&self.cells.counts(), test.mu0, test.mu1);
                let (low, high) = gsprt::bounds(test.alpha, test.beta);
                if self.decided.is_none() && self.ratio >= high {
                    self.decided = Some((MatchVerdict::Better, self.deals));
                } else if self.decided.is_none() && self.ratio <= low {
                    self.decided = Some((MatchVerdict::NotBetter, self.deals));
                }
            }
        }
    }

    /// The share of its comparisons that the first agent won, deal by deal; `None` before the first complete deal.
    pub fn mean(&self) -> Option<f64> {
        (self.deals > 0).then(|| self.sum / self.deals as f64)
    }

    /// An interval of that share that holds at all looks together, with 95 %.
    pub fn sequence(&self) -> Interval {
        let (low, high) = self.sequence.interval();
        Interval { low, high }
    }

    /// What is to be decided.
    pub fn decision(&self) -> Option<DecisionRule> {
        self.decision
    }

    /// The first decision, and the number of deals it took.
    pub fn decided(&self) -> Option<(MatchVerdict, u64)> {
        self.decided
    }

    /// How far the test is: the capitals bet on "better" and on "not better" over what decides, or the place of the likelihood
    /// ratio between its bounds.
    pub fn progress(&self) -> Option<[f64; 2]> {
        let (decision, progress) = (self.decision?, self.progress.as_ref()?);
        let test = decision.test;
        Some(match decision.method {
            Method::Betting => [progress.capital[0] * test.alpha, progress.capital[1] * test.beta],
            Method::Gsprt => {
                let (low, high) = gsprt::bounds(test.alpha, test.beta);
                [(self.ratio / high).max(0.0), (self.ratio / low).max(0.0)]
            }
        })
    }
}

impl History {
    pub(super) fn new(league: &League) -> History {
        let agents = league.agents.len();
        History {
            taken: 0,
            playing: (0..agents).collect(),
            sums: vec![DealSums::default(); agents],
            halves: vec![0; agents],
            byes: vec![0; agents],
            met: vec![0; agents * agents],
            rated: ratings::Deals::new(agents),
            match_state: (league.format == Format::Match).then(|| MatchState::new(league.stop.decision)),
            unit: Vec::new(),
            deal: Vec::new(),
            tables_before: 0,
            latest: Vec::new(),
        }
    }

    /// The agents that play, in ascending order.
    pub(super) fn playing(&self) -> &[usize] {
        &self.playing
    }

    /// Another pool from now on. Ratings are those of the agents that have ever been in it, so that what was rated before an agent
    /// joined can be rated again to the last bit.
    pub(super) fn play_with(&mut self, playing: Vec<usize>, known: usize) {
        let known = playing.last().map_or(known, |last| known.max(last + 1));
        self.rated.set_agents(known);
        self.playing = playing;
    }

    /// Room for so many agents.
    pub(super) fn grow(&mut self, agents: usize) {
        let before = self.sums.len();
        self.sums.resize(agents, DealSums::default());
        self.halves.resize(agents, 0);
        self.byes.resize(agents, 0);
        let mut met = vec![0; agents * agents];
        for (row, known) in self.met.chunks_exact(before.max(1)).enumerate() {
            met[row * agents..][..before].copy_from_slice(known);
        }
        self.met = met;
    }

    /// Leaves out the next game of `plan`, which is not played any more.
    pub(super) fn skip(&mut self, plan: &Plan) {
        let (first, games) = plan.deal_of(self.taken);
        self.taken += 1;
        if self.taken == first + games {
            self.take_deal(plan.league().rule_sets);
        }
    }

    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    pub(super) fn match_state(&self) -> Option<&MatchState> {
        self.match_state.as_ref()
    }

    /// By table of the latest round: its agents, each with the halves it won.
    pub(super) fn latest(&self) -> &[Vec<(usize, u64)>] {
        &self.latest
    }

    /// A round begins.
    pub(super) fn begin(&mut self, round: &Round) {
        let Round::Tables { tables, byes } = round else { return };
        self.tables_before += self.latest.len();
        self.latest =
            tables.iter().map(|table| agents_of(table).into_iter().map(|agent| (agent, 0)).collect()).collect();
        byes.iter().for_each(|agent| self.byes[agent.index()] += 1);
        let agents = self.sums.len();
        for table in tables {
            let group = agents_of(table);
            for one in &group {
                group.iter().filter(|other| *other != one).for_each(|other| self.met[one * agents + other] += 1);
            }
        }
    }

    /// Takes the places of the next game of `plan`.
    pub(super) fn take(&mut self, plan: &Plan, places: &[u8]) {
        let game = plan.game(self.taken);
        let (first, games) = plan.deal_of(self.taken);
        self.taken += 1;
        let table = (game.deal.group as usize).checked_sub(self.tables_before);
        for (agent, _, halves) in comparisons(&game.agents, places) {
            self.halves[agent] += halves;
            if let Some(latest) = table.and_then(|table| self.latest.get_mut(table))
                && let Some((_, sum)) = latest.iter_mut().find(|(of, _)| *of == agent)
            {
                *sum += halves;
            }
        }
        self.deal.push((game.agents, places.to_vec()));
        if self.taken == first + games {
            self.take_deal(plan.league().rule_sets);
        }
    }

    fn take_deal(&mut self, rule_sets: usize) {
        let deal = std::mem::take(&mut self.deal);
        let Some((agents, _)) = deal.first() else { return };
        let mut group: Vec<usize> = agents.iter().map(|agent| agent.index()).collect();
        group.sort_unstable();
        group.dedup();
        for agent in group {
            let own =
                deal.iter().flat_map(|(agents, places)| comparisons(agents, places)).filter(|(of, ..)| *of == agent);
            let (compared, halves) = own.fold((0, 0), |sum, (_, compared, halves)| (sum.0 + compared, sum.1 + halves));
            self.sums[agent].add(compared, halves);
        }
        let seats = |(agents, places): &(Vec<AgentId>, Vec<u8>)| -> Vec<(u32, u8)> {
            agents.iter().map(|agent| agent.index() as u32).zip(places.iter().copied()).collect()
        };
        let games: Vec<Vec<(u32, u8)>> = deal.iter().map(seats).collect();
        self.rated.add(games.iter().map(Vec::as_slice));
        if let Some(state) = &mut self.match_state {
            let side = |agent: &AgentId| Side::ALL.get(agent.index()).copied();
            let sides: Vec<Vec<Option<Side>>> =
                deal.iter().map(|(agents, _)| agents.iter().map(side).collect()).collect();
            let games = sides.iter().zip(&deal).map(|(sides, (_, places))| (&sides[..], &places[..]));
            self.unit.extend(match_unit(games));
            // One rule set may favour a side, and the test is about all of them.
            if self.unit.len() == rule_sets {
                state.take(self.unit.drain(..).sum::<f64>() / rule_sets as f64);
            }
        }
    }

    /// The logits that fit the complete deals so far.
    pub(super) fn fitted(&self) -> FittedLogits {
        FittedLogits::of(&self.rated, RatingOptions::default().prior)
    }

    /// Deals that an agent has completed.
    pub(super) fn deals(&self, agent: usize) -> u64 {
        self.sums[agent].deals
    }

    /// True if all that the stop rules want to be shown has been shown; false if they want nothing.
    pub(super) fn has_shown(&self, league: &League) -> bool {
        let stop = &league.stop;
        if !stop.wants_evidence() {
            return false;
        }
        let is_narrow = |sums: &DealSums, width: f64| {
            let interval = sums.estimate(2).and_then(|estimate| estimate.interval);
            sums.deals >= LEAST_DEALS && interval.is_some_and(|interval| interval.high - interval.low <= width)
        };
        let narrow =
            stop.width.is_none_or(|width| self.playing.iter().all(|agent| is_narrow(&self.sums[*agent], width)));
        let decided = stop.decision.is_none() || self.match_state.as_ref().is_some_and(|state| state.decided.is_some());
        narrow && decided && (!stop.wants_ranks() || self.undecided(league).is_empty())
    }

    /// The next round of a Swiss tournament: by score, then the mean score of the opponents met, the rating, the lot.
    pub(super) fn swiss_round(&self, plan: &Plan, seed: u64, number: usize) -> Round {
        let league = plan.league();
        let order = self.swiss_order(league, seed, number as u64);
        let agents = self.sums.len();
        let met = |one: usize, other: usize| self.met[one * agents + other];
        let swiss::SwissRound { tables, byes } = swiss::round(&order, league.seats, met, |agent| self.byes[agent]);
        Round::Tables {
            tables: tables.iter().map(|agents| table(agents, deals(plan))).collect(),
            byes: byes.into_iter().map(|agent| AgentId(agent as u16)).collect(),
        }
    }

    /// The standings of a Swiss tournament, the best first.
    pub(super) fn swiss_order(&self, league: &League, seed: u64, number: u64) -> Vec<usize> {
        let agents = self.sums.len();
        // A round without play counts as one in which half of everything was won.
        let bye = league.games_of_meeting() * (league.seats as u64 - 1);
        let points: Vec<u64> = (0..agents).map(|agent| self.halves[agent] + self.byes[agent] * bye).collect();
        let opponents = |agent: usize| {
            let met = &self.met[agent * agents..][..agents];
            let tables: u64 = met.iter().sum();
            let sum: u64 = met.iter().zip(&points).map(|(times, points)| times * points).sum();
            if tables == 0 { 0.0 } else { sum as f64 / tables as f64 }
        };
        let logits = self.fitted().logits;
        let mut order: Vec<usize> = (0..agents).collect();
        order.sort_by(|a, b| {
            let by_points = points[*b].cmp(&points[*a]);
            by_points
                .then_with(|| opponents(*b).total_cmp(&opponents(*a)))
                .then_with(|| logits[*b].total_cmp(&logits[*a]))
                .then_with(|| lot(seed, number, *a).cmp(&lot(seed, number, *b)))
        });
        order
    }
}

/// The agents of a table, each once, in the order of their seats.
fn agents_of(table: &Table) -> Vec<usize> {
    let mut agents: Vec<usize> = Vec::new();
    for agent in &table.agents {
        if !agents.contains(&agent.index()) {
            agents.push(agent.index());
        }
    }
    agents
}

/// By seat: its agent, its comparisons with seats of others, and the halves won in them.
fn comparisons<'a>(agents: &'a [AgentId], places: &'a [u8]) -> impl Iterator<Item = (usize, u64, u64)> + 'a {
    agents.iter().zip(places).map(move |(agent, place)| {
        let others = agents.iter().zip(places).filter(move |(other, _)| *other != agent);
        let (compared, halves) =
            others.fold((0, 0), |(count, sum), (_, against)| (count + 1, sum + u64::from(duel(*place, *against))));
        (agent.index(), compared, halves)
    })
}
