//! What of the events has reached each address that they are sent to. Sending is `club::outbox`'.

use anyhow::Result;
use rusqlite::params;

use super::ClubStore;

impl ClubStore {
    /// The number of the last event that reached `url`. An address that is new hears of what happens from now on.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn reached(&mut self, url: &str) -> Result<i64> {
        let begun = self.begin()?;
        begun.execute(
            "INSERT INTO webhook SELECT ?1, coalesce(max(id), 0) FROM event WHERE true ON CONFLICT DO NOTHING",
            [url],
        )?;
        let event = begun.query_row("SELECT event FROM webhook WHERE url = ?1", [url], |row| row.get(0))?;
        begun.commit()?;
        Ok(event)
    }

    /// Notes that the event with the number `event` has reached `url`.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn has_reached(&mut self, url: &str, event: i64) -> Result<()> {
        let begun = self.begin()?;
        begun.execute("UPDATE webhook SET event = ?2 WHERE url = ?1", params![url, event])?;
        begun.commit()?;
        Ok(())
    }
}
