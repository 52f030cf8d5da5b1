//! Games of agents in Rust and in Python at every sandbox level that this machine offers; what it does not offer is told.

mod arena;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use arena::Arena;

/// Started by root, agents of the levels from `strict` on need another user.
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

/// A bot that does nothing wrong but what `misdeed` does at its first ask, in a folder that every user can read.
fn bot(arena: &Arena, misdeed: &str) -> String {
    let folder = arena.folder().join("bot");
    let file = folder.join("bot.py");
    let open = |path: &Path| std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("rights");
    std::fs::create_dir(&folder).expect("a folder");
    let text = format!(
        "import json, os, signal, sys\n\
         def misdeed():\n    {misdeed}\n\
         asks = 0\n\
         for line in sys.stdin:\n    \
             message = json.loads(line)\n    \
             if message['type'] == 'hello':\n        \
                 answer = {{'type': 'ready', 'protocol': 'maumau/1', 'name': 'bot'}}\n    \
             elif message['type'] == 'ask':\n        \
                 asks += 1\n        \
                 if asks == 1: misdeed()\n        \
                 answer = {{'type': 'act', 'game': message['game'], 'id': message['id'], **message['legal'][0]}}\n    \
             else: continue\n    \
             print(json.dumps(answer), flush=True)\n"
    );
    std::fs::write(&file, text).expect("a bot");
    for path in [arena.folder(), &folder, &file] {
        open(path);
    }
    format!("/usr/bin/python3 {}", file.display())
}

/// Plays the bot against an honest one, and gives the record.
fn play(level: &str, misdeed: &str, options: &[&str]) -> String {
    let arena = Arena::new();
    let bot = bot(&arena, misdeed);
    let seats = ["--quiet", "--seed", "3", "--sandbox", level, "--seat", &bot, "--seat", "maumau agent greedy"];
    let run = arena.play(&[&seats, user(), options].concat());
    assert_eq!(run.code, Some(0), "{level}: {}", run.stderr);
    let record = std::fs::read_to_string(arena.path("game.jsonl")).expect("a record");
    assert!(record.contains(&format!(r#""sandbox":"{level}""#)), "the level stands in the record");
    record
}

/// Python where every user can run it.
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
