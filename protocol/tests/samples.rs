//! Sample lines of every message: what the schemas accept and refuse, and that the readers agree. The samples are
//! files; no line is made here.
//!
//! In `samples/`, `KIND.accept.jsonl` holds good lines. In `KIND.reject.jsonl` each line follows a comment with a word that
//! both the schema's and the reader's message must contain, so that they help. `KIND.reader-only.jsonl` holds lines that
//! are wrong in a way which no schema can say; the comment stands in the reader's message.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read the files that they check")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use maumau_protocol::message::AgentMessage;
use maumau_protocol::schema;
use maumau_protocol::wire::{read_agent_line, read_arena_line};
use serde_json::Value;

const OF_AGENTS: [&str; 3] = ["ready", "act", "note"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples")
}

fn validator(kind: &str) -> Validator {
    let all = schema::all();
    let (_, schema) = all.iter().find(|(name, _)| *name == kind).expect("a schema");
    jsonschema::draft202012::new(schema).expect("a valid schema")
}

fn kinds() -> impl Iterator<Item = &'static str> {
    schema::all().into_iter().map(|(kind, _)| kind).filter(|kind| *kind != "ruleset")
}

/// The lines of a file, each with the comment before it.
fn samples(kind: &str, what: &str) -> Vec<(String, String)> {
    let path = folder().join(format!("{kind}.{what}.jsonl"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut comment, mut samples) = (String::new(), Vec::new());
    for line in text.lines() {
        match line.strip_prefix("# ") {
            Some(words) => comment = words.to_owned(),
            None => samples.push((std::mem::take(&mut comment), line.to_owned())),
        }
    }
    assert!(!samples.is_empty(), "{} is empty", path.display());
    samples
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// What the reader of the other side makes of a line: the message as JSON, or what is wrong.
fn read(kind: &str, line: &str) -> Result<Value, String> {
    if OF_AGENTS.contains(&kind) {
        let message = read_agent_line(line.as_bytes()).expect("not blank").map_err(|error| error.message)?;
        Ok(serde_json::to_value(message).expect("JSON"))
    } else {
        let message = read_arena_line(line).map_err(|error| error.to_string())?.expect("a known type");
        Ok(serde_json::to_value(message).expect("JSON"))
    }
}

/// What the schema finds wrong, each with its place.
fn complaints(validator: &Validator, line: &Value) -> Vec<String> {
    validator.iter_errors(line).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn good_lines_are_accepted_by_schema_and_reader() {
    for kind in kinds() {
        let validator = validator(kind);
        for (_, line) in samples(kind, "accept") {
            let complaints = complaints(&validator, &json(&line));
            assert!(complaints.is_empty(), "{line}: {complaints:?}");
            let again = read(kind, &line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(validator.is_valid(&again), "{line} was read as {again}");
        }
    }
}

#[test]
fn bad_lines_are_refused_by_schema_and_reader_with_the_place() {
    for kind in kinds() {
        let validator = validator(kind);
        for (word, line) in samples(kind, "reject") {
            let complaints = complaints(&validator, &json(&line));
            assert!(complaints.iter().any(|text| text.contains(&word)), "{line}: {word}? {complaints:?}");
            match read(kind, &line) {
                Ok(message) => panic!("{line} was read as {message}"),
                // Messages of the arena are read by serde, whose errors inside lists do not name the list.
                Err(error) if OF_AGENTS.contains(&kind) => assert!(error.contains(&word), "{line}: {word}? {error}"),
                Err(_) => {}
            }
        }
    }
}

#[test]
fn what_no_schema_can_say_is_refused_by_the_reader() {
    for kind in OF_AGENTS {
        let validator = validator(kind);
        for (words, line) in samples(kind, "reader-only") {
            let error = read(kind, &line).expect_err(&line);
            assert!(error.contains(&words), "{line}: {words}? {error}");
            if let Ok(line) = serde_json::from_str::<Value>(&line) {
                assert!(validator.is_valid(&line), "a schema can say it: {line}");
            }
        }
    }
}

#[test]
fn every_verb_has_a_good_sample() {
    let verbs: BTreeSet<String> = samples("act", "accept")
        .iter()
        .filter_map(|(_, line)| match read_agent_line(line.as_bytes())?.ok()? {
            AgentMessage::Act(act) => Some(act.action.verb.name().to_owned()),
            _ => None,
        })
        .collect();
    assert_eq!(verbs, maumau_protocol::Verb::NAMES.map(str::to_owned).into());
}

/// Not every place can be told by each member of an object, but a line of another type never passes for one of this type.
#[test]
fn no_message_passes_for_another() {
    for kind in kinds() {
        let (_, line) = samples(kind, "accept").remove(0);
        for other in kinds() {
            assert_eq!(validator(other).is_valid(&json(&line)), kind == other, "{kind} as {other}");
        }
    }
}
