//! The protocol as the binary speaks it: the worked transcript of SPEC §11, and every line of real games against the
//! schemas. It plays through pipes and changes SPEC only with `MAUMAU_UPDATE=1`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use jsonschema::Validator;
use maumau_protocol::schema;
use maumau_protocol::wire::{read_agent_line, read_arena_line};
use serde_json::Value;

const MAUMAU: &str = env!("CARGO_BIN_EXE_maumau");
const PATIENCE: Duration = Duration::from_secs(60);

/// An agent that is controlled from outside through two named pipes.
const RELAY: &str = r#"cat "$1/answers" & exec cat > "$1/lines""#;

/// Any agent, with its input and output kept in files; so it must run without a sandbox.
const TAP: &str = r#"folder=$1 name=$2; shift 2; tee "$folder/$name.read" | "$@" | tee "$folder/$name.wrote""#;

/// A bot that subscribes to everything and does a little of everything, including mistakes.
const RESTLESS: &str = r#"
import json, random, sys
dice, busy = random.Random(7), 0
def send(message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "ready", "protocol": "maumau/1.0", "name": "restless", "ticks": True,
              "wants": ["view", "legal", "events", "rules"], "later": [None]})
    elif message["type"] == "ask" or message["type"] == "fault" and message["open"]:
        if message["type"] == "ask":
            ask, busy = message, busy + 1
            if busy == 5:
                print("no JSON", flush=True)
                continue
        act = {"type": "act", "game": ask["game"], "id": ask["id"]}
        chance = dice.random()
        legal = dice.choice(ask["legal"])
        if busy % 10 == 3:
            send({"type": "note", "game": ask["game"], "note": {"busy": busy, "chance": chance}})
        if chance < 0.05:
            send({**act, "do": "call", "against": (ask["seat"] + 1) % 2, "fault": "no_mau"})
        elif chance < 0.1:
            send({**act, "do": "say", "text": "mau \u2665", "say": ["well", "then"]})
        elif chance < 0.2 and ask["view"]["hand"]:
            send({**act, "do": "play", "card": dice.choice(ask["view"]["hand"])})
        else:
            send({**act, **legal, "say": ["mau"]})
    elif message["type"] == "bye":
        break
"#;

fn spec_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/SPEC.md")
}

fn spec() -> String {
    fs::read_to_string(spec_path()).expect("SPEC.md")
}

#[test]
fn the_transcript_of_spec_is_a_real_game() {
    let spec = spec();
    let (head, rest) = spec.split_once("<!-- transcript -->\n```text\n").expect("the transcript begins");
    let (transcript, _) = rest.split_once("\n```").expect("the transcript ends");
    let (_, command) = head.rsplit_once("`maumau play ").expect("the command of the transcript");
    let (command, _) = command.split_once('`').expect("the command ends");

    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().display().to_string();
    fs::write(folder.path().join("worked.sh"), RELAY).expect("a script");
    for name in ["lines", "answers"] {
        let made = Command::new("mkfifo").arg(folder.path().join(name)).status().expect("mkfifo runs");
        assert!(made.success());
    }
    // Opened in both directions, so that opening never blocks.
    let open = |name| File::options().read(true).write(true).open(folder.path().join(name)).expect("a named pipe");
    let (lines, mut answers) = (open("lines"), open("answers"));
    let (send, received) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(lines).lines() {
            if line.map_or(true, |line| send.send(line).is_err()) {
                return;
            }
        }
    });
    let arguments = shlex::split(&command.replace("worked.sh", &format!("worked.sh {place}"))).expect("words");
    let game = Command::new(MAUMAU)
        .args(["play", "--sandbox", "none"])
        .args(arguments)
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("maumau runs");

    // The id in the transcript, and the one that was sent.
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    let mut real = Vec::new();
    for step in transcript.lines() {
        if let Some(expected) = step.strip_prefix("> ") {
            let line = received.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("the arena never sent {expected}"));
            if let Some(id) = serde_json::from_str::<Value>(&line).expect("JSON")["id"].as_str() {
                let number = format!("{:016x}", ids.len() + 1);
                ids.entry(id.to_owned()).or_insert(number);
            }
            let line = ids.iter().fold(line, |line, (sent, written)| line.replace(sent, written));
            real.push(format!("> {line}"));
        } else {
            let answer = step.strip_prefix("< ").expect("a line that is read or written").to_owned();
            let answer = ids.iter().fold(answer, |answer, (sent, written)| answer.replace(written, sent));
            writeln!(answers, "{answer}").expect("the agent writes");
            real.push(step.to_owned());
        }
    }
    drop(answers);
    let output = game.wait_with_output().expect("maumau ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(received.try_recv().is_err(), "the arena sent more than the transcript");
    if std::env::var_os("MAUMAU_UPDATE").is_some() {
        fs::write(spec_path(), spec.replace(transcript, &real.join("\n"))).expect("SPEC.md can be written");
    }
    let version = format!(r#""arena":"{}""#, env!("CARGO_PKG_VERSION"));
    for (line, real) in transcript.lines().zip(&real) {
        assert_eq!(line.replace(r#""arena":"0.1.0""#, &version), *real, "MAUMAU_UPDATE=1 takes over what is real");
    }
}

/// Plays a match with every agent's lines kept, and passes each line to `check` with its agent and whether it was read.
fn each_line(rules: &str, seats: &[&str], mut check: impl FnMut(&str, bool, &str)) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("tap.sh"), TAP).expect("a script");
    fs::write(folder.path().join("restless.py"), RESTLESS).expect("a script");
    let mut play = Command::new(MAUMAU);
    play.current_dir(folder.path())
        .args(["play", "--quiet", "--sandbox", "none", "--seed", "11"])
        .args(rules.split(' '));
    for (seat, command) in seats.iter().enumerate() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let command = command.replace("maumau ", &format!("{MAUMAU} ")).replace("ROOT", &root.display().to_string());
        play.arg("--seat").arg(format!("sh tap.sh {} agent{seat} {command}", folder.path().display()));
    }
    let output = play.output().expect("maumau runs");
    assert!(output.status.success(), "{rules}: {}", String::from_utf8_lossy(&output.stderr));
    for (seat, command) in seats.iter().enumerate() {
        for (what, read) in [("read", true), ("wrote", false)] {
            let path = folder.path().join(format!("agent{seat}.{what}"));
            let text = fs::read_to_string(&path).expect("lines were kept");
            assert!(text.ends_with('\n') && text.lines().count() > 3, "{rules}: agent {seat} {what} {text:?}");
            text.lines().for_each(|line| check(command, read, line));
        }
    }
}

#[test]
fn a_conversation_begins_with_hello_and_start_and_ends_with_over_and_bye() {
    for rules in ["--rules basic", "--rules snap", "--rules spam --clock live"] {
        let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
        each_line(rules, &["maumau agent first", "maumau agent greedy"], |agent, read, line| {
            let value: Value = serde_json::from_str(line).expect("JSON");
            if read {
                kinds.entry(agent.to_owned()).or_default().push(value["type"].as_str().expect("a type").to_owned());
            }
        });
        for (agent, kinds) in kinds {
            assert_eq!(kinds[..2], ["hello", "start"], "{rules}: {agent}");
            assert_eq!(kinds[kinds.len() - 2..], ["over", "bye"], "{rules}: {agent}");
        }
    }
}

#[test]
fn every_line_of_real_games_is_as_the_schemas_say() {
    let validators: BTreeMap<&str, Validator> = schema::all()
        .iter()
        .map(|(kind, schema)| (*kind, jsonschema::draft202012::new(schema).expect("a schema")))
        .collect();
    let mut seen = BTreeSet::new();
    let mut check = |agent: &str, read: bool, line: &str| {
        if read {
            let value: Value = serde_json::from_str(line).expect("the arena writes JSON");
            let kind = value["type"].as_str().expect("a type");
            let complaints: Vec<String> = validators[kind]
                .iter_errors(&value)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(complaints.is_empty(), "{agent}: {line}: {complaints:?}");
            let message = read_arena_line(line).expect("the line can be read").expect("a known type");
            assert_eq!(serde_json::to_string(&message).expect("JSON"), line, "{agent}: not in the order of the type");
            assert!(line.starts_with(&format!(r#"{{"type":"{kind}""#)), "{agent}: {line}");
            for name in ["view", "legal", "events", "rules"].iter().filter(|name| value.get(**name).is_some()) {
                seen.insert(format!("{kind} with {name}"));
            }
            seen.insert(kind.to_owned());
        } else {
            let read = read_agent_line(line.as_bytes()).expect("not blank");
            let value = serde_json::from_str::<Value>(line);
            let valid = value.as_ref().is_ok_and(|value| {
                ["ready", "act", "note"].iter().any(|kind| value["type"] == **kind && validators[*kind].is_valid(value))
            });
            assert_eq!(read.is_ok(), valid, "{agent}: {line}: {read:?}");
            seen.insert(if valid { "a good answer" } else { "a wrong line" }.to_owned());
        }
    };
    let restless = "python3 restless.py";
    let careful = "python3 ROOT/agents/python/careful_bot.py";
    let shell = "sh ROOT/agents/shell/first.sh";
    for (rules, seats) in [
        ("--rules basic --rounds 3", &["maumau agent random", restless][..]),
        ("--rules basic --rounds 2 --set mau=called", &[restless, "maumau agent greedy", "maumau agent random"][..]),
        (
            "--rules basic --rounds 2 --set function_any=out_of_turn",
            &["maumau agent first", careful, restless, restless][..],
        ),
        ("--rules skat --rounds 3", &[restless, shell, "maumau agent greedy"][..]),
        ("--rules deluxe --rounds 2", &["maumau agent greedy", restless, "maumau agent random"][..]),
        ("--rules skat --rounds 2 --set extra_rules=on", &[careful, restless, "maumau agent random"][..]),
        ("--rules snap --rounds 2 --set dealing=dealer", &["maumau agent greedy", restless, "maumau agent random"][..]),
        ("--rules spam --rounds 2", &[restless, "maumau agent greedy", careful][..]),
        ("--rules spam --clock live", &["maumau agent greedy", restless, "maumau agent random"][..]),
    ] {
        each_line(rules, seats, &mut check);
    }
    let expected = [
        "a good answer",
        "a wrong line",
        "ask",
        "ask with events",
        "ask with legal",
        "ask with view",
        "bye",
        "fault",
        "hello",
        "over",
        "over with events",
        "start",
        "start with rules",
        "tell",
        "tell with events",
    ];
    assert_eq!(seen, expected.map(str::to_owned).into(), "what the games brought up");
}
