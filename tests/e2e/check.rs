//! `maumau check`, `maumau feed` and fault reports as an author of a bot meets them. It starts real bots; the parts of
//! a check are tested in the arena.

use crate::arena::{Arena, HONEST, Run, bad_bot};

fn check(arguments: &[&str], command: &str) -> Run {
    Arena::new().run(&[&["check", "--games", "1"], arguments, &["--", command]].concat())
}

#[test]
fn a_bot_that_does_nothing_wrong_passes_every_step() {
    let python = format!("python3 {}/../agents/python/careful_bot.py", env!("CARGO_MANIFEST_DIR"));
    for command in [HONEST, &python] {
        let run = check(&["--rules", "skat", "--rules", "spam"], command);
        assert_eq!(run.code, Some(0), "{command}: {run:?}");
        let last = run.stdout.lines().last().unwrap_or_default();
        assert!(last.ends_with(" passed, 0 failed"), "{command}: nothing is left out of a bot with many games: {last}");
        for word in
            ["handshake", "spam at a table of 3", "mixed", "pass", "later version", "\"bye\"", " choose, ", " deal, "]
        {
            assert!(run.stdout.contains(word), "{command}: no {word:?} in {}", run.stdout);
        }
    }
}

#[test]
fn what_is_wrong_is_reported_with_the_line_and_its_path() {
    let quick = &["--rules", "basic", "--move-ms", "400", "--start-ms", "5000"][..];
    for (family, kind, words) in [
        ("form", "missing-id", &["/id: missing", "wrong_shape", r#"the agent sent {"type":"act","game":"check-"#][..]),
        ("form", "not-json", &["not_json", "the agent sent what is this?", r#"the arena sent {"type":"ask""#]),
        ("form", "unknown-member", &["note  /comment: no message has a member of this name"]),
        ("moves", "no-such-card", &["/card", "1X"]),
        ("moves", "not-its-suit", &["the action was refused: wrong_card (B-36)"]),
        ("moves", "no-such-verb", &["unknown verb \"dance\""]),
        ("start", "banner", &["FAIL  handshake: the first line is not \"ready\"", "Welcome to my bot!"]),
        ("start", "exit-1-at-start", &["exit status: 1", "cannot find my weights"]),
        ("start", "second-hello-in-game", &["a second time"]),
        (
            "clock",
            "no-flush",
            &["no answer within 400 ms; its answer came only when it was told to end: does it flush its output after"],
        ),
        (
            "clock",
            "busy-loop",
            &["no answer within 400 ms: it used 0.", "does it think for too long, or is it in an endless loop?"],
        ),
        ("streams", "stderr-escapes-then-crash", &["signal: 6", "\\u{1b}[2J"]),
        ("end", "ignore-sigterm", &["FAIL  the end after \"bye\": it does not end"]),
        ("end", "exit-77-at-the-end", &["ended after ", "exit status: 77", "should exit with 0"]),
    ] {
        let run = check(quick, &bad_bot(family, kind));
        let passes = ["unknown-member", "exit-77-at-the-end"].contains(&kind);
        assert_eq!(run.code, Some(if passes { 0 } else { 1 }), "{kind}: {run:?}");
        for word in words {
            assert!(run.stdout.contains(word), "{kind}: no {word:?} in {}", run.stdout);
        }
        assert!(!run.stdout.contains('\x1b'), "{kind}");
    }
}

#[test]
fn a_seat_is_fed_again_and_answers_that_differ_are_named() {
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    for (rules, seed) in [("basic", "3"), ("skat", "4"), ("deluxe", "5"), ("snap", "6"), ("spam", "7")] {
        arena.play(&["--rules", rules, "--seed", seed, "--seat", "maumau agent greedy", "--seat", HONEST]);
        let feed = |more: &[&str], seat: &str, bot: &str| {
            arena.run(&[&["feed", &record, "--seat", seat], more, &["--", bot]].concat())
        };
        let same = feed(&[], "1", HONEST);
        assert_eq!(same.code, Some(0), "{rules}: {same:?}");
        assert!(same.stdout.ends_with(" the same, 0 different\n"), "{rules}: {}", same.stdout);
        let same = feed(&[], "0", "maumau agent greedy");
        assert_eq!(same.code, Some(0), "{rules}: {same:?}");
        // Whichever seat begins, some of the first moves belong to each seat; they are numbered as a replay numbers them.
        let part = feed(&["--until", "9"], "0", "maumau agent greedy");
        let is_move = |line: &&str| line.starts_with("move ");
        let numbers = part.stdout.lines().filter(is_move).map(|line| line[5..].split(' ').next().expect("a number"));
        let numbers: Vec<u32> = numbers.map(|number| number.parse().expect("a number")).collect();
        assert!(!numbers.is_empty() && numbers.iter().all(|number| *number <= 9), "{rules}: {}", part.stdout);
        let replay = arena.run(&["replay", &record, "--format", "json"]).stdout;
        let moves = replay.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        let moves = moves.filter(|step| step["seat"] == 0 && step["action"].is_object());
        let first: Vec<u64> = moves.filter_map(|step| step["move"].as_u64()).take(numbers.len()).collect();
        assert_eq!(first, numbers.iter().map(|number| u64::from(*number)).collect::<Vec<_>>(), "{rules}");
    }
    let other = arena.run(&["feed", &record, "--seat", "0", "--", HONEST]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(other.stdout.contains("DIFFERENT\n  recorded: {\"do\":"), "{}", other.stdout);
    let any = arena.run(&["feed", &record, "--seat", "0", "--any-answer", "--", HONEST]);
    assert_eq!((any.code, &any.stdout), (Some(0), &other.stdout), "{any:?}");
    let gone = ["sh", "-c", r#"read hello; echo '{"type":"ready","protocol":"maumau/1"}'; read start; read ask"#];
    let gone = arena.run(&[&["feed", &record, "--seat", "0", "--any-answer", "--"], &gone[..]].concat());
    assert_eq!(gone.code, Some(1), "{gone:?}");
    for (option, number, words) in [
        ("--seat", "2", "--seat 2: the game has the seats 0 to 1"),
        ("--until", "99999", "--until 99999: the last move of the game has the number "),
    ] {
        let seat: &[&str] = if option == "--seat" { &[] } else { &["--seat", "0"] };
        let wrong = arena.run(&[&["feed", &record, option, number], seat, &["--", HONEST]].concat());
        assert_eq!(wrong.code, Some(2), "{wrong:?}");
        assert!(wrong.stderr.contains(words), "{wrong:?}");
    }
}

#[test]
fn a_game_with_a_fault_leaves_a_fault_report_and_the_command_that_repeats_it() {
    let arena = Arena::new();
    let bad = format!("{} --from 3", bad_bot("end", "exit-77-mid-game"));
    let run = arena.play(&["--seed", "3", "--quiet", "--seat", HONEST, "--seat", &bad]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.starts_with("1 fault report in "), "{run:?}");
    let page = std::fs::read_to_string(arena.path("game.fault-reports/game-seat1.txt")).expect("a fault report");
    for word in [
        "faults: 1 gone",
        "ended: by itself, with exit status: 77",
        "seed: ",
        "time: 5000 ms a move",
        " > {\"type\":\"ask\"",
        " < {\"type\": \"act\"",
        "rules: basic at 2 seats",
    ] {
        assert!(page.contains(word), "no {word:?} in {page}");
    }
    let program = format!("{} ", env!("CARGO_BIN_EXE_maumau"));
    let command = page.lines().find_map(|line| line.trim().strip_prefix(&program)).expect("a command");
    assert!(run.stderr.contains(command), "the same command is printed");
    let again = arena.run(&command.split(' ').collect::<Vec<_>>());
    // It is fed what it was asked until it was gone, and ends at the same ask.
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.stdout.contains(": the agent is gone: it ended with exit status: 77, as recorded\n"), "{again:?}");
    assert!(again.stdout.ends_with("3 of 3 asks sent: 3 answers the same, 0 different\n"), "{again:?}");
    let silent = arena.run(&["play", "--quiet", "--seed", "3", "--seat", HONEST, "--seat", &bad]);
    assert!(silent.stderr.contains("--fault-reports DIR"), "{silent:?}");
}

/// A bot of the Python kit that does this at its third ask.
fn at_its_third_ask(arena: &Arena, statement: &str) -> String {
    let kit = format!("{}/../agents/python", env!("CARGO_MANIFEST_DIR"));
    let text = format!(
        "import sys\nsys.path.insert(0, {kit:?})\nfrom maumau_kit import Bot, run\n\nclass Mine(Bot):\n    asks = 0\n\n    \
         def choose(self, ask):\n        self.asks += 1\n        if self.asks == 3:\n            {statement}\n        \
         return ask['legal'][0]\n\nrun(Mine)\n"
    );
    let path = arena.path("mine.py");
    std::fs::write(&path, text).expect("a file");
    format!("python3 {path}")
}

#[test]
fn what_fails_in_a_bot_is_shown_and_its_fault_report_makes_it_fail_again() {
    for (statement, counted, again) in [
        ("ask['view']['nope']", "crash", "its code failed: KeyError: 'nope' (mine.py, line 11, in choose); it answers"),
        ("sys.exit('no more')", "gone", "the agent is gone: it ended with exit status: 1, as recorded"),
        ("import os; os.kill(os.getpid(), 9)", "gone", "the agent is gone: it ended with signal: 9 (SIGKILL)"),
    ] {
        let arena = Arena::new();
        let bot = at_its_third_ask(&arena, statement);
        let run = arena.play(&["--sandbox", "none", "--seed", "3", "--seat", HONEST, "--seat", &bot]);
        assert_eq!(run.code, Some(0), "{run:?}");
        let crash = "! mine: crash (its own code failed, and the kit answered in its place: KeyError: 'nope'";
        assert_eq!(run.stdout.contains(crash), counted == "crash", "{run:?}");
        assert!(run.stdout.contains(&format!("mine: 1 {counted}\n")), "{run:?}");
        let page = std::fs::read_to_string(arena.path("game.fault-reports/game-seat1.txt")).expect("a fault report");
        assert!(!page.contains("does it flush"), "the faulty line is why it was silent: {page}");
        let program = format!("{} ", env!("CARGO_BIN_EXE_maumau"));
        let command = page.lines().find_map(|line| line.trim().strip_prefix(&program)).expect("a command");
        let mut words: Vec<&str> = command.split(' ').collect();
        words.splice(1..1, ["--sandbox", "none"]);
        let fed = arena.run(&words);
        assert_eq!(fed.code, Some(0), "{statement}: {fed:?}");
        let third = fed.stdout.lines().nth(2).expect("a third ask");
        assert!(
            third.starts_with("move ") && third.contains(again) && third.ends_with(", as recorded"),
            "{statement}: {third}"
        );
        assert_eq!(page.contains(": crash (its own code failed, and the kit"), counted == "crash", "{page}");
        let other = arena.run(&[&words[..words.len() - 2], &["maumau", "agent", "first"]].concat());
        assert_eq!(other.code, Some(1), "{other:?}");
    }
}

#[test]
fn what_a_bot_prints_is_shown_with_its_move_by_every_command() {
    let arena = Arena::new();
    let bot = at_its_third_ask(&arena, "print('I think\\x1b[2J'); print('of', ask['legal'][0]['do'])");
    let seats = ["--sandbox", "none", "--seed", "3", "--seat", HONEST, "--seat", &bot];
    let quiet = arena.play(&seats);
    assert!(quiet.stdout.contains("written to stderr, which --stderr shows: mine (2 lines)\n"), "{quiet:?}");
    assert!(!quiet.stdout.contains("I think"), "{quiet:?}");
    let shown = arena.play(&[&seats[..], &["--stderr"]].concat());
    let replayed = arena.run(&["replay", &arena.path("game.jsonl")]);
    for text in [&shown.stdout, &replayed.stdout] {
        let at = text.find("mine on stderr: I think\\u{1b}[2J\n").unwrap_or_else(|| panic!("{text}"));
        let rest: Vec<&str> = text[at..].lines().take(3).collect();
        assert!(
            rest[1].ends_with("mine on stderr: of play") || rest[1].ends_with("mine on stderr: of draw"),
            "{rest:?}"
        );
        assert!(rest[2].contains(" mine ") && !rest[2].contains("stderr"), "its move follows: {rest:?}");
    }
    let other = arena.run(&["replay", &arena.path("game.jsonl"), "--seat", "0"]);
    assert!(!other.stdout.contains("stderr"), "{other:?}");
    let verified = arena.run(&["verify", &arena.path("game.jsonl")]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let digest = |text: &str| text.lines().find_map(|line| line.strip_prefix("digest ").map(str::to_owned));
    let silent = at_its_third_ask(&arena, "pass");
    let silent = arena.run(&["play", "--sandbox", "none", "--seed", "3", "--seat", HONEST, "--seat", &silent]);
    assert_eq!(digest(&silent.stdout), digest(&shown.stdout));
    let words: Vec<&str> = bot.split(' ').collect();
    at_its_third_ask(&arena, "print('again')");
    let record = arena.path("game.jsonl");
    let fed = arena.run(&[&["feed", &record, "--sandbox", "none", "--seat", "1", "--"], &words[..]].concat());
    let third: Vec<&str> = fed.stdout.lines().skip(2).take(2).collect();
    assert!(third[0].starts_with("move ") && third[1] == "  stderr | again", "{fed:?}");
    let checked = check(&["--sandbox", "none", "--rules", "basic"], &bot);
    assert!(checked.stdout.contains("      its stderr: again\n"), "{checked:?}");
}

#[test]
fn what_a_bot_prints_once_its_game_is_over_is_kept_too() {
    let arena = Arena::new();
    let bot = at_its_third_ask(&arena, "pass");
    let path = arena.path("mine.py");
    let text = std::fs::read_to_string(&path).expect("the bot");
    let says = "class Mine(Bot):\n    def over(self, over):\n        print('I am', over['result']['places'][1])\n\n";
    std::fs::write(&path, text.replace("class Mine(Bot):\n", says)).expect("a file");
    let shown = arena.play(&["--sandbox", "none", "--seed", "3", "--seat", HONEST, "--seat", &bot, "--stderr"]);
    let replayed = arena.run(&["replay", &arena.path("game.jsonl")]);
    for text in [&shown.stdout, &replayed.stdout] {
        assert!(text.contains("mine on stderr: I am "), "{text}");
    }
    let verified = arena.run(&["verify", &arena.path("game.jsonl")]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

#[test]
fn a_bot_is_checked_at_the_tables_that_it_was_made_for_and_may_take_its_time_to_end() {
    let arena = Arena::new();
    let bot = at_its_third_ask(&arena, "pass");
    let path = arena.path("mine.py");
    let mut text = std::fs::read_to_string(&path).expect("the bot");
    text = text.replace(
        "class Mine(Bot):",
        "class Mine(Bot):\n    def start(self, game):\n        assert len(game['names']) == 3\n",
    );
    text += "import time\ntime.sleep(0.8)\n";
    std::fs::write(&path, &text).expect("a file");
    let run = check(&["--sandbox", "none", "--rules", "skat", "--seats", "3"], &bot);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stdout.contains("skat at a table of 3")
            && !run.stdout.contains("table of 2")
            && !run.stdout.contains("table of 4"),
        "{run:?}"
    );
    assert!(run.stdout.contains("note  an arena kills it 500 ms after"), "{run:?}");
    text = text.replace("run(Mine)", "run(Mine, plays={'rules': ['snap', 'skat'], 'seats': [3]})");
    std::fs::write(&path, &text).expect("a file");
    let run = check(&["--sandbox", "none"], &bot);
    assert_eq!(run.code, Some(0), "{run:?}");
    for words in [
        "rule sets basic, crazy-eights, deluxe, spam: left out, it was not made for them",
        "skat at a table of 3",
        "snap at",
    ] {
        assert!(run.stdout.contains(words), "{run:?}");
    }
    assert!(!run.stdout.contains("basic at") && !run.stdout.contains("table of 2"), "{run:?}");
    let made_for = |set: &str| std::fs::write(&path, text.replace("'snap', 'skat'", set)).expect("a file");
    made_for("'makao'");
    let run = check(&["--sandbox", "none"], &bot);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("makao at a table of 3") && !run.stdout.contains("basic at"), "{run:?}");
    made_for("'chess'");
    let run = check(&["--sandbox", "none"], &bot);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("plays only chess") && run.stderr.contains("name one with --rules"), "{run:?}");
    made_for("'snap', 'skat'");
    let wrong = check(&["--rules", "skat", "--seats", "12"], &bot);
    assert!(wrong.code == Some(2) && wrong.stderr.contains("12"), "{wrong:?}");
}

#[test]
fn a_bot_that_ends_is_shown_with_its_whole_traceback() {
    let arena = Arena::new();
    let path = arena.path("deep.py");
    let calls = (0..12).map(|n| format!("def f{n}():\n    f{}()\n", n + 1)).collect::<String>();
    let text = format!(
        "import json, sys\n{calls}for line in sys.stdin:\n    if 'hello' in line:\n        print(json.dumps({{'type': 'ready', \
         'protocol': 'maumau/1', 'name': 'deep', 'version': '1'}}), flush=True)\n    if '\"ask\"' in line:\n        f0()\n"
    );
    std::fs::write(&path, text).expect("a file");
    let run = arena.run(&["play", "--sandbox", "none", "--seat", HONEST, "--seat", &format!("python3 {path}")]);
    let calls = (0..12).map(|n| format!("in f{n}\n")).collect::<Vec<_>>();
    for line in calls.iter().map(String::as_str).chain(["Traceback (most recent call last):", "NameError: name 'f12'"])
    {
        assert!(run.stderr.contains(line), "{run:?}");
    }
}

/// A bot without a kit; this code gives its answers to asks and `over` as `out`, lines to print.
fn without_a_kit(arena: &Arena, answer: &str) -> String {
    let text = format!(
        "import json, sys, time\nn = 0\nready = {{'type': 'ready', 'protocol': 'maumau/1', 'wants': ['view', 'legal']}}\n\
         for line in sys.stdin:\n    m = json.loads(line)\n    out = [ready] if m['type'] == 'hello' else []\n    \
         if m['type'] == 'bye':\n        break\n    if m['type'] in ('ask', 'over'):\n        ask = m['type'] == 'ask'\n        \
         act = {{'type': 'act', 'game': m['game'], 'id': m.get('id')}}\n        \
         note = {{'type': 'note', 'game': m['game'], 'note': 1}}\n        \
         legal = m.get('legal', [{{}}])\n        {answer}\n    \
         for one in out:\n        print(one if isinstance(one, str) else json.dumps(one), flush=True)\n"
    );
    let path = arena.path("mine.py");
    std::fs::write(&path, text).expect("a file");
    format!("python3 {path}")
}

#[test]
fn the_command_of_a_fault_report_shows_faulty_lines_again_and_waits_no_longer_than_the_game_did() {
    let act = "{'type': 'act', 'game': m['game'], 'id': m['id'], 'do': 'play', 'card': '10H'}";
    let late = "n += 1; bad = n % 3 == 0; react = m.get('what') == 'react'";
    for (rules, answer, fault, message) in [
        ("basic", "out = [act | {'do': 'plya'} if bad else act | legal[0]]", "unknown_verb", "\"do\": \"plya\""),
        ("snap", "out = [act | {'do': 'plya'} if bad else act | legal[0]]", "unknown_verb", "\"do\": \"plya\""),
        ("snap", &format!("out = [{act} if bad else act | legal[0]]"), "wrong_shape", "\"10H\""),
        ("basic", "out = [act | legal[0] | ({'id': '0000000000000003'} if bad else {})]", "unknown_id", "0000000003"),
        ("basic", "out = [act | legal[0]] + ([act | legal[0]] if bad else [])", "stale_id", "the agent sent"),
        ("snap", "out = (['my hand'] if bad else []) + [act | legal[0]]", "not_json", "the agent sent my hand"),
        ("basic", "out = ['my hand'] if bad else [act | legal[0]]", "not_json", "the agent sent my hand"),
        // Asks that were answered with "wait", or not at all, are sent again if a faulty line came.
        (
            "snap",
            "out = ['my hand', act | {'do': 'wait'}] if react else [act | legal[0]]",
            "not_json",
            "\"do\":\"wait\"",
        ),
        ("snap", "out = ['my hand'] if react else [act | legal[0]]", "not_json", "no answer within 2"),
        ("basic", "out = [json.dumps(act | legal[0], indent=1)]", "not_json", "the agent sent {\n"),
    ] {
        let arena = Arena::new();
        let bot = without_a_kit(&arena, &format!("{late}; {answer} if ask else []"));
        // A deadline that is void on a busy machine is asked again, which is a different game.
        let mut games = std::iter::repeat_with(|| {
            arena.play(&[
                "--sandbox",
                "none",
                "--rules",
                rules,
                "--seed",
                "5",
                "--move-ms",
                "200",
                "--seat",
                &bot,
                "--seat",
                HONEST,
            ])
        });
        let run = games.by_ref().take(20).find(|run| !run.stdout.contains(" void, ")).expect("a game in time");
        let page = std::fs::read_to_string(arena.path("game.fault-reports/game-seat0.txt")).expect("a fault report");
        assert!(!page.contains("does it flush"), "the faulty line is why it was silent: {page}");
        let program = format!("{} ", env!("CARGO_BIN_EXE_maumau"));
        let command = page.lines().find_map(|line| line.trim().strip_prefix(&program)).expect("a command");
        let mut words: Vec<&str> = command.split(' ').collect();
        words.splice(1..1, ["--sandbox", "none"]);
        let fed = arena.run(&words);
        assert_eq!(fed.code, Some(0), "{answer}: {run:?} {fed:?}");
        assert_eq!(fed.stderr, "", "it waits no longer than the game did: {answer}");
        assert!(fed.stdout.contains(&format!(": {fault}: ")) && fed.stdout.contains(message), "{answer}: {fed:?}");
        let counted = |text: &str, words: &str| text.lines().filter(|line| line.contains(words)).count();
        let in_game = counted(page.split("ended: ").next().unwrap_or_default(), &format!(": {fault} ("));
        assert_eq!(
            counted(&fed.stdout, &format!(": {fault}: ")),
            in_game,
            "every faulty line is shown: {answer}: {page} {fed:?}"
        );
    }
}

#[test]
fn the_evidence_is_the_line_that_was_sent_and_what_would_have_been_legal() {
    let arena = Arena::new();
    // Answers with an action that only a later version knows, if there is one; otherwise with the first one.
    let newest = without_a_kit(&arena, "out = [act | legal[-1 if 'x_seen' in m else 0]] if ask else []");
    let run = arena.run(&["check", "--games", "1", "--rules", "basic", "--", &newest]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let failure = run.stdout.split("FAIL  ").nth(1).expect("a failure");
    let lines: Vec<&str> = failure.lines().collect();
    assert!(lines[0].starts_with("basic with members, events, actions and messages of a later version"), "{failure}");
    assert!(
        lines[1].contains("the arena sent ") && lines[1].ends_with(r#"{"do":"x_juggle","balls":3}]}"#),
        "{failure}"
    );
    // A card that does not fit: the ask is the one that was answered, not the next one.
    let wrong = check(&["--rules", "basic"], &bad_bot("moves", "not-its-suit"));
    let failure = wrong.stdout.split("FAIL  ").nth(1).expect("a failure");
    let id =
        |line: &str| line.split(r#""id""#).nth(1).map(|rest| rest.split('"').nth(1).unwrap_or_default().to_owned());
    let lines: Vec<&str> = failure.lines().collect();
    assert_eq!(id(lines[1]), id(lines[2]), "{failure}");
    assert!(lines[3].trim_start().starts_with("legal was {\"do\":"), "{failure}");
}

#[test]
fn a_failure_is_shown_once_and_three_like_it_end_the_check() {
    let bot = bad_bot("form", "missing-id");
    let run = check(&[], &bot);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(run.stdout.matches("the agent sent").count(), 1, "{run:?}");
    assert_eq!(run.stdout.matches(": as at \"basic at a table of 2\"").count(), 2, "{run:?}");
    let last: Vec<&str> = run.stdout.lines().rev().take(2).collect();
    assert!(last[1].starts_with("--    the other steps: left out, three steps in a row"), "{run:?}");
    assert_eq!(last[0], "1 passed, 3 failed, 1 left out");
    let fast = check(&["--fail-fast"], &bot);
    assert_eq!((fast.code, fast.stdout.matches("FAIL").count()), (Some(1), 1), "{fast:?}");
    let json = check(&["--format", "json", "--fail-fast"], &bot);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).expect("one object");
    assert_eq!((&report["schema"], &report["failed"]), (&"maumau-check/1".into(), &1.into()), "{report}");
    let schema = Arena::new().run(&["schema", "check"]).stdout;
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON")).expect("a schema");
    let wrong: Vec<String> = schema.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let failed = &report["steps"][1];
    assert_eq!((&failed["step"], &failed["outcome"]), (&"basic at a table of 2".into(), &"failed".into()), "{report}");
    assert!(failed["what"].as_str().is_some_and(|what| what.contains("/id: missing")), "{report}");
    assert!(failed["agent_sent"].as_str().is_some_and(|line| line.contains(r#""type""#)), "{report}");
}

#[test]
fn what_an_author_is_likely_to_get_wrong_is_named() {
    for (answer, words) in [
        ("out = ['thinking...', act | legal[0]] if ask else []", "is it debug output? Write that to standard error"),
        ("out = [json.dumps(act | legal[0], indent=1)] if ask else []", "a message is one line: is this one spread"),
        ("out = [act | legal[0] | {'crash': 'ValueError: x'}] if ask else []", "its own code failed, and the kit"),
    ] {
        let arena = Arena::new();
        let bot = without_a_kit(&arena, answer);
        let run = arena.run(&["check", "--fail-fast", "--games", "1", "--rules", "basic", "--", &bot]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stdout.contains(words), "{words}? {run:?}");
    }
    for (answer, words, others) in [
        ("out = [str(act | legal[0])] if ask else []", "json.dumps(message)", ""),
        ("out = [act | legal[0]] if ask else sys.exit(0)", "more games may follow: read on until \"bye\"", "sandbox"),
        ("{'7': 1}['J']", "its stderr:     {'7': 1}['J']\n", "sandbox"),
        (
            "import os; os.environ['MAUMAU_TOKEN']",
            "MAUMAU_TOKEN is not set here; once it is, --sandbox-env MAUMAU_TOKEN",
            "perhaps",
        ),
        ("import numppy", "No module named 'numppy'", "perhaps"),
    ] {
        let arena = Arena::new();
        let bot = without_a_kit(&arena, answer);
        let run = arena.run(&["check", "--fail-fast", "--games", "1", "--rules", "basic", "--", &bot]);
        assert!(run.code == Some(1) && run.stdout.contains(words), "{words}? {run:?}");
        assert!(others.is_empty() || !run.stdout.contains(others), "{others} has no part in it: {run:?}");
    }
    let arena = Arena::new();
    // A note about a game that is over means nothing (SPEC 6.7).
    let late = without_a_kit(&arena, "out = [act | legal[0]] if ask else [note]");
    let run = arena.run(&["check", "--games", "1", "--rules", "basic", "--", &late]);
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn the_published_schemas_are_printed() {
    let arena = Arena::new();
    let list = arena.run(&["schema"]);
    assert!(
        list.stdout.lines().any(|line| line.starts_with("ask ") && line.ends_with(" An answer is wanted.")),
        "{list:?}"
    );
    let ask = arena.run(&["schema", "ask"]);
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/schema/ask.json");
    assert_eq!(ask.stdout, std::fs::read_to_string(committed).expect("a schema"));
    let unknown = arena.run(&["schema", "aks"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    let said = "there is no schema \"aks\"; did you mean \"ask\"? (known: \"hello\", \"start\", \"ask\", ";
    assert!(unknown.stderr.contains(said), "{unknown:?}");
}
