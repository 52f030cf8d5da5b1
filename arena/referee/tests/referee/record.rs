//! Records: the same from the same answers, and every change to one is found.

use maumau_protocol::fault::ConductFault::{Gone, NotJson};
use maumau_referee::{GameLog, verify};

use crate::table::{Finished, Setup, Table, took};

/// A short game with something of everything: plays, a missed deadline, a fault, a note, a dismissal.
fn short_game() -> Finished {
    let mut table = Table::new(Setup { settings: vec!["deal.cards=2"], seed: 54, ..Setup::default() });
    table.note(
        1,
        serde_json::json!({ "evaluation": 0.1, "deep": [[[[[]]]]], "text": "\",\"hash\":\"x\",\"check\":\"" }),
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
    let text = serde_json::to_string(&finished.log).expect("JSON");
    let log: GameLog = serde_json::from_str(&text).expect("its own JSON");
    assert_eq!(log, finished.log);
    assert_eq!(log.to_record().expect("a log that plays").1, finished.digest);
}

/// Numbers that a careless reader rounds, and nesting as deep as a line may have it.
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
        assert!(
            serde_json::from_str::<maumau_referee::Logged>(&text).is_ok_and(|read| read == finished.log.inputs[0]),
            "{text}"
        );
    }
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
