//! How much of a result the cards decide: the share of a score's variance that the deal explains, from deals that were played more
//! than once. It says nothing about single games.
//!
//! Deals are compared with deals that the same agents played. With `G` deals and `y` the score of an agent at a seat, less its mean there
//! over the deals of the same agents, one-way random effects of the deal give
//!
//! - `V = Σ y² / (G - 1)`, the mean over games and seats: the variance with these agents in these seats;
//! - `C = Σ y y' / (G - 1)`, the mean over pairs of games of a deal and seats at which different agents sat: the part that goes
//!   with the cards of a seat, no matter which agent holds them;
//! - `B`, the mean square of what the means of the scores differ from 1/2 by, less `V / G`: the part of who sits where.
//!
//! `V` and `C` are the estimates of the analysis of variance, unbiased for any distribution (Searle, Casella and McCulloch, Variance
//! Components, 1992, chapter 3); `C / V` is the intraclass correlation. The deal's share is `C / (B + V)`, that of who sits where
//! `B / (B + V)`, and `(V - C) / (B + V)` is left to decisions and what follows from them. Groups of agents are weighted by
//! their games; an estimate below 0 is given as 0. The interval is that of the jackknife over deals (Arvesen and Schmitz, Biometrics 26,
//! 1970), with Student's quantile.
//!
//! With two agents at tables of two `V / (V - C)` is the factor of `duplicates`: duplicates save what the deal explains.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Interval;
use super::ratings::RatedGames;
use super::seats::is_balanced;
use super::student::quantile_975;
use crate::score::{score_units, units_per_game};

/// With fewer deals nothing is estimated: intervals would hold the truth too seldom.
pub const FEWEST_DEALS: u64 = 20;

/// A variance below this is none.
const NOTHING: f64 = 1e-12;

/// How much the deal explains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Luck {
    /// Deals that were played more than once, with different agents at each seat; 0 if the league plays each deal once.
    pub deals: u64,
    /// Those of them whose agents also played another one.
    pub compared: u64,
    /// Absent with fewer than [`FEWEST_DEALS`] compared, or if every game ends alike.
    pub shares: Option<LuckShares>,
}

/// The parts of the variance of a seat's score, which add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LuckShares {
    /// What the deal explains: the hands, and the order in which each seat draws.
    pub deal: f64,
    /// Its 95 % interval; absent if no deal differs from the others in what it explains.
    pub interval: Option<Interval>,
    /// What follows from who sits where.
    pub agents: f64,
    /// What is left to decisions and what follows from them.
    pub rest: f64,
}

/// Estimates from the deals of a league by one rule set, in which each agent sat equally often at every seat.
pub fn luck(games: &RatedGames) -> Luck {
    let mut designs: BTreeMap<(usize, Agents), Design> = BTreeMap::new();
    let mut deals = 0;
    games.for_each_deal(|deal| {
        if let Some((agents, scores)) = replayed(deal) {
            deals += 1;
            let seats = scores.len() / agents.len();
            let design = designs.entry((seats, agents));
            design.or_insert_with_key(|(seats, agents)| Design::new(agents, *seats)).add(&scores, 1.0);
        }
    });
    let compared = || designs.values().filter(|design| design.deals > 1.0);
    let count: f64 = compared().map(|design| design.deals).sum();
    let parts = compared().map(Design::parts).fold(Parts::default(), |sum, parts| sum.plus(parts, 1.0));
    let luck = Luck { deals, compared: count as u64, shares: None };
    let Some(share) = parts.deal().filter(|_| luck.compared >= FEWEST_DEALS) else { return luck };
    let mut without = Vec::new();
    games.for_each_deal(|deal| {
        let Some((agents, scores)) = replayed(deal) else { return };
        let key = (scores.len() / agents.len(), agents);
        let Some(design) = designs.get_mut(&key).filter(|design| design.deals > 1.0) else { return };
        let others = parts.plus(design.parts(), -1.0);
        design.add(&scores, -1.0);
        without.push(others.plus(design.parts(), 1.0).deal());
        design.add(&scores, 1.0);
    });
    // The means of the same agents take a degree of freedom.
    let freedom = luck.compared - designs.values().filter(|design| design.deals > 1.0).count() as u64;
    let error = jackknife_error(&without).filter(|error| *error > NOTHING);
    let interval = error.map(|error| {
        let reach = quantile_975(freedom) * error;
        Interval { low: (share - reach).clamp(0.0, 1.0), high: (share + reach).clamp(0.0, 1.0) }
    });
    Luck { shares: Some(parts.shares(share, interval)), ..luck }
}

/// The standard error of an estimate from what it is without each of the deals; `None` if one of these is unknown.
fn jackknife_error(without: &[Option<f64>]) -> Option<f64> {
    let without: Vec<f64> = without.iter().copied().collect::<Option<_>>()?;
    let count = without.len() as f64;
    let mean = without.iter().sum::<f64>() / count;
    let squares: f64 = without.iter().map(|value| (value - mean) * (value - mean)).sum();
    Some(((count - 1.0) / count * squares).sqrt())
}

/// The agents that sat at each seat over the games of a deal, in order.
type Agents = Vec<u32>;

/// The agents of a deal that was played more than once, and by seat, in their order, their scores less 1/2 there, in half the units of
/// a score; `None` for other deals.
fn replayed(deal: &[&[(u32, u8)]]) -> Option<(Agents, Vec<f64>)> {
    let seats = deal.first()?.len();
    if deal.len() < 2 || seats < 2 || !is_balanced(deal, seats) {
        return None;
    }
    let even = f64::from(seats as u32 - 1);
    let mut games: Vec<(Vec<u32>, Vec<f64>)> = deal
        .iter()
        .map(|game| {
            let places: Vec<u8> = game.iter().map(|(_, place)| *place).collect();
            let scores = score_units(&places).into_iter().map(|units| f64::from(units) - even).collect();
            (game.iter().map(|(agent, _)| *agent).collect(), scores)
        })
        .collect();
    // Games at which one agent sits at a seat have an order of their own, whatever order they come in.
    games.sort_by(|one, other| one.0.cmp(&other.0));
    let at_seat = |seat: usize| {
        let mut at_seat: Vec<(u32, f64)> = games.iter().map(|(agents, scores)| (agents[seat], scores[seat])).collect();
        at_seat.sort_by_key(|(agent, _)| *agent);
        at_seat
    };
    let agents: Agents = at_seat(0).into_iter().map(|(agent, _)| agent).collect();
    let is_one = agents.first() == agents.last();
    (!is_one).then(|| (agents, (0..seats).flat_map(at_seat).map(|(_, score)| score).collect()))
}

/// The sums over the deals of the same agents. Scores are whole numbers, so sums are exact.
struct Design {
    seats: usize,
    agents: Agents,
    /// Pairs of games with different agents at a seat, in both orders.
    pairs: f64,
    deals: f64,
    /// By seat and agent, the sum of the scores.
    scores: Vec<f64>,
    squares: f64,
    products: f64,
}

impl Design {
    fn new(agents: &Agents, seats: usize) -> Design {
        let scores = vec![0.0; seats * agents.len()];
        let mut design =
            Design { seats, agents: agents.clone(), pairs: 0.0, deals: 0.0, scores, squares: 0.0, products: 0.0 };
        design.pairs = design.products_of(&vec![1.0; design.scores.len()]) / seats as f64;
        design
    }

    /// Adds a deal, or takes it out if `times` is -1.
    fn add(&mut self, scores: &[f64], times: f64) {
        self.deals += times;
        self.squares += times * squares_of(scores);
        self.products += times * self.products_of(scores);
        self.scores.iter_mut().zip(scores).for_each(|(sum, score)| *sum += times * score);
    }

    /// The sum of the products of `cells` over all pairs of games and all seats at which different agents sat: the square of the sum
    /// over all games, less those of each agent.
    fn products_of(&self, cells: &[f64]) -> f64 {
        let at_seat = |cells: &[f64]| {
            let sum: f64 = cells.iter().sum();
            let mut of_others = sum * sum;
            let mut rest = cells;
            for same in self.agents.chunk_by(|one, next| one == next) {
                let (own, others) = rest.split_at(same.len());
                let own: f64 = own.iter().sum();
                of_others -= own * own;
                rest = others;
            }
            of_others
        };
        cells.chunks_exact(self.agents.len()).map(at_seat).sum()
    }

    /// What its games contribute to the parts of the variance: nothing with a single deal.
    fn parts(&self) -> Parts {
        if self.deals < 2.0 {
            return Parts::default();
        }
        let cells = self.scores.len() as f64;
        let within = (self.squares - squares_of(&self.scores) / self.deals) / (self.deals - 1.0) / cells;
        let of_means = self.products_of(&self.scores) / self.deals;
        let deal = (self.products - of_means) / (self.deals - 1.0) / (self.pairs * self.seats as f64);
        let between = squares_of(&self.scores) / (self.deals * self.deals) / cells - within / self.deals;
        let scale = units_per_game(self.seats) as f64;
        let weight = self.deals * self.agents.len() as f64 / (scale * scale);
        Parts { between: weight * between, within: weight * within, deal: weight * deal }
    }
}

fn squares_of(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

/// Parts of the variance, summed over games.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    between: f64,
    within: f64,
    deal: f64,
}

impl Parts {
    fn plus(self, other: Parts, times: f64) -> Parts {
        Parts {
            between: self.between + times * other.between,
            within: self.within + times * other.within,
            deal: self.deal + times * other.deal,
        }
    }

    fn total(&self) -> f64 {
        self.between.max(0.0) + self.within
    }

    /// The share of the deal, which may be below 0; `None` if nothing varies.
    fn deal(&self) -> Option<f64> {
        (self.total() > NOTHING).then(|| self.deal / self.total())
    }

    fn shares(&self, deal: f64, interval: Option<Interval>) -> LuckShares {
        let agents = self.between.max(0.0) / self.total();
        let deal = deal.clamp(0.0, 1.0 - agents);
        LuckShares { deal, interval, agents, rest: (1.0 - agents - deal).max(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::duplicates::duplicates;
    use super::*;

    /// Numbers that look random, below 1.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        /// The places of `seats` seats, all orders alike likely.
        fn places(&mut self, seats: usize) -> Vec<u8> {
            let mut places: Vec<u8> = (1..=seats as u8).collect();
            for at in (1..seats).rev() {
                places.swap(at, (self.roll() * (at + 1) as f64) as usize);
            }
            places
        }
    }

    /// A league of `deals` deals of the same agents at tables of `seats`, each deal in every rotation. A game ends by the agents' numbers with the
    /// probability `skill`, by the cards of the seats with the probability `cards`, and by lot otherwise.
    ///
    /// The scores at a seat then vary by `skill²` with who sits there and by `cards²` with the deal, as shares: a seat's score is
    /// that of its cards in both of two games with the probability `cards²`, and its mean for an agent is the agent's times
    /// `skill`, of scores that vary alike however they are drawn.
    fn league(seats: usize, deals: u64, skill: f64, cards: f64, dice: &mut Dice) -> RatedGames {
        let mut games = RatedGames::new(seats);
        for deal in 0..deals {
            let of_cards = dice.places(seats);
            for rotation in 0..seats {
                // Around the table in one direction or the other, as a plan has them.
                let around =
                    |seat: usize| if deal % 2 == 0 { seat + seats - rotation } else { rotation + seats - seat };
                let agents: Vec<usize> = (0..seats).map(|seat| around(seat) % seats).collect();
                let roll = dice.roll();
                let places = if roll < skill {
                    agents.iter().map(|agent| *agent as u8 + 1).collect()
                } else if roll < skill + cards {
                    of_cards.clone()
                } else {
                    dice.places(seats)
                };
                games.add(deal, agents.into_iter().zip(places));
            }
        }
        games
    }

    /// A deal at a table of two: whether agent 0 wins at seat 0, and at seat 1.
    fn two(games: &mut RatedGames, number: u64, won: [bool; 2]) {
        let places = |won: bool| if won { (1, 2) } else { (2, 1) };
        let (first, second) = (places(won[0]), places(won[1]));
        games.add(number, [(0, first.0), (1, first.1)]);
        games.add(number, [(1, second.1), (0, second.0)]);
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
    }

    #[test]
    fn shares_computed_by_hand() {
        let mut games = RatedGames::new(2);
        // Of 24 deals agent 0 wins at both seats in 12, at seat 0 alone in 6, at seat 1 alone in 6.
        for number in 0..24 {
            two(&mut games, number, [number % 4 != 3, number % 4 < 2 || number % 4 == 3]);
        }
        // At either seat it wins 18 of 24: squares around the mean 9/2 and 9/2, so V = 9/46.
        // At seat 0 agent 0 and agent 1 both win in the 6 deals of the second kind, both lose in the 6 of the third, and in the
        // other 12 agent 0 alone: products 6 (1/4)(3/4) + 6 (-3/4)(-1/4) + 12 (1/4)(-1/4) = 3/2, so C = 3/46.
        // Means are 3/4 and 1/4: B = 1/16 - V/24 = 5/92; B + V = 1/4.
        let luck = luck(&games);
        let shares = luck.shares.expect("there are 24 deals");
        assert_eq!((luck.deals, luck.compared), (24, 24));
        close(shares.deal, 6.0 / 23.0);
        close(shares.agents, 5.0 / 23.0);
        close(shares.rest, 12.0 / 23.0);
        // C / V = 1/3, so new deals would take V / (V - C) = 3/2 times the games.
        close(duplicates(&games).all.factor.expect("a factor"), 1.5);
    }

    #[test]
    fn few_deals_single_games_and_equal_results_give_no_share() {
        let check = |games: &RatedGames, deals: u64, compared: u64| {
            assert_eq!(luck(games), Luck { deals, compared, shares: None });
        };
        let mut games = RatedGames::new(4);
        (0..19).for_each(|number| two(&mut games, number, [number % 2 == 0, true]));
        check(&games, 19, 19);
        // Other agents, once.
        games.add(19, [(2, 1), (3, 2)]);
        games.add(19, [(3, 1), (2, 2)]);
        check(&games, 20, 19);
        two(&mut games, 20, [true, true]);
        assert!(luck(&games).shares.is_some(), "twenty deals of the same agents");

        let mut once = RatedGames::new(2);
        (0..20).for_each(|number| once.add(number, [(0, 1), (1, 2)]));
        check(&once, 0, 0);
        let mut draws = RatedGames::new(2);
        for number in 0..20 {
            draws.add(number, [(0, 1), (1, 1)]);
            draws.add(number, [(1, 1), (0, 1)]);
        }
        check(&draws, 20, 20);
    }

    #[test]
    fn a_seat_that_always_wins_by_its_cards_explains_all_and_a_sure_winner_nothing() {
        let mut dice = Dice(1);
        let all = luck(&league(3, 40, 0.0, 1.0, &mut dice)).shares.expect("shares");
        close(all.deal, 1.0 - all.agents);
        assert!(all.agents < 0.05 && all.rest < 1e-9, "{all:?}");
        let none = luck(&league(3, 40, 1.0, 0.0, &mut dice)).shares.expect("shares");
        assert_eq!((none.deal, none.agents, none.rest, none.interval), (0.0, 1.0, 0.0, None));
    }

    #[test]
    fn copies_of_an_agent_are_not_compared_with_one_another() {
        let (mut games, mut dice) = (RatedGames::new(2), Dice(3));
        // Agent 0 has two of three seats. What it makes of the cards of a deal is the same in all games, and no other's.
        for deal in 0..2_000 {
            let own = dice.roll();
            for rotation in 0..3 {
                let agents = [0, 1, 2].map(|seat| usize::from((seat + rotation) % 3 == 2));
                let strength: Vec<f64> =
                    agents.iter().map(|agent| if *agent == 0 { own } else { dice.roll() }).collect();
                let place = |at: &f64| 1 + strength.iter().filter(|other| *other > at).count() as u8;
                games.add(deal, agents.into_iter().zip(strength.iter().map(place)));
            }
        }
        let shares = luck(&games).shares.expect("shares");
        let interval = shares.interval.expect("an interval");
        assert!(shares.deal < 0.05 && interval.low == 0.0, "{shares:?}");
    }

    #[test]
    fn simulated_shares_are_found_and_intervals_hold_the_truth() {
        for (seats, deals, skill, cards) in [
            (2, 30, 0.0, 0.0),
            (2, 30, 0.3, 0.5),
            (2, 200, 0.6, 0.3),
            (4, 20, 0.2, 0.4),
            (3, 20, 0.4, 0.6),
            (4, 60, 0.0, 0.8),
            (4, 60, 0.5, 0.5),
        ] {
            let (truth, mut dice) = ((cards * cards, skill * skill), Dice(7));
            let (mut sums, mut held, leagues) = ([0.0; 2], 0, 400);
            for _ in 0..leagues {
                let luck = luck(&league(seats, deals, skill, cards, &mut dice));
                assert_eq!((luck.deals, luck.compared), (deals, deals));
                let shares = luck.shares.expect("shares");
                let interval = shares.interval.expect("an interval");
                held += u32::from((interval.low..=interval.high).contains(&truth.0));
                sums = [sums[0] + shares.deal, sums[1] + shares.agents];
                close(shares.deal + shares.agents + shares.rest, 1.0);
            }
            let [deal, agents] = sums.map(|sum| sum / f64::from(leagues));
            let held = f64::from(held) / f64::from(leagues);
            let case = format!("{seats} seats, {deals} deals: {deal}, {agents}, held {held}; truth {truth:?}");
            // Estimates below 0 are given as 0, which lifts small shares.
            assert!((deal - truth.0).abs() < if cards < 0.5 { 0.08 } else { 0.02 }, "{case}");
            assert!((agents - truth.1).abs() < 0.03, "{case}");
            assert!(held >= 0.92, "{case}");
        }
    }
}
