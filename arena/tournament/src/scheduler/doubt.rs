//! Ranks that are to be shown: which pairs are still in doubt, and the tables that settle most of them.
//!
//! A pair is settled once it is decided or equal. It is decided once its difference of ratings exceeds its standard error by the factor of a confidence sequence, at 5 % for
//! all pairs together (Bonferroni), so results may be looked at after every round. It is equal once the difference, with that many
//! errors to either side, lies within the points that the league calls equal. That holds for large numbers of deals, and where
//! tables are chosen by results the sequence is an approximation.

use crate::agent_id::AgentId;
use crate::format::Format;
use crate::league::League;
use crate::plan::Plan;
use crate::rounds::{Round, Table};
use crate::schedule::balanced::Balance;
use crate::statistics::normal_tail;
use crate::statistics::ratings::{FittedLogits, POINTS};
use crate::statistics::sequential::peeking_factor;
use crate::statistics::student::normal_deviate;

use super::history::History;
use super::tables::{deals, table};

/// Errors that all pairs may have together.
const ALPHA: f64 = 0.05;
/// Where tables follow from doubt, pairs that look different by chance are not played on, which makes errors about three times as
/// frequent; so they are asked to be a third of [`ALPHA`] there (`maumau-lab selftest looks` holds the outcome to 5 %).
const BY_DOUBT: f64 = 3.0;
/// The number of deals at which the confidence sequence is narrowest.
const BEST: u64 = 200;
/// Before this many deals of every agent tables are balanced, and no pair is decided.
const LEAST_DEALS: u64 = 10;

/// What one deal more may change, in logits: half a point around an even score. Errors are not taken to be less, since deals that were
/// all alike, as between copies of a bot, show none.
const UNSEEN: f64 = 2.0;

/// What is known of the pairs whose order is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairsInDoubt {
    /// How many there are.
    pub asked: usize,
    /// How many of them are in doubt.
    pub open: usize,
    /// How many of them are equal, within the points that the league calls so.
    pub equal: usize,
    /// The pair that is furthest from being decided, and about how many times its deals that would take; `None` if there is none.
    pub worst: Option<((AgentId, AgentId), f64)>,
}

/// Two agents and how likely the order of their ratings is wrong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubt {
    agents: (usize, usize),
    wrong: f64,
}

impl History {
    pub(super) fn pairs_in_doubt(&self, league: &League) -> PairsInDoubt {
        let fitted = self.fitted();
        let asked = self.asked(league, &fitted.logits);
        let errors = Errors(fitted);
        let states: Vec<State> = self.states(league, &asked, &errors);
        let open: Vec<Doubt> = open(&asked, &states, &errors);
        let times = |doubt: &Doubt| {
            let deals = self.deals(doubt.agents.0).min(self.deals(doubt.agents.1)).max(LEAST_DEALS);
            let factor = peeking_factor(deals, alpha(league) / asked.len() as f64, BEST)
                / normal_deviate(errors.of(doubt.agents), deals - 1);
            (doubt.agents, factor * factor)
        };
        let worst = open.iter().map(times).max_by(|one, other| one.1.total_cmp(&other.1));
        let id = |agent: usize| AgentId(agent as u16);
        PairsInDoubt {
            asked: asked.len(),
            open: open.len(),
            equal: states.iter().filter(|state| **state == State::Equal).count(),
            worst: worst.map(|((one, other), times)| ((id(one), id(other)), times)),
        }
    }

    /// The pairs whose order the stop rules want to know and do not know yet.
    pub(super) fn undecided(&self, league: &League) -> Vec<Doubt> {
        let fitted = self.fitted();
        let asked = self.asked(league, &fitted.logits);
        let errors = Errors(fitted);
        open(&asked, &self.states(league, &asked, &errors), &errors)
    }

    /// The pairs whose order the stop rules want to know, and know.
    pub(super) fn decided(&self, league: &League) -> Vec<(AgentId, AgentId)> {
        let fitted = self.fitted();
        let asked = self.asked(league, &fitted.logits);
        let states = self.states(league, &asked, &Errors(fitted));
        let decided = asked.into_iter().zip(states).filter(|(_, state)| *state == State::Decided);
        decided.map(|((one, other), _)| (AgentId(one as u16), AgentId(other as u16))).collect()
    }

    /// What is known of each of the pairs that are `asked` for.
    fn states(&self, league: &League, asked: &[(usize, usize)], errors: &Errors) -> Vec<State> {
        let alpha = alpha(league) / asked.len().max(1) as f64;
        let equal = league.allocation.equal / POINTS;
        let state = |agents: &(usize, usize)| {
            let deals = self.deals(agents.0).min(self.deals(agents.1));
            if deals < LEAST_DEALS {
                return State::Open;
            }
            let factor = peeking_factor(deals, alpha, BEST);
            // Student's distribution lies above the normal one, so what is not far enough there is not far enough here.
            let is_beyond = |apart: f64| apart > factor && normal_deviate(apart, deals - 1) > factor;
            if is_beyond(errors.of(*agents)) {
                return State::Decided;
            }
            let is_equal = errors.room(*agents, equal).is_some_and(is_beyond);
            if is_equal { State::Equal } else { State::Open }
        };
        asked.iter().map(state).collect()
    }

    /// Tables of those who are most in doubt; balanced ones at the beginning, where nothing is in doubt, and for a share of each round
    /// by its `number`.
    pub(super) fn where_most_in_doubt(&self, plan: &Plan, balance: &Balance, number: usize) -> Option<Round> {
        let league = plan.league();
        let games = league.allocation.of_round(self.playing().len());
        let count = games.div_ceil(u64::from(deals(plan)) * league.rotations());
        let mut balance = balance.clone();
        let mut spread = Spread::new(league.agents.len());
        let is_known = self.playing().iter().all(|agent| self.deals(*agent) >= LEAST_DEALS);
        if is_known {
            // Two that never meet are distinguished by meetings with others.
            let may_meet = |doubt: &&Doubt| league.may_meet(doubt.agents.0, doubt.agents.1);
            self.undecided(league).iter().filter(may_meet).for_each(|doubt| spread.set(*doubt));
        }
        // Of the rounds so far the share is exact, however few tables a round has.
        let due = |rounds: u64| (league.allocation.floor * (rounds * count) as f64) as u64;
        let waiting = due(number as u64 + 1) - due(number as u64);
        let mut tables: Vec<Table> = Vec::new();
        for place in 0..count {
            let doubtful = if place < waiting { None } else { spread.most() };
            let group = match doubtful {
                Some(first) => spread.table(first, league.seats, &balance, self.playing()),
                None if place < waiting && league.allocation.by_wait => {
                    balance.next_by_wait(self.playing(), league.seats)
                }
                None => balance.next_with(&[], self.playing(), league.seats),
            };
            if group.len() < league.seats {
                break;
            }
            balance.take(&group);
            spread.give(&group);
            tables.push(table(&group, deals(plan)));
        }
        (!tables.is_empty()).then_some(Round::Tables { tables, byes: Vec::new() })
    }

    /// The pairs whose order is wanted, the smaller number first: between the best so many and the others, or all. Only of agents
    /// that play.
    fn asked(&self, league: &League, logits: &[f64]) -> Vec<(usize, usize)> {
        let all = pairs_of(self.playing());
        let Some(top) = league.stop.top.filter(|_| !league.stop.ranking) else { return all.collect() };
        let order: Vec<usize> = by_rating(logits).into_iter().filter(|agent| self.playing().contains(agent)).collect();
        let is_top: Vec<bool> = (0..logits.len()).map(|agent| order[..top.min(order.len())].contains(&agent)).collect();
        all.filter(|(one, other)| is_top[*one] != is_top[*other]).collect()
    }
}

/// What is known of a pair whose order is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Decided,
    Equal,
}

/// Those of the pairs that are open.
fn open(asked: &[(usize, usize)], states: &[State], errors: &Errors) -> Vec<Doubt> {
    let open = asked.iter().zip(states).filter(|(_, state)| **state == State::Open);
    open.map(|(agents, _)| errors.doubt(*agents)).collect()
}

/// The errors that all pairs of a league may have together.
fn alpha(league: &League) -> f64 {
    match league.format {
        Format::Sample | Format::Ladder => ALPHA / BY_DOUBT,
        _ => ALPHA,
    }
}

/// All agents, the best first; equal ones by their numbers.
pub(super) fn by_rating(logits: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..logits.len()).collect();
    order.sort_by(|a, b| logits[*b].total_cmp(&logits[*a]).then(a.cmp(b)));
    order
}

/// The pairs of some agents, which are in ascending order.
fn pairs_of(agents: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    agents.iter().enumerate().flat_map(|(at, one)| agents[at + 1..].iter().map(move |other| (*one, *other)))
}

/// How far the ratings of pairs lie apart, and the standard errors of that, in logits.
struct Errors(FittedLogits);

impl Errors {
    /// `None` for two that never met, even through others.
    fn difference(&self, (one, other): (usize, usize)) -> Option<(f64, f64)> {
        let (difference, error) = self.0.difference(one, other)?;
        let deals = self.0.deals(one).min(self.0.deals(other)).max(1);
        Some((difference.abs(), error.max(UNSEEN / deals as f64)))
    }

    /// How many standard errors two ratings lie apart.
    fn of(&self, agents: (usize, usize)) -> f64 {
        self.difference(agents).map_or(0.0, |(difference, error)| difference / error)
    }

    /// How many standard errors fit between the difference of two ratings and `reach`; `None` if the difference is larger.
    fn room(&self, agents: (usize, usize), reach: f64) -> Option<f64> {
        let (difference, error) = self.difference(agents)?;
        (difference < reach).then(|| (reach - difference) / error)
    }

    fn doubt(&self, agents: (usize, usize)) -> Doubt {
        Doubt { agents, wrong: normal_tail(self.of(agents)) }
    }
}

/// Doubts of pairs, each less by what the round has given it already.
struct Spread {
    agents: usize,
    /// Those in doubt at the beginning, the smaller number first.
    pairs: Vec<(usize, usize)>,
    doubt: Vec<f64>,
    given: Vec<u32>,
}

impl Spread {
    fn new(agents: usize) -> Spread {
        Spread { agents, pairs: Vec::new(), doubt: vec![0.0; agents * agents], given: vec![0; agents * agents] }
    }

    fn set(&mut self, Doubt { agents: (one, other), wrong }: Doubt) {
        self.pairs.push((one, other));
        self.doubt[one * self.agents + other] = wrong;
        self.doubt[other * self.agents + one] = wrong;
    }

    fn left(&self, one: usize, other: usize) -> f64 {
        let at = one * self.agents + other;
        self.doubt[at] / f64::from(1 + self.given[at])
    }

    /// The pair with most doubt left; `None` if there is none.
    fn most(&self) -> Option<(usize, usize)> {
        let by_doubt = |a: &&(usize, usize), b: &&(usize, usize)| self.left(a.0, a.1).total_cmp(&self.left(b.0, b.1));
        let best = self.pairs.iter().max_by(|a, b| by_doubt(a, b).then(b.cmp(a))).copied();
        best.filter(|(one, other)| self.left(*one, *other) > 0.0)
    }

    /// The table that `first` opens: each further seat goes to the agent most in doubt with those there.
    fn table(&self, first: (usize, usize), seats: usize, balance: &Balance, playing: &[usize]) -> Vec<usize> {
        let mut group = vec![first.0, first.1];
        while group.len() < seats {
            let doubt = |agent: usize| group.iter().map(|other| self.left(agent, *other)).sum::<f64>();
            let free =
                playing.iter().copied().filter(|agent| !group.contains(agent) && balance.may_join(&group, *agent));
            let best = free.max_by(|a, b| {
                let by_doubt = doubt(*a).total_cmp(&doubt(*b));
                by_doubt.then_with(|| balance.plays()[*b].cmp(&balance.plays()[*a])).then(b.cmp(a))
            });
            let Some(best) = best else { break };
            group.push(best);
        }
        group.sort_unstable();
        group
    }

    fn give(&mut self, group: &[usize]) {
        for one in group {
            for other in group.iter().filter(|other| *other != one) {
                self.given[one * self.agents + other] += 1;
            }
        }
    }
}
