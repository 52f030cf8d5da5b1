//! Leagues of several rule sets: played, interrupted, put together and shown, each rule set alone and all together.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

use crate::league_place::{Place, slow_league};
use serde_json::Value;

const LEAGUE: &str = r#"public_seed = true
name = "both"
rules = ["skat", { set = "snap", rounds = 2, options = { dealing = "dealer" } }]
seats = 2
games_per_pairing = 4
seed = 7

[[agent]]
name = "greedy"
command = "maumau agent greedy"

[[agent]]
name = "first"
command = "maumau agent first"

[[agent]]
name = "random"
command = "maumau agent random"
"#;

fn json(place: &Place, arguments: &str) -> Value {
    serde_json::from_str(&place.check(arguments, 0).0).expect("JSON")
}

/// `text` without the line that has `varies`: it differs from machine to machine.
fn without(text: &str, varies: &str) -> String {
    let (varying, others): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.contains(varies));
    assert_eq!(varying.len(), 1, "{text}");
    others.join("\n")
}

#[test]
fn every_built_in_rule_set_is_explained_in_whole_sentences() {
    let names = Command::new(env!("CARGO_BIN_EXE_maumau")).args(["rules", "list", "--format", "json"]).output();
    let names: Value = serde_json::from_slice(&names.expect("maumau runs").stdout).expect("JSON");
    for set in names.as_array().expect("sets") {
        let name = set["name"].as_str().expect("a name");
        let printed = Command::new(env!("CARGO_BIN_EXE_maumau"))
            .args(["rules", "explain", name])
            .env("LC_ALL", "C.UTF-8")
            .output();
        let printed = String::from_utf8(printed.expect("maumau runs").stdout).expect("UTF-8");
        insta::assert_snapshot!(format!("rules_explain_{name}"), printed);
    }
}

fn verify(place: &Place, run: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maumau"));
    let verified = command.current_dir(place.0.path()).args(["verify", run]).output().expect("maumau runs");
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

#[test]
fn every_group_plays_each_rule_set_and_tables_show_them_apart_and_together() {
    let place = Place::new(LEAGUE);
    let (_, said) = place.check("run league.toml", 0);
    assert!(said.contains("24 games played, 24 of 24"), "{said}");
    insta::assert_snapshot!("two_rule_sets", place.check("show league.maumau --all", 0).0);
    verify(&place, "league.maumau");

    let report = json(&place, "show league.maumau --format json");
    assert_eq!((&report["rules"], &report["rule_sets"][1]["rounds"]), (&"skat, snap".into(), &2.into()));
    let games = |tables: &Value| {
        let rows = tables["standings"]["rows"].as_array().expect("rows").iter();
        rows.map(|row| (row["name"].to_string(), row["games"].as_u64().expect("a number"))).collect::<BTreeMap<_, _>>()
    };
    assert!(games(&report).values().all(|games| *games == 16));
    for set in ["skat", "snap"] {
        let alone = &report["by_rules"][set];
        assert!(games(alone).values().all(|games| *games == 8), "{alone}");
        assert!(alone["ratings"]["greedy"]["rating"].is_number() && alone["differences"].is_array(), "{alone}");
    }

    let (csv, _) = place.check("show league.maumau --format csv", 0);
    insta::assert_snapshot!("two_rule_sets_as_csv", csv);
    let (markdown, _) = place.check("show league.maumau --format markdown", 0);
    assert!(markdown.contains("## By snap alone"), "{markdown}");
    let (page, _) = place.check("show league.maumau --format html", 0);
    assert!(page.contains(">By rule set<") && page.contains("snap: 12 games, 6 deals"), "{page}");
}

#[test]
fn exports_and_records_say_by_which_rule_set_a_game_was_played() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --quiet", 0);
    place.check("export league.maumau --games-to games.jsonl --seats-to seats.csv", 0);
    let text = fs::read_to_string(place.path("games.jsonl")).expect("games");
    let mut by_rules: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for line in text.lines() {
        let game: Value = serde_json::from_str(line).expect("JSON");
        let (count, rounds) = by_rules.entry(game["rules"].as_str().expect("a text").to_owned()).or_default();
        *count += 1;
        *rounds += game["rounds"].as_u64().expect("a number");
    }
    assert_eq!(by_rules, BTreeMap::from([("skat".to_owned(), (12, 12)), ("snap".to_owned(), (12, 24))]));
    place.check("export league.maumau --to records", 0);
    let record = |game: &str| fs::read_to_string(place.path(&format!("records/{game}.jsonl"))).expect("a record");
    assert!(record("g000-d0000-r0").contains("\"name\":\"skat\""));
    assert!(record("g000-d0001-r0").contains("\"name\":\"snap\""));
}

#[test]
fn the_status_of_a_run_says_what_is_in_doubt_by_each_rule_set() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --quiet", 0);
    let (text, _) = place.check("status league.maumau", 0);
    insta::assert_snapshot!(without(&text, " games/s "), @"
    both: 24 of 24 games (complete) in league.maumau
    widest interval of a score: 0.529 (first)
    undecided: 3 of 3 pairs
    skat: 12 of 12 games, widest interval 0.684 (first), undecided: 3 of 3 pairs
    snap: 12 of 12 games, widest interval 0.836 (first), undecided: 3 of 3 pairs
    ");
    let status = json(&place, "status league.maumau --format json");
    let (whole, snap) = (&status["widest_interval"], &status["by_rules"]["snap"]);
    assert_eq!((&snap["games"], &snap["planned"]), (&12.into(), &12.into()), "{status}");
    let width = |interval: &Value| interval["width"].as_f64().expect("a width");
    assert!(width(&snap["widest_interval"]) > width(whole), "half the games: {status}");
    assert!(snap["undecided_pairs"].as_u64() <= Some(3), "{status}");
}

#[test]
fn a_killed_run_and_parts_make_the_games_of_one_run() {
    let slow = slow_league(8).replace("rules = \"skat\"", "rules = [\"skat\", \"snap\"]").replace("= 8", "= 4");
    let place = Place::new(&slow);
    let mut run = place.start("run league.toml --quiet", 2);
    run.kill().expect("the process is there");
    run.wait().expect("it ends");
    assert!(place.games() < 24);
    place.check("run league.toml --quiet", 0);
    verify(&place, "league.maumau");
    for part in 1..=2 {
        place.check(&format!("run league.toml --quiet --shard {part}/2 --run part-{part}.maumau"), 0);
    }
    place.check("merge part-1.maumau part-2.maumau --to whole.maumau", 0);
    for tables in ["--format json", "--games --format csv"] {
        let shown = |run: &str| place.check(&format!("show {run} {tables}"), 0).0;
        assert_eq!(shown("whole.maumau"), shown("league.maumau"), "{tables}");
    }
}

#[test]
fn every_format_plays_each_rule_set_equally_often() {
    for (schedule, games) in [
        ("format = \"sample\"\n[stop]\ngames = 24", 24),
        ("format = \"gauntlet\"\nchallengers = [\"first\"]", 16),
        ("format = \"swiss\"\nrounds = 2", 16),
        ("format = \"ladder\"\n[stop]\ngames = 24", 24),
    ] {
        let place = Place::new(&LEAGUE.replacen("\n[[agent]]", &format!("\n[schedule]\n{schedule}\n\n[[agent]]"), 1));
        place.check("run league.toml --quiet", 0);
        let report = json(&place, "show league.maumau --format json");
        let by = |set: &str| report["by_rules"][set]["standings"]["games"].as_u64().expect("a number");
        assert_eq!((by("skat"), by("snap")), (games / 2, games / 2), "{schedule}");
        verify(&place, "league.maumau");
    }
}

#[test]
fn other_rule_sets_are_another_league() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --quiet", 0);
    let changes = [("[\"skat\", {", "[{"), ("rounds = 2", "rounds = 3"), ("\"dealer\"", "\"referee\"")];
    let said = changes.map(|(before, now)| {
        place.write("league.toml", &LEAGUE.replace(before, now));
        format!("# {before} is now {now}\n{}", place.check("run league.toml", 2).1)
    });
    insta::assert_snapshot!(said.join("\n"), @r#"
    # ["skat", { is now [{
    maumau: league.maumau holds a run of other games than league.toml asks for: the list of rule sets was skat, snap and is now snap; the option absent_limits of snap was not there and is now 3; the option dealing of snap was not there and is now dealer; the option decks of snap was not there and is now by_seats; the option false_call_costs of snap was not there and is now false; the option illegal of snap was not there and is now refused; the option inturn_free_finish of snap was not there and is now owed; the option mau_mau_double of snap was not there and is now false; the option musts of snap was not there and is now called; the option points of snap was not there and is now values; the option slow of snap was not there and is now referee; the option three_two_players of snap was not there and is now literal. Go on with the league as it was, or name another run file with --run

    # rounds = 2 is now rounds = 3
    maumau: league.maumau holds a run of other games than league.toml asks for: rounds was 1, 2 and is now 1, 3. Go on with the league as it was, or name another run file with --run

    # "dealer" is now "referee"
    maumau: league.maumau holds a run of other games than league.toml asks for: the option dealing of snap was dealer and is now referee. Go on with the league as it was, or name another run file with --run
    "#);
    place.write("league.toml", LEAGUE);
    let (printed, _) = place.check("run league.toml --dry-run --run new.maumau", 0);
    insta::assert_snapshot!(without(&printed, " at once here: "), @"
    24 games would be played: both of skat, snap at tables of 2, 3 groups, 4 games of a group by each rule set; the run file is new.maumau
    from g000-d0000-r0 to g002-d0003-r1

     agent  | games | seat 0 | seat 1 | files | command
    ================================================================
     greedy |    16 |      8 |      8 |     0 | maumau agent greedy
     first  |    16 |      8 |      8 |     0 | maumau agent first
     random |    16 |      8 |      8 |     0 | maumau agent random
    ");
}

#[test]
fn a_rule_set_that_does_not_fit_the_seats_is_refused_with_place_and_remedy() {
    let agents: String = (0..13)
        .map(|number| format!("\n[[agent]]\nname = \"n{number}\"\ncommand = \"maumau agent first\"\n"))
        .collect();
    let text = LEAGUE.replace("seats = 2", "seats = 16").replace("_pairing = 4", "_pairing = 16") + &agents;
    let place = Place::new(&text);
    let output = place.tournament("run league.toml").stdout(Stdio::null()).output().expect("maumau runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    insta::assert_snapshot!(said, @r#"maumau: league.toml:3:10: rules[0]: skat: 16 seats; 2 to 8 can play; leave "skat" out, or change the number of seats"#);
}
