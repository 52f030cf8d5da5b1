//! A hundred records of all rule sets, and every kind of damage to them: none goes unnoticed.
//!
//! `MAUMAU_FULL=1 cargo test --release -p maumau-referee --test referee damage` flips a million bits, cuts every record at
//! every byte and changes the order of lines everywhere; otherwise some of each are tried.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use maumau_engine::Rules;
use maumau_engine::rules::{built_in, load_built_in};
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_protocol::record::{ActEntry, Entry, Header, Meta, NoteEntry, RECORD_FORMAT, StandEntry};
use maumau_protocol::{Action, Seed, Stand};
use maumau_referee::{GameLog, Logged, Records, Replay, Sound, verify};

use crate::table::seat;

/// Records in all, as many of each set.
const RECORDS: u64 = 100;
/// Inputs of a game, at most.
const INPUTS: u64 = 24;

/// The record of the beginning of a game: what is legal, played by chance, with words, notes and absences.
fn record(number: u64) -> Vec<u8> {
    let sets = built_in();
    let set = &sets[number as usize % sets.len()];
    let set = Arc::new(load_built_in(set.name, &[]).expect("a built-in set").set);
    let rules = Rules::for_table(&set, 3, None).expect("a table of three");
    let header = Header {
        format: RECORD_FORMAT.to_owned(),
        engine: maumau_engine::VERSION.to_owned(),
        game: GameId(format!("g{number}").into()),
        names: if number % 12 < 6 { ["a", "b\"\\", "ü"] } else { ["a", "b", ""] }.map(str::to_owned).into(),
        rules: Arc::clone(&set),
        rounds: rules.rounds(),
        seed: Seed::from_number(number),
        clock: ClockMode::Lockstep,
        time: TimeControl::default(),
    };
    let mut replay = Replay::new(&header).expect("a table that can play");
    let mut inputs = Vec::new();
    for step in 0..INPUTS {
        let Some(mover) = replay.game().waits_for() else { break };
        let chance = (number * 31 + step).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let legal = replay.game().legal(mover);
        let verb = (!chance.is_multiple_of(8)).then(|| legal.nth(chance as usize % legal.len().max(1))).flatten();
        let entry = match verb {
            Some(verb) => {
                let say = replay.game().words_due(mover, &verb);
                let as_of = replay.game().last_event();
                Entry::Act(ActEntry { seat: mover, as_of, action: Action { verb, say } })
            }
            None => Entry::Stand(StandEntry { seat: mover, why: Stand::Slow }),
        };
        replay.take(&entry).expect("a seat of the table");
        inputs.push(Logged { entry, meta: Meta { took_us: Some(chance), ..Meta::default() } });
        if step % 7 == 3 {
            let note = serde_json::json!({"value": 0.1 * step as f64, "why": ["ä\n", null]});
            inputs.push(Logged { entry: Entry::Note(NoteEntry { seat: seat(1), note }), meta: Meta::default() });
        }
    }
    let log = GameLog { header, inputs, result: replay.result(), sandbox: None, permits: Vec::new() };
    log.to_record().expect("a log that plays").0
}

/// Evenly spread numbers below `all`, at most `most` of them.
fn spread(all: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = all.min(most);
    (0..count).map(move |index| (index as u128 * all as u128 / count as u128) as usize)
}

/// Damages one record in every way; how often.
fn damage(number: u64, full: bool) -> [u64; 3] {
    let record = record(number);
    let sound = verify(&record);
    assert!(sound.is_ok(), "record {number} is sound");
    let mut records = Records::default();
    for round in 0..3 {
        // From the second time on the rules are known.
        assert_eq!(
            records.verify_all(&[&record]),
            [sound.clone().map(Sound::from)],
            "record {number} in round {round}"
        );
    }
    let (flips, cuts, edits) = if full { (10_500, usize::MAX, usize::MAX) } else { (12, 6, 3) };
    let mut done = [0; 3];
    let mut notice = |kind: usize, changed: &[u8], what: &dyn std::fmt::Display| {
        let found = verify(changed).map(Sound::from);
        assert!(found.is_err(), "record {number}: {what}: goes unnoticed");
        assert_eq!(records.verify_all(&[changed]), [found], "record {number}: {what}");
        done[kind] += 1;
    };
    for bit in spread(record.len() * 8, flips) {
        // Every one of the eight bits, wherever the steps fall.
        let (at, bit) = (bit / 8, (bit + bit / 8) % 8);
        let mut changed = record.clone();
        changed[at] ^= 1 << bit;
        notice(0, &changed, &format_args!("bit {bit} of byte {at}"));
    }
    let ends = record.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let ends: Vec<usize> = ends.collect();
    let at_line_ends = spread(ends.len() - 1, cuts).map(|line| ends[line]);
    for at in spread(record.len(), cuts).chain(at_line_ends) {
        notice(1, &record[..at], &format_args!("cut at {at}"));
    }
    let lines: Vec<&[u8]> = record.split_inclusive(|byte| *byte == b'\n').collect();
    for at in spread(lines.len(), edits) {
        let (before, line, rest) = (&lines[..at], lines[at], &lines[at + 1..]);
        notice(2, &[before, rest].concat().concat(), &format_args!("line {at} dropped"));
        notice(2, &[before, &[line, line], rest].concat().concat(), &format_args!("line {at} doubled"));
        notice(2, &[&lines[..], &[line]].concat().concat(), &format_args!("line {at} appended"));
        for other in spread(rest.len(), edits) {
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1 + other);
            notice(2, &swapped.concat(), &format_args!("line {at} and {} swapped", at + 1 + other));
        }
    }
    done
}

#[test]
#[allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a test may be told how much to do, and tells it"
)]
fn no_damage_to_a_record_goes_unnoticed() {
    let full = std::env::var_os("MAUMAU_FULL").is_some();
    let (next, sums) = (AtomicU64::new(0), [const { AtomicU64::new(0) }; 3]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < RECORDS) {
                    let done = damage(number, full);
                    for (sum, done) in sums.iter().zip(done) {
                        sum.fetch_add(done, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let [flips, cuts, edits] = sums.map(AtomicU64::into_inner);
    println!(
        "{RECORDS} records: {flips} bits flipped, {cuts} cuts, {edits} lines dropped, doubled, appended or swapped"
    );
    assert!(flips >= if full { 1_000_000 } else { 1_000 } && cuts > 1_000 && edits > 1_000);
}

/// Records of all rule sets at once, every third of them damaged: each is judged as by itself.
#[test]
fn records_are_judged_together_as_one_by_one() {
    let mut all: Vec<Vec<u8>> = (0..RECORDS / 2).map(record).collect();
    for (number, record) in all.iter_mut().enumerate().step_by(3) {
        let at = record.len() * number / 50;
        record[at] ^= 1;
    }
    let expected: Vec<_> = all.iter().map(|record| verify(record).map(Sound::from)).collect();
    assert_eq!(expected.iter().filter(|found| found.is_err()).count(), all.len().div_ceil(3));
    let mut records = Records::default();
    for at_once in [1, 3, 16, all.len()] {
        let borrowed: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
        let found: Vec<_> = borrowed.chunks(at_once).flat_map(|some| records.verify_all(some)).collect();
        assert_eq!(found, expected, "{at_once} at once");
    }
}
