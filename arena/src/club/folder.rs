//! The folder of a club: where its files are, `club.toml`, and the lock that lets one process serve it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use axum::http::HeaderName;
use maumau_club::{ClubQuotas, ClubThing};
use maumau_cluster::unit::Sha;
use maumau_protocol::SandboxLevel;
use maumau_run::error::usage;
use maumau_run::io::atomic_file;
use maumau_run::io::bounded;
use serde::Deserialize;

use super::store::{ClubStore, StoredVersion};
use super::webhook::{self, Webhook};

/// Maximum bytes of `club.toml`.
const MAX_CLUB_BYTES: u64 = 65_536;

/// Files of a bot: as many as a league takes fingerprints of.
pub(crate) const MAX_FILES: usize = 1_000;

/// The folders that a club has; those of later programs are made when it is opened.
const PARTS: [&str; 8] = ["uploads", "bots", "built", "workshop", "words", "season", "trials", "past"];

/// The most versions that are checked at once.
const MAX_CHECKS: u32 = 8;

/// How long the lock is waited for, and how often it is asked for.
const LOCKED_WITHIN: Duration = Duration::from_secs(2);
const LOCK_EVERY: Duration = Duration::from_millis(50);

/// The folder of a chapter that is about to begin: it is `season` next.
const NEXT: &str = "season.next";

/// What `club.toml` says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClubSettings {
    /// What the club is called on its pages.
    pub(crate) title: String,
    /// The address under which people reach it, for links.
    pub(crate) url: String,
    /// How strictly bots are isolated, in checks and in games.
    pub(crate) sandbox: SandboxLevel,
    /// Processors that games are played on.
    pub(crate) processors: u32,
    /// What a team may send.
    #[serde(default)]
    pub(crate) quotas: ClubQuotas,
    /// How many versions are checked at once; without it, by the processors of the machine.
    #[serde(default)]
    pub(crate) checks: Option<u32>,
    /// Mebibytes of the disk that stay free: below that nothing is sent and nothing is played.
    #[serde(default = "usual_free_mib")]
    pub(crate) least_free_mib: u64,
    /// True if what everybody sees otherwise is for members alone.
    #[serde(default)]
    pub(crate) private: bool,
    /// The header in which a proxy says who asks; without it, only tokens do.
    #[serde(default)]
    pub(crate) user_header: Option<String>,
    /// Where its events are sent.
    #[serde(default, rename = "webhook")]
    pub(crate) webhooks: Vec<Webhook>,
}

impl ClubSettings {
    /// The pages for all.
    pub(crate) const fn public_pages(&self) -> ClubThing<'static> {
        ClubThing::PublicPages { is_private: self.private }
    }

    /// How many versions are checked at once: a check mostly waits.
    pub(crate) fn checks(&self) -> u32 {
        let by_machine = || std::thread::available_parallelism().map_or(2, |count| count.get() as u32 * 2);
        self.checks.unwrap_or_else(by_machine).clamp(1, MAX_CHECKS)
    }
}

const fn usual_free_mib() -> u64 {
    1_024
}

/// What a new club is made with.
pub(crate) struct NewClub<'a> {
    /// The rule set of its season.
    pub(crate) rules: &'a str,
    /// Seats at a table.
    pub(crate) seats: u8,
    /// The level for bots.
    pub(crate) sandbox: SandboxLevel,
}

/// The folder of a club.
#[derive(Clone, Debug)]
pub(crate) struct ClubFolder(PathBuf);

impl ClubFolder {
    /// Makes the files of a new club in `path`, which must be empty or not be there.
    ///
    /// # Errors
    /// There is something already, or a file cannot be written.
    pub(crate) fn make(path: &Path, new: &NewClub<'_>) -> Result<ClubFolder> {
        let shown = path.display();
        std::fs::create_dir_all(path).with_context(|| format!("the folder {shown} cannot be made"))?;
        if std::fs::read_dir(path).with_context(|| format!("the folder {shown}"))?.next().is_some() {
            return Err(usage(format!("{shown} is not empty; name a folder that is not there yet")));
        }
        close_to_others(path)?;
        let folder = ClubFolder(path.canonicalize()?);
        folder.make_parts()?;
        let title = folder.0.file_name().map_or_else(|| "club".into(), |name| name.to_string_lossy().into_owned());
        let season = season_text(&title, new.rules, new.seats, new.sandbox);
        atomic_file::write(&folder.league(), season.as_bytes())?;
        drop(ClubStore::open(&folder.database())?);
        // The last file: a folder without it is no club.
        atomic_file::write(&folder.settings_file(), club_text(&title, new).as_bytes())?;
        Ok(folder)
    }

    /// The club in `path`.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn open(path: &Path) -> Result<ClubFolder> {
        let is_club = path.join("club.toml").is_file();
        if !is_club {
            let shown = path.display();
            return Err(usage(format!("{shown} is no club: it has no club.toml; `maumau club new {shown}` makes one")));
        }
        let folder = ClubFolder(path.canonicalize()?);
        // A chapter that was about to begin when the club was killed.
        if folder.next_season().exists() && !folder.part("season").exists() {
            std::fs::rename(folder.next_season(), folder.part("season")).context("the next chapter cannot begin")?;
        }
        folder.make_parts()?;
        Ok(folder)
    }

    fn make_parts(&self) -> Result<()> {
        let make = |part| std::fs::create_dir_all(self.0.join(part));
        PARTS
            .iter()
            .try_for_each(|part| make(part).with_context(|| format!("the folder {part} in {}", self.0.display())))
    }

    /// Reads `club.toml`.
    ///
    /// # Errors
    /// It cannot be read, or is wrong.
    pub(crate) fn settings(&self) -> Result<ClubSettings> {
        let file = self.settings_file();
        let text = bounded::read_text(&file, MAX_CLUB_BYTES, "a club file");
        let wrong = |error: &dyn std::fmt::Display| usage(format!("{}: {error}", file.display()));
        let text = text.map_err(|error| wrong(&error))?;
        let settings: ClubSettings = toml::from_str(&text).map_err(|error| wrong(&error))?;
        webhook::check_all(&settings.webhooks).map_err(|error| wrong(&error))?;
        if let Some(header) = settings.user_header.as_deref().filter(|name| HeaderName::try_from(*name).is_err()) {
            return Err(wrong(&format!(
                "user_header = {header:?}: expected the name of a header, such as X-Remote-User"
            )));
        }
        Ok(settings)
    }

    /// Locks the club for this process until the result is dropped.
    ///
    /// # Errors
    /// Another process serves it.
    pub(crate) fn lock(&self) -> Result<File> {
        let path = self.0.join("club.lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.with_context(|| format!("{} cannot be opened", path.display()))?;
        // What a killed club had just begun to start holds the lock for a moment.
        let began = Instant::now();
        while matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && began.elapsed() < LOCKED_WITHIN {
            std::thread::sleep(LOCK_EVERY);
        }
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(usage(format!("another process serves {}", self.0.display()))),
            Err(TryLockError::Error(error)) => Err(error).context(format!("{} cannot be locked", path.display())),
        }
    }

    /// What is wrong with the files of the club, a sentence each.
    ///
    /// # Errors
    /// The database cannot be read.
    pub(crate) fn problems(&self) -> Result<Vec<String>> {
        let store = ClubStore::open(&self.database())?;
        let mut problems = Vec::new();
        if !store.check()? {
            problems.push("club.db is damaged".to_owned());
        }
        for version in store.versions()?.into_iter().filter(|version| !version.is_pruned) {
            let is_whole =
                std::fs::read(self.upload(&version.sha)).is_ok_and(|bytes| Sha::of(&bytes).digits() == version.sha);
            if !is_whole {
                problems.push(format!("the archive of {} is missing or damaged", version.agent()));
            }
            if !self.home_of(&version).is_dir() {
                problems.push(format!("the folder of {} is missing", version.agent()));
            }
        }
        Ok(problems)
    }

    /// The database.
    pub(crate) fn database(&self) -> PathBuf {
        self.0.join("club.db")
    }

    /// The archive with this digest, as it was sent.
    pub(crate) fn upload(&self, digest: &str) -> PathBuf {
        self.0.join("uploads").join(digest)
    }

    /// Where that archive is unpacked.
    pub(crate) fn bot(&self, digest: &str) -> PathBuf {
        self.0.join("bots").join(digest)
    }

    /// What a build has left, by its digest.
    pub(crate) fn built(&self, digest: &str) -> PathBuf {
        self.0.join("built").join(digest)
    }

    /// Where a version is started: in what was built of it, or as it was sent.
    pub(crate) fn home_of(&self, version: &StoredVersion) -> PathBuf {
        if version.built.is_empty() { self.bot(&version.sha) } else { self.built(&version.built) }
    }

    /// Where builds are made; nothing in it outlives a build.
    pub(crate) fn workshop(&self) -> PathBuf {
        self.0.join("workshop")
    }

    /// What the build of a version said.
    pub(crate) fn build_words(&self, version: i64) -> PathBuf {
        self.0.join("words").join(format!("{version}.build"))
    }

    /// What the check of a version said.
    pub(crate) fn words(&self, version: i64) -> PathBuf {
        self.0.join("words").join(format!("{version}.json"))
    }

    /// The folders whose entries are named by digests; what has another name was begun and not finished.
    pub(crate) fn parts(&self) -> [PathBuf; 4] {
        ["uploads", "bots", "built", "workshop"].map(|part| self.0.join(part))
    }

    /// The league file of the season.
    pub(crate) fn league(&self) -> PathBuf {
        self.0.join("season/season.toml")
    }

    /// The run file of the season.
    pub(crate) fn run(&self) -> PathBuf {
        self.league().with_extension("maumau")
    }

    /// The run file of a chapter, also of the one in play.
    pub(crate) fn run_of(&self, chapter: u32) -> PathBuf {
        if chapter == self.chapter() { self.run() } else { self.past(chapter).join("season.maumau") }
    }

    /// The run file that everybody sees while the ladder is frozen.
    pub(crate) fn frozen(&self) -> PathBuf {
        self.part("season").join("frozen.maumau")
    }

    /// Where the next chapter is made.
    pub(super) fn next_season(&self) -> PathBuf {
        self.0.join(NEXT)
    }

    /// The folder of a chapter that is over, the first one 1.
    pub(crate) fn past(&self, chapter: u32) -> PathBuf {
        self.0.join("past").join(chapter.to_string())
    }

    /// The number of the chapter in play.
    pub(crate) fn chapter(&self) -> u32 {
        (1..).find(|chapter| !self.past(*chapter).exists()).unwrap_or(1)
    }

    /// Mebibytes that are free on its disk, as far as the system says.
    ///
    /// # Errors
    /// The system fails.
    pub(crate) fn free_mib(&self) -> Result<u64> {
        #[cfg(target_os = "linux")]
        {
            let disk = nix::sys::statvfs::statvfs(&self.0).context("the disk of the club")?;
            Ok(disk.blocks_available().saturating_mul(disk.fragment_size()) >> 20)
        }
        #[cfg(not(target_os = "linux"))]
        Ok(u64::MAX)
    }

    /// A folder of the club.
    pub(super) fn part(&self, part: &str) -> PathBuf {
        self.0.join(part)
    }

    /// `club.toml`.
    pub(super) fn settings_file(&self) -> PathBuf {
        self.0.join("club.toml")
    }
}

fn club_text(title: &str, new: &NewClub<'_>) -> String {
    format!(
        "title = {}\nurl = \"http://127.0.0.1:4243\"\nsandbox = \"{}\"\nprocessors = 1\n\n[quotas]\nuploads_a_day = 20\non_their_way = 2\n\
         upload_mib = 32\n",
        toml::Value::from(title),
        new.sandbox
    )
}

/// The house bots, which always play.
const HOUSE_BOTS: [&str; 3] = ["greedy", "careful", "random"];

/// The league file of a season with as many house bots as fill a table, at least three.
pub(super) fn season_text(title: &str, rules: &str, seats: u8, sandbox: SandboxLevel) -> String {
    let bots: String = (0..HOUSE_BOTS.len().max(seats.into()))
        .map(|place| {
            let (bot, round) = (HOUSE_BOTS[place % HOUSE_BOTS.len()], place / HOUSE_BOTS.len() + 1);
            let name = if round == 1 { bot.to_owned() } else { format!("{bot}-{round}") };
            format!("\n[[agent]]\nname = \"{name}\"\nauthor = \"{name}\"\ncommand = \"maumau agent {bot}\"\n")
        })
        .collect();
    format!(
        "name = {}\nrules = {}\nseats = {}\nhidden_names = true\nanchor = {{ greedy = 1500 }}\n\n[schedule]\nformat = \"ladder\"\nround_games = 64\nfloor = 0.25\n\
         equal = 10\none_author_per_table = true\n\n[time]\nmove_ms = 2000\nstart_ms = 10000\n\n[sandbox]\nlevel = \"{sandbox}\"\n{bots}",
        toml::Value::from(title),
        toml::Value::from(rules),
        seats,
    )
}

/// Uploads and the database are for this user alone.
#[cfg(unix)]
pub(super) fn close_to_others(folder: &Path) -> Result<()> {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(folder, mode).with_context(|| format!("the rights of {}", folder.display()))
}

#[cfg(not(unix))]
pub(super) fn close_to_others(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use maumau_run::league::LeagueFile;

    use super::*;

    #[test]
    fn a_new_club_has_a_season_that_can_be_played_at_tables_of_any_size() {
        for seats in [2, 3, 4, 8] {
            let place = tempfile::tempdir().expect("a folder");
            let new = NewClub { rules: "basic", seats, sandbox: SandboxLevel::Basic };
            let folder = ClubFolder::make(&place.path().join("club"), &new).expect("a club");
            let league = LeagueFile::read(&folder.league()).expect("a league");
            assert!(league.league.agents.len() >= usize::from(seats), "{seats}");
            let settings = folder.settings().expect("settings");
            assert_eq!((settings.quotas, settings.sandbox), (ClubQuotas::default(), SandboxLevel::Basic));
            assert_eq!(folder.problems().expect("an answer"), [""; 0]);
            let _lock = folder.lock().expect("nobody serves it");
            assert!(folder.lock().is_err(), "one process serves it");
            assert!(ClubFolder::make(&place.path().join("club"), &new).is_err(), "it is there");
        }
    }
}
