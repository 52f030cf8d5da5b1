//! Leagues in which the dealer deals by actions of its own, which an option must enable (N-109 to N-122, P-70 to P-72):
//! the built-in bots play them without a fault, and every record verifies. The rules of such deals are tested by
//! scenarios.

use crate::arena::{Arena, Run};

fn league(rules: &str, options: &str, seats: usize) -> String {
    let agents = ["greedy", "first", "random"]
        .map(|bot| format!("\n[[agent]]\nname = \"{bot}\"\ncommand = \"maumau agent {bot}\"\n"));
    let games = 4 * seats;
    format!(
        "name = \"dealt\"\nrules = \"{rules}\"\nseats = {seats}\nrounds = 2\ngames_per_pairing = {games}\npublic_seed = true\nseed = 3\n\
         options = {{ {options} }}\n{}",
        agents.concat()
    )
}

fn ok(run: Run) -> Run {
    assert_eq!(run.code, Some(0), "{run:?}");
    run
}

/// Plays a league and returns the records, which verify.
fn play(rules: &str, options: &str, seats: usize) -> Vec<String> {
    let arena = Arena::new();
    let [file, run, records] = ["league.toml", "league.maumau", "records"].map(|name| arena.path(name));
    std::fs::write(&file, league(rules, options, seats)).expect("a league file");
    ok(arena.run(&["tournament", "run", &file, "--run", &run, "--quiet", "--cpus", "1"]));
    ok(arena.run(&["tournament", "export", &run, "--to", &records]));
    let files = std::fs::read_dir(&records).expect("records").map(|file| file.expect("a file").path());
    let files: Vec<String> = files.map(|path| path.display().to_string()).collect();
    let paths: Vec<&str> = files.iter().map(String::as_str).collect();
    ok(arena.run(&[&["verify"], &paths[..]].concat()));
    files.iter().map(|path| std::fs::read_to_string(path).expect("a record")).collect()
}

#[test]
fn leagues_dealt_by_the_dealers_are_played_without_a_fault() {
    for (rules, options, seats) in [
        ("snap", "dealing = \"dealer\"", 3),
        ("snap", "dealing = \"dealer\", strict = true", 2),
        ("spam", "deal_count = \"dealer\"", 3),
        ("spam", "deal_count = \"dealer\", auto_look = false", 2),
    ] {
        let records = play(rules, options, seats);
        assert!(!records.is_empty());
        for record in records {
            // Mistakes under the rules are part of the game; faults are not.
            for entry in ["fault", "dismissed", "stand"] {
                assert!(!record.contains(&format!("{{\"entry\":\"{entry}\"")), "{rules} with {options}: {record}");
            }
            let deals = record.matches("\"do\":\"deal\"").count();
            assert!(deals >= 2, "{rules} with {options}: {deals} deals by a dealer in two rounds");
        }
    }
}

#[test]
fn the_demo_of_snap_is_dealt_by_the_dealers() {
    let arena = Arena::new();
    let folder = arena.path("demo");
    let played = ok(arena.run(&["tournament", "demo", "--rules", "snap", "--games", "15", "--folder", &folder]));
    assert!(played.stdout.contains("games of snap at tables of"), "{}", played.stdout);
    let league = std::fs::read_to_string(format!("{folder}/demo.toml")).expect("the league file");
    assert!(league.contains("options = { dealing = \"dealer\" }"), "{league}");
    let run = format!("{folder}/demo.maumau");
    let records = arena.path("records");
    ok(arena.run(&["tournament", "export", &run, "--to", &records]));
    for file in std::fs::read_dir(&records).expect("records") {
        let record = std::fs::read_to_string(file.expect("a file").path()).expect("a record");
        assert!(record.contains("\"do\":\"deal\""), "nobody dealt in {record}");
    }
}
