//! The vectors of SPEC §8.11 are those that the independent program in `vectors.py` makes. The engine and the referee
//! check that they make the same. It starts Python and changes no file.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "tests read the files that they check"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn block() -> String {
    let spec = std::fs::read_to_string(folder().join("SPEC.md")).expect("SPEC.md");
    let (_, rest) = spec.split_once("<!-- vectors -->\n```json\n").expect("the vectors begin");
    rest.split_once("\n```\n").expect("the vectors end").0.to_owned()
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
