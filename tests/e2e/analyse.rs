//! `maumau analyse` as a person types it: a game of every rule set, a run, the text for people, and what cannot be judged. Whether a
//! decision is judged rightly is tested in `arena/analysis`.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::arena::{Arena, HONEST, Run};
use crate::league_place::{LEAGUE, Place};
use crate::tournament::forge;

const TWO: [&str; 4] = ["--seat", HONEST, "--seat", "maumau agent greedy"];

/// What `maumau schema` prints for the output of `maumau analyse`.
fn schema(arena: &Arena) -> jsonschema::Validator {
    let printed = arena.run(&["schema", "analysis"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    jsonschema::validator_for(&serde_json::from_str(&printed.stdout).expect("JSON")).expect("a schema")
}

#[test]
fn a_game_of_every_rule_set_is_judged() {
    let arena = Arena::new();
    let (schema, record) = (schema(&arena), arena.path("game.jsonl"));
    for rules in ["basic", "skat", "deluxe", "snap", "spam", "crazy-eights"] {
        let played = arena.play(&[&TWO[..], &["--rules", rules, "--seed", "7", "--rounds", "1", "--quiet"]].concat());
        assert_eq!(played.code, Some(0), "{played:?}");
        let judged = arena.run(&["analyse", &record, "--quick", "--format", "json"]);
        assert_eq!((judged.code, judged.stderr.as_str()), (Some(0), ""), "{rules}: {judged:?}");
        let found: Value = serde_json::from_str(&judged.stdout).expect("JSON");
        let wrong: Vec<String> = schema.iter_errors(&found).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{rules}: {wrong:?}");
        assert_eq!((&found["rules"], &found["names"][1]), (&rules.into(), &"greedy".into()));
        let moves = std::fs::read_to_string(&record).expect("a record");
        let acts = moves.lines().filter(|line| line.contains("\"entry\":\"act\"")).count();
        let decisions = found["decisions"].as_array().expect("decisions");
        assert!(decisions.len() >= acts && acts > 0, "{rules}: {} decisions, {acts} actions", decisions.len());
        assert!(decisions.iter().any(|decision| decision["judgement"] == "measured"), "{rules}");
    }
}

#[test]
fn the_table_for_people_is_the_same_each_time() {
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    arena.play(&[&TWO[..], &["--rules", "skat", "--seed", "11"]].concat());
    let shown = arena.run_shown(&["analyse", &record, "--quick"]);
    assert_eq!(shown, arena.run_shown(&["analyse", &record, "--quick"]));
    let one_seat = arena.run_shown(&["analyse", &record, "--quick", "--seat", "0"]);
    insta::assert_snapshot!(shown + &one_seat);
}

#[test]
fn what_is_no_sound_record_is_refused_with_a_sentence_and_nothing_is_judged() {
    let arena = Arena::new();
    let record = arena.path("game.jsonl");
    arena.play(&[&TWO[..], &["--seed", "11"]].concat());
    let no_seat = arena.run_shown(&["analyse", &record, "--quick", "--seat", "2"]);
    let both = arena.run(&["analyse", &record, "--quick", "--deep"]);
    assert_eq!((both.code, both.stdout.as_str()), (Some(2), ""), "{both:?}");
    let text = std::fs::read_to_string(&record).expect("a record");
    // Earlier lines hold times, which differ.
    let last = text.rfind("{\"entry\":\"end\"").expect("a last line");
    let mut printed = no_seat;
    for (what, changed) in [
        ("the seat of a line", text.replacen("\"seat\":1", "\"seat\":0", 1)),
        ("another format", text.replacen("maumau-record/2", "maumau-record/1", 1)),
        ("cut off", text[..last + 10].to_owned()),
        ("no record", "league = 1\n".to_owned()),
    ] {
        std::fs::write(&record, changed).expect("a file");
        printed += &format!("# {what}\n{}", arena.run_shown(&["analyse", &record]));
    }
    std::fs::remove_file(&record).expect("a file");
    printed += &format!("# no file\n{}", arena.run_shown(&["analyse", &record]));
    insta::assert_snapshot!(printed);
}

/// A league of three bots with eight games, played.
fn small_run() -> Place {
    let place = Place::new(&LEAGUE.replace("games_per_pairing = 40", "games_per_pairing = 4"));
    place.check("run league.toml --quiet", 0);
    place
}

fn analysed(place: &Place, arguments: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maumau"));
    command.current_dir(place.path("")).arg("analyse").args(arguments.split(' '));
    let output = command.stdin(Stdio::null()).output().expect("maumau runs");
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    Run { code: output.status.code(), stdout, stderr }
}

#[test]
fn a_run_is_judged_once_and_what_was_judged_does_not_depend_on_how() {
    let place = small_run();
    let kept = || std::fs::read(place.path("league.maumau.analysis-quick.jsonl")).expect("judged games");
    let printed = analysed(&place, "league.maumau --quick --agent first --games 3 --calibration --jobs 2");
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let lines = kept();
    let again = analysed(&place, "league.maumau --quick --agent first --games 3 --calibration --jobs 2");
    assert_eq!((again.stdout, kept()), (printed.stdout.clone(), lines.clone()), "nothing is judged twice");
    // A process that was killed left half a line.
    std::fs::write(place.path("league.maumau.analysis-quick.jsonl"), &lines[..lines.len() * 2 / 3]).expect("a file");
    let resumed = analysed(&place, "league.maumau --quick --agent first --games 3 --calibration --jobs 1");
    assert_eq!((resumed.stdout, kept()), (printed.stdout.clone(), lines), "it went on");
    insta::assert_snapshot!(printed.stdout);
}

#[test]
fn the_analysis_of_a_run_is_as_its_schema_says() {
    let place = small_run();
    let printed = Arena::new().run(&["schema", "run-analysis"]).stdout;
    let schema = jsonschema::validator_for(&serde_json::from_str(&printed).expect("JSON")).expect("a schema");
    for more in ["", " --agent first", " --agent greedy --calibration"] {
        let found = analysed(&place, &format!("league.maumau --quick --games 2 --format json{more}"));
        assert_eq!(found.code, Some(0), "{found:?}");
        let found: Value = serde_json::from_str(&found.stdout).expect("JSON");
        let wrong: Vec<String> = schema.iter_errors(&found).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{more}: {wrong:?}");
        assert_eq!((&found["games"], found["calibration"].is_null()), (&2.into(), !more.contains("--cal")), "{found}");
        if !more.is_empty() {
            let choices = |rows: &Value| -> u64 {
                rows.as_array().into_iter().flatten().filter_map(|row| row["choices"].as_u64()).sum()
            };
            let all = choices(&found["agents"]);
            assert!(all > 0);
            for question in ["kinds", "parts", "hands"] {
                assert_eq!(choices(&found["where"][question]), all, "{question}: each decision is in one group");
            }
        }
    }
}

#[test]
fn what_of_a_run_cannot_be_judged_is_said_in_a_sentence_and_nothing_is_marked() {
    let place = small_run();
    let kept = place.path("league.maumau.analysis-quick.jsonl");
    let mut printed = String::new();
    let mut show = |arguments: &str| {
        let run = analysed(&place, arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        printed += &format!("$ maumau analyse {arguments}\n{}", run.stderr);
    };
    show("league.maumau --quick --agent fist");
    show("league.maumau --quick --seat 0");
    show("league.toml --quick --games 2");
    assert!(!kept.exists(), "nothing was judged");
    std::fs::write(&kept, "{\"schema\":\"maumau-judged-games/0\"}\n").expect("a file");
    show("league.maumau --quick --games 1");
    std::fs::remove_file(&kept).expect("a file");
    // As if another engine had played it.
    forge(&place.path("league.maumau"), "UPDATE games SET digest = zeroblob(32)");
    show("league.maumau --quick --games 1");
    let lines = std::fs::read_to_string(&kept).unwrap_or_default();
    assert!(lines.lines().count() <= 1, "no game was judged: {lines}");
    insta::assert_snapshot!(printed);
}

#[test]
fn what_is_kept_of_a_run_is_in_its_report_and_in_its_exports() {
    let place = small_run();
    let page = || place.check("show league.maumau --format html", 0).0;
    assert!(!page().contains("id=\"decisions\""), "nothing was judged");
    assert_eq!(analysed(&place, "league.maumau --quick --games 3").code, Some(0));
    let shown = page();
    let said = "3 of 12 finished games were judged by maumau analyse (quick: 2,000 playouts";
    assert!(shown.contains(said) && shown.contains("Where <bdi>first</bdi> loses"), "{shown}");
    place.check("export league.maumau --judged-to judged.csv --decisions-to moves.jsonl.zst", 0);
    let kept = std::fs::read_to_string(place.path("league.maumau.analysis-quick.jsonl")).expect("judged games");
    let games: Vec<Value> = kept.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let decisions: Vec<&Value> = games.iter().flat_map(|game| game["decisions"].as_array().expect("a list")).collect();
    let csv = std::fs::read_to_string(place.path("judged.csv")).expect("a table");
    let mut lines = csv.lines();
    let columns: Vec<&str> = lines.next().expect("a heading").split(',').collect();
    let of = |name: &str| columns.iter().position(|column| *column == name).expect("a column");
    assert_eq!(lines.clone().count(), decisions.len());
    for (line, decision) in lines.zip(&decisions) {
        let number = line.split(',').nth(of("move")).expect("a cell");
        assert_eq!(number, decision["move"].to_string(), "{line}");
    }
    let packed = std::fs::read(place.path("moves.jsonl.zst")).expect("a table");
    let rows = String::from_utf8(zstd::decode_all(&packed[..]).expect("zstd")).expect("UTF-8");
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let judged: Vec<&Value> = rows.iter().filter(|row| !row["worth_ppm"].is_null()).collect();
    assert_eq!(judged.len(), decisions.len(), "each is in its row");
    for (row, decision) in judged.iter().zip(&decisions) {
        let ppm = |member: &str| (decision[member].as_f64().expect("a number") * 1e6).round();
        assert_eq!((row["worth_ppm"].as_f64(), row["loss_ppm"].as_f64()), (Some(ppm("worth")), Some(ppm("loss"))));
        assert_eq!(row["seat"], decision["seat"]);
        let verb = |action: &Value| ["do", "card", "choose"].map(|member| action[member].clone());
        assert_eq!(verb(&row["action"]), verb(&decision["taken"]), "{row} {decision}");
    }
}

#[test]
fn a_record_that_was_judged_and_kept_is_marked_in_its_replay() {
    let arena = Arena::new();
    let (record, page) = (arena.path("game.jsonl"), arena.path("game.html"));
    arena.play(
        &[
            &["--seat", "maumau agent first", "--seat", "maumau agent greedy"][..],
            &["--rules", "skat", "--seed", "11", "--quiet"],
        ]
        .concat(),
    );
    let plain = arena.run(&["replay", &record]).stdout;
    assert!(!plain.contains("points lost"), "{plain}");
    let judged = arena.run(&["analyse", &record, "--quick", "--keep"]);
    assert!(judged.code == Some(0) && judged.stderr.contains("game.jsonl.analysis-quick"), "{judged:?}");
    let marked = arena.run(&["replay", &record]).stdout;
    assert!(marked.contains("points lost.") && marked.contains("    ?    Mistake: to play "), "{marked}");
    let without: Vec<&str> = marked.lines().filter(|line| !line.contains(" of deals, ")).collect();
    assert_eq!(without.join("\n"), plain.trim_end_matches('\n'), "nothing else is new");
    let of_seat = |seat: &str| arena.run(&["replay", &record, "--seat", seat]).stdout.matches("points lost.").count();
    assert_eq!(of_seat("0") + of_seat("1"), marked.matches("points lost.").count(), "each is for the eyes of its seat");
    assert_eq!(arena.run(&["replay", &record, "--html", &page]).code, Some(0));
    let html = std::fs::read_to_string(&page).expect("a page");
    assert!(html.contains("id=\"chances\"") && html.contains("\"mark\":\"mistake\""));
    // Of another engine nothing is shown, and the game is.
    let kept = format!("{record}.analysis-quick");
    let text = std::fs::read_to_string(&kept).expect("what was kept");
    std::fs::write(&kept, text.replacen("\"engine\":\"", "\"engine\":\"0.", 1)).expect("a file");
    let other = arena.run(&["replay", &record]);
    assert!(other.stdout == plain && other.stderr.contains("shown without marks"), "{other:?}");
    // Nor of a game that was played again.
    std::fs::write(&kept, text).expect("a file");
    arena.play(
        &[
            &["--seat", "maumau agent first", "--seat", "maumau agent greedy"][..],
            &["--rules", "skat", "--seed", "12", "--quiet"],
        ]
        .concat(),
    );
    assert!(!arena.run(&["replay", &record]).stdout.contains("points lost"));
}

#[test]
fn puzzles_are_positions_of_judged_games_with_one_best_action() {
    let place = small_run();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maumau"));
        let output = command.current_dir(place.path("")).args(arguments).output().expect("maumau runs");
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        Run { code: output.status.code(), stdout, stderr }
    };
    let none = run(&["puzzles", "league.maumau"]);
    assert!(none.code == Some(2) && none.stderr.contains("`maumau analyse RUN` does that"), "{none:?}");
    assert_eq!(analysed(&place, "league.maumau --quick").code, Some(0));
    let found = run(&["puzzles", "league.maumau", "--most", "5"]);
    let found: Value = serde_json::from_str(&found.stdout).expect("JSON");
    let schema = jsonschema::validator_for(&serde_json::from_str(&run(&["schema", "puzzles"]).stdout).expect("JSON"));
    let wrong: Vec<String> = schema.expect("a schema").iter_errors(&found).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let puzzles = found["puzzles"].as_array().expect("puzzles");
    assert!((1..=5).contains(&puzzles.len()), "{found}");
    for puzzle in puzzles {
        let surely =
            puzzle["lead"].as_f64().expect("a number") - 2.0 * puzzle["lead_error"].as_f64().expect("a number");
        assert!(surely >= 0.2, "{puzzle}");
        let member = |action: &Value| ["do", "card", "choose"].map(|member| action[member].clone());
        let legal = puzzle["legal"].as_array().expect("a list");
        assert!(legal.len() > 1 && legal.iter().any(|legal| member(legal) == member(&puzzle["best"])), "{puzzle}");
        let hand = puzzle["view"]["hand"].as_array().expect("a hand");
        assert!(puzzle["best"]["card"].is_null() || hand.contains(&puzzle["best"]["card"]), "{puzzle}");
    }
    let solved: Vec<bool> = puzzles.iter().filter_map(|puzzle| puzzle["was_solved"].as_bool()).collect();
    assert!(solved.is_sorted(), "those that were not solved come first: {solved:?}");
    assert_eq!(run(&["puzzles", "league.maumau", "--most", "5", "--html", "puzzles.html"]).code, Some(0));
    let page = std::fs::read_to_string(place.path("puzzles.html")).expect("a page");
    assert_eq!(page.matches("<article").count(), puzzles.len());
    assert!(!page.contains("<script"), "it needs none");

    // As a test of an agent: what it did in the run it does again, and who searches finds more.
    let checked = |bot: &str| {
        let words = format!("check --puzzles league.maumau --games 5 --format json -- maumau agent {bot}");
        let checked = run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(checked.code, Some(0), "{checked:?}");
        serde_json::from_str::<Value>(&checked.stdout).expect("JSON")
    };
    let (first, search) = (checked("first"), checked("search"));
    let schema =
        jsonschema::validator_for(&serde_json::from_str(&run(&["schema", "check-puzzles"]).stdout).expect("JSON"));
    let wrong: Vec<String> = schema.expect("a schema").iter_errors(&first).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(first["puzzles"], json!(puzzles.len()));
    assert_eq!(first["solved_then"], json!(solved.iter().filter(|is| **is).count()));
    let solved = [&first, &search].map(|found| found["solved"].as_u64());
    assert!(solved[1] >= solved[0] && solved[1] > Some(0), "{first} {search}");
    let words = run(&["check", "--puzzles", "league.maumau", "--games", "1", "--", "maumau", "agent", "first"]);
    assert!(words.stdout.contains("of 1 puzzle solved"), "{words:?}");
    let silent = run(&["check", "--puzzles", "league.maumau", "--games", "1", "--", "true"]);
    assert!(silent.code == Some(1) && silent.stdout.contains("before it was ready"), "{silent:?}");
}

#[test]
fn puzzles_of_a_rule_set_are_made_by_one_command_and_once() {
    let arena = Arena::new();
    let make = |most: &str| {
        let folder = arena.path("puzzles");
        let made = arena.run(&["puzzles", "--rules", "skat", "--rules", "prsi", "--most", most, "--folder", &folder]);
        (made.code, made.stdout, made.stderr)
    };
    let (code, printed, stderr) = make("3");
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(printed.lines().count(), 2, "{printed}");
    assert!(printed.starts_with("skat: 3 puzzles in "), "{printed}");
    let files = |ending: &str| {
        ["skat", "prsi"].map(|set| std::fs::read(arena.path(&format!("puzzles/{set}.{ending}"))).expect("a file"))
    };
    let before = ["json", "html", "maumau.analysis-quick.jsonl"].map(files);
    assert_eq!((make("3").1, ["json", "html", "maumau.analysis-quick.jsonl"].map(files)), (printed, before));
    let [skat, _] = files("json");
    let skat: Value = serde_json::from_slice(&skat).expect("JSON");
    assert_eq!(skat["puzzles"].as_array().map(Vec::len), Some(3));
    let run = arena.path("puzzles/prsi.maumau");
    let checked = arena.run(&["check", "--puzzles", &run, "--games", "1", "--", "maumau", "agent", "first"]);
    assert!(checked.stdout.contains("of 1 puzzle solved"), "{checked:?}");
    let nowhere = arena.run(&["puzzles", "--rules", "no-such-set", "--folder", &arena.path("none")]);
    assert!(nowhere.code == Some(2) && nowhere.stderr.contains("--rules no-such-set"), "{nowhere:?}");
    assert!(!std::path::Path::new(&arena.path("none")).exists(), "nothing is begun");
    // Another number of puzzles is another run.
    let (code, _, stderr) = make("4");
    assert!(
        code == Some(2) && stderr.contains("is not the league of these puzzles: give another --folder"),
        "{stderr}"
    );
}
