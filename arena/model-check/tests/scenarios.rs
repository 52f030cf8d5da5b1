//! Every committed scenario is a test of its own, named by its rule set and file: `cargo test -p maumau-model-check --test
//! scenarios snap/N-121`. It only runs them; what is expected stands in the files.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "the engine opens no file; its test does")]

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use maumau_engine::rules::{BuiltIn, built_in, family};
use maumau_model_check::scenario;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios");
    let mut trials = Vec::new();
    for set in built_in().iter().chain(family()) {
        let files = std::fs::read_dir(folder.join(set.name)).expect("a folder of scenarios for every set");
        for file in files {
            let path = file.expect("a readable folder").path();
            let name = format!("{}/{}", set.name, path.file_stem().expect("a name").to_string_lossy());
            trials.push(Trial::test(name, move || check(&path)));
        }
    }
    assert!(trials.len() > 700, "only {} scenarios were found", trials.len());
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let report = scenario::run(&text, &BuiltIn)?;
    let failures: Vec<String> = report.failures.iter().map(ToString::to_string).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}
