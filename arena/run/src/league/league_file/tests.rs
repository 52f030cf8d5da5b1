//! League files that are read, and what is said of those that are not; the pages about them are held to the keys that there are.

use maumau_tournament::Format;

use super::super::formats::{DECISION_KEYS, SCHEDULE_KEYS, STOP_KEYS};
use super::*;

const GOOD: &str = "rules = \"skat\"\nseats = 2\ngames_per_pairing = 4\n\n\
    [[agent]]\nname = \"a\"\ncommand = \"maumau agent first\"\n\n[[agent]]\ncommand = \"maumau agent greedy\"\n";

fn check(text: &str, expected: &[&str]) {
    let said = match LeagueFile::parse("l.toml", Path::new(""), text) {
        Ok(_) => String::new(),
        Err(problems) => problems.to_string(),
    };
    let mut lines = said.lines();
    for part in expected {
        let line = lines.next().unwrap_or_default();
        assert!(line.contains(part), "expected {part:?} in {line:?} of:\n{said}");
    }
    assert_eq!(lines.next(), None, "{said}");
}

const PAGE: &str = include_str!("../../../../docs/league-files.md");
const FORMATS: &str = include_str!("../../../../docs/formats.md");

#[test]
fn the_page_about_league_files_has_every_key_and_its_example_is_read() {
    let (_, rest) = PAGE.split_once("```toml\n").expect("an example");
    let (example, rest) = rest.split_once("```").expect("its end");
    // Its folders are relative to the repository.
    let here = |folder: &str| format!("\"{}/../../{folder}\"", env!("CARGO_MANIFEST_DIR"));
    let text = example.replace("\"agents/python\"", &here("agents/python"));
    let file = LeagueFile::parse("l.toml", Path::new(""), &text).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!((file.league.agents.len(), file.league.rounds, file.league.time.bank_ms), (4, vec![3], 10_000));
    let written = |key: &str| {
        let starts = [format!("\n{key} = "), format!("\n[{key}]"), format!("\n[[{key}]]")];
        starts.iter().any(|start| example.contains(start)) || example.starts_with(&starts[0][1..])
    };
    let keys = [&KEYS[..], &TIME_KEYS, &LOCKSTEP_KEYS, &LIVE_KEYS, &SANDBOX_KEYS, &AGENT_KEYS];
    for key in keys.concat() {
        assert!(rest.contains(&format!("| `{key}` | ")), "{key} has no line");
        // The times of the live clock are in the example of their own.
        let elsewhere = FORMATS.contains(&format!("\n[{key}]")) || rest.contains(&format!("\n    {key} = "));
        assert!(written(key) || elsewhere, "{key} is in no example");
    }
    let lines = rest.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(lines, keys.concat().len(), "a line about a key that there is not");
}

#[test]
fn the_clock_decides_which_times_there_are() {
    let with = |clock: &str, time: &str| GOOD.replacen("\n\n[", &format!("\n{clock}\n[time]\n{time}\n["), 1);
    let live = LeagueFile::parse("l.toml", Path::new(""), &with("clock = \"live\"", "grace_ms = 20\nreaction_ms = 5"));
    let league = live.expect("a sound file").league;
    assert_eq!((league.clock, league.time.grace_ms, league.time.reaction_ms), (ClockMode::Live, 20, 5));
    let lockstep = LeagueFile::parse("l.toml", Path::new(""), &with("clock = \"lockstep\"", "bank_ms = 5"));
    assert_eq!(lockstep.expect("a sound file").league.clock, ClockMode::Lockstep);
    check(
        &with("clock = \"alive\"", "move_ms = 5"),
        &["l.toml:4:9: clock: expected \"lockstep\" or \"live\", found \"alive\""],
    );
    check(&with("clock = \"live\"", "bank_ms = 5"), &["time.bank_ms: the live clock has no bank"]);
    check(&with("", "grace_ms = 5"), &["time.grace_ms: only the live clock has it"]);
}

#[test]
fn the_page_about_formats_has_every_key_and_its_examples_are_read() {
    for key in [&SCHEDULE_KEYS[..], &STOP_KEYS, &DECISION_KEYS].concat() {
        assert!(FORMATS.contains(&format!("| `{key}` | ")), "{key} has no line");
        let forms = [format!("\n{key} = "), format!("{{ {key} = "), format!(", {key} = ")];
        assert!(forms.iter().any(|form| FORMATS.contains(form)), "{key} is in no example");
    }
    for name in Format::NAMES {
        assert!(FORMATS.contains(&format!("| `{name}` | ")), "{name} has no line");
    }
    for example in FORMATS.split("```toml\n").skip(1).filter_map(|text| text.split("```").next()) {
        let agents: String = ["mine", "b", "c", "d"]
            .map(|name| format!("[[agent]]\nname = \"{name}\"\ncommand = \"maumau agent first\"\n"))
            .iter()
            .take(if example.contains("\"match\"") { 2 } else { 4 })
            .map(String::as_str)
            .collect();
        let text = format!("rules = \"skat\"\nseats = 3\ngames_per_pairing = 6\n{example}\n{agents}");
        LeagueFile::parse("l.toml", Path::new(""), &text).unwrap_or_else(|problems| panic!("{problems}: {example}"));
    }
}

#[test]
fn a_short_league_is_filled_up_with_what_is_usual() {
    let file = LeagueFile::parse("l.toml", Path::new(""), GOOD).expect("a good league");
    assert_eq!(file.league.agents[1].name, "greedy");
    assert_eq!((file.league.time, file.seed, file.concurrency), (TimeControl::default(), None, None));
}

#[test]
fn names_that_look_alike_are_refused_with_both_spellings() {
    for (name, expected_text) in [
        ("greedy ", "the name \"greedy \" looks like \"greedy\""),
        ("gr\u{435}edy", "the name \"gr\u{435}edy\" (gr\\u{435}edy) looks like \"greedy\""),
        ("gree\u{200b}dy", "the name \"gree\u{200b}dy\" (gree\\u{200b}dy) looks like \"greedy\""),
    ] {
        let text = format!("{GOOD}\n[[agent]]\nname = \"{name}\"\ncommand = \"maumau agent random\"\n");
        check(&text, &[&format!("l.toml:13:8: agent: {expected_text}, which an agent before it has")]);
    }
    check(&GOOD.replace("name = \"a\"", "name = \"Greedy\""), &[]);
    for (second, expected_text) in [
        ("Mira ", Some("the author \"Mira \" looks like \"Mira\", the author of an agent before it")),
        (
            "M\u{456}ra",
            Some("the author \"M\u{456}ra\" (M\\u{456}ra) looks like \"Mira\", the author of an agent before it"),
        ),
        ("Mira", None),
        ("mira", None),
    ] {
        let agent = |name: &str, author: &str| {
            format!("\n[[agent]]\nname = \"{name}\"\nauthor = \"{author}\"\ncommand = \"maumau agent random\"\n")
        };
        let expected_text = expected_text
            .map(|expected_text| format!("l.toml:18:8: agent: {expected_text}; write one author in one way"));
        let expected_text: Vec<&str> = expected_text.iter().map(String::as_str).collect();
        check(&format!("{GOOD}{}{}", agent("x", "Mira"), agent("y", second)), &expected_text);
    }
}

/// A seed that nobody can guess: its digits are those of a hash.
fn drawn() -> String {
    maumau_engine::seed_of_number(1).to_string()
}

#[test]
fn a_seed_that_a_person_chose_is_refused_where_agents_are_not_built_in() {
    let foreign = GOOD.replace("maumau agent greedy", "python3 mine.py");
    let retired = GOOD.replace("maumau agent first\"", "python3 mine.py\"\nretired = true").replace("= 2", "= 1");
    let chosen = [r#"7"#, r#""7""#, &format!("\"{}\"", "0".repeat(64))].map(str::to_owned);
    let refused = &["l.toml:4:8: seed: agents can find a seed that a person chose by trying"][..];
    for seed in &chosen {
        let with = |text: &str, more: &str| text.replacen("\n\n[", &format!("\nseed = {seed}\n{more}\n["), 1);
        check(&with(GOOD, ""), &[]);
        check(&with(&foreign, ""), refused);
        check(&with(&foreign, "public_seed = false"), refused);
        check(&with(&foreign, "public_seed = true"), &[]);
        // Only built-in ones play on, too few here for another reason.
        let said = LeagueFile::parse("l.toml", Path::new(""), &with(&retired, "")).expect_err("one agent is left");
        assert!(!said.to_string().contains("by trying"), "{said}");
    }
    check(&foreign.replacen("\n\n[", &format!("\nseed = \"{}\"\n\n[", drawn()), 1), &[]);
    check(&foreign, &[]);
    check(
        &foreign.replacen("\n\n[", "\npublic_seed = 1\n\n[", 1),
        &["l.toml:4:15: public_seed: expected true or false"],
    );
}

/// By the seed of the command line, of the file and of the run: whether agents learn it, or why it is refused.
#[test]
fn the_seed_of_a_run_is_held_to_the_same_wherever_it_comes_from() {
    let foreign = GOOD.replace("maumau agent greedy", "python3 mine.py");
    let public = foreign.replacen("\n\n[", "\npublic_seed = true\n\n[", 1);
    let given = |text: &str| text.parse::<GivenSeed>().expect("a seed");
    let (chosen, drawn) = (given("7"), given(&drawn()));
    for (text, from_file, asked, stored, expected) in [
        (GOOD, None, None, None, Some(false)),
        (GOOD, None, Some(chosen), None, Some(true)),
        (&foreign, None, None, None, Some(false)),
        (&foreign, None, Some(drawn), None, Some(false)),
        (&foreign, None, Some(chosen), None, None),
        (&foreign, None, None, Some(chosen), None),
        (&foreign, None, None, Some(drawn), Some(false)),
        (&foreign, Some(drawn), None, Some(chosen), Some(false)),
        (&public, None, Some(chosen), None, Some(true)),
        (&public, None, None, Some(chosen), Some(true)),
        (&public, Some(chosen), None, None, Some(true)),
    ] {
        let mut file = LeagueFile::parse("l.toml", Path::new(""), text).expect("a sound file");
        file.seed = from_file;
        let stored = stored.map(|GivenSeed { seed, is_guessable }| {
            let mut settings = file.settings(seed);
            settings.league.public_seed = is_guessable;
            settings
        });
        let found = file.seeded(asked, stored.as_ref());
        let is_public = found.as_ref().map(|settings| settings.league.public_seed).ok();
        assert_eq!(is_public, expected, "{text} {from_file:?} {asked:?}");
        match &found {
            Ok(settings) => assert_eq!(
                settings.league.cards_may_be_known(),
                settings.league.public_seed && text != GOOD,
                "built-in agents do not look for seeds"
            ),
            Err(error) => assert!(format!("{error:#}").contains("write public_seed = true"), "{error:#}"),
        }
    }
}

#[test]
fn a_run_goes_on_with_the_tables_of_its_beginning() {
    let file = LeagueFile::parse("l.toml", Path::new(""), GOOD).expect("a sound file");
    let new = file.seeded(None, None).expect("settings");
    assert!(new.league.allocation.by_wait);
    let mut begun = new;
    begun.league.allocation.by_wait = false;
    let goes_on = file.seeded(None, Some(&begun)).expect("settings");
    assert!(!goes_on.league.allocation.by_wait);
    assert_eq!(begun.differences(&goes_on), Vec::<String>::new());
}

#[test]
fn a_league_may_have_several_rule_sets_each_with_options_and_rounds_of_its_own() {
    let rules = "rules = [\"skat\", { set = \"snap\", rounds = 5, options = { dealing = \"dealer\" } }]\nrounds = 2";
    let text = GOOD.replace("rules = \"skat\"", rules);
    let file = LeagueFile::parse("l.toml", Path::new(""), &text).unwrap_or_else(|problems| panic!("{problems}"));
    let settings = file.settings(maumau_engine::seed_of_number(1));
    assert_eq!((settings.rule_names(), &file.league.rounds), (vec!["skat".to_owned(), "snap".to_owned()], &vec![2, 5]));
    assert_eq!(file.rules[1].options["dealing"].to_string(), "dealer");
    assert_eq!(settings.league.for_schedule().rule_sets, 2);
    let kept = serde_json::to_string(&file.league).expect("JSON");
    assert!(kept.contains("\"rounds\":[2,5]"), "{kept}");
    assert_eq!(serde_json::from_str::<LeagueSettings>(&kept).ok().as_ref(), Some(&file.league));

    // The same set with other options has another name in tables.
    let rules = "rules = [\"skat\", { set = \"skat\", options = { misplay = 0 } }]";
    let file = LeagueFile::parse("l.toml", Path::new(""), &GOOD.replace("rules = \"skat\"", rules)).expect("a league");
    assert_eq!(file.settings(maumau_engine::seed_of_number(1)).rule_names(), ["skat", "skat-2"]);
    assert!(
        serde_json::to_string(&LeagueSettings { rounds: vec![3], ..file.league })
            .expect("JSON")
            .contains("\"rounds\":3")
    );
}

#[test]
fn what_is_wrong_with_one_of_several_rule_sets_is_named_with_its_place() {
    let with = |rules: &str| GOOD.replace("rules = \"skat\"", rules);
    check(&with("rules = []"), &["rules: this key is required: rules = \"skat\""]);
    check(
        &with("rules = [\"skat\",\n\"skat\"]"),
        &["l.toml:2:1: rules[1]: \"skat\" stands there twice; leave one of them out"],
    );
    check(&with("rules = [\"skat\", 7]"), &["l.toml:1:18: rules[1]: expected the name of a rule set, or { set = "]);
    check(&with("rules = [{ rounds = 1 }]"), &["l.toml:1:10: rules[0].set: this key is required: set = \"skat\""]);
    check(
        &with("rules = [\"skat\", { set = \"snap\", round = 1 }]"),
        &["l.toml:1:34: rules[1].round: unknown key; did you mean \"rounds\"?"],
    );
    check(
        &with("rules = [\"skat\", \"snapp\"]"),
        &["l.toml:1:18: rules[1]: there is no rule set \"snapp\"; did you mean"],
    );
    check(
        &with("rules = [\"skat\", \"snap\"]\noptions = { dealing = \"dealer\" }"),
        &["l.toml:2:23: options.dealing: skat: no such table option (known: \"deal\", "],
    );
    check(
        &with("rules = [{ set = \"skat\", options = { missplay = 0 } }]"),
        &["l.toml:1:49: rules[0].options.missplay: no such table option; did you mean \"misplay\""],
    );
    let agents = (0..14).map(|number| format!("[[agent]]\nname = \"n{number}\"\ncommand = \"maumau agent first\"\n"));
    let large = with("rules = [\"skat\",\n\"snap\"]")
        .replace("seats = 2", "seats = SEATS")
        .replace("_pairing = 4", "_pairing = 16");
    let large = large.replace("SEATS", "16") + &agents.collect::<String>();
    check(&large, &["l.toml:1:10: rules[0]: "]);
}

#[test]
fn an_agent_is_permitted_what_its_table_says_and_a_run_file_keeps_no_secret() {
    let permits = "env = { MODEL = \"small\" }\nsecrets = [\"PATH\"]\nread = [\"/\"]\nnetwork = true\n";
    let file = LeagueFile::parse("l.toml", Path::new(""), &format!("{GOOD}{permits}")).expect("a good league");
    let agents = &file.league.agents;
    assert_eq!(agents[0].permits, PermitSettings::default());
    assert_eq!(agents[1].permits.named().to_string(), "network; env MODEL; secrets PATH; read /");
    let kept = serde_json::to_string(&file.league).expect("JSON");
    let value = std::env::var("PATH").expect("a path of programs");
    assert!(kept.contains("\"secrets\":[\"PATH\"]") && !kept.contains(&value), "{kept}");
    assert_eq!(serde_json::from_str::<LeagueSettings>(&kept).ok().as_ref(), Some(&file.league));
}

#[test]
fn every_problem_is_named_with_its_line_and_key() {
    check("seats = ", &["l.toml:1"]);
    let single = GOOD.replace("[[agent]]", "[agent]");
    check(&single, &["l.toml:9:1: agent: each agent is a table of its own, [[agent]] in two brackets"]);
    check(
        &single[..single.rfind("[agent]").expect("an agent")],
        &["l.toml:5:2: agent: expected tables [[agent]], found a table"],
    );
    check(&GOOD.replace("command = \"maumau agent greedy\"\n", ""), &["agent[1].command: this key is required"]);
    check("", &["rules: this key", "seats: this key", "games_per_pairing: this key", "agent: this key"]);
    check(&GOOD.replace("seats", "seat"), &["l.toml:2:1: seat: unknown key; did you mean \"seats\"?"]);
    check(
        &GOOD.replace("\"skat\"", "\"skatt\""),
        &["l.toml:1:9: rules: there is no rule set \"skatt\"; did you mean \"skat\"?"],
    );
    check(&GOOD.replace("= 4", "= 5"), &["l.toml:3:21: games_per_pairing = 5: not a multiple of 2"]);
    check(
        &GOOD.replace("seats = 2", "seats = 3").replace("= 4", "= 3"),
        &["l.toml:2:9: seats = 3: there are only 2 agents"],
    );
    check(&GOOD[..GOOD.rfind("[[agent]]").expect("an agent")], &["l.toml:2:9: seats = 2: there is only 1 agent, and"]);
    check(
        &GOOD.replacen("\n\n[", "\n[schedule]\nformat = \"gauntlet\"\nchallengers = [\"gredy\"]\nrounds = 2\n\n[", 1),
        &[
            "l.toml:6:16: schedule.challengers: no agent is called \"gredy\"; did you mean \"greedy\"?",
            "l.toml:7:10: schedule.rounds: belongs to the format swiss, and this is gauntlet",
        ],
    );
    let anchored = |anchor: &str| GOOD.replacen("\n\n[", &format!("\nanchor = {anchor}\n\n["), 1);
    check(
        &anchored("{ gredy = 1500 }"),
        &["l.toml:4:20: anchor: no agent is called \"gredy\"; did you mean \"greedy\"?"],
    );
    check(&anchored("{ a = 1, greedy = 2 }"), &["l.toml:4:1: anchor: expected one agent and its rating: anchor = {"]);
    check(&anchored("{ a = -1 }"), &["l.toml:4:16: anchor: expected a rating from 0 to 10000, found -1"]);
    check(&anchored("{ a = \"x\" }"), &["l.toml:4:16: anchor.a: expected a number such as 0.05, found the text"]);
    check(
        &GOOD.replacen("\n\n[", "\n[schedule]\nformat = \"double\"\nseeds = [\"a\", \"b\", \"a\"]\n\n[", 1),
        &[
            "l.toml:6:15: schedule.seeds: no agent is called \"b\"",
            "l.toml:6:20: schedule.seeds: \"a\" stands there twice",
        ],
    );
    check(
        &GOOD.replacen("\n\n[", "\n[schedule]\nformat = \"ladder\"\nseeds = [\"a\"]\n\n[", 1),
        &["l.toml:6:10: schedule.seeds: belongs to the format knock-out or double, and this is ladder"],
    );
    check(&GOOD.replace("name = \"a\"", "name = \"greedy\""), &["agent[1]: the name \"greedy\" is taken"]);
    check(
        &GOOD.replace("name = \"a\"", "nmae = \"a\""),
        &["l.toml:6:1: agent[0].nmae: unknown key; did you mean \"name\"?"],
    );
    check(&GOOD.replace("agent first", "agent 'first"), &["l.toml:7:11: agent[0].command: the command"]);
    check(
        &GOOD.replace("seats = 2", "seats = \"two\""),
        &["l.toml:2:9: seats: expected a whole number, found the text \"two\""],
    );
    check(
        &format!("{GOOD}[sandbox]\nlevel = \"basci\"\nmemory_mib = 1\n"),
        &[
            "l.toml:12:9: sandbox.level: no sandbox level is called \"basci\"; did you mean \"basic\"? (known: \"none\", ",
            "l.toml:13:14: sandbox.memory_mib: expected a number from 32",
        ],
    );
    let permits = "env = { A = 1, \"B-C\" = \"\", D = \"x\" }\nsecrets = [\"D\", \"sk-1\", 7]\n\
        read = [\"/nowhere\"]\nnetwork = \"yes\"\nsecret = []\n";
    check(
        &format!("{GOOD}{permits}"),
        &[
            "l.toml:11:13: agent[1].env.A: expected a text in quotes, found the number 1",
            "l.toml:11:24: agent[1].env.B-C: expected the name of an environment variable",
            "l.toml:11:32: agent[1].env.D: stands in secrets as well",
            "l.toml:12:17: agent[1].secrets: expected names of environment variables, never their values",
            "l.toml:12:25: agent[1].secrets: expected a text in quotes, found the number 7",
            "l.toml:13:9: agent[1].read: there is no file or folder \"/nowhere\"",
            "l.toml:14:11: agent[1].network: expected true or false, found the text \"yes\"",
            "l.toml:15:1: agent[1].secret: unknown key; did you mean \"secrets\"?",
        ],
    );
    check(
        &format!("{GOOD}env = [\"KEY\"]\n"),
        &["l.toml:11:7: agent[1].env: expected a table [agent[1].env], found a list"],
    );
    let options = |line: &str| GOOD.replacen("\n\n[", &format!("\n[options]\n{line}\n[time]\nmove_ms = 0\n["), 1);
    check(
        &options("missplay = 0"),
        &[
            "options.missplay: no such table option; did you mean \"misplay\"",
            "l.toml:7:11: time.move_ms: expected a number from 1",
        ]
        .map(|part| part),
    );
}
