//! `maumau tournament run --dry-run`: what would be played, without a trace.

mod league_place;

use std::fs;

use league_place::{LEAGUE, Place};
use serde_json::Value;

fn json(place: &Place, arguments: &str) -> Value {
    serde_json::from_str(&place.check(arguments, 0).0).expect("JSON")
}

#[test]
fn a_dry_run_tells_what_would_be_played_and_changes_nothing() {
    let place = Place::new(&LEAGUE.replace("= 40", "= 4"));
    let (told, _) = place.check("run league.toml --dry-run", 0);
    assert!(
        told.contains("12 games would be played: small of skat at tables of 2, 3 groups, 4 games of a group"),
        "{told}"
    );
    assert!(told.contains("from g000-d0000-r0 to g002-d0001-r1"), "{told}");
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
    let place = Place::new(&format!("rules = \"basic\"\nseats = 2\nseed = 1\ngames_per_pairing = 2\n{agents}"));
    let (_, said) = place.check("run league.toml --dry-run", 0);
    assert!(
        said.starts_with("maumau: the 48 agents can sit together in 1128 ways, so the league is a sample of them"),
        "{said}"
    );
}
