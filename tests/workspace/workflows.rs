//! Tests that everything that the workflows and test scripts name exists and agrees with the manifests: scripts,
//! crates, the minimum Rust, the crates that are packaged. It only reads words; how a workflow is written is left to
//! linters (CONTRIBUTING.md).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const WORKFLOWS: [&str; 2] = [".github/workflows/ci.yml", ".github/workflows/release.yml"];
const SCRIPTS: [&str; 2] = [".ci/run", "tests/run"];

/// The crates of the workspace, by their folders.
const FOLDERS: [&str; 13] = [
    "agents/rust",
    "agents/sdk",
    "arena",
    "arena/engine",
    "arena/lab",
    "arena/model-check",
    "arena/observer",
    "arena/places",
    "arena/referee",
    "arena/rulebook",
    "arena/sandbox",
    "arena/tournament",
    "protocol",
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The value of a key that stands at the start of a line of a manifest.
fn value(manifest: &str, key: &str) -> Option<String> {
    let line = manifest.lines().find(|line| line.split(" =").next() == Some(key))?;
    Some(line.split_once('=')?.1.trim().trim_matches('"').to_owned())
}

fn manifests() -> Vec<String> {
    FOLDERS.iter().map(|folder| read(&format!("{folder}/Cargo.toml"))).collect()
}

/// Words of the commands of a file, without its comments.
fn words(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(|line| line.split([' ', '"', '\'', '(', ')', ';'])).filter(|word| !word.is_empty()).collect()
}

/// The crates that words name after `-p`.
fn crates(text: &str) -> BTreeSet<String> {
    let words = words(text);
    words.windows(2).filter(|pair| pair[0] == "-p").map(|pair| pair[1].to_owned()).collect()
}

#[test]
fn every_script_that_is_called_exists_and_can_be_run() {
    let mut found = 0;
    for file in WORKFLOWS.iter().chain(&SCRIPTS) {
        let text = read(file);
        let folders = [".ci/", ".github/", "./.github/", "tests/", "agents/"];
        for word in words(&text).into_iter().filter(|word| folders.iter().any(|folder| word.starts_with(folder))) {
            let path = workspace().join(word);
            assert!(path.exists(), "{file} names {word}");
            #[cfg(unix)]
            if path.is_file() && path.extension().is_none() {
                use std::os::unix::fs::PermissionsExt;
                let mode = path.metadata().expect("a file").permissions().mode();
                assert!(mode & 0o111 != 0, "{word} cannot be run");
            }
            found += 1;
        }
    }
    assert!(found > 20, "{found} paths were found");
}

#[test]
fn every_crate_that_is_named_exists() {
    let names: BTreeSet<String> = manifests().iter().filter_map(|manifest| value(manifest, "name")).collect();
    assert_eq!(names.len(), FOLDERS.len());
    for file in WORKFLOWS.iter().chain(&SCRIPTS) {
        let unknown: Vec<String> = crates(&read(file)).difference(&names).cloned().collect();
        assert!(unknown.is_empty(), "{file} names {unknown:?}");
    }
}

#[test]
fn the_workflow_checks_the_minimum_rust_of_the_manifest() {
    let minimum = value(&read("Cargo.toml"), "rust-version").expect("a minimum");
    let workflow = read(WORKFLOWS[0]);
    let words = words(&workflow);
    let named = words.windows(2).filter_map(|pair| match pair {
        ["install", version] => Some(*version),
        ["cargo", version] => version.strip_prefix('+'),
        _ => None,
    });
    let named: Vec<&str> = named.filter(|word| word.starts_with(|first: char| first.is_ascii_digit())).collect();
    assert_eq!(named, [&minimum, &minimum], "the toolchain that is installed, and the one that checks");
    assert!(read("README.md").contains(&format!("Rust {minimum}")), "README names another minimum than {minimum}");
}

#[test]
fn the_crates_that_others_can_use_are_the_ones_that_are_packaged() {
    let script = read("tests/run");
    let line = script.lines().find(|line| line.starts_with("packages() ")).expect("a line that packages");
    let root = read("Cargo.toml");
    let version = value(&root, "version").expect("a version");
    for (folder, manifest) in FOLDERS.iter().zip(manifests()) {
        let name = value(&manifest, "name").expect("a name");
        let is_for_others = value(&manifest, "publish").is_none();
        assert_eq!(crates(line).contains(&name), is_for_others, "{name}: `publish` and tests/run do not agree");
        if is_for_others {
            let row = format!("{name} = {{ path = \"{folder}\", version = \"{version}\" }}");
            assert!(root.contains(&row), "Cargo.toml has no row {row}");
            for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
                assert!(workspace().join(folder).join(file).is_file(), "{folder}/{file}");
            }
        }
    }
}
