//! Flips bits of a run file: each flip is noticed, or the data is read correctly all the same. No real disk is touched.
//!
//! 25,000 bits are flipped, one at a time, all over the file; with `MAUMAU_FULL=1` every bit of it.

use std::sync::atomic::{AtomicU64, Ordering};

use maumau_protocol::RuleFault;
use maumau_tournament::Standings;

use super::super::settings::read_setting;
use super::super::*;
use super::faulty_disk::{Disk, VFS, mount};
use crate::run_store::SeatTimes;
use crate::trial::{games, settings};

/// Games in the file, and how many more a continued run adds.
const GAMES: u64 = 5;
const MORE: u64 = 2;
/// Bits that are flipped.
const FLIPS: usize = 25_000;
/// How many flips lie between two attempts to continue the run.
const RESUMES: usize = 50;

const KEYS: [&str; 4] = ["league", "rules", "seed", "engine"];

/// Everything that a table, a continued run or an export is made from.
#[derive(Debug, PartialEq)]
struct Contents {
    settings: [String; 4],
    standings: Standings,
    times: Vec<SeatTimes>,
    games: Vec<StoredGame>,
}

/// Reads it all, as the commands do; `known` are settings that have been prepared before.
fn contents(path: &Path, known: Option<(&[String; 4], &RunPlan)>) -> Result<Contents> {
    let connection = Connection::open_with_flags_and_vfs(path, OpenFlags::SQLITE_OPEN_READ_WRITE, VFS)?;
    set_up(&connection)?;
    ensure!(matches!(identify(path, &connection)?, RunFileKind::Run), "it is empty");
    let mut texts = KEYS.map(str::to_owned);
    for text in &mut texts {
        *text = read_setting(&connection, text)?;
    }
    let read;
    let plan = match known {
        Some((known, plan)) if *known == texts => plan,
        _ => {
            read = RunPlan::new(read_settings(&connection)?)?;
            &read
        }
    };
    let (tally, times) = read_tally(path, &connection, &plan.pairings, Extent::Subtotal)?;
    let mut games = Vec::new();
    for_each_game(path, &connection, &plan.pairings, |game| {
        games.push(game);
        Ok(())
    })?;
    Ok(Contents { settings: texts, standings: tally.standings(), times: times.agents().to_vec(), games })
}

/// Some games with every feature that a game can have.
fn full_games() -> Vec<StoredGame> {
    let mut games = games(GAMES + MORE);
    for game in &mut games {
        let number = game.number();
        game.result.dismissed = if number == 2 { vec![maumau_protocol::Seat::FIRST] } else { Vec::new() };
        game.times[1] = SeatTimes { answers: 40 + number, took_us: 1_000 * number, late: number % 2, void: 0 };
        if number == 1 {
            game.faults[0] = [RuleFault::Slow; 3].into_iter().collect();
        }
    }
    games
}

#[test]
fn every_flipped_bit_is_noticed_or_changes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path_of = |name: &str| folder.path().join(name);
    let name_of = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let (settings, games) = (settings(), full_games());
    let (now, later) = games.split_at(GAMES as usize);
    let open = |path: &Path| {
        let (mut writer, plan) = RunWriter::open_on(path, Some(VFS), |_| Ok(settings.clone()))?;
        writer.subtotal_every = 2;
        Ok::<_, anyhow::Error>((writer, plan))
    };

    let path = path_of("sound");
    let disk = mount(&name_of(&path), Disk::default());
    let (mut writer, plan) = open(&path).expect("a sound disk");
    writer.add(now).expect("a sound disk");
    drop(writer);
    let bytes = disk.lock().expect("no panic").bytes(&name_of(&path)).to_vec();
    let sound = contents(&path, None).expect("a sound file");
    assert_eq!(sound.games, now);
    open(&path).expect("a sound disk").0.add(later).expect("a sound disk");
    let whole = contents(&path, None).expect("a sound file");
    assert_eq!(whole.games, games);

    let all = bytes.len() * 8;
    let flips = if std::env::var_os("MAUMAU_FULL").is_some() { all } else { FLIPS.min(all) };
    let (next, noticed, resumed) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let path = path_of(&format!("flipped-{thread}"));
            let (settings, bytes, sound, whole, plan) = (&sound.settings, &bytes, &sound, &whole, &plan);
            let (next, noticed, resumed, open) = (&next, &noticed, &resumed, &open);
            scope.spawn(move || {
                let name = name_of(&path);
                while let Some(flip) = Some(next.fetch_add(1, Ordering::Relaxed) as usize).filter(|flip| *flip < flips)
                {
                    let place = (flip as u128 * all as u128 / flips as u128) as usize;
                    // Covers all eight bits, whatever the step.
                    let (at, bit) = (place / 8, (place + place / 8) % 8);
                    let mut changed = bytes.clone();
                    changed[at] ^= 1 << bit;
                    let what = || format!("bit {bit} of byte {at} of {}", bytes.len());
                    mount(&name, Disk::with_file(&name, changed.clone()));
                    match contents(&path, Some((settings, plan))) {
                        Ok(found) => assert!(found == *sound, "{} changes what is read:\n{found:?}\n{sound:?}", what()),
                        Err(_) => _ = noticed.fetch_add(1, Ordering::Relaxed),
                    }
                    if !flip.is_multiple_of(RESUMES) {
                        continue;
                    }
                    mount(&name, Disk::with_file(&name, changed));
                    let went_on = open(&path).and_then(|(mut writer, plan)| {
                        writer.tally(&plan)?;
                        writer.add(later)
                    });
                    if went_on.is_ok() {
                        let found = contents(&path, Some((settings, plan)));
                        assert!(found.is_ok_and(|found| found == *whole), "{} spoils a run that goes on", what());
                        resumed.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let [noticed, resumed] = [noticed, resumed].map(AtomicU64::into_inner);
    print_stderr!("{flips} of {all} bits flipped: {noticed} noticed, the others harmless; {resumed} runs went on");
    assert!(flips >= FLIPS.min(all) && noticed > flips as u64 / 4, "only {noticed} of {flips} were noticed");
}

/// An edit of a game by SQL alone is noticed, and so is a game that is removed or duplicated.
#[test]
fn an_edited_game_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (settings, games) = (settings(), full_games());
    for (edit, expected) in [
        (
            "UPDATE games SET outcome = (SELECT outcome FROM games WHERE number = 2) WHERE number = 3",
            "the checksum of the game g000-d0001-r1 does not fit",
        ),
        ("UPDATE games SET faults = NULL WHERE number = 1", "the checksum of the game g000-d0000-r1 does not fit"),
        ("UPDATE games SET number = 9 WHERE number = 3", "the checksum of the game g000-d0004-r1 does not fit"),
        (
            "UPDATE games SET log = (SELECT log FROM games WHERE number = 2) WHERE number = 3",
            "the checksum of the log of the game g000-d0001-r1 does not fit",
        ),
        ("DELETE FROM games WHERE number = 3", "it holds 6 games, and not just those 7 that were written"),
        ("UPDATE meta SET value = 2 WHERE key = 'engine'", "the checksum of its engine does not fit"),
        ("UPDATE meta SET value = '7 0' WHERE key = 'games'", "the checksum of its games does not fit"),
        ("DELETE FROM meta WHERE key = 'games'", "its games cannot be read"),
        ("UPDATE meta SET value = 2 WHERE key = 'subtotal'", "the checksum of its subtotal does not fit"),
    ] {
        let path = folder.path().join("run.maumau");
        _ = std::fs::remove_file(&path);
        let mut writer = RunWriter::open(&path, |_| Ok(settings.clone())).expect("a new file").0;
        writer.subtotal_every = 2;
        writer.add(&games).expect("a sound disk");
        drop(writer);
        let connection = Connection::open(&path).expect("a database");
        assert_eq!(connection.execute(edit, []).expect(edit), 1, "{edit}");
        drop(connection);
        let said = RunFile::open(&path).and_then(|run| {
            run.tally()?;
            run.for_each_game(|_| Ok(()))
        });
        let said = format!("{:#}", said.expect_err(edit));
        assert!(said.contains("run.maumau is damaged: ") && said.contains(expected), "{edit}: {said}");
        assert!(said.ends_with("name another run file with --run to play its games again"), "{said}");
    }
}

/// Tables continue from the subtotal; a read of all games checks it.
#[test]
fn a_subtotal_is_that_of_its_games_and_goes_with_those_taken_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("run.maumau");
    let (settings, games) = (settings(), full_games());
    let (mut writer, plan) = RunWriter::open(&path, |_| Ok(settings.clone())).expect("a new file");
    writer.subtotal_every = 2;
    // The first game of the second deal comes last.
    let (later, now): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| game.number() == 2);
    let counted = |writer: &mut RunWriter, games: &[StoredGame]| {
        writer.add(games).expect("a sound disk");
        let run = RunFile::open(&path).expect("a run file");
        run.check_tally().expect("a sound file");
        let [short, long] = [Extent::Subtotal, Extent::Logs].map(|extent| {
            let (tally, times) = read_tally(&path, &run.connection, &plan.pairings, extent).expect("a sound file");
            (tally, times.agents().to_vec())
        });
        assert_eq!(short, long);
        writer.counted
    };
    assert_eq!(counted(&mut writer, &now), 2, "up to the game that is missing");
    assert_eq!(counted(&mut writer, &later), 6, "all whole deals");
    drop(writer);

    let connection = Connection::open(&path).expect("a database");
    let right = read_setting(&connection, "subtotal").expect("a subtotal");
    let wrong = right.replacen("\"rounds\":6", "\"rounds\":7", 1);
    assert_ne!(wrong, right);
    let forge = |text: &str| settings::write_setting(&connection, "subtotal", text).expect("a database");
    forge(&wrong);
    let run = RunFile::open(&path).expect("a run file");
    let said = format!("{:#}", run.check_tally().expect_err("another subtotal"));
    assert!(said.contains("its subtotal is not that of its games"), "{said}");
    let (writer, plan) = RunWriter::open(&path, |_| Ok(settings.clone())).expect("a run file");
    assert!(writer.tally(&plan).is_err(), "nobody goes on with it");
    drop(writer);

    forge(&right);
    let again = plan.pairings.agents().take(1).collect();
    let wanted = |_: Option<&RunSettings>| Ok(RequestedRun { again, ..settings.clone().into() });
    drop(RunWriter::open(&path, wanted).expect("a run file"));
    let run = RunFile::open(&path).expect("a run file");
    assert_eq!(run.tally().expect("a sound file").0.standings().games, 0);
}
