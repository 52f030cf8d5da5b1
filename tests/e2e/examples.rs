//! Every example of every help page of `maumau` runs. Only that they run is tested; what commands do is tested in the
//! other files.

use std::path::Path;

use crate::example_pages::{Except, check};

/// Creates the files that the examples mention.
const BEFORE: &[&str] = &[
    "maumau tournament run league.toml --quiet",
    "maumau tournament run my-league.toml --quiet",
    "maumau tournament run my-cup.toml --quiet",
    "maumau tournament export my-league.maumau --seeds seeds.csv",
    "maumau tournament run my-league.toml --shard 1/2 --run part-1.maumau --quiet",
    "maumau tournament run my-league.toml --shard 2/2 --run part-2.maumau --quiet",
    "maumau play --quiet --seed 1 --seat 'python3 my_bot.py' --seat 'maumau agent first' --seat './my_bot --verbose' --record game.jsonl",
    "maumau club new my-club",
];

/// Why an example is not run here; the browser tests run it.
const SERVES: &str = "serves pages until it is interrupted";

const EXCEPT: Except = Except {
    smaller: &[
        (
            "maumau check --fail-fast -- node my_bot.mjs",
            "maumau check --rules basic --games 1 --fail-fast -- python3 my_bot.py",
        ),
        ("maumau duel 'python3 my_bot.py' greedy", "maumau duel 'python3 my_bot.py' greedy --games 100"),
        (
            "maumau duel 'maumau agent search --simulations 1000' search --rules skat",
            "maumau duel 'maumau agent search --simulations 10' first --rules skat --games 100",
        ),
        (
            "maumau duel 'python3 new.py' 'python3 old.py' --rules skat --rules snap",
            "maumau duel 'python3 my_bot.py' 'python3 my_bot.py' --rules skat --rules snap --games 100",
        ),
        ("maumau puzzles --rules skat --rules makao", "maumau puzzles --rules skat --rules makao --most 2"),
        ("maumau analyse game.jsonl --deep --seat 0", "maumau analyse game.jsonl --quick --seat 0"),
        ("maumau analyse my-league.maumau --quick --games 20", "maumau analyse my-league.maumau --quick --games 1"),
        (
            "maumau analyse my-league.maumau --quick --games 20 --agent mine",
            "maumau analyse my-league.maumau --quick --games 1 --agent mine",
        ),
        ("maumau tournament demo", "maumau tournament demo --games 8 --folder small-run"),
        (
            "maumau tournament demo --games 100 --folder first-run",
            "maumau tournament demo --games 8 --folder first-run",
        ),
        ("maumau tournament demo --rules snap", "maumau tournament demo --rules snap --games 2 --folder snap-run"),
        ("maumau club new my-club", "maumau club new first-club"),
        ("maumau club new my-club --rules skat --seats 3", "maumau club new skat-club --rules skat --seats 3"),
        ("maumau check -- python3 my_bot.py", "maumau check --rules basic --games 1 -- python3 my_bot.py"),
        (
            "maumau check --rules skat --rules snap --games 10 -- ./my_bot --fast",
            "maumau check --rules skat --rules snap --games 1 -- ./my_bot --fast",
        ),
        ("maumau doctor", "maumau doctor --sandbox none"),
        ("maumau rules stats", "maumau rules stats --games 2"),
        ("maumau rules stats snap --bots greedy --games 1000", "maumau rules stats snap --bots greedy --games 100"),
        ("maumau rules stats my-rules.toml --seats 3", "maumau rules stats my-rules.toml --seats 3 --games 4"),
    ],
    not_run: &[
        ("maumau serve", SERVES),
        ("maumau club serve", "plays until it is interrupted, as in tests/e2e/club.rs"),
        ("maumau club revoke", "needs a member with a token, as in tests/e2e/club.rs"),
        ("maumau club ban", "needs a member with a token, as in tests/e2e/club.rs"),
        ("maumau club pause", "needs a version, as in tests/e2e/club.rs"),
        ("maumau club resume", "needs a version, as in tests/e2e/club.rs"),
        ("maumau club withdraw", "needs a version, as in tests/e2e/club.rs"),
        ("maumau club disqualify", "needs a version, as in tests/e2e/club.rs"),
        ("maumau club rerun", "needs a finished game, as in tests/e2e/club.rs"),
        ("maumau club freeze", "needs a season that has begun, as in tests/e2e/club.rs"),
        ("maumau club thaw", "needs a frozen ladder, as in tests/e2e/club.rs"),
        ("maumau club finals", "needs a season with bots, as in tests/e2e/club.rs"),
        ("maumau club backup", "writes beside the folder of the tests; see tests/e2e/club.rs"),
        ("maumau submit", "needs a club that is served, as in tests/e2e/club.rs"),
        ("maumau learn ", "a person learns, as a script does in tests/e2e/learn.rs"),
        ("maumau play --seat human", "a person plays, as a script does in tests/e2e/terminal.rs"),
        ("maumau watch league.maumau --games", "needs a terminal, as in tests/e2e/terminal.rs"),
        ("maumau cluster", "needs a NATS server; tests/cluster plays with one"),
        ("maumau tournament run my-league.toml --nats", "needs a NATS server; tests/cluster plays with one"),
        ("sudo maumau doctor", "needs root, another user and a control group of its own"),
        ("maumau tournament add", "needs a run that is played, as in tests/e2e/run_life.rs"),
        ("maumau tournament retire", "needs a run that is played, as in tests/e2e/run_life.rs"),
        ("maumau tournament replace", "needs a run that is played, as in tests/e2e/run_life.rs"),
        ("maumau tournament stop", "ends the run of another process, as tests/e2e/run_life.rs does"),
    ],
};

#[test]
fn every_example_of_every_help_page_runs() {
    let (pages, ran) = check(Path::new(env!("CARGO_BIN_EXE_maumau")), BEFORE, &EXCEPT);
    assert!(pages > 20 && ran > 20, "{pages} pages, {ran} examples");
}
