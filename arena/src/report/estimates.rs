//! What all games of a run together prove. Reads their results, and knows nothing of how it is shown.

use maumau_tournament::statistics::duplicates::{Duplicates, duplicates};
use maumau_tournament::statistics::encounters::Encounters;
use maumau_tournament::statistics::misfit::{PairMisfit, misfits};
use maumau_tournament::statistics::ratings::{Games, Options, Rating, Ratings, rate};
use maumau_tournament::statistics::seats::{SeatScores, seat_scores};

/// The estimates from all games. Agents are numbered as in the league.
pub(super) struct Estimates {
    pub(super) ratings: Ratings,
    pub(super) encounters: Encounters,
    pub(super) seats: SeatScores,
    pub(super) duplicates: Duplicates,
    /// The largest first.
    pub(super) misfits: Vec<PairMisfit>,
}

impl Estimates {
    /// Computes them for tables of `seats`; `None` without games.
    pub(super) fn of(games: &Games, seats: usize) -> Option<Estimates> {
        if games.is_empty() {
            return None;
        }
        let ratings = rate(games, &Options::default());
        Some(Estimates {
            encounters: Encounters::new(games),
            seats: seat_scores(games, seats),
            duplicates: duplicates(games),
            misfits: misfits(&ratings),
            ratings,
        })
    }

    pub(super) fn rating(&self, agent: usize) -> &Rating {
        &self.ratings.agents[agent]
    }
}
