//! The rounds of a run while it is played: results are given to the scheduler in the order of the plan, and a round is in the run
//! file before a game of it begins.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Result;
use maumau_tournament::{AgentId, NextRound, Round, RunEnding, Scheduler};

use crate::run_store::{RunPlan, RunWriter, StoredGame};

/// So many games are planned ahead where nothing depends on results; with a budget of minutes fewer, for a round that has begun
/// is played to its end.
const AHEAD: u64 = 4_096;
const AHEAD_OF_TIME: u64 = 64;
/// Where agents may join, what is planned ahead is what they wait for.
const AHEAD_OF_AGENTS: u64 = 256;

/// Why no round follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundsEnd {
    /// As the scheduler says.
    Scheduled(RunEnding),
    /// The minutes of the stop rules are over.
    Minutes,
}

impl RoundsEnd {
    /// In words, for people.
    pub fn text(self) -> &'static str {
        match self {
            RoundsEnd::Scheduled(RunEnding::Complete) => "complete",
            RoundsEnd::Scheduled(RunEnding::Games) => "its stop rule's games are played",
            RoundsEnd::Scheduled(RunEnding::Shown) => "all that its stop rules want is shown",
            RoundsEnd::Minutes => "its stop rule's minutes are over; the same command goes on",
        }
    }
}

/// The rounds of a run, and the results that they wait for.
pub struct Rounds {
    scheduler: Scheduler,
    /// Places of games that came before others of their round.
    early: BTreeMap<u64, Vec<u8>>,
    /// Games in the run file.
    durable: u64,
    began: Instant,
    minutes: Option<Duration>,
    end: Option<RoundsEnd>,
}

impl Rounds {
    /// The rounds of the run of `writer`, as far as they have been played.
    ///
    /// # Errors
    /// The run file cannot be read, or its rounds do not follow from its results.
    pub fn open(writer: &RunWriter, plan: &RunPlan) -> Result<Rounds> {
        let (scheduler, early) = writer.scheduler()?;
        let minutes = plan.settings.league.stop.minutes.map(|minutes| Duration::from_secs(60 * minutes));
        Ok(Rounds { scheduler, early, durable: writer.games(), began: Instant::now(), minutes, end: None })
    }

    /// Takes games that are in the run file now.
    pub fn take(&mut self, games: &[StoredGame]) {
        self.durable += games.len() as u64;
        if self.scheduler.takes_results() {
            self.early.extend(games.iter().map(|game| (game.number(), game.result.places.clone())));
            while let Some(places) = self.early.remove(&self.scheduler.taken()) {
                self.scheduler.take(&places);
            }
        }
    }

    /// Decides the rounds that can be decided now, writes them into the run file, and returns them.
    ///
    /// # Errors
    /// The run file cannot be written.
    pub fn advance(&mut self, writer: &mut RunWriter) -> Result<Vec<Round>> {
        let mut news = Vec::new();
        let ahead = match self.minutes {
            Some(_) => AHEAD_OF_TIME,
            None if self.scheduler.plan().league().has_open_pool() => AHEAD_OF_AGENTS,
            None => AHEAD,
        };
        while self.end.is_none() && self.scheduler.plan().len() - self.scheduler.plan().dropped() < self.durable + ahead
        {
            if self.minutes.is_some_and(|minutes| self.began.elapsed() >= minutes) {
                self.end = Some(RoundsEnd::Minutes);
                break;
            }
            match self.scheduler.advance() {
                NextRound::Round(round) => news.push(round),
                NextRound::Waiting => break,
                NextRound::Over(ending) => self.end = Some(RoundsEnd::Scheduled(ending)),
            }
        }
        // One transaction: a hundred small rounds at the beginning of a run would each wait for the disk.
        writer.add_rounds(&news)?;
        Ok(news)
    }

    /// The agents that play, and how many there have been.
    pub fn playing(&self) -> (Vec<AgentId>, usize) {
        (self.scheduler.playing(), self.scheduler.known())
    }

    /// Goes on with the agents of `plan`, of which those in `pool` play, after the last round has been played to its end.
    ///
    /// # Errors
    /// They are no agents of such a run.
    pub fn change_agents(&mut self, plan: &RunPlan, pool: Option<&Round>) -> Result<()> {
        self.scheduler.grow(plan.settings.league.for_schedule())?;
        if let Some(pool) = pool {
            self.scheduler.adopt(pool)?;
        }
        // A newcomer may be in doubt.
        self.end = self.end.filter(|end| *end == RoundsEnd::Minutes);
        Ok(())
    }

    /// Why no round follows; `None` if one may.
    pub fn end(&self) -> Option<RoundsEnd> {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use maumau_engine::seed_of_number;

    use super::super::league_file::LeagueFile;
    use super::*;

    fn league(stop: &str) -> LeagueFile {
        let text = format!(
            "rules = \"basic\"\nseats = 2\n[schedule]\nformat = \"sample\"\n[stop]\n{stop}\n[[agent]]\nname = \"a\"\n\
             command = \"maumau agent first\"\n[[agent]]\nname = \"b\"\ncommand = \"maumau agent first\"\n"
        );
        LeagueFile::parse("l.toml", std::path::Path::new(""), &text).unwrap_or_else(|problems| panic!("{problems}"))
    }

    /// The games that are planned at once, and the end, where so much time has gone by.
    fn planned(stop: &str, minutes: Option<Duration>) -> (u64, Option<RoundsEnd>) {
        let folder = tempfile::tempdir().expect("a folder");
        let league = league(stop);
        let open = |_: Option<&_>| Ok(league.settings(seed_of_number(1)));
        let (mut writer, plan) = RunWriter::open(&folder.path().join("run"), open).expect("a run file");
        let mut rounds = Rounds::open(&writer, &plan).expect("rounds");
        rounds.minutes = minutes;
        rounds.advance(&mut writer).expect("rounds");
        (rounds.scheduler.plan().len(), rounds.end())
    }

    #[test]
    fn a_budget_of_minutes_ends_a_run_and_plans_little_ahead() {
        assert_eq!(planned("minutes = 1", Some(Duration::ZERO)), (0, Some(RoundsEnd::Minutes)));
        let (some, end) = planned("games = 9000\nminutes = 1", Some(Duration::from_secs(3_600)));
        assert!((AHEAD_OF_TIME..2 * AHEAD_OF_TIME).contains(&some) && end.is_none(), "{some}, {end:?}");
        let (more, end) = planned("games = 9000", None);
        assert!((AHEAD_OF_AGENTS..2 * AHEAD_OF_AGENTS).contains(&more) && end.is_none(), "{more}, {end:?}");
        assert_eq!(planned("games = 90", None), (90, Some(RoundsEnd::Scheduled(RunEnding::Games))));
    }
}
