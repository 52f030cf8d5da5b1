//! Seeds of runs: which are refused, and what everybody is told of a public one.

mod league_place;

use std::path::Path;

use league_place::{Place, json};

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
            said.contains("league.toml:4:1: seed: agents can find a seed that a person chose"),
            "{command}: {said}"
        );
        assert!(said.contains("public_seed = true"), "{command}: {said}");
    }
    place.write("league.toml", &league(""));
    let (_, said) = place.check("run league.toml --quiet --seed 7", 2);
    assert!(said.contains("the seed of the run is not secret: agents can find"), "{said}");

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
fn of_a_public_seed_everybody_is_told() {
    let place = Place::new(&league("seed = 7\npublic_seed = true"));
    for command in ["run league.toml --dry-run", "check league.toml", "run league.toml"] {
        let (_, said) = place.check(command, 0);
        assert!(said.contains(PUBLIC), "{command}: {said}");
    }
    for format in ["table", "markdown", "html"] {
        let (shown, _) = place.check(&format!("show league.maumau --format {format}"), 0);
        assert!(shown.contains(PUBLIC), "{format}: {shown}");
    }
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
