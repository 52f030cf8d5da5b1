//! A club whose files are open: what its server and its worker share. Who may see what is the server's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use maumau_club::VersionNews;
use tokio::sync::watch;

use super::answers::LadderRow;
use super::folder::{ClubFolder, ClubSettings};
use super::season;
use super::store::{ClubStore, StoredVersion};

/// How old a ladder may be that is shown.
const LADDER_FOR: Duration = Duration::from_secs(1);

/// What those who follow the events of a club wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClubNews {
    /// The newest event.
    pub(crate) event: i64,
    /// True once the club ends.
    pub(crate) is_over: bool,
}

/// A ladder that was read a moment ago.
#[derive(Default)]
struct KeptLadder(Mutex<Option<(Instant, Vec<LadderRow>)>>);

impl KeptLadder {
    fn of(&self, run: &Path) -> Result<Vec<LadderRow>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, ladder)) = kept.as_ref().filter(|(read, _)| read.elapsed() < LADDER_FOR) {
            return Ok(ladder.clone());
        }
        let ladder = season::ladder(run)?;
        *kept = Some((Instant::now(), ladder.clone()));
        Ok(ladder)
    }

    fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// A club that is served.
pub(crate) struct Club {
    pub(crate) folder: ClubFolder,
    pub(crate) settings: ClubSettings,
    /// Further words for the process that plays the season.
    pub(crate) season: Vec<OsString>,
    store: Mutex<ClubStore>,
    ladder: KeptLadder,
    frozen: KeptLadder,
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
            store: Mutex::new(store),
            ladder: KeptLadder::default(),
            frozen: KeptLadder::default(),
            news: watch::Sender::default(),
        })
    }

    /// With further words for the process that plays the season.
    pub(crate) fn with_season(self, season: Vec<OsString>) -> Club {
        Club { season, ..self }
    }

    /// The database. Nothing in it is left half changed by a panic.
    pub(crate) fn store(&self) -> MutexGuard<'_, ClubStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ladder as it was at most a second ago.
    ///
    /// # Errors
    /// The run file cannot be read.
    pub(crate) fn ladder(&self) -> Result<Vec<LadderRow>> {
        self.ladder.of(&self.folder.run())
    }

    /// The run file that everybody sees.
    pub(crate) fn shown_run(&self) -> PathBuf {
        Some(self.folder.frozen()).filter(|frozen| frozen.exists()).unwrap_or_else(|| self.folder.run())
    }

    /// The ladder that everybody sees, and whether it stands still.
    ///
    /// # Errors
    /// The run file cannot be read.
    pub(crate) fn shown_ladder(&self) -> Result<(Vec<LadderRow>, bool)> {
        let frozen = self.folder.frozen();
        if frozen.exists() { Ok((self.frozen.of(&frozen)?, true)) } else { Ok((self.ladder()?, false)) }
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
        if matches!(news, VersionNews::Joined | VersionNews::Replaced) {
            // Those who hear of it find it on the ladder.
            self.ladder.forget();
        }
        let next = {
            let mut store = self.store();
            let known = || format!("version {version} in club.db");
            let before = store.version(version)?.with_context(known)?;
            store.happened(&before, news, reason)?;
            store.version(version)?.with_context(known)?
        };
        self.announce()?;
        Ok(next)
    }

    /// Says that a version, which plays no more, has left the ladder.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn has_left(&self, version: &StoredVersion) -> Result<()> {
        self.ladder.forget();
        self.store().has_left(version)?;
        self.announce()
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
        let manifest = BotManifest { name: None, build: None, run: "python3 bot.py".to_owned() };
        let version = club.store().send("ann", "bot", &"0".repeat(64), &manifest).expect("a version").0;
        let is_kept = || club.ladder.0.lock().expect("nobody has it").is_some();
        let happened = |news| club.happened(version.id, news, "").expect("a step");
        happened(VersionNews::CheckBegan);
        club.ladder().expect("a ladder");
        happened(VersionNews::Passed);
        assert!(is_kept(), "nothing has changed there");
        let joined = happened(VersionNews::Joined);
        assert!(!is_kept(), "it has joined");
        club.ladder().expect("a ladder");
        club.has_left(&joined).expect("a step");
        assert!(!is_kept(), "it has left");
        club.ladder().expect("a ladder");
        happened(VersionNews::Replaced);
        assert!(!is_kept(), "a later one has joined");
    }
}
