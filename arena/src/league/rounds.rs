//! The rounds of a run while it is played: results are given to the scheduler in the order of the plan, and a round is in the run
//! file before a game of it begins.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Result;
use maumau_tournament::{Ending, Next, Round, Scheduler};

use crate::run_store::{RunPlan, RunWriter, StoredGame};

/// So many games are planned ahead where nothing depends on results.
const AHEAD: u64 = 4_096;

/// Why no round follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// As the scheduler says.
    Scheduled(Ending),
    /// The minutes of the stop rules are over.
    Minutes,
}

impl End {
    /// In words, for people.
    pub(crate) fn text(self) -> &'static str {
        match self {
            End::Scheduled(Ending::Complete) => "complete",
            End::Scheduled(Ending::Games) => "its stop rule's games are played",
            End::Scheduled(Ending::Shown) => "all that its stop rules want is shown",
            End::Minutes => "its stop rule's minutes are over; the same command goes on",
        }
    }
}

pub(super) struct Rounds {
    scheduler: Scheduler,
    /// Places of games that came before others of their round.
    early: BTreeMap<u64, Vec<u8>>,
    /// Games in the run file.
    durable: u64,
    began: Instant,
    minutes: Option<Duration>,
    end: Option<End>,
}

impl Rounds {
    /// The rounds of the run of `writer`, as far as they have been played.
    ///
    /// # Errors
    /// The run file cannot be read, or its rounds do not follow from its results.
    pub(super) fn open(writer: &RunWriter, plan: &RunPlan) -> Result<Rounds> {
        let (scheduler, early) = writer.scheduler()?;
        let minutes = plan.settings.league.stop.minutes.map(|minutes| Duration::from_secs(60 * minutes));
        Ok(Rounds { scheduler, early, durable: writer.games(), began: Instant::now(), minutes, end: None })
    }

    /// Takes games that are in the run file now.
    pub(super) fn take(&mut self, games: &[StoredGame]) {
        self.durable += games.len() as u64;
        if self.scheduler.takes_results() {
            self.early.extend(games.iter().map(|game| (game.number(), game.result.places.clone())));
            while let Some(places) = self.early.remove(&self.scheduler.taken()) {
                self.scheduler.take(&places);
            }
        }
    }

    /// Writes the rounds that can be decided now into the run file, and returns them.
    ///
    /// # Errors
    /// The run file cannot be written.
    pub(super) fn advance(&mut self, writer: &mut RunWriter) -> Result<Vec<Round>> {
        let mut news = Vec::new();
        while self.end.is_none() && self.scheduler.plan().len() < self.durable + AHEAD {
            let are_over = |minutes: Duration| self.began.elapsed() >= minutes;
            if self.durable == self.scheduler.plan().len() && self.durable > 0 && self.minutes.is_some_and(are_over) {
                self.end = Some(End::Minutes);
                break;
            }
            match self.scheduler.advance() {
                Next::Round(round) => {
                    writer.add_round(&round)?;
                    news.push(round);
                }
                Next::Waiting => break,
                Next::Over(ending) => self.end = Some(End::Scheduled(ending)),
            }
        }
        Ok(news)
    }

    /// Why no round follows; `None` if one may.
    pub(super) fn end(&self) -> Option<End> {
        self.end
    }
}
