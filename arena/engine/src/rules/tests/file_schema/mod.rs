//! The schema of rule files, for editors: the committed file is the one that is made from the keys and bounds, and it and the
//! reader agree about every key. After a change: `MAUMAU_UPDATE=1 cargo test -p maumau-engine --lib file_schema`, and only
//! with that variable is a file written. What no schema can say is the business of `check`.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read the files that they check")]

mod generated;

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use maumau_places::{Node, ProblemCollector, SourcePlace, TextForm, join};
use serde_json::{Value, json};

use super::load_text;
use crate::rules::library::COMMON;
use crate::rules::{FILE_SCHEMA, bounds, built_in, draft, family};

#[test]
fn the_committed_schema_is_that_of_the_keys_that_the_reader_knows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/rules-file.schema.json");
    let expected = format!("{:#}\n", generated::rule_file());
    if std::env::var_os("MAUMAU_UPDATE").is_some() {
        fs::write(&path, &expected).expect("the file can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "run MAUMAU_UPDATE=1 cargo test -p maumau-engine --lib file_schema");
    if let Err(error) = jsonschema::draft7::meta::validate(&generated::rule_file()) {
        panic!("{error}");
    }
}

fn schema() -> Value {
    serde_json::from_str(FILE_SCHEMA).expect("a committed schema is JSON")
}

fn validator() -> Validator {
    jsonschema::draft7::new(&schema()).expect("a schema")
}

/// The text of a file as a tree of JSON.
fn json_of(text: &str) -> Value {
    let mut report = ProblemCollector::default();
    let form = TextForm { key_problem: bounds::key_problem, text_problem: |_| None, fractions: false };
    let tree = maumau_places::parse("my.toml", 0, text, form, &mut report);
    report.into_result().unwrap_or_else(|problems| panic!("{problems}"));
    tree.to_json()
}

#[test]
fn every_built_in_set_and_every_example_fits_the_schema() {
    let validator = validator();
    let check = |name: &str, text: &str| {
        let file = json_of(text);
        let errors: Vec<String> =
            validator.iter_errors(&file).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    };
    for set in built_in().iter().chain(family()) {
        check(set.name, set.text);
    }
    check("common", &format!("format = 1\nname = \"common\"\nextends = \"basic\"\n{}", COMMON.text));
}

/// A file in which every key of the rules stands, with a value that the reader takes.
const EVERYTHING: &str = include_str!("everything.toml");

/// Whether the reader finds the names, shapes and bounds of a rule set right.
fn is_read(file: &Value) -> bool {
    let Some(tree) = Node::of_json(file.clone(), &SourcePlace::setting("test")) else { return false };
    let mut report = ProblemCollector::default();
    draft::read(&tree, &mut report).is_some() && report.is_empty()
}

/// The dotted paths of all keys in `schema`, with the schema of each; keys of the author's choice are called `x`.
fn keys<'a>(schema: &'a Value, path: &str, whole: &'a Value, found: &mut Vec<(String, &'a Value)>) {
    let schema = match schema["$ref"].as_str() {
        Some(reference) => &whole["definitions"][reference.trim_start_matches("#/definitions/")],
        None => schema,
    };
    if !path.is_empty() {
        found.push((path.to_owned(), schema));
    }
    for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
        keys(inner, &join(path, key), whole, found);
    }
    if schema["additionalProperties"].is_object() {
        let key = if path == "scoring.points" { "7" } else { "x" };
        keys(&schema["additionalProperties"], &join(path, key), whole, found);
    }
}

/// `file` with `value` at the dotted `path`; `None` if the path leads nowhere.
fn with(file: &Value, path: &str, value: Value) -> Option<Value> {
    let mut changed = file.clone();
    let (front, last) = path.rsplit_once('.').unwrap_or(("", path));
    let parent =
        front.split('.').filter(|key| !key.is_empty()).try_fold(&mut changed, |here, key| here.get_mut(key))?;
    parent.as_object_mut()?.insert(last.to_owned(), value);
    Some(changed)
}

/// Values that a key may or may not have: of every kind, around its bounds, its words and other words.
fn probes(schema: &Value) -> Vec<Value> {
    let mut values = vec![
        json!(true),
        json!("7"),
        json!("7-A KH, XX S"),
        json!("joker"),
        json!("7 8H9"),
        json!(""),
        json!("x".repeat(2_001)),
        json!(["7", "KH"]),
        json!(["joker"]),
        json!([1]),
        json!([2, 4]),
        json!([2, 17]),
        json!([1, 4]),
        json!([2]),
        json!([]),
        json!({}),
        json!({ "unknown": 1 }),
        json!([{ "seats": [2, 4], "is": 1 }]),
        json!([{ "seats": [2, 4], "is": "7" }]),
        json!([{ "seats": [2, 17], "is": 1 }]),
        json!([{ "seats": [2, 4], "is": 53 }]),
        json!([{ "seats": [2, 4] }]),
        json!([{ "seats": [2, 4], "is": 1, "unknown": 1 }]),
    ];
    let numbers = [Some(schema), schema["anyOf"].get(0)].into_iter().flatten();
    let edges = numbers.flat_map(|form| [&form["minimum"], &form["maximum"]]).filter_map(Value::as_i64);
    values.extend(edges.chain([0, 1, 2]).flat_map(|edge| [edge - 1, edge, edge + 1]).map(Value::from));
    values.extend(schema["enum"].as_array().into_iter().flatten().cloned());
    values
}

#[test]
fn the_schema_and_the_reader_agree_about_every_key_and_value() {
    let (schema, validator, everything) = (schema(), validator(), json_of(EVERYTHING));
    assert!(is_read(&everything) && validator.is_valid(&everything), "everything.toml is a sound file");
    let mut found = Vec::new();
    keys(&schema, "", &schema, &mut found);
    let of_files = ["extends", "clauses", "options"];
    found.retain(|(path, _)| !of_files.contains(&path.split('.').next().unwrap_or_default()));
    assert!(found.len() >= 150, "{} keys", found.len());
    let (mut accepted, mut refused, mut differs) = (0, 0, Vec::new());
    for (path, schema) in &found {
        assert!(everything.pointer(&format!("/{}", path.replace('.', "/"))).is_some(), "everything.toml lacks {path}");
        let mut tried = probes(schema).into_iter().map(|value| (path.clone(), value)).collect::<Vec<_>>();
        if schema["type"] == "object" {
            tried.push((join(path, "no_such_key"), json!(1)));
        }
        for (path, value) in tried {
            let file = with(&everything, &path, value.clone()).expect("a place in the file");
            let (by_schema, by_reader) = (validator.is_valid(&file), is_read(&file));
            let count = if by_reader { &mut accepted } else { &mut refused };
            *count += 1;
            if by_schema != by_reader && !is_judged_later(&path, &value) {
                differs.push(format!("{path} = {value:.60}: schema {by_schema}, reader {by_reader}"));
            }
        }
    }
    assert!(differs.is_empty(), "{} differ:\n{}", differs.len(), differs.join("\n"));
    assert!(accepted > 500 && refused > 2_000, "{accepted} accepted, {refused} refused");
}

/// Whether the reader judges the value only with the whole set: tables that lack a key, which another file may have; the forms
/// of names and titles and the ranks that have points, which are tested below.
fn is_judged_later(path: &str, value: &Value) -> bool {
    let lacks = value.as_object().is_some_and(serde_json::Map::is_empty);
    lacks || ["name", "title"].contains(&path) || path.starts_with("scoring.points")
}

#[test]
fn the_schema_and_the_loader_agree_about_whole_files() {
    let validator = validator();
    let check = |text: &str, expected: bool| {
        let loaded = load_text(text, &[]);
        assert_eq!(loaded.is_ok(), expected, "{text}\n{:?}", loaded.err().map(|problems| problems.to_string()));
        assert_eq!(validator.is_valid(&json_of(text)), expected, "{text}");
    };
    let head = "format = 1\nname = \"my\"\nextends = \"basic\"\n";
    let whole = "format = 1\nname = \"my\"\ntitle = \"Mine\"\nseats = { min = 2, max = 4 }\ndeck.cards = \"7-A\"\ndeal.cards = 5\n";
    check(head, true);
    check(whole, true);
    for line in whole.lines().filter(|line| !line.is_empty()) {
        check(&whole.replacen(line, "", 1), false);
    }
    check("name = \"my\"\nextends = \"basic\"", false);
    check("format = 1\nextends = \"basic\"", false);
    check("format = 2\nname = \"my\"\nextends = \"basic\"", false);
    check("format = 1\nname = \"My Rules\"\nextends = \"basic\"", false);
    check(&format!("format = 1\nname = \"{}\"\nextends = \"basic\"", "a".repeat(41)), false);
    check("format = 1\nname = \"my\"\nextends = 3", false);
    for (rest, expected) in [
        ("title = \" \"", false),
        ("title = \"Ours\"", true),
        ("scoring.points.X = 3", false),
        ("scoring.points.XX = 3", true),
        ("extend = \"skat\"", false),
        ("clauses.deal = [\"B-01\"]", true),
        ("clauses.dael = [\"B-01\"]", false),
        ("clauses.deal = 5", false),
        ("options.mau.off = true", true),
        ("options.mau.off = 1", false),
        ("options.mau.default = \"called\"", true),
        ("[options.hand]\nabout = \"x\"\ndefault = 4\nkey = \"deal.cards\"\nrange = [3, 7]", true),
        ("[options.hand]\nabout = \"x\"\ndefault = 4\nkey = \"deal.cards\"\nrange = [3]", false),
        ("[options.hand]\nabout = 1\ndefault = 4\nkey = \"deal.cards\"\nrange = [3, 7]", false),
        ("[options.hand]\nabout = \"x\"\ndefault = 4\nkey = \"deal.cards\"\nvalue = 3", false),
        ("[options.hand]\nabout = \"x\"\ndefault = \"a\"\nvalues.a = { deal.cards = 4 }", true),
        ("[options.hand]\nabout = \"x\"\ndefault = \"a\"\nvalues.a = { deal.crads = 4 }", false),
        ("[options.hand]\nabout = \"x\"\ndefault = \"a\"\nvalues.a = { deal.cards = 53 }", false),
        ("[options.hand]\nabout = \"x\"\ndefault = \"a\"\nvalues.a = 7", false),
        ("[options.hand]\nabout = \"x\"\ndefault = {}\nvalues.a = { deal.cards = 4 }", false),
    ] {
        check(&format!("{head}{rest}"), expected);
    }
}
