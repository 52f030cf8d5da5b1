//! What organisers decide about the whole club: words for all, whether the season is closed, which chapter is to begin. Each decision is a
//! row, so that it holds over kills, and can be made while another process serves the club.

use anyhow::{Context, Result};
use maumau_club::{VersionNews, VersionState};
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{ClubStore, all_versions, emit_by, step};

/// Characters of a message.
const MAX_MESSAGE: usize = 1_000;

/// A decision that holds until it is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClubDecision {
    /// Words that stand on all pages.
    Message,
    /// The season is over: nothing is sent and nothing is played.
    Closed,
    /// A chapter that is to begin, as JSON.
    Chapter,
    /// The disk is nearly full: found by the club itself.
    Full,
}

impl ClubDecision {
    const fn name(self) -> &'static str {
        match self {
            ClubDecision::Message => "message",
            ClubDecision::Closed => "closed",
            ClubDecision::Chapter => "chapter",
            ClubDecision::Full => "full",
        }
    }
}

/// A chapter that is to begin; without rules and seats by those of the chapter before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WantedChapter {
    /// Its number.
    pub(crate) number: u32,
    /// Its rule set.
    pub(crate) rules: Option<String>,
    /// Its seats at a table.
    pub(crate) seats: Option<u8>,
}

impl WantedChapter {
    /// True if the versions that play must be checked again.
    pub(crate) fn is_other_game(&self) -> bool {
        self.rules.is_some() || self.seats.is_some()
    }
}

impl ClubStore {
    /// What was decided, if it holds.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn decision(&self, decision: ClubDecision) -> Result<Option<String>> {
        let query = "SELECT value FROM decision WHERE name = ?1";
        Ok(self.0.query_row(query, [decision.name()], |row| row.get(0)).optional()?)
    }

    /// Decides something, or takes it back, and tells everybody `what`. False if it was so already.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn rule(
        &mut self,
        decision: ClubDecision,
        value: Option<&str>,
        (who, what): (&str, &str),
    ) -> Result<bool> {
        if self.decision(decision)?.as_deref() == value {
            return Ok(false);
        }
        let begun = self.begin()?;
        match value {
            Some(value) => {
                begun.execute("INSERT OR REPLACE INTO decision VALUES (?1, ?2)", params![decision.name(), value])?
            }
            None => begun.execute("DELETE FROM decision WHERE name = ?1", [decision.name()])?,
        };
        emit_by(&begun, who, None, None, what)?;
        begun.commit()?;
        Ok(true)
    }

    /// Closes the season, as the member `who` wants, or opens it again. False if it was so already.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn close(&mut self, is_closed: bool, who: &str) -> Result<bool> {
        let what = if is_closed { "the season is closed" } else { "the season is open again" };
        self.rule(ClubDecision::Closed, Some("yes").filter(|_| is_closed), (who, what))
    }

    /// Puts words of the member `who` on all pages, in place of those before; none if they are empty.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn write_message(&mut self, text: &str, who: &str) -> Result<bool> {
        let text: String = text.trim().chars().filter(|letter| !letter.is_control()).take(MAX_MESSAGE).collect();
        let what = if text.is_empty() { "the message is gone".to_owned() } else { format!("message: {text}") };
        self.rule(ClubDecision::Message, Some(&*text).filter(|text| !text.is_empty()), (who, &what))
    }

    /// The chapter that is to begin.
    ///
    /// # Errors
    /// The database fails, or another program has written it.
    pub(crate) fn wanted_chapter(&self) -> Result<Option<WantedChapter>> {
        let wanted = self.decision(ClubDecision::Chapter)?;
        wanted.map(|wanted| serde_json::from_str(&wanted).context("the chapter in club.db")).transpose()
    }

    /// Notes that chapter `number` has begun; if it is another game, the versions that played are to be checked again.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn chapter_began(&mut self, number: u32, is_other_game: bool) -> Result<()> {
        let begun = self.begin()?;
        begun.execute("DELETE FROM decision WHERE name = ?1", [ClubDecision::Chapter.name()])?;
        for version in all_versions(&begun)?.iter().filter(|_| is_other_game) {
            let next = version.state.after(VersionNews::SeasonBegan).filter(|next| *next != version.state);
            if let Some(next) = next {
                begun.execute("UPDATE version SET began_s = 0 WHERE id = ?1", [version.id])?;
                debug_assert_eq!(next, VersionState::Waiting);
                step(&begun, version, next, 0, ("", "a season with other rules has begun"))?;
            }
        }
        emit_by(&begun, "", None, None, &format!("chapter {number} of the season has begun"))?;
        begun.commit()?;
        Ok(())
    }
}
