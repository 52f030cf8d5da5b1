//! Games that are played again: those of an agent, and single ones.

use std::fs;
use std::path::Path;

use crate::league_place::{LEAGUE, Place, games};
use serde_json::Value;

#[test]
fn an_agent_that_was_mended_plays_its_games_again_and_no_others() {
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/shell/first.sh").canonicalize().expect("a bot");
    let place = Place::new(&LEAGUE.replace("maumau agent first", "sh late.sh").replace("= 40", "= 4"));
    assert!(place.check("run league.toml --quiet", 1).1.contains("first did not start in any of its 8 games"));
    place.check("export league.maumau --to before", 0);
    fs::copy(bot, place.path("late.sh")).expect("a file");
    let (_, said) = place.check("run league.toml", 2);
    assert!(said.contains("the file late.sh is new") && said.contains("--again first plays"), "{said}");

    let (again, said) = place.check("run league.toml --again first --format json --cpus 1", 0);
    assert!(said.contains("8 games played, 12 of 12"), "{said}");
    assert!(!said.contains("did not start"), "{said}");
    assert_eq!(again, place.standings_of_another_run());
    place.check("export league.maumau --to after", 0);
    let same =
        |file: &fs::DirEntry| fs::read(file.path()).ok() == fs::read(place.path("before").join(file.file_name())).ok();
    let after = fs::read_dir(place.path("after")).expect("a folder").map(|file| file.expect("a file"));
    let same: Vec<bool> = after.map(|file| same(&file)).collect();
    assert_eq!((same.len(), same.iter().filter(|same| **same).count()), (12, 4), "greedy against random stays");
}

#[test]
fn one_disputed_game_is_played_again_and_the_old_one_is_kept() {
    const GAME: &str = "g001-d0000-r0";
    let place = Place::new(&LEAGUE.replace("= 40", "= 4").replace("maumau agent random", "/nowhere/bot"));
    // One game after another: which ones have a page is then the same every time.
    place.check("run league.toml --quiet --cpus 1", 2);
    place.check(&format!("export league.maumau --to before --games {GAME}"), 0);
    let before = games(&place, "league.maumau");
    let page = format!("league.fault-reports/{GAME}-seat1.txt");
    assert!(place.path(&page).is_file());

    let (printed, _) = place.check(&format!("run league.toml --dry-run --again-game {GAME}"), 0);
    assert!(printed.starts_with("1 game would be played"), "{printed}");
    // Its agents are the same, and so is the game.
    let (_, said) = place.check(&format!("run league.toml --again-game {GAME}"), 2);
    let was = format!("{GAME} was 1 greedy, 2 random (dismissed: 1 not_started) and is the same again, event by event");
    assert!(said.contains(&was) && said.contains("1 game played, 12 of 12"), "{said}");
    assert!(said.contains(&format!("; its old record is league.replaced/{GAME}-1.jsonl")), "{said}");
    assert_eq!(games(&place, "league.maumau"), before);
    let kept =
        |number: u32, end: &str| fs::read_to_string(place.path(&format!("league.replaced/{GAME}-{number}{end}")));
    let old = fs::read_to_string(place.path(&format!("before/{GAME}.jsonl"))).expect("a record");
    assert_eq!(kept(1, ".jsonl").expect("the old record"), old);
    assert!(kept(1, "-seat1.txt").expect("its fault report").contains("not_started"));
    assert!(place.path(&page).is_file(), "the new game has a report, too");

    // A game that comes out differently: an agent that answers as a file beside it says.
    let shell = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/shell/first.sh").canonicalize().expect("a bot");
    let command = format!("sh -c 'test -e sound && exec sh {}'", shell.display());
    let place = Place::new(&LEAGUE.replace("= 40", "= 4").replace("maumau agent random", &command));
    place.check("run league.toml --quiet --sandbox none", 1);
    let before = games(&place, "league.maumau");
    place.write("sound", "");
    let (_, said) = place.check(&format!("run league.toml --quiet --sandbox none --again-game {GAME}"), 0);
    assert!(said.contains(" (dismissed: 1 not_started) and is now "), "{said}");
    let after = games(&place, "league.maumau");
    let changed: Vec<&Value> = after.iter().filter(|game| !before.contains(game)).collect();
    assert!(changed.len() == 1 && changed[0]["game"] == GAME, "{changed:?}");
    let mut verify = std::process::Command::new(env!("CARGO_BIN_EXE_maumau"));
    assert!(
        verify
            .current_dir(place.0.path())
            .args(["verify", "league.maumau"])
            .output()
            .expect("it runs")
            .status
            .success()
    );
}

#[test]
fn a_disputed_game_of_a_ladder_is_played_again_beside_it() {
    let place = Place::new(&LEAGUE.replace("= 40", "= 4").replace("maumau agent random", "sh odd.sh"));
    let shell = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/shell/first.sh").canonicalize().expect("a bot");
    // It plays unless a file says otherwise, which is no part of it.
    place.write("odd.sh", &format!("test -e {} || exec sh {}\n", place.path("odd").display(), shell.display()));
    let ladder = std::fs::read_to_string(place.path("league.toml")).expect("a file");
    let schedule = "seed = 7\n[schedule]\nformat = \"ladder\"\nround_games = 4\n[stop]\ngames = 12\n";
    place.write("ladder.toml", &ladder.replace("seed = 7\n", "").replace("games_per_pairing = 4\n", schedule));
    place.check("run ladder.toml --quiet --sandbox none", 0);
    let before = fs::read(place.path("ladder.maumau")).expect("a file");
    let list = games(&place, "ladder.maumau");
    let odd = list.iter().find(|game| game.to_string().contains("\"random\"")).expect("it has played");
    let name = odd["game"].as_str().expect("a name");
    let first = list[0]["game"].as_str().expect("a name");
    let (said, _) = place.check(&format!("rerun ladder.maumau {first} {name} --sandbox none --to again"), 0);
    assert_eq!(said.matches(" and is the same again, event by event").count(), 2, "{said}");
    place.write("odd", "");
    let (said, _) = place.check(&format!("rerun ladder.maumau {name} --sandbox none --to again"), 1);
    assert!(said.contains(" and is now ") && said.contains("not_started"), "{said}");
    assert!(said.ends_with("; it differs from move 1 on\n"), "{said}");
    let record = fs::read_to_string(place.path(&format!("again/{name}.jsonl"))).expect("a record");
    assert!(record.contains("\"not_started\""), "{record}");
    let (_, said) = place.check("rerun ladder.maumau g999-d0000-r0", 2);
    assert!(said.contains("no game of this run is called \"g999-d0000-r0\""), "{said}");
    place.write("odd.sh", "exit 1\n");
    let (_, said) = place.check(&format!("rerun ladder.maumau {name} --sandbox none"), 2);
    assert!(said.contains("agent random is not the one that played: the file odd.sh has changed"), "{said}");
    assert_eq!(fs::read(place.path("ladder.maumau")).expect("a file"), before, "the run stays as it is");
}

#[test]
fn a_game_that_cannot_be_played_again_is_refused_and_stays() {
    let place = Place::new(&LEAGUE.replace("= 40", "= 4"));
    let (_, said) = place.check("run league.toml --again-game g000-d0000-r0", 2);
    assert!(said.contains("--again-game g000-d0000-r0: there is no run file league.maumau"), "{said}");
    place.check("run league.toml --quiet", 0);
    let before = games(&place, "league.maumau");
    let refused = |arguments: &str, expected: &str| {
        let (_, said) = place.check(arguments, 2);
        assert!(said.contains(expected), "expected {expected:?} in {said}");
        assert!(!place.path("league.replaced").exists(), "nothing was replaced");
    };
    refused(
        "run league.toml --again-game g009-d0000-r0",
        "no game of this run is called \"g009-d0000-r0\"; the names go up to",
    );
    place.write("league.toml", &LEAGUE.replace("= 40", "= 6"));
    refused("run league.toml --again-game g000-d0002-r0", "no game of this run is called \"g000-d0002-r0\"");
    place.write("league.toml", &LEAGUE.replace("= 40", "= 4").replace("\"random\"", "\"random\"\nretired = true"));
    refused(
        "run league.toml --again-game g001-d0000-r0",
        "--again-game g001-d0000-r0: random has retired, so nobody would play",
    );
    assert_eq!(games(&place, "league.maumau"), before);

    let swiss = "games_per_pairing = 2\n[schedule]\nformat = \"swiss\"\nrounds = 2\n";
    let league = LEAGUE.replace("seed = 7\n", "").replace("games_per_pairing = 40\n", &format!("seed = 7\n{swiss}"));
    place.write("swiss.toml", &league);
    place.check("run swiss.toml --quiet", 0);
    refused(
        "run swiss.toml --again-game g000-d0000-r0",
        "--again-game g000-d0000-r0: the rounds of this league followed from the results of the games that would be played again. Name",
    );
}
