//! The arrows between the crates (ARCHITECTURE.md#the-map), from `cargo metadata`. Arrows within a crate are in `module_arrows`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::tree::{METADATA, files, list, members, read, text};

/// Each crate of the workspace and the crates of the workspace that it may use. Nothing points at the arena but its
/// lab.
const ARROWS: [(&str, &[&str]); 22] = [
    ("maumau-protocol", &[]),
    ("maumau-places", &["maumau-protocol"]),
    ("maumau-engine", &["maumau-places", "maumau-protocol"]),
    ("maumau-rulebook", &["maumau-engine", "maumau-places", "maumau-protocol"]),
    ("maumau-observer", &["maumau-engine", "maumau-protocol"]),
    ("maumau-model-check", &["maumau-engine", "maumau-observer", "maumau-protocol"]),
    ("maumau-referee", &["maumau-engine", "maumau-protocol"]),
    ("maumau-environment", &["maumau-engine", "maumau-protocol", "maumau-referee"]),
    // It judges by the evaluation of a bot.
    ("maumau-analysis", &["maumau-agents", "maumau-engine", "maumau-observer", "maumau-protocol", "maumau-referee"]),
    ("maumau-tournament", &["maumau-protocol"]),
    ("maumau-sandbox", &["maumau-protocol"]),
    ("maumau-club", &[]),
    ("maumau-cluster", &[]),
    ("maumau-web", &["maumau-engine", "maumau-protocol", "maumau-referee", "maumau-tournament"]),
    ("maumau-sdk", &["maumau-protocol"]),
    // A bot that searches may also use the engine and an observer, and a network the numbers of positions.
    ("maumau-agents", &["maumau-sdk", "maumau-protocol", "maumau-engine", "maumau-observer", "maumau-environment"]),
    // It explains the rules in the rulebook's words, and a bot plays where the model does not.
    ("maumau-llm", &["maumau-agents", "maumau-engine", "maumau-protocol", "maumau-rulebook", "maumau-sdk"]),
    ("maumau-terminal", &["maumau-agents", "maumau-engine", "maumau-protocol", "maumau-referee"]),
    (
        "maumau-run",
        &["maumau-engine", "maumau-places", "maumau-protocol", "maumau-referee", "maumau-sandbox", "maumau-tournament"],
    ),
    (
        "maumau-report",
        &[
            "maumau-analysis",
            "maumau-engine",
            "maumau-protocol",
            "maumau-referee",
            "maumau-run",
            "maumau-tournament",
            "maumau-web",
        ],
    ),
    (
        "maumau-arena",
        &[
            "maumau-agents",
            "maumau-analysis",
            "maumau-club",
            "maumau-cluster",
            "maumau-engine",
            "maumau-llm",
            "maumau-model-check",
            "maumau-places",
            "maumau-protocol",
            "maumau-referee",
            "maumau-report",
            "maumau-rulebook",
            "maumau-run",
            "maumau-sandbox",
            "maumau-terminal",
            "maumau-tournament",
            "maumau-web",
        ],
    ),
    (
        "maumau-lab",
        &[
            "maumau-arena",
            "maumau-club",
            "maumau-cluster",
            "maumau-engine",
            "maumau-model-check",
            "maumau-protocol",
            "maumau-referee",
            "maumau-run",
            "maumau-tournament",
        ],
    ),
];

/// The crates without effects, and all that each uses from outside the workspace.
pub(crate) const PURE: [(&str, &[&str]); 10] = [
    ("maumau-protocol", &["itoa", "serde", "serde_json", "serde_path_to_error", "thiserror"]),
    ("maumau-places", &["serde", "serde_json", "strsim", "toml"]),
    ("maumau-club", &["serde", "thiserror", "toml"]),
    ("maumau-engine", &["fearless_simd", "hmac", "serde", "serde_json", "sha2", "thiserror"]),
    ("maumau-rulebook", &[]),
    ("maumau-observer", &[]),
    ("maumau-model-check", &["serde", "serde_json"]),
    ("maumau-referee", &["chacha20", "crc32fast", "itoa", "memchr", "serde", "serde_json", "sha2", "thiserror"]),
    ("maumau-environment", &["thiserror"]),
    ("maumau-tournament", &["libm", "serde", "thiserror"]),
];

/// Crates that act: a crate that depends on one of them can reach a clock, files, processes, the network or
/// entropy.
const ACTING: [&str; 14] = [
    "async-std",
    "crossbeam",
    "fastrand",
    "getrandom",
    "mio",
    "nix",
    "rand",
    "rusqlite",
    "rustix",
    "smol",
    "socket2",
    "tempfile",
    "tokio",
    "zstd",
];

/// The declared dependencies of each crate of the workspace, those of its tests and examples excepted.
fn declared() -> BTreeMap<String, BTreeSet<String>> {
    let members = list(&METADATA["workspace_members"]);
    let packages = list(&METADATA["packages"]).iter().filter(|package| members.contains(&package["id"]));
    packages
        .map(|package| {
            let dependencies = list(&package["dependencies"]).iter().filter(|dependency| dependency["kind"] != "dev");
            (
                text(&package["name"]).to_owned(),
                dependencies.map(|dependency| text(&dependency["name"]).to_owned()).collect(),
            )
        })
        .collect()
}

#[test]
fn crates_of_the_workspace_use_one_another_only_along_the_arrows() {
    let declared = declared();
    let known: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    let found: BTreeSet<&str> = declared.keys().map(String::as_str).collect();
    assert_eq!(found, known, "a crate without a row in ARROWS, or a row without a crate");
    for (name, allowed) in ARROWS {
        for dependency in declared[name].iter().filter(|dependency| known.contains(dependency.as_str())) {
            assert!(
                allowed.contains(&dependency.as_str()),
                "{name} must not use {dependency} (ARCHITECTURE.md#the-map)"
            );
        }
    }
}

#[test]
fn pure_crates_use_nothing_that_acts() {
    let declared = declared();
    for (name, allowed) in PURE {
        let outside = declared[name].iter().map(String::as_str).filter(|dependency| !dependency.starts_with("maumau-"));
        let outside: Vec<&str> = outside.collect();
        assert_eq!(
            outside, allowed,
            "{name} uses other crates than its row in PURE says (ARCHITECTURE.md#pure-crates)"
        );
    }
    let names: BTreeMap<&str, &str> =
        list(&METADATA["packages"]).iter().map(|package| (text(&package["id"]), text(&package["name"]))).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&METADATA["resolve"]["nodes"]).iter().map(|node| (text(&node["id"]), node)).collect();
    for (id, name) in names.iter().filter(|(_, name)| PURE.iter().any(|(pure, _)| pure == *name)) {
        let (mut open, mut seen) = (vec![*id], BTreeSet::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            assert!(!ACTING.contains(&names[id]), "{name} can reach {}", names[id]);
            // Procedural macros act while a crate is compiled, not when it runs.
            let normal = list(&nodes[id]["deps"])
                .iter()
                .filter(|dependency| list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()));
            open.extend(normal.map(|dependency| text(&dependency["pkg"])));
        }
    }
}

#[test]
fn pure_crates_deny_what_the_one_lint_file_bans() {
    let is_lint_file = |path: &String| path == "clippy.toml" || path.ends_with("/clippy.toml");
    let lint_files: Vec<String> = files("toml").into_iter().filter(is_lint_file).collect();
    assert_eq!(lint_files, ["clippy.toml"], "another lint file would take the place of the one for all");
    let bans = read("clippy.toml");
    for words in [
        "std::time::Instant::now",
        "std::fs::File",
        "std::process::Command",
        "std::env::var",
        "std::collections::HashMap",
    ] {
        assert!(bans.contains(words), "{words} is not banned");
    }
    let members = members();
    for (name, _) in PURE {
        let member = members.iter().find(|member| member.name == name).expect("a crate of that name");
        let manifest = read(&format!("{}/Cargo.toml", member.folder));
        for lint in [
            "unsafe_code = \"forbid\"",
            "disallowed_types = \"deny\"",
            "disallowed_methods = \"deny\"",
            "disallowed_macros = \"deny\"",
        ] {
            assert!(manifest.contains(lint), "the manifest of {name} does not say {lint}");
        }
    }
}

/// The sources below `folder` that contain `words`.
fn sources_with(folder: &str, words: &str) -> Vec<String> {
    let mut sources = files("rs");
    sources.retain(|path| path.starts_with(folder) && read(path).contains(words));
    sources
}

/// A wall clock may jump, so limits and verdicts rest on the monotonic clock alone.
#[test]
fn only_texts_for_people_read_the_wall_clock() {
    assert_eq!(sources_with("arena/", "SystemTime::now"), ["arena/run/src/io/wall_clock.rs"]);
}

#[test]
fn few_commands_of_the_arena_reach_for_the_reference_bots() {
    let users = sources_with("arena/src/", "maumau_agents::");
    let names: Vec<&str> = users.iter().filter_map(|path| path.rsplit('/').next()).collect();
    assert_eq!(
        names,
        ["agent.rs", "rules_stats.rs", "lessons.rs", "shown_seat.rs", "web_agent.rs"],
        "only `maumau agent NAME`, a seat on a page, its lessons, and `maumau rules stats` (ARCHITECTURE.md#the-map)"
    );
}
