//! Records: the same answers give the same record, and every change to one is found. Random damage is in `damage`,
//! forged content in `forged`.

use std::sync::Arc;

use maumau_protocol::fault::ConductFault::{Gone, NotJson};
use maumau_protocol::message::GameId;
use maumau_protocol::ruleset::BySeats;
use maumau_protocol::{Event, FromJson};
use maumau_referee::record::{Chain, Entry, EventEntry, Header, Meta, read_line};
use maumau_referee::{GameLog, Logged, Verifier, verify};

use crate::table::{Finished, Setup, Table, took};

/// A short game with something of everything: plays, a missed deadline, a fault, a note, a dismissal.
fn short_game() -> Finished {
    let mut table = Table::new(Setup { settings: vec!["deal.cards=2"], seed: 54, ..Setup::default() });
    table.note(
        1,
        serde_json::json!({ "evaluation": 0.1, "deep": [[[[[]]]]], "text": "\",\"meta\":{},\"check\":\"", "meta": {} }),
    );
    table.wrong(1, NotJson);
    let (id, action) = (table.last_ask(1).id, table.first_choice(1));
    table.answer(1, id, action, took(3));
    table.play_until(|table| table.asked() == [1]);
    table.deadline(1);
    table.play_until(|table| table.asked() == [1]);
    table.wrong(1, Gone);
    table.play_out();
    table.finish()
}

#[test]
fn the_digest_does_not_depend_on_times_or_on_the_key_of_the_ids() {
    let one = short_game();
    let mut log = one.log.clone();
    for logged in &mut log.inputs {
        logged.meta = took(99);
    }
    let (record, digest) = log.to_record().expect("a log that plays");
    assert_eq!(digest, one.digest);
    assert_ne!(record, one.record);
    assert_eq!(short_game().record, one.record, "the same script, the same bytes");
}

#[test]
fn a_log_reads_back_from_json_with_the_same_digest() {
    let finished = short_game();
    let text = |input: &Logged| serde_json::to_string(input).expect("JSON");
    let read = |input| Logged::from_json(&text(input)).expect("its own JSON");
    let inputs = finished.log.inputs.iter().map(read).collect();
    let log = GameLog { inputs, ..finished.log.clone() };
    assert_eq!(log, finished.log);
    assert_eq!(log.to_record().expect("a log that plays").1, finished.digest);
}

/// Numbers that a careless reader rounds, and nesting at the maximum depth of a line.
#[test]
fn notes_are_kept_to_the_last_digit_and_however_deep() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let numbers = "[0.1,1e300,5e-324,2.2250738585072014e-308,123456789012345680.0,0.3000000000000000444,1.7976931348623157e308,-0.0,18446744073709551615,-9223372036854775808]";
    for note in
        [numbers, &deep(100), &deep(126), "\"\\u0000\\ud83c\\udca1\u{2028}\"", "null", "{\"entry\":\"end\",\"n\":1}"]
    {
        let line = format!(r#"{{"type":"note","game":"g1","note":{note}}}"#);
        let message = maumau_protocol::wire::read_agent_line(line.as_bytes()).expect("not blank").expect(&line);
        let maumau_protocol::message::AgentMessage::Note(message) = message else { panic!("{line}") };
        let mut table = Table::new(Setup::default());
        table.note(1, message.note.clone());
        table.play_out();
        let finished = table.finish();
        let text = serde_json::to_string(&finished.log.inputs[0]).expect("JSON");
        assert!(Logged::from_json(&text).is_ok_and(|read| read == finished.log.inputs[0]), "{text}");
    }
}

/// A record that an arena would not write is not sound, even with correct checksums.
#[test]
fn a_header_is_held_to_the_limits_of_an_arena() {
    let finished = short_game();
    let mut verifier = Verifier::default();
    assert!(verifier.check(&finished.record).is_ok());
    let mut check = |change: &dyn Fn(&mut Header), expected: &str| {
        let mut log = finished.log.clone();
        change(&mut log.header);
        let mut chain = Chain::default();
        let mut record = Vec::new();
        chain.write(&Entry::Header(Box::new(log.header)), &Meta::default(), &mut record);
        chain.write_end(&mut record);
        let mismatch = verify(&record).expect_err(expected);
        assert_eq!((mismatch.line, mismatch.message.as_str()), (1, expected));
        assert_eq!(verifier.check(&record), Err(mismatch));
    };
    check(
        &|header| header.format = "x".into(),
        "the record is of the format \"x\"; this program reads \"maumau-record/2\"",
    );
    let beyond = |member: &str| format!("the header has 65 characters in a text of {member}; at most are 64");
    check(&|header| header.names[1] = "é".repeat(65), &beyond("names"));
    check(&|header| header.engine = "x".repeat(65), &beyond("engine"));
    check(&|header| header.game = GameId("x".repeat(65).into()), &beyond("game"));
    check(&|header| header.names[1] = "a\u{202e}b".into(), "the header has the character \\u{202e} in names");
    check(&|header| header.names.clear(), "the header has 0 names; a table has 2 to 16 seats");
    check(&|header| header.names = vec![String::new(); 17], "the header has 17 names; a table has 2 to 16 seats");
    check(&|header| header.rounds = 0, "the header has 0 rounds; a match has 1 to 10000");
    check(&|header| header.rounds = 10_001, "the header has 10001 rounds; a match has 1 to 10000");
    check(&|header| header.time.closing_ms = 86_400_001, "the header has a time of 86400001 ms; at most are 86400000");
    let packs = |header: &mut Header| Arc::make_mut(&mut header.rules).deck.packs = BySeats::All(200);
    check(&packs, "rules: deck.packs: expected a whole number from 1 to 8, found 200");
}

/// Messages quote a record in its own words.
#[test]
fn what_was_expected_is_shown_as_json() {
    let record = String::from_utf8(short_game().record).expect("UTF-8");
    let mismatch = |change: &dyn Fn(Entry) -> Option<Entry>| {
        let (mut chain, mut read, mut written) = (Chain::default(), Chain::default(), Vec::new());
        for line in record.lines() {
            let (entry, meta) = read_line(line, &mut read).expect("a sound record");
            if let Some(entry) = change(entry) {
                chain.write(&entry, &meta, &mut written);
            }
        }
        verify(&written).expect_err("a changed record").message
    };
    let started = |round| {
        let event = format!(r#""event":"round_started","round":{round},"dealer":0,"direction":"cw""#);
        format!(r#"{{"entry":"event","n":1,{event}}}"#)
    };
    let later = mismatch(&|entry| match entry {
        Entry::Event(EventEntry { n, event: Event::RoundStarted { dealer, direction, .. } }) => {
            Some(Entry::Event(EventEntry { n, event: Event::RoundStarted { round: 2, dealer, direction } }))
        }
        entry => Some(entry),
    });
    assert_eq!(later, format!("replay mismatch: expected {}, found {}", started(1), started(2)));
    let without = mismatch(&|entry| (!matches!(entry, Entry::Event(_))).then_some(entry));
    assert_eq!(without, format!("replay mismatch: expected {}, which the record leaves out", started(1)));
    let long = mismatch(&|entry| match entry {
        Entry::Result(mut result) => {
            result.places = vec![1; 1_000_000];
            Some(Entry::Result(result))
        }
        entry => Some(entry),
    });
    let begins = r#"replay mismatch: expected {"entry":"result","places":["#;
    assert!(long.starts_with(begins) && long.ends_with("1,1,…") && long.len() < 1_000, "{long}");
}

#[test]
fn every_changed_byte_is_found() {
    let record = short_game().record;
    let line_of = |at: usize| 1 + record[..at].iter().filter(|byte| **byte == b'\n').count();
    for at in 0..record.len() {
        let mut changed = record.clone();
        changed[at] ^= 1 << (at % 8);
        let mismatch = verify(&changed).expect_err("a changed byte");
        let line = line_of(at);
        assert!((line..=line + 1).contains(&mismatch.line), "byte {at} of line {line}: {mismatch}");
    }
}

#[test]
fn a_record_cut_anywhere_is_known_to_be_cut() {
    let record = short_game().record;
    for at in 0..record.len() {
        let mismatch = verify(&record[..at]).expect_err("a cut record");
        let line = 1 + record[..at].iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(mismatch.line, line, "cut at {at}: {mismatch}");
        assert!(mismatch.message.contains("cut off"), "cut at {at}: {mismatch}");
    }
    assert!(verify(&record).is_ok());
}

#[test]
fn lines_dropped_doubled_swapped_and_appended_are_found() {
    let record = short_game().record;
    let text = String::from_utf8(record.clone()).expect("a record is UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    let join = |lines: &[&str]| lines.iter().flat_map(|line| [line, "\n"]).collect::<String>();
    assert_eq!(join(&lines), text);
    let find = |what: &str, at: usize, lines: &[&str]| {
        let mismatch = verify(join(lines).as_bytes()).expect_err(what);
        assert!((at + 1..=at + 2).contains(&mismatch.line), "{what} at line {}: {mismatch}", at + 1);
    };
    for at in 0..lines.len() {
        let mut fewer = lines.clone();
        fewer.remove(at);
        find("dropped", at, &fewer);
        let mut more = lines.clone();
        more.insert(at, lines[at]);
        find("doubled", at, &more);
        if at + 1 < lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            find("swapped", at, &swapped);
        }
    }
    for appended in [lines[1], "", "{}", lines[lines.len() - 1]] {
        let more = [lines.clone(), vec![appended]].concat();
        assert!(
            verify(join(&more).as_bytes()).expect_err("appended").message.contains("follows the end"),
            "{appended:?}"
        );
    }
}

/// The record among the vectors of SPEC 8.11.
#[allow(clippy::disallowed_methods, reason = "a test reads the file that it checks")]
fn lines_of_spec() -> Vec<String> {
    let spec =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocol/SPEC.md")).expect("SPEC.md");
    let (_, rest) = spec.split_once("<!-- vectors -->\n```json\n").expect("the vectors begin");
    let (block, _) = rest.split_once("\n```\n").expect("the vectors end");
    let mut vectors: serde_json::Value = serde_json::from_str(block).expect("the vectors are JSON");
    serde_json::from_value(vectors["record"].take()).expect("lines")
}

#[test]
fn records_are_written_and_read_as_in_spec() {
    let (mut reading, mut writing) = (Chain::default(), Chain::default());
    let mut out = Vec::new();
    let lines = lines_of_spec();
    assert!(!lines.is_empty(), "there is nothing to compare");
    for line in &lines {
        let (entry, meta) = read_line(line, &mut reading).expect("a sound line");
        match entry {
            Entry::End(_) => writing.write_end(&mut out),
            entry => writing.write(&entry, &meta, &mut out),
        }
    }
    let expected: String = lines.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(String::from_utf8(out).expect("UTF-8"), expected);
}
