//! Games that teams have asked for, and how far they are. Who may ask, and how they are played, is decided elsewhere.

use anyhow::{Context, Result};
use maumau_club::TrialState;
use rusqlite::{Connection, params};

use super::{ClubStore, NO_TEAM, emit, emit_by, kept_s, now_s, read_s};

/// Games that a team has asked for, or a game that the organiser has played again: then the team has no name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredTrial {
    pub(crate) id: i64,
    pub(crate) team: String,
    /// Those that play, by their names in the season, the team's own first.
    pub(crate) agents: Vec<String>,
    pub(crate) games: u32,
    pub(crate) state: TrialState,
    pub(crate) reason: String,
    pub(crate) asked_s: u64,
    /// The game that is played again.
    pub(crate) rerun: Option<PastGame>,
}

/// A game of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PastGame {
    /// The number of its chapter.
    pub(crate) chapter: u32,
    /// Its name there.
    pub(crate) name: String,
}

impl ClubStore {
    /// Keeps what a team asks for; `None` if a trial of it is still on its way.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn ask_trial(&mut self, team: &str, agents: &[String], games: u32) -> Result<Option<StoredTrial>> {
        let begun = self.begin()?;
        if trials(&begun)?.iter().any(|trial| trial.team == team && trial.state.is_on_its_way()) {
            return Ok(None);
        }
        begun.execute(
            "INSERT INTO trial (team, agents, games, state, reason, asked_s) VALUES (?1, ?2, ?3, ?4, '', ?5)",
            params![team, agents.join(" "), games, TrialState::Waiting.name(), kept_s(now_s())],
        )?;
        let trial = trials(&begun)?.pop();
        begun.commit()?;
        Ok(trial)
    }

    /// Keeps that the member `who` wants a game of these agents played again; an empty name at the command line.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn ask_rerun(&mut self, who: &str, game: &PastGame, agents: &[String]) -> Result<StoredTrial> {
        let begun = self.begin()?;
        begun.execute(
            "INSERT INTO trial (team, agents, games, state, reason, asked_s, game, chapter) VALUES (?1, ?2, 1, ?3, '', ?4, ?5, ?6)",
            params![NO_TEAM, agents.join(" "), TrialState::Waiting.name(), kept_s(now_s()), game.name, game.chapter],
        )?;
        let trial = trials(&begun)?.pop().context("what was asked for")?;
        let what = format!("the game {} of chapter {} is to be played again", game.name, game.chapter);
        emit_by(&begun, who, Some(NO_TEAM), None, &what)?;
        begun.commit()?;
        Ok(trial)
    }

    /// All trials, in the order in which they were asked for.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn trials(&self) -> Result<Vec<StoredTrial>> {
        trials(&self.0)
    }

    /// Takes a trial to another state, and tells its team.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn trial_is(&mut self, trial: &StoredTrial, state: TrialState, reason: &str) -> Result<()> {
        let begun = self.begin()?;
        let update = "UPDATE trial SET state = ?2, reason = ?3 WHERE id = ?1";
        begun.execute(update, params![trial.id, state.name(), reason])?;
        let what = match (&trial.rerun, state) {
            (Some(_), TrialState::Done) => format!("played again: {reason}"),
            (Some(game), state) => format!("playing {} again is {}", game.name, state.name()),
            (None, state) => format!("trial {} is {}", trial.id, state.name()),
        };
        emit(&begun, Some(&trial.team), None, &what)?;
        begun.commit()?;
        Ok(())
    }
}

fn trials(connection: &Connection) -> Result<Vec<StoredTrial>> {
    let query = "SELECT id, team, agents, games, state, reason, asked_s, game, chapter FROM trial ORDER BY id";
    let mut found = connection.prepare_cached(query)?;
    let read = found.query_map([], |row| {
        let state: String = row.get(4)?;
        let unknown = || rusqlite::Error::InvalidColumnName(format!("the state {state:?}"));
        Ok(StoredTrial {
            id: row.get(0)?,
            team: row.get(1)?,
            agents: row.get::<_, String>(2)?.split(' ').map(str::to_owned).collect(),
            games: row.get(3)?,
            state: TrialState::named(&state).ok_or_else(unknown)?,
            reason: row.get(5)?,
            asked_s: read_s(row.get(6)?),
            rerun: match (row.get::<_, Option<String>>(7)?, row.get::<_, Option<u32>>(8)?) {
                (Some(name), Some(chapter)) => Some(PastGame { chapter, name }),
                _ => None,
            },
        })
    })?;
    Ok(read.collect::<Result<_, _>>()?)
}
