//! A game as text, told while it is played.

use maumau_protocol::record::{Entry, EventEntry, Header};
use maumau_referee::{Logged, Replay, ReplayError};

use super::Narrator;

/// Tells everything of a game, from its log as far as it goes.
pub(crate) struct Telling {
    narrator: Narrator,
    replay: Replay,
    /// Entries of the log that have been told.
    told: usize,
}

impl Telling {
    /// Of a game that has not begun.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table.
    pub(crate) fn new(header: &Header) -> Result<Telling, ReplayError> {
        Ok(Telling { narrator: Narrator::new(header, None), replay: Replay::new(header)?, told: 0 })
    }

    /// The lines of what `log` holds beyond what it held at the last call.
    ///
    /// # Errors
    /// The log does not fit its header.
    pub(crate) fn go_on(&mut self, log: &[Logged]) -> Result<String, ReplayError> {
        let mut text = self.events();
        for logged in &log[self.told..] {
            text += &self.line(&logged.entry);
            self.replay.take(&logged.entry)?;
            text += &self.events();
        }
        self.told = log.len();
        Ok(text)
    }

    fn events(&mut self) -> String {
        let events: Vec<_> = self.replay.drain_events().collect();
        events.into_iter().map(|(n, event)| self.line(&Entry::Event(EventEntry { n, event }))).collect()
    }

    fn line(&self, entry: &Entry) -> String {
        self.narrator.entry(entry).map_or(String::new(), |line| line + "\n")
    }
}
