//! Real processes that misbehave: the arena ends well, the honest seat has no fault, the record is sound, and nothing is
//! left behind (issue 2, "What bad input gets").

mod arena;

use std::time::{Duration, Instant};

use serde_json::Value;

use arena::{Arena, HONEST, Run};

/// What becomes of a bot that misbehaves.
struct Case {
    /// The mode of tests/bots/bad_bot.py, or a whole command.
    bot: &'static str,
    arguments: &'static [&'static str],
    /// Its faults by name; `None` for as many as the game brings, but at least one.
    faults: &'static [(&'static str, Option<u64>)],
    dismissed: bool,
    /// Words of its last fault or dismissal in the record.
    words: &'static str,
}

const fn case(
    bot: &'static str,
    faults: &'static [(&'static str, Option<u64>)],
    dismissed: bool,
    words: &'static str,
) -> Case {
    Case { bot, arguments: &[], faults, dismissed, words }
}

const SHORT: &[&str] = &["--move-ms", "300", "--set", "turn_cap=8"];
const QUICK_START: &[&str] = &["--start-ms", "1200"];

const fn with(mut case: Case, arguments: &'static [&'static str]) -> Case {
    case.arguments = arguments;
    case
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    // Form.
    case("garbage", &[("not_json", Some(3))], true, "expected"),
    case("array", &[("wrong_shape", Some(3))], true, "JSON object"),
    case("utf16", &[("not_json", Some(3))], true, ""),
    case("blank", &[("flood", Some(1))], true, "more than 64 lines"),
    case("no-such-card", &[("wrong_shape", Some(3))], true, "/card"),
    case("no-such-verb", &[("unknown_verb", Some(3))], true, "unknown verb \"dance\""),
    case("wrong-id", &[("unknown_id", Some(3))], true, "0000000000000000"),
    case("wrong-game", &[("unknown_game", Some(3))], true, "\"another\""),
    case("second-ready", &[("out_of_place", Some(3))], true, "a second time"),
    case("two-answers", &[("stale_id", Some(3))], true, "has been answered"),
    // Wrong moves.
    with(case("illegal", &[("wrong_card", None)], false, ""), &["--set", "turn_cap=40"]),
    case("not-held", &[("not_in_hand", Some(3))], true, "not in the hand"),
    case("wait", &[("not_an_answer", Some(3))], true, "no answer"),
    // Time.
    with(case("silent", &[("slow", None)], false, ""), SHORT),
    with(case("half-a-line", &[("slow", None)], false, ""), SHORT),
    with(case("late", &[("slow", None)], false, ""), SHORT),
    with(case("never-reads", &[("slow", None)], false, ""), SHORT),
    // Starting.
    case("exit-at-start", &[("not_started", Some(1))], true, "cannot find my weights"),
    case("/nowhere/bot", &[("not_started", Some(1))], true, "/nowhere/bot cannot be started"),
    case("/etc/hostname", &[("not_started", Some(1))], true, "/etc/hostname cannot be started"),
    case("slow-start", &[], false, ""),
    with(case("never-ready", &[("not_started", Some(1))], true, "not ready within 1200 ms"), QUICK_START),
    case("wrong-version", &[("not_started", Some(1))], true, "the agent speaks \"maumau/9\", this arena speaks \"maumau/1\""),
    case("banner", &[("not_started", Some(1))], true, "the first line was not \"ready\""),
    case("act-before-ready", &[("not_started", Some(1))], true, "the first line was not \"ready\""),
    // Ending.
    case("exit-after-ready", &[("gone", Some(1))], true, "closed its output"),
    case("exit-mid-game", &[("gone", Some(1))], true, "exit status: 3"),
    case("crash-mid-game", &[("gone", Some(1))], true, "signal: 11"),
    case("exit-with-child", &[("gone", Some(1))], true, "exit status: 7"),
    case("close-stdout", &[("gone", Some(1))], true, "closed its output"),
    case("close-stdin", &[("gone", Some(1))], true, "does not read its input"),
    case("ignore-the-end", &[], false, ""),
    case("leave-child", &[], false, ""),
    // Streams.
    case("flood", &[("flood", Some(1))], true, "more than 64 lines"),
    case("flood-after-ready", &[("flood", Some(1))], true, "more than 64 lines"),
    with(case("long-line", &[("line_too_long", Some(1)), ("slow", None)], false, "over 65536 bytes"), SHORT),
    case("flood-stderr", &[], false, ""),
    // A shell that never comes to be a bot.
    case("sh -c 'exec sleep 0.1'", &[("not_started", Some(1))], true, "closed its output"),
];

fn check(case: &Case) {
    let Case { bot, faults, dismissed, words, .. } = case;
    let command = if bot.contains('/') || bot.contains(' ') { (*bot).to_owned() } else { arena::bad_bot(bot) };
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    let run = arena
        .play(&[&["--seat", &command, "--seat", HONEST, "--seed", "3", "--format", "json"], case.arguments].concat());
    assert_eq!(run.code, Some(0), "{bot}: {run:?}");
    let shown: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{bot}: {error}: {run:?}"));

    assert_eq!(shown["faults"][1], serde_json::json!({}), "{bot}: the honest seat has no fault");
    let found = shown["faults"][0].as_object().expect("faults by name");
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, faults.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "{bot}: {found:?}");
    for (name, count) in faults.iter().filter_map(|(name, count)| count.map(|count| (name, count))) {
        assert_eq!(found[*name], count, "{bot}: {name}");
    }
    assert_eq!(
        shown["result"]["dismissed"],
        if *dismissed { serde_json::json!([0]) } else { serde_json::json!([]) },
        "{bot}"
    );
    assert_eq!(shown["result"]["rounds"], 1, "{bot}");
    if *dismissed {
        assert_eq!(shown["result"]["places"], serde_json::json!([2, 1]), "{bot}: the honest seat is first");
    }

    let text = std::fs::read_to_string(&record).expect("a record");
    let said = |line: &&str| line.starts_with(r#"{"entry":"fault""#) || line.starts_with(r#"{"entry":"dismissed""#);
    let last: Value = serde_json::from_str(text.lines().rfind(said).unwrap_or("{}")).expect("a line is JSON");
    let message = last["message"].as_str().unwrap_or_default();
    assert!(message.contains(words), "{bot}: {message:?} instead of {words:?}");
    let verify = arena.run(&["verify", &record]);
    assert_eq!((verify.code, verify.stdout.lines().last()), (Some(0), Some("1 passed, 0 failed")), "{bot}");
    assert!(verify.stdout.contains(shown["digest"].as_str().expect("a digest")), "{bot}");

    assert!(run.peak_kib < 64 * 1024, "{bot}: the arena took {} KiB", run.peak_kib);
    arena.assert_nothing_left(bot);
}

/// Most of the time is waiting, so several cases wait side by side.
#[test]
fn a_bad_bot_gets_the_verdict_of_the_fault_table_and_nobody_else_suffers() {
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    while let Some(case) = CASES.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                        check(case);
                    }
                })
            })
            .collect();
        for worker in workers {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
}

#[test]
fn two_bad_bots_at_one_table_still_come_to_a_result() {
    for (one, other) in [("garbage", "exit-mid-game"), ("exit-at-start", "/nowhere/bot")] {
        let arena = Arena::new();
        let command = |bot: &str| if bot.contains('/') { bot.to_owned() } else { arena::bad_bot(bot) };
        let run = arena.play(&["--seat", &command(one), "--seat", &command(other), "--format", "json"]);
        assert_eq!(run.code, Some(0), "{one} and {other}: {run:?}");
        let shown: Value = serde_json::from_str(&run.stdout).expect("a result");
        assert_eq!(shown["result"]["dismissed"], serde_json::json!([0, 1]), "{one} and {other}");
        arena.assert_nothing_left(one);
    }
}

/// Ctrl-C while two agents think: the arena ends them and says so.
#[test]
fn an_interrupt_ends_the_arena_and_every_agent() {
    let arena = Arena::new();
    let bot = arena::bad_bot("tell-start");
    let child = arena.start(&["play", "--seat", &bot, "--seat", &bot, "--move-ms", "60000"]);
    let started = || {
        std::fs::read_dir(arena.folder())
            .expect("a folder")
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("started-"))
            .count()
    };
    let patience = Instant::now();
    while started() < 2 {
        assert!(patience.elapsed() < Duration::from_secs(10), "the agents were not started");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(arena.processes().len(), 3, "the arena and two agents");
    let interrupted = Instant::now();
    child.interrupt();
    let run: Run = child.wait();
    assert_eq!(run.code, Some(130), "{run:?}");
    assert!(run.stderr.contains("interrupted"), "{run:?}");
    assert!(interrupted.elapsed() < Duration::from_secs(4), "{:?}", interrupted.elapsed());
    arena.assert_nothing_left("after Ctrl-C");
}
