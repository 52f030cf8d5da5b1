//! A run file as a server shows it: its report, its games and their lists, which are read page by page.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use maumau_web::game::{Hands, Story};
use maumau_web::shown::{GameFilter, GamesPage, Loaded, Overview, RulesPage, Shown, Trouble};

use super::games::{PAGE_GAMES, is_wanted, least_moves, may_be_wanted, row};
use super::reports::Reports;
use super::{rules, trouble};
use crate::run_store::{RunFile, StoredGame};

/// How long games are looked at for one page: what a filter asks for may be rare. The next page goes on.
const LOOKS_FOR: Duration = Duration::from_millis(80);

/// A run.
pub(crate) struct Run {
    /// Closed hands hide what may still be played elsewhere: other games of the same deals.
    hands: Hands,
    file: Mutex<RunFile>,
    reports: Arc<Reports>,
}

impl Run {
    /// Opens a run file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn open(path: &Path, hands: Hands) -> Result<Run> {
        Ok(Run { hands, file: Mutex::new(RunFile::open(path)?), reports: Reports::new(path.to_owned()) })
    }

    /// Nothing in it is left half changed by a panic.
    fn file(&self) -> MutexGuard<'_, RunFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if all its games have been played.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn is_complete(&self) -> Result<bool> {
        let run = self.file();
        let (tally, _) = run.tally()?;
        let done = run.plan.standings(&tally);
        Ok(done.games == done.planned)
    }

    fn find(&self, name: &str) -> Result<Option<(MutexGuard<'_, RunFile>, StoredGame)>> {
        let run = self.file();
        let Some(planned) = run.plan.pairings.game_called(name) else { return Ok(None) };
        let game = run.game(planned.index)?;
        Ok(game.map(|game| (run, game)))
    }

    fn list(&self, filter: &GameFilter) -> Result<GamesPage> {
        let run = self.file();
        let pairings = &run.plan.pairings;
        let mut page = GamesPage {
            agents: pairings.agents().map(|agent| pairings.name(agent).to_owned()).collect(),
            faults: self.reports.of(&run)?.faults.clone(),
            looked_at: (0, run.games()?),
            ..GamesPage::default()
        };
        let least = least_moves(filter);
        let (begin, mut failed) = (Instant::now(), None);
        run.results_from(filter.from, |planned, finished| {
            let takes_long = page.looked_at.0 > 0 && begin.elapsed() > LOOKS_FOR;
            if page.games.len() == PAGE_GAMES || takes_long || failed.is_some() {
                page.next = Some(finished.index);
                return ControlFlow::Break(());
            }
            page.looked_at.0 += 1;
            let id = planned.id().0;
            let agents: Vec<&str> = planned.agents.iter().map(|agent| pairings.name(*agent)).collect();
            if may_be_wanted(filter, &id, agents.iter().copied()) {
                let row = row(&id, &agents, &finished.result, &finished.faults);
                let is_long = |index: u64| -> Result<bool> {
                    let Some(least) = least else { return Ok(true) };
                    let moves = run.game(index)?.map(|game| game.actions()).transpose()?;
                    Ok(moves.is_some_and(|moves| moves >= least))
                };
                if is_wanted(filter, &row) {
                    match is_long(finished.index) {
                        Ok(true) => page.games.push(row),
                        Ok(false) => {}
                        Err(error) => failed = Some(error),
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        failed.map_or(Ok(()), Err)?;
        Ok(page)
    }
}

impl Shown for Run {
    fn overview(&self) -> Result<Overview, Trouble> {
        Ok(Overview::Run(self.reports.of(&self.file()).map_err(trouble)?))
    }

    fn games(&self, filter: &GameFilter) -> Result<GamesPage, Trouble> {
        self.list(filter).map_err(trouble)
    }

    fn game(&self, name: &str) -> Result<Option<Loaded>, Trouble> {
        let Some((run, game)) = self.find(name).map_err(trouble)? else { return Ok(None) };
        let log = game.game_log(&run.plan).map_err(trouble)?;
        let rules = run.plan.rule_name_of(&game.planned);
        drop(run);
        Ok(Some(Loaded { story: Story::with(&log, self.hands).map_err(|error| error.to_string()), wrong: None, rules }))
    }

    fn record(&self, name: &str) -> Result<Option<Vec<u8>>, Trouble> {
        if self.hands == Hands::Closed {
            return Ok(None);
        }
        let Some((run, game)) = self.find(name).map_err(trouble)? else { return Ok(None) };
        game.record(&run.plan).map(Some).map_err(trouble)
    }

    fn rule_sets(&self) -> Vec<(String, String)> {
        let run = self.file();
        let settings = &run.plan.settings;
        let own = settings.rule_names().into_iter().zip(settings.rules.iter().map(|set| set.title.to_string()));
        let mut sets: Vec<(String, String)> = own.collect();
        for other in rules::built_in_sets() {
            if !sets.iter().any(|(name, _)| *name == other.0) {
                sets.push(other);
            }
        }
        sets
    }

    fn rules(&self, set: &str) -> Result<Option<RulesPage>, Trouble> {
        let run = self.file();
        let settings = &run.plan.settings;
        if let Some(place) = settings.rule_names().iter().position(|name| *name == *set) {
            return Ok(Some(rules::played(&settings.rules[place], &settings.league.time, settings.league.seats)));
        }
        rules::built_in_set(set)
    }
}
