//! Every sentence that a page of rules can print is true: it follows from the values of the rules that it names, or a
//! scenario plays it, at a table whose own page prints it. It reads pages, scenarios and sources; how a page is played
//! out is tested in the crate.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "the rulebook opens no file; its test does")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use maumau_engine::rules::{
    self, BuiltIn, BuiltInSet, LoadedRules, NoRuleText, RuleFiles, RuleText, built_in, family, load_built_in,
    parse_setting,
};
use maumau_protocol::message::TimeControl;
use maumau_protocol::ruleset::{OptionValue, RuleSet};
use maumau_rulebook::{Rulebook, Sentence};
use serde_json::{Value, json};

/// File, line and column of a sentence in the source.
type Written = (&'static str, u32, u32);

fn written(sentence: &Sentence) -> Written {
    let at = sentence.written_at();
    (at.file(), at.line(), at.column())
}

/// Settings that no option of a built-in set makes, so that the sentences of house rules are printed too.
const HOUSE: [(&str, &[&str]); 69] = [
    ("basic", &["effects.x.cards=Q", "effects.x.followed_by=7-9"]),
    ("basic", &["effects.seven.owe.drawer_names=true"]),
    ("basic", &["ending.goes_on=places", "effects.seven.brings_back=true"]),
    ("countdown", &["count.redeal=false"]),
    ("colours", &["challenge.shows=table", "challenge.failed=0"]),
    ("colours", &["challenge.shows=nobody"]),
    ("basic", &["effects.x.cards=Q", "effects.x.hands=show_next"]),
    ("basic", &["effects.x.cards=Q", "effects.x.hands=swap_chosen"]),
    ("basic", &["effects.x.cards=Q", "effects.x.draw.cards=1", "effects.x.draw.who=chosen"]),
    ("basic", &["effects.seven.owe.on=chosen", "effects.seven.owe.resume=after_debtor"]),
    ("basic", &["effects.x.cards=Q", "effects.x.again.must=true", "effects.x.again.draws=as_turn"]),
    (
        "basic",
        &[
            "effects.x.cards=Q",
            "effects.x.again.must=true",
            "effects.x.again.draws=as_turn",
            "turn.again_may_draw=false",
        ],
    ),
    ("basic", &["turn.draws=0", "turn.after_draw=any_card"]),
    ("basic", &["turn.draws=0", "turn.after_draw=drawn_card"]),
    ("basic", &["turn.draws=0", "turn.after_draw=drawn_card_must"]),
    ("crazy-eights", &["effects.x.cards=Q", "effects.x.also_on=8S 8H"]),
    ("basic", &["turn.may_draw=unable"]),
    ("basic", &["turn.after_draw=drawn_card_must"]),
    ("basic", &["turn.after_draw=drawn_card_must", "turn.draws=3"]),
    ("basic", &["deal.direction=ccw"]),
    ("deluxe", &["deal.direction=ccw"]),
    ("basic", &["deal.direction=ccw", "deal.direction_carries=true"]),
    ("skat", &["extra_rules=off", "effects.eight.skip.adds=false"]),
    ("basic", &["effects.seven.owe.passes=9C 9D", "effects.seven.owe.returns=T", "effects.seven.owe.cancels=8C 8D"]),
    ("basic", &["effects.seven.owe.cancels.cards=8C 8D", "effects.seven.owe.cancels.match=suit"]),
    ("basic", &["effects.seven.owe.on=previous", "effects.seven.owe.rescue=true"]),
    ("basic", &["effects.seven.owe.on=previous", "effects.seven.owe.resume=after_debtor"]),
    (
        "basic",
        &["effects.x.cards=Q", "effects.x.draw.cards=1", "effects.x.draw.who=others", "effects.x.open_to_all=true"],
    ),
    ("deluxe", &["effects.x.cards=9S 9C", "effects.x.open_to_all=true"]),
    ("basic", &["effects.eight.skip.answers=8C 8D", "effects.eight.skip.of=turns"]),
    ("basic", &["effects.x.cards=Q", "effects.x.again.must=true", "effects.x.again.draws=until_fits"]),
    ("basic", &["effects.x.cards=Q", "effects.x.again.must=false", "effects.x.again.fits=anything"]),
    ("basic", &["together.x.cards=2-A"]),
    ("basic", &["together.x.cards=2-A", "together.x.step=run", "together.x.counts=last"]),
    ("skat", &["together.x.cards=2-A", "together.x.step=run", "together.x.wraps=true", "together.x.counts=last_rank"]),
    ("basic", &["ending.goes_on=places"]),
    ("basic", &["effects.x.cards=Q", "effects.x.hands=rotate"]),
    ("crazy-eights", &["effects.x.cards=Q", "effects.x.hands=swap_next"]),
    ("skat", &["scoring.target=60", "scoring.rounds=9"]),
    ("basic", &["scoring.target=2", "scoring.rounds=9"]),
    ("deluxe", &["scoring.target=50", "scoring.rounds=9"]),
    ("skat", &["scoring.decides=most_points", "scoring.collects=true", "scoring.target=200", "scoring.rounds=0"]),
    ("crazy-eights", &["scoring.decides=most_points", "scoring.collects=true", "ending.blocked=lowest"]),
    ("crazy-eights", &["scoring.decides=rounds_won", "ending.blocked=lowest"]),
    ("crazy-eights", &["ending.blocked=lowest"]),
    ("basic", &["duties.mau.false_costs=2"]),
    ("basic", &["mau=called", "duties.mau.callable_until=next_action"]),
    ("snap", &["duties.mau.due=next_turn", "duties.mau.cards=2", "duties.mau.callable_until=next_action"]),
    ("skat", &["effects.jack.never_last=true", "effects.jack.last_costs=5"]),
    ("deluxe", &["last_special=natural", "effects.last_special.last_costs=5"]),
    ("basic", &["duties.last.word=out", "duties.last.cards=2"]),
    ("basic", &["deal.first_effects=J 8"]),
    ("basic", &["deal.first_effects=J", "deal.first_names=first_player"]),
    ("basic", &["first_card=effect", "deal.first_names=first_player"]),
    ("crazy-eights", &["special_cards=true", "deal.first_reverse=dealer"]),
    ("crazy-eights", &["effects.eight.off=true"]),
    ("basic", &["deck.jokers=2", "effects.jack.cards=J XX"]),
    ("basic", &["deck.jokers=2"]),
    ("basic", &["turn.after_draw=drawn_card", "turn.draws=3"]),
    ("basic", &["deal.direction_carries=true"]),
    ("deluxe", &["first_card=effect", "prices.misplay.ends_turn=false"]),
    ("snap", &["calls.in_deal=at_once", "dealing=dealer"]),
    ("snap", &["illegal=stands", "prices.misplay.called=true"]),
    ("snap", &["strict=true", "dealing=dealer"]),
    ("snap", &["dealing=dealer", "deal.look=auto"]),
    ("spam", &["strict=true", "calls.false_call=cards"]),
    ("spam", &["deal_count=dealer", "calls.in_deal=outstanding"]),
    ("spam", &["talk.swears=", "duties.done.off=true"]),
    ("crazy-eights", &["special_cards=true"]),
];

/// Files with house rules.
struct House;

impl RuleFiles for House {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        match name {
            "house.toml" => Ok(RuleText {
                file: name.to_owned(),
                text: "format = 1\nname = \"house\"\nextends = \"skat\"\n[effects.ten]\nseats = [3, 5]".to_owned(),
            }),
            "split.toml" => Ok(RuleText {
                file: name.to_owned(),
                text: "format = 1\nname = \"split\"\nextends = \"crazy-eights\"\n[effects.ten]\ncards = \"T\"\nseats = [3, 16]\n\
                       reverse = true\n[effects.ten_of_two]\ncards = \"T\"\nseats = [2, 2]\nskip = {}\n[together.some]\ncards = \"2-A\"\nsizes = [3, 4]"
                    .to_owned(),
            }),
            _ => BuiltIn.text(name, from),
        }
    }
}

/// One page, and how to obtain it.
struct Table {
    name: String,
    loaded: LoadedRules,
    seats: Option<usize>,
}

fn load(name: &str, settings: &[(String, OptionValue)]) -> LoadedRules {
    load_built_in(name, settings).unwrap_or_else(|problems| panic!("{name} {settings:?}: {problems}"))
}

/// The built-in sets, and the further games of the family.
fn sets() -> impl Iterator<Item = &'static BuiltInSet> {
    built_in().iter().chain(family())
}

/// Every set with every value of each option, and the house rules above, for all tables and for some sizes.
fn tables() -> Vec<Table> {
    let mut chosen: Vec<(&str, Vec<(String, OptionValue)>)> = Vec::new();
    for set in sets() {
        chosen.push((set.name, Vec::new()));
        for option in load(set.name, &[]).options {
            chosen.extend(option.samples().into_iter().map(|value| (set.name, vec![(option.name.clone(), value)])));
        }
    }
    for (name, settings) in HOUSE {
        let read = |text: &&str| parse_setting(text).expect("a setting");
        chosen.push((name, settings.iter().map(read).collect()));
    }
    let mut tables: Vec<Table> = ["house.toml", "split.toml"]
        .map(|name| {
            let loaded = rules::load(&House, name, &[]).unwrap_or_else(|problems| panic!("{problems}"));
            Table { name: name.to_owned(), loaded, seats: None }
        })
        .into();
    for (name, settings) in chosen {
        let loaded = load(name, &settings);
        for seats in [None, Some(2), Some(3), Some(5)] {
            tables.push(Table { name: format!("{name} {settings:?}"), loaded: loaded.clone(), seats });
        }
    }
    tables
}

/// A scenario, and the places in the source of the sentences that its own table prints.
struct Scenario {
    /// As in `skat/K-30-two-players-seven`.
    name: String,
    prints: BTreeSet<Written>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios")
}

fn scenarios() -> Vec<Scenario> {
    let mut found = Vec::new();
    let mut pages: BTreeMap<String, BTreeSet<Written>> = BTreeMap::new();
    for set in sets() {
        for file in std::fs::read_dir(folder().join(set.name)).expect("a folder of scenarios") {
            let path = file.expect("a readable folder").path();
            let text = std::fs::read_to_string(&path).expect("a readable scenario");
            let scenario: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            let seats = scenario["players"].as_u64().expect("a number of players") as usize;
            let mut options = scenario.get("options").cloned().unwrap_or(json!({}));
            if scenario["setup"]["phase"] == "deal" {
                // If the dealer deals, the page must say so.
                options["deal.by"] = json!("dealer");
            }
            let prints = pages.entry(format!("{} {options} {seats}", set.name)).or_insert_with(|| {
                let settings: BTreeMap<String, OptionValue> = serde_json::from_value(options).expect("options");
                let loaded = load(set.name, &settings.into_iter().collect::<Vec<_>>());
                let both = [Some(seats), None].map(|seats| Rulebook::of_file(&loaded, seats).sentences());
                both.iter().flatten().map(written).collect()
            });
            let stem = path.file_stem().expect("a name").to_string_lossy();
            found.push(Scenario { name: format!("{}/{stem}", set.name), prints: prints.clone() });
        }
    }
    found
}

fn sources(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> =
        folders.iter().map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)).collect();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}")) {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|extension| extension == "rs") => {
                    let text = std::fs::read_to_string(&path).expect("a readable source");
                    found.push((path, text));
                }
                false => {}
            }
        }
    }
    found
}

#[test]
fn every_sentence_is_played_or_follows_from_the_rules() {
    let scenarios = scenarios();
    let tests: String = sources(&[
        "arena/engine/src",
        "arena/engine/tests",
        "arena/rulebook/tests",
        "arena/referee/tests",
        "protocol/src",
    ])
    .into_iter()
    .map(|(_, text)| text)
    .collect();
    let mut sentences: BTreeMap<Written, Sentence> = BTreeMap::new();
    for table in tables() {
        for sentence in Rulebook::of_file(&table.loaded, table.seats).sentences() {
            sentences.entry(written(&sentence)).or_insert(sentence);
        }
    }
    let mut wrong = Vec::new();
    for (at, sentence) in &sentences {
        let named = |beginning: &str| {
            let begins = |scenario: &&Scenario| {
                scenario.name.strip_prefix(beginning).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            };
            scenarios.iter().filter(begins).collect::<Vec<_>>()
        };
        let plays = |beginning: &str| named(beginning).iter().any(|scenario| scenario.prints.contains(at));
        let mut played = sentence.clauses().iter().any(|id| sets().any(|set| plays(&format!("{}/{id}", set.name))));
        for name in sentence.played_by() {
            let (is_there, plays_it) = match name.strip_prefix("fn ") {
                Some(name) => (tests.contains(&format!("fn {name}()")), true),
                None => (!named(name).is_empty(), plays(name)),
            };
            played |= plays_it;
            if !is_there {
                wrong.push(format!("{}:{}: there is no {name}", at.0, at.1));
            }
        }
        if !played && (!sentence.is_rendered() || sentence.follows_from().is_empty()) {
            wrong.push(format!("{}:{}: nothing plays {:?} {:?}", at.0, at.1, sentence.text(), sentence.clauses()));
        }
    }
    assert!(wrong.is_empty(), "{} sentences:\n{}", wrong.len(), wrong.join("\n"));
    let reached: BTreeSet<(String, u32)> = sentences.keys().map(|at| (at.0.to_owned(), at.1)).collect();
    let mut never = Vec::new();
    for (path, text) in sources(&["arena/rulebook/src"]) {
        let file = format!("arena/rulebook/src/{}", path.file_name().expect("a name").to_string_lossy());
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains(".say("));
        never.extend(lines.map(|(line, _)| (file.clone(), line)).filter(|at| !reached.contains(at)));
    }
    assert!(never.is_empty(), "no table prints the sentences at {never:?}");
}

/// The JSON value at a dotted path, and whether it is there.
fn at<'a>(json: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    let mut here = json;
    for key in path.split('.') {
        here = here.as_object_mut()?.get_mut(key)?;
    }
    Some(here)
}

/// Other values for a key: one of them must change what follows from it.
fn others(words: &[Value]) -> Vec<Value> {
    let plain = [
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(4),
        json!(60),
        json!(null),
        json!(""),
        json!("5S"),
        json!("5 XX"),
    ];
    let rows = [
        json!([{"seats": [2, 2], "is": 1}]),
        json!({"K": 9}),
        json!({"answers": "5S", "threat": false}),
        json!({}),
        json!([3, 16]),
        json!(["other"]),
    ];
    plain.into_iter().chain(rows).chain(words.iter().cloned()).collect()
}

/// The words of all enumerations of rule sets.
fn enumerated() -> Vec<Value> {
    fn collect(schema: &Value, found: &mut BTreeSet<String>) {
        match schema {
            Value::Object(members) => {
                let words = members.get("enum").and_then(Value::as_array).into_iter().flatten();
                found.extend(words.chain(members.get("const")).filter_map(Value::as_str).map(str::to_owned));
                members.values().for_each(|inner| collect(inner, found));
            }
            Value::Array(items) => items.iter().for_each(|inner| collect(inner, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    let schemas = maumau_protocol::schema::all();
    let (_, schema) = schemas.iter().find(|(name, _)| *name == "ruleset").expect("the schema of rule sets");
    collect(schema, &mut found);
    found.into_iter().map(Value::from).collect()
}

#[test]
fn what_a_sentence_is_said_to_follow_from_changes_it() {
    let words = enumerated();
    let mut seen: BTreeSet<(Written, String)> = BTreeSet::new();
    let mut wrong = Vec::new();
    for table in tables() {
        let set = &table.loaded.set;
        // Parts that only the file contains are not part of the rules.
        let plain = Rulebook::new(set, &TimeControl::default(), table.seats).sentences();
        let mut pages: BTreeMap<String, Vec<Counts>> = BTreeMap::new();
        for sentence in &plain {
            for key in sentence.follows_from().iter().filter(|key| !key.starts_with("options.")) {
                let is_name = |part: &&str| set.effects.contains_key(*part) || set.duties.words.contains_key(*part);
                let general: Vec<&str> = key.split('.').filter(|part| !is_name(part)).collect();
                if !seen.insert((written(sentence), general.join("."))) {
                    continue;
                }
                let pages = pages.entry(key.clone()).or_insert_with(|| {
                    let changes = others(&words).into_iter().filter_map(|other| changed(set, key, other));
                    changes.map(|(set, time)| counted(&Rulebook::new(&set, &time, table.seats).sentences())).collect()
                });
                let this = (written(sentence), sentence.text().to_owned());
                let now = counted(&plain)[&this];
                if pages.iter().all(|page| page.get(&this).copied().unwrap_or(0) >= now) {
                    let (file, line, _) = this.0;
                    wrong.push(format!("{file}:{line}: {key} of {}: {:?}", table.name, this.1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} sentences do not follow from:\n{}", wrong.len(), wrong.join("\n"));
}

/// How often each sentence is on a page: several effects may have the same.
type Counts = BTreeMap<(Written, String), usize>;

fn counted(page: &[Sentence]) -> Counts {
    let mut counts = BTreeMap::new();
    for sentence in page {
        *counts.entry((written(sentence), sentence.text().to_owned())).or_insert(0) += 1;
    }
    counts
}

/// The rules and times with another value at `key`, if they can then be read.
fn changed(set: &RuleSet, key: &str, value: Value) -> Option<(RuleSet, TimeControl)> {
    let time = TimeControl::default();
    if let Some(name) = key.strip_prefix("time.") {
        let mut json = serde_json::to_value(time).expect("json");
        *at(&mut json, name)? = value;
        return Some((set.clone(), serde_json::from_value(json).ok()?));
    }
    let mut json = serde_json::to_value(set).expect("json");
    let (front, last) = key.rsplit_once('.').map_or((None, key), |(front, last)| (Some(front), last));
    let parent = match front {
        Some(front) => at(&mut json, front)?,
        None => &mut json,
    };
    let parent = parent.as_object_mut()?;
    match value {
        Value::Null => drop(parent.remove(last)),
        value => drop(parent.insert(last.to_owned(), value)),
    }
    Some((serde_json::from_value(json).ok()?, time))
}

/// The clauses of each built-in set: its letter and their number.
const CLAUSES: [(&str, &str, usize); 5] =
    [("basic", "B", 49), ("skat", "K", 68), ("deluxe", "D", 84), ("snap", "N", 132), ("spam", "P", 109)];

#[test]
fn every_clause_of_a_built_in_set_is_stated_on_its_pages() {
    let tables = tables();
    for (name, letter, count) in CLAUSES {
        let mut pages = String::new();
        for table in tables.iter().filter(|table| table.loaded.set.name == name) {
            let page = Rulebook::of_file(&table.loaded, table.seats).text(100);
            // Options that are only mentioned state nothing.
            let options = page.find("TABLE OPTIONS").expect("options");
            let first = page[options..].find("\n  - ").expect("an option");
            pages += &page[..options + first];
        }
        let ids = (1..=count).map(|number| format!("{letter}-{number:02}"));
        let missing: Vec<String> = ids.filter(|id| !pages.contains(id.as_str())).collect();
        assert!(missing.is_empty(), "{name}: no sentence states {}", missing.join(", "));
    }
}
