//! `maumau learn` as lines of a pipe; on a terminal it is in `terminal`. Every answer of every lesson is tested without processes in
//! `arena/src/cli/learn.rs`.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::arena::Arena;

/// Learns from `lines`; returns the exit code and what was written.
fn learn(arguments: &[&str], lines: &str) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_maumau"))
        .arg("learn")
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    // A learner who ended it reads no more.
    _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    let output = child.wait_with_output().expect("a child");
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}

#[test]
fn lessons_are_learnt_through_a_pipe_and_the_exit_code_says_whether_all_were_solved() {
    let (code, text) = learn(&["basic"], "play qc\nplay th\ndraw\n");
    assert_eq!(code, Some(1), "{text}");
    let parts =
        ["1 of ", "Your cards: ", "No. The queen of clubs", "Right. The ten of hearts", "2 of ", "Right. ", "3 of "];
    let mut rest = text.as_str();
    for part in parts {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("{part:?} is not in {text}")).1;
    }
    assert!(rest.contains("2 of "), "{rest}");

    let (code, text) = learn(&["basic"], "play th\nquit\n");
    assert_eq!(code, Some(0), "{text}");
    let last = text.rsplit("\n1 of ").next().unwrap_or_default();
    assert!(last.contains(" lessons solved"), "{text}");
}

#[test]
fn sets_are_listed_and_what_is_no_lesson_is_refused() {
    let arena = Arena::new();
    let listed = arena.run(&["learn"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    assert!(listed.stdout.contains("tschau-sepp"), "{}", listed.stdout);
    let json: serde_json::Value =
        serde_json::from_str(&arena.run(&["learn", "--format", "json"]).stdout).expect("a list as JSON");
    let sets = json.as_array().expect("a list");
    assert!(sets.iter().all(|set| listed.stdout.contains(set["title"].as_str().expect("a title"))), "{json}");
    for (arguments, said) in [
        (&["learn", "skta"][..], "no lessons for \"skta\"; did you mean \"skat\"?"),
        (&["learn", "skat", "--lesson", "99"], "--lesson 99: the lessons of skat are 1 to "),
        (&["learn", "--lesson", "2"], "required"),
    ] {
        let run = arena.run(arguments);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}
