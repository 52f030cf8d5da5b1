//! The schema of league files, for editors: the committed file is the one that is made from the keys, and it and the reader
//! agree about every key. After a change: `MAUMAU_UPDATE=1 cargo test -p maumau-run --lib file_schema`, and only with that
//! variable is a file written. Whether a league makes sense as a whole no schema can say.

mod generated;

use std::fs;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::*;

#[test]
fn the_committed_schema_is_that_of_the_keys_that_the_reader_knows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/league-file.schema.json");
    let expected = format!("{:#}\n", generated::league_file());
    if std::env::var_os("MAUMAU_UPDATE").is_some() {
        fs::write(&path, &expected).expect("the file can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "run MAUMAU_UPDATE=1 cargo test -p maumau-run --lib file_schema");
    if let Err(error) = jsonschema::draft7::meta::validate(&generated::league_file()) {
        panic!("{error}");
    }
}

fn schema() -> Value {
    serde_json::from_str(FILE_SCHEMA).expect("a committed schema is JSON")
}

fn validator() -> Validator {
    jsonschema::draft7::new(&schema()).expect("a schema")
}

/// A file in which every key stands, with a value that the reader takes. As a league it makes no sense.
const EVERYTHING: &str = r#"
name = "all"
rules = [{ set = "skat", rounds = 1, options = { misplay = 0 } }]
seats = 2
rounds = 1
games_per_pairing = 2
seed = 7
public_seed = true
hidden_names = true
concurrency = 0
clock = "lockstep"
anchor = { a = 1500 }
options = { misplay = 0 }
schedule = { format = "swiss", challengers = ["a"], rounds = 1, advance = 1, seeds = ["a"], round_games = 1, floor = 0.1, equal = 1, one_author_per_table = false }
stop = { width = 0.1, top = 1, ranking = true, games = 2, minutes = 1, decision = { mu0 = 0.5, mu1 = 0.6, alpha = 0.05, beta = 0.05, method = "gsprt" } }
time = { move_ms = 1, start_ms = 1, bank_ms = 1, increment_ms = 1 }
sandbox = { level = "none", memory_mib = 64 }

[[agent]]
name = "a"
author = "ann"
command = "maumau agent first"
directory = "."
env = { MODEL = "small" }
secrets = ["API_KEY"]
read = ["."]
network = false
host = "localhost:80"
files = ["a"]
version = "1"
renamed_from = "b"
retired = false
disqualified = false
"#;

fn json_of(text: &str) -> Value {
    toml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What the reader says of the names, shapes and bounds of a file; empty if nothing is wrong.
fn said_of(text: &str) -> String {
    let mut report = ProblemCollector::default();
    let form = TextForm { key_problem: |_| None, text_problem: |_| None, fractions: true };
    let tree = parse("l.toml", 0, text, form, &mut report);
    drop(Draft::read("l.toml", &Reader::new(&tree, ""), &mut report));
    report.into_result().map_or_else(|problems| problems.to_string(), |()| String::new())
}

/// The places of all keys, as pointers into a file and with the schema of each.
fn keys<'a>(schema: &'a Value, at: &str, found: &mut Vec<(String, &'a Value)>) {
    if !at.is_empty() {
        found.push((at.to_owned(), schema));
    }
    for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
        keys(inner, &format!("{at}/{key}"), found);
    }
    let items = [&schema["items"], &schema["anyOf"][1]["items"]["anyOf"][1]];
    items
        .into_iter()
        .filter(|items| items["type"] == "object")
        .for_each(|items| keys(items, &format!("{at}/0"), found));
}

/// Values that a key may or may not have: of every kind, around its bounds, its words and other words.
fn probes(schema: &Value) -> Vec<Value> {
    let mut values = vec![
        json!(true),
        json!("skat"),
        json!("no such word"),
        json!("x".repeat(201)),
        json!("x".repeat(1_001)),
        json!("x".repeat(4_001)),
        json!(["a"]),
        json!([1]),
        json!([]),
        json!(0.5),
        json!({ "a": 1 }),
        json!({ "a": "b" }),
        json!({ "a": 1, "b": 2 }),
        json!({ "a": 10_001 }),
        json!({ "a": [1] }),
        json!([{ "set": "skat" }]),
        json!([{ "rounds": 1 }]),
        json!([{ "set": "skat", "unknown": 1 }]),
        json!([{ "command": "a" }]),
        json!([{ "name": "a" }]),
    ];
    let edges = ["minimum", "maximum", "maxLength"].map(|edge| schema[edge].as_i64());
    values
        .extend(edges.into_iter().flatten().chain([0, 1]).flat_map(|edge| [edge - 1, edge, edge + 1]).map(Value::from));
    if let Some(most) = schema["maxLength"].as_u64() {
        values.extend([most, most + 1].map(|length| json!("x".repeat(length as usize))));
    }
    values.extend(schema["enum"].as_array().into_iter().flatten().cloned());
    values
}

/// Whether the reader looks at more than the shape: at files that there are, at names of hosts and variables, at commands, and
/// at keys that exclude each other.
fn is_judged_later(at: &str, value: &Value) -> bool {
    let text_or_texts = value.is_string() || value.is_array();
    match at {
        "/agent/0/directory" | "/agent/0/read" | "/agent/0/host" | "/agent/0/secrets" | "/agent/0/command" => {
            text_or_texts
        }
        "/agent/0/env" => value.is_object(),
        "/clock" => value == "live",
        "/schedule/format" => value.is_string(),
        _ => false,
    }
}

#[test]
fn the_schema_and_the_reader_agree_about_every_key_and_value() {
    let (schema, validator, everything) = (schema(), validator(), json_of(EVERYTHING));
    assert_eq!(said_of(EVERYTHING), "");
    assert!(validator.is_valid(&everything), "{:?}", validator.validate(&everything).err());
    // The live clock has times of its own, and points stand for two other numbers.
    let live = EVERYTHING
        .replace("\"lockstep\"", "\"live\"")
        .replace("bank_ms = 1, increment_ms = 1", "grace_ms = 1, reaction_ms = 1, closing_ms = 1, count_ms = 1")
        .replace("mu0 = 0.5, mu1 = 0.6", "points = 20");
    assert_eq!(said_of(&live), "");
    let mut found = Vec::new();
    keys(&schema, "", &mut found);
    assert!(found.len() > 60, "{} keys", found.len());
    let (mut accepted, mut refused, mut differs) = (0, 0, Vec::new());
    for (at, schema) in &found {
        let files = [&everything, &json_of(&live)].map(|file| file.pointer(at).map(|_| file.clone()));
        let Some(file) = files.into_iter().flatten().next() else { panic!("no file of this test has {at}") };
        let mut tried: Vec<(String, Value)> = probes(schema).into_iter().map(|value| (at.clone(), value)).collect();
        if schema["additionalProperties"] == false {
            tried.push((format!("{at}/no_such_key"), json!(1)));
        }
        for (at, value) in tried {
            let mut file = file.clone();
            let (front, key) = at.rsplit_once('/').expect("a pointer");
            let parent = file.pointer_mut(front).and_then(Value::as_object_mut);
            let Some(parent) = parent else { continue };
            parent.insert(key.to_owned(), value.clone());
            let text = toml::to_string(&file).expect("TOML");
            let (by_schema, said) = (validator.is_valid(&file), said_of(&text));
            let count = if said.is_empty() { &mut accepted } else { &mut refused };
            *count += 1;
            if by_schema != said.is_empty() && !is_judged_later(&at, &value) {
                differs.push(format!("{at} = {value:.60}: schema {by_schema}, reader {said:?}"));
            }
        }
    }
    assert!(differs.is_empty(), "{} differ:\n{}", differs.len(), differs.join("\n"));
    assert!(accepted > 200 && refused > 800, "{accepted} accepted, {refused} refused");
}

#[test]
fn keys_that_are_required_are_required_by_both() {
    let validator = validator();
    let whole = "rules = \"skat\"\nseats = 2\ngames_per_pairing = 4\n[[agent]]\ncommand = \"maumau agent first\"\n";
    let check = |text: &str, expected: bool| {
        assert_eq!(said_of(text).is_empty(), expected, "{text}{}", said_of(text));
        assert_eq!(validator.is_valid(&json_of(text)), expected, "{text}");
    };
    check(whole, true);
    check(&whole.replace("rules = \"skat\"", ""), false);
    check(&whole.replace("seats = 2", ""), false);
    check(&whole.replace("command = ", "name = "), false);
    check("rules = \"skat\"\nseats = 2\n", false);
    check(&format!("leage = 1\n{whole}"), false);
}

#[test]
fn every_example_of_the_pages_fits_the_schema() {
    let validator = validator();
    let pages = [include_str!("../../../../../docs/league-files.md"), include_str!("../../../../../docs/formats.md")];
    let mut read = 0;
    for example in pages.iter().flat_map(|page| page.split("```toml\n").skip(1)) {
        let example = example.split("```").next().expect("its end");
        let mut file = json!({ "rules": "skat", "seats": 2, "agent": [{ "command": "a" }] });
        let own: Map<String, Value> = json_of(example).as_object().expect("a table").clone();
        file.as_object_mut().expect("a table").extend(own);
        assert!(validator.is_valid(&file), "{:?}: {example}", validator.validate(&file).err());
        read += 1;
    }
    assert!(read > 3, "{read} examples");
}
