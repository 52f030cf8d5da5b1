//! The law (`arena/engine/rules/LAW.md`) against all that cites it, in both directions: an id that stands anywhere in the
//! repository is a clause, and every clause is stated by a rule file or by code, and pinned by a scenario or by a test.
//! These tests read citations; whether a test really tests its clause they cannot say.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{texts, workspace};
use maumau_engine::rules::law;

/// Inputs of the fuzzer, which hold changed copies of rule files.
const NOT_OURS: &str = "tests/fuzz/corpus/";

/// What states a clause: the rule files, and the code of the crates that play and judge.
fn states(path: &str) -> bool {
    let is_code =
        ["protocol/src/", "arena/engine/src/", "arena/referee/src/"].iter().any(|room| path.starts_with(room));
    let is_rules = path.starts_with("arena/engine/rules/") && path.ends_with(".toml");
    // Sentences are held to the clauses, they are not the rules.
    is_rules || is_code && path.ends_with(".rs") && !path.contains("/explain/") && !path.ends_with("/law.rs")
}

/// Whether all of a source file is a test.
fn is_test(path: &str) -> bool {
    let below = ["/tests/", "/selftest/", "/model-check/"].iter().any(|room| path.contains(room));
    path.ends_with(".rs")
        && (below || path.starts_with("tests/") || path.ends_with("/tests.rs"))
        && !path.starts_with("tests/workspace/")
}

/// A source file as its code and its tests.
fn code_and_tests<'a>(path: &str, source: &'a str) -> (&'a str, &'a str) {
    match source.find("#[cfg(test)]\nmod tests {") {
        _ if is_test(path) => ("", source),
        Some(start) if path.ends_with(".rs") => source.split_at(start),
        _ => (source, ""),
    }
}

fn ids(text: &str) -> impl Iterator<Item = &str> {
    law::cited(text).map(|(_, id)| id)
}

#[test]
fn every_id_that_is_cited_is_a_clause_of_the_law() {
    let (mut count, mut unknown) = (0, BTreeMap::<String, BTreeSet<String>>::new());
    for (path, text) in texts().iter().filter(|(path, _)| !path.starts_with(NOT_OURS)) {
        for id in ids(text) {
            count += 1;
            if law::clause(id).is_none() {
                unknown.entry(path.clone()).or_default().insert(id.to_owned());
            }
        }
    }
    assert!(unknown.is_empty(), "rules/LAW.md has no such clauses: {unknown:#?}");
    assert!(count > 2000, "only {count} citations were found");
}

#[test]
fn every_clause_is_stated_by_a_rule_file_or_by_code_and_pinned_by_a_scenario_or_a_test() {
    let (mut stated, mut pinned) = (BTreeSet::new(), BTreeSet::new());
    let texts = texts();
    for (path, text) in &texts {
        let (code, tests) = code_and_tests(path, text);
        if states(path) {
            stated.extend(ids(code));
        }
        pinned.extend(ids(tests));
        if path.starts_with("tests/scenarios/") && path.ends_with(".json") {
            let scenario: serde_json::Value =
                serde_json::from_str(text).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(scenario["clauses"].is_array(), "{path}: no clauses");
            pinned.extend(ids(text));
        }
    }
    let without = |found: &BTreeSet<&str>| {
        let missing = law::clauses().iter().map(|clause| clause.id).filter(|id| !found.contains(id));
        missing.collect::<Vec<_>>().join(" ")
    };
    let (unstated, unpinned) = (without(&stated), without(&pinned));
    assert!(unstated.is_empty(), "cite these clauses in a rule file, or where the code follows them: {unstated}");
    assert!(unpinned.is_empty(), "no scenario (tests/scenarios) and no test cites these clauses: {unpinned}");
}

/// An option in a rule file: `(file, name, the clause that it belongs to)`.
fn options() -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for (path, text) in texts() {
        if !(path.starts_with("arena/engine/rules/") && path.ends_with(".toml")) {
            continue;
        }
        let file: toml::Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let options = file.get("options").and_then(toml::Value::as_table).into_iter().flatten();
        for (name, option) in options {
            if let Some(clause) = option.get("clause").and_then(toml::Value::as_str) {
                found.push((path.clone(), name.clone(), clause.to_owned()));
            }
        }
    }
    found
}

#[test]
fn every_option_of_a_clause_is_one_of_a_rule_file_and_the_other_way_round() {
    let options = options();
    let name_of = |written: &'static str| written.split('=').next().expect("a name");
    let mut wrong = Vec::new();
    for (path, name, clause) in &options {
        let named = law::clause(clause).is_some_and(|own| own.options().any(|written| name_of(written) == name));
        if !named {
            wrong.push(format!("{path}: options.{name} belongs to {clause}, which does not name it"));
        }
    }
    for clause in law::clauses() {
        for written in clause.options().filter(|written| !options.iter().any(|(_, name, _)| name == name_of(written))) {
            wrong.push(format!("{}: no rule file has the option {written}", clause.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(options.len() > 50, "only {} options were found", options.len());
}

#[test]
fn every_detail_for_a_second_engine_has_its_test() {
    let texts = texts();
    let spec =
        texts.iter().find(|(path, _)| path == "protocol/SPEC.md").map(|(_, text)| text).expect("the specification");
    let details = spec.split("\n## 12. ").nth(1).expect("the section");
    let tests: String = texts.iter().map(|(path, text)| code_and_tests(path, text).1).collect();
    let (mut count, mut untested) = (0, Vec::new());
    for detail in details.split("\n**12.").skip(1) {
        let (number, text) = detail.split_once("**").expect("a number");
        let scenario = text.split('`').find(|word| word.contains("/G-") || word.contains("/D-"));
        let is_there = scenario.is_some_and(|name| workspace().join(format!("tests/scenarios/{name}.json")).is_file());
        let cited = [":", ",", " "].iter().any(|end| tests.contains(&format!("SPEC 12.{number}{end}")));
        count += 1;
        if !is_there && !cited {
            untested.push(format!("12.{number}"));
        }
    }
    assert!(count > 20 && untested.is_empty(), "of {count} details without a test: {untested:?}");
}
