//! Every path that a document names exists: links, and words in backticks that look like a path of this repository. It
//! opens documents and looks for files; whether a sentence about them is true no test can tell.

use std::path::{Path, PathBuf};

const PAGES: [&str; 23] = [
    ".github/CONTRIBUTING.md",
    ".github/RELEASING.md",
    ".github/SECURITY.md",
    "README.md",
    "agents/DEBUGGING.md",
    "agents/LADDER.md",
    "agents/PROTOCOL.md",
    "agents/README.md",
    "agents/STRONG.md",
    "agents/sdk/README.md",
    "arena/ARCHITECTURE.md",
    "arena/docs/cluster.md",
    "arena/docs/league-files.md",
    "arena/docs/logs.md",
    "arena/docs/performance.md",
    "arena/docs/sandbox.md",
    "arena/engine/README.md",
    "arena/engine/rules/README.md",
    "arena/observer/README.md",
    "arena/places/README.md",
    "arena/rulebook/README.md",
    "protocol/README.md",
    "protocol/SPEC.md",
];

/// Where a path in backticks may begin.
const ROOTS: [&str; 7] = ["", "arena", "arena/src", "arena/engine/src", "arena/referee/src", "protocol/src", "tests"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

/// The targets of links, without what lies outside of the repository.
fn links(page: &str) -> Vec<&str> {
    let targets = page.split("](").skip(1).filter_map(|after| after.split(')').next());
    let targets = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    targets.filter_map(|target| target.split('#').next()).collect()
}

/// Words in backticks that name a source, a document or a folder of the repository, and the sources that a picture names.
fn quoted(page: &str) -> Vec<&str> {
    let outside = page.split("```").step_by(2).flat_map(|text| text.split('`').skip(1).step_by(2));
    let pictures = page.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("text\n"));
    let in_pictures = pictures.flat_map(str::split_whitespace).filter(|word| word.ends_with(".rs"));
    let words = outside.chain(in_pictures);
    let is_path = |word: &str| {
        let plain = word.chars().all(|character| character.is_ascii_alphanumeric() || "/._-".contains(character));
        let known = [".rs", ".md", ".toml"].iter().any(|ending| word.ends_with(ending));
        let folder = ["tests/", "arena/", "agents/", "protocol/"].iter().any(|folder| word.starts_with(folder));
        plain && word.contains('/') && !word.starts_with('/') && (known || folder)
    };
    words.filter(|word| is_path(word)).collect()
}

#[test]
fn every_path_in_a_document_exists() {
    let (mut missing, mut found) = (Vec::new(), 0);
    for name in PAGES {
        let page = std::fs::read_to_string(workspace().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let folder = workspace().join(name).parent().expect("a folder").to_owned();
        for link in links(&page) {
            found += 1;
            if !folder.join(link).exists() {
                missing.push(format!("{name}: ({link})"));
            }
        }
        for word in quoted(&page) {
            found += 1;
            let there = ROOTS.iter().map(|root| workspace().join(root)).chain([folder.clone()]);
            if !there.map(|root| root.join(word)).any(|path| path.exists()) {
                missing.push(format!("{name}: `{word}`"));
            }
        }
    }
    assert!(missing.is_empty(), "{} of {found} paths do not exist:\n{}", missing.len(), missing.join("\n"));
    assert!(found > 80, "only {found} paths were found");
}
