//! Exports records from a run file, one file for each game. It reads the run file and writes only into the folder that
//! it is given.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::error::usage;
use crate::io::atomic_file;
use crate::io::format::counted;
use crate::io::untrusted::Untrusted;
use crate::run_store::RunFile;
use crate::run_store::StoredGame;

/// Which games to export.
#[derive(Clone, Debug)]
pub enum Which {
    /// All finished games.
    All,
    /// The games with these names.
    Named(Vec<String>),
}

/// Writes the records of games into `folder`, which is created if necessary, with names like `g003-d0007-r1.jsonl`. Returns
/// their number.
///
/// # Errors
/// No finished game has one of the names, a stored game is damaged, or a file cannot be written.
pub fn export(run: &RunFile, which: &Which, folder: &Path) -> Result<u64> {
    let games = match which {
        Which::All => None,
        Which::Named(names) => Some(find(run, names)?),
    };
    std::fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    let (mut count, mut last) = (0, String::new());
    let mut write = |game: StoredGame| {
        let record = game.record(&run.plan)?;
        let id = game.id();
        atomic_file::write(&path_of(folder, &id), &record)?;
        (count, last) = (count + 1, id);
        Ok(())
    };
    let written = match games {
        Some(games) => games.into_iter().try_for_each(&mut write),
        None => run.for_each_game(&mut write),
    };
    match (written, count) {
        (Ok(()), count) => Ok(count),
        (Err(error), 0) => Err(error.context("no record was written")),
        (Err(error), count) => {
            let (records, folder) = (counted(count, "record"), folder.display());
            Err(error.context(format!("only {records} were written to {folder}, the last one of the game {last}")))
        }
    }
}

/// The finished games with these names.
///
/// # Errors
/// No finished game has one of the names, or a stored game is damaged.
pub fn find(run: &RunFile, names: &[String]) -> Result<Vec<StoredGame>> {
    let mut games = Vec::new();
    for name in names {
        let planned = run.plan.pairings.game_called(name).ok_or_else(|| {
            let last = run.plan.pairings.game(run.plan.pairings.len() - 1).id();
            usage(format!("no game of this run is called {name:?}; the names go up to {}", last.0))
        })?;
        let game = run.game(planned.index)?;
        games.push(game.ok_or_else(|| usage(format!("the game {name} has not been played yet")))?);
    }
    Ok(games)
}

fn path_of(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{}.jsonl", Untrusted::new(id).file_name()))
}
