//! What the reader of agents' lines decides on every case of JSONTestSuite: 95 texts that are JSON, 188 that are not, and 35
//! on which parsers differ. Each is read as a whole line, as a member that is passed over, as a note, and as the value of
//! every member that the protocol knows (SPEC §4).
//!
//! `cases.jsonl` holds the cases (each byte a character), `decisions.txt` what is decided. The laws below say what has to
//! be; the table pins what they leave open. `MAUMAU_UPDATE=1 cargo test -p maumau-protocol --test json_suite` writes it.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read the files that they check")]

use maumau_protocol::limits::MAX_LINE_BYTES;
use maumau_protocol::wire::{LineProblem, read_agent_line};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    case: String,
    bytes: String,
    #[serde(default = "once")]
    times: usize,
    /// What stands behind `bytes`, as often.
    #[serde(default)]
    then: String,
}

fn once() -> usize {
    1
}

impl Case {
    fn bytes(&self) -> Vec<u8> {
        let text = self.bytes.repeat(self.times) + &self.then.repeat(self.times);
        text.chars().map(|c| u8::try_from(u32::from(c)).expect("a byte")).collect()
    }
}

/// A message for each member that the protocol knows, without that member, which the value of a case becomes.
const MEMBERS: [(&str, &str); 23] = [
    ("type", r#""game":"g","id":"00000000000000ff","do":"draw""#),
    ("game", r#""type":"act","id":"00000000000000ff","do":"draw""#),
    ("id", r#""type":"act","game":"g","do":"draw""#),
    ("do", r#""type":"act","game":"g","id":"00000000000000ff""#),
    ("card", r#""type":"act","game":"g","id":"00000000000000ff","do":"play""#),
    ("choose", r#""type":"act","game":"g","id":"00000000000000ff","do":"play","card":"7H""#),
    ("say", r#""type":"act","game":"g","id":"00000000000000ff","do":"draw""#),
    ("text", r#""type":"act","game":"g","id":"00000000000000ff","do":"say""#),
    ("against", r#""type":"act","game":"g","id":"00000000000000ff","do":"call","fault":"mau""#),
    ("fault", r#""type":"act","game":"g","id":"00000000000000ff","do":"call","against":0"#),
    ("suit", r#""type":"act","game":"g","id":"00000000000000ff","do":"choose""#),
    ("rank", r#""type":"act","game":"g","id":"00000000000000ff","do":"choose""#),
    ("from", r#""type":"act","game":"g","id":"00000000000000ff","do":"take""#),
    ("to", r#""type":"act","game":"g","id":"00000000000000ff","do":"deal""#),
    ("for", r#""type":"act","game":"g","id":"00000000000000ff","do":"reach""#),
    ("at", r#""type":"act","game":"g","id":"00000000000000ff","do":"glare""#),
    ("protocol", r#""type":"ready""#),
    ("name", r#""type":"ready","protocol":"maumau/1""#),
    ("version", r#""type":"ready","protocol":"maumau/1""#),
    ("wants", r#""type":"ready","protocol":"maumau/1""#),
    ("ticks", r#""type":"ready","protocol":"maumau/1""#),
    ("games", r#""type":"ready","protocol":"maumau/1""#),
    ("note", r#""type":"note","game":"g""#),
];

fn cases() -> Vec<Case> {
    let lines = include_str!("cases.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// `ok`, `blank`, or the name of the fault by the table of SPEC §6.
fn decision(line: &[u8]) -> &'static str {
    match read_agent_line(line) {
        None => "blank",
        Some(Ok(_)) => "ok",
        Some(Err(error)) => match error.problem {
            LineProblem::TooLong => "line_too_long",
            LineProblem::NotUtf8 | LineProblem::NotJson | LineProblem::TooDeep => "not_json",
            LineProblem::NotAMessage => "wrong_shape",
            LineProblem::UnknownVerb => "unknown_verb",
        },
    }
}

/// The decision on a message with the case as the value of its last member.
fn with_member(message: &str, member: &str, value: &[u8]) -> &'static str {
    decision(&[b"{", message.as_bytes(), b",\"", member.as_bytes(), b"\":", value, b"}"].concat())
}

/// The line of a case in the table: decisions on the line, passed over, in a note; then for known members each decision and
/// the members where it is made.
fn decided(case: &Case) -> String {
    let value = case.bytes();
    let over = with_member(r#""type":"act","game":"g","id":"00000000000000ff","do":"draw""#, "x", &value);
    let mut by_decision: Vec<(&str, Vec<&str>)> = Vec::new();
    let (mut note, mut members) = ("", Vec::new());
    for (member, message) in MEMBERS {
        let decision = with_member(message, member, &value);
        match member {
            "note" => note = decision,
            _ => match by_decision.iter_mut().find(|(known, _)| *known == decision) {
                Some((_, members)) => members.push(member),
                None => by_decision.push((decision, vec![member])),
            },
        }
    }
    // The most frequent decision is that of all other members.
    by_decision.sort_by_key(|(_, members)| members.len());
    let usual = by_decision.pop().expect("a decision").0;
    members.extend(by_decision.iter().map(|(decision, members)| format!("{decision}: {}", members.join(" "))));
    members.push(format!("else {usual}"));
    format!("{} | line {} | passed over {over} | note {note} | {}", case.case, decision(&value), members.join("; "))
}

#[test]
fn every_case_is_decided_as_the_table_says() {
    let cases = cases();
    let of_kind = |kind| cases.iter().filter(|case| case.case.starts_with(kind)).count();
    assert_eq!((of_kind("y_"), of_kind("n_"), of_kind("i_")), (95, 188, 35));
    let table: String = cases.iter().map(|case| decided(case) + "\n").collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/json_suite/decisions.txt");
    if std::env::var_os("MAUMAU_UPDATE").is_some() {
        std::fs::write(path, &table).expect("the table can be written");
    }
    let pinned = std::fs::read_to_string(path).expect("the table");
    for (now, pinned) in table.lines().zip(pinned.lines()) {
        assert_eq!(now, pinned);
    }
    assert_eq!(table.lines().count(), pinned.lines().count());
}

#[test]
fn what_is_json_is_read_wherever_its_type_fits() {
    for case in cases().iter().filter(|case| case.case.starts_with("y_")) {
        let value = case.bytes();
        assert_eq!(decision(&value), "wrong_shape", "{}: JSON, but no message", case.case);
        let over = with_member(r#""type":"act","game":"g","id":"00000000000000ff","do":"draw""#, "x", &value);
        assert_eq!(over, "ok", "{}: passed over", case.case);
        let json: serde_json::Value = serde_json::from_slice(&value).expect("it is JSON");
        for (member, message) in MEMBERS {
            let text = json.as_str();
            let expected = match member {
                // Every text is one, within its limit; no case has a word of the protocol.
                "game" | "protocol" | "text" | "fault" => text.is_some(),
                "name" | "version" => text.is_some_and(|text| text.chars().count() <= 64),
                "say" => json.as_array().is_some_and(|items| items.iter().all(serde_json::Value::is_string)),
                "wants" => json.as_array().is_some_and(Vec::is_empty),
                "to" => {
                    let is_seat = |item: &serde_json::Value| item.as_u64().is_some_and(|seat| seat < 16);
                    json.as_array().is_some_and(|items| items.iter().all(is_seat))
                }
                "ticks" => json.is_boolean(),
                "games" => json.as_u64().is_some_and(|games| (1..=u64::from(u32::MAX)).contains(&games)),
                "note" => true,
                _ => false,
            };
            let expected = match (expected, member, text) {
                (true, ..) => "ok",
                (false, "do", Some(_)) => "unknown_verb",
                _ => "wrong_shape",
            };
            assert_eq!(with_member(message, member, &value), expected, "{} as {member}", case.case);
        }
    }
}

#[test]
fn what_is_no_json_is_no_json_anywhere() {
    for case in cases().iter().filter(|case| case.case.starts_with("n_")) {
        let value = case.bytes();
        let expected = match () {
            () if value.trim_ascii().is_empty() => "blank",
            () if value.len() >= MAX_LINE_BYTES => "line_too_long",
            () => "not_json",
        };
        assert_eq!(decision(&value), expected, "{}", case.case);
        let expected = if expected == "blank" { "not_json" } else { expected };
        for (member, message) in MEMBERS {
            assert_eq!(with_member(message, member, &value), expected, "{} as {member}", case.case);
        }
    }
}

/// On the free cases: half a surrogate pair, a number beyond a double and too deep nesting are refused where they are read,
/// and go unseen where they are passed over (4.10); bytes that are not UTF-8, UTF-16 and a byte order mark are refused
/// everywhere (1.2).
#[test]
fn what_parsers_differ_on_follows_from_spec() {
    for case in cases().iter().filter(|case| case.case.starts_with("i_")) {
        let value = case.bytes();
        let over = with_member(r#""type":"act","game":"g","id":"00000000000000ff","do":"draw""#, "x", &value);
        let note = with_member(r#""type":"note","game":"g""#, "note", &value);
        let name = case.case.trim_start_matches("i_");
        let is_utf8 =
            std::str::from_utf8(&value).is_ok_and(|text| !text.starts_with('\u{feff}') && !text.contains('\0'));
        let expected = match name {
            _ if !is_utf8 => ("not_json", "not_json"),
            "number_double_huge_neg_exp" | "number_real_underflow" => ("ok", "ok"),
            "number_too_big_neg_int" | "number_too_big_pos_int" | "number_very_big_negative_int" => ("ok", "ok"),
            "structure_500_nested_arrays" => ("ok", "not_json"),
            _ => ("ok", "wrong_shape"),
        };
        assert_eq!((over, note), expected, "{}", case.case);
    }
}
