//! `maumau tournament faults`: what an author is handed out is all that went wrong for the agent, and nothing that its seat may not
//! know. What a seat sees of a game is tested in `maumau-referee`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::arena::bad_bot;
use crate::league_place::Place;
use serde_json::Value;

/// The files of a folder by name, in order.
fn files(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<(String, String)> = entries
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("a text"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn what_went_wrong_for_an_agent_is_handed_out_as_its_seat_saw_it() {
    let bots = [("liar", bad_bot("moves", "illegal-card")), ("forger", bad_bot("moves", "forges-lines"))];
    let bots = bots.iter().map(|(name, command)| format!("[[agent]]\nname = \"{name}\"\ncommand = \"{command}\"\n"));
    let head = "name = \"bad\"\nrules = \"skat\"\nseats = 2\npublic_seed = true\nseed = 7\ngames_per_pairing = 2\n";
    let honest = "[[agent]]\nname = \"greedy\"\ncommand = \"maumau agent greedy\"\n";
    let place = Place::new(&format!("{head}{}{honest}", bots.collect::<String>()));
    place.check("run league.toml --quiet", 0);
    place.check("export league.maumau --to records", 0);
    let report: Value = serde_json::from_str(&place.check("show league.maumau --format json", 0).0).expect("JSON");
    let rows = report["standings"]["rows"].as_array().expect("rows");

    for agent in ["liar", "forger"] {
        let (printed, _) = place.check(&format!("faults league.maumau --agent {agent} --to {agent}"), 0);
        let files = files(&place.path(agent));
        let of = |ending: &str| files.iter().filter(|(name, _)| name.ends_with(ending)).collect::<Vec<_>>();
        let (index, csv) = (&of("faults.md")[0].1, &of("faults.csv")[0].1);
        let lines = files.iter().filter(|(name, _)| !name.ends_with(".jsonl")).flat_map(|(_, text)| text.lines());
        assert!(lines.clone().all(|line| !line.trim_start().starts_with("FORGED")), "a line is forged");
        // Each fault that the tables count has its line, in the list and in the data.
        let row = rows.iter().find(|row| row["name"] == agent).expect("a row");
        for (fault, count) in row["faults"].as_object().expect("faults") {
            let times = count.as_u64().expect("a number");
            assert!(printed.contains(&format!("{times} {fault}")), "{printed}");
            let lines = csv.lines().filter(|line| line.starts_with(&format!("{fault},"))).count();
            assert_eq!(lines as u64, times, "{csv}");
            let escaped = fault.replace('_', "\\_");
            assert!(index.contains(&format!("| {escaped} | {times} |")), "{index}");
        }
        assert_eq!(csv.lines().filter(|line| line.starts_with("dismissed,")).count() as u64, row["dismissals"]);

        let games = of(".jsonl");
        assert_eq!((games.len(), of(".txt").len(), files.len()), (games.len(), games.len(), 2 * games.len() + 2));
        for (name, of_seat) in games {
            let record = format!("records/{name}");
            let whole = fs::read_to_string(place.path(&record)).expect("a record");
            let header: Value = serde_json::from_str(whole.lines().next().expect("a header")).expect("JSON");
            let seats = header["names"].as_array().expect("names");
            let seat = seats.iter().position(|name| name == agent).expect("it played");
            let mut replay = Command::new(env!("CARGO_BIN_EXE_maumau"));
            replay.current_dir(place.0.path()).args(["replay", &record, "--format", "json", "--times", "--positions"]);
            let seen = replay.args(["--seat", &seat.to_string()]).output().expect("maumau runs").stdout;
            assert_eq!(*of_seat, String::from_utf8(seen).expect("text"), "{name}");
            let seed = header["seed"].as_str().expect("a seed");
            assert!(files.iter().all(|(_, text)| !text.contains(seed)), "the seed gives away all hands");
        }
    }
    let [(_, csv), (_, index), .., (_, text)] = &files(&place.path("liar"))[..] else { panic!("no files") };
    let sent = r#"{""do"":""play"",""card"":"#;
    assert!(
        csv.lines().skip(1).any(|line| line.starts_with("not_in_hand,g000-d0000-r0,1,") && line.contains(sent)),
        "{csv}"
    );
    assert!(index.contains("the card is not in the hand, strike 3"), "{index}");
    for expected in
        ["dismissed", "    referee: the card is not in the hand, strike 1", "\nstderr, its first", "\nRound 1; "]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }

    let (_, said) = place.check("faults league.maumau --agent greedy --to liar", 2);
    assert!(said.contains("--to liar: the folder is not empty"), "{said}");
    let (_, said) = place.check("faults league.maumau --agent lair --to other", 2);
    let known = "no such agent; did you mean \"liar\"? (known: \"liar\", \"forger\", \"greedy\")";
    assert!(said.contains(known) && !place.path("other").exists(), "{said}");
    fs::create_dir(place.path("greedy")).expect("an empty folder");
    let (printed, _) = place.check("faults league.maumau --agent greedy --to greedy", 0);
    assert!(printed.starts_with("nothing went wrong for greedy in 4 games"), "{printed}");
    assert_eq!(files(&place.path("greedy")).len(), 2);
}
