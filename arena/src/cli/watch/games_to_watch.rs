//! Which finished game of a run is shown next: of the last ones, those worth watching first, none twice while there are others.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result};
use maumau_referee::story::{Eyes, spectator};
use maumau_referee::{FigureCounter, GameLog};
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::RunFile;

use super::NUMBERS;
use crate::pages::worth_watching;

/// Of how many of the last games those worth watching are chosen.
const CHOSEN_FROM: usize = 60;

/// A game that is shown.
pub(super) struct GameToWatch {
    pub(super) log: GameLog,
    /// Whose eyes see it.
    pub(super) eyes: Eyes,
    /// Its name, and what it is worth watching for.
    pub(super) announced: String,
}

/// The choice of games.
pub(super) struct GamesToWatch {
    open_hands: bool,
    /// The numbers of those that were shown.
    shown: HashSet<u64>,
}

impl GamesToWatch {
    /// Nothing has been shown yet; with `open_hands` all hands are, also before the run is complete.
    pub(super) fn new(open_hands: bool) -> GamesToWatch {
        GamesToWatch { open_hands, shown: HashSet::new() }
    }

    /// The next game of the run at this path, if one is finished.
    ///
    /// # Errors
    /// The run file cannot be read, or the table is so large that it has no place for a spectator.
    pub(super) fn next(&mut self, run: &Path) -> Result<Option<GameToWatch>> {
        let file = RunFile::open(run)?;
        let wanted = wanted(&file)?;
        let fresh = wanted.iter().find(|(number, _)| !self.shown.contains(number));
        let Some((number, praise)) = fresh.or(wanted.first()) else { return Ok(None) };
        if fresh.is_none() {
            self.shown.clear();
        }
        self.shown.insert(*number);
        let game = file.game(*number)?.context("a finished game is not there any more")?;
        let log = game.game_log(&file.plan)?;
        let (tally, _) = file.tally()?;
        let standings = file.plan.standings(&tally);
        let eyes = match self.open_hands || standings.games == standings.planned {
            true => None,
            false => {
                Some(spectator(log.header.names.len()).context("at so large a table only open hands can be shown")?)
            }
        };
        let name = Untrusted::new(&game.id()).terminal();
        let announced = praise.as_ref().map_or(name.clone(), |praise| format!("{name} - {praise}"));
        Ok(Some(GameToWatch { log, eyes, announced }))
    }
}

/// The numbers of the last games, those worth watching first, each with the reason, then the newest.
fn wanted(file: &RunFile) -> Result<Vec<(u64, Option<String>)>> {
    let Some(last) = file.last_number()? else { return Ok(Vec::new()) };
    let mut numbers = Vec::new();
    file.results_from(last.saturating_sub(NUMBERS), |planned, finished| {
        numbers.push((planned.index, finished.result.unwon == 0));
        ControlFlow::Continue(())
    })?;
    numbers.drain(..numbers.len().saturating_sub(CHOSEN_FROM));
    let (mut counter, mut counted) = (FigureCounter::default(), Vec::new());
    // A round that nobody wins is long for no good reason.
    for (number, _) in numbers.iter().filter(|(_, is_won)| *is_won) {
        if let Some(game) = file.game(*number)? {
            counted.push((*number, counter.count(&game.game_log(&file.plan)?)?));
        }
    }
    let mut wanted: Vec<(u64, Option<String>)> = Vec::new();
    let praised = worth_watching(counted.into_iter());
    let praised = praised.into_iter().map(|(figure, number, figures)| (number, Some(figure.praise(&figures))));
    for (number, praise) in praised.chain(numbers.iter().rev().map(|(number, _)| (*number, None))) {
        if wanted.iter().all(|(known, _)| *known != number) {
            wanted.push((number, praise));
        }
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use maumau_run::run_store::{RunStore, RunWriter, log_codec};

    use super::*;
    use crate::trial::{self, game_with_a_fault};

    #[test]
    fn games_worth_watching_come_first_and_none_twice_while_there_are_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trial.maumau");
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(trial::settings())).expect("a run");
        let mut chosen = GamesToWatch::new(false);
        assert!(chosen.next(&path).expect("a run").is_none());
        let inputs = game_with_a_fault().inputs;
        let mut games = trial::games(12);
        for (at, game) in games.iter_mut().enumerate() {
            // The fifth one is longer than the others.
            game.log = log_codec::pack(&inputs[..inputs.len() - if at == 4 { 0 } else { 3 }]).expect("a log");
        }
        writer.add(&games).expect("games");
        let mut announced = Vec::new();
        for _ in &games {
            let game = chosen.next(&path).expect("a run").expect("a game");
            assert_eq!(game.eyes, spectator(game.log.header.names.len()));
            announced.push(game.announced);
        }
        let praised: Vec<&String> = announced.iter().filter(|words| words.contains(" - ")).collect();
        assert_eq!(praised, announced.iter().take(praised.len()).collect::<Vec<_>>(), "{announced:?}");
        assert!(praised.iter().any(|words| words.starts_with(&games[4].id()) && words.contains("The longest: ")));
        let names: HashSet<&str> = announced.iter().map(|words| words.split(' ').next().expect("a name")).collect();
        assert_eq!(names.len(), games.len(), "{announced:?}");
        let again = chosen.next(&path).expect("a run").expect("a game");
        assert_eq!(again.announced, announced[0]);
        let open = GamesToWatch::new(true).next(&path).expect("a run").expect("a game");
        assert_eq!(open.eyes, None);
    }
}
