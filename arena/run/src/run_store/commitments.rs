//! The commitments of a run's games and the seeds of its deals: which of them may be known, and what they are. It derives them from
//! the settings and the games that are there; who learns them is decided elsewhere.

use std::collections::BTreeMap;

use maumau_engine::commitment;
use maumau_protocol::Seed;
use maumau_protocol::message::GameId;
use maumau_tournament::{PlannedGame, Tally};

use super::settings::RunPlan;

/// A game of a deal that is done, and the seed that its `start` committed to.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenedSeed {
    /// Its name in the run.
    pub game: String,
    /// The name of its deal.
    pub deal: String,
    /// Its name as agents know it.
    pub id: GameId,
    /// The commitment in its `start` (SPEC 8.10).
    pub commitment: String,
    /// The seed of its deal.
    pub seed: Seed,
}

impl RunPlan {
    /// The games of deals that are done, from number `from` on, with their numbers: all games of such a deal are in `tally`, so nobody
    /// will be dealt these cards any more.
    pub fn opened_seeds<'a>(&'a self, tally: &'a Tally, from: u64) -> impl Iterator<Item = (u64, OpenedSeed)> + 'a {
        let plan = tally.plan();
        let numbers = (from..plan.len()).filter(|number| is_done(tally, *number));
        numbers.map(move |number| (number, self.opened_seed(&plan.game(number))))
    }

    /// The names, as agents know them, and the commitments of the games whose deals are not done: of those that are there, and of those
    /// to be played as far as they are known. In the order of the names, which shows neither which games they are nor which are
    /// dealt alike.
    pub fn sealed_commitments(&self, tally: &Tally) -> BTreeMap<String, String> {
        let plan = tally.plan();
        let is_played = |number: u64| tally.is_counted(number) || self.is_open(&plan.game(number));
        let numbers = (0..plan.len()).filter(|number| !is_done(tally, *number) && is_played(*number));
        let sealed = numbers.map(|number| self.opened_seed(&plan.game(number)));
        sealed.map(|OpenedSeed { id, commitment, .. }| (id.0.to_string(), commitment)).collect()
    }

    fn opened_seed(&self, game: &PlannedGame) -> OpenedSeed {
        let (id, seed) = (self.wire_id(game), self.seed(game));
        let commitment = commitment(&id.0, &seed);
        OpenedSeed { game: game.id().0.to_string(), deal: game.deal.to_string(), id, commitment, seed }
    }
}

/// True if all games of the deal of game `number` are in `tally`.
fn is_done(tally: &Tally, number: u64) -> bool {
    let (first, games) = tally.plan().deal_of(number);
    (first..first + games).all(|number| tally.is_counted(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial;

    #[test]
    fn seeds_are_opened_once_all_games_of_their_deal_are_there() {
        let plan = RunPlan::new(trial::settings()).expect("a plan");
        let mut tally = Tally::new(plan.pairings.clone());
        let seats = plan.pairings.seats() as u64;
        // The deals one after another, each from its last game to its first.
        for game in (0..2 * seats).map(|number| number / seats * seats + seats - 1 - number % seats) {
            let stored = trial::games(2 * seats).remove(game as usize);
            tally.add(&stored.finished()).expect("a game of the plan");
            let opened: Vec<u64> = plan.opened_seeds(&tally, 0).map(|(number, _)| number).collect();
            assert_eq!(opened, (0..tally.games() / seats * seats).collect::<Vec<_>>(), "after game {game}");
            let sealed = plan.sealed_commitments(&tally);
            assert_eq!(opened.len() + sealed.len(), plan.pairings.len() as usize);
            assert!(!plan.opened_seeds(&tally, 0).any(|(_, opened)| sealed.contains_key(&*opened.id.0)));
        }
        let opened: Vec<OpenedSeed> = plan.opened_seeds(&tally, 1).map(|(_, opened)| opened).collect();
        assert_eq!(opened.len() as u64, 2 * seats - 1);
        for (opened, number) in opened.iter().zip(1..) {
            let header = plan.header(&plan.pairings.game(number));
            assert_eq!((&opened.id, opened.seed), (&header.game, header.seed), "what records say");
            assert_eq!(opened.commitment, commitment(&header.game.0, &header.seed));
        }
    }
}
