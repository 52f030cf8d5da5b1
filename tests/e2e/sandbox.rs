//! Games of agents in Rust and in Python at every sandbox level that this machine offers; unavailable levels are
//! reported. What each level refuses is tried by `maumau doctor`.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::arena::{Arena, Run};

fn is_root() -> bool {
    nix::unistd::Uid::effective().is_root()
}

/// Why this machine does not offer the level, if it does not.
pub(crate) fn missing(level: &str) -> Option<String> {
    let probe = ["play", "--quiet", "--sandbox", level, "--seat", "maumau agent first", "--seat", "maumau agent first"];
    let run = Arena::new().run(&probe);
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
        let run = arena.play(&seats);
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

/// Answers with the first legal action; a child of it computes between its turns, and rests while it is asked. The child
/// begins only after the arena's first look.
const PONDERER: &str = r#"
import json, os, select, sys, time
time.sleep(0.4)
hear, signal = os.pipe()
if os.fork() == 0:
    os.close(signal)
    while os.read(hear, 1):
        while not select.select([hear], [], [], 0)[0]: pass
        if not os.read(hear, 1): break
    os._exit(0)
ponders = False
for message in map(json.loads, sys.stdin):
    if message["type"] == "hello": answer = {"type": "ready", "protocol": "maumau/1", "name": "ponderer"}
    elif message["type"] == "ask":
        if ponders: os.write(signal, b"s")
        ponders = True
        answer = {"type": "act", "game": message["game"], "id": message["id"], **message["legal"][0]}
    else: continue
    print(json.dumps(answer), flush=True)
    if ponders: os.write(signal, b"g")
"#;

#[test]
fn an_agent_whose_children_compute_between_its_turns_is_stopped_then_and_never_while_it_is_asked() {
    if !has_python() {
        return;
    }
    let arena = Arena::new();
    let ponderer = put(&arena, "ponderer", PONDERER);
    // Its turns are short, so that asks come while the arena looks; there are enough of them on a busy machine.
    let thinker = put(&arena, "thinker", &text_of("time.sleep(0.012)", "True"));
    let seats =
        ["--quiet", "--seed", "3", "--rounds", "12", "--set", "turn_cap=60", "--move-ms", "2000", "--sandbox", "none"];
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
    let run = arena.play(&[&seats, options].concat());
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
        let run = Arena::new().run(&["doctor", "--sandbox", level]);
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

/// Says of which kinds its file systems are and what it sees of the system, and plays.
const SEES: &str = r#"
import json, os, sys
with open("/proc/self/mountinfo") as mounts: kinds = sorted({line.split(" - ")[1].split()[0] for line in mounts})
for message in map(json.loads, sys.stdin):
    if message["type"] == "hello": answer = {"type": "ready", "protocol": "maumau/1", "name": "sees"}
    elif message["type"] == "start": answer = {"type": "note", "game": message["game"], "note": {"kinds": kinds, "programs": os.listdir("/usr/bin")}}
    elif message["type"] == "ask": answer = {"type": "act", "game": message["game"], "id": message["id"], **message["legal"][0]}
    else: continue
    print(json.dumps(answer), flush=True)
"#;

#[test]
fn what_agents_see_is_kept_in_memory_and_is_nothing_but_what_is_named() {
    if !has_python() || !levels().contains(&"strict") {
        return;
    }
    let modules = "import sys, sysconfig; print(sysconfig.get_path('stdlib'))";
    let stdout_of = |program: &str, words: &[&str]| {
        let done = std::process::Command::new(program).args(words).output().expect("it can be run");
        String::from_utf8(done.stdout).expect("text")
    };
    let modules = stdout_of("/usr/bin/python3", &["-c", modules]).trim().to_owned();
    let libraries = stdout_of("ldd", &["/usr/bin/python3"]);
    let libraries = libraries.split_whitespace().filter(|word| word.starts_with('/') && !word.ends_with(':'));
    let places = ["/usr/bin/python3", &modules].into_iter().chain(libraries);
    let places: Vec<&str> = places.flat_map(|place| ["--sandbox-in-memory", place]).collect();
    let arena = Arena::new();
    let bot = put(&arena, "sees", SEES);
    let seats = ["--quiet", "--seed", "3", "--sandbox", "strict", "--seat", &bot, "--seat", "maumau agent greedy"];
    let run = arena.play(&[&seats, &places[..]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let record = std::fs::read_to_string(arena.path("game.jsonl")).expect("a record");
    let line = record.lines().find(|line| line.contains(r#""programs""#)).expect("a note");
    let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let words = |key: &str| -> Vec<String> { serde_json::from_value(line["note"][key].clone()).expect("words") };
    assert!(words("programs").iter().all(|name| name.starts_with("python3")), "{line}");
    let of_kernel = ["tmpfs", "proc", "devtmpfs", "devpts", "mqueue"];
    assert!(words("kinds").iter().all(|kind| of_kernel.contains(&kind.as_str())), "{line}");
}

#[test]
fn what_cannot_be_kept_in_memory_is_refused_with_a_sentence() {
    let refused = |level: &str, place: &str, code: i32, says: &str| {
        let seats = [
            "--sandbox",
            level,
            "--sandbox-in-memory",
            place,
            "--seat",
            "maumau agent greedy",
            "--seat",
            "maumau agent greedy",
        ];
        let run = Arena::new().play(&seats);
        assert_eq!(run.code, Some(code), "{}", run.stderr);
        assert!(run.stderr.contains(says), "{}", run.stderr);
    };
    let needs = "--sandbox-in-memory needs the sandbox level strict or strict+cgroup";
    refused("none", "/usr", 2, needs);
    if cfg!(target_os = "linux") {
        refused("basic", "/usr", 2, needs);
    }
    if levels().contains(&"strict") {
        refused("strict", "/etc/passwd", 2, "no place of the system");
        refused("strict", "/usr/is-not-there", 2, "--sandbox-in-memory /usr/is-not-there: No such file");
    }
}

/// Says who it is and what it sees in its folder's folder, and plays.
const WHO: &str = r#"
import json, os, sys
above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
try: seen = sorted(os.listdir(above))
except OSError as error: seen = error.strerror
try: secret = open(above + "/secret").read()
except OSError as error: secret = error.strerror
said = {"ids": [os.getresuid(), os.getresgid(), os.getgroups()], "above": seen, "secret": secret}
for message in map(json.loads, sys.stdin):
    if message["type"] == "hello": answer = {"type": "ready", "protocol": "maumau/1", "name": "who"}
    elif message["type"] == "start": answer = {"type": "note", "game": message["game"], "note": said}
    elif message["type"] == "ask": answer = {"type": "act", "game": message["game"], "id": message["id"], **message["legal"][0]}
    else: continue
    print(json.dumps(answer), flush=True)
"#;

/// What two bots say that lie in a folder which is closed to all but its owner.
fn who(options: &[&str]) -> (Run, Vec<serde_json::Value>) {
    let arena = Arena::new();
    let commands = ["one", "two"].map(|name| put(&arena, name, WHO));
    std::fs::write(arena.path("secret"), "a secret").expect("a file");
    std::fs::set_permissions(arena.folder(), PermissionsExt::from_mode(0o700)).expect("rights");
    let seats = ["--quiet", "--seed", "3", "--seat", &commands[0], "--seat", &commands[1]];
    let run = arena.play(&[&seats, options].concat());
    let record = std::fs::read_to_string(arena.path("game.jsonl")).unwrap_or_default();
    let entries = record.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let notes = entries.filter(|entry| !entry["note"]["ids"].is_null()).map(|entry| entry["note"].clone()).collect();
    (run, notes)
}

#[test]
fn agents_that_root_starts_have_users_of_their_own_and_see_nothing_beside_their_files() {
    if !has_python() || !is_root() {
        return;
    }
    for level in levels() {
        let (run, said) = who(&["--sandbox", level]);
        assert_eq!((run.code, said.len()), (Some(0), 2), "{level}: {}", run.stderr);
        assert_eq!(said[0]["secret"], "No such file or directory", "{level}");
        if level == "basic" {
            let ids: Vec<_> = said.iter().map(|one| one["ids"].clone()).collect();
            let number = |ids: &serde_json::Value| ids[0][0].as_u64().expect("a number");
            assert_ne!(number(&ids[0]), number(&ids[1]), "each has its own");
            for ids in ids {
                let own = number(&ids);
                assert!((0x7000_0000..=0x7000_FFFF).contains(&own), "{ids}");
                assert_eq!(ids, serde_json::json!([[own, own, own], [own, own, own], []]));
            }
        }
    }
}

#[test]
fn two_agents_never_have_the_same_user() {
    if !has_python() || !is_root() {
        return;
    }
    let first = 1_900_000_000 + std::process::id() * 2;
    let (run, said) = who(&["--sandbox-user", &format!("{first}-{}", first + 1)]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mut users: Vec<_> = said.iter().filter_map(|one| one["ids"][0][0].as_u64()).collect();
    users.sort_unstable();
    assert_eq!(users, [u64::from(first), u64::from(first) + 1]);
    let (run, _) = who(&["--sandbox-user", &format!("{first}-{first}")]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("all users from {first} to {first} have processes")), "{}", run.stderr);
}

#[test]
fn one_user_for_all_agents_can_be_named() {
    if !has_python() || !is_root() {
        return;
    }
    let (run, said) = who(&["--sandbox-user", "nobody"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for one in said {
        assert_eq!((&one["ids"][0][0], &one["secret"]), (&65_534.into(), &"No such file or directory".into()));
    }
}

#[test]
fn an_organiser_can_see_what_one_agent_is_permitted() {
    for level in levels() {
        let words = ["doctor", "--sandbox", level, "--sandbox-env", "MODEL=small", "--agent", "maumau agent first"];
        let run = Arena::new().run(&words);
        assert_eq!(run.code, Some(0), "{level}: {}", run.stderr);
        for row in [
            &format!("maumau agent first at {level}\n"),
            "\n  further groups         none\n",
            "\n  capabilities           none\n",
            "\n  gains rights           no\n",
            "\n  system calls           those of arena/sandbox/src/calls.rs\n",
            "open files 256",
            "\"MODEL\"",
        ] {
            assert!(run.stdout.contains(row), "{level}: {row:?} in {}", run.stdout);
        }
        assert!(!run.stdout.contains("small"), "the value is the agent's own: {}", run.stdout);
        let run = Arena::new().run(&[&words[..], &["--format", "json"]].concat());
        let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        let look = &report["look"];
        assert_eq!((&report["schema"], &report["ready"]), (&"maumau-doctor-agent/1".into(), &true.into()));
        assert_eq!((&look["no_new_privileges"], &look["filtered"]), (&true.into(), &true.into()), "{look}");
        let user = look["users"].as_str().expect("a user").parse::<u32>().expect("one number");
        assert_eq!((0x7000_0000..=0x7000_FFFF).contains(&user), is_root(), "{look}");
    }
    if has_python() && levels().contains(&"strict") {
        // An agent with a process of its own is not taken for that process.
        let arena = Arena::new();
        let bot = "import os, signal\nif os.fork() == 0: signal.pause()\n".to_owned() + WHO;
        let bot = put(&arena, "who", &bot);
        let run = arena.run(&["doctor", "--sandbox", "strict", "--format", "json", "--agent", &bot]);
        let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!((&report["ready"], &report["look"]["children"]), (&true.into(), &1.into()), "{report}");
    }
    let run = Arena::new().run(&["doctor", "--agent", "sh -c 'echo no weights >&2; exit 4'"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("It did not become ready: ") && run.stdout.contains("no weights"), "{}", run.stdout);
    let run = Arena::new().run(&["doctor", "--agent", "/nowhere/bot"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let run = Arena::new().run(&["doctor", "--sandbox-network"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

/// A container, say, in which root may change its user, but nobody the mounts.
#[test]
fn where_folders_cannot_be_opened_for_one_agent_the_one_in_the_way_is_named() {
    let without_mounts = ["--bounding-set=-sys_admin", env!("CARGO_BIN_EXE_maumau")];
    let has_setpriv =
        std::process::Command::new("setpriv").arg("--version").output().is_ok_and(|run| run.status.success());
    if !has_python() || !is_root() || !has_setpriv {
        return;
    }
    let arena = Arena::new();
    let bot = put(&arena, "bot", WHO);
    let play = |folder: u32| {
        std::fs::set_permissions(arena.folder(), PermissionsExt::from_mode(folder)).expect("rights");
        let words = ["play", "--quiet", "--seat", &bot, "--seat", "maumau agent first"];
        let mut run = std::process::Command::new("setpriv");
        run.args(without_mounts).args(words).current_dir(arena.folder()).output().expect("it runs")
    };
    let run = play(0o755);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let run = play(0o700);
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(2), "{said}");
    let folder = arena.folder().canonicalize().expect("a folder");
    assert!(
        said.contains(&format!("cannot come to what it needs, since {} is closed to them", folder.display())),
        "{said}"
    );
}
