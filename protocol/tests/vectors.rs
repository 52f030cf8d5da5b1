//! The vectors of SPEC §8.11 that this crate can judge: seeds and commitments; and that the independent program in
//! `vectors.py` still makes the same. The engine and the referee check the rest.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "tests read the files that they check"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use maumau_protocol::Seed;
use maumau_protocol::seed::commitment;
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn block() -> String {
    let spec = std::fs::read_to_string(folder().join("SPEC.md")).expect("SPEC.md");
    let (_, rest) = spec.split_once("<!-- vectors -->\n```json\n").expect("the vectors begin");
    rest.split_once("\n```\n").expect("the vectors end").0.to_owned()
}

fn vectors() -> Value {
    serde_json::from_str(&block()).expect("the vectors are JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn items(value: &Value) -> &[Value] {
    let items = value.as_array().expect("a list");
    assert!(!items.is_empty(), "there is nothing to compare");
    items
}

#[test]
fn numbers_stand_for_the_seeds_of_spec() {
    for (number, seed) in vectors()["seed_of_number"].as_object().expect("an object") {
        assert_eq!(number.parse::<Seed>().expect("a number").to_string(), text(seed), "{number}");
    }
}

#[test]
fn commitments_are_those_of_spec() {
    for vector in items(&vectors()["commitment"]) {
        let seed = Seed::from_number(vector["seed"].as_u64().expect("a number"));
        assert_eq!(commitment(text(&vector["game"]), &seed), text(&vector["is"]));
    }
}

#[test]
fn an_independent_program_makes_the_same_vectors() {
    let output = match Command::new("python3").arg(folder().join("tests/vectors.py")).output() {
        Ok(output) => output,
        Err(error) => return eprintln!("not checked: python3 cannot be run: {error}"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), block());
}
