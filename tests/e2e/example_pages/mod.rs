//! The examples of help pages: extracted from a program's output, and run in a folder with the files that they mention.
//! It knows no program: which one to run is an argument.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A bot of a few lines without a kit: it takes the first action that this protocol knows.
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
public_seed = true
seed = 7

[[agent]]
name = "mine"
author = "ann"
command = "maumau agent first"

[[agent]]
name = "greedy"
command = "maumau agent greedy"
"#;

/// A folder with `maumau` in its path and the files that examples mention.
struct Place {
    folder: TempDir,
    /// The folder of the program.
    programs: PathBuf,
}

impl Place {
    fn new(program: &Path) -> Place {
        let folder = TempDir::with_prefix("maumau-examples-").expect("a folder");
        let place = Place { folder, programs: program.parent().expect("a folder").to_owned() };
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|folder| folder.join("agents").is_dir());
        let workspace = workspace.expect("the workspace");
        for folder in ["agents", "tests", "arena"] {
            std::os::unix::fs::symlink(workspace.join(folder), place.folder.path().join(folder)).expect("a link");
        }
        place.write("my_bot.py", BOT);
        place.write("my_bot", &format!("#!/usr/bin/env python3{BOT}"));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(place.folder.path().join("my_bot"), mode).expect("a program");
        place.write("my-rules.toml", "format = 1\nname = \"mine\"\nextends = \"skat\"\ndeal.cards = 6\n");
        place.write("league.toml", LEAGUE);
        place.write("my-league.toml", LEAGUE);
        place.write("my-cup.toml", &format!("{LEAGUE}\n[schedule]\nformat = \"knock-out\"\n"));
        place
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("a file");
    }

    fn run(&self, line: &str) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("timeout");
        command
            .args(["120", "sh", "-c", line])
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", self.programs.display()));
        command.env("TMPDIR", self.folder.path()).env_remove("MAUMAU_LOG").stdin(Stdio::null());
        command.output().expect("a shell")
    }
}

/// The help of a command and of all its subcommands.
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

/// The examples of a help page: commands, without what a shell does with their output.
fn examples(help: &str) -> Vec<String> {
    let help = help.replace("\\\n      ", "");
    let lines = help.lines().filter(|line| line.starts_with("  maumau") || line.starts_with("  sudo maumau"));
    lines.map(|line| line.split(['>', '|']).next().unwrap_or_default().trim().to_owned()).collect()
}

/// Examples that are not run as they stand.
pub(crate) struct Except {
    /// Examples that take long, and what is run instead: the same command with smaller numbers.
    pub(crate) smaller: &'static [(&'static str, &'static str)],
    /// Prefixes of examples that are not run, and why.
    pub(crate) not_run: &'static [(&'static str, &'static str)],
}

/// Runs every example of every help page of `program`, after the commands in `before`. Returns the number of pages and
/// examples.
///
/// # Panics
/// An example fails, or one of `except` is on no page.
pub(crate) fn check(program: &Path, before: &[&str], except: &Except) -> (usize, usize) {
    let place = Place::new(program);
    for line in before {
        let output = place.run(line);
        assert_eq!(output.status.code(), Some(0), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let name = program.file_name().expect("a name").to_string_lossy();
    let mut pages = Vec::new();
    helps(&place, &name, &mut pages);
    let (mut wrong, mut ran, mut left) = (Vec::new(), 0, Vec::new());
    let mut all: Vec<String> = Vec::new();
    for (_, help) in &pages {
        all.extend(examples(help));
    }
    all.sort();
    all.dedup();
    for example in &all {
        if let Some((_, why)) = except.not_run.iter().find(|(beginning, _)| example.starts_with(beginning)) {
            left.push(format!("{example}: {why}"));
            continue;
        }
        let line =
            except.smaller.iter().find(|(whole, _)| whole == example).map_or(example.as_str(), |(_, smaller)| smaller);
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
    for (whole, _) in except.smaller {
        assert!(all.iter().any(|example| example == *whole), "no help has the example {whole}");
    }
    for (beginning, _) in except.not_run {
        assert!(all.iter().any(|example| example.starts_with(beginning)), "no help has the example {beginning}");
    }
    println!("{ran} examples ran; not run:\n{}", left.join("\n"));
    (pages.len(), ran)
}
