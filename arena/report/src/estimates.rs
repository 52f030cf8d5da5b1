//! What all games of a run together prove, from their results.

use maumau_run::run_store::LeagueSettings;
use maumau_tournament::statistics::authors::{Together, together};
use maumau_tournament::statistics::duplicates::{Duplicates, duplicates};
use maumau_tournament::statistics::encounters::Encounters;
use maumau_tournament::statistics::goodness_of_fit::{PairMisfit, misfits};
use maumau_tournament::statistics::luck::{Luck, luck};
use maumau_tournament::statistics::ratings::{RatedGames, Rating, Ratings};
use maumau_tournament::statistics::seats::{SeatScores, seat_scores};

use super::ranking::{games_that_count, ratings_of};

/// The estimates from all games. Agents are numbered as in the league.
pub(super) struct Estimates {
    pub(super) ratings: Ratings,
    pub(super) encounters: Encounters,
    pub(super) seats: SeatScores,
    pub(super) duplicates: Duplicates,
    /// How much the deal explains, if the games are by one rule set.
    pub(super) luck: Luck,
    /// The largest first.
    pub(super) misfits: Vec<PairMisfit>,
    /// What agents of one author gain together, for those with several agents.
    pub(super) together: Vec<Together>,
}

impl Estimates {
    /// Computes them for tables of `league`; `None` without games.
    pub(super) fn of(games: &RatedGames, league: &LeagueSettings) -> Option<Estimates> {
        let games = &*games_that_count(games, league);
        if games.is_empty() {
            return None;
        }
        let ratings = ratings_of(games, league);
        let authors: Vec<Option<usize>> =
            league.authors().1.into_iter().map(|author| author.map(usize::from)).collect();
        Some(Estimates {
            encounters: Encounters::new(games),
            seats: seat_scores(games, league.seats),
            duplicates: duplicates(games),
            luck: luck(games),
            misfits: misfits(&ratings),
            together: together(games, &ratings, &authors),
            ratings,
        })
    }

    /// The same, if the games are by `rule_sets` rule sets: without what is a property of one.
    pub(super) fn by(self, rule_sets: usize) -> Estimates {
        if rule_sets > 1 { Estimates { luck: Luck::default(), ..self } } else { self }
    }

    pub(super) fn rating(&self, agent: usize) -> &Rating {
        &self.ratings.agents[agent]
    }
}
