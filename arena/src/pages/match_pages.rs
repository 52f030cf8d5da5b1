//! A match that is being played, as a server shows it besides its table: the rules by which it is played. The table itself is
//! `live`'s.

use std::sync::Arc;

use maumau_protocol::message::TimeControl;
use maumau_protocol::ruleset::RuleSet;
use maumau_web::game::WantedMoment;
use maumau_web::shown::{
    GameFilter, GamesBeside, GamesPage, LoadedGame, NotShown, Overview, PageSource, RulesPage, SeedsPage,
};

use super::rules;

/// A match.
pub(crate) struct MatchPages {
    /// The rules as they are played.
    pub(crate) set: Arc<RuleSet>,
    /// The time a seat has.
    pub(crate) time: TimeControl,
    /// The number of seats.
    pub(crate) seats: usize,
}

impl PageSource for MatchPages {
    fn overview(&self) -> Result<Overview, NotShown> {
        Ok(Overview::Live)
    }

    fn games(&self, _: &GameFilter) -> Result<GamesPage, NotShown> {
        Ok(GamesPage::default())
    }

    fn game(&self, _: &str) -> Result<Option<LoadedGame>, NotShown> {
        Ok(None)
    }

    fn picture(&self, _: &str, _: WantedMoment) -> Result<Option<String>, NotShown> {
        Ok(None)
    }

    fn beside(&self, _: &str) -> Result<GamesBeside, NotShown> {
        Ok(GamesBeside::default())
    }

    fn record(&self, _: &str) -> Result<Option<Vec<u8>>, NotShown> {
        Ok(None)
    }

    fn seeds(&self, _: u64) -> Result<Option<SeedsPage>, NotShown> {
        Ok(None)
    }

    fn rule_sets(&self) -> Vec<(String, String)> {
        rules::with_own(&self.set)
    }

    fn rules(&self, set: &str) -> Result<Option<RulesPage>, NotShown> {
        if *self.set.name == *set {
            return Ok(Some(rules::played(&self.set, &self.time, self.seats)));
        }
        rules::built_in_set(set)
    }
}
