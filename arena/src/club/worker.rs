//! The worker of a club: checks versions in turn, lets them join the season, and sees to it that the season is played. What it does next
//! follows from the database and the league file alone, so a killed one goes on where it was.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use maumau_club::{VersionNews, VersionState, in_turn};
use maumau_run::io::atomic_file;
use maumau_run::league::LeagueFile;
use serde_json::Value;

use super::chapters;
use super::open_club::Club;
use super::outbox;
use super::season::{self, RosterStep, Said, SeasonProcess};
use super::store::{ClubDecision, StoredVersion};
use super::trials;
use super::workshop::{self, BuildEnd};

/// How often there may be something new.
const EVERY: Duration = Duration::from_millis(200);
/// How long the season rests after it has ended by itself, or a version after it could not join.
const AGAIN_AFTER: Duration = Duration::from_secs(5);
/// Last lines of stderr that are part of a reason.
const STDERR_LINES: usize = 4;
/// How often the ladder is read for those who look after a while.
const LADDER_EVERY: Duration = Duration::from_secs(60);
/// Characters of a reason.
const MAX_REASON: usize = 1_000;

/// Works until `stop` is set.
///
/// # Errors
/// The database or the machine failed.
pub(crate) fn work(club: &Arc<Club>, stop: &AtomicBool) -> Result<()> {
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| play(club, stop));
        let checking = scope.spawn(|| check_all(club, stop));
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
    // What left in the moment in which the club was killed has been said of nobody.
    let league = LeagueFile::read(&club.folder.league())?;
    for version in store.versions()?.into_iter().filter(|version| version.state.is_out()) {
        let has_joined = season::is_retired(&league, &version.agent()).is_some();
        if has_joined && !season::is_there_still(&league, &version) && !store.is_said_to_have_left(&version)? {
            store.has_left(&version)?;
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
    // One that a killed club has left, also if this one ends before it has begun to play.
    if let Err(error) = season::ask_to_end(&club.folder.run()) {
        print_stderr!("maumau: the season is not played yet: {error:#}");
    }
    while !stop.load(Ordering::Relaxed) {
        let started = begin_chapter(club).and_then(|()| match may_play(club)? {
            true => SeasonProcess::start(&club.folder, &club.settings, &club.season, &club.pages).map(Some),
            false => Ok(None),
        });
        let mut season = match started {
            Ok(Some(season)) => season,
            Ok(None) => {
                season::rest(stop, EVERY);
                continue;
            }
            Err(error) => {
                print_stderr!("maumau: the season is not played: {error:#}");
                season::rest(stop, AGAIN_AFTER);
                continue;
            }
        };
        let mut read_at = Instant::now();
        let has_ended = loop {
            if season.has_ended()? {
                break true;
            }
            // Here, where nothing waits for the end of a round.
            let mut goes_on = see_first_games(club).and_then(|()| club.announce()).and_then(|()| goes_on(club));
            if read_at.elapsed() > LADDER_EVERY {
                read_at = Instant::now();
                goes_on = goes_on.and_then(|goes_on| club.ladder().map(|_| goes_on));
            }
            match goes_on {
                Ok(true) if !stop.load(Ordering::Relaxed) => std::thread::sleep(EVERY),
                Ok(_) => break false,
                Err(error) => {
                    print_stderr!("maumau: the season cannot be read: {error:#}");
                    season::rest(stop, AGAIN_AFTER);
                }
            }
        };
        match has_ended {
            true => season::rest(stop, AGAIN_AFTER),
            false => {
                let ended = season.end(&club.folder.run());
                if stop.load(Ordering::Relaxed) {
                    return ended;
                }
                if let Err(error) = ended {
                    print_stderr!("maumau: the season has not ended as it was asked to: {error:#}");
                }
            }
        }
    }
    Ok(())
}

/// Begins the next chapter if it is due; nobody plays the season now.
fn begin_chapter(club: &Club) -> Result<()> {
    // Nobody joins or leaves meanwhile.
    let _roster = club.roster();
    let mut store = club.store();
    if let Some(wanted) = chapters::due(&club.folder, &store)? {
        chapters::begin(&club.folder, &mut store, &wanted)?;
        club.ladder.forget();
    }
    Ok(())
}

/// True if games may be played; what keeps them from it is said once.
fn may_play(club: &Club) -> Result<bool> {
    let is_closed = club.store().decision(ClubDecision::Closed)?.is_some();
    let has_room = club.has_room()?;
    let what = match has_room {
        true => "the disk of the club has room again",
        false => "the disk of the club is nearly full: nothing is sent and nothing is played until there is room",
    };
    let full = Some("yes").filter(|_| !has_room);
    if club.store().rule(ClubDecision::Full, full, ("", what))? {
        club.announce()?;
    }
    Ok(has_room && !is_closed)
}

/// True if the season that is being played goes on.
fn goes_on(club: &Club) -> Result<bool> {
    Ok(may_play(club)? && club.store().wanted_chapter()?.is_none() && !chapters::is_full(&club.folder)?)
}

/// Builds and checks versions in turn, several at once.
fn check_all(club: &Club, stop: &AtomicBool) -> Result<()> {
    let (taken, building) = (Mutex::new(BTreeSet::new()), Mutex::new(()));
    std::thread::scope(|scope| {
        let checkers: Vec<_> = (0..club.settings.checks())
            .map(|_| {
                scope.spawn(|| {
                    let checked = check_some(club, &taken, &building, stop);
                    // Each of them ends the club.
                    stop.store(true, Ordering::Relaxed);
                    checked
                })
            })
            .collect();
        let joined =
            checkers.into_iter().map(|checker| checker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.fold(Ok(()), Result::and)
    })
}

/// Builds and checks versions, one after the other, that are not in `taken`, those that others are at; one that is built keeps `building`.
fn check_some(club: &Club, taken: &Mutex<BTreeSet<i64>>, building: &Mutex<()>, stop: &AtomicBool) -> Result<()> {
    while !stop.load(Ordering::Relaxed) {
        let next = {
            let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
            let store = club.store();
            let first = in_turn(&store.waiting()?).into_iter().find(|id| !taken.contains(id));
            taken.extend(first);
            first.map(|id| store.version(id)).transpose()?.flatten()
        };
        let Some(version) = next else {
            std::thread::sleep(EVERY);
            continue;
        };
        let built = {
            let alone = || building.lock().unwrap_or_else(PoisonError::into_inner);
            let _alone = (!version.build.is_empty()).then(alone);
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            build(club, &version, stop)?
        };
        let (news, reason) = match built {
            None => check(club, version.id, stop)?,
            Some(failed) => failed,
        };
        let reason: String = reason.chars().take(MAX_REASON).collect();
        club.happened(version.id, news, &reason)?;
        taken.lock().unwrap_or_else(PoisonError::into_inner).remove(&version.id);
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
    let chapter = club.folder.chapter();
    let checked = season::check(&club.folder, &club.settings, &version, stop);
    if club.folder.chapter() != chapter {
        // It may have been checked by other rules; that is no try.
        return Ok((VersionNews::PutBack { tries: version.tries }, "a chapter of the season has begun".to_owned()));
    }
    Ok(match checked {
        Ok(None) if stop.load(Ordering::Relaxed) => (VersionNews::PutBack { tries: version.tries }, String::new()),
        Ok(None) => (put_back(&version), "the check came to no end in time".to_owned()),
        Ok(Some(said)) => {
            atomic_file::write(&club.folder.words(version.id), said.stdout.as_bytes())?;
            let report: Value = serde_json::from_str(&said.stdout).unwrap_or_default();
            if let Some(answers) = report["answers"].as_str() {
                club.store().answered(&version, answers)?;
            }
            verdict(&version, &said, &report)
        }
        Err(error) => (put_back(&version), format!("{error:#}")),
    })
}

fn put_back(version: &StoredVersion) -> VersionNews {
    VersionNews::PutBack { tries: version.tries + 1 }
}

/// What a check that came to its end says about a version, and why.
fn verdict(version: &StoredVersion, said: &Said, report: &Value) -> (VersionNews, String) {
    match said.status.code() {
        Some(0) => (VersionNews::Passed, String::new()),
        Some(1) => {
            let steps = report["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
            let failed = steps.iter().find(|step| step["outcome"] == "failed");
            let reason = failed.map_or_else(String::new, |step| {
                let text = |key: &str| step[key].as_str().unwrap_or_default();
                let last: Vec<&str> = text("stderr").lines().rev().take(STDERR_LINES).collect();
                let stderr: String = last.iter().rev().map(|line| format!("\nits stderr: {line}")).collect();
                format!("{}: {}{stderr}", text("step"), text("what"))
            });
            (VersionNews::FoundFaulty, reason)
        }
        // Another code is about the machine or this program.
        _ => (put_back(version), said.stderr.trim().to_owned()),
    }
}

/// Lets versions that are ready join, and those leave that were replaced, paused, taken back or disqualified: all together, at the end of one round.
fn join_all(club: &Club, stop: &AtomicBool) -> Result<()> {
    while !stop.load(Ordering::Relaxed) {
        // No chapter begins between what is read and what is written.
        let roster = club.roster();
        let versions = club.store().versions()?;
        let has_begun = season::has_begun(&club.folder.run())?;
        let (step, replaced) = if has_begun { next_step(club, &versions)? } else { Default::default() };
        let is_nothing = step.joins.is_empty() && step.leaves.is_empty();
        let mut is_done = true;
        if !is_nothing && !take(club, &step, &replaced, stop)? {
            // One that cannot join or leave holds up no other.
            is_done = false;
            for version in step.joins.iter().chain(&step.leaves) {
                let is_joining = step.joins.iter().any(|one| one.id == version.id);
                let (joins, leaves) =
                    if is_joining { (vec![*version], Vec::new()) } else { (Vec::new(), vec![*version]) };
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                take(club, &RosterStep { joins, leaves }, &replaced, stop)?;
            }
        }
        drop(roster);
        season::rest(stop, if is_done { EVERY } else { AGAIN_AFTER });
    }
    Ok(())
}

/// Who is to join and to leave next, and the numbers of those that leave because a later version plays.
fn next_step<'a>(club: &Club, versions: &'a [StoredVersion]) -> Result<(RosterStep<'a>, BTreeSet<i64>)> {
    let joins: Vec<&StoredVersion> = versions.iter().filter(|one| one.state == VersionState::Ready).collect();
    let is_replaced = |version: &&StoredVersion| {
        let is_later = |other: &StoredVersion| other.bot == version.bot && other.number > version.number;
        let plays = |other: &StoredVersion| matches!(other.state, VersionState::Playing | VersionState::Ready);
        matches!(version.state, VersionState::Playing | VersionState::Paused)
            && versions.iter().any(|other| is_later(other) && plays(other))
    };
    let replaced: Vec<&StoredVersion> = versions.iter().filter(is_replaced).collect();
    let league = LeagueFile::read(&club.folder.league())?;
    let is_still_there = |version: &&StoredVersion| version.state.is_out() && season::is_there_still(&league, version);
    let out = versions.iter().filter(is_still_there).filter(|one| replaced.iter().all(|other| other.id != one.id));
    let numbers = replaced.iter().map(|version| version.id).collect();
    let leaves = replaced.iter().copied().chain(out).collect();
    Ok((RosterStep { joins, leaves }, numbers))
}

/// Takes a step, and notes what has become of each version; false if it could not be taken.
fn take(club: &Club, step: &RosterStep<'_>, replaced: &BTreeSet<i64>, stop: &AtomicBool) -> Result<bool> {
    let taken = match step.take(&club.folder, stop) {
        Ok(taken) => taken,
        Err(error) => {
            print_stderr!("maumau: versions do not join or leave yet: {error:#}");
            false
        }
    };
    if taken {
        for version in &step.joins {
            club.happened(version.id, VersionNews::Joined, "")?;
        }
        for version in &step.leaves {
            match replaced.contains(&version.id) {
                true => drop(club.happened(version.id, VersionNews::Replaced, "")?),
                false => club.has_left(version)?,
            }
        }
    }
    Ok(taken)
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
