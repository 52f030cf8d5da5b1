//! How many games duplicate deals save: playing each deal once in every rotation, instead of a new deal for each game.
//!
//! Looked at is the difference of two agents' scores in the games of a deal, by the seat of the first. With `k` games a deal and
//! `V_s` the variance of the difference at seat `s` over deals, new deals with seats in balance need `Σ V_s / V` times as many games
//! for the same error, where `V` is the variance of the sum over a deal's games: if good cards for one seat help every agent that sits there,
//! the differences of a deal cancel, and `V` is less than `Σ V_s`. Deals are compared within the same group of agents. The error is
//! that of the jackknife over deals.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ratings::RatedGames;
use super::seats::is_balanced;
use crate::score::score_units;

/// What duplicates saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// Deals that were compared.
    pub deals: u64,
    /// How many times as many games with new deals would have been needed; absent with fewer than two deals of any group, or if the
    /// differences of every deal cancel exactly.
    pub factor: Option<f64>,
    /// Its standard error; absent with fewer than three deals.
    pub std_error: Option<f64>,
}

/// What duplicates saved between two agents, and between all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duplicates {
    /// All pairs together.
    pub all: Saved,
    /// By pair of agents, the smaller number first.
    pub pairs: BTreeMap<(usize, usize), Saved>,
}

/// The differences of one pair in one deal, by the seat of its first agent, in units of the score.
type Differences = Vec<i64>;

/// What duplicates saved, over deals in which each agent sat once at every seat.
pub fn duplicates(games: &RatedGames) -> Duplicates {
    // By group of agents, its deals; of each deal its pairs' differences.
    let mut groups: BTreeMap<Vec<u32>, Vec<Vec<Differences>>> = BTreeMap::new();
    games.for_each_deal(|deal| {
        let seats = deal.first().map_or(0, |game| game.len());
        let mut agents: Vec<u32> = deal.first().map_or(Vec::new(), |game| game.iter().map(|seat| seat.0).collect());
        agents.sort_unstable();
        let copies = agents.windows(2).any(|two| two[0] == two[1]);
        if deal.len() == seats && !copies && is_balanced(deal, seats) {
            let differences = differences(deal, &agents);
            groups.entry(agents).or_default().push(differences);
        }
    });
    let mut all = Vec::new();
    let mut pairs: BTreeMap<(usize, usize), Vec<[f64; 2]>> = BTreeMap::new();
    let mut sums: BTreeMap<(usize, usize), [f64; 2]> = BTreeMap::new();
    for (agents, deals) in groups.iter().filter(|(_, deals)| deals.len() > 1) {
        let mut of_deals = vec![[0.0; 2]; deals.len()];
        for (place, pair) in pairs_of(agents).enumerate() {
            let of_pair: Vec<&Differences> = deals.iter().map(|deal| &deal[place]).collect();
            let (squares, each) = squares(&of_pair);
            let sum = sums.entry(pair).or_default();
            (0..2).for_each(|part| sum[part] += squares[part]);
            for (total, part) in of_deals.iter_mut().zip(&each) {
                (0..2).for_each(|kind| total[kind] += part[kind]);
            }
            pairs.entry(pair).or_default().extend(each);
        }
        all.extend(of_deals);
    }
    let total = sums.values().fold([0.0; 2], |all, sum| [all[0] + sum[0], all[1] + sum[1]]);
    Duplicates {
        all: saved(total, &all),
        pairs: pairs.iter().map(|(pair, deals)| (*pair, saved(sums[pair], deals))).collect(),
    }
}

fn pairs_of(agents: &[u32]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let pairs =
        agents.iter().enumerate().flat_map(|(place, one)| agents[place + 1..].iter().map(move |other| (one, other)));
    pairs.map(|(one, other)| (*one as usize, *other as usize))
}

/// The differences of each pair of `agents` in a deal.
fn differences(deal: &[&[(u32, u8)]], agents: &[u32]) -> Vec<Differences> {
    let mut differences = vec![vec![0; agents.len()]; pairs_of(agents).count()];
    for game in deal {
        let places: Vec<u8> = game.iter().map(|(_, place)| *place).collect();
        let units = score_units(&places);
        let seat_of = |agent: usize| game.iter().position(|(other, _)| *other as usize == agent).unwrap_or(0);
        for (of_pair, (one, other)) in differences.iter_mut().zip(pairs_of(agents)) {
            let (seat, against) = (seat_of(one), seat_of(other));
            of_pair[seat] = i64::from(units[seat]) - i64::from(units[against]);
        }
    }
    differences
}

/// Sums of squares around the means over the deals of a group: of the differences seat by seat, and of their sums; and how much of
/// each would go with each deal.
fn squares(deals: &[&Differences]) -> ([f64; 2], Vec<[f64; 2]>) {
    let count = deals.len() as f64;
    let seats = deals.first().map_or(0, |deal| deal.len());
    let mean = |seat: usize| deals.iter().map(|deal| deal[seat] as f64).sum::<f64>() / count;
    let means: Vec<f64> = (0..seats).map(mean).collect();
    let total_mean: f64 = means.iter().sum();
    let around = |deal: &&Differences| {
        let apart: f64 =
            deal.iter().zip(&means).map(|(value, mean)| (*value as f64 - mean) * (*value as f64 - mean)).sum();
        let total = deal.iter().sum::<i64>() as f64 - total_mean;
        [apart, total * total]
    };
    let around: Vec<[f64; 2]> = deals.iter().map(around).collect();
    let sums = around.iter().fold([0.0; 2], |all, deal| [all[0] + deal[0], all[1] + deal[1]]);
    // Without a deal the mean moves away from it, so that more than its own square is gone.
    let gone = count / (count - 1.0);
    (sums, around.iter().map(|deal| [deal[0] * gone, deal[1] * gone]).collect())
}

fn saved([apart, total]: [f64; 2], deals: &[[f64; 2]]) -> Saved {
    let count = deals.len() as f64;
    let factor = (total > 1e-9).then(|| apart / total);
    let without: Option<Vec<f64>> = deals
        .iter()
        .map(|[of_apart, of_total]| (total - of_total > 1e-9).then(|| (apart - of_apart) / (total - of_total)))
        .collect();
    let std_error = without.filter(|without| without.len() > 2 && factor.is_some()).map(|without| {
        let mean = without.iter().sum::<f64>() / count;
        let squares: f64 = without.iter().map(|value| (value - mean) * (value - mean)).sum();
        ((count - 1.0) / count * squares).sqrt()
    });
    Saved { deals: deals.len() as u64, factor, std_error }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A deal at a table of two: whether agent 0 wins at seat 0, and at seat 1.
    fn deal(games: &mut RatedGames, number: u64, won: [bool; 2]) {
        let places = |won: bool| if won { (1, 2) } else { (2, 1) };
        let (first, second) = (places(won[0]), places(won[1]));
        games.add(number, [(0, first.0), (1, first.1)]);
        games.add(number, [(1, second.1), (0, second.0)]);
    }

    #[test]
    fn what_is_saved_computed_by_hand() {
        let mut games = RatedGames::new(2);
        // Differences by seat (2, 2), (2, -2), (-2, 2), (2, -2): sums 4, 0, 0, 0.
        for (number, won) in [[true, true], [true, false], [false, true], [true, false]].into_iter().enumerate() {
            deal(&mut games, number as u64, won);
        }
        let saved = duplicates(&games).all;
        // Seat 0: 2, 2, -2, 2 with mean 1: 1 + 1 + 9 + 1 = 12; seat 1: 2, -2, 2, -2 with mean 0: 16; sums: 9 + 1 + 1 + 1 = 12.
        assert_eq!((saved.deals, saved.factor), (4, Some(28.0 / 12.0)));
        // Without the first deal every sum is 0, so that the error is unknown.
        assert_eq!(saved.std_error, None);
    }

    #[test]
    fn seats_that_win_by_their_cards_save_and_independent_games_do_not() {
        let mut bits = 0x2545_f491_4f6c_dd1d_u64;
        let mut coin = || {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            bits >> 40 & 1 == 1
        };
        let (mut alone, mut mostly) = (RatedGames::new(2), RatedGames::new(2));
        for number in 0..2_000 {
            deal(&mut alone, number, [coin(), coin()]);
            // In three deals of four seat 0 wins or loses by its cards, no matter which agent sits there.
            let (seat, luck) = (coin(), coin() || coin());
            deal(&mut mostly, number, if luck { [seat, !seat] } else { [coin(), coin()] });
        }
        let [alone, mostly] = [alone, mostly].map(|games| duplicates(&games).all);
        let close = |saved: Saved, expected: f64| {
            let (factor, error) = (saved.factor.expect("a factor"), saved.std_error.expect("an error"));
            assert!(
                (factor - expected).abs() < 4.0 * error && error < 0.1 * expected,
                "{saved:?}, expected {expected}"
            );
        };
        close(alone, 1.0);
        // The correlation of the two games is -3/4: 1 / (1 - 3/4).
        close(mostly, 4.0);
    }

    #[test]
    fn groups_are_compared_with_themselves_and_broken_deals_are_left_out() {
        let mut games = RatedGames::new(3);
        deal(&mut games, 0, [true, true]);
        games.add(1, [(0, 1), (2, 2)]);
        games.add(1, [(2, 1), (0, 2)]);
        assert_eq!(duplicates(&games), Duplicates::default(), "one deal a group");
        games.add(2, [(0, 1), (1, 2)]);
        assert_eq!(duplicates(&games).all.deals, 0, "a deal of one game");
    }
}
