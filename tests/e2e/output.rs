//! How text written by others is shown: whatever an agent, a file or a record contains, no output of any command
//! controls a terminal or has a forged line. It plays with agents that try; how each medium escapes is tested beside
//! the code.

use maumau_protocol::steers;

use crate::arena::{Arena, HONEST, Run, bad_bot};

/// How lines forged here and by the bot `forges-lines` begin.
const FORGED: &str = "FORGED";
const FORGED_LINE: &str = "x\u{2028}\u{202e}\nFORGED line\r\u{1b}[2J";

/// The bot that puts them into speech, notes, stderr and messages.
fn forger() -> String {
    bad_bot("moves", "forges-lines")
}

fn check(what: &str, text: &str) {
    no_steering(what, text);
    let forged = text.split('\n').find(|line| line.trim_start().starts_with(FORGED));
    assert_eq!(forged, None, "{what}:\n{text}");
}

fn no_steering(what: &str, text: &str) {
    let steering: Vec<char> = text.chars().filter(|c| steers(*c) && !matches!(c, '\n' | '\t')).collect();
    assert!(steering.is_empty(), "{what} has {steering:?}:\n{text}");
}

fn check_run(what: &str, code: i32, run: &Run) {
    assert_eq!(run.code, Some(code), "{what}: {run:?}");
    check(what, &run.stdout);
    // An error may quote several lines of a file, indented.
    no_steering(what, &run.stderr);
    assert!(!run.stderr.split('\n').any(|line| line.starts_with(FORGED)), "{what}: {}", run.stderr);
}

/// Every file of a folder: its name and its contents.
fn check_files(folder: &str, but: &str) {
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_str().expect("UTF-8").to_owned();
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)), "{name}");
        if !name.ends_with(but) {
            check(&name, &std::fs::read_to_string(&path).expect("a text"));
        }
        files += 1;
    }
    assert!(files > 0, "{folder} is empty");
}

#[test]
fn a_match_with_a_forger_is_shown_line_by_line() {
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    let forger = forger();
    let seats = ["--seat", &forger, "--seat", HONEST, "--seed", "3"];
    let played = arena.play(&seats);
    check_run("play", 0, &played);
    for words in ["says \"mau", "FORGED line", "notes {", "not_json", "no game"] {
        assert!(played.stdout.contains(words), "the bot was heard: no {words:?} in {}", played.stdout);
    }
    let quiet = arena.play(&[&seats[..], &["--format", "json"]].concat());
    check_run("play --format json", 0, &quiet);
    serde_json::from_str::<serde_json::Value>(&quiet.stdout).expect("JSON");
    for more in [&[][..], &["--seat", "0"], &["--seat", "1", "--positions"]] {
        check_run("replay", 0, &arena.run(&[&["replay", &record][..], more].concat()));
    }
    for format in ["text", "json"] {
        check_run("analyse", 0, &arena.run(&["analyse", &record, "--quick", "--format", format]));
    }
    check_run("verify", 0, &arena.run(&["verify", &record]));
    check_run("feed", 0, &arena.run(&["feed", &record, "--seat", "1", "--", HONEST]));
    let fed = arena.run(&["feed", &record, "--seat", "0", "--", &forger]);
    check_run("feed", fed.code.unwrap_or(-1), &fed);
    check_files(&arena.path("game.fault-reports"), ".jsonl");
    check_run("check", 1, &arena.run(&["check", "--rules", "basic", "--games", "1", "--", &forger]));
}

#[test]
fn a_league_of_hostile_names_is_shown_in_every_format() {
    let arena = Arena::new();
    let (league, run) = (arena.path("l.toml"), arena.path("l.maumau"));
    let name = "<img src=x>=1|2;[a](http://b)";
    let text = format!(
        "name = \"=cmd\\n{FORGED} \\u202e<b>[a](http://b)|c\"\nrules = \"basic\"\nseats = 2\ngames_per_pairing = 2\npublic_seed = true\nseed = 3\n\
         [[agent]]\nname = \"{name}\"\ncommand = \"{}\"\n[[agent]]\nname = \"=1+1\"\ncommand = \"{HONEST}\"\n",
        bad_bot("moves", "illegal-card")
    );
    std::fs::write(&league, text).expect("a league");
    check_run("run", 0, &arena.run(&["tournament", "run", &league]));
    check_run("export", 0, &arena.run(&["tournament", "export", &run, "--to", &arena.path("records")]));
    check_files(&arena.path("records"), ".jsonl");
    check_files(&arena.path("l.fault-reports"), ".jsonl");
    let show = |format: &str| {
        let shown = arena.run(&["tournament", "show", &run, "--times", "--format", format]);
        check_run(format, 0, &shown);
        shown.stdout
    };
    assert!(show("table").contains(name));
    assert!(show("csv").contains("\n1,'=1+1,"));
    assert!(show("csv").contains("\"<img src=x>=1|2;[a](http://b)\""));
    let markdown = show("markdown");
    assert!(markdown.contains(r"\<img src=x\>=1\|2;\[a\]\(http\://b\)"), "{markdown}");
    assert!(!markdown.replace(r"\<", "").contains('<'), "{markdown}");
    let html = show("html");
    assert!(html.contains("&lt;img src=x&gt;=1|2;[a](http://b)</th>") && !html.contains("<img"), "{html}");
    let json: serde_json::Value = serde_json::from_str(&show("json")).expect("JSON");
    assert_eq!(json["league"], format!("=cmd\n{FORGED} \u{202e}<b>[a](http://b)|c"));
}

#[test]
fn files_with_hostile_names_and_texts_forge_nothing() {
    let arena = Arena::new();
    arena.play(&["--seat", HONEST, "--seat", HONEST, "--quiet"]);
    let folder = arena.path("records");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::copy(arena.path("game.jsonl"), format!("{folder}/a\n{FORGED}.jsonl")).expect("a copy");
    std::fs::write(format!("{folder}/b\n{FORGED}\u{202e}.jsonl"), "{\"entry\":\"x\\nFORGED\"}").expect("a file");
    check_run("verify", 1, &arena.run(&["verify", &folder]));
    // Keys and values of rule and league files, in problems and elsewhere.
    let toml: String = FORGED_LINE.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect();
    let rules = arena.path("r.toml");
    std::fs::write(&rules, format!("format = 1\nextends = \"basic\"\ntitle = \"{toml}\"\n\"{toml}\" = \"{toml}\"\n"))
        .expect("a rule file");
    check_run("rules check", 1, &arena.run(&["rules", "check", &rules]));
    check_run("play", 2, &arena.run(&["play", "--rules", &rules, "--seat", HONEST, "--seat", HONEST]));
    let league = arena.path("l.toml");
    std::fs::write(&league, format!("name = \"{toml}\"\nrules = \"{toml}\"\n\"{toml}\" = 1\n")).expect("a league");
    check_run("run", 2, &arena.run(&["tournament", "run", &league]));
    let scenario = arena.path("scenarios");
    std::fs::create_dir(&scenario).expect("a folder");
    std::fs::write(format!("{scenario}/a\n{FORGED}.json"), "{\"name\": \"x\\nFORGED\", \"y\\nFORGED\": 1}")
        .expect("a file");
    check_run("rules test", 1, &arena.run(&["rules", "test", &scenario]));
    let hostile = format!("/nowhere/a\n{FORGED}.jsonl");
    for command in
        [&["verify", &hostile][..], &["replay", &hostile], &["analyse", &hostile], &["tournament", "show", &hostile]]
    {
        check_run(command[0], 2, &arena.run(command));
    }
}

/// `maumau replay` of a small game with these variables set.
fn replay(arena: &Arena, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut replay = std::process::Command::new(env!("CARGO_BIN_EXE_maumau"));
    replay.args(["replay", &arena.path("game.jsonl")]).args(arguments).env_remove("NO_COLOR");
    let output = replay.envs(variables.iter().copied()).output().expect("maumau runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn colours_are_for_terminals_and_for_those_who_force_them() {
    let arena = Arena::new();
    arena.play(&["--seat", HONEST, "--seat", HONEST, "--quiet", "--seed", "3"]);
    let plain = replay(&arena, &[], &[]);
    assert!(!plain.contains('\x1b'), "a pipe has no colours");
    let forced = replay(&arena, &[], &[("CLICOLOR_FORCE", "1")]);
    assert!(forced.contains("\x1b[31m"), "{forced}");
    assert_eq!(replay(&arena, &[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
}

#[test]
fn cards_have_signs_where_the_locale_is_utf_8_and_letters_elsewhere() {
    let arena = Arena::new();
    arena.play(&["--seat", HONEST, "--seat", HONEST, "--quiet", "--seed", "3"]);
    let printed = |locale: &str| replay(&arena, &["--plain"], &[("LC_ALL", locale)]);
    let (signs, letters) = (printed("C.UTF-8"), printed("C"));
    assert!(letters.is_ascii() && !signs.is_ascii(), "{letters}");
    assert_eq!(signs.replace('♠', "s").replace('♥', "h").replace('♦', "d").replace('♣', "c"), letters);
}

#[test]
fn a_replay_as_json_has_a_head_and_an_object_for_each_frame() {
    let arena = Arena::new();
    arena.play(&["--seat", HONEST, "--seat", HONEST, "--quiet", "--seed", "3"]);
    let text = replay(&arena, &["--format", "json", "--times", "--positions"], &[]);
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (head, frames) = lines.split_first().expect("a head");
    assert_eq!(head["schema"], "maumau-replay/1");
    assert_eq!(head["frames"].as_u64(), Some(frames.len() as u64));
    assert_eq!(head["moves"].as_u64(), Some(frames.len() as u64 - 1));
    for (number, frame) in frames.iter().enumerate().skip(1) {
        assert_eq!((&frame["move"], &frame["frame"]), (&number.into(), &number.into()), "{frame}");
        assert!(frame["action"]["do"].is_string() && frame["took_us"].is_u64(), "{frame}");
        assert_eq!(frame["position"]["hands"].as_array().map(Vec::len), Some(2), "{frame}");
        assert!(frame["lines"][0]["text"].as_str().is_some_and(|text| text.starts_with("first")), "{frame}");
    }
    let numbers: Vec<String> = (1..frames.len()).map(|number| format!("{number:>5}  ")).collect();
    let printed = replay(&arena, &[], &[]);
    let printed: Vec<&str> = printed.lines().collect();
    for number in numbers {
        assert_eq!(printed.iter().filter(|line| line.starts_with(&number)).count(), 1, "{number}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_doctor_finds_is_one_json_object() {
    let run = Arena::new().run(&["doctor", "--sandbox", "none", "--sandbox", "basic", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(found["schema"], "maumau-doctor/1");
    assert_eq!(run.code, Some(if found["good"] == true { 0 } else { 1 }), "{run:?}");
    let levels = found["levels"].as_array().expect("levels");
    assert_eq!(levels.iter().map(|level| level["level"].as_str()).collect::<Vec<_>>(), [Some("none"), Some("basic")]);
    for level in levels.iter().filter(|level| level["available"] == true) {
        for tried in level["tried"].as_array().expect("what is tried") {
            assert!(tried["what"].is_string() && tried["promised"].is_boolean(), "{tried}");
            assert!(tried["held"].is_boolean() || tried["held"].is_null(), "{tried}");
        }
    }
}

#[test]
fn a_log_has_agents_faults_and_the_sandbox_and_of_no_secret() {
    let arena = Arena::new();
    let (league, log) = (arena.path("l.toml"), arena.path("l.log"));
    let bad = bad_bot("moves", "illegal-card");
    let text = format!(
        "name = \"logged\"\nrules = \"basic\"\nseats = 2\ngames_per_pairing = 2\npublic_seed = true\nseed = 987654321\n\
         [[agent]]\nname = \"bad\"\ncommand = \"{bad}\"\n[[agent]]\nname = \"good\"\ncommand = \"{HONEST}\"\n"
    );
    std::fs::write(&league, text).expect("a league");
    let run = arena.run(&["tournament", "run", &league, "--quiet", "--log", &log, "--log-format", "json"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let text = std::fs::read_to_string(&log).expect("a log");
    let events: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let spans_of = |message: &str| {
        let event = events.iter().find(|event| event["fields"]["message"] == message);
        let event = event.unwrap_or_else(|| panic!("no {message} in {text}"));
        let spans = event["spans"].as_array().map_or(&[][..], Vec::as_slice);
        spans.iter().map(|span| span["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    for (message, spans) in [
        ("sandbox ready", &[][..]),
        ("run begun", &["run"]),
        ("agent started", &["run", "agent"]),
        ("agent ready", &["run", "agent"]),
        ("fault", &["run", "game", "seat"]),
        ("dismissed", &["run", "game", "seat"]),
        ("agent ended", &["run", "agent"]),
        ("run over", &["run"]),
    ] {
        assert_eq!(spans_of(message), spans, "{message}");
    }
    assert!(!text.contains("game begun"), "that is logged from debug on");
    let seed = maumau_engine::seed_of_number(987_654_321).to_string();
    for secret in ["illegal-card", "987654321", &seed[..16]] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

#[test]
fn a_forger_gets_no_line_of_a_log_and_a_filter_must_be_one() {
    let arena = Arena::new();
    let log = arena.path("play.log");
    let play = |log: &str, more: &[&str]| {
        let play = ["--log", log, "play", "--quiet", "--seed", "3", "--seat", HONEST, "--seat"];
        arena.run(&[&play[..], &[&forger()], more].concat())
    };
    assert_eq!(play(&log, &[]).code, Some(0));
    let text = std::fs::read_to_string(&log).expect("a log");
    check("the log", &text);
    assert!(text.contains("fault") && text.contains("not_json"), "{text}");
    assert!(text.lines().all(|line| line.starts_with("20")), "every line has a time: {text}");
    assert_eq!(play("/nowhere/play.log", &[]).code, Some(3));
    let mut wrong = std::process::Command::new(env!("CARGO_BIN_EXE_maumau"));
    let output = wrong.args(["rules", "list"]).env("MAUMAU_LOG", "maumau=loud").output().expect("maumau runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("MAUMAU_LOG=maumau=loud"), "{output:?}");
}

#[test]
fn what_cannot_be_written_to_stdout_is_an_error_for_every_command() {
    for words in ["--help", "--version", "help play", "tournament run --help", "rules list", "man", "completions bash"]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device that is always full");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_maumau"));
        let output = command.args(words.split(' ')).stdout(full).output().expect("maumau runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(3) && said.contains("No space left on device"), "{words}: {output:?}");
    }
}

#[test]
fn what_holds_no_record_is_said_to_be_what_it_is() {
    let arena = Arena::new();
    let (league, run, empty) = (arena.path("l.toml"), arena.path("l.maumau"), arena.path("empty"));
    std::fs::create_dir(&empty).expect("a folder");
    let agents = format!("[[agent]]\nname = \"a\"\ncommand = \"{HONEST}\"\n[[agent]]\ncommand = \"{HONEST}\"\n");
    std::fs::write(&league, format!("rules = \"basic\"\nseats = 2\ngames_per_pairing = 2\n{agents}"))
        .expect("a league");
    assert_eq!(arena.run(&["tournament", "run", &league]).code, Some(0));
    for command in [&["replay", &run][..], &["feed", &run, "--seat", "0", "--", "x"]] {
        let run = arena.run(command);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.code, Some(2), "{run:?}");
        for word in ["a run file, and no record", "tournament show", "tournament export"] {
            assert!(said.contains(word), "no {word:?} in {said}");
        }
    }
    let run = arena.run(&["verify", &empty]);
    assert!(run.code == Some(2) && run.stderr.contains("there are no records in this folder"), "{run:?}");
}
