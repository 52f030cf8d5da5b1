//! The life of a run: agents change, join, leave and get other names, and every finished game stays what it was.

use std::fs;
use std::path::Path;

use crate::league_place::{LEAGUE, Place, games, json, rows, slow_league, wait};
use serde_json::Value;

/// A league in which `mine` is a script in the league's folder.
const WITH_SCRIPT: &str = r#"public_seed = true
name = "small"
rules = "skat"
seats = 2
games_per_pairing = 4
seed = 7

[[agent]]
name = "mine"
command = "sh mine.sh"

[[agent]]
name = "greedy"
command = "maumau agent greedy"

[[agent]]
name = "first"
command = "maumau agent first"
"#;

fn place_with_script() -> Place {
    let place = Place::new(WITH_SCRIPT);
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/shell/first.sh");
    fs::copy(bot, place.path("mine.sh")).expect("the shell bot");
    place
}

fn named(rows: &[(&str, u64)]) -> Vec<(String, u64)> {
    rows.iter().map(|(name, games)| ((*name).to_owned(), *games)).collect()
}

#[test]
fn a_league_does_not_begin_with_an_agent_that_was_not_made_for_its_tables() {
    let place = place_with_script();
    let script = fs::read_to_string(place.path("mine.sh")).expect("the script");
    let made_for = |plays: &str| {
        place.write("mine.sh", &script.replace(r#""games":64"#, &format!(r#""games":64,"plays":{plays}"#)))
    };
    made_for(r#"{"rules":["basic","spam"],"seats":[3]}"#);
    for command in ["run league.toml", "check league.toml"] {
        let (_, said) = place.check(command, 2);
        let expected =
            "so nothing is played\n  mine: it plays basic, spam, not skat; it plays at tables of 3 seats, not of 2\n";
        assert!(said.contains(expected) && !place.path("league.maumau").exists(), "{command}: {said}");
    }
    made_for(r#"{"rules":["skat"]}"#);
    let (_, said) = place.check("run league.toml", 0);
    assert!(said.contains("(complete)"), "{said}");
}

#[test]
fn one_changed_byte_in_a_bots_file_is_refused_by_name_or_joins_as_a_new_version() {
    let place = place_with_script();
    place.check("run league.toml --quiet", 0);
    let before = games(&place, "league.maumau");
    let script = fs::read_to_string(place.path("mine.sh")).expect("the script");
    place.write("mine.sh", &format!("{script}\n"));
    let (_, said) = place.check("run league.toml --quiet", 2);
    assert!(
        said.contains("agent \"mine\" is not the one that played its games: the file mine.sh has changed")
            && said.contains("--new-version plays mine as mine@2 and keeps the games of mine; --again mine plays"),
        "{said}"
    );
    assert_eq!(games(&place, "league.maumau"), before);

    let (_, said) = place.check("run league.toml --new-version", 0);
    assert!(said.contains("mine@2 joins: the file mine.sh has changed"), "{said}");
    assert!(said.contains("8 games played, 20 of 20 in league.maumau (complete)"), "{said}");
    let after = games(&place, "league.maumau");
    assert_eq!(after.iter().filter(|game| before.contains(game)).count(), before.len(), "a finished game is gone");
    assert_eq!(rows(&place, "league.maumau"), named(&[("first", 12), ("greedy", 12), ("mine", 8), ("mine@2", 8)]));
    let (table, _) = place.check("show league.maumau", 0);
    assert!(table.contains("Retired: mine."), "{table}");

    // It goes on with the version that plays, and a further change makes a third one.
    let (_, said) = place.check("run league.toml", 0);
    assert!(said.contains("0 games played, 20 of 20"), "{said}");
    place.write("mine.sh", &script);
    assert!(place.check("run league.toml", 2).1.contains("--new-version plays mine as mine@3"));
    let (_, said) = place.check("run league.toml --again mine", 0);
    assert!(said.contains("8 games played, 20 of 20"), "{said}");
    assert_eq!(rows(&place, "league.maumau").len(), 4);
    verify(&place);
}

/// Every game of the run is sound.
fn verify(place: &Place) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_maumau"));
    let verified = command.current_dir(place.0.path()).args(["verify", "league.maumau"]).output().expect("maumau runs");
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

#[test]
fn what_an_agent_declares_is_a_part_of_it() {
    let place = place_with_script();
    place.write("net.txt", "1");
    let declared = |more: &str| {
        let command = "command = \"sh mine.sh\"\n";
        place.write("league.toml", &WITH_SCRIPT.replace(command, &format!("{command}{more}\n")));
    };
    declared("files = [\"net.txt\"]\nversion = \"1.0\"");
    place.check("run league.toml --quiet", 0);
    place.write("net.txt", "2");
    let refused = |why: &str| {
        let (_, said) = place.check("run league.toml", 2);
        let expected = format!("agent \"mine\" is not the one that played its games: {why}");
        assert!(said.contains(&expected), "{said}");
    };
    refused("the file net.txt has changed");
    place.write("net.txt", "1");
    declared("files = [\"net.txt\"]\nversion = \"1.1\"");
    refused("the version was 1.0 and is now 1.1");
    declared("files = [\"none.txt\"]");
    assert!(place.check("run league.toml", 2).1.contains("agent \"mine\": there is no file or folder none.txt"));
    declared("files = [\"net.txt\"]\nversion = \"1.0\"");
    place.check("run league.toml --quiet", 0);
}

#[test]
fn agents_join_a_run_and_every_finished_game_stays() {
    let place = Place::new(&LEAGUE.replace("= 40", "= 4"));
    place.check("run league.toml --quiet", 0);
    let before = games(&place, "league.maumau");
    let fourth = "\n[[agent]]\nname = \"fourth\"\ncommand = \"maumau agent greedy\"\n";
    // It may stand anywhere in the league file.
    let (head, agents) = LEAGUE.split_once("\n[[agent]]").expect("agents");
    place.write("league.toml", &format!("{head}{fourth}\n[[agent]]{agents}").replace("= 40", "= 4"));
    let (_, said) = place.check("run league.toml", 0);
    assert!(said.contains("fourth joins") && said.contains("12 games played, 24 of 24"), "{said}");
    let after = games(&place, "league.maumau");
    assert!(before.iter().all(|game| after.contains(game)), "a finished game is gone");
    verify(&place);

    // The same as a run that had them all from the beginning.
    place.write("league.toml", &format!("{LEAGUE}{fourth}").replace("= 40", "= 4"));
    assert_eq!(place.check("show league.maumau --format json", 0).0, place.standings_of_another_run());
}

#[test]
fn agents_retire_come_back_and_get_other_names() {
    let place = Place::new(&LEAGUE.replace("= 40", "= 4"));
    place.check("run league.toml --quiet", 0);
    let with = |games: u64, change: &dyn Fn(String) -> String| {
        place.write("league.toml", &change(LEAGUE.replace("= 40", &format!("= {games}"))));
    };
    with(6, &|league| league.replace("name = \"random\"", "name = \"random\"\nretired = true"));
    let (_, said) = place.check("run league.toml", 0);
    assert!(said.contains("random retires") && said.contains("2 games played, 14 of 14"), "{said}");
    assert_eq!(rows(&place, "league.maumau"), named(&[("first", 10), ("greedy", 10), ("random", 8)]));
    // Once it has retired it may leave the league file.
    let without = |league: String| league[..league.rfind("\n[[agent]]").expect("an agent")].to_owned();
    with(6, &without);
    assert!(place.check("run league.toml", 0).1.contains("0 games played, 14 of 14"));
    with(6, &|league| league);
    let (_, said) = place.check("run league.toml", 0);
    assert!(said.contains("random plays again") && said.contains("4 games played, 18 of 18"), "{said}");

    let renamed = |league: String| league.replace("name = \"greedy\"", "name = \"champ\"\nrenamed_from = \"greedy\"");
    with(6, &renamed);
    let (_, said) = place.check("run league.toml", 0);
    assert!(said.contains("greedy is called champ from now on") && said.contains("0 games played"), "{said}");
    with(8, &renamed);
    let (_, said) = place.check("run league.toml", 0);
    assert!(!said.contains("is called") && said.contains("6 games played, 24 of 24"), "{said}");
    assert_eq!(rows(&place, "league.maumau"), named(&[("champ", 16), ("first", 16), ("random", 16)]));
    verify(&place);
}

#[test]
fn a_league_whose_agents_do_not_fit_the_run_is_refused_with_the_remedy() {
    let place = Place::new(&LEAGUE.replace("= 40", "= 2"));
    place.check("run league.toml --quiet", 0);
    let check = |from: &str, to: &str, expected: &str| {
        place.write("league.toml", &LEAGUE.replace("= 40", "= 2").replacen(from, to, 1));
        let (_, said) = place.check("run league.toml --quiet", 2);
        assert!(said.contains(expected), "expected {expected:?} in {said}");
    };
    check(
        "name = \"random\"",
        "name = \"other\"",
        "agent \"random\" is not in the league file: give it retired = true there, or give an agent with another name \
         renamed_from = \"random\"",
    );
    check(
        "name = \"random\"",
        "name = \"other\"\nrenamed_from = \"rnadom\"",
        "renamed_from = \"rnadom\", but the run has no such agent; did you mean \"random\"",
    );
    check(
        "name = \"random\"",
        "name = \"other\"\nrenamed_from = \"first\"",
        "renamed_from = \"first\", but another agent has that name",
    );
    check(
        "seats = 2",
        "seats = 2\n# two\n[[agent]]\nretired = 1\ncommand = \"x\"",
        "agent[0].retired: expected true or false",
    );
    let retired = |league: &str| league.replace("command = ", "retired = true\ncommand = ");
    place.write("league.toml", &retired(LEAGUE));
    assert!(
        place
            .check("run league.toml", 2)
            .1
            .contains("all 3 agents have retired; let one of them play again, or add others")
    );
}

#[test]
fn a_run_is_stopped_from_another_terminal_after_the_games_in_play() {
    let place = Place::new(&slow_league(60));
    // A request to a process that has ended stops nobody.
    place.write("league.maumau.stop", "process 1 on nowhere since 1970-01-01 00:00:00 UTC");
    let run = place.start("run league.toml", 2);
    let (printed, said) = place.check("stop league.maumau", 0);
    assert!(said.contains(&format!("waiting for process {} on ", run.id())), "{said}");
    let (code, said) = wait(run);
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("asked to stop: finishing the games in play"), "{said}");
    assert!(said.contains("the same command goes on with what is missing"), "{said}");
    assert!(printed.starts_with(&format!("stopped: {} of 180 games in league.maumau", place.games())), "{printed}");
    assert!(!place.path("league.maumau.stop").exists(), "the request is left");

    let (_, said) = place.check("stop league.maumau", 1);
    assert!(said.contains("no process plays league.maumau now"), "{said}");
    assert!(place.check("stop none.maumau", 2).1.contains("there is no run file none.maumau"));
    // What is missing is played.
    let mut run = place.start("run league.toml --quiet", 1);
    run.kill().expect("the process is there");
    run.wait().expect("it ends");
}

#[test]
fn the_status_of_a_run_says_what_is_left_and_what_is_in_doubt() {
    let place = Place::new(&slow_league(60));
    let mut run = place.start("run league.toml --quiet", 3);
    let (printed, _) = place.check("status league.maumau", 0);
    assert!(
        printed.contains(" of 180 games (") && printed.contains(&format!("played by process {} on ", run.id())),
        "{printed}"
    );
    let status = json(&place, "status league.maumau --format json");
    assert!(status["games_per_second"].as_f64().is_some_and(|rate| rate > 0.0), "{status}");
    assert!(status["seconds_left"].as_f64().is_some_and(|left| left > 0.0), "{status}");
    run.kill().expect("the process is there");
    run.wait().expect("it ends");
    let status = json(&place, "status league.maumau --format json");
    assert_eq!((&status["playing"], &status["planned"], &status["pairs"]), (&Value::Null, &180.into(), &3.into()));

    let place = Place::new(LEAGUE);
    assert!(place.check("status league.maumau", 2).1.contains("there is no run file league.maumau"));
    place.check("run league.toml --quiet", 0);
    let (printed, _) = place.check("status league.maumau", 0);
    assert!(
        printed.contains("small: 120 of 120 games (complete)") && printed.contains("played by no process now"),
        "{printed}"
    );
    let report = json(&place, "show league.maumau --format json");
    let rows = report["standings"]["rows"].as_array().expect("rows").iter();
    let width =
        |row: &Value| row["interval"]["high"].as_f64().expect("high") - row["interval"]["low"].as_f64().expect("low");
    let widest = rows.map(width).fold(0.0, f64::max);
    let status = json(&place, "status league.maumau --format json");
    assert_eq!(status["widest_interval"]["width"].as_f64(), Some(widest));
    // A pair is decided if the ranks of its agents cannot be the same.
    let ranks = |name: &str| report["ratings"][name]["rank"].clone();
    let all_apart = ["greedy", "first", "random"].iter().all(|name| ranks(name)[0] == ranks(name)[1]);
    assert_eq!(status["undecided_pairs"] == 0, all_apart, "{status}");
}

#[test]
fn parts_that_were_played_apart_make_the_run_of_one_machine() {
    let place = Place::new(&LEAGUE.replace("= 40", "= 8"));
    place.check("run league.toml --quiet", 0);
    for part in 1..=3 {
        let (table, said) = place.check(&format!("run league.toml --shard {part}/3 --run part-{part}.maumau"), 0);
        assert!(
            said.contains("8 games played, 8 of 8") && table.contains(&format!("Part {part}/3 of the games")),
            "{said}"
        );
    }
    let (printed, _) = place.check("merge part-3.maumau part-1.maumau --to whole.maumau", 0);
    assert!(printed.contains("16 of 24 games in whole.maumau: 16 new, 0 there already"), "{printed}");
    assert!(
        printed.contains("8 missing: g") && printed.contains("tournament run LEAGUE --run whole.maumau"),
        "{printed}"
    );
    let (printed, _) = place.check("merge part-1.maumau part-2.maumau --to whole.maumau", 0);
    assert!(
        printed.contains("24 of 24 games in whole.maumau: 8 new, 8 there already") && !printed.contains("missing"),
        "{printed}"
    );
    for tables in ["--format json", "--games --format csv", "--format csv --ratings"] {
        let shown = |run: &str| place.check(&format!("show {run} {tables}"), 0).0;
        assert_eq!(shown("whole.maumau"), shown("league.maumau"), "{tables}");
    }
    // It goes on as a whole, and a part goes on as a part.
    assert!(place.check("run league.toml --run whole.maumau", 0).1.contains("0 games played, 24 of 24"));
    assert!(place.check("run league.toml --run part-1.maumau --shard 1/3", 0).1.contains("0 games played, 8 of 8"));
    let (_, said) = place.check("run league.toml --run part-1.maumau", 2);
    assert!(said.contains("the part was 1/3 and is now the whole"), "{said}");
}

#[test]
fn parts_of_other_runs_are_refused_by_name() {
    let place = Place::new(&LEAGUE.replace("= 40", "= 4"));
    place.check("run league.toml --shard 1/2 --run one.maumau --quiet", 0);
    let refused = |arguments: &str, expected: &str| {
        let (_, said) = place.check(arguments, 2);
        assert!(said.contains(expected), "expected {expected:?} in {said}");
        assert!(!place.path("whole.maumau").exists(), "a file is left");
    };
    refused("merge one.maumau one.maumau --to whole.maumau", "one.maumau is named twice");
    refused("merge one.maumau --to one.maumau", "one.maumau is named twice");
    refused("merge one.maumau none.maumau --to whole.maumau", "there is no run file none.maumau");
    refused("run league.toml --shard 3/2", "expected a part and the number of parts");
    let other = |from: &str, to: &str, expected: &str| {
        place.write("other.toml", &LEAGUE.replace("= 40", "= 4").replace(from, to));
        _ = fs::remove_file(place.path("two.maumau"));
        place.check("run other.toml --shard 2/2 --run two.maumau --quiet", 0);
        let expected = format!("two.maumau is not a part of the same run as one.maumau: {expected}");
        refused("merge one.maumau two.maumau --to whole.maumau", &expected);
    };
    other("seed = 7", "seed = 8", "seed was ");
    other("= 4\n", "= 6\n", "games_per_pairing was 4 and is now 6");
    other("agent random", "agent greedy", "agent \"random\": the command was \"maumau agent random\" and is now");
    other(
        "name = \"random\"",
        "name = \"chance\"",
        "the agents were greedy, first, random and are now greedy, first, chance",
    );
    other("\"skat\"", "\"basic\"", "the rule set was skat and is now basic");
    place.write("league.toml", &LEAGUE.replace("seed = 7\n", ""));
    refused("run league.toml --shard 1/2", "the league has no seed, so each part would draw another one");
    let whole = fs::read(place.path("one.maumau")).expect("the part");
    fs::write(place.path("cut.maumau"), &whole[..whole.len() / 2]).expect("a file");
    assert!(place.check("merge cut.maumau --to whole.maumau", 3).1.contains("cut.maumau was cut off"));
    let part = rusqlite::Connection::open(place.path("one.maumau")).expect("a database");
    part.execute("UPDATE games SET digest = zeroblob(32) WHERE number = 1", []).expect("another digest");
    drop(part);
    assert!(place.check("merge one.maumau --to whole.maumau", 3).1.contains("the run file one.maumau is damaged"));
    assert!(!place.path("whole.maumau").exists(), "a file is left");
}

#[test]
fn two_agents_of_a_run_are_compared() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --quiet", 0);
    let (printed, _) = place.check("compare league.maumau greedy random", 0);
    assert!(printed.starts_with("greedy against random: 40 games in 20 deals\nscore of greedy: 0."), "{printed}");
    assert!(printed.contains("rating of greedy minus that of random, from all games: "), "{printed}");
    let [there, back] = ["greedy random", "random greedy"]
        .map(|agents| json(&place, &format!("compare league.maumau {agents} --format json")));
    let number = |report: &Value, path: &str| report.pointer(path).and_then(Value::as_f64).expect("a number");
    let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-9, "{one} {other}");
    close(number(&there, "/score/mean"), 1.0 - number(&back, "/score/mean"));
    close(number(&there, "/score/interval/low"), 1.0 - number(&back, "/score/interval/high"));
    close(number(&there, "/rating/points"), -number(&back, "/rating/points"));
    close(number(&there, "/rating/p"), number(&back, "/rating/p"));
    // What the other tables say of the two.
    let report = json(&place, "show league.maumau --format json");
    let rows = report["standings"]["rows"].as_array().expect("rows");
    let row = |name: &str| rows.iter().position(|row| row["name"] == name).expect("a row");
    let cross = &report["standings"]["cross"][row("greedy")][row("random")];
    close(number(&there, "/score/mean"), cross["mean_score"].as_f64().expect("a score"));
    let pairs = report["differences"].as_array().expect("pairs").iter();
    let pair = pairs.clone().find(|pair| pair["agents"] == serde_json::json!(["greedy", "random"])).expect("the pair");
    close(number(&there, "/rating/points"), pair["points"].as_f64().expect("points"));
    // A challenger that wins nearly always is better, in as many deals as it takes.
    let sure = json(&place, "compare league.maumau greedy random --mu0 0.1 --mu1 0.4 --format json");
    assert_eq!(sure["test"]["decision"], "better", "{sure}");

    let refused = |arguments: &str, expected: &str| {
        let (_, said) = place.check(&format!("compare league.maumau {arguments}"), 2);
        assert!(said.contains(expected), "expected {expected:?} in {said}");
    };
    refused("greedy greedy", "greedy cannot be compared with itself");
    refused("greedy rnadom", "the run has no agent rnadom; did you mean \"random\"");
    refused("greedy random --mu0 0.6", "expected two scores between 0 and 1, the first one smaller");
    refused("greedy random --alpha 0", "--alpha 0: expected a probability");
}

#[test]
fn agents_that_have_not_met_are_not_compared_by_their_scores() {
    let place = Place::new(&LEAGUE.replace("= 40", "= 2"));
    // Part 1 of 3 has the deals of the first group alone.
    place.check("run league.toml --quiet --shard 1/3", 0);
    let (printed, _) = place.check("compare league.maumau greedy random", 0);
    assert!(printed.contains("greedy and random have not met in a finished game"), "{printed}");
    assert!(printed.contains("ratings: these two cannot be compared"), "{printed}");
    let (printed, _) = place.check("status league.maumau", 0);
    assert!(printed.contains("undecided: 3 of 3 pairs"), "{printed}");
}

#[test]
fn a_league_is_checked_before_it_starts() {
    let place = Place::new(LEAGUE);
    let (printed, said) = place.check("check league.toml", 0);
    assert!(printed.contains("small: 4 games played of other cards"), "{printed}{said}");
    assert!(
        printed.contains("all 120 games of the league take about ") && printed.contains("iB in the run file"),
        "{printed}"
    );
    assert_eq!(fs::read_dir(place.0.path()).expect("a folder").count(), 1, "a file was made");
    place.check("run league.toml --quiet", 0);
    let report = json(&place, "check league.toml --format json");
    let bytes = fs::metadata(place.path("league.maumau")).expect("the run file").len() as f64;
    let estimate = report["bytes"].as_f64().expect("a number");
    assert!((0.3..3.0).contains(&(estimate / bytes)), "{estimate} of {bytes}");
    place.write("league.toml", &LEAGUE.replace("maumau agent random", "/nowhere/bot"));
    let (printed, _) = place.check("check league.toml", 1);
    assert!(printed.contains("not_started: /nowhere/bot cannot be started"), "{printed}");
}

#[test]
fn agents_of_a_league_with_rounds_stay_those_of_the_beginning() {
    let swiss =
        LEAGUE.replace("games_per_pairing = 40", "games_per_pairing = 2\n[schedule]\nformat = \"swiss\"\nrounds = 2");
    // A table ends the keys of the league itself, so it comes behind them.
    let swiss = swiss.replace("\nseed = 7\n", "\n").replace("rules = \"skat\"", "rules = \"skat\"\nseed = 7");
    let place = Place::new(&swiss);
    place.check("run league.toml --quiet", 0);
    let (_, said) = place.check("run league.toml --shard 1/2 --run part.maumau", 2);
    assert!(said.contains("only a round-robin without [stop] can be played in parts"), "{said}");
    let (_, said) = place.check("merge league.maumau --to whole.maumau", 2);
    assert!(said.contains("only parts of a round-robin without [stop] can be merged"), "{said}");
    let fourth = "\n[[agent]]\nname = \"fourth\"\ncommand = \"maumau agent greedy\"\n";
    place.write("league.toml", &format!("{swiss}{fourth}"));
    let (_, said) = place.check("run league.toml", 2);
    assert!(said.contains("agents can join, leave, change their places in the league file"), "{said}");
    place.write("league.toml", &swiss);
    assert!(place.check("run league.toml", 0).1.contains("0 games played"), "it goes on as it was");
}

#[test]
fn what_agents_of_one_author_gain_together_is_shown_and_they_can_be_kept_apart() {
    let agents: String = [("a1", "ann", "greedy"), ("a2", "ann", "first"), ("b", "bob", "random"), ("c", "", "greedy")]
        .iter()
        .map(|(name, author, bot)| {
            let author = if author.is_empty() { String::new() } else { format!("author = \"{author}\"\n") };
            format!("\n[[agent]]\nname = \"{name}\"\n{author}command = \"maumau agent {bot}\"\n")
        })
        .collect();
    let league = format!(
        "name = \"a\"\nrules = \"skat\"\nseats = 3\ngames_per_pairing = 6\npublic_seed = true\nseed = 3\n{agents}"
    );
    let place = Place::new(&league);
    let (table, _) = place.check("run league.toml --all", 0);
    assert!(table.contains("Agents of one author together") && table.contains(" ann "), "{table}");
    let report = json(&place, "show league.maumau --format json");
    let ann = &report["authors"]["ann"];
    assert_eq!((&ann["deals_together"], &ann["deals_alone"]), (&4.into(), &4.into()));
    assert!(ann["gain"].is_number() && ann["interval"]["low"].is_number(), "{ann}");
    assert!(report["authors"]["bob"].is_null(), "bob has one agent");
    assert!(place.check("show league.maumau --format html", 0).0.contains("id=\"authors\""));

    // An author is no part of what was played, unless it decides who meets.
    place.write("league.toml", &league.replace("\"bob\"", "\"ann\""));
    place.check("run league.toml --quiet", 0);
    let apart = format!("{league}\n[schedule]\none_author_per_table = true\n");
    place.write("league.toml", &apart);
    let (_, said) = place.check("run league.toml", 2);
    assert!(said.contains("schedule.one_author_per_table was false and is now true"), "{said}");
    let (_, said) = place.check("run league.toml --run apart.maumau", 0);
    assert!(said.contains("12 games played, 12 of 12"), "{said}");
    for game in games(&place, "apart.maumau") {
        let names: Vec<&str> =
            game["seats"].as_array().expect("seats").iter().filter_map(|s| s["agent"].as_str()).collect();
        assert!(!(names.contains(&"a1") && names.contains(&"a2")), "{names:?}");
    }
    place.write("league.toml", &apart.replace("\"bob\"", "\"ann\""));
    let (_, said) = place.check("run league.toml --run apart.maumau", 2);
    assert!(said.contains("the agents have 2 different authors, and a table of 3 seats needs 3"), "{said}");
}

#[test]
fn a_run_most_of_whose_agents_cannot_start_stops() {
    let two_of_three =
        |command: &str| LEAGUE.replace("maumau agent first", command).replace("maumau agent random", command);
    let place = Place::new(&two_of_three("/nowhere/bot"));
    let (_, said) = place.check("run league.toml", 2);
    assert!(said.contains("2 of the 3 agents cannot start, so nothing is played\n"), "{said}");
    assert!(said.contains("first cannot start here: No such file or directory"), "{said}");
    assert!(!place.path("league.maumau").exists());
    // It is there, and ends at once.
    place.write("league.toml", &two_of_three("sh -c 'echo no weights >&2; exit 4'"));
    let (_, said) = place.check("run league.toml --cpus 1", 2);
    assert!(said.contains("2 of the 3 agents have not started in any game, so the run has stopped: "), "{said}");
    assert!(said.contains("no weights"), "{said}");
    let kept = games(&place, "league.maumau").len();
    assert!((2..120).contains(&kept), "{kept} games were played");
    place.write("league.toml", LEAGUE);
    place.check("run league.toml --again first --again random", 0);
}

#[test]
fn a_finished_run_whose_bots_are_gone_names_their_files_and_keeps_its_games() {
    let place =
        Place::new(&LEAGUE.replace("maumau agent first", "./bot").replace("maumau agent random", "./bot --again"));
    let bot = place.path("bot");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/shell/first.sh"), &bot).expect("the shell bot");
    place.check("run league.toml --quiet", 0);
    let before = games(&place, "league.maumau");
    fs::remove_file(&bot).expect("a file");
    let (_, said) = place.check("run league.toml", 2);
    assert!(said.contains("the file ./bot is gone") && !said.contains("nothing is played"), "{said}");
    place.check("show league.maumau", 0);
    assert_eq!(games(&place, "league.maumau"), before);
}

#[test]
fn an_agent_whose_name_looks_like_that_of_another_does_not_join() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --quiet", 0);
    // The one that it looks like has left the league file, but its games stay.
    let retired = LEAGUE.replace("name = \"first\"", "name = \"first one\"\nrenamed_from = \"first\"");
    place.write("league.toml", &retired);
    place.check("run league.toml --quiet", 0);
    let newcomer = "\n[[agent]]\nname = \"f\u{456}rst\"\ncommand = \"maumau agent first\"\n";
    place.write("league.toml", &(retired + newcomer));
    let (_, said) = place.check("run league.toml --quiet", 2);
    assert!(said.contains("(f\\u{456}rst) looks like \"first\", which another agent has"), "{said}");
}
