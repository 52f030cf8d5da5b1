//! What a club needs over the years: a copy of all of it, room on its disk, and a ladder that stands still for a while. What of it may go,
//! `maumau-club` and the league file say.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use maumau_run::error::usage;
use maumau_run::league::LeagueFile;
use rusqlite::{Connection, OpenFlags};

use super::folder::{ClubFolder, close_to_others};
use super::store::{ClubStore, StoredVersion, now_s};

/// How long a process that writes may hold a database.
const PATIENCE: Duration = Duration::from_secs(60);
/// Seconds of a day.
const DAY_S: u64 = 24 * 60 * 60;

/// Copies a club into the folder `to`, which must not be there, also while it is served: the database first, and then what its rows point
/// at, so that nothing is missing.
///
/// # Errors
/// There is something already, or a file cannot be read or written.
pub(crate) fn back_up(folder: &ClubFolder, to: &Path) -> Result<()> {
    std::fs::create_dir(to).map_err(|error| usage(format!("the folder {} cannot be made: {error}", to.display())))?;
    close_to_others(to)?;
    copy_database(&folder.database(), &to.join("club.db"))?;
    for part in ["uploads", "bots", "built", "words", "past"] {
        link_tree(&folder.part(part), &to.join(part))?;
    }
    for part in ["workshop", "season"] {
        std::fs::create_dir(to.join(part)).with_context(|| format!("the folder {part}"))?;
    }
    for run in [folder.run(), folder.frozen()] {
        if run.exists() {
            let name = run.file_name().context("a run file")?;
            copy_database(&run, &to.join("season").join(name))?;
        }
    }
    std::fs::copy(folder.league(), to.join("season/season.toml")).context("the league file of the season")?;
    // The last file: a folder without it is no club.
    std::fs::copy(folder.settings_file(), to.join("club.toml")).context("club.toml")?;
    Ok(())
}

/// Copies a database at one moment, as SQLite does it.
fn copy_database(from: &Path, to: &Path) -> Result<()> {
    let shown = || format!("a copy of {}", from.display());
    let connection = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE).with_context(shown)?;
    connection.busy_timeout(PATIENCE)?;
    let to = to.to_str().with_context(|| format!("the path {} is not UTF-8", to.display()))?;
    connection.execute("VACUUM INTO ?1", [to]).with_context(shown)?;
    Ok(())
}

/// The same files in another folder. They never change, so both names may stand for one file.
fn link_tree(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir(to).with_context(|| format!("the folder {}", to.display()))?;
    for entry in std::fs::read_dir(from).with_context(|| format!("the folder {}", from.display()))? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            link_tree(&source, &target)?;
        } else if std::fs::hard_link(&source, &target).is_err() {
            std::fs::copy(&source, &target).with_context(|| format!("a copy of {}", source.display()))?;
        }
    }
    Ok(())
}

/// Removes the archives of versions that ended more than `days` days ago, and all files of those that never played. Returns how many
/// versions these are.
///
/// # Errors
/// The club is served, or the database or the folder fails.
pub(crate) fn prune(folder: &ClubFolder, days: u32) -> Result<usize> {
    // An upload of the same archive would meet it.
    let _lock = folder.lock()?;
    let mut store = ClubStore::open(&folder.database())?;
    let league = LeagueFile::read(&folder.league())?;
    let played: BTreeSet<&str> = league.league.agents.iter().map(|agent| agent.name.as_str()).collect();
    let ended_before = now_s().saturating_sub(u64::from(days) * DAY_S);
    let (old, kept): (Vec<StoredVersion>, Vec<StoredVersion>) =
        store.versions()?.into_iter().partition(|version| version.state.is_over() && version.since_s <= ended_before);
    store.prune(&old)?;
    let is_needed = |version: &&StoredVersion, with: fn(&StoredVersion) -> &str| {
        let players = old.iter().filter(|other| played.contains(other.agent().as_str()));
        kept.iter().chain(players).any(|other| with(other) == with(version))
    };
    for version in &old {
        let is_kept = kept.iter().any(|other| other.sha == version.sha);
        if !is_kept {
            remove(&folder.upload(&version.sha))?;
        }
        if !is_needed(&version, |version| &version.sha) {
            remove(&folder.bot(&version.sha))?;
        }
        if !version.built.is_empty() && !is_needed(&version, |version| &version.built) {
            remove(&folder.built(&version.built))?;
        }
    }
    Ok(old.len())
}

/// Removes a file or a folder, if it is there.
///
/// # Errors
/// It cannot be removed.
pub(super) fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be removed", path.display()))
        }
        _ => Ok(()),
    }
}

/// Lets what everybody sees of the season stand still, as the member `who` wants; play goes on. False if it does already.
///
/// # Errors
/// No game was played yet, or a file cannot be written.
pub(crate) fn freeze(folder: &ClubFolder, who: &str) -> Result<bool> {
    if folder.frozen().exists() {
        return Ok(false);
    }
    if !folder.run().exists() {
        return Err(usage("the season has not begun: there is nothing to freeze"));
    }
    let part = folder.frozen().with_extension("part");
    remove(&part)?;
    copy_database(&folder.run(), &part)?;
    std::fs::rename(&part, folder.frozen()).context("the ladder cannot be frozen")?;
    ClubStore::open(&folder.database())?.say("the ladder is frozen; play goes on", who)?;
    Ok(true)
}

/// Shows the season as it is again, as the member `who` wants. False if it was not frozen.
///
/// # Errors
/// A file cannot be removed, or the database fails.
pub(crate) fn thaw(folder: &ClubFolder, who: &str) -> Result<bool> {
    let was_frozen = folder.frozen().exists();
    if was_frozen {
        remove(&folder.frozen())?;
        ClubStore::open(&folder.database())?.say("the ladder is shown as it is again", who)?;
    }
    Ok(was_frozen)
}

#[cfg(test)]
mod tests {
    use maumau_club::{BotManifest, VersionNews};
    use maumau_cluster::unit::Sha;
    use maumau_protocol::SandboxLevel;

    use super::super::folder::NewClub;
    use super::*;

    fn club(place: &Path) -> ClubFolder {
        let new = NewClub { rules: "basic", seats: 2, sandbox: SandboxLevel::Basic };
        ClubFolder::make(&place.join("club"), &new).expect("a club")
    }

    /// A version whose archive is `text`, with its files.
    fn version(folder: &ClubFolder, bot: &str, text: &str) -> StoredVersion {
        let sha = Sha::of(text.as_bytes()).digits().to_owned();
        std::fs::write(folder.upload(&sha), text).expect("an archive");
        std::fs::create_dir_all(folder.bot(&sha)).expect("a folder");
        std::fs::write(folder.bot(&sha).join("bot.py"), text).expect("a file");
        let manifest = BotManifest { name: None, build: Vec::new(), run: "python3 bot.py".to_owned() };
        let mut store = ClubStore::open(&folder.database()).expect("a database");
        store.send(("ann", "ann"), bot, &sha, &manifest).expect("a version").0
    }

    #[test]
    fn a_copy_of_a_club_is_a_club() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = club(place.path());
        version(&folder, "bot", "one");
        let to = place.path().join("copy");
        back_up(&folder, &to).expect("a copy");
        let copy = ClubFolder::open(&to).expect("a club");
        assert_eq!(copy.problems().expect("an answer"), [""; 0]);
        let versions = |folder: &ClubFolder| ClubStore::open(&folder.database()).expect("a database").versions();
        assert_eq!(versions(&copy).expect("versions"), versions(&folder).expect("versions"));
        assert!(back_up(&folder, &to).is_err_and(|error| error.to_string().contains("cannot be made")));
        std::fs::remove_file(copy.upload(Sha::of(b"one").digits())).expect("a file");
        assert_eq!(copy.problems().expect("an answer"), ["the archive of bot@1 is missing or damaged"]);
        assert_eq!(folder.problems().expect("an answer"), [""; 0]);
    }

    #[test]
    fn what_ended_long_ago_makes_room_and_what_may_play_stays() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = club(place.path());
        let (over, waits, twin) =
            (version(&folder, "a", "one"), version(&folder, "b", "two"), version(&folder, "c", "two"));
        {
            let mut store = ClubStore::open(&folder.database()).expect("a database");
            store.happened(&over, VersionNews::Withdrawn, "").expect("a step");
            store.happened(&twin, VersionNews::Withdrawn, "").expect("a step");
        }
        assert_eq!(prune(&folder, 1).expect("an answer"), 0, "not yet");
        let lock = folder.lock().expect("nobody has it");
        assert!(prune(&folder, 0).is_err(), "it is served");
        drop(lock);
        assert_eq!(prune(&folder, 0).expect("an answer"), 2);
        assert!(!folder.upload(&over.sha).exists() && !folder.bot(&over.sha).exists());
        assert!(folder.upload(&waits.sha).exists() && folder.bot(&waits.sha).exists(), "another bot needs it");
        assert_eq!(folder.problems().expect("an answer"), [""; 0]);
        assert_eq!(prune(&folder, 0).expect("an answer"), 2, "again it does no harm");
    }
}
