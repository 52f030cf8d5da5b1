//! `maumau tournament run --again-game`: disputed games once more. It keeps what the old ones left and says what has changed; the
//! run file replaces them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use maumau_referee::record::Digest;
use maumau_report::outcome_of;
use maumau_run::error::usage;
use maumau_run::fault_report;
use maumau_run::io::atomic_file;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::league;
use maumau_run::run_store::{RunFile, RunSettings, StoredGame};

/// A game that is played again.
pub(super) struct Replaced {
    name: String,
    /// What came of it before.
    outcome: String,
    digest: Digest,
    /// Where its record is.
    record: PathBuf,
}

/// The games with these names in `run`, which will go on with `settings`.
///
/// # Errors
/// There is none, it has not been played, or nobody would play it: an agent of it has retired.
pub(super) fn find(run: &RunFile, names: &[String], settings: &RunSettings) -> Result<Vec<StoredGame>> {
    let games = league::find_games(run, names)?;
    for game in &games {
        let agents = game.planned.seating().map(|(_, agent)| &settings.league.agents[agent.index()]);
        if let Some(gone) = agents.into_iter().find(|agent| agent.life.retired) {
            let (id, name) = (game.id(), &gone.name);
            return Err(usage(format!("--again-game {id}: {name} has retired, so nobody would play it again")));
        }
    }
    Ok(games)
}

/// Keeps the records and the fault reports of the games with these names, before they are removed, in the folder beside the run
/// file that has the ending `.replaced`.
///
/// # Errors
/// As [`find`], or they cannot be written.
pub(super) fn keep(path: &Path, names: &[String], settings: &RunSettings, reports: &Path) -> Result<Vec<Replaced>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let run = RunFile::open(path)?;
    let games = find(&run, names, settings)?;
    let folder = path.with_extension("replaced");
    std::fs::create_dir_all(&folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    let keep_one = |game: StoredGame| {
        let name = game.id();
        let (number, record) = free_name(&folder, &name)?;
        atomic_file::write(&record, &game.record(&run.plan)?)?;
        for (end, page) in fault_report::pages_of(reports, &name, game.planned.agents.len()) {
            let kept = folder.join(format!("{name}-{number}{end}"));
            std::fs::copy(&page, &kept).with_context(|| format!("{} cannot be written", kept.display()))?;
        }
        let digest = game.digest;
        Ok(Replaced { name, outcome: outcome_of(&run, game), digest, record })
    };
    games.into_iter().map(keep_one).collect()
}

/// The first number that no record of the game in `folder` has, and the name of the file.
fn free_name(folder: &Path, game: &str) -> Result<(u32, PathBuf)> {
    for number in 1..=9_999 {
        let record = folder.join(format!("{game}-{number}.jsonl"));
        if !record.exists() {
            return Ok((number, record));
        }
    }
    bail!("{} holds too many records of the game {game}", folder.display());
}

/// Prints what came of each game before and now.
///
/// # Errors
/// The run file cannot be read.
pub(super) fn print_outcomes(path: &Path, replaced: &[Replaced]) -> Result<()> {
    if replaced.is_empty() {
        return Ok(());
    }
    let run = RunFile::open(path)?;
    for Replaced { name, outcome, digest, record } in replaced {
        let planned = run.plan.pairings.game_called(name);
        let now = planned.map(|planned| run.game(planned.index)).transpose()?.flatten();
        let shown = |text: &str| Untrusted::new(text).terminal();
        let change = match now {
            None => "has not been played again yet".to_owned(),
            Some(now) if now.digest == *digest => "is the same again, event by event".to_owned(),
            Some(now) => format!("is now {}", shown(&outcome_of(&run, now))),
        };
        print_stderr!("{name} was {} and {change}; its old record is {}", shown(outcome), record.display());
    }
    Ok(())
}
