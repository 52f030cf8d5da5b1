//! Makes the schema of league files, for the tests only: from the keys that the reader knows, and from what the pages about
//! league files say of each. It returns the schema; the tests beside it compare the committed file or rewrite it, and hold
//! each shape to the reader.
//!
//! It is a schema of draft 7, which editors of TOML know best.

use maumau_protocol::SandboxLevel;
use maumau_tournament::Format;
use serde_json::{Map, Value, json};

use super::super::super::formats::{DECISION_KEYS, SCHEDULE_KEYS, STOP_KEYS};
use super::super::super::rule_sets;
use super::super::*;

const LEAGUE_PAGE: &str = include_str!("../../../../../docs/league-files.md");
const FORMATS_PAGE: &str = include_str!("../../../../../docs/formats.md");

/// A gigantic number of agents, rounds or minutes is a mistake.
const MANY: u64 = 1_000_000;

/// The schema of league files.
pub(super) fn league_file() -> Value {
    let mut file = table("A league: who plays, by which rules and how many games.", LEAGUE_PAGE, "", &KEYS);
    let rest = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:maumau:1:league-file",
        "title": "League file",
        "required": ["rules", "seats", "agent"],
    });
    file.as_object_mut().expect("a table").extend(rest.as_object().expect("a table").clone());
    file
}

/// A table with these keys, and with what `page` says of them.
fn table(about: &str, page: &str, path: &str, keys: &[&str]) -> Value {
    let described = |key: &&str| {
        let mut schema = shape(&maumau_places::join(path, key));
        let text = said(page, path, key);
        schema.as_object_mut().expect("a schema").insert("description".to_owned(), text.into());
        ((*key).to_owned(), schema)
    };
    let properties: Map<String, Value> = keys.iter().map(described).collect();
    json!({ "description": about, "type": "object", "additionalProperties": false, "properties": properties })
}

/// What `page` says of `key`, without links; of keys of two tables the later line is that of the inner one.
fn said(page: &str, path: &str, key: &str) -> String {
    let begins = format!("| `{key}` | ");
    let mut lines = page.lines().filter_map(|line| line.strip_prefix(&begins));
    let inner = page == LEAGUE_PAGE && path == "agent";
    let line = if inner { lines.next_back() } else { lines.next() };
    let Some(line) = line else { panic!("no page says what {path}.{key} is") };
    let mut cells = line.trim_end_matches('|').split(" | ").map(str::trim);
    let mut text = without_links(cells.next().unwrap_or_default());
    match cells.next().map(without_links) {
        Some(required) if required == "required" => text += " (required)",
        Some(absent) if !absent.is_empty() => text += &format!(" (if it is absent: {absent})"),
        _ => {}
    }
    text
}

/// Markdown without the targets of its links, and without links that only point elsewhere.
fn without_links(text: &str) -> String {
    let mut text = text.replace(", see [below](", " [](").replace("see [below](", "[](");
    while let Some((start, middle)) = text.find("](").map(|at| (text[..at].rfind('[').unwrap_or(at), at)) {
        let end = text[middle..].find(')').map_or(text.len(), |end| middle + end + 1);
        text = format!("{}{}{}", &text[..start], &text[start + 1..middle], &text[end..]);
    }
    text.replace("  ", " ").trim().to_owned()
}

/// What the value of the key at `path` looks like.
fn shape(path: &str) -> Value {
    let text = |most: usize| json!({ "type": "string", "maxLength": most });
    let texts = |most: usize| json!({ "type": "array", "items": text(most) });
    let number = |low: u64, high: u64| json!({ "type": "integer", "minimum": low, "maximum": high });
    let words = |words: &[&str]| json!({ "type": "string", "enum": words });
    let flag = json!({ "type": "boolean" });
    let real = json!({ "type": "number" });
    match path {
        "name" | "agent.author" | "agent.version" => text(64),
        "rules" => {
            let one = json!({
                "description": "A rule set with rounds and options of its own.",
                "type": "object",
                "additionalProperties": false,
                "required": ["set"],
                "properties": Map::from_iter(rule_sets::KEYS.map(|key| (key.to_owned(), shape(&format!("rules.{key}"))))),
            });
            json!({ "anyOf": [text(4_000), { "type": "array", "minItems": 1, "items": { "anyOf": [text(4_000), one] } }] })
        }
        "rules.set" => text(4_000),
        "seats" => number(2, MAX_SEATS as u64),
        "rounds" | "rules.rounds" => number(1, MAX_ROUNDS.into()),
        "games_per_pairing" | "stop.games" => number(1, MAX_GAMES),
        "seed" => json!({ "anyOf": [text(200), { "type": "number" }] }),
        "concurrency" => number(0, MAX_CONCURRENCY),
        "clock" => words(&["lockstep", "live"]),
        "anchor" => {
            let rating = json!({ "type": "number", "minimum": RATINGS.start(), "maximum": RATINGS.end() });
            json!({ "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": rating })
        }
        "options" | "rules.options" => json!({
            "type": "object",
            "additionalProperties": {
                "anyOf": [
                    { "type": "boolean" },
                    { "type": "integer" },
                    { "type": "string" },
                    { "type": "array", "items": { "type": "string" } },
                ],
            },
        }),
        "schedule" => table("", FORMATS_PAGE, path, &SCHEDULE_KEYS),
        "schedule.format" => words(&Format::NAMES),
        "schedule.challengers" | "schedule.seeds" => texts(1_000),
        "schedule.rounds" | "schedule.advance" | "schedule.round_games" | "stop.top" | "stop.minutes" => {
            number(1, MANY)
        }
        "schedule.floor" | "schedule.equal" | "stop.width" => real,
        "stop" => table("", FORMATS_PAGE, path, &STOP_KEYS),
        "stop.decision" => table("", FORMATS_PAGE, path, &DECISION_KEYS),
        "stop.decision.method" => words(&["betting", "gsprt"]),
        _ if path.starts_with("stop.decision.") => real,
        "time" => table("", LEAGUE_PAGE, path, &[&TIME_KEYS[..], &LOCKSTEP_KEYS, &LIVE_KEYS].concat()),
        "time.bank_ms" | "time.increment_ms" => number(0, MAX_MS),
        _ if path.starts_with("time.") => number(1, MAX_MS),
        "sandbox" => table("", LEAGUE_PAGE, path, &SANDBOX_KEYS),
        "sandbox.level" => words(&SandboxLevel::ALL.map(SandboxLevel::name)),
        "sandbox.memory_mib" => number(32, 1 << 20),
        "agent" => {
            let mut one = table("One agent.", LEAGUE_PAGE, path, &AGENT_KEYS);
            one.as_object_mut().expect("a table").insert("required".to_owned(), json!(["command"]));
            json!({ "type": "array", "minItems": 1, "items": one })
        }
        "agent.name" | "agent.renamed_from" => text(1_000),
        "agent.command" | "agent.directory" | "agent.host" => text(MAX_COMMAND_CHARS),
        "agent.env" => json!({ "type": "object", "additionalProperties": text(MAX_COMMAND_CHARS) }),
        "agent.secrets" | "agent.read" | "agent.files" => texts(MAX_COMMAND_CHARS),
        "public_seed" | "hidden_names" | "schedule.one_author_per_table" | "stop.ranking" => flag,
        "agent.network" | "agent.retired" | "agent.disqualified" => flag,
        unknown => panic!("{unknown}: say here what its value looks like"),
    }
}
