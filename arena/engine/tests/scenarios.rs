//! Every committed scenario whose rule set is built in must pass.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "the engine opens no file; its test does")]

use std::path::{Path, PathBuf};

use maumau_engine::rules::{BuiltIn, built_in};
use maumau_engine::scenario;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios")
}

#[test]
fn all_committed_scenarios_pass() {
    let (mut passed, mut failures) = (0, Vec::new());
    for set in built_in() {
        let files = std::fs::read_dir(folder().join(set.name)).expect("a folder of scenarios for every built-in set");
        for file in files {
            let path = file.expect("a readable folder").path();
            let text = std::fs::read_to_string(&path).expect("a readable scenario");
            match scenario::run(&text, &BuiltIn) {
                Ok(report) if report.failures.is_empty() => passed += 1,
                Ok(report) => {
                    failures.extend(report.failures.iter().map(|failure| format!("{}: {failure}", path.display())));
                }
                Err(error) => failures.push(format!("{}: {error}", path.display())),
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(passed > 0, "no scenario was found");
    println!("{passed} scenarios passed");
}

#[test]
fn a_setup_that_cannot_stand_is_an_error_with_its_place() {
    let error = |ruleset: &str, top: &str, pending: &str| {
        let text = format!(
            r#"{{"name": "n", "ruleset": "{ruleset}", "players": 2, "steps": [],
                "setup": {{"dealer": 1, "hands": [["9C", "9D"], ["TC", "TD"]], "pile": ["{top}"], "draw": [],
                           "direction": "cw", "turn": 0, "pending": {pending}}}}}"#
        );
        scenario::run(&text, &BuiltIn).expect_err("a setup that cannot stand").0
    };
    assert_eq!(error("basic", "AD", r#"{"again": 1}"#), "setup: pending: again: seat 0 is to move");
    assert_eq!(error("basic", "AD", r#"{"draw": 2}"#), "setup: pending: draw: by these rules nothing is owed so");
    assert_eq!(
        error("basic", "7D", r#"{"draw": 2, "draw_kind": "9"}"#),
        "setup: pending: draw: by these rules nothing is owed so"
    );
    assert_eq!(
        error("basic", "8D", r#"{"skip_victim": 1}"#),
        "setup: pending: skip_victim: by these rules nobody is threatened"
    );
    assert_eq!(error("snap", "8D", r#"{"skip": 1}"#), "setup: pending: skip: by these rules nobody faces a suspension");
    assert_eq!(
        error("snap", "8D", r#"{"request": {"rank": "9", "by": 1}}"#),
        "setup: pending: request: by these rules nobody makes one of this kind"
    );
}
