//! The games that are rated, and their deals: who was compared with whom in each, in a canonical order, summed up by kinds of
//! deals. Knows places, and no ratings.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::score::duel;

/// The games of a pool of agents, each belonging to a deal.
#[derive(Clone, Debug, Default)]
pub struct RatedGames {
    agents: usize,
    games: Vec<(u64, u32, u8)>,
    /// Agents and places of all games, one game after another.
    seats: Vec<(u32, u8)>,
}

impl RatedGames {
    /// A pool of `agents` agents without games.
    pub fn new(agents: usize) -> RatedGames {
        RatedGames { agents, ..RatedGames::default() }
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
    pub fn without(&self, is_out: impl Fn(usize) -> bool) -> RatedGames {
        let mut games = RatedGames::new(self.agents);
        for (deal, first, count) in &self.games {
            let seats = &self.seats[*first as usize..][..usize::from(*count)];
            if !seats.iter().any(|(agent, _)| is_out(*agent as usize)) {
                games.add(*deal, seats.iter().map(|(agent, place)| (*agent as usize, *place)));
            }
        }
        games
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

/// Deals summed up for ratings: those in which the same agents were compared equally often are one kind, of which only sums are
/// kept. So rating costs as much for a million deals of a few agents as for a thousand, and deals can be added one by one.
///
/// The same deals in the same order give the same bits, whether they are added at once or between ratings.
#[derive(Clone, Debug, Default)]
pub struct Deals {
    agents: usize,
    count: u64,
    kinds: BTreeMap<Box<[Compared]>, DealKindSums>,
    /// The comparisons of the deal that is being added.
    open: Vec<Comparison>,
}

/// Two agents of a kind of deals, and the bits of the weight with which they are compared in each.
type Compared = (u32, u32, u64);

/// The sums over the deals of a kind.
#[derive(Clone, Debug)]
pub(super) struct DealKindSums {
    /// Its agents in order.
    pub(super) agents: Vec<usize>,
    pub(super) deals: u64,
    /// Weights and scores summed over the deals. (Sums of weights and not products: a perfect score is the same sum to the last bit.)
    pub(super) comparisons: Vec<Comparison>,
    /// By comparison, the squares of the scores. Empty with one deal: they follow from the scores.
    squares: Vec<f64>,
    /// By two agents, the products of what each won more than it lost. Empty with one deal.
    products: Vec<f64>,
}

impl DealKindSums {
    fn new(deal: &[Comparison]) -> DealKindSums {
        let mut agents: Vec<usize> = deal.iter().flat_map(|one| [one.first, one.second]).collect();
        agents.sort_unstable();
        agents.dedup();
        DealKindSums { agents, deals: 1, comparisons: deal.to_vec(), squares: Vec::new(), products: Vec::new() }
    }

    fn add(&mut self, deal: &[Comparison]) {
        if self.deals == 1 {
            (self.squares, self.products) = (self.squares(), self.products());
        }
        self.deals += 1;
        for ((sum, square), one) in self.comparisons.iter_mut().zip(&mut self.squares).zip(deal) {
            sum.weight += one.weight;
            sum.score += one.score;
            *square += one.score * one.score;
        }
        let more = products(&self.won_more(deal));
        self.products.iter_mut().zip(more).for_each(|(sum, product)| *sum += product);
    }

    /// The place of an agent among those of the kind.
    pub(super) fn place(&self, agent: usize) -> usize {
        self.agents.binary_search(&agent).unwrap_or(0)
    }

    /// By agent, the weighted scores won as the first of a comparison less those that the first won against it.
    fn won_more(&self, comparisons: &[Comparison]) -> Vec<f64> {
        let mut won = vec![0.0; self.agents.len()];
        for one in comparisons {
            won[self.place(one.first)] += one.score;
            won[self.place(one.second)] -= one.score;
        }
        won
    }

    /// By comparison, the sum of the squared scores of the deals.
    pub(super) fn squares(&self) -> Vec<f64> {
        match self.deals {
            1 => self.comparisons.iter().map(|one| one.score * one.score).collect(),
            _ => self.squares.clone(),
        }
    }

    fn products(&self) -> Vec<f64> {
        match self.deals {
            1 => products(&self.won_more(&self.comparisons)),
            _ => self.products.clone(),
        }
    }

    /// The sum of `g gᵀ` over the deals, where `g` is what each agent won more than it lost in a deal, less what it was `expected` to.
    pub(super) fn surprises(&self, expected: &[f64]) -> Surprises {
        let size = self.agents.len();
        let sums = self.won_more(&self.comparisons);
        if self.deals == 1 {
            return Surprises::One(sums.iter().zip(expected).map(|(won, expected)| won - expected).collect());
        }
        let mut squared = self.products();
        for row in 0..size {
            for column in 0..size {
                squared[row * size + column] += self.deals as f64 * expected[row] * expected[column]
                    - sums[row] * expected[column]
                    - expected[row] * sums[column];
            }
        }
        Surprises::Summed(squared)
    }
}

/// What the deals of a kind show beyond what was expected.
pub(super) enum Surprises {
    /// The `g` of the only deal.
    One(Vec<f64>),
    /// The sum of `g gᵀ`, row by row.
    Summed(Vec<f64>),
}

/// The products of each two of the numbers, row by row.
pub(super) fn products(numbers: &[f64]) -> Vec<f64> {
    numbers.iter().flat_map(|one| numbers.iter().map(move |other| one * other)).collect()
}

impl Deals {
    /// A pool of `agents` agents without deals.
    pub fn new(agents: usize) -> Deals {
        Deals { agents, ..Deals::default() }
    }

    /// The deals of games, in the order of their numbers.
    pub(super) fn of(games: &RatedGames) -> Deals {
        let seats = |game: &(u64, u32, u8)| &games.seats[game.1 as usize..][..usize::from(game.2)];
        let mut order: Vec<(u64, u32, u8)> = games.games.clone();
        if !order.is_sorted_by_key(|game| game.0) {
            order.sort_by_key(|game| game.0);
        }
        let mut deals = Deals::new(games.agents);
        for deal in order.chunk_by_mut(|one, next| one.0 == next.0) {
            deal.sort_unstable_by(|one, other| seats(one).cmp(seats(other)));
            deals.add_in_order(deal.iter().map(seats));
        }
        deals
    }

    /// Adds a deal: of each of its games, agents and places by seat. An agent may sit at several seats; it is not compared with
    /// itself.
    pub fn add<'a>(&mut self, games: impl IntoIterator<Item = &'a [(u32, u8)]>) {
        let mut games: Vec<&[(u32, u8)]> = games.into_iter().collect();
        games.sort_unstable();
        self.add_in_order(games.into_iter());
    }

    fn add_in_order<'a>(&mut self, games: impl Iterator<Item = &'a [(u32, u8)]>) {
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        games.for_each(|seats| compare(seats, &mut open));
        open.sort_unstable_by_key(|known| (known.first, known.second));
        let key: Box<[Compared]> =
            open.iter().map(|one| (one.first as u32, one.second as u32, one.weight.to_bits())).collect();
        match self.kinds.entry(key) {
            Entry::Occupied(known) => known.into_mut().add(&open),
            Entry::Vacant(new) => _ = new.insert(DealKindSums::new(&open)),
        }
        self.count += 1;
        self.open = open;
    }

    /// Another number of agents in the pool; those that have played stay.
    pub(crate) fn set_agents(&mut self, agents: usize) {
        self.agents = agents;
    }

    /// The number of agents in the pool.
    pub(super) fn agents(&self) -> usize {
        self.agents
    }

    /// The number of deals.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The kinds of deals.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &DealKindSums> {
        self.kinds.values()
    }

    /// All comparisons of each pair of agents, in order.
    pub(super) fn totals(&self) -> Vec<Comparison> {
        let mut sums = vec![(0.0, 0.0); self.agents * self.agents];
        for one in self.kinds().flat_map(|kind| &kind.comparisons) {
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
        for kind in self.kinds() {
            for one in &kind.comparisons {
                for (agent, score) in [(one.first, one.score), (one.second, one.weight - one.score)] {
                    let record = &mut records[agent];
                    record.weight += one.weight;
                    record.won += score;
                    record.lost += one.weight - score;
                }
            }
            kind.agents.iter().for_each(|agent| records[*agent].deals += kind.deals);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ratings::{RatingOptions, rate, rate_deals};

    #[test]
    fn deals_that_are_added_one_by_one_and_rated_between_are_rated_as_all_at_once() {
        let mut games = RatedGames::new(5);
        let mut deals = Deals::new(5);
        for deal in 0..60_u64 {
            // Three tables that come again and again, and each has several results.
            let table = [[0, 1, 2], [1, 3, 4], [0, 2, 4]][(deal % 3) as usize];
            let results = [[1, 2, 2], [2, 1, 3], [3, 1, 1], [1, 3, 2]];
            let seated: Vec<Vec<(u32, u8)>> = (0..3)
                .map(|turn| {
                    let places = results[((deal / 3 + turn as u64 * deal) % 4) as usize];
                    (0..3).map(|seat| (table[(seat + turn) % 3], places[seat])).collect()
                })
                .collect();
            for game in &seated {
                games.add(deal, game.iter().map(|(agent, place)| (*agent as usize, *place)));
            }
            deals.add(seated.iter().map(Vec::as_slice));
            assert_eq!(
                rate_deals(&deals, &RatingOptions::default()),
                rate(&games, &RatingOptions::default()),
                "deal {deal}"
            );
        }
        assert_eq!((deals.kinds.len(), deals.count()), (3, 60));
    }
}
