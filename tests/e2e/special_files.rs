//! Named pipes, sockets, devices and folders where a file is expected: a sentence at once, never a wait.

use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

use crate::arena::{Arena, HONEST};

/// Commands in which the input stands as `INPUT`. Files of the folder are named without it.
const COMMANDS: &[&str] = &[
    "verify INPUT",
    "verify --commitments INPUT game.jsonl",
    "replay INPUT",
    "replay INPUT --html out.html",
    "feed INPUT --seat 0 -- maumau agent first",
    "serve INPUT",
    "watch INPUT",
    "play --rules INPUT.toml --seat human",
    "play --rules extends.toml --seat human",
    "rules check INPUT.toml",
    "rules check extends.toml",
    "rules explain INPUT.toml",
    "rules stats INPUT.toml --games 2",
    "rules test INPUT",
    "tournament run INPUT",
    "tournament run rules.toml",
    "tournament run good.toml --run INPUT",
    "tournament run good.toml --run beside.maumau",
    "tournament run good.toml --run locked.maumau",
    "tournament check INPUT",
    "tournament show INPUT",
    "tournament show INPUT --format html",
    "tournament site INPUT --to out",
    "tournament export INPUT --to out",
    "tournament compare INPUT a b",
    "tournament status INPUT",
    "tournament status locked.maumau",
    "tournament stop INPUT",
    "tournament retire INPUT a",
    "tournament faults INPUT --agent a --to out",
    "tournament merge INPUT good.maumau --to out.maumau",
    "agent llm --model m --endpoint http://127.0.0.1:9 --key-file INPUT",
];

#[test]
fn what_is_no_file_is_refused_at_once_by_every_command() {
    for kind in ["pipe", "socket", "device", "folder"] {
        let arena = Arena::new();
        let make = |name: &str| {
            let path = arena.path(name);
            match kind {
                "pipe" => assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo runs").success()),
                // What listens may be gone; the socket stays.
                "socket" => drop(UnixListener::bind(&path).expect("a socket")),
                "device" => std::os::unix::fs::symlink("/dev/zero", &path).expect("a link"),
                _ => std::fs::create_dir(&path).expect("a folder"),
            }
        };
        let write = |name: &str, text: String| std::fs::write(arena.path(name), text).expect("a file");
        let league = |rules: &str| {
            let agents = ["a", "b"].map(|name| format!("[[agent]]\nname = \"{name}\"\ncommand = \"{HONEST}\"\n"));
            format!("rules = \"{rules}\"\nseats = 2\ngames_per_pairing = 2\n{}", agents.concat())
        };
        ["input", "input.toml", "beside.maumau-journal", "locked.maumau.lock"].into_iter().for_each(make);
        write("extends.toml", "format = 1\nname = \"x\"\nextends = \"input.toml\"\n".to_owned());
        write("rules.toml", league("input.toml"));
        write("good.toml", league("basic"));
        let run = arena.run(&["tournament", "run", &arena.path("good.toml"), "--quiet"]);
        assert_eq!(run.code, Some(0), "{run:?}");
        for copy in ["beside.maumau", "locked.maumau"] {
            std::fs::copy(arena.path("good.maumau"), arena.path(copy)).expect("a copy");
        }
        arena.play(&["--quiet", "--seat", HONEST, "--seat", HONEST]);
        let mut wrong = Vec::new();
        for command in COMMANDS {
            let words: Vec<String> = command
                .split(' ')
                .map(|word| match word {
                    word if word.starts_with("INPUT") => arena.path(&word.replace("INPUT", "input")),
                    word if word.starts_with("game.") || word.ends_with("toml") || word.ends_with("maumau") => {
                        arena.path(word)
                    }
                    "out" | "out.html" => arena.path(word),
                    word => word.to_owned(),
                })
                .map(|word| if word == arena.path("maumau") { "maumau".to_owned() } else { word })
                .collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            // A command that waited would be ended after a minute, without a code.
            let run = arena.run(&words);
            // Of a folder, files in it are looked for where that helps.
            let said = run.stdout.clone() + &run.stderr;
            let messages = [
                &*format!("it is a {kind}"),
                "it is a named pipe",
                "no run file",
                "no file",
                "not a file",
                "there are no records",
            ];
            let is_reported = messages.iter().any(|message| said.contains(message))
                || (kind == "folder" && said.contains("0 passed"));
            if !is_reported || !matches!(run.code, Some(1..=3)) {
                wrong.push(format!("{command}: {said}"));
            }
        }
        assert!(wrong.is_empty(), "{kind}:\n{}", wrong.join("\n"));
    }
}

/// What a shell gives for `<(…)`, and stdin, are read as before.
#[test]
fn stdin_and_what_is_open_already_are_read() {
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    let played = arena.run(&["play", "--quiet", "--seat", HONEST, "--seat", HONEST, "--record", &record]);
    assert_eq!(played.code, Some(0), "{played:?}");
    let maumau = env!("CARGO_BIN_EXE_maumau");
    for script in [
        "cat $1 | $0 verify /dev/stdin",
        "$0 verify /dev/stdin < $1",
        "cat $1 | $0 replay /dev/stdin",
        "cat $1 | $0 verify /dev/fd/0",
        "{ cat $1 | $0 verify /dev/fd/3 3<&0; }",
    ] {
        let output =
            Command::new("sh").args(["-c", script, maumau, &record]).stdin(Stdio::null()).output().expect("sh runs");
        assert!(output.status.success(), "{script}: {output:?}");
    }
}

/// Records that are large or deep in the wrong way, with a gigabyte and a half of address space.
#[test]
fn records_that_expand_are_refused_within_bounded_memory() {
    let arena = Arena::new();
    for (what, script) in [
        ("nested lists", "head -c 50000000 /dev/zero | tr '\\0' '['"),
        ("nested objects", "yes '{\"a\":' | head -c 50000000 | tr -d '\\n'"),
        ("lines without end", "head -c 200000000 /dev/zero"),
        ("empty lines", "yes '' | head -c 50000000"),
        ("one text", "printf '{\"entry\":\"'; head -c 100000000 /dev/zero | tr '\\0' a"),
        ("many numbers", "printf '{\"entry\":['; yes 1, | head -c 50000000 | tr -d '\\n'"),
    ] {
        let record = arena.path("bomb.jsonl");
        let made =
            Command::new("sh").args(["-c", &format!("{{ {script}; }} > \"$0\""), &record]).status().expect("sh runs");
        assert!(made.success(), "{what}");
        for command in ["verify", "replay"] {
            let limited = "ulimit -v 1500000; exec \"$0\" \"$1\" \"$2\"";
            let output =
                Command::new("sh").args(["-c", limited, env!("CARGO_BIN_EXE_maumau"), command, &record]).output();
            let output = output.expect("sh runs");
            assert!(matches!(output.status.code(), Some(1..=3)), "{what}: {command}: {output:?}");
        }
    }
}
