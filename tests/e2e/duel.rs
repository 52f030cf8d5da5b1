//! `maumau duel`: a result in one line, a run file that other commands read, and what is wrong said before a game is played.

use std::fs;

use crate::arena::Arena;

#[test]
fn a_duel_says_who_is_better_and_keeps_its_games() {
    let arena = Arena::new();
    let folder = arena.path("duels");
    let duel = |a: &str, b: &str| {
        arena.run(&[
            "duel", a, b, "--rules", "basic", "--rules", "skat", "--games", "600", "--folder", &folder, "--quiet",
        ])
    };
    let run = duel("greedy", "maumau agent random");
    assert_eq!(run.code, Some(0), "{run:?}");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{run:?}");
    for (line, rules) in lines.into_iter().zip(["basic", "skat"]) {
        assert!(line.starts_with(&format!("{rules}: greedy scores ")), "{line}");
        assert!(line.contains(") against random in ") && line.contains(": better, shown after "), "{line}");
    }
    let show = arena.run(&["tournament", "show", &format!("{folder}/greedy-random-skat.maumau")]);
    assert!(show.code == Some(0) && show.stdout.contains("Decided by betting"), "{show:?}");
    // The bot may be another one by now, so the next duel begins from nothing.
    let again = duel("random", "greedy");
    assert!(
        again.stdout.starts_with("basic: random scores 0.") && again.stdout.contains("not better, shown after"),
        "{again:?}"
    );
    duel("greedy", "random");
    assert!(fs::exists(format!("{folder}/greedy-random-basic-2.maumau")).expect("a folder"));
}

#[test]
fn a_duel_of_equal_bots_ends_with_its_budget() {
    let arena = Arena::new();
    let folder = arena.path("duels");
    let run = arena.run(&["duel", "first", "first", "--seats", "3", "--games", "100", "--folder", &folder, "-q"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let (begin, end) = ("basic: first scores 0.500 (", "neither shown to be better nor to be not better\n");
    assert!(run.stdout.starts_with(begin) && run.stdout.ends_with(end), "{run:?}");
    assert!(run.stdout.contains(") against first 2 in 102 games of 34 deals: "), "{run:?}");
}

#[test]
fn a_duel_is_played_by_any_rules_that_have_a_name() {
    let arena = Arena::new();
    let folder = arena.path("duels");
    let run = arena.run(&["duel", "greedy", "first", "--rules", "makao", "--games", "100", "--folder", &folder, "-q"]);
    assert!(run.code == Some(0) && run.stdout.starts_with("makao: greedy scores 0."), "{run:?}");
}

#[test]
fn what_is_wrong_with_a_duel_is_said_before_a_game() {
    let arena = Arena::new();
    for (arguments, reason) in [
        (["--rules", "basik"], "--rules basik: "),
        (["--mu1", "0.5"], "--mu1 0.5: expected a score above 0.5"),
        (["--seats", "1"], "'--seats <SEATS>': 1 is not in 2..=16"),
    ] {
        let run = arena.run(&[&["duel", "first", "greedy", "--folder", &arena.path("duels")], &arguments[..]].concat());
        assert!(run.code == Some(2) && run.stderr.contains(reason), "{run:?}");
    }
    let run = arena.run(&["duel", "no-such-program", "also-not-there", "--folder", &arena.path("duels")]);
    assert!(run.code == Some(2) && run.stderr.contains("no-such-program"), "{run:?}");
}
