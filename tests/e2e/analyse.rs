//! `maumau analyse` as a person types it: a game of every rule set, the text for people, and what cannot be judged. Whether a
//! decision is judged rightly is tested in `arena/analysis`.

use serde_json::Value;

use crate::arena::{Arena, HONEST};

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
