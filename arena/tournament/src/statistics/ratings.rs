//! Joint ratings of all agents from all games: Bradley-Terry by paired comparisons inside games, as a quasi-likelihood.
//!
//! Every two seats of a game are compared: 1 for being ahead, 1/2 for a tie, with weight 1/(seats - 1). So an agent's rating
//! depends on its results only through its score at the tables, ties need no parameter, and tables of any size can be combined.
//! A prior of one drawn game against a rating of 0 keeps perfect records finite.
//!
//! Errors are by deal, since games of one deal are not independent: the sandwich estimator in its leave-one-deal-out form CR3
//! (Bell and McCaffrey, Survey Methodology 28, 2002), with Student's quantile for the agent's deals. Nearly perfect records
//! have hardly any variance to observe, so there is a floor under it; for a perfect record only one end is known.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::Interval;
use super::matrix::{Matrix, solve};
use super::student::{quantile_975, two_sided_p};
use crate::plan::Plan;
use crate::score::duel;

/// Points of the rating scale per unit of the logistic scale: 400 points are odds of 10 to 1.
pub const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// The options of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The rating of the mean of the pool, or of the anchor.
    pub base: f64,
    /// An agent whose rating is fixed at `base`.
    pub anchor: Option<usize>,
    /// Drawn games added for each agent, against a rating of 0.
    pub prior: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { base: 1500.0, anchor: None, prior: 1.0 }
    }
}

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
}

impl Games {
    /// Adds a finished game of a plan: its number there, and its places by seat.
    ///
    /// # Panics
    /// The game is not in the plan, or the plan's agents are not those of the pool.
    pub fn add_planned(&mut self, plan: &Plan, index: u64, places: &[u8]) {
        let game = plan.game(index);
        let agents = game.agents.iter().map(|agent| agent.index());
        self.add(index / plan.seats() as u64, agents.zip(places.iter().copied()));
    }
}

/// A record in which every comparison was won, or every one was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// All were won: the rating is at least the lower end.
    Low,
    /// All were lost: the rating is at most the upper end.
    High,
}

/// The rating of one agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// On the logistic scale, centred by the prior.
    pub logit: f64,
    /// On the rating scale.
    pub rating: f64,
    /// Its standard error; absent with fewer than two deals in all.
    pub std_error: Option<f64>,
    /// The 95 % interval.
    pub interval: Option<Interval>,
    /// Deals that the agent played.
    pub deals: u64,
    /// The mean of its expected scores against each of the others.
    pub expected_score: f64,
    /// True if only one end of the interval is known.
    pub bound: Option<Bound>,
    /// The best and the worst rank that the games do not rule out, at 5 % over all pairs (Holm).
    pub ranks: (usize, usize),
}

/// Two agents compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The agents, the smaller number first.
    pub agents: (usize, usize),
    /// The first one's rating minus the second one's, in logits.
    pub difference: f64,
    /// Its standard error.
    pub std_error: f64,
    /// The two-sided probability of a difference this large between equals.
    pub p: f64,
    /// How far the model is from their games, in standard errors of the deals' residuals; absent if they have not met.
    pub misfit: Option<f64>,
}

/// Joint ratings.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By agent.
    pub agents: Vec<Rating>,
    /// All pairs of agents in the same part, in order.
    pub pairs: Vec<Pair>,
    /// Parts of the pool between which no game was played, each with its agents in order. Ratings of different parts cannot be
    /// compared.
    pub parts: Vec<Vec<usize>>,
}

/// The difference of two ratings, in points of the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The first rating minus the second.
    pub points: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// The two-sided probability of a difference this large between equals.
    pub p: f64,
}

impl Ratings {
    /// How far agent `one` is rated above agent `other`; `None` if no chain of games leads from one to the other, or there are
    /// fewer than two deals.
    pub fn difference(&self, one: usize, other: usize) -> Option<Difference> {
        let (first, sign) = if one < other { ((one, other), 1.0) } else { ((other, one), -1.0) };
        let pair = self.pairs.iter().find(|pair| pair.agents == first)?;
        let deals = self.agents[one].deals.min(self.agents[other].deals);
        if deals < 2 {
            return None;
        }
        let (points, reach) = (sign * pair.difference * POINTS, quantile_975(freedom(deals)) * pair.std_error * POINTS);
        Some(Difference { points, interval: Interval { low: points - reach, high: points + reach }, p: pair.p })
    }

    /// How many pairs of the agents that `count` are told apart: by Holm's procedure, at 5 % over all pairs.
    pub fn decided(&self, count: impl Fn(usize) -> bool) -> usize {
        decided(&self.pairs).filter(|pair| count(pair.agents.0) && count(pair.agents.1)).count()
    }
}

/// Comparisons of two agents, the one with the smaller number first.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    first: usize,
    second: usize,
    weight: f64,
    /// The weighted score of the first.
    score: f64,
}

/// Games as deals, each with its comparisons summed, in a canonical order.
struct Deals {
    agents: usize,
    comparisons: Vec<Comparison>,
    /// The end of each deal's comparisons.
    ends: Vec<usize>,
}

impl Deals {
    fn new(games: &Games) -> Deals {
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

    fn iter(&self) -> impl Iterator<Item = &[Comparison]> {
        let mut first = 0;
        self.ends.iter().map(move |end| &self.comparisons[std::mem::replace(&mut first, *end)..*end])
    }

    /// All comparisons of each pair of agents, in order.
    fn totals(&self) -> Vec<Comparison> {
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

fn sigma(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// The number of Newton steps after which the matrix of second derivatives is kept: from there on only the gradient is
/// recomputed.
const FULL_STEPS: usize = 4;

/// The logits that solve the equations, and the inverse of the information at that point.
fn fit(agents: usize, totals: &[Comparison], prior: f64) -> (Vec<f64>, Matrix) {
    let mut logits = vec![0.0; agents];
    let mut inverse = information(&logits, totals, prior).inverse();
    for step in 0..1_000 {
        if (1..=FULL_STEPS).contains(&step) {
            inverse = information(&logits, totals, prior).inverse();
        }
        let mut gradient: Vec<f64> = logits.iter().map(|logit| prior * (0.5 - sigma(*logit))).collect();
        for one in totals {
            let residual = one.score - one.weight * sigma(logits[one.first] - logits[one.second]);
            gradient[one.first] += residual;
            gradient[one.second] -= residual;
        }
        let mut change = inverse.times(&gradient);
        let greatest = change.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
        if greatest > 2.0 {
            change.iter_mut().for_each(|part| *part *= 2.0 / greatest);
        }
        logits.iter_mut().zip(&change).for_each(|(logit, change)| *logit += change);
        if greatest < 1e-12 {
            break;
        }
        // Far from the solution the kept matrix may not converge.
        if step > FULL_STEPS && greatest > 1e-3 {
            inverse = information(&logits, totals, prior).inverse();
        }
    }
    let inverse = information(&logits, totals, prior).inverse();
    (logits, inverse)
}

fn information(logits: &[f64], totals: &[Comparison], prior: f64) -> Matrix {
    let mut matrix = Matrix::zero(logits.len());
    for (agent, logit) in logits.iter().enumerate() {
        let p = sigma(*logit);
        matrix.add(agent, agent, prior * p * (1.0 - p));
    }
    for one in totals {
        let p = sigma(logits[one.first] - logits[one.second]);
        let value = one.weight * p * (1.0 - p);
        matrix.add(one.first, one.first, value);
        matrix.add(one.second, one.second, value);
        matrix.add(one.first, one.second, -value);
        matrix.add(one.second, one.first, -value);
    }
    matrix
}

/// The covariance of the logits: the sandwich by deal, CR3.
fn covariance(deals: &Deals, logits: &[f64], inverse: &Matrix) -> Matrix {
    let mut middle = Matrix::zero(deals.agents);
    let mut agents: Vec<usize> = Vec::new();
    let (mut gradient, mut information, mut equations) = (Vec::new(), Vec::new(), Vec::new());
    for deal in deals.iter() {
        agents.clear();
        agents.extend(deal.iter().flat_map(|one| [one.first, one.second]));
        agents.sort_unstable();
        agents.dedup();
        let size = agents.len();
        let place = |agent: usize| agents.binary_search(&agent).unwrap_or(0);
        reset(&mut gradient, size);
        reset(&mut information, size * size);
        for one in deal {
            let p = sigma(logits[one.first] - logits[one.second]);
            let residual = one.score - one.weight * p;
            let (first, second, value) = (place(one.first), place(one.second), one.weight * p * (1.0 - p));
            gradient[first] += residual;
            gradient[second] -= residual;
            information[first * size + first] += value;
            information[second * size + second] += value;
            information[first * size + second] -= value;
            information[second * size + first] -= value;
        }
        // (I - H A) u = g
        reset(&mut equations, size * (size + 1));
        for (row, equation) in equations.chunks_exact_mut(size + 1).enumerate() {
            for (inner, factor) in information[row * size..][..size].iter().enumerate() {
                let known = inverse.row(agents[inner]);
                equation.iter_mut().zip(&agents).for_each(|(cell, column)| *cell -= factor * known[*column]);
            }
            equation[row] += 1.0;
            equation[size] = gradient[row];
        }
        let left_out = solve(&mut equations, size);
        for (row, u) in agents.iter().zip(&left_out) {
            for (column, v) in agents.iter().zip(&left_out) {
                middle.add(*row, *column, u * v);
            }
        }
    }
    let count = deals.ends.len() as f64;
    let scale = if count > 0.0 { (count - 1.0) / count } else { 0.0 };
    for row in 0..deals.agents {
        middle.row_mut(row).iter_mut().for_each(|cell| *cell *= scale);
    }
    inverse.around(&middle)
}

/// Fills `list` with `size` zeros.
fn reset(list: &mut Vec<f64>, size: usize) {
    list.clear();
    list.resize(size, 0.0);
}

/// The parts of the pool whose agents have met, each in order.
fn parts(agents: usize, totals: &[Comparison]) -> Vec<Vec<usize>> {
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

/// The ratings of all agents. The same games in any order give the same bits.
pub fn rate(games: &Games, options: &Options) -> Ratings {
    let deals = Deals::new(games);
    let totals = deals.totals();
    let count = games.agents;
    let (logits, inverse) = fit(count, &totals, options.prior);
    let mut variance = covariance(&deals, &logits, &inverse);
    let parts = parts(count, &totals);

    let (mut played, mut weight, mut won) = (vec![0_u64; count], vec![0.0; count], vec![0.0; count]);
    let mut last = vec![usize::MAX; count];
    let mut losses = vec![0.0; count];
    for (number, deal) in deals.iter().enumerate() {
        for one in deal {
            for (agent, score) in [(one.first, one.score), (one.second, one.weight - one.score)] {
                weight[agent] += one.weight;
                won[agent] += score;
                losses[agent] += one.weight - score;
                if std::mem::replace(&mut last[agent], number) != number {
                    played[agent] += 1;
                }
            }
        }
    }
    let bound = |agent: usize| match () {
        () if weight[agent] == 0.0 => None,
        () if losses[agent] == 0.0 => Some(Bound::Low),
        () if won[agent] == 0.0 => Some(Bound::High),
        () => None,
    };
    for agent in (0..count).filter(|agent| weight[*agent] > 0.0) {
        let (deals, mean) = (played[agent] as f64, won[agent] / weight[agent]);
        if deals * mean.min(1.0 - mean) < 3.0 {
            let q = (deals * mean + 1.0) / (deals + 2.0);
            let floor = 1.0 / (deals * q * (1.0 - q));
            let own = variance.at(agent, agent);
            variance.add(agent, agent, own.max(floor) - own);
        }
    }

    let pairs = pairs(&parts, &logits, &variance, &played, &misfits(&deals, &logits));
    let ranks = ranks(count, &pairs);
    let errors = rating_errors(&variance, options.anchor);
    let reference = match options.anchor {
        Some(anchor) => logits[anchor],
        None => logits.iter().sum::<f64>() / count as f64,
    };
    let agents = (0..count).map(|agent| {
        let rating = options.base + POINTS * (logits[agent] - reference);
        let std_error = (deals.ends.len() > 1).then(|| POINTS * errors[agent]);
        let others = (0..count).filter(|other| *other != agent).map(|other| sigma(logits[agent] - logits[other]));
        Rating {
            logit: logits[agent],
            rating,
            std_error,
            interval: std_error.map(|error| {
                let reach = quantile_975(freedom(played[agent])) * error;
                Interval { low: rating - reach, high: rating + reach }
            }),
            deals: played[agent],
            expected_score: others.sum::<f64>() / (count.max(2) - 1) as f64,
            bound: bound(agent),
            ranks: ranks[agent],
        }
    });
    Ratings { agents: agents.collect(), pairs, parts }
}

fn freedom(deals: u64) -> u64 {
    deals.saturating_sub(1).max(1)
}

/// Standard errors of each logit minus that of the reference.
fn rating_errors(variance: &Matrix, anchor: Option<usize>) -> Vec<f64> {
    let size = variance.size;
    let of_agent = |agent: usize| variance.at(agent, agent);
    let errors: Vec<f64> = match anchor {
        Some(anchor) => {
            let against = |agent| of_agent(agent) + of_agent(anchor) - 2.0 * variance.at(agent, anchor);
            (0..size).map(against).collect()
        }
        None => {
            let sums: Vec<f64> = (0..size).map(|row| variance.row(row).iter().sum()).collect();
            let (count, all) = (size as f64, sums.iter().sum::<f64>());
            (0..size).map(|agent| of_agent(agent) - 2.0 * sums[agent] / count + all / (count * count)).collect()
        }
    };
    errors.into_iter().map(|variance| variance.max(0.0).sqrt()).collect()
}

fn pairs(
    parts: &[Vec<usize>],
    logits: &[f64],
    variance: &Matrix,
    played: &[u64],
    misfits: &[Option<f64>],
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for part in parts {
        for (place, first) in part.iter().enumerate() {
            for second in &part[place + 1..] {
                let difference = logits[*first] - logits[*second];
                let square =
                    variance.at(*first, *first) + variance.at(*second, *second) - 2.0 * variance.at(*first, *second);
                let std_error = square.max(0.0).sqrt();
                let p = match std_error {
                    0.0 => f64::from(u8::from(difference == 0.0)),
                    error => two_sided_p(difference / error, freedom(played[*first].min(played[*second]))),
                };
                let misfit = misfits[first * logits.len() + second];
                pairs.push(Pair { agents: (*first, *second), difference, std_error, p, misfit });
            }
        }
    }
    pairs.sort_by_key(|pair| pair.agents);
    pairs
}

/// The pairs that Holm's procedure tells apart at 5 % over all pairs.
fn decided(pairs: &[Pair]) -> impl Iterator<Item = &Pair> {
    let mut by_p: Vec<&Pair> = pairs.iter().collect();
    by_p.sort_by(|a, b| a.p.total_cmp(&b.p).then(a.agents.cmp(&b.agents)));
    by_p.into_iter()
        .enumerate()
        .take_while(|(place, pair)| pair.p <= 0.05 / (pairs.len() - place) as f64)
        .map(|(_, pair)| pair)
}

/// The ranks that Holm's procedure leaves for each agent, at 5 % over all pairs.
fn ranks(agents: usize, pairs: &[Pair]) -> Vec<(usize, usize)> {
    let mut ranks = vec![(1, agents); agents];
    for pair in decided(pairs) {
        let (better, worse) = if pair.difference > 0.0 { pair.agents } else { (pair.agents.1, pair.agents.0) };
        ranks[better].1 -= 1;
        ranks[worse].0 += 1;
    }
    ranks
}

/// By pair (the first agent's number times the pool's size plus the second's): how far the model is from their games.
fn misfits(deals: &Deals, logits: &[f64]) -> Vec<Option<f64>> {
    let mut sums = vec![(0.0, 0.0_f64); deals.agents * deals.agents];
    for one in &deals.comparisons {
        let residual = one.score - one.weight * sigma(logits[one.first] - logits[one.second]);
        let (sum, squares) = &mut sums[one.first * deals.agents + one.second];
        *sum += residual;
        *squares += residual * residual;
    }
    sums.into_iter().map(|(sum, squares)| (squares > 0.0).then(|| sum / squares.sqrt())).collect()
}
