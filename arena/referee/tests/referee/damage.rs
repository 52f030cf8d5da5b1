//! A hundred records of all rule sets, damaged in every way: no damage goes unnoticed. It changes texts in memory and
//! knows no content; forged content is in `forged`.
//!
//! `MAUMAU_FULL=1 cargo test --release -p maumau-referee --test referee damage` flips a million bits, cuts every record at
//! every byte and changes the order of lines everywhere; otherwise some of each are tried.

use std::sync::atomic::{AtomicU64, Ordering};

use maumau_engine::ChoiceStream;
use maumau_engine::rules::built_in;
use maumau_protocol::fault::ConductFault;
use maumau_referee::{RecordMismatch, Sound, Verified, Verifier, verify};

use crate::table::{Setup, Table, ready, took};

/// Records in all, equally many for each set.
const RECORDS: u64 = 100;
/// Maximum offers of a game.
const INPUTS: u64 = 20;

/// The record of the beginning of a game: random legal actions, with words, notes and absences, until all agents are lost.
fn record(number: u64) -> Vec<u8> {
    let sets = built_in();
    let rules = sets[number as usize % sets.len()].name;
    let mut table = Table::new(Setup { rules, seed: number, seats: vec![Ok(ready()); 3], ..Setup::default() });
    let mut dice = ChoiceStream::new(&[number]);
    for step in 0..INPUTS {
        if step % 7 == 3 {
            table.note(1, serde_json::json!({"value": 0.1 * step as f64, "why": ["ä\n", null]}));
        }
        for asked in table.asked() {
            let ask = table.last_ask(asked);
            match dice.one_in(8) {
                true => table.deadline(asked),
                false => table.answer(asked, ask.id, dice.pick(&ask.legal).clone(), took(dice.number_below(900))),
            }
        }
    }
    for index in 0..3 {
        if !table.finished() {
            table.wrong(index, ConductFault::Gone);
        }
    }
    let mut log = table.finish().log;
    log.header.names = if number % 12 < 6 { ["a", "b\"\\", "ü"] } else { ["a", "b", ""] }.map(str::to_owned).into();
    log.to_record().expect("a log that plays").0
}

/// The verdict of a verifier without prior state.
fn found_alone(record: &[u8]) -> Result<Sound, RecordMismatch> {
    let Verified { log, lines, digest } = verify(record)?;
    Ok(Sound { game: log.header.game, seed: log.header.seed, lines, digest })
}

/// Evenly spread numbers below `all`, at most `most` of them.
fn spread(all: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = all.min(most);
    (0..count).map(move |index| (index as u128 * all as u128 / count as u128) as usize)
}

/// Damages one record in every way; returns how often.
fn damage(number: u64, full: bool) -> [u64; 3] {
    let record = record(number);
    let sound = found_alone(&record);
    assert!(sound.is_ok(), "record {number} is sound");
    let mut verifier = Verifier::default();
    for round in 0..3 {
        // From the second time on the rules are known.
        assert_eq!(verifier.check(&record), sound, "record {number} in round {round}");
    }
    let (flips, cuts, edits) = if full { (10_500, usize::MAX, usize::MAX) } else { (12, 6, 3) };
    let mut done = [0; 3];
    let mut notice = |kind: usize, changed: &[u8], what: &dyn std::fmt::Display| {
        let found = found_alone(changed);
        assert!(found.is_err(), "record {number}: {what}: goes unnoticed");
        assert_eq!(verifier.check(changed), found, "record {number}: {what}");
        done[kind] += 1;
    };
    for bit in spread(record.len() * 8, flips) {
        // Covers all eight bits, whatever the step.
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
    reason = "a test may be given how much to do, and prints it"
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

/// Records of all rule sets, every third of them damaged, first grouped by rule set and then in turn: each is judged as if it
/// were alone.
#[test]
fn a_record_is_judged_as_by_itself_whatever_was_read_before_it() {
    let mut all: Vec<Vec<u8>> = (0..RECORDS / 2).map(record).collect();
    for (number, record) in all.iter_mut().enumerate().step_by(3) {
        let at = record.len() * number / 50;
        record[at] ^= 1;
    }
    let expected: Vec<_> = all.iter().map(|record| found_alone(record)).collect();
    assert_eq!(expected.iter().filter(|found| found.is_err()).count(), all.len().div_ceil(3));
    let sets = built_in().len();
    let in_turn: Vec<usize> = (0..all.len()).collect();
    let by_set: Vec<usize> = (0..sets).flat_map(|set| (set..all.len()).step_by(sets)).collect();
    assert_eq!(by_set.len(), all.len());
    let mut verifier = Verifier::default();
    for number in [in_turn, by_set].concat() {
        assert_eq!(verifier.check(&all[number]), expected[number], "record {number}");
        assert_eq!(
            verifier.read(&all[number]).map(|verified| verified.digest),
            expected[number].clone().map(|sound| sound.digest)
        );
    }
}
