//! Games of agents in Rust and in Python at every sandbox level that this machine offers; unavailable levels are
//! reported. What each level refuses is tried by `maumau doctor`.

mod arena;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use arena::Arena;

/// When started by root, agents of the levels from `strict` on need another user.
fn user() -> &'static [&'static str] {
    if nix::unistd::Uid::effective().is_root() { &["--sandbox-user", "nobody"] } else { &[] }
}

/// Why this machine does not offer the level, if it does not.
fn missing(level: &str) -> Option<String> {
    let probe = ["play", "--quiet", "--sandbox", level, "--seat", "maumau agent first", "--seat", "maumau agent first"];
    let run = Arena::new().run(&[&probe, user()].concat());
    (run.code != Some(0)).then_some(run.stderr)
}

/// The levels that this machine offers.
fn levels() -> Vec<&'static str> {
    let all = ["basic", "strict", "strict+cgroup"];
    all.into_iter()
        .filter(|level| match missing(level) {
            None => true,
            Some(why) => {
                eprintln!("left out: the level {level} cannot be had here: {why}");
                false
            }
        })
        .collect()
}

/// The command of a bot that was copied into a folder that every user can read.
fn put(arena: &Arena, name: &str, text: &str) -> String {
    let folder = arena.folder().join(name);
    let file = folder.join("bot.py");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(&file, text).expect("a bot");
    for path in [arena.folder(), &folder, &file] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("rights");
    }
    format!("/usr/bin/python3 {}", file.display())
}

/// A bot that does nothing wrong except `misdeed` at the asks for which `when` is true.
fn text_of(misdeed: &str, when: &str) -> String {
    format!(
        "import json, os, signal, sys, time\n\
         def misdeed():\n    {misdeed}\n\
         asks = 0\n\
         for line in sys.stdin:\n    \
             message = json.loads(line)\n    \
             if message['type'] == 'hello':\n        \
                 answer = {{'type': 'ready', 'protocol': 'maumau/1', 'name': 'bot'}}\n    \
             elif message['type'] == 'ask':\n        \
                 asks += 1\n        \
                 if {when}: misdeed()\n        \
                 answer = {{'type': 'act', 'game': message['game'], 'id': message['id'], **message['legal'][0]}}\n    \
             else: continue\n    \
             print(json.dumps(answer), flush=True)\n"
    )
}

/// Answers with the first legal action; loops while it is not asked, and reports in each answer how many ms that took.
const BURNER: &str = r#"
import json, os, select, time
left, since = b"", time.process_time()
while True:
    while not select.select([0], [], [], 0)[0]: pass
    burned = (time.process_time() - since) * 1000
    data = os.read(0, 65536)
    if not data: break
    *lines, left = (left + data).split(b"\n")
    for message in map(json.loads, lines):
        if message["type"] == "hello": answer = {"type": "ready", "protocol": "maumau/1", "name": "burner"}
        elif message["type"] == "ask":
            print(json.dumps({"type": "note", "game": message["game"], "note": {"burned": burned}}))
            answer = {"type": "act", "game": message["game"], "id": message["id"], **message["legal"][0]}
        else: continue
        print(json.dumps(answer), flush=True)
        since = time.process_time()
"#;

#[test]
fn who_computes_without_being_asked_is_stopped_meanwhile() {
    if !has_python() {
        return;
    }
    for level in [vec!["none"], levels()].concat() {
        let arena = Arena::new();
        let burner = put(&arena, "burner", BURNER);
        let thinker = put(&arena, "thinker", &text_of("time.sleep(0.4)", "True"));
        let seats = [
            "--quiet",
            "--seed",
            "3",
            "--set",
            "turn_cap=20",
            "--sandbox",
            level,
            "--seat",
            &burner,
            "--seat",
            &thinker,
        ];
        let user: &[&str] = if level == "none" { &[] } else { user() };
        let run = arena.play(&[&seats, user].concat());
        assert_eq!(run.code, Some(0), "{level}: {}", run.stderr);
        let record = std::fs::read_to_string(arena.path("game.jsonl")).expect("a record");
        assert!(!record.contains(r#""entry":"fault""#), "{level}: {record}");
        let notes = record.lines().filter_map(|line| {
            let entry: serde_json::Value = serde_json::from_str(line).expect("JSON");
            entry["note"]["burned"].as_f64()
        });
        let burned: Vec<f64> = notes.collect();
        let most = burned.iter().copied().fold(0.0, f64::max);
        let last = burned.last().copied().expect("asks");
        assert!(last < most / 4.0, "{level}: it goes on burning: {burned:?}");
    }
}

/// Answers with the first legal action; a child of it computes between its turns, and rests while it is asked.
const PONDERER: &str = r#"
import json, os, select, sys
hear, tell = os.pipe()
if os.fork() == 0:
    os.close(tell)
    while os.read(hear, 1):
        while not select.select([hear], [], [], 0)[0]: pass
        if not os.read(hear, 1): break
    os._exit(0)
ponders = False
for message in map(json.loads, sys.stdin):
    if message["type"] == "hello": answer = {"type": "ready", "protocol": "maumau/1", "name": "ponderer"}
    elif message["type"] == "ask":
        if ponders: os.write(tell, b"s")
        ponders = True
        answer = {"type": "act", "game": message["game"], "id": message["id"], **message["legal"][0]}
    else: continue
    print(json.dumps(answer), flush=True)
    if ponders: os.write(tell, b"g")
"#;

#[test]
fn an_agent_whose_children_compute_between_its_turns_is_stopped_then_and_never_while_it_is_asked() {
    if !has_python() {
        return;
    }
    let arena = Arena::new();
    let ponderer = put(&arena, "ponderer", PONDERER);
    // Its turns are short, so that asks come while the arena looks.
    let thinker = put(&arena, "thinker", &text_of("time.sleep(0.012)", "True"));
    let seats =
        ["--quiet", "--seed", "3", "--rounds", "6", "--set", "turn_cap=60", "--move-ms", "2000", "--sandbox", "none"];
    let run = arena.play(&[&seats[..], &["--seat", &ponderer, "--seat", &thinker]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let record = std::fs::read_to_string(arena.path("game.jsonl")).expect("a record");
    let entries = record.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let mut stopped = 0;
    for entry in entries {
        assert_ne!(entry["entry"], "stand", "nobody is slow: {entry}");
        let frozen = &entry["meta"]["frozen"];
        if !frozen.is_null() {
            assert_eq!(entry["seat"], 0, "{entry}");
            assert!(
                frozen["from_us"].as_i64() <= Some(0) && frozen["to_us"].as_i64().is_some_and(|to| to <= 0),
                "{entry}"
            );
            stopped += 1;
        }
    }
    assert!(stopped > 10, "it is found out, and stopped whenever it is not asked: {stopped}");
    assert_eq!(arena.run(&["verify", &arena.path("game.jsonl")]).code, Some(0));
}

/// Plays the bot against an honest one, and returns the record.
fn play(level: &str, misdeed: &str, options: &[&str]) -> String {
    let arena = Arena::new();
    let bot = put(&arena, "bot", &text_of(misdeed, "asks == 1"));
    let seats = ["--quiet", "--seed", "3", "--sandbox", level, "--seat", &bot, "--seat", "maumau agent greedy"];
    let run = arena.play(&[&seats, user(), options].concat());
    assert_eq!(run.code, Some(0), "{level}: {}", run.stderr);
    let record = std::fs::read_to_string(arena.path("game.jsonl")).expect("a record");
    assert!(record.contains(&format!(r#""sandbox":"{level}""#)), "the level stands in the record");
    record
}

/// A Python that every user can run.
fn has_python() -> bool {
    let there = Path::new("/usr/bin/python3").exists();
    if !there {
        eprintln!("left out: there is no /usr/bin/python3");
    }
    there
}

#[test]
fn agents_in_rust_and_python_play_at_every_level() {
    if !has_python() {
        return;
    }
    for level in levels() {
        let record = play(level, "pass", &[]);
        assert!(!record.contains(r#""entry":"fault""#), "{level}: {record}");
    }
}

#[test]
fn the_doctor_finds_that_every_level_holds_what_it_is_to_hold() {
    for level in levels() {
        let run = Arena::new().run(&[&["doctor", "--sandbox", level], user()].concat());
        assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.starts_with(&format!("| what an agent tries | {level} |\n")), "{}", run.stdout);
        assert!(run.stdout.contains("| read a file that is not its own | held |"), "{}", run.stdout);
    }
}

#[test]
fn memory_of_all_processes_together_is_bounded_with_control_groups() {
    if !has_python() || !levels().contains(&"strict+cgroup") {
        return;
    }
    // Each of them alone stays below the limit.
    let five =
        "[os.fork() or (bytearray(b'x') * (30 << 20), signal.pause()) for _ in range(5)]; os.wait(); sys.exit(5)";
    for misdeed in ["bytearray(b'x') * (80 << 20)", five] {
        let record = play("strict+cgroup", misdeed, &["--sandbox-memory", "64", "--move-ms", "20000"]);
        assert!(record.contains("the limit of 64 MiB of memory killed"), "{misdeed}: {record}");
    }
}
