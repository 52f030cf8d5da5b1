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
