//! The committed schemas, and the tables of SPEC made from them, agree with the types. After a change to the types:
//! `MAUMAU_UPDATE=1 cargo test -p maumau-protocol --lib schema`. Only with that variable are files written; whether
//! messages fit the schemas is tested in `tests/samples.rs`.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read the files that they check")]

mod from_types;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::FILES;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn check(path: &Path, expected: &str) {
    if std::env::var_os("MAUMAU_UPDATE").is_some() {
        fs::write(path, expected).expect("the file can be written");
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    let differs = found.lines().zip(expected.lines()).position(|(found, expected)| found != expected);
    assert!(
        found == expected,
        "{} differs from the types, first in line {}: run MAUMAU_UPDATE=1 cargo test -p maumau-protocol --lib schema",
        path.display(),
        differs.unwrap_or(found.lines().count().min(expected.lines().count())) + 1,
    );
}

#[test]
fn the_committed_schemas_are_those_of_the_types() {
    let folder = folder().join("schema");
    let schemas = from_types::all();
    for (name, schema) in &schemas {
        check(&folder.join(format!("{name}.json")), &format!("{schema:#}\n"));
    }
    let committed = fs::read_dir(&folder).expect("a folder of schemas").count();
    assert_eq!(committed, schemas.len(), "{} holds a file that no type stands for", folder.display());
    assert!(FILES.iter().map(|(name, _)| name).eq(schemas.iter().map(|(name, _)| name)), "FILES is to name them all");
}

#[test]
fn every_schema_is_valid_draft_2020_12() {
    for (name, schema) in super::all() {
        if let Err(error) = jsonschema::draft202012::meta::validate(&schema) {
            panic!("{name}: {error}");
        }
    }
}

#[test]
fn the_tables_of_spec_are_those_of_the_types() {
    let path = folder().join("SPEC.md");
    let mut text = fs::read_to_string(&path).expect("SPEC.md");
    for (name, table) in tables() {
        let (begin, end) = (format!("<!-- table {name} -->\n"), "<!-- end -->");
        let (head, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("SPEC.md has no table {name}"));
        let (_, tail) = rest.split_once(end).expect("the table ends");
        text = format!("{head}{begin}\n{table}\n{end}{tail}");
    }
    check(&path, &text);
}

#[test]
fn the_limits_of_spec_are_those_of_the_code() {
    use crate::limits::*;
    let spec = fs::read_to_string(folder().join("SPEC.md")).expect("SPEC.md");
    for (limit, value) in [
        ("bytes in a line, newline included", MAX_LINE_BYTES),
        ("lines while one ask is open", MAX_LINES_PER_ASK as usize),
        ("utterances in `say`", MAX_SAYS),
        ("characters (Unicode code points) in an utterance", MAX_SAY_CHARS),
        ("characters in `name` and `version`", MAX_NAME_CHARS),
        ("characters in `crash`", MAX_CRASH_CHARS),
        ("texts of `crash` of one seat in one game", MAX_CRASHES_KEPT as usize),
        ("bytes of a `note`, written without white space", MAX_NOTE_BYTES),
        ("notes of one seat in one game", MAX_NOTES_PER_GAME as usize),
        ("bytes of all notes of one seat in one game", MAX_NOTES_BYTES_PER_GAME),
        ("bytes of stderr kept of one move", MAX_STDERR_BYTES_PER_MOVE),
        ("bytes of stderr kept of one seat in one game", MAX_STDERR_BYTES_PER_GAME),
        ("bytes of a game's lines while one ask is open", MAX_BYTES_PER_ASK as usize),
        ("bytes of a game's lines, for each round of the match", MAX_BYTES_PER_ROUND as usize),
        ("bytes that each ask of the game adds to that", BYTES_ADDED_BY_ASK as usize),
        ("bytes of a line over its limit that are skipped", MAX_SKIPPED_BYTES as usize),
        ("receivers in `deal`", MAX_DEAL_RECEIVERS),
        ("games at once in one process", MAX_GAMES_PER_AGENT as usize),
        ("answers in a row that move nothing", MAX_IDLE_ANSWERS as usize),
        ("actions in answer to `react` while nothing moves", MAX_IDLE_REACTIONS as usize),
    ] {
        let row = spec.lines().find(|line| line.starts_with(&format!("| {limit}"))).expect(limit);
        let digits: String = row.split('|').nth(2).expect(limit).chars().filter(char::is_ascii_digit).collect();
        assert_eq!(digits, value.to_string(), "{row}");
    }
}

/// Every table with its name in SPEC.
fn tables() -> Vec<(String, String)> {
    let mut tables = Vec::new();
    let schemas = from_types::all();
    for (name, schema) in schemas.iter().filter(|(name, _)| *name != "ruleset") {
        tables.push(((*name).to_owned(), members(schema)));
    }
    let ask = &schemas.iter().find(|(name, _)| *name == "ask").expect("the schema of ask").1;
    let part = |name: &str| ask["$defs"][name].clone();
    for name in ["View", "Pending"] {
        tables.push((name.to_lowercase(), members(&part(name))));
    }
    tables.push(("events".to_owned(), choices(&part("SeenEvent"), "event")));
    tables.push(("verbs".to_owned(), choices(&part("Action"), "do")));
    tables.push(("reasons".to_owned(), words(&part("Reason"))));
    let others = ["DrawReason", "RuleFault", "Stand", "RoundEnd", "Reach"];
    let lists = others.map(|name| (kind(&serde_json::json!({ "$ref": name })), part(name)));
    tables.push(("words".to_owned(), lists_of_words(lists.into_iter())));
    tables
}

fn row(cells: &[&str]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// One row for each member of an object.
fn members(schema: &Value) -> String {
    let required = required(schema);
    let mut table = row(&["member", "type", "absent", "meaning"]) + "|---|---|---|---|\n";
    let properties = schema["properties"].as_object().expect("an object has members");
    let order = |(name, _): &(&String, &Value)| required.iter().position(|r| r == *name).unwrap_or(usize::MAX);
    let mut sorted: Vec<(&String, &Value)> = properties.iter().collect();
    sorted.sort_by_key(order);
    for (name, member) in sorted {
        let absent = match (&member["default"], required.contains(name)) {
            (_, true) => "never".to_owned(),
            (Value::Null, false) => "possible".to_owned(),
            (default, false) => format!("= `{default}`"),
        };
        table += &row(&[&format!("`{name}`"), &kind(member), &absent, &meaning(member)]);
    }
    table
}

/// The first paragraph of a member's meaning, on one line. A list of words has a table of its own.
fn meaning(member: &Value) -> String {
    let description = member["description"].as_str().unwrap_or_default();
    let paragraph = description.lines().take_while(|line| !line.is_empty() && !line.starts_with("- "));
    paragraph.collect::<Vec<_>>().join(" ")
}

/// One row for each form that an object with a tag can have.
fn choices(schema: &Value, tag: &str) -> String {
    let mut table = row(&[&format!("`{tag}`"), "further members", "meaning"]) + "|---|---|---|\n";
    for form in schema["oneOf"].as_array().expect("forms") {
        let required = required(form);
        let empty = Map::new();
        let properties = form["properties"].as_object().unwrap_or(&empty);
        let members = properties.iter().filter(|(name, _)| *name != tag).map(|(name, member)| {
            let mark = if required.contains(name) || form.get("else").is_some() { "" } else { "?" };
            format!("`{name}`{mark} {}", kind(member))
        });
        let joint = if form.get("else").is_some() { " or " } else { ", " };
        let members = members.collect::<Vec<_>>().join(joint);
        let name = form["properties"][tag]["const"].as_str().expect("a tag");
        table += &row(&[&format!("`{name}`"), &members, form["description"].as_str().unwrap_or_default()]);
    }
    table
}

/// One row for each word of a list of words.
fn words(schema: &Value) -> String {
    let rows = meanings(schema).into_iter().map(|(word, meaning)| row(&[&word, &meaning]));
    row(&["word", "meaning"]) + "|---|---|\n" + &rows.collect::<String>()
}

/// One row for each word of several lists, each with the name that the tables of members have for it.
fn lists_of_words(lists: impl Iterator<Item = (String, Value)>) -> String {
    let mut table = row(&["type", "word", "meaning"]) + "|---|---|---|\n";
    for (name, list) in lists {
        table.extend(meanings(&list).into_iter().map(|(word, meaning)| row(&[&name, &word, &meaning])));
    }
    table
}

/// Each word of a list, quoted, with its meaning.
fn meanings(schema: &Value) -> Vec<(String, String)> {
    if let Some(forms) = schema["oneOf"].as_array() {
        let text = |value: &Value| value.as_str().expect("a word and its meaning").to_owned();
        return forms.iter().map(|form| (format!("`{}`", text(&form["const"])), text(&form["description"]))).collect();
    }
    let lines = schema["description"].as_str().expect("a description").lines().filter(|line| line.starts_with("- `"));
    let parts = lines.map(|line| line[2..].split_once(": ").expect("a word and its meaning"));
    parts.map(|(word, meaning)| (word.to_owned(), meaning.to_owned())).collect()
}

fn required(schema: &Value) -> Vec<String> {
    let names = schema["required"].as_array().into_iter().flatten();
    names.filter_map(|name| Some(name.as_str()?.to_owned())).collect()
}

fn kind(member: &Value) -> String {
    let name = |reference: &str| match reference.rsplit('/').next().unwrap_or_default() {
        "GameId" => "text".to_owned(),
        "AskId" => "ask id".to_owned(),
        "EventNumber" => "number".to_owned(),
        "SeenEvent" => "event".to_owned(),
        "Verb" => "action".to_owned(),
        "GameResult" => "result".to_owned(),
        other => other.chars().enumerate().fold(String::new(), |mut text, (place, c)| {
            if c.is_uppercase() && place > 0 {
                text.push(' ');
            }
            text.extend(c.to_lowercase());
            text
        }),
    };
    if let Some(reference) = member["$ref"].as_str() {
        return name(reference);
    }
    if let Some(forms) = member["anyOf"].as_array() {
        return forms.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    match (&member["type"], &member["const"]) {
        (_, Value::String(word)) => format!("`\"{word}\"`"),
        (Value::String(kind_name), _) => match kind_name.as_str() {
            "array" => format!("list of {}", kind(&member["items"])),
            "string" if member["enum"].is_array() => "word".to_owned(),
            "string" => "text".to_owned(),
            "integer" => "number".to_owned(),
            "boolean" => "true or false".to_owned(),
            "null" => "null".to_owned(),
            other => other.to_owned(),
        },
        _ => "any JSON".to_owned(),
    }
}
