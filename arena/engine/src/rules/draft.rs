//! Makes a draft of a rule set from a tree, listing everything that has the wrong name or the wrong shape. It does not
//! judge whether the values make sense. It changes only its own copy of the tree.
//!
//! Reading stops at the first thing that serde cannot read. That thing is recorded and removed, and the rest is read again,
//! until no problem is left.

use std::collections::BTreeSet;

use maumau_places::{Node, ProblemCollector, join, list, suggestion};
use maumau_protocol::ruleset::{RuleSet, RuleSetError};
use serde_json::{Value, json};

use super::bounds;

/// How often one tree is read; more than enough to find all the problems that are listed.
const MAX_READINGS: usize = 200;

/// Reads `tree`; `None` if anything is wrong with it, which `report` then lists.
pub(crate) fn read(tree: &Node, report: &mut ProblemCollector) -> Option<RuleSet> {
    bounds::check(tree, report);
    let mut json = tree.to_json();
    let mut gone = BTreeSet::new();
    let mut reworded = BTreeSet::new();
    for _ in 0..MAX_READINGS {
        let RuleSetError { path, message } = match RuleSet::from_value(&json) {
            Ok(set) => return report.is_empty().then_some(set),
            Err(error) => error,
        };
        if let Some(key) = backticked(&message).first().filter(|_| message.starts_with("missing field")) {
            let key = join(&path, key);
            if !gone.contains(&key) {
                report.add_in(tree, &key, "this key is required");
            }
        } else if message.ends_with("expected string or map") && reworded.insert(path.clone()) {
            // A word was expected: with a text in its place the next error lists the words.
            if let Some(value) = at(&mut json, &path) {
                *value = Value::String(value.to_string());
                continue;
            }
        } else if message.starts_with("unknown field") {
            let place = &tree.nearest(&path).0.key_at;
            report.add(place, &path, wording(&message, &path));
        } else if !report.mentions(&path) && !is_in_wrong_list(tree, &path, report) {
            let mut text = wording(&message, &path);
            if let Some((front, found)) = text.rsplit_once(", found ").filter(|_| reworded.contains(&path)) {
                text = format!("{front}, found {}", found.trim_matches('"'));
            }
            report.add_in(tree, &path, text);
        }
        if path.is_empty() {
            // The set itself lacks something: read on with a stand-in.
            match backticked(&message).first().and_then(|key| stand_ins().get(*key).map(|value| (*key, value.clone())))
            {
                Some((key, value)) if message.starts_with("missing field") => json[key] = value,
                _ => return None,
            }
        } else {
            if !remove(&mut json, &path) {
                return None;
            }
            gone.insert(path);
        }
    }
    None
}

/// A stand-in for each section that a set must have, only so that the others can be read.
fn stand_ins() -> Value {
    json!({
        "format": 1,
        "name": "",
        "title": "",
        "seats": { "min": 2, "max": 2 },
        "deck": { "cards": "7-A" },
        "deal": { "cards": 1 },
    })
}

/// Whether `path` leads through a list of which it is known that a table belongs there.
fn is_in_wrong_list(tree: &Node, path: &str, report: &ProblemCollector) -> bool {
    let mut fronts = std::iter::successors(path.rsplit_once('.'), |(front, _)| front.rsplit_once('.'));
    fronts.any(|(front, _)| {
        report.mentions(front)
            && tree.get(front).is_some_and(|node| matches!(node.value, maumau_places::Value::List(_)))
    })
}

fn at<'a>(json: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    path.split('.').filter(|key| !key.is_empty()).try_fold(json, |value, key| match value {
        Value::Object(members) => members.get_mut(key),
        Value::Array(items) => key.parse::<usize>().ok().and_then(|index| items.get_mut(index)),
        _ => None,
    })
}

/// Removes the member at `path`; from a list the whole list is removed, so that other items keep their numbers.
fn remove(json: &mut Value, path: &str) -> bool {
    let (front, key) = path.rsplit_once('.').unwrap_or(("", path));
    match at(json, front) {
        Some(Value::Object(members)) => members.remove(key).is_some(),
        Some(Value::Array(_)) => remove(json, front),
        _ => false,
    }
}

/// The parts of a message between backticks.
fn backticked(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

/// Serde's message in the vocabulary of rule files.
fn wording(message: &str, path: &str) -> String {
    let names = backticked(message);
    if message.starts_with("unknown field") {
        let extra = if path.contains('.') { None } else { Some("extends") };
        let known = names.iter().skip(1).copied().chain(extra);
        return format!("unknown key{}", suggestion(names.first().unwrap_or(&""), known));
    }
    if message.starts_with("unknown variant") {
        let (found, known) = (names.first().copied().unwrap_or_default(), names.get(1..).unwrap_or_default());
        let known: Vec<String> = known.iter().map(|name| format!("{name:?}")).collect();
        return format!("expected {}, found {found:?}", list(&known, "or"));
    }
    let kinds = ["invalid type: ", "invalid value: ", "invalid length "];
    let stated = kinds.iter().find_map(|kind| message.strip_prefix(kind));
    match stated.and_then(|text| text.rsplit_once(", expected ")) {
        Some((found, expected)) => format!("expected {}, found {}", wanted(expected, path), came(found)),
        None => message.to_owned(),
    }
}

fn wanted(expected: &str, path: &str) -> String {
    let number = |low, high| bounds::phrase(bounds::of(path).unwrap_or((low, high)));
    match expected {
        "u8" => number(0, u8::MAX.into()),
        "u16" => number(0, u16::MAX.into()),
        "u32" => number(0, u32::MAX.into()),
        "a boolean" => "true or false".to_owned(),
        "a string" => "a text in quotes".to_owned(),
        "a sequence" => "a list".to_owned(),
        "an array of length 2" => "a list of two numbers".to_owned(),
        "a map" => "a table".to_owned(),
        _ if expected.starts_with("struct ") => "a table".to_owned(),
        _ => expected.to_owned(),
    }
}

fn came(found: &str) -> String {
    match found {
        "sequence" => "a list".to_owned(),
        "map" => "a table".to_owned(),
        length if length.parse::<usize>().is_ok() => format!("a list of {length}"),
        _ => match (found.strip_prefix("string "), backticked(found).first()) {
            (Some(text), _) => text.to_owned(),
            (None, Some(value)) => (*value).to_owned(),
            _ => found.to_owned(),
        },
    }
}
