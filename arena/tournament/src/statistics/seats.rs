//! What a seat is worth: the mean score of each seat, with intervals by deal.
//!
//! Only deals count in which every agent sat equally often at every seat, so that no seat's score depends on how good the agents
//! are that sat there. Over such deals a seat without advantage has a mean of exactly 1/2.

use serde::{Deserialize, Serialize};

use super::estimate::{DealSums, Estimate};
use super::ratings::RatedGames;
use crate::score::{score_units, units_per_game};

/// The seats of tables of one size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SeatScores {
    /// Deals that count.
    pub deals: u64,
    /// Deals in which agents did not sit equally often at every seat.
    pub left_out: u64,
    /// By seat, its mean score; empty if no deal counts.
    pub seats: Vec<Estimate>,
}

/// The scores of the seats at tables of `seats`; deals with games at other tables are left out.
pub fn seat_scores(games: &RatedGames, seats: usize) -> SeatScores {
    let mut sums = vec![DealSums::default(); seats];
    let (mut deals, mut left_out) = (0, 0);
    let mut units = vec![0; seats];
    games.for_each_deal(|deal| {
        if !is_balanced(deal, seats) {
            left_out += 1;
            return;
        }
        deals += 1;
        units.fill(0);
        for game in deal {
            let places: Vec<u8> = game.iter().map(|(_, place)| *place).collect();
            units.iter_mut().zip(score_units(&places)).for_each(|(sum, score)| *sum += u64::from(score));
        }
        sums.iter_mut().zip(&units).for_each(|(sums, units)| sums.add(deal.len() as u64, *units));
    });
    let seats = sums.iter().filter_map(|sums| sums.estimate(units_per_game(seats))).collect();
    SeatScores { deals, left_out, seats }
}

/// True if in the games of a deal every agent sat equally often at each of the `seats`.
pub(super) fn is_balanced(deal: &[&[(u32, u8)]], seats: usize) -> bool {
    if deal.iter().any(|game| game.len() != seats) {
        return false;
    }
    let at_seat = |seat: usize| {
        let mut agents: Vec<u32> = deal.iter().map(|game| game[seat].0).collect();
        agents.sort_unstable();
        agents
    };
    let first = at_seat(0);
    (1..seats).all(|seat| at_seat(seat) == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_scored_over_balanced_deals_computed_by_hand() {
        let mut games = RatedGames::new(3);
        // Deal 0: seat 0 wins both games; deal 1: each seat once; deal 2 has only one of its games.
        games.add(0, [(0, 1), (1, 2)]);
        games.add(0, [(1, 1), (0, 2)]);
        games.add(1, [(0, 1), (2, 2)]);
        games.add(1, [(2, 2), (0, 1)]);
        games.add(2, [(0, 2), (1, 1)]);
        let got = seat_scores(&games, 2);
        assert_eq!((got.deals, got.left_out), (2, 1));
        let means: Vec<f64> = got.seats.iter().map(|seat| seat.mean).collect();
        assert_eq!(means, [0.75, 0.25]);
        // Deal scores 2 and 1 of two games: residuals 1/2 and -1/2, variance 2 · 1/2 / 4² = 1/16.
        assert!(got.seats.iter().all(|seat| seat.std_error == Some(0.25)), "{got:?}");
    }

    #[test]
    fn a_strong_agent_gives_no_seat_an_advantage() {
        let mut games = RatedGames::new(3);
        for deal in 0..4 {
            // Agent 0 always wins, agent 2 is always last.
            games.add(deal, [(0, 1), (1, 2), (2, 3)]);
            games.add(deal, [(2, 3), (0, 1), (1, 2)]);
            games.add(deal, [(1, 2), (2, 3), (0, 1)]);
        }
        assert!(seat_scores(&games, 3).seats.iter().all(|seat| seat.mean == 0.5));
    }

    #[test]
    fn no_balanced_deal_gives_no_scores() {
        let mut games = RatedGames::new(2);
        games.add(0, [(0, 1), (1, 2)]);
        games.add(0, [(0, 1), (1, 2)]);
        assert_eq!(seat_scores(&games, 2), SeatScores { deals: 0, left_out: 1, seats: Vec::new() });
        assert_eq!(seat_scores(&games, 3).left_out, 1, "tables of another size");
    }
}
