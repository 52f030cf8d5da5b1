//! The games that are rated, and their deals: who was compared with whom in each, in a canonical order. Knows places, and no
//! ratings.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::score::duel;

/// The games of a pool of agents, each belonging to a deal.
#[derive(Clone, Debug, Default)]
pub struct Games {
    agents: usize,
    games: Vec<(u64, u32, u8)>,
    /// Agents and places of all games, one game after another.
    seats: Vec<(u32, u8)>,
}

impl Games {
    /// A pool of `agents` agents without games.
    pub fn new(agents: usize) -> Games {
        Games { agents, ..Games::default() }
    }

    /// Adds a game: its deal, and agents and places by seat. An agent may sit at several seats; it is not compared with
    /// itself.
    ///
    /// # Panics
    /// An agent is not in the pool, or there are more seats than 255.
    pub fn add(&mut self, deal: u64, seats: impl IntoIterator<Item = (usize, u8)>) {
        let first = self.seats.len();
        self.seats.extend(seats.into_iter().map(|(agent, place)| {
            assert!(agent < self.agents, "agent {agent} of {}", self.agents);
            (agent as u32, place)
        }));
        let count = self.seats.len() - first;
        assert!(count <= 255, "{count} seats");
        self.games.push((deal, first as u32, count as u8));
    }

    /// The games in which no agent sat that `is_out`, in the same pool.
    #[must_use]
    pub fn without(&self, is_out: impl Fn(usize) -> bool) -> Games {
        let mut games = Games::new(self.agents);
        for (deal, first, count) in &self.games {
            let seats = &self.seats[*first as usize..][..usize::from(*count)];
            if !seats.iter().any(|(agent, _)| is_out(*agent as usize)) {
                games.add(*deal, seats.iter().map(|(agent, place)| (*agent as usize, *place)));
            }
        }
        games
    }

    /// Another number of agents in the pool; those that have played stay.
    pub(crate) fn set_agents(&mut self, agents: usize) {
        self.agents = agents;
    }

    /// The number of agents in the pool.
    pub fn agents(&self) -> usize {
        self.agents
    }

    /// True without games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Passes the games of each deal to `each`, deal by deal: agents and places by seat.
    pub(in crate::statistics) fn for_each_deal(&self, mut each: impl FnMut(&[&[(u32, u8)]])) {
        let mut order: Vec<(u64, u32, u8)> = self.games.clone();
        if !order.is_sorted_by_key(|game| game.0) {
            order.sort_by_key(|game| game.0);
        }
        let mut deal: Vec<&[(u32, u8)]> = Vec::new();
        for games in order.chunk_by(|one, next| one.0 == next.0) {
            deal.clear();
            deal.extend(games.iter().map(|game| &self.seats[game.1 as usize..][..usize::from(game.2)]));
            each(&deal);
        }
    }

    /// Adds a finished game of a plan: its number there, and its places by seat.
    ///
    /// # Panics
    /// The game is not in the plan, or the plan's agents are not those of the pool.
    pub fn add_planned(&mut self, plan: &Plan, index: u64, places: &[u8]) {
        let game = plan.game(index);
        let agents = game.agents.iter().map(|agent| agent.index());
        self.add(plan.deal_of(index).0, agents.zip(places.iter().copied()));
    }
}

/// Comparisons of two agents, the one with the smaller number first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) weight: f64,
    /// The weighted score of the first.
    pub(super) score: f64,
}

/// Games as deals, each with its comparisons summed, in a canonical order.
pub(super) struct Deals {
    pub(super) agents: usize,
    pub(super) comparisons: Vec<Comparison>,
    /// The end of each deal's comparisons.
    ends: Vec<usize>,
}

impl Deals {
    pub(super) fn new(games: &Games) -> Deals {
        let seats = |game: &(u64, u32, u8)| &games.seats[game.1 as usize..][..usize::from(game.2)];
        let mut order: Vec<(u64, u32, u8)> = games.games.clone();
        if !order.is_sorted_by_key(|game| game.0) {
            order.sort_by_key(|game| game.0);
        }
        let mut deals = Deals { agents: games.agents, comparisons: Vec::new(), ends: Vec::new() };
        let mut open: Vec<Comparison> = Vec::new();
        for deal in order.chunk_by_mut(|one, next| one.0 == next.0) {
            deal.sort_unstable_by(|one, other| seats(one).cmp(seats(other)));
            deal.iter().for_each(|game| compare(seats(game), &mut open));
            open.sort_unstable_by_key(|known| (known.first, known.second));
            deals.comparisons.append(&mut open);
            deals.ends.push(deals.comparisons.len());
        }
        deals
    }

    /// The number of deals.
    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    /// The comparisons of each deal.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[Comparison]> {
        let mut first = 0;
        self.ends.iter().map(move |end| &self.comparisons[std::mem::replace(&mut first, *end)..*end])
    }

    /// All comparisons of each pair of agents, in order.
    pub(super) fn totals(&self) -> Vec<Comparison> {
        let mut sums = vec![(0.0, 0.0); self.agents * self.agents];
        for one in &self.comparisons {
            let (weight, score) = &mut sums[one.first * self.agents + one.second];
            *weight += one.weight;
            *score += one.score;
        }
        let met = sums.into_iter().enumerate().filter(|(_, (weight, _))| *weight > 0.0);
        met.map(|(place, (weight, score))| Comparison {
            first: place / self.agents,
            second: place % self.agents,
            weight,
            score,
        })
        .collect()
    }

    /// Each agent's results.
    pub(super) fn records(&self) -> Vec<Record> {
        let mut records = vec![Record::default(); self.agents];
        let mut last = vec![usize::MAX; self.agents];
        for (number, deal) in self.iter().enumerate() {
            for one in deal {
                for (agent, score) in [(one.first, one.score), (one.second, one.weight - one.score)] {
                    let record = &mut records[agent];
                    record.weight += one.weight;
                    record.won += score;
                    record.lost += one.weight - score;
                    record.deals += u64::from(std::mem::replace(&mut last[agent], number) != number);
                }
            }
        }
        records
    }
}

/// A record in which every comparison was won, or every one was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bound {
    /// All were won: the rating is at least the lower end.
    Low,
    /// All were lost: the rating is at most the upper end.
    High,
}

/// The results of one agent.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// Deals that it played.
    pub(super) deals: u64,
    /// Of all its comparisons.
    weight: f64,
    won: f64,
    lost: f64,
}

impl Record {
    pub(super) fn bound(&self) -> Option<Bound> {
        match () {
            () if self.weight == 0.0 => None,
            () if self.lost == 0.0 => Some(Bound::Low),
            () if self.won == 0.0 => Some(Bound::High),
            () => None,
        }
    }

    /// The least variance of its logit, if its record is so nearly perfect that the observed variance may be too small.
    pub(super) fn variance_floor(&self) -> Option<f64> {
        let (deals, mean) = (self.deals as f64, self.won / self.weight);
        let is_near_perfect = self.weight > 0.0 && deals * mean.min(1.0 - mean) < 3.0;
        let q = (deals * mean + 1.0) / (deals + 2.0);
        is_near_perfect.then(|| 1.0 / (deals * q * (1.0 - q)))
    }
}

/// Adds the comparisons of one game to those of its deal.
fn compare(seats: &[(u32, u8)], deal: &mut Vec<Comparison>) {
    let weight = 1.0 / (seats.len() as f64 - 1.0);
    for (seat, (agent, place)) in seats.iter().enumerate() {
        for (other, against) in &seats[seat + 1..] {
            let won = f64::from(duel(*place, *against)) / 2.0;
            let (first, second, won) = match agent.cmp(other) {
                Ordering::Equal => continue,
                Ordering::Less => (*agent as usize, *other as usize, won),
                Ordering::Greater => (*other as usize, *agent as usize, 1.0 - won),
            };
            match deal.iter_mut().find(|known| (known.first, known.second) == (first, second)) {
                Some(known) => {
                    known.weight += weight;
                    known.score += weight * won;
                }
                None => deal.push(Comparison { first, second, weight, score: weight * won }),
            }
        }
    }
}

/// The parts of the pool whose agents have met, each in order.
pub(super) fn parts(agents: usize, totals: &[Comparison]) -> Vec<Vec<usize>> {
    let mut of: Vec<usize> = (0..agents).collect();
    fn root(of: &mut [usize], mut agent: usize) -> usize {
        while of[agent] != agent {
            of[agent] = of[of[agent]];
            agent = of[agent];
        }
        agent
    }
    for one in totals {
        let (a, b) = (root(&mut of, one.first), root(&mut of, one.second));
        of[a.max(b)] = a.min(b);
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for agent in 0..agents {
        parts.entry(root(&mut of, agent)).or_default().push(agent);
    }
    parts.into_values().collect()
}
