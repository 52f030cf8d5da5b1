//! `maumau tournament run --dry-run`: what would be played and how long it takes, in every format, without a trace.

use std::fs;

use crate::league_place::{LEAGUE, Place, json};

#[test]
fn a_dry_run_prints_what_would_be_played_and_changes_nothing() {
    let place = Place::new(&LEAGUE.replace("= 40", "= 4"));
    let (printed, _) = place.check("run league.toml --dry-run", 0);
    assert!(
        printed.contains("12 games would be played: small of skat at tables of 2, 3 groups, 4 games of a group"),
        "{printed}"
    );
    assert!(printed.contains("from g000-d0000-r0 to g002-d0001-r1"), "{printed}");
    assert_eq!(fs::read_dir(place.0.path()).expect("a folder").count(), 1, "a file was made");
    place.check("run league.toml --quiet", 0);
    let before = fs::read(place.path("league.maumau")).expect("the run file");
    let fourth = "\n[[agent]]\nname = \"fourth\"\ncommand = \"maumau agent greedy\"\n";
    place.write("league.toml", &format!("{LEAGUE}{fourth}").replace("= 40", "= 6"));
    let report = json(&place, "run league.toml --dry-run --format json");
    assert_eq!((&report["games"], &report["groups"]), (&24.into(), &6.into()), "{report}");
    assert_eq!(report["news"][0], "fourth joins");
    assert_eq!(report["agents"][3]["games_by_seat"], serde_json::json!([9, 9]));
    place.write("league.toml", &LEAGUE.replace("agent random", "agent greedy").replace("= 40", "= 4"));
    assert!(place.check("run league.toml --dry-run", 2).1.contains("--new-version plays random as random@2"));
    assert_eq!(fs::read(place.path("league.maumau")).expect("the run file"), before);
}

#[test]
fn a_league_that_becomes_a_sample_says_so_first() {
    let agents: String = (0..48)
        .map(|number| format!("\n[[agent]]\nname = \"n{number}\"\ncommand = \"maumau agent first\"\n"))
        .collect();
    let place = Place::new(&format!(
        "rules = \"basic\"\nseats = 2\npublic_seed = true\nseed = 1\ngames_per_pairing = 2\n{agents}"
    ));
    let (_, said) = place.check("run league.toml --dry-run", 0);
    assert!(
        said.starts_with("maumau: the 48 agents can sit together in 1128 ways, so the league is a sample of them"),
        "{said}"
    );
}

/// A league of five built-in bots by these tables.
fn league(schedule: &str) -> String {
    let agents: String =
        (0..5).map(|number| format!("[[agent]]\nname = \"a{number}\"\ncommand = \"maumau agent first\"\n")).collect();
    format!("name = \"five\"\nrules = \"skat\"\nseats = 2\npublic_seed = true\nseed = 7\n{schedule}\n{agents}")
}

#[test]
fn every_format_counts_its_games_before_the_first_and_the_time_after_some() {
    for (schedule, least, most, words) in [
        ("games_per_pairing = 2", 20, Some(20), "20 games would be played: five"),
        (
            "games_per_pairing = 2\n[schedule]\nformat = \"swiss\"\nrounds = 3",
            12,
            Some(12),
            "12 games would be played: five",
        ),
        (
            "games_per_pairing = 2\n[schedule]\nformat = \"knock-out\"",
            8,
            Some(32),
            "8 to 32 games would be played: five",
        ),
        (
            "[schedule]\nformat = \"sample\"\n[stop]\ngames = 1000\nranking = true\nminutes = 5",
            0,
            Some(1_000),
            "up to 1000 games would be played: five",
        ),
        ("[schedule]\nformat = \"ladder\"\n[stop]\ngames = 100", 100, Some(100), "100 games would be played: five"),
        (
            "[schedule]\nformat = \"ladder\"",
            0,
            None,
            "games would be played until [stop] ends the run, or you do: five",
        ),
    ] {
        let place = Place::new(&league(schedule));
        let (printed, _) = place.check("run league.toml --dry-run --quiet", 0);
        assert!(printed.starts_with(words), "{words}: {printed}");
        assert!(printed.contains(" asks a game, "), "{printed}");
        assert_eq!(
            printed.contains("no round begins after 5 minutes of play"),
            schedule.contains("minutes"),
            "{printed}"
        );
        assert_eq!(
            printed.contains("rounds of 64 games"),
            schedule.contains("ladder") || schedule.contains("sample"),
            "{printed}"
        );
        let report = json(&place, "run league.toml --dry-run --quiet --format json");
        assert_eq!((&report["games_least"], &report["games_most"]), (&least.into(), &most.into()), "{schedule}");
        let asks = report["asks_of_a_game"].as_f64().expect("a number");
        assert!((10.0..100.0).contains(&asks), "a round of skat at a table of two: {asks}");
        assert!(report["seconds_most"].is_null(), "nothing has been measured: {report}");
    }

    // What is left follows from what has been played, and its time from how long that took.
    let place = Place::new(&league("[schedule]\nformat = \"ladder\"\n[stop]\ngames = 64"));
    place.check("run league.toml --quiet", 0);
    place.write("league.toml", &league("[schedule]\nformat = \"ladder\"\n[stop]\ngames = 6400"));
    let report = json(&place, "run league.toml --dry-run --quiet --format json");
    assert_eq!((&report["games_least"], &report["games_most"]), (&6_336.into(), &6_336.into()));
    let seconds = report["seconds_most"].as_f64().expect("a time");
    let took: u64 = json(&place, "show league.maumau --times --format json")["times"]
        .as_array()
        .expect("times")
        .iter()
        .map(|times| times["took_us"].as_u64().expect("a number"))
        .sum();
    let processors = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    assert!((seconds - took as f64 / 64.0 * 6_336.0 / 1e6 / processors).abs() < 1e-6, "{seconds}, {took}");
    let (printed, _) = place.check("run league.toml --dry-run --quiet", 0);
    assert!(printed.contains("at once, as the 64 games so far took"), "{printed}");
}
