//! `maumau play`, `verify` and `replay` as a person types them. Leagues are in `tournament`, bad bots in
//! `tests/torture`.

use std::process::Command;

use maumau_referee::record::{Chain, Entry, Header, Meta, read_line};
use serde_json::Value;

use crate::arena::{Arena, HONEST, bad_bot};

const TWO: [&str; 4] = ["--seat", HONEST, "--seat", "maumau agent greedy"];

#[test]
fn the_result_is_one_json_object() {
    let arena = Arena::new();
    let run = arena.play(
        &[&TWO[..], &["--rules", "skat", "--rounds", "3", "--seed", "7", "--format", "json", "--quiet"]].concat(),
    );
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 1);
    let shown: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(shown["schema"], "maumau-result/1");
    assert_eq!(shown["rules"], "skat");
    assert_eq!(shown["names"], serde_json::json!(["first", "greedy"]));
    assert_eq!(shown["result"]["rounds"], 3);
    assert_eq!(shown["faults"], serde_json::json!([{}, {}]));
}

#[test]
fn the_same_seed_and_the_same_bots_give_the_same_digest() {
    let play = |arguments: &[&str]| {
        let arena = Arena::new();
        let run = arena.play(&[&TWO[..], &["--format", "json"], arguments].concat());
        let shown: Value = serde_json::from_str(&run.stdout).expect("JSON");
        (shown["digest"].clone(), shown["seed"].as_str().expect("a seed").to_owned())
    };
    let (digest, seed) = play(&["--seed", "7"]);
    assert_eq!(play(&["--seed", "7"]).0, digest);
    assert_eq!(play(&["--seed", &seed]).0, digest, "the seed that is shown is the one that was meant");
    assert_ne!(play(&["--seed", "8"]).0, digest);
    assert_ne!(play(&["--seed", "7", "--set", "slow_cards=1"]).0, digest, "the rules are part of the game");
    assert_ne!(play(&[]).1, play(&[]).1, "without a seed the operating system gives one");
}

#[test]
fn a_bot_of_this_program_that_is_named_alone_is_recognised() {
    let run = Arena::new().play(&["--seat", "greedy", "--seat", "maumau agent first"]);
    assert!(run.code == Some(2) && run.stderr.contains("write --seat 'maumau agent greedy'\n"), "{run:?}");
}

#[test]
fn quiet_shows_the_result_and_nothing_else() {
    let arena = Arena::new();
    let loud = arena.play(&[&TWO[..], &["--seed", "7"]].concat());
    let quiet = arena.play(&[&TWO[..], &["--seed", "7", "--quiet"]].concat());
    insta::assert_snapshot!(quiet.stdout, @"
    1. greedy                      1 of 1 round won
    2. first                       0 of 1 round won
    ");
    assert!(loud.stdout.contains(&quiet.stdout));
}

#[test]
fn a_match_its_record_and_what_each_seat_saw_are_shown_alike() {
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    let match_of_two = [&["play", "--record", &record], &TWO[..], &["--seed", "11"]].concat();
    let seat = |seat| ["replay", &record, "--seat", seat];
    let positions = ["replay", &record, "--seat", "1", "--positions"];
    let commands = [&match_of_two, &["verify", &record][..], &["replay", &record], &seat("0"), &seat("1"), &positions];
    insta::assert_snapshot!(commands.map(|command| arena.run_shown(command)).join("\n"));
}

#[test]
fn the_last_moves_of_a_record_are_written_as_a_picture() {
    let arena = Arena::new();
    let two =
        ["--seat", "maumau agent first", "--seat", "maumau agent greedy", "--rules", "skat", "--seed", "11", "--quiet"];
    assert_eq!(arena.play(&two).code, Some(0));
    let (record, file) = (arena.path("game.jsonl"), arena.path("moves.svg"));
    let drawn = |more: &[&str]| {
        let run = arena.run(&[&["replay", &record, "--picture", &file][..], more].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        std::fs::read_to_string(&file).expect("a picture")
    };
    let moving = drawn(&[]);
    assert!(moving.matches("@keyframes").count() >= 11 && moving.contains("wins the match"), "{}", &moving[..2_000]);
    let still = drawn(&["--until", "3", "--still"]);
    assert!(!still.contains("@keyframes") && still.starts_with("<svg "), "{}", &still[..200]);
    let seen = drawn(&["--until", "3", "--still", "--seat", "1"]);
    assert!(seen.matches("#card-back").count() > still.matches("#card-back").count(), "closed hands");
    assert!(drawn(&["--until", "3"]).contains(">3. "), "the move at which it ends");
    let beyond = arena.run(&["replay", &record, "--picture", &file, "--until", "9999"]);
    assert_eq!(beyond.code, Some(2), "{beyond:?}");
    assert!(beyond.stderr.contains("--until 9999: the game has the moves 0 to "), "{beyond:?}");
}

#[test]
fn rules_that_winners_add_are_played_recorded_checked_and_shown() {
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    let bots = ["first", "greedy", "random"].map(|bot| format!("maumau agent {bot}"));
    let seats: Vec<&str> = bots.iter().flat_map(|bot| ["--seat", bot.as_str()]).collect();
    let run =
        arena.run(&[&["play", "--record", &record, "--rules", "bartok", "--seed", "11", "-q"], &seats[..]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(arena.run(&["verify", &record]).code, Some(0));
    for seat in [&["replay", &record][..], &["replay", &record, "--seat", "2"]] {
        let shown = arena.run(seat);
        let lines = |words: &str| shown.stdout.lines().filter(|line| line.contains(words)).count();
        assert_eq!((lines(" may add one of these rules: "), lines(" adds a rule: ")), (5, 5), "{shown:?}");
    }
}

#[test]
fn a_record_is_checked_against_the_commitment_of_its_start() {
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    arena.play(&[&TWO[..], &["--seed", "11"]].concat());
    let text = std::fs::read_to_string(&record).expect("a record");
    let header: Value = serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
    let seed = header["seed"].as_str().and_then(maumau_protocol::seed::unhex).expect("a seed");
    let game = header["game"].as_str().expect("a game");
    let commitment = maumau_engine::commitment(game, &maumau_protocol::Seed(seed));
    let verify = |commitment: &str| arena.run(&["verify", "--commitment", commitment, &record]);
    assert_eq!(verify(&commitment).code, Some(0));
    let other = verify(&"0".repeat(64));
    assert_eq!(other.code, Some(1));
    assert!(
        other.stdout.contains(&format!(
            "another seed than the arena was committed to: the commitment to this one is {commitment}"
        )),
        "{other:?}"
    );
    assert_eq!(arena.run(&["verify", "--commitment", &commitment, &record, &record]).code, Some(2));
}

#[test]
fn a_record_that_was_changed_is_named_with_its_line() {
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    arena.play(&[&TWO[..], &["--seed", "11"]].concat());
    let text = std::fs::read_to_string(&record).expect("a record");
    let lines: Vec<&str> = text.lines().collect();
    let without_line_5 = [&lines[..4], &lines[5..]].concat().join("\n") + "\n";
    let mut printed = String::new();
    for (what, changed) in [
        ("the seat of a line", text.replacen("\"seat\":1", "\"seat\":0", 1)),
        ("without line 5", without_line_5),
        ("another format", text.replacen("maumau-record/2", "maumau-record/1", 1)),
        ("the beginning", lines[..5].join("\n") + "\n" + &lines[5][..20]),
        ("without its last line", lines[..lines.len() - 1].join("\n") + "\n"),
        ("nothing", String::new()),
    ] {
        std::fs::write(&record, &changed).expect("a file");
        printed +=
            &format!("# {what}\n{}{}", arena.run_shown(&["verify", &record]), arena.run_shown(&["replay", &record]));
    }
    insta::assert_snapshot!(printed);
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_others_of_its_folder_from_being_checked() {
    let arena = Arena::new();
    arena.play(&[&TWO[..], &["--seed", "11"]].concat());
    let text = std::fs::read_to_string(arena.path("game.jsonl")).expect("a record");
    let folder = arena.path("records");
    std::fs::create_dir(&folder).expect("a folder");
    for name in ["a", "b", "d", "e"] {
        let text = if name == "d" { text.replacen("\"seat\":1", "\"seat\":0", 1) } else { text.clone() };
        std::fs::write(format!("{folder}/{name}.jsonl"), text).expect("a file");
    }
    std::os::unix::fs::symlink("/nowhere", format!("{folder}/c.jsonl")).expect("a link");
    insta::assert_snapshot!(arena.run_shown(&["verify", &folder]), @"
    $ maumau verify FOLDER/records
    FOLDER/records/a.jsonl: sound, 40 lines, digest 12e1e69c07554150ed6103ed093fb3bed3ac643adec48fc8ab1b9ca1fcb814ce
    FOLDER/records/b.jsonl: sound, 40 lines, digest 12e1e69c07554150ed6103ed093fb3bed3ac643adec48fc8ab1b9ca1fcb814ce
    FOLDER/records/c.jsonl: No such file or directory (os error 2)
    FOLDER/records/d.jsonl: line 4: its checksum does not fit: the line was changed, or a line before it was dropped, doubled, moved or put in
    FOLDER/records/e.jsonl: sound, 40 lines, digest 12e1e69c07554150ed6103ed093fb3bed3ac643adec48fc8ab1b9ca1fcb814ce
    a digest covers the game; `meta` is outside it: times, void deadlines, sandbox level and permits (SPEC 9.4)
    3 passed, 2 failed
    exit code 1
    ");
    let verify = arena.run(&["verify", "--format", "json", &folder]);
    assert_eq!((verify.code, verify.stdout.lines().count()), (Some(1), 1), "{verify:?}");
    let found: Value = serde_json::from_str(&verify.stdout).expect("JSON");
    assert_eq!(
        (&found["passed"], &found["failed"], &found["not_in_digest"][0]),
        (&3.into(), &2.into(), &"meta".into())
    );
    let sound: Vec<bool> = (0..5).map(|at| found["records"][at]["sound"].as_bool().expect("a verdict")).collect();
    assert_eq!(sound, [true, true, false, false, true]);
    assert_eq!(found["records"][0]["digest"], found["records"][4]["digest"]);
    assert!(found["records"][3]["error"].as_str().is_some_and(|error| error.starts_with("line ")), "{found}");
}

/// `record` with another header, as written by someone who knows how lines are sealed.
fn forged(record: &str, change: impl Fn(&mut Header)) -> Vec<u8> {
    let (mut chain, mut written) = (Chain::default(), Vec::new());
    let mut read = Chain::default();
    for line in record.lines() {
        match read_line(line, &mut read).expect("a sound record") {
            (Entry::Header(mut header), meta) => {
                change(&mut header);
                chain.write(&Entry::Header(header), &meta, &mut written);
            }
            (Entry::End(_), _) => chain.write_end(&mut written),
            (entry, meta) => chain.write(&entry, &meta, &mut written),
        }
    }
    written
}

#[test]
fn what_a_forged_record_says_cannot_steer_a_terminal() {
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    arena.play(&[&TWO[..], &["--seed", "11"]].concat());
    let text = std::fs::read_to_string(&record).expect("a record");
    for (name, words) in [
        ("\u{1b}[2J", "the character \\u{1b} in names"),
        ("a\u{2028}b", "the character \\u{2028} in names"),
        (&"x".repeat(10_000_000), "10000000 characters in a text of names; at most are 64"),
    ] {
        std::fs::write(&record, forged(&text, |header| header.names[0] = name.to_owned())).expect("a file");
        let verify = arena.run(&["verify", &record]);
        assert_eq!(verify.code, Some(1), "{words}");
        assert!(verify.stdout.contains(words) && verify.stdout.len() < 1_000, "{words}: {:.1000}", verify.stdout);
    }
    // The kind of an entry is quoted.
    let (mut chain, mut written) = (Chain::default(), br#"{"entry":"\u001b[2J"}"#.to_vec());
    chain.seal(0, &Meta::default(), &mut written);
    std::fs::write(&record, &written).expect("a file");
    for command in ["verify", "replay"] {
        let printed = arena.run(&[command, &record]);
        let printed = printed.stdout + &printed.stderr;
        assert!(printed.contains("unknown variant `\\u{1b}[2J`"), "{command}: {printed}");
    }
}

#[test]
fn a_deleted_current_directory_is_named_with_what_was_looked_for() {
    let arena = Arena::new();
    let folder = arena.path("gone");
    let script = format!("rmdir '{folder}'; exec \"$@\"");
    for (arguments, what) in [(&[][..], " .: "), (&["--record", "game.jsonl"], " game.jsonl: ")] {
        std::fs::create_dir(&folder).expect("a folder");
        let mut play = Command::new("sh");
        play.current_dir(&folder).args(["-c", &script, "sh", env!("CARGO_BIN_EXE_maumau"), "play"]).args(TWO);
        let output = play.args(arguments).output().expect("maumau runs");
        let printed = String::from_utf8_lossy(&output.stderr);
        let expected = format!("{what}the current directory, from which it is looked for, cannot be found");
        assert!(output.status.code() == Some(3) && printed.contains(&expected), "{printed}");
    }
}

#[test]
fn wrong_usage_is_answered_with_a_sentence_that_helps() {
    let arena = Arena::new();
    let two = [&["play"], &TWO[..]].concat();
    let wrong = [
        [&two[..], &["--rules", "skatt"]].concat(),
        [&two[..], &["--rules", "/nowhere.toml"]].concat(),
        [&two[..], &["--set", "dek=52"]].concat(),
        [&two[..], &["--set", "deck"]].concat(),
        [&two[..], &["--set", "deck=53"]].concat(),
        [&two[..], &["--set", "rounds=0"]].concat(),
        [&two[..], &["--seed", "x"]].concat(),
        [&two[..], &["--seed", "1.5"]].concat(),
        [&two[..], &["--format", "xml"]].concat(),
        [&two[..], &["--seat", "python3 'open"]].concat(),
        [&two[..], &["--seat", " "]].concat(),
        [&two[..], &["--serve=127.0.0.1:0"]].concat(),
        [&two[..], &["--addr", "127.0.0.1:0"]].concat(),
        vec!["play", "--seat", HONEST],
        [&["play", "--set", "packs=1"][..], &["--seat", HONEST].repeat(6)].concat(),
        vec!["play"],
        [&["play"][..], &["--seat", HONEST].repeat(11)].concat(),
        vec!["replay", "/nowhere.jsonl"],
        vec!["replay", "game.jsonl", "--step"],
        vec!["verify", "/nowhere.jsonl"],
        vec!["tournament", "report", "league.maumau", "--html", "report.html"],
        vec!["agent", "best"],
    ];
    insta::assert_snapshot!(wrong.map(|arguments| arena.run_shown(&arguments)).join("\n"));
    assert_eq!(arena.processes(), Vec::<String>::new(), "wrong usage");
}

#[test]
fn a_record_that_cannot_be_written_is_noticed_before_the_match() {
    let arena = Arena::new();
    let run = arena.run(&[&["play"], &TWO[..], &["--record", "/nowhere/game.jsonl"]].concat());
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stderr.contains("/nowhere/game.jsonl cannot be written"), "{run:?}");
    assert_eq!(run.stdout, "", "no match was played");
}

#[test]
fn a_match_is_refused_with_the_last_words_of_an_agent_that_does_not_start() {
    let arena = Arena::new();
    let printed = [
        "/nowhere/bot",
        "no-such-program-anywhere",
        "sh -c 'echo loading >&2; echo no weights >&2; exit 7' bot.sh",
        "cat",
    ]
    .map(|bad| {
        let record = arena.path("game.jsonl");
        let printed = arena.run_shown(&["play", "--record", &record, "--seat", HONEST, "--seat", bad]);
        let page = std::fs::read_to_string(arena.path("game.fault-reports/game-seat1.txt")).expect("a fault report");
        assert!(page.contains(bad), "{bad}: {page}");
        assert!(!arena.folder().join("game.jsonl").exists(), "{bad}: there is no such game");
        printed
    });
    insta::assert_snapshot!(printed.join("\n"));
    let run = arena.run(&["play", "--format", "json", "--seat", HONEST, "--seat", "/nowhere/bot"]);
    let shown: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((run.code, &shown["result"]), (Some(2), &Value::Null), "{run:?}");
    assert_eq!(shown["faults"], serde_json::json!([{}, {"not_started": 1}]));
    assert_eq!(shown["not_started"][0]["seat"], 1, "{shown}");
    assert_eq!(arena.processes(), Vec::<String>::new(), "nobody is left");
}

#[test]
fn what_is_wrong_with_a_command_is_printed_with_what_to_write() {
    let arena = Arena::new();
    std::fs::write(arena.path("mine.py"), "import sys\nsys.exit(3)\n").expect("a file");
    let commands = ["mine.py", "./mine.py", "TOKEN=1 python3 mine.py", "python3 mine.py | tee log"];
    let printed = commands.map(|command| {
        let mut play = std::process::Command::new(env!("CARGO_BIN_EXE_maumau"));
        play.args(["play", "--quiet", "--seat", HONEST, "--seat", command]).current_dir(arena.folder());
        let printed = String::from_utf8(play.output().expect("maumau runs").stderr).expect("text");
        format!("# {command}\n{}", printed.replace(env!("CARGO_BIN_EXE_maumau"), "maumau"))
    });
    insta::assert_snapshot!(printed.join("\n"));
}

#[test]
fn the_last_line_says_who_was_dismissed() {
    let arena = Arena::new();
    let bad = bad_bot("start", "exit-after-handshake");
    for quiet in [&["--quiet"][..], &[]] {
        let run = arena.play(&[&["--seed", "3", "--seat", HONEST, "--seat", &bad], quiet].concat());
        assert_eq!(run.code, Some(0), "the match was played: {run:?}");
        assert_eq!(run.stdout.lines().next_back(), Some("dismissed: start"), "{}", run.stdout);
    }
    assert!(!arena.play(&[&TWO[..], &["--quiet"]].concat()).stdout.contains("dismissed"));
}

#[test]
fn what_is_wrong_with_an_agent_is_shown_at_its_move() {
    let quick = ["--seed", "5", "--move-ms", "200", "--seat", HONEST, "--seat"];
    for (family, kind, words) in [
        ("form", "not-json", "         the agent sent what is this?\n"),
        ("clock", "no-flush", " or does it keep its output back (flush it after every line)?\n"),
        ("moves", "illegal-card", "as penalty (refused too often)\n"),
    ] {
        let arena = Arena::new();
        let run = arena.play(&[&quick[..], &[&bad_bot(family, kind)]].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stdout.contains(words), "{kind}: no {words:?} in {}", run.stdout);
        let replay = arena.run(&["replay", &arena.path("game.jsonl")]);
        assert!(replay.stdout.contains(words), "a record says the same: {kind}: {}", replay.stdout);
    }
}

#[test]
fn two_bots_of_one_program_are_distinguished() {
    let arena = Arena::new();
    let (mau, illegal) = (bad_bot("moves", "wish-missing"), bad_bot("moves", "wish-invalid"));
    let run = arena.play(&["--seed", "3", "--seat", &mau, "--seat", &illegal, "--seat", HONEST, "--seat", HONEST]);
    for name in ["moves wish-missing", "moves wish-invalid", "first", "first 2"] {
        assert!(run.stdout.contains(&format!("{name} ")), "no {name:?} in {}", run.stdout);
    }
}

/// The arena, run through a shell that sets `limits` first.
fn limited(arena: &Arena, limits: &str, arguments: &str) -> std::process::Output {
    let line =
        format!("{limits}; exec {} play --seat '{HONEST}' --seat '{HONEST}' {arguments}", env!("CARGO_BIN_EXE_maumau"));
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &line]).current_dir(arena.folder()).output().expect("a shell")
}

#[test]
fn a_stderr_that_takes_nothing_changes_no_game() {
    let arena = Arena::new();
    for closed in ["2>/dev/full", "2>&-"] {
        let output = limited(&arena, "true", &format!("--seed 7 {closed}"));
        assert_eq!(output.status.code(), Some(0), "{closed}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("digest "), "{closed}: {output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn too_few_files_for_any_game_are_reported_before_it_begins() {
    let output = limited(&Arena::new(), "ulimit -n 8", "");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(
        printed.contains("this program may have 8 files open at once") && printed.contains("ulimit -n"),
        "{printed}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_without_room_for_an_agent_costs_nobody_a_game() {
    let arena = Arena::new();
    let output = limited(&arena, "ulimit -n 20", "--start-ms 300 --record game.jsonl");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(printed.contains("no room") && printed.contains("ulimit -n"), "{printed}");
    assert!(!arena.folder().join("game.jsonl").exists(), "there is no such game");
}

#[cfg(target_os = "linux")]
#[test]
fn a_record_that_may_not_grow_is_an_error_and_no_crash() {
    let arena = Arena::new();
    let output = limited(&arena, "ulimit -f 1", "--record game.jsonl");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(printed.contains("game.jsonl cannot be written"), "{printed}");
}
