//! Every source file begins with a `//!` header of at least one full sentence: what it owns, and what it does not know.
//! Whether the sentence is a good one no test can decide. It only reads sources.

use crate::tree::{files, read};

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
    let files = files("rs");
    let headers = files.iter().map(|path| (path, header(&read(path))));
    let bare: Vec<String> = headers
        .filter(|(_, header)| !has_sentence(header))
        .map(|(path, header)| format!("{path}: {header:?}"))
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
