//! Every clause of the rules is cited by a scenario or by a test, and the table that shows where is up to date. It
//! reads citations; whether a test really tests its clause no test can tell.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The clauses that must be covered: their letter, their number, what they are about.
const CLAUSES: [(&str, usize, &str); 6] = [
    ("G", 26, "common"),
    ("B", 49, "basic"),
    ("K", 68, "skat"),
    ("D", 84, "deluxe"),
    ("N", 132, "snap"),
    ("P", 109, "spam"),
];

/// Where tests are, beside the scenarios.
const TESTS: [&str; 11] = [
    "protocol/src",
    "protocol/tests",
    "arena/engine/src",
    "arena/engine/tests",
    "arena/model-check",
    "arena/rulebook/tests",
    "arena/lab/src",
    "arena/referee/src",
    "arena/referee/tests",
    "arena/src",
    "tests/e2e",
];

const TABLE: &str = "tests/scenarios/COVERAGE.md";

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

/// Every file below `folder` with this extension, as a path from the workspace.
fn files(folder: &str, extension: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![workspace().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                let path = path.strip_prefix(workspace()).expect("a path of the workspace");
                found.insert(path.display().to_string());
            }
        }
    }
    found
}

fn read(path: &str) -> String {
    std::fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The ids in `text`, such as `K-42`.
fn cited(text: &str) -> BTreeSet<String> {
    let bytes = text.as_bytes();
    let mut ids = BTreeSet::new();
    for at in text.match_indices('-').map(|(at, _)| at) {
        let letter = at.checked_sub(1).map(|at| bytes[at]).filter(u8::is_ascii_uppercase);
        let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let stands_alone = at < 2 || !(bytes[at - 2].is_ascii_alphanumeric() || bytes[at - 2] == b'-');
        if let (Some(letter), 2..=3, true) = (letter, digits, stands_alone) {
            ids.insert(format!("{}-{}", letter as char, &text[at + 1..=at + digits]));
        }
    }
    ids
}

/// The part of a source file that is a test: all of it below a `tests`, `selftest` or `model-check` folder, else from its `mod tests` on.
fn test_part<'a>(path: &str, source: &'a str) -> &'a str {
    if path.contains("/tests")
        || path.starts_with("tests/")
        || path.contains("/selftest/")
        || path.contains("/model-check/")
    {
        return source;
    }
    source.find("#[cfg(test)]\nmod tests {").map_or("", |start| &source[start..])
}

/// Clause to the files that cite it: those of its scenarios, then tests.
fn citations() -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let mut citations: BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> = BTreeMap::new();
    for path in files("tests/scenarios", "json") {
        let scenario: serde_json::Value =
            serde_json::from_str(&read(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let clauses = scenario["clauses"].as_array().unwrap_or_else(|| panic!("{path}: no clauses"));
        let short = path.trim_start_matches("tests/scenarios/").trim_end_matches(".json").to_owned();
        for clause in clauses {
            citations.entry(clause.as_str().expect("an id").to_owned()).or_default().0.insert(short.clone());
        }
    }
    for path in TESTS.iter().flat_map(|folder| files(folder, "rs")) {
        for clause in cited(test_part(&path, &read(&path))) {
            citations.entry(clause).or_default().1.insert(path.clone());
        }
    }
    citations
}

/// At most this many names in a cell of the table.
const SHOWN: usize = 3;

fn cell(names: &BTreeSet<String>) -> String {
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join("<br>"),
        more => format!("{}<br>and {more} more", shown.join("<br>")),
    }
}

fn table() -> (String, Vec<String>) {
    let citations = citations();
    let (mut table, mut missing) = (String::new(), Vec::new());
    table.push_str("# Which scenarios and tests cite which clause\n\nMade by `MAUMAU_UPDATE=1 cargo test -p maumau-arena --test clause_coverage`; the same test fails when it is out of date.\n");
    for (letter, count, about) in CLAUSES {
        write!(table, "\n## {letter}: {about}\n\n| clause | scenarios | tests |\n|---|---|---|\n").expect("memory");
        for number in 1..=count {
            let id = format!("{letter}-{number:02}");
            match citations.get(&id) {
                Some((scenarios, tests)) => {
                    writeln!(table, "| {id} | {} | {} |", cell(scenarios), cell(tests)).expect("memory")
                }
                None => missing.push(id),
            }
        }
    }
    (table, missing)
}

#[test]
fn every_clause_is_cited_and_the_table_is_up_to_date() {
    let (table, missing) = table();
    assert!(missing.is_empty(), "no scenario and no test cites {}", missing.join(", "));
    if std::env::var_os("MAUMAU_UPDATE").is_some() {
        std::fs::write(workspace().join(TABLE), &table).expect("the table can be written");
    }
    let committed = std::fs::read_to_string(workspace().join(TABLE)).unwrap_or_default();
    assert!(
        committed == table,
        "{TABLE} is out of date: MAUMAU_UPDATE=1 cargo test -p maumau-arena --test clause_coverage"
    );
}

#[test]
fn no_scenario_cites_a_clause_that_does_not_exist() {
    for (id, (scenarios, tests)) in citations() {
        let (letter, number) = id.split_once('-').expect("letter and number");
        let number: usize = number.parse().expect("a number");
        for (known, count, _) in CLAUSES.iter().filter(|(known, ..)| *known == letter) {
            assert!((1..=*count).contains(&number), "{known}-{number} in {scenarios:?} {tests:?}");
        }
    }
}

#[test]
fn ids_are_read_where_they_stand_alone() {
    let ids = cited("(B-04, K-39); X-K-01, SPEC-02 G-1 UTF-8 P-109/N-132 FG-22");
    assert_eq!(ids.into_iter().collect::<Vec<_>>(), ["B-04", "K-39", "N-132", "P-109"]);
}

#[test]
fn every_detail_for_a_second_engine_has_its_test() {
    let spec = read("protocol/SPEC.md");
    let details = spec.split("\n## 12. ").nth(1).expect("the section");
    let tests: String = TESTS.iter().flat_map(|folder| files(folder, "rs")).map(|path| read(&path)).collect();
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
