//! Makes the schema of rule files, for the tests only: from that of rule sets, the bounds of numbers and the keys that only
//! files have. It returns the schema; the tests beside it compare the committed file or rewrite it.
//!
//! It is a schema of draft 7, which editors of TOML know best. A file may state only differences from the set that it
//! extends, so nothing in it is required but what every file needs.

use maumau_places::join;
use maumau_protocol::{Pack, schema};
use serde_json::{Map, Value, json};

use crate::rules::bounds::{self, MAX_TEXT_CHARS};
use crate::rules::compiled::point_names;
use crate::rules::{load, options};

/// A list of cards in a text.
const CARDS: &str = "^[ ,]*(([0-9TJQKANVPMF](-[0-9TJQKANVPMF]|[CDHSBGRY])?|[CDHSBGRY]|XX|W[04FK])([ ,]+|$))*$";
/// The same where `count` stands for the cards of a player's count.
const COUNTED_CARDS: &str =
    "^[ ,]*(([0-9TJQKANVPMF](-[0-9TJQKANVPMF]|[CDHSBGRY])?|[CDHSBGRY]|XX|W[04FK]|count)([ ,]+|$))*$";

/// The schema of rule files.
pub(super) fn rule_file() -> Value {
    let all = schema::all();
    let set = all.into_iter().find(|(name, _)| *name == "ruleset").expect("the schema of rule sets").1;
    let mut sections = Map::new();
    for (key, section) in set["properties"].as_object().expect("sections") {
        if key != "options" {
            sections.insert(key.clone(), Written { defs: &set["$defs"] }.written(section, key));
        }
    }
    let references = sections.keys().map(|key| (key.clone(), json!({ "$ref": format!("#/definitions/{key}") })));
    let references: Map<String, Value> = references.collect();
    let mut properties = references.clone();
    let extends =
        "The built-in set, or the path of the rule file, that this file changes: it then states only the differences.";
    properties.insert("extends".to_owned(), json!({ "description": extends, "type": "string" }));
    properties.insert("clauses".to_owned(), clauses());
    properties.insert("options".to_owned(), table_options());
    sections.insert("fragment".to_owned(), table("Rules that hold with this value.", references));
    let required = |of: &Value| {
        let keys = of["required"].as_array().expect("required keys").iter();
        keys.filter(|key| !["format", "name"].iter().any(|every| key == every)).cloned().collect::<Vec<_>>()
    };
    let whole = ["seats", "deck", "deal"].map(|key| {
        let of = set["properties"][key]["$ref"].as_str().expect("a reference").trim_start_matches("#/$defs/");
        (key.to_owned(), json!({ "required": required(&set["$defs"][of]) }))
    });
    let mut file = table("A rule file of maumau: a set of rules, or the differences from another one.", properties);
    let rest = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:maumau:1:rules-file",
        "title": "Rule file",
        "definitions": sections,
        "required": ["format", "name"],
        "if": { "required": ["extends"] },
        "else": { "required": required(&set), "properties": Map::from_iter(whole) },
    });
    file.as_object_mut().expect("a table").extend(rest.as_object().expect("a table").clone());
    file
}

/// The names by which points are stated, of all packs.
fn every_point_name() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in Pack::ALL.into_iter().flat_map(point_names) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A table with no other keys than these.
fn table(about: &str, properties: Map<String, Value>) -> Value {
    json!({ "description": about, "type": "object", "additionalProperties": false, "properties": properties })
}

/// A table with keys of the author's choice.
fn named(about: &str, value: &Value) -> Value {
    json!({ "description": about, "type": "object", "propertyNames": key_form(), "additionalProperties": value })
}

fn key_form() -> Value {
    json!({ "pattern": "^[A-Za-z0-9_-]{1,64}$" })
}

fn text(about: &str) -> Value {
    json!({ "description": about, "type": "string", "maxLength": MAX_TEXT_CHARS })
}

/// `[clauses]`.
fn clauses() -> Value {
    let ids = json!({ "type": "array", "items": { "type": "string" } });
    let sections = load::SECTIONS.map(|section| (section.to_owned(), ids.clone()));
    table("Clause ids that the sections state, for `maumau rules`.", Map::from_iter(sections))
}

/// `[options]`.
fn table_options() -> Value {
    let shape = |key: &str| match key {
        "clause" => text("The clause it comes from."),
        "about" => text("What it decides, in a sentence."),
        "key" => text("The dotted path of the key that the value is written to, as in \"deal.cards\"."),
        "default" => json!({
            "description": "The value when nobody chooses: one of `values`, or one for `key`.",
            "anyOf": [
                { "type": "boolean" },
                { "type": "integer" },
                { "type": "string" },
                { "type": "array", "items": { "type": "string" } },
            ],
        }),
        "range" => json!({
            "description": "The smallest and largest number for `key`.",
            "type": "array",
            "items": { "type": "integer" },
            "minItems": 2,
            "maxItems": 2,
        }),
        "values" => named(
            "For each value the rules that hold with it; beside a `key`, what a special value does in addition.",
            &json!({ "$ref": "#/definitions/fragment" }),
        ),
        "off" => json!({ "description": "This set does not offer the option.", "type": "boolean" }),
        unknown => panic!("options.*.{unknown}: say here what its value looks like"),
    };
    let option = table(
        "A choice that the table has.",
        options::KEYS.iter().map(|key| ((*key).to_owned(), shape(key))).collect(),
    );
    named("Choices that the rules leave to the table: --set NAME=VALUE.", &option)
}

/// Rewrites the schema of a rule set into that of a file.
struct Written<'a> {
    defs: &'a Value,
}

impl Written<'_> {
    /// The schema of the value at `path` of a rule set, without references.
    fn written(&self, schema: &Value, path: &str) -> Value {
        let mut found = schema.as_object().expect("a schema").clone();
        found.remove("default");
        found.remove("format");
        if let Some(reference) = found.remove("$ref") {
            let name = reference.as_str().expect("a name").trim_start_matches("#/$defs/");
            let mut target = self.written(&self.defs[name], path);
            let all = target.as_object_mut().expect("a schema");
            let cards = match name {
                "Cards" => Some(CARDS),
                "CountedCards" => Some(COUNTED_CARDS),
                _ => None,
            };
            if let Some(pattern) = cards {
                let texts = json!([
                    { "type": "string", "pattern": pattern },
                    { "type": "array", "items": { "type": "string", "pattern": pattern } },
                ]);
                all.insert("anyOf".to_owned(), texts);
            }
            if name == "BySeats_Cards" {
                // A list is one of rows here.
                all["anyOf"][0] = json!({ "type": "string", "pattern": CARDS });
            }
            if let Some(Value::String(own)) = found.get("description") {
                let general = all.get("description").and_then(Value::as_str).unwrap_or_default();
                // The words of an enumeration stay under what the key itself means.
                let words = general.find("\n- `").map_or("", |start| &general[start..]);
                all.insert("description".to_owned(), format!("{own}{words}").into());
            }
            return target;
        }
        // Rows are whole, whatever a file extends.
        if found.get("properties").is_none_or(|properties| properties.get("is").is_none()) {
            found.remove("required");
        }
        if let Some(Value::Object(properties)) = found.get_mut("properties") {
            for (key, inner) in properties.iter_mut() {
                *inner = self.written(inner, &join(path, key));
            }
        }
        if let Some(inner) = found.get_mut("additionalProperties").filter(|inner| inner.is_object()) {
            *inner = self.written(inner, &join(path, "x"));
            let names = if path == "scoring.points" { json!({ "enum": every_point_name() }) } else { key_form() };
            found.insert("propertyNames".to_owned(), names);
        }
        if let Some(inner) = found.get_mut("items") {
            *inner = self.written(inner, &join(path, "0"));
        }
        if let Some(Value::Array(forms)) = found.get_mut("anyOf") {
            for form in forms {
                *form = self.written(form, path);
            }
        }
        match found.get("type").and_then(Value::as_str) {
            Some("integer") => {
                if let Some((low, high)) = bounds::of(path) {
                    found.extend([("minimum".to_owned(), low.into()), ("maximum".to_owned(), high.into())]);
                }
            }
            Some("string") if !found.contains_key("enum") => match path {
                "name" => drop(found.insert("pattern".to_owned(), "^[a-z0-9_-]{1,40}$".into())),
                "title" => found.extend([("pattern".to_owned(), "\\S".into()), ("maxLength".to_owned(), 100.into())]),
                _ => drop(found.insert("maxLength".to_owned(), MAX_TEXT_CHARS.into())),
            },
            _ => {}
        }
        found.into()
    }
}
