//! Tests that everything that the workflows and test scripts name exists and agrees with the manifests: scripts,
//! crates, the minimum Rust, the crates that are packaged. It only reads words; how a workflow is written is left to
//! linters (CONTRIBUTING.md).

use std::collections::BTreeSet;

use crate::crate_arrows::PURE;
use crate::tree::{Member, members, read, workspace};

const WORKFLOWS: [&str; 3] =
    [".github/workflows/ci.yml", ".github/workflows/release.yml", ".github/workflows/publish.yml"];
const SCRIPTS: [&str; 4] = [".ci/run", ".github/build", "tests/run", "tests/other-systems/check.sh"];

/// The value of a key that stands at the start of a line of a manifest.
fn value(manifest: &str, key: &str) -> Option<String> {
    let line = manifest.lines().find(|line| line.split(" =").next() == Some(key))?;
    Some(line.split_once('=')?.1.trim().trim_matches('"').to_owned())
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
    let names: BTreeSet<String> = members().into_iter().map(|member| member.name).collect();
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
fn crates_that_others_can_use_have_what_a_registry_shows() {
    let root = read("Cargo.toml");
    let version = value(&root, "version").expect("a version");
    for member in members().iter().filter(|member| member.is_public) {
        let row = format!("{} = {{ path = \"{}\", version = \"{version}\" }}", member.name, member.folder);
        assert!(root.contains(&row), "Cargo.toml has no row {row}");
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(workspace().join(&member.folder).join(file).is_file(), "{}/{file}", member.folder);
        }
    }
}

#[test]
#[cfg(unix)]
fn the_script_that_names_crates_knows_them_all() {
    let named = |which: &str| {
        let output = std::process::Command::new(workspace().join("tests/crates")).arg(which).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        crates(&String::from_utf8(output.stdout).expect("text"))
    };
    let members = members();
    let chosen = |is_chosen: &dyn Fn(&Member) -> bool| -> BTreeSet<String> {
        members.iter().filter(|member| is_chosen(member)).map(|member| member.name.clone()).collect()
    };
    assert_eq!(named("public"), chosen(&|member| member.is_public));
    assert_eq!(named("pure"), chosen(&|member| PURE.iter().any(|(pure, _)| *pure == member.name)));
}
