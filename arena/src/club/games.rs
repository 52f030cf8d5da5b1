//! The games of a season that people watch: the last ones of a version, and one of them as a page, with the eyes of a spectator, since
//! other games of its deal may still be played. Reads the run file and writes nothing.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result};
use maumau_run::run_store::RunFile;
use maumau_web::game::{Hands, Story, offline_game};

/// How many games before the newest one are looked at for those of a version.
const LOOKS_BACK: u64 = 2_000;
/// How many are listed.
const LISTED: usize = 10;

/// A game in a list.
pub(crate) struct WatchedGame {
    /// Its name in the run.
    pub(crate) name: String,
    /// The agents in seat order, each with its place.
    pub(crate) seats: Vec<(String, u8)>,
}

/// The last games of `agent`, the newest first.
///
/// # Errors
/// The run file cannot be read.
pub(crate) fn last_games(run: &Path, agent: &str) -> Result<Vec<WatchedGame>> {
    let file = RunFile::open(run)?;
    let first = file.last_number()?.unwrap_or(0).saturating_sub(LOOKS_BACK);
    let pairings = &file.plan.pairings;
    let mut games = Vec::new();
    file.results_from(first, |planned, finished| {
        let names = planned.agents.iter().map(|agent| pairings.name(*agent).to_owned());
        let seats: Vec<(String, u8)> = names.zip(finished.result.places.iter().copied()).collect();
        if seats.iter().any(|(name, _)| name == agent) {
            games.push(WatchedGame { name: planned.id().0.to_string(), seats });
        }
        ControlFlow::Continue(())
    })?;
    games.reverse();
    games.truncate(LISTED);
    Ok(games)
}

/// The page of a game; `None` if there is no finished one of this name.
///
/// # Errors
/// The run file cannot be read.
pub(crate) fn game_page(run: &Path, name: &str) -> Result<Option<String>> {
    let file = RunFile::open(run)?;
    let Some(planned) = file.plan.pairings.game_called(name) else { return Ok(None) };
    let Some(game) = file.game(planned.index)? else { return Ok(None) };
    let story = Story::with(&game.game_log(&file.plan)?, Hands::Closed).context("a game of the season")?;
    Ok(Some(offline_game(&story)?))
}
