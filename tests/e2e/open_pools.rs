//! Samples and ladders: agents come and go while they are played, budgets and stop rules hold, and every finished game stays what it
//! was.

use std::fs;

use crate::league_place::{Place, games, json, rows};
use serde_json::Value;

/// Every game of the run is sound.
fn verify(place: &Place) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_maumau"));
    let verified = command.current_dir(place.0.path()).args(["verify", "league.maumau"]).output().expect("maumau runs");
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

/// Bots in a ladder or sample with so many games in all.
fn open_league(format: &str, games: u64, agents: &[&str]) -> String {
    let agents: String = agents
        .iter()
        .map(|name| format!("\n[[agent]]\nname = \"{name}\"\ncommand = \"maumau agent greedy\"\n"))
        .collect();
    format!(
        "name = \"open\"\nrules = \"skat\"\nseats = 2\nseed = 3\npublic_seed = true\n[schedule]\nformat = \"{format}\"\n[stop]\ngames = {games}\n{agents}"
    )
}

#[test]
fn agents_come_and_go_in_ladders_and_samples() {
    for format in ["ladder", "sample"] {
        let place = Place::new(&open_league(format, 64, &["a", "b", "c"]));
        place.check("run league.toml --quiet", 0);
        let before = games(&place, "league.maumau");
        let larger = open_league(format, 160, &["d", "a", "b", "c"]);
        place.write("league.toml", &larger);
        let (_, said) = place.check("run league.toml", 0);
        assert!(said.contains("d joins") && said.contains("96 games played, 160 of 160"), "{said}");
        let after = games(&place, "league.maumau");
        assert_eq!(&after[..before.len()], &before[..], "{format}: finished games stay");
        let plays = |games: &[Value], name: &str| games.iter().filter(|game| game.to_string().contains(name)).count();
        assert!(plays(&after[before.len()..], "\"d\"") > 20, "{format}");
        verify(&place);

        let smaller = larger.replace("= 160", "= 240").replace("name = \"b\"", "name = \"b\"\nretired = true");
        place.write("league.toml", &smaller.replace("name = \"c\"", "name = \"sea\"\nrenamed_from = \"c\""));
        let (_, said) = place.check("run league.toml", 0);
        assert!(
            said.contains("b retires") && said.contains("c is called sea") && said.contains("240 of 240"),
            "{said}"
        );
        let last = games(&place, "league.maumau");
        assert_eq!(plays(&last[160..], "\"b\""), 0, "{format}: it plays no more");
        assert!(plays(&last[160..], "\"sea\"") > 0, "{format}");
        verify(&place);
    }
}

#[test]
fn a_sample_keeps_a_lowered_budget_lets_a_latecomer_play_at_once_and_is_filled_up_after_agents_retired() {
    let place = Place::new(&open_league("sample", 3_001, &["a", "b", "c"]));
    let mut run = place.start("run league.toml", 300);
    run.kill().expect("the process is there");
    run.wait().expect("it ends");
    let before = place.games();

    // Lowered below what has been played: what has begun is finished, and nothing else.
    place.write("league.toml", &open_league("sample", 100, &["a", "b", "c"]));
    place.check("run league.toml --quiet", 0);
    assert!(place.games() < before + 2 * 64, "{} after {before}", place.games());
    let status = place.check("status league.maumau", 0).0;
    assert!(status.contains("(complete)") && status.contains("stop rule games 100: 0 left (met)"), "{status}");

    // A latecomer plays at once, and the budget is what it says although games were dropped.
    let before = place.games();
    let larger = open_league("sample", before + 101, &["a", "b", "c", "d"]);
    place.write("league.toml", &larger);
    let (_, said) = place.check("run league.toml", 0);
    assert!(
        said.contains(&format!("deals are played whole, 2 games each time, so it ends at {}", before + 100)),
        "{said}"
    );
    assert_eq!(place.games(), before + 100);
    assert!(rows(&place, "league.maumau").iter().any(|(name, games)| name == "d" && *games > 40));

    // Games against an agent that has retired are not played again; others take their place.
    place.write("league.toml", &larger.replace("name = \"b\"", "name = \"b\"\nretired = true"));
    place.check("run league.toml --quiet --again a", 0);
    assert_eq!(place.games(), before + 100);
    let status = place.check("status league.maumau", 0).0;
    assert!(status.contains("(complete)") && status.contains(": 0 left (met)"), "{status}");
    verify(&place);

    place.write("league.toml", &open_league("ladder", 64, &["a", "b", "c"]));
    place.check("run league.toml --run ladder.maumau --quiet", 0);
    let (_, said) = place.check("run league.toml --run ladder.maumau --again a", 2);
    assert!(said.contains("followed from the results of the games that would be played again"), "{said}");
}

#[test]
fn agents_join_retire_and_change_while_a_ladder_is_played() {
    let place = Place::new(&open_league("ladder", 1_000_000, &["a", "b", "c"]));
    let mut run = place.start("run league.toml --quiet", 100);
    // The league file is read again as a whole; if that is refused, it is as it was before the command.
    let league = fs::read_to_string(place.path("league.toml")).expect("a file");
    let other = league.replacen("maumau agent greedy", "maumau agent first", 1);
    place.write("league.toml", &other);
    let (_, said) = place.check("retire league.maumau c", 2);
    assert!(said.contains("agent \"a\" has changed too: the command was"), "{said}");
    assert_eq!(fs::read_to_string(place.path("league.toml")).expect("a file"), other);
    place.write("league.toml", &league);

    let add = |name: &str, command: &str| {
        let mut add = place.tournament(&format!("add league.maumau {name} --command"));
        let done = add.arg(command).output().expect("maumau runs");
        (
            done.status.code(),
            String::from_utf8(done.stdout).expect("text"),
            String::from_utf8(done.stderr).expect("text"),
        )
    };
    let (code, printed, _) = add("d", "maumau agent first");
    assert!(
        code == Some(0) && printed.starts_with("d joins, after ") && printed.contains(" ms between two rounds"),
        "{printed}"
    );
    let (code, _, said) = add("d", "maumau agent first");
    assert!(code == Some(2) && said.contains("has an agent \"d\" already"), "{said}");
    let (_, said) = place.check("replace league.maumau a", 2);
    assert!(said.contains("a has not changed: neither its command nor a file of it"), "{said}");

    let mut replace = place.tournament("replace league.maumau b --command");
    let done = replace.arg("maumau agent random").output().expect("maumau runs");
    assert!(String::from_utf8_lossy(&done.stdout).starts_with("b@2 joins: the command was"), "{done:?}");
    let printed = place.check("retire league.maumau c", 0).0;
    assert!(printed.starts_with("c retires, after "), "{printed}");
    let (_, said) = place.check("retire league.maumau c", 2);
    assert!(said.contains("c has retired already"), "{said}");
    let before = place.games();
    let printed = place.check("add league.maumau c", 0).0;
    assert!(printed.starts_with("c plays again after it had retired, after "), "{printed}");
    place.check("stop league.maumau", 0);
    run.wait().expect("it ends");

    assert!(place.games() >= before);
    let names: Vec<String> = rows(&place, "league.maumau").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a", "b", "b@2", "c", "d"]);
    verify(&place);
    // The league file says what has happened, so the same command goes on.
    let league = fs::read_to_string(place.path("league.toml")).expect("a file");
    place.write("league.toml", &league.replace("games = 1000000", &format!("games = {}", place.games() + 100)));
    place.check("run league.toml --quiet", 0);
    verify(&place);
    let printed = place.check("retire league.maumau c", 0).0;
    assert!(
        printed.contains("no process plays league.maumau now; it holds from the next: maumau tournament run"),
        "{printed}"
    );
    assert!(!place.path("league.maumau.change").exists() && !place.path("league.maumau.changed").exists());
}

#[test]
fn a_killed_run_whose_agents_changed_goes_on_with_the_same_games() {
    let place = Place::new(&open_league("ladder", 40, &["a", "b", "c"]));
    place.check("run league.toml --quiet", 0);
    fs::copy(place.path("league.maumau"), place.path("other.maumau")).expect("a copy");
    place.write("league.toml", &open_league("ladder", 400, &["a", "b", "c", "d"]));
    let mut run = place.start("run league.toml --quiet", 3);
    run.kill().expect("the process is there");
    run.wait().expect("it ends");
    place.check("run league.toml --quiet", 0);
    verify(&place);
    assert_eq!(place.check("show league.maumau --format json", 0).0, place.standings_of_another_run());
}

#[test]
fn a_stop_rule_that_can_never_be_met_is_refused_and_the_others_say_what_they_need() {
    let place =
        Place::new(&open_league("sample", 20, &["a", "b", "c"]).replace("games = 20", "games = 20\nranking = true"));
    let (_, said) = place.check("run league.toml", 2);
    assert!(
        said.contains("league.toml:8:2: stop: in the 20 games that there are at most") && said.contains("would do"),
        "{said}"
    );

    let league =
        open_league("sample", 300, &["a", "b", "c"]).replace("games = 300", "games = 300\nranking = true\nwidth = 0.3");
    let league = league.replace("format = \"sample\"", "format = \"sample\"\nequal = 50");
    place.write("league.toml", &league);
    let (printed, _) = place.check("check league.toml --effect 100", 0);
    assert!(
        printed.contains("with neighbours 100 points apart, ")
            && printed.contains("simulated leagues show what [stop]"),
        "{printed}"
    );
    place.check("run league.toml --quiet", 0);
    let (printed, _) = place.check("status league.maumau", 0);
    // The first two end the league before its games are used up.
    for rule in [
        "stop rule width 0.3: the widest interval is 0.298 (b) (met)\n",
        "stop rule ranking: 0 of 3 pairs in doubt, 3 equal within 50 points (met)\n",
        "stop rule games 300: 172 left\n",
    ] {
        assert!(printed.contains(rule), "{rule}\n{printed}");
    }
    let status = json(&place, "status league.maumau --format json");
    assert_eq!((&status["over"], status["stop_rules"].as_array().map(Vec::len)), (&true.into(), Some(3)));
}
