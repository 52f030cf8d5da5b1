//! When games were last added to a run file, for people who ask how fast it goes. Written with the games themselves.

use anyhow::{Context, Result};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::settings::{json, read_setting, write_setting};

/// The setting.
const SESSION: &str = "session";

/// The last time that a run was played. Times are milliseconds since 1970 by the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaySession {
    /// When it began.
    pub began_ms: u64,
    /// Games that the run had then.
    pub games_before: u64,
    /// When games were added last.
    pub last_ms: u64,
}

impl PlaySession {
    pub(super) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        write_setting(connection, SESSION, &json(self)?)
    }

    /// The session in the file, if games have been added since run files keep it.
    pub(super) fn read(connection: &Connection) -> Result<Option<PlaySession>> {
        let query = "SELECT 1 FROM meta WHERE key = ?1";
        if connection.query_row(query, params![SESSION], |_| Ok(())).optional()?.is_none() {
            return Ok(None);
        }
        serde_json::from_str(&read_setting(connection, SESSION)?).map(Some).context("its last session cannot be read")
    }

    /// Games a second, if the run has `games` now; `None` before any time has passed.
    pub fn games_per_second(&self, games: u64) -> Option<f64> {
        let seconds = self.last_ms.saturating_sub(self.began_ms) as f64 / 1e3;
        let new = games.saturating_sub(self.games_before) as f64;
        (seconds > 0.0 && new > 0.0).then(|| new / seconds)
    }
}
