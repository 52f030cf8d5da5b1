//! A club whose files are open: what its server and its worker share. Who may see what is the server's.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use maumau_club::VersionNews;
use tokio::sync::watch;

use super::answers::LadderRow;
use super::folder::{ClubFolder, ClubSettings};
use super::kept_ladder::KeptLadder;
use super::season;
use super::season_pages::SeasonPages;
use super::store::{ClubStore, StoredVersion};

/// What those who follow the events of a club wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClubNews {
    /// The newest event.
    pub(crate) event: i64,
    /// True once the club ends.
    pub(crate) is_over: bool,
}

/// A club that is served.
pub(crate) struct Club {
    pub(crate) folder: ClubFolder,
    pub(crate) settings: ClubSettings,
    /// Further words for the process that plays the season.
    pub(crate) season: Vec<OsString>,
    /// The pages of the season.
    pub(crate) pages: Arc<SeasonPages>,
    /// Kept by the one who changes who plays in the season, or ends a chapter of it.
    roster: Mutex<()>,
    store: Mutex<ClubStore>,
    pub(crate) ladder: Arc<KeptLadder>,
    frozen: Arc<KeptLadder>,
    news: watch::Sender<ClubNews>,
}

impl Club {
    /// Opens the files in `folder`.
    ///
    /// # Errors
    /// `club.toml` is wrong, or the database cannot be opened.
    pub(crate) fn open(folder: ClubFolder) -> Result<Club> {
        let (settings, store) = (folder.settings()?, ClubStore::open(&folder.database())?);
        Ok(Club {
            folder,
            settings,
            season: Vec::new(),
            pages: Arc::default(),
            roster: Mutex::default(),
            store: Mutex::new(store),
            ladder: Arc::default(),
            frozen: Arc::default(),
            news: watch::Sender::default(),
        })
    }

    /// With further words for the process that plays the season.
    pub(crate) fn with_season(self, season: Vec<OsString>) -> Club {
        Club { season, ..self }
    }

    /// The right to change who plays in the season.
    pub(crate) fn roster(&self) -> MutexGuard<'_, ()> {
        self.roster.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The database. Nothing in it is left half changed by a panic.
    pub(crate) fn store(&self) -> MutexGuard<'_, ClubStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ladder as it was a moment ago.
    ///
    /// # Errors
    /// The run file cannot be read.
    pub(crate) fn ladder(&self) -> Result<Arc<Vec<LadderRow>>> {
        let run = self.folder.run();
        self.ladder.of(move || season::ladder(&run))
    }

    /// True if its disk has room for more.
    ///
    /// # Errors
    /// The system does not say.
    pub(crate) fn has_room(&self) -> Result<bool> {
        Ok(self.folder.free_mib()? >= self.settings.least_free_mib)
    }

    /// True if what everybody sees stands still.
    pub(crate) fn is_frozen(&self) -> bool {
        self.folder.frozen().exists()
    }

    /// The run file that everybody sees.
    pub(crate) fn shown_run(&self) -> PathBuf {
        if self.is_frozen() { self.folder.frozen() } else { self.folder.run() }
    }

    /// The ladder that everybody sees, and whether it stands still.
    ///
    /// # Errors
    /// The run file cannot be read.
    pub(crate) fn shown_ladder(&self) -> Result<(Arc<Vec<LadderRow>>, bool)> {
        if !self.is_frozen() {
            return Ok((self.ladder()?, false));
        }
        let run = self.folder.frozen();
        Ok((self.frozen.of(move || season::ladder(&run))?, true))
    }

    /// The news, for one who follows them from now on.
    pub(crate) fn news(&self) -> watch::Receiver<ClubNews> {
        self.news.subscribe()
    }

    /// Wakes those who follow the events if there are new ones, also of other processes.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn announce(&self) -> Result<()> {
        let event = self.store().newest_event()?;
        self.news.send_if_modified(|news| std::mem::replace(&mut news.event, event) != event);
        Ok(())
    }

    /// Takes a version to the state that follows from `news`, says so, and returns what it is then.
    ///
    /// # Errors
    /// The news cannot be about a version in its state, or the database fails.
    pub(crate) fn happened(&self, version: i64, news: VersionNews, reason: &str) -> Result<StoredVersion> {
        let next = {
            let mut store = self.store();
            let known = || format!("version {version} in club.db");
            let before = store.version(version)?.with_context(known)?;
            store.happened(&before, news, reason)?;
            store.version(version)?.with_context(known)?
        };
        // Those who hear of it find it on the ladder.
        match news {
            VersionNews::Joined => self.plays(&next, true),
            VersionNews::Replaced => self.plays(&next, false),
            _ => {}
        }
        self.announce()?;
        Ok(next)
    }

    /// Says that a version, which plays no more, has left the ladder.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn has_left(&self, version: &StoredVersion) -> Result<()> {
        self.plays(version, false);
        self.store().has_left(version)?;
        self.announce()
    }

    /// Shows on the ladder that a version plays, or does no more, before it is read again.
    fn plays(&self, version: &StoredVersion, is_playing: bool) {
        let agent = version.agent();
        self.ladder.amend(|rows| match rows.iter_mut().find(|row| row.agent == agent) {
            Some(row) => row.retired = !is_playing,
            None if is_playing => rows.push(LadderRow::new(agent)),
            None => {}
        });
    }

    /// Says that the club ends.
    pub(crate) fn end(&self) {
        self.news.send_modify(|news| news.is_over = true);
    }
}

#[cfg(test)]
mod tests {
    use maumau_club::BotManifest;
    use maumau_protocol::SandboxLevel;

    use super::super::folder::NewClub;
    use super::*;

    #[test]
    fn those_who_hear_of_a_change_on_the_ladder_see_it_there() {
        let place = tempfile::tempdir().expect("a folder");
        let new = NewClub { rules: "basic", seats: 2, sandbox: SandboxLevel::Basic };
        let club = Club::open(ClubFolder::make(&place.path().join("club"), &new).expect("a club")).expect("its files");
        let manifest = BotManifest { name: None, build: Vec::new(), run: "python3 bot.py".to_owned() };
        let version = club.store().send(("ann", "ann"), "bot", &"0".repeat(64), &manifest).expect("a version").0;
        let playing = || {
            let ladder = club.ladder().expect("a ladder");
            ladder.iter().filter(|row| !row.retired).map(|row| row.agent.clone()).collect::<Vec<_>>()
        };
        let happened = |news| club.happened(version.id, news, "").expect("a step");
        assert_eq!(playing(), [""; 0]);
        happened(VersionNews::CheckBegan);
        happened(VersionNews::Passed);
        // Another one is on the ladder, which is read as long as this test.
        let other = LadderRow::new("other@1".to_owned());
        club.ladder.amend(|rows| rows.push(other.clone()));
        let joined = happened(VersionNews::Joined);
        let rows = |club: &Club| {
            let slow = || {
                std::thread::park();
                Ok(Vec::new())
            };
            club.ladder.of(slow).expect("rows")
        };
        assert!(rows(&club).iter().any(|row| row.agent == "bot@1" && !row.retired), "it has joined");
        club.has_left(&joined).expect("a step");
        assert!(rows(&club).iter().any(|row| row.agent == "bot@1" && row.retired), "it has left");
    }
}
