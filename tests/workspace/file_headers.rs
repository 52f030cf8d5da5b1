//! Every source file begins with a `//!` header of at least one full sentence: what it owns, and what it does not know.
//! Whether the sentence is a good one no test can tell. It only reads sources.

use std::path::{Path, PathBuf};

const FOLDERS: [&str; 15] = [
    "agents/rust/src",
    "agents/sdk/src",
    "arena/engine/src",
    "arena/environment/src",
    "arena/lab/src",
    "arena/model-check/src",
    "arena/observer/src",
    "arena/places/src",
    "arena/referee/src",
    "arena/rulebook/src",
    "arena/sandbox/src",
    "arena/src",
    "arena/tournament/src",
    "arena/web/src",
    "protocol/src",
];
const TESTS: [&str; 10] = [
    "arena/engine/tests",
    "arena/environment/tests",
    "arena/model-check/tests",
    "arena/referee/tests",
    "arena/rulebook/tests",
    "arena/tournament/tests",
    "protocol/tests",
    "tests/e2e",
    "tests/fuzz",
    "tests/workspace",
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

fn sources(folder: PathBuf, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                sources(path, found);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The text of the header, as one line.
fn header(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// Whether a text begins with a sentence: some words, and an end.
fn has_sentence(text: &str) -> bool {
    let begins = text.starts_with(|first: char| first.is_uppercase() || ['`', '[', '"'].contains(&first));
    let sentence = text.split_inclusive(['.', '?']).next().filter(|sentence| sentence.ends_with(['.', '?']));
    begins && sentence.is_some_and(|sentence| sentence.split_whitespace().count() >= 3)
}

#[test]
fn every_source_file_begins_with_a_sentence_about_it() {
    let mut files = Vec::new();
    FOLDERS.iter().chain(&TESTS).for_each(|folder| sources(workspace().join(folder), &mut files));
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("a source file");
    let bare: Vec<String> = files
        .iter()
        .filter(|path| !has_sentence(&header(&read(path))))
        .map(|path| format!("{}: {:?}", path.strip_prefix(workspace()).expect("inside").display(), header(&read(path))))
        .collect();
    assert!(files.len() > 300, "{} files", files.len());
    assert!(bare.is_empty(), "{} files do not say what they are:\n{}", bare.len(), bare.join("\n"));
}

#[test]
fn a_word_or_two_are_no_sentence() {
    for good in ["The order of play.", "`maumau play`: one match, shown.", "What a seat sees. Nothing else."] {
        assert!(has_sentence(good), "{good}");
    }
    for bad in ["", "Tests.", "The tests", "the order of play.", "Tests of it"] {
        assert!(!has_sentence(bad), "{bad}");
    }
}
