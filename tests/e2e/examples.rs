//! Every example of every help page runs, in a folder with the files that it speaks of.
//!
//! Examples that would take long are run with smaller numbers; those that cannot be run here are named with the reason.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Examples that take long as they stand, and what is run instead: the same command with smaller numbers.
const SMALLER: &[(&str, &str)] = &[
    (
        "maumau check --fail-fast -- node my_bot.mjs",
        "maumau check --rules basic --games 1 --fail-fast -- python3 my_bot.py",
    ),
    ("maumau tournament demo", "maumau tournament demo --games 8 --folder small-run"),
    ("maumau tournament demo --games 100 --folder first-run", "maumau tournament demo --games 8 --folder first-run"),
    ("maumau tournament demo --rules snap", "maumau tournament demo --rules snap --games 2 --folder snap-run"),
    ("maumau check -- python3 my_bot.py", "maumau check --rules basic --games 1 -- python3 my_bot.py"),
    (
        "maumau check --rules skat --rules snap --games 10 -- ./my_bot --fast",
        "maumau check --rules skat --rules snap --games 1 -- ./my_bot --fast",
    ),
    ("maumau doctor", "maumau doctor --sandbox none"),
    ("maumau selftest games", "maumau selftest games --games 2"),
    (
        "maumau selftest games --rules snap --games 1000 --seed 7",
        "maumau selftest games --rules snap --games 5 --seed 7",
    ),
    ("maumau selftest shuffle", "maumau selftest shuffle --deals 2000"),
    ("maumau selftest shuffle --deals 200000 --seed 7", "maumau selftest shuffle --deals 2000 --seed 7"),
    ("maumau selftest simulation", "maumau selftest simulation --games 20"),
    ("maumau selftest simulation --games 5000 --seed 7", "maumau selftest simulation --games 20 --seed 7"),
    (
        "maumau bench playout --rules basic --players 4",
        "maumau bench playout --rules basic --players 4 --repeats 1 --seconds 0.01",
    ),
    (
        "maumau bench lengths --rules snap --bots greedy --games 1000",
        "maumau bench lengths --rules snap --bots greedy --games 4",
    ),
    (
        "maumau bench match --agent 'maumau agent first' --agent 'python3 agents/python/random_bot.py'",
        "maumau bench match --agent 'maumau agent first' --agent 'python3 agents/python/random_bot.py' --seconds 0.2 --repeats 1",
    ),
    (
        "maumau bench interleaved --agent 'maumau agent first'",
        "maumau bench interleaved --agent 'maumau agent first' --seconds 0.2 --repeats 1",
    ),
    ("maumau bench referee --rules skat", "maumau bench referee --rules skat --seconds 0.1 --repeats 1"),
    ("maumau bench verify --rules skat", "maumau bench verify --rules skat --seconds 0.1 --repeats 1"),
    ("maumau bench store --games 4096", "maumau bench store --games 64 --commit 64 --repeats 1"),
    ("maumau bench start --players 4", "maumau bench start --players 4 --repeats 1"),
    (
        "maumau bench playout --rules crazy-eights --build nothing --suits-apart",
        "maumau bench playout --rules crazy-eights --build nothing --suits-apart --repeats 1 --seconds 0.01",
    ),
    ("maumau bench memory --at-once 1,64,1024", "maumau bench memory --at-once 1,4"),
    (
        "maumau bench memory --at-once 64 --set turn_cap=8 --games 1000000",
        "maumau bench memory --at-once 4 --set turn_cap=8 --games 100",
    ),
];

/// Examples that are not run, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("sudo maumau doctor", "needs root, another user and a control group of its own"),
    ("maumau bench playout --build nothing --against", "needs the program that it is compared with"),
];

/// A bot of a few lines without a kit: the first action that this protocol knows.
const BOT: &str = r#"
import json, sys
KNOWN = {"play", "draw", "pass", "say", "call", "choose", "take", "deal", "turn_up", "look", "deal_penalties", "wait"}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": "maumau/1", "name": "my bot", "wants": ["legal"]}
    elif message["type"] == "ask":
        action = next((legal for legal in message["legal"] if legal["do"] in KNOWN), {"do": "wait"})
        answer = {"type": "act", "game": message["game"], "id": message["id"], **action}
    elif message["type"] == "bye":
        break
    else:
        continue
    print(json.dumps(answer), flush=True)
"#;

const LEAGUE: &str = r#"
name = "mine"
rules = "basic"
seats = 2
games_per_pairing = 2
seed = 7

[[agent]]
name = "mine"
command = "maumau agent first"

[[agent]]
name = "greedy"
command = "maumau agent greedy"
"#;

/// A folder in which `maumau` is found, with the files that examples speak of.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(TempDir::with_prefix("maumau-examples-").expect("a folder"));
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace");
        for folder in ["agents", "tests", "arena"] {
            std::os::unix::fs::symlink(workspace.join(folder), place.0.path().join(folder)).expect("a link");
        }
        place.write("my_bot.py", BOT);
        place.write("my_bot", &format!("#!/usr/bin/env python3{BOT}"));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(place.0.path().join("my_bot"), mode).expect("a program");
        place.write("my-rules.toml", "format = 1\nname = \"mine\"\nextends = \"skat\"\ndeal.cards = 6\n");
        place.write("league.toml", LEAGUE);
        place.write("my-league.toml", LEAGUE);
        for made in [
            "maumau tournament run league.toml --quiet",
            "maumau tournament run my-league.toml --quiet",
            "maumau play --quiet --seat 'python3 my_bot.py' --seat 'maumau agent first' --seat './my_bot --verbose' --record game.jsonl",
        ] {
            let output = place.run(made);
            assert_eq!(output.status.code(), Some(0), "{made}\n{}", String::from_utf8_lossy(&output.stderr));
        }
        place
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).expect("a file");
    }

    fn run(&self, line: &str) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_maumau"));
        let folder = program.parent().expect("a folder").display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("timeout");
        command.args(["120", "sh", "-c", line]).current_dir(self.0.path()).env("PATH", format!("{folder}:{path}"));
        command.env("TMPDIR", self.0.path()).env_remove("MAUMAU_LOG").stdin(Stdio::null());
        command.output().expect("a shell")
    }
}

/// The help of a command and of all below it.
fn helps(place: &Place, path: &str, found: &mut Vec<(String, String)>) {
    let output = place.run(&format!("{path} --help"));
    assert_eq!(output.status.code(), Some(0), "{path} --help");
    let help = String::from_utf8(output.stdout).expect("text");
    let commands = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let commands = commands.split("\n\n").next().unwrap_or_default();
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        helps(place, &format!("{path} {name}"), found);
    }
    found.push((path.to_owned(), help));
}

/// The examples of a help: commands, without what a shell does with their output.
fn examples(help: &str) -> Vec<String> {
    let help = help.replace("\\\n      ", "");
    let lines = help.lines().filter(|line| line.starts_with("  maumau ") || line.starts_with("  sudo maumau "));
    lines.map(|line| line.split(['>', '|']).next().unwrap_or_default().trim().to_owned()).collect()
}

#[test]
fn every_example_of_every_help_page_runs() {
    let place = Place::new();
    let mut pages = Vec::new();
    helps(&place, "maumau", &mut pages);
    let (mut wrong, mut ran, mut left) = (Vec::new(), 0, Vec::new());
    let mut all: Vec<String> = Vec::new();
    for (_, help) in &pages {
        all.extend(examples(help));
    }
    all.sort();
    all.dedup();
    for example in &all {
        if let Some((_, why)) = NOT_RUN.iter().find(|(beginning, _)| example.starts_with(beginning)) {
            left.push(format!("{example}: {why}"));
            continue;
        }
        let line = SMALLER.iter().find(|(whole, _)| whole == example).map_or(example.as_str(), |(_, smaller)| smaller);
        let Output { status, stdout, stderr } = place.run(line);
        ran += 1;
        if status.code() != Some(0) {
            let tail = |bytes: &[u8]| {
                let text = String::from_utf8_lossy(bytes);
                text.lines().rev().take(6).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n")
            };
            wrong.push(format!("{line}: {status}\n{}\n{}", tail(&stdout), tail(&stderr)));
        }
    }
    assert!(wrong.is_empty(), "{} of {ran} examples fail:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(pages.len() > 20 && ran > 20, "{} pages, {ran} examples", pages.len());
    for (whole, _) in SMALLER {
        assert!(all.iter().any(|example| example == *whole), "no help has the example {whole}");
    }
    for (beginning, _) in NOT_RUN {
        assert!(all.iter().any(|example| example.starts_with(beginning)), "no help has the example {beginning}");
    }
    println!("{ran} examples ran; not run:\n{}", left.join("\n"));
}
