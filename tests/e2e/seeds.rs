//! Seeds of runs: which are refused, what everybody learns of a public one, and how those of deals that are done are checked.

use std::path::Path;
use std::process::Command;

use crate::league_place::{LEAGUE, Place, json};
use serde_json::Value;

const PUBLIC: &str = "The seed is public (public_seed): agents may know every card.";

/// A league with an agent that is not built in, and these lines at its head.
fn league(head: &str) -> String {
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/shell/first.sh");
    format!(
        "rules = \"basic\"\nseats = 2\ngames_per_pairing = 4\n{head}\n[[agent]]\nname = \"mine\"\ncommand = \"sh {}\"\n\
         [[agent]]\nname = \"greedy\"\ncommand = \"maumau agent greedy\"\n",
        bot.canonicalize().expect("the shell bot").display()
    )
}

#[test]
fn a_number_is_refused_as_the_seed_of_a_league_with_bots_of_others() {
    let place = Place::new(&league("seed = \"7\""));
    for command in ["run league.toml --quiet", "check league.toml", "run league.toml --dry-run"] {
        let (_, said) = place.check(command, 2);
        assert!(
            said.contains("league.toml:4:8: seed: agents can find a seed that a person chose"),
            "{command}: {said}"
        );
        assert!(said.contains("public_seed = true"), "{command}: {said}");
    }
    place.write("league.toml", &league(""));
    let (_, said) = place.check("run league.toml --quiet --seed 7", 2);
    assert!(said.contains("the seed of the run is not secret: agents can find"), "{said}");
    assert!(!place.path("league.maumau").exists(), "a run that is refused leaves no file");

    // Begun by built-in agents alone, it takes no others later.
    let foreign = league("seed = 7");
    let own = foreign.split('"').find(|word| word.starts_with("sh ")).expect("its command");
    place.write("league.toml", &foreign.replace(own, "maumau agent first"));
    let (_, said) = place.check("run league.toml", 0);
    assert!(!said.contains("public"), "{said}");
    place.write("league.toml", &league(""));
    let (_, said) = place.check("run league.toml --again mine", 2);
    assert!(said.contains("the seed of the run is not secret"), "{said}");
}

#[test]
fn everybody_learns_of_a_public_seed() {
    let place = Place::new(&league("seed = 7\npublic_seed = true"));
    for command in ["run league.toml --dry-run", "check league.toml", "run league.toml"] {
        let (_, said) = place.check(command, 0);
        assert!(said.contains(PUBLIC), "{command}: {said}");
    }
    for format in ["table", "markdown", "html"] {
        let (shown, _) = place.check(&format!("show league.maumau --format {format}"), 0);
        assert!(shown.contains(PUBLIC), "{format}: {shown}");
    }
    let (code, seen) = output(&place, env!("CARGO_BIN_EXE_maumau"), &["watch", "league.maumau", "--plain"]);
    assert!(code == Some(0) && seen.contains(PUBLIC), "{seen}");
    assert_eq!(json(&place, "show league.maumau --format json")["public_seed"], true);
    place.check("export league.maumau --to records", 0);
    let record = std::fs::read_to_string(place.path("records/g000-d0000-r0.jsonl")).expect("a record");
    let head: serde_json::Value = serde_json::from_str(record.lines().next().expect("a line")).expect("JSON");
    assert_eq!(head["meta"]["public_seed"], true, "{head}");

    // Drawn, it is secret.
    place.write("drawn.toml", &league(""));
    let (_, said) = place.check("run drawn.toml", 0);
    assert!(!said.contains("public"), "{said}");
    assert_eq!(json(&place, "show drawn.maumau --format json")["public_seed"], false);
}

/// What a command says, and its exit code.
fn output(place: &Place, program: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(program).current_dir(place.0.path()).args(arguments).output().expect("it runs");
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    (output.status.code(), stdout + &stderr)
}

fn verify(place: &Place, list: &str, files: &[&str]) -> (Option<i32>, String) {
    let arguments = [&["verify", "--quiet", "--commitments", list], files].concat();
    output(place, env!("CARGO_BIN_EXE_maumau"), &arguments)
}

/// A run of 12 games and the list of its seeds; and a copy of it that goes on to 18 games, with its list and its records.
fn published() -> Place {
    let place = Place::new(&LEAGUE.replace("= 40", "= 4"));
    place.check("run league.toml --quiet", 0);
    place.check("export league.maumau --seeds whole.csv", 0);
    place.write("more.toml", &LEAGUE.replace("= 40", "= 6"));
    std::fs::copy(place.path("league.maumau"), place.path("more.maumau")).expect("a copy");
    place.check("run more.toml --quiet", 0);
    place.check("export more.maumau --seeds more.csv --to records", 0);
    place
}

#[test]
fn the_list_of_seeds_is_checked_by_verify_against_runs_and_records() {
    let place = published();
    let (code, said) = verify(&place, "whole.csv", &["league.maumau"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("12 games have the seed committed to in whole.csv\n12 passed, 0 failed"), "{said}");
    for (files, code, message) in [
        (&["more.maumau"][..], 0, "12 games have the seed committed to in whole.csv\n18 passed, 0 failed"),
        (&["records"], 0, "12 games have the seed"),
        (&["records/g000-d0000-r0.jsonl"], 1, "none of the files has a sound record"),
    ] {
        let (found, said) = verify(&place, "whole.csv", files);
        assert!(found == Some(code) && said.contains(message), "{said}");
    }
    let (code, said) = verify(&place, "more.csv", &["league.maumau"]);
    assert!(code == Some(1) && said.contains("12 passed, 6 failed") && said.contains("more.csv: line "), "{said}");

    // Another seed was dealt than was committed to.
    place.write("other.toml", &LEAGUE.replace("= 40", "= 4").replace("seed = 7", "seed = 8"));
    place.check("run other.toml --quiet", 0);
    let (code, said) = verify(&place, "whole.csv", &["other.maumau"]);
    assert!(code == Some(1) && said.contains("12 failed"), "{said}");
    let list = std::fs::read_to_string(place.path("whole.csv")).expect("a list");
    let forged: String = list.lines().map(|line| line.replace('a', "b") + "\n").collect();
    place.write(
        "forged.csv",
        &forged.replacen(forged.lines().next().expect("a head"), list.lines().next().expect("a head"), 1),
    );
    let (code, said) = verify(&place, "forged.csv", &["league.maumau"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("another seed than the arena was committed to: line "), "{said}");
    let (code, said) = verify(&place, "league.toml", &["league.maumau"]);
    assert!(code == Some(2) && said.contains("expected what `maumau tournament export --seeds` writes"), "{said}");
}

/// SPEC 8.3 as a vector has it, and what a run of that seed does.
#[test]
fn names_seeds_and_commitments_of_a_run_are_those_of_spec() {
    let spec = include_str!("../../protocol/SPEC.md");
    let (_, rest) = spec.split_once("<!-- vectors -->\n```json\n").expect("the vectors begin");
    let vectors: Value = serde_json::from_str(rest.split_once("\n```\n").expect("they end").0).expect("JSON");
    let place = Place::new(&LEAGUE.replace("= 40", "= 2").replace("seed = 7", "seed = 1"));
    place.check("run league.toml --quiet", 0);
    place.check("export league.maumau --seeds seeds.jsonl --to records", 0);
    let list = std::fs::read_to_string(place.path("seeds.jsonl")).expect("a list");
    let rows: Vec<Value> = list.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let vectors = vectors["game_of_a_run"].as_array().expect("vectors").iter();
    let vectors: Vec<&Value> = vectors.filter(|vector| vector["deal"] == "g000-d0000").collect();
    assert_eq!(vectors.len(), 2, "SPEC has vectors of this run");
    for vector in vectors {
        let row = rows.iter().find(|row| row["game"] == vector["planned"]).expect("a row");
        for (column, member) in [("deal_name", "deal"), ("id", "game"), ("commitment", "commitment"), ("seed", "seed")]
        {
            assert_eq!(row[column], vector[member], "{column}");
        }
        let planned = vector["planned"].as_str().expect("a name");
        let record = std::fs::read_to_string(place.path(&format!("records/{planned}.jsonl"))).expect("a record");
        let head: Value = serde_json::from_str(record.lines().next().expect("a line")).expect("JSON");
        assert_eq!((&head["game"], &head["seed"]), (&vector["game"], &vector["seed"]));
    }
}

#[test]
fn the_program_on_the_page_about_contests_checks_lists_without_maumau() {
    let place = published();
    let page = include_str!("../../arena/docs/contest.md");
    let (_, rest) = page.split_once("```python\n# check_seeds.py").expect("the program");
    place.write("check_seeds.py", &format!("#{}", rest.split_once("```").expect("its end").0));
    // Of a run that goes on, deals are not done, and say neither their names nor their seeds.
    let early = "game,deal_name,id,commitment,seed\n".to_owned()
        + &std::fs::read_to_string(place.path("more.csv"))
            .expect("a list")
            .lines()
            .skip(1)
            .map(|row| {
                let cells: Vec<&str> = row.split(',').collect();
                format!(",,{},{},\n", cells[2], cells[3])
            })
            .collect::<String>();
    place.write("early.csv", &early);
    let start = early.lines().nth(1).map(|row| row.split(',').collect::<Vec<_>>()).expect("a row");
    let start_line = format!("{{\"type\":\"start\",\"game\":\"{}\",\"commitment\":\"{}\"}}\n", start[2], start[3]);
    place.write("starts.jsonl", &(start_line.clone() + "{\"type\":\"ask\"}\n"));
    place.write("forged.jsonl", &start_line.replace(start[3], &"0".repeat(64)));
    for (arguments, code, said) in [
        (&["more.csv"][..], 0, "18 commitments, 9 seeds, 0 kept, 0 wrong"),
        (&["more.csv", "early.csv"], 0, "18 commitments, 9 seeds, 18 kept, 0 wrong"),
        (&["early.csv"], 0, "18 commitments, 0 seeds, 0 kept, 0 wrong"),
        (&["more.csv", "starts.jsonl"], 0, "18 commitments, 9 seeds, 1 kept, 0 wrong"),
        (&["more.csv", "forged.jsonl"], 1, "was committed to, and the list has"),
        (&["whole.csv", "early.csv"], 1, "12 commitments, 6 seeds, 18 kept, 6 wrong"),
    ] {
        let (found, printed) = output(&place, "python3", &[&["check_seeds.py"], arguments].concat());
        assert!(found == Some(code) && printed.contains(said), "{arguments:?}: {printed}");
    }
    let (code, printed) = verify(&place, "early.csv", &["more.maumau"]);
    assert_eq!(code, Some(0), "{printed}");
    let list = std::fs::read_to_string(place.path("more.csv")).expect("a list");
    let seed = list.lines().nth(1).and_then(|row| row.rsplit(',').next()).expect("a seed");
    place.write("swapped.csv", &list.replacen(seed, &"0".repeat(64), 1));
    let (code, printed) = output(&place, "python3", &["check_seeds.py", "swapped.csv"]);
    assert!(code == Some(1) && printed.contains("the seed is not the one that was committed to"), "{printed}");
    assert!(printed.contains("another seed than other games of"), "{printed}");
}

#[test]
fn the_site_of_a_run_lists_seeds_and_commitments() {
    let place = published();
    place.check("site more.maumau --to site", 0);
    let page = std::fs::read_to_string(place.path("site/seeds/index.html")).expect("a page");
    let list = std::fs::read_to_string(place.path("more.csv")).expect("a list");
    for cell in
        list.lines().skip(1).flat_map(|row| row.split(',')).filter(|cell| !cell.starts_with('g') || cell.contains("-r"))
    {
        assert!(page.contains(cell), "{cell}");
    }
    let index = std::fs::read_to_string(place.path("site/index.html")).expect("a page");
    assert!(index.contains("href=\"seeds/index.html\""), "a way to it");
}
