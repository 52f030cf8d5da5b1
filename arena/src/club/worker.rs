//! The worker of a club: checks versions in turn, lets them join the season, and sees to it that the season is played. What it does next
//! follows from the database and the league file alone, so a killed one goes on where it was.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use maumau_club::{VersionNews, VersionState, in_turn};
use maumau_run::io::atomic_file;
use serde_json::Value;

use super::open_club::Club;
use super::outbox;
use super::season::{self, Leaving, Said, SeasonProcess};
use super::store::StoredVersion;
use super::trials;
use super::workshop::{self, BuildEnd};

/// How often there may be something new.
const EVERY: Duration = Duration::from_millis(200);
/// How long the season rests after it has ended by itself, or a version after it could not join.
const AGAIN_AFTER: Duration = Duration::from_secs(5);
/// Characters of a reason.
const MAX_REASON: usize = 400;

/// Works until `stop` is set.
///
/// # Errors
/// The database or the machine failed.
pub(crate) fn work(club: &Arc<Club>, stop: &AtomicBool) -> Result<()> {
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| play(club, stop));
        let checking = scope.spawn(|| {
            // Each of them ends the club.
            let checked = check_all(club, stop);
            stop.store(true, Ordering::Relaxed);
            checked
        });
        let trying = scope.spawn(|| {
            let tried = trials::play_all(club, stop);
            stop.store(true, Ordering::Relaxed);
            tried
        });
        for webhook in &club.settings.webhooks {
            scope.spawn(|| {
                if let Err(error) = outbox::send_all(club, webhook, stop) {
                    print_stderr!("maumau: no more events are sent to {}: {error:#}", webhook.url);
                }
            });
        }
        let joined = join_all(club, stop);
        stop.store(true, Ordering::Relaxed);
        let end =
            |ended: std::thread::Result<Result<()>>| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        joined.and(end(checking.join())).and(end(trying.join())).and(end(playing.join()))
    })
}

/// Brings a club that was killed to order: what was being checked is put back, and what was half written goes. Before anybody can send.
///
/// # Errors
/// The database or the folder failed.
pub(crate) fn sweep(club: &Club) -> Result<()> {
    let mut store = club.store();
    for version in store.versions()? {
        if let Some(news) = version.state.at_start(version.tries) {
            store.happened(&version, news, "the club was stopped meanwhile")?;
        }
    }
    for folder in club.folder.parts() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("the folder {}", folder.display()))? {
            let path = entry?.path();
            let is_whole = path.file_name().is_some_and(|name| name.len() == 64);
            match (is_whole, path.is_dir()) {
                (true, _) => {}
                (false, true) => std::fs::remove_dir_all(&path)?,
                (false, false) => std::fs::remove_file(&path)?,
            }
        }
    }
    Ok(())
}

/// Lets the season be played until `stop` is set.
fn play(club: &Club, stop: &AtomicBool) -> Result<()> {
    while !stop.load(Ordering::Relaxed) {
        let mut season = match SeasonProcess::start(&club.folder, &club.settings, &club.season) {
            Ok(season) => season,
            Err(error) => {
                print_stderr!("maumau: the season is not played: {error:#}");
                season::rest(stop, AGAIN_AFTER);
                continue;
            }
        };
        let is_played = loop {
            match (season.has_ended()?, stop.load(Ordering::Relaxed)) {
                (true, _) => break false,
                (false, true) => break true,
                (false, false) => {
                    // Here, where nothing waits for the end of a round.
                    if let Err(error) = see_first_games(club).and_then(|()| club.announce()) {
                        print_stderr!("maumau: the season cannot be read: {error:#}");
                        season::rest(stop, AGAIN_AFTER);
                    }
                    std::thread::sleep(EVERY);
                }
            }
        };
        if is_played {
            return season.end(&club.folder.run());
        }
        season::rest(stop, AGAIN_AFTER);
    }
    Ok(())
}

/// Builds and checks versions, one after the other.
fn check_all(club: &Club, stop: &AtomicBool) -> Result<()> {
    while !stop.load(Ordering::Relaxed) {
        let next = {
            let store = club.store();
            let first = in_turn(&store.waiting()?).first().copied();
            first.map(|id| store.version(id)).transpose()?.flatten()
        };
        let Some(version) = next else {
            std::thread::sleep(EVERY);
            continue;
        };
        let (news, reason) = match build(club, &version, stop)? {
            None => check(club, version.id, stop)?,
            Some(failed) => failed,
        };
        let reason: String = reason.chars().take(MAX_REASON).collect();
        club.happened(version.id, news, &reason)?;
        if matches!(news, VersionNews::PutBack { .. }) {
            season::rest(stop, AGAIN_AFTER);
        }
    }
    Ok(())
}

/// Builds a version, if that is wanted; what kept it from being built and why, if anything.
fn build(club: &Club, version: &StoredVersion, stop: &AtomicBool) -> Result<Option<(VersionNews, String)>> {
    if version.build.is_empty() {
        return Ok(None);
    }
    if club.happened(version.id, VersionNews::BuildBegan, "")?.state != VersionState::Building {
        return Ok(None);
    }
    Ok(match workshop::build(&club.folder, version, stop) {
        Ok(BuildEnd::Built { key, compilers }) => {
            club.store().built(version, &key, &compilers)?;
            None
        }
        Ok(BuildEnd::Failed(reason)) => Some((VersionNews::BuildFailed, reason)),
        Ok(BuildEnd::PutBack(reason)) => Some((put_back(version), reason)),
        // It waits for the next start, and this does not count.
        Ok(BuildEnd::Stopped) => Some((VersionNews::PutBack { tries: version.tries }, String::new())),
        Err(error) => Some((put_back(version), format!("{error:#}"))),
    })
}

/// Checks a version: what came of it, and why.
fn check(club: &Club, id: i64, stop: &AtomicBool) -> Result<(VersionNews, String)> {
    let version = club.happened(id, VersionNews::CheckBegan, "")?;
    if version.state != VersionState::Checking {
        // It was taken back meanwhile, and whatever is said of it changes nothing.
        return Ok((VersionNews::Passed, String::new()));
    }
    Ok(match season::check(&club.folder, &club.settings, &version, stop) {
        Ok(None) if stop.load(Ordering::Relaxed) => (VersionNews::PutBack { tries: version.tries }, String::new()),
        Ok(None) => (put_back(&version), "the check came to no end in time".to_owned()),
        Ok(Some(said)) => {
            atomic_file::write(&club.folder.words(version.id), said.stdout.as_bytes())?;
            verdict(&version, &said)
        }
        Err(error) => (put_back(&version), format!("{error:#}")),
    })
}

fn put_back(version: &StoredVersion) -> VersionNews {
    VersionNews::PutBack { tries: version.tries + 1 }
}

/// What a check that came to its end says about a version, and why.
fn verdict(version: &StoredVersion, said: &Said) -> (VersionNews, String) {
    match said.status.code() {
        Some(0) => (VersionNews::Passed, String::new()),
        Some(1) => {
            let report: Value = serde_json::from_str(&said.stdout).unwrap_or_default();
            let steps = report["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
            let failed = steps.iter().find(|step| step["outcome"] == "failed");
            let reason = failed.map_or_else(String::new, |step| {
                let text = |key: &str| step[key].as_str().unwrap_or_default();
                format!("{}: {}", text("step"), text("what"))
            });
            (VersionNews::FoundFaulty, reason)
        }
        // Another code is about the machine or this program.
        _ => (put_back(version), said.stderr.trim().to_owned()),
    }
}

/// Lets versions that are ready join, and those leave that were replaced, paused or taken back.
fn join_all(club: &Club, stop: &AtomicBool) -> Result<()> {
    // What has left, each with the time since when it is in its state.
    let mut left = BTreeSet::new();
    while !stop.load(Ordering::Relaxed) {
        let versions = club.store().versions()?;
        let mut is_refused = false;
        for version in &versions {
            let is_replaced = || {
                let later = |other: &StoredVersion| other.bot == version.bot && other.number > version.number;
                versions.iter().any(|other| later(other) && other.state == VersionState::Playing)
            };
            let is_done = match version.state {
                _ if !club.folder.run().exists() => continue,
                VersionState::Ready => {
                    let has_joined = season::join(&club.folder, version, stop)?;
                    if has_joined {
                        club.happened(version.id, VersionNews::Joined, "")?;
                    }
                    has_joined
                }
                VersionState::Playing | VersionState::Paused if is_replaced() => {
                    let has_left = season::retire(&club.folder, version, stop)? != Leaving::NotYet;
                    if has_left {
                        club.happened(version.id, VersionNews::Replaced, "")?;
                    }
                    has_left
                }
                state if state.is_out() && !left.contains(&(version.id, version.since_s)) => {
                    let leaving = season::retire(&club.folder, version, stop)?;
                    if leaving == Leaving::Now {
                        club.has_left(version)?;
                    }
                    if leaving != Leaving::NotYet {
                        left.insert((version.id, version.since_s));
                    }
                    leaving != Leaving::NotYet
                }
                _ => continue,
            };
            is_refused |= !is_done;
        }
        season::rest(stop, if is_refused { AGAIN_AFTER } else { EVERY });
    }
    Ok(())
}

/// Notes which versions have played their first rated game.
fn see_first_games(club: &Club) -> Result<()> {
    let versions = club.store().versions()?;
    let waiting = versions.iter().filter(|version| version.state == VersionState::Playing && version.began_s == 0);
    let waiting: Vec<&StoredVersion> = waiting.collect();
    if waiting.is_empty() {
        return Ok(());
    }
    let ladder = club.ladder()?;
    for version in waiting {
        let agent = version.agent();
        if ladder.iter().any(|row| row.agent == agent && row.games > 0) {
            club.store().began(version)?;
        }
    }
    Ok(())
}
