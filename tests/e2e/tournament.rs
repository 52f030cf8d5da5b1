//! `maumau tournament` as its users meet it: the binary, league files, run files. Statistics are tested in
//! `maumau-tournament`, crashes of every kind in `tests/kill-resume`.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::league_place::{LEAGUE, Place, signal, slow_league, wait};
use sha2::{Digest, Sha256};

#[test]
fn a_league_is_played_shown_and_exported() {
    let place = Place::new(LEAGUE);
    let (table, said) = place.check("run league.toml", 0);
    assert!(said.contains("120 games played, 120 of 120 in league.maumau (complete)"), "{said}");
    insta::assert_snapshot!("standings", table);
    let (short, _) = place.check("show league.maumau", 0);
    assert_eq!(table, short, "a run ends with what is shown later");
    let shown = |arguments: &str| {
        let (text, _) = place.check(arguments, 0);
        assert!(text.is_ascii() && text.lines().all(|line| line.trim_end().len() <= 80), "{text}");
        text
    };
    let all = shown("show league.maumau --all");
    insta::assert_snapshot!("all_tables", all);
    let titles_of_times = |arguments: &str| shown(arguments).matches("\nTime used").count();
    assert_eq!(titles_of_times("show league.maumau --times"), 1);
    assert_eq!(titles_of_times("run league.toml --all"), 1, "and the others have no such title");
    let (again, said) = place.check("run league.toml --format json", 0);
    assert!(said.contains("0 games played, 120 of 120"), "{said}");
    assert_eq!(again, place.standings_of_another_run());

    let (csv, _) = place.check("show league.maumau --format csv", 0);
    insta::assert_snapshot!("standings_as_csv", csv);
    let (markdown, _) = place.check("show league.maumau --format markdown", 0);
    insta::assert_snapshot!("all_tables_as_markdown", markdown);

    place.check("export league.maumau --to records", 0);
    assert_eq!(fs::read_dir(place.path("records")).expect("a folder").count(), 120);
    place.check("export league.maumau --to few --games g000-d0003-r1,g002-d0019-r0", 0);
    assert_eq!(fs::read_dir(place.path("few")).expect("a folder").count(), 2);
    let (_, said) = place.check("export league.maumau --to few --games ../../etc", 2);
    assert!(said.contains("no game of this run is called \"../../etc\"; the names go up to g002-d0019-r1"), "{said}");

    let mut verify = Command::new(env!("CARGO_BIN_EXE_maumau"));
    let verified = verify
        .arg("verify")
        .args(fs::read_dir(place.path("few")).expect("a folder").map(|file| file.expect("a file").path()));
    assert!(verified.output().expect("maumau runs").status.success());
}

#[test]
fn a_killed_run_goes_on_and_comes_to_the_same_standings() {
    let place = Place::new(&slow_league(8));
    a_kill_costs_nothing(&place, "run league.toml --quiet", 2);
}

/// Kills a run of 24 games that begins with more than `least` of them, and goes on with it.
fn a_kill_costs_nothing(place: &Place, arguments: &str, least: u64) {
    let mut run = place.start(arguments, 2);
    run.kill().expect("the process is there");
    run.wait().expect("it ends");
    let before = place.games();
    assert!((least..24).contains(&before), "{before} games after the kill");
    let (_, said) = place.check("run league.toml", 0);
    assert!(said.contains(&format!("{} games played, 24 of 24", 24 - before)), "{said}");
    assert_eq!(place.check("show league.maumau --format json", 0).0, place.standings_of_another_run());
}

#[test]
fn an_interrupted_run_keeps_its_games_and_says_how_to_go_on() {
    let place = Place::new(&slow_league(60));
    let run = place.start("run league.toml", 2);
    signal(&run, nix::sys::signal::Signal::SIGINT);
    let (code, said) = wait(run);
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("the same command goes on with what is missing"), "{said}");
    assert!((2..180).contains(&place.games()));
}

#[test]
fn a_second_process_on_the_same_run_file_is_refused_by_name() {
    let place = Place::new(&slow_league(60));
    let mut run = place.start("run league.toml --quiet", 1);
    let (_, said) = place.check("run league.toml", 3);
    let holder = format!("league.maumau is in use by process {} on ", run.id());
    assert!(
        said.contains(&holder) && said.contains(" since 2") && said.contains(" UTC; wait for it or stop it"),
        "{said}"
    );
    run.kill().expect("the process is there");
    run.wait().expect("it ends");
    place.write("league.toml", &slow_league(60).replace("agent random", "agent greedy"));
    let (_, said) = place.check("run league.toml", 2);
    assert!(
        said.contains("agent \"random\" is not the one that played its games: the command was"),
        "the lock outlived its process: {said}"
    );
}

#[test]
fn a_league_that_would_make_other_games_is_refused_and_more_games_are_not() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --quiet", 0);
    let said = [
        &[("agent random", "agent greedy")][..],
        // To play its games again helps nothing where the cards are others.
        &[("agent random", "agent greedy"), ("seed = 7", "seed = 8")],
        &[("= 40", "= 38")],
        &[("seed = 7", "seed = 8")],
        &[("\"skat\"", "\"basic\"")],
        &[("seats = 2", "seats = 3")],
        &[("seed = 7", "seed = 7\n[options]\nmisplay = 0")],
        &[("seed = 7", "seed = 7\n[time]\nmove_ms = 17")],
    ]
    .map(|changes| {
        let changed = changes.iter().fold(LEAGUE.to_owned(), |league, (from, to)| league.replace(from, to));
        place.write("league.toml", &changed);
        format!("# {changes:?}\n{}", place.check("run league.toml --quiet", 2).1)
    });
    insta::assert_snapshot!("other_games", said.join("\n"));

    place.write(
        "league.toml",
        &LEAGUE.replace("= 40", "= 42").replace("seed = 7\n", "").replace("\"small\"", "\"renamed\""),
    );
    let (_, said) = place.check("run league.toml", 0);
    assert!(said.contains("6 games played, 126 of 126"), "{said}");
}

#[test]
fn files_that_are_no_run_files_are_refused_and_left_as_they_are() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --quiet", 0);
    let file = fs::OpenOptions::new().write(true).open(place.path("league.maumau")).expect("the run file");
    // The version is at byte 60 of an SQLite file, the kind of file at byte 68.
    file.write_all_at(&9_u32.to_be_bytes(), 60).expect("it can be written");
    let before = fs::read(place.path("league.maumau")).expect("the run file");
    for command in ["run league.toml", "show league.maumau", "export league.maumau --to records"] {
        let (_, said) = place.check(command, 2);
        assert!(said.contains("league.maumau is a run file of version 9, and this maumau reads version 7"), "{said}");
    }
    assert_eq!(fs::read(place.path("league.maumau")).expect("the run file"), before);
    file.write_all_at(&9_u32.to_be_bytes(), 68).expect("it can be written");
    assert!(place.check("run league.toml", 2).1.contains("is a database, but not a run file of maumau"));
    place.write("text.maumau", &"no database at all\n".repeat(100));
    for command in ["run league.toml --run text.maumau", "show text.maumau"] {
        assert!(place.check(command, 2).1.contains("text.maumau is not a run file of maumau"));
    }
    assert!(place.check("show none.maumau", 2).1.contains("there is no run file none.maumau"));
}

#[test]
fn a_run_file_that_was_cut_off_or_damaged_is_refused_and_said_to_be() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --quiet", 0);
    let whole = fs::read(place.path("league.maumau")).expect("the run file");
    for length in [100, 4_096, whole.len() / 2, whole.len() - 1] {
        fs::write(place.path("league.maumau"), &whole[..length]).expect("it can be written");
        for command in ["run league.toml", "show league.maumau"] {
            let (_, said) = place.check(command, 3);
            let expected = format!("league.maumau was cut off: {length} bytes are there of {}", whole.len());
            assert!(said.contains(&expected), "{length}: {said}");
        }
    }
    let mut damaged = whole.clone();
    damaged[4_096..].fill(0x5a);
    fs::write(place.path("league.maumau"), &damaged).expect("it can be written");
    for command in ["run league.toml", "show league.maumau"] {
        assert!(place.check(command, 3).1.contains("the run file league.maumau is damaged: "), "{command}");
    }
    fs::write(place.path("league.maumau"), &whole).expect("it can be written");
    place.check("show league.maumau", 0);
    let run = rusqlite::Connection::open(place.path("league.maumau")).expect("a database");
    run.execute("UPDATE games SET log = x'00' WHERE number = 3", []).expect("a game of another log");
    drop(run);
    let (_, said) = place.check("export league.maumau --to records", 3);
    let place_of_it = "only 3 records were written to records, the last one of the game g001-d0000-r0: the run file \
                       league.maumau is damaged: the checksum of the log of the game g001-d0000-r1 does not fit";
    assert!(said.contains(place_of_it), "{said}");
    assert_eq!(fs::read_dir(place.path("records")).expect("a folder").count(), 3);
    let (_, said) = place.check("export league.maumau --to records --games g001-d0000-r1", 3);
    assert!(said.contains("the run file league.maumau is damaged"), "{said}");
}

/// Runs `maumau verify` and returns its exit code, its stdout, and that as JSON, if it is JSON.
fn verify(place: &Place, arguments: &str) -> (Option<i32>, String, serde_json::Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maumau"));
    command.current_dir(place.0.path()).arg("verify").args(arguments.split(' '));
    let Output { status, stdout, .. } = command.output().expect("maumau runs");
    let stdout = String::from_utf8(stdout).expect("UTF-8");
    let json = serde_json::from_str(&stdout).unwrap_or_default();
    (status.code(), stdout, json)
}

#[test]
fn every_game_of_a_run_file_is_verified() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --quiet", 0);
    let (code, printed, _) = verify(&place, "league.maumau");
    assert_eq!((code, printed.lines().count()), (Some(0), 122), "{printed}");
    assert!(
        printed.contains("league.maumau: g000-d0000-r0: sound, ") && printed.ends_with("120 passed, 0 failed\n"),
        "{printed}"
    );
    let (code, printed, _) = verify(&place, "--quiet league.maumau");
    assert_eq!((code, printed.lines().count()), (Some(0), 2), "{printed}");

    // The verdict on a game is that on its record.
    place.check("export league.maumau --to records", 0);
    let (code, _, games) = verify(&place, "--format json league.maumau");
    assert_eq!((code, &games["passed"]), (Some(0), &120.into()));
    let (_, _, records) = verify(&place, "--format json records");
    let records = records["records"].as_array().expect("records");
    for game in games["records"].as_array().expect("games") {
        let file = format!("records/{}.jsonl", game["name"].as_str().expect("a name"));
        let record = records.iter().find(|record| record["file"] == file.as_str()).expect("its record");
        for member in ["sound", "game", "lines", "digest"] {
            assert_eq!(game[member], record[member], "{member} of {file}");
        }
    }

    // A single game, to which a commitment could apply.
    assert_eq!(verify(&place, "--commitment 00 league.maumau").0, Some(2));
    fs::write(place.path("cut.maumau"), &fs::read(place.path("league.maumau")).expect("the run file")[..8_192])
        .expect("a file");
    let (code, printed, _) = verify(&place, "cut.maumau records/g000-d0000-r0.jsonl");
    assert!(
        code == Some(1) && printed.contains("cut.maumau was cut off") && printed.contains("1 passed, 1 failed"),
        "{printed}"
    );
}

/// Changes the rows of games by `change` and recomputes their checksums, as someone could who knows how (SPEC 9.9).
pub(crate) fn forge(run: &Path, change: &str) {
    let of = |parts: &[&[u8]]| -> Vec<u8> {
        let bytes: Vec<u8> = parts
            .iter()
            .flat_map(|part| (part.len() as u64).to_be_bytes().into_iter().chain(part.iter().copied()))
            .collect();
        Sha256::digest(bytes)[..8].to_vec()
    };
    let run = rusqlite::Connection::open(run).expect("a database");
    run.execute_batch(change).expect("a change");
    type Row = (i64, Vec<u8>, Option<String>, Vec<u8>, Vec<u8>);
    let mut query = run.prepare("SELECT number, outcome, faults, digest, log FROM games").expect("a query");
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)));
    let rows: Vec<Row> = rows.expect("rows").collect::<Result<_, _>>().expect("games");
    let mut sum = 0_u64;
    for (number, outcome, faults, digest, log) in &rows {
        let log_checksum = of(&[&number.to_be_bytes(), log]);
        let faults = faults.as_deref().unwrap_or_default().as_bytes();
        let checksum = of(&[&number.to_be_bytes(), outcome, faults, digest, &log_checksum]);
        sum = sum.wrapping_add(u64::from_be_bytes(checksum.clone().try_into().expect("8 bytes")));
        let update = "UPDATE games SET checksum = ?2, log_checksum = ?3 WHERE number = ?1";
        run.execute(update, rusqlite::params![number, checksum, log_checksum]).expect("its checksums");
    }
    let total = format!("{} {sum:016x}", rows.len());
    let update = "UPDATE meta SET value = ?1, checksum = ?2 WHERE key = 'games'";
    run.execute(update, rusqlite::params![total, of(&[b"games", total.as_bytes()])]).expect("the total");
}

#[test]
fn a_game_of_a_run_file_that_was_damaged_or_forged_is_named() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --run whole.maumau --quiet", 0);
    let (whole, run) = (place.path("whole.maumau"), place.path("league.maumau"));
    let fails = |change: &dyn Fn(), name: &str, words: &str| {
        fs::copy(&whole, &run).expect("a copy");
        change();
        let (code, printed, _) = verify(&place, "--quiet league.maumau");
        let wrong: Vec<&str> = printed.lines().filter(|line| line.starts_with("league.maumau: ")).collect();
        assert!(code == Some(1) && printed.ends_with("119 passed, 1 failed\n"), "{words}: {printed}");
        assert!(wrong.len() == 1 && wrong[0].contains(name) && wrong[0].contains(words), "{words}: {printed}");
    };
    let damaged = |change: &'static str| {
        let run = run.clone();
        move || {
            let run = rusqlite::Connection::open(&run).expect("a database");
            run.execute_batch(change).expect("a change");
        }
    };
    let forged = |change: &'static str| {
        let run = run.clone();
        move || forge(&run, change)
    };
    let name = "g001-d0000-r1";
    fails(&damaged("UPDATE games SET log = x'00' WHERE number = 3"), name, "the checksum of the log of the game");
    fails(&damaged("UPDATE games SET digest = zeroblob(32) WHERE number = 3"), name, "the checksum of the game");
    fails(&forged("UPDATE games SET digest = zeroblob(32) WHERE number = 3"), name, "its digest is");
    let of_another = |column: &str| {
        format!(
            "UPDATE games SET {column} = (SELECT other.{column} FROM games AS other
                WHERE other.{column} <> games.{column} ORDER BY other.number LIMIT 1) WHERE number = 3"
        )
    };
    let (log, outcome): (&'static str, &'static str) = (of_another("log").leak(), of_another("outcome").leak());
    fails(&forged(log), name, "");
    fails(&forged(outcome), name, "the inputs lead to");
    let faults = r#"UPDATE games SET faults = '[{"no_mau":77},{}]' WHERE number = 3"#;
    fails(&forged(faults), name, "the faults of seat 0 are [77 no_mau]");
    let all = fs::copy(&whole, &run).expect("a copy");
    assert!(all > 0);
    forge(&run, "SELECT 1");
    assert_eq!(verify(&place, "--quiet league.maumau").0, Some(0), "what was only written again is sound");
}

#[test]
fn games_are_announced_by_name_and_digest() {
    let place = Place::new(LEAGUE);
    let (printed, _) = place.check("run league.toml --quiet --announce --format csv", 0);
    let games = printed.lines().filter(|line| line.starts_with("g00")).collect::<Vec<_>>();
    assert_eq!(games.len(), 120, "{printed}");
    place.check("export league.maumau --to few --games g000-d0003-r1", 0);
    let record = fs::read_to_string(place.path("few/g000-d0003-r1.jsonl")).expect("a record");
    let announced = games.iter().find_map(|line| line.strip_prefix("g000-d0003-r1 ")).expect("it was announced");
    assert!(record.contains(&format!("\"digest\":\"{announced}\"")), "{announced}");
}

/// A longer version, with builds of other kinds, is in tests/determinism.
#[test]
fn games_are_the_same_however_many_are_played_at_once() {
    let games = |concurrency: u32, cpus: u32| {
        let place = Place::new(&LEAGUE.replace("seed = 7", &format!("seed = 7\nconcurrency = {concurrency}")));
        let (printed, _) = place.check(&format!("run league.toml --quiet --announce --format csv --cpus {cpus}"), 0);
        let mut games: Vec<String> =
            printed.lines().filter(|line| line.starts_with("g00")).map(str::to_owned).collect();
        games.sort();
        games
    };
    let one = games(1, 1);
    assert_eq!(one.len(), 120);
    assert_eq!(games(8, 1), one, "eight at once");
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if processors > 1 {
        assert_eq!(games(8, 2), one, "eight at once on two processors");
    } else {
        eprintln!("left out: two processors, since this machine has one");
    }
}

#[test]
fn a_mistyped_league_is_refused_with_every_problem_at_once() {
    let place = Place::new(
        &LEAGUE
            .replace("games_per_pairing", "games_per_paring")
            .replace("command = \"maumau agent first\"", "comand = \"x\""),
    );
    let (_, said) = place.check("run league.toml", 2);
    insta::assert_snapshot!(said, @r#"
    maumau: league.toml:5:1: games_per_paring: unknown key; did you mean "games_per_pairing"? (known: "name", "rules", "seats", "rounds", "games_per_pairing", "seed", "public_seed", "hidden_names", "concurrency", "clock", "anchor", "schedule", "stop", "options", "time", "sandbox", "agent")
      league.toml:14:1: agent[1].comand: unknown key; did you mean "command"? (known: "name", "author", "command", "directory", "env", "secrets", "read", "network", "host", "files", "version", "renamed_from", "retired", "disqualified")
      league.toml: games_per_pairing: this key is required: games_per_pairing = 40
    "#);
    let secret = "command = \"maumau agent first\"\nsecrets = [\"NO_SUCH_KEY\"]";
    place.write("league.toml", &LEAGUE.replace("command = \"maumau agent first\"", secret));
    let (_, said) = place.check("run league.toml", 2);
    insta::assert_snapshot!(said, @r#"
    maumau: the agent "first" needs the secret NO_SUCH_KEY, which is not set
      set it in the environment of this command, as with: read -rs NO_SUCH_KEY && export NO_SUCH_KEY
    "#);
    assert!(!place.path("league.maumau").exists());
}

#[test]
fn an_agent_that_cannot_be_started_ends_no_run_and_the_exit_code_says_so() {
    let place = Place::new(&LEAGUE.replace("maumau agent first", "/nowhere/bot").replace("= 40", "= 4"));
    let (table, said) = place.check("run league.toml --cpus 1", 2);
    assert!(
        said.contains("first was dismissed from g000-d0000-r0: not_started: /nowhere/bot cannot be started"),
        "{said}"
    );
    assert!(table.contains("not_started"), "{table}");
    let last: Vec<&str> = said.lines().rev().take(2).collect();
    assert!(
        last[1].starts_with("maumau: first did not start in any of its 8 games: /nowhere/bot cannot be st"),
        "{said}"
    );
    assert!(last[0].ends_with("/maumau tournament run league.toml --again first"), "{said}");
    let page = fs::read_to_string(place.path("league.fault-reports/g000-d0000-r0-seat1.txt")).expect("a fault report");
    assert!(page.contains("not_started") && page.contains("check --games 1 -- /nowhere/bot"), "{page}");

    // Its command was the mistake, so it may change, but only if its games are played again.
    place.write("league.toml", &LEAGUE.replace("= 40", "= 4"));
    assert!(place.check("run league.toml", 2).1.contains("--again first plays them all again"));
    assert!(place.check("run league.toml --again nobody", 2).1.contains("(known: \"greedy\", \"first\", \"random\")"));
    // Files that are not pages of the removed games: of a game of the others, of a nonexistent game, of a person.
    let others = ["g001-d0000-r0-seat0.txt", "g001-d0000-r0.jsonl", "g009-d0000-r0-seat0.txt", "notes.txt"];
    others.iter().for_each(|name| place.write(&format!("league.fault-reports/{name}"), ""));
    let (again, said) = place.check("run league.toml --again first --format json", 0);
    assert!(said.contains("8 games played, 12 of 12"), "{said}");
    assert_eq!(again, place.standings_of_another_run());
    let left = fs::read_dir(place.path("league.fault-reports")).expect("a folder");
    let mut left: Vec<_> = left.map(|file| file.expect("a file").file_name()).collect();
    left.sort();
    assert_eq!(left, others, "pages go with their games");
}

#[test]
fn games_that_are_played_again_survive_a_kill() {
    let place = Place::new(&slow_league(8));
    place.check("run league.toml --quiet", 0);
    // 8 of the 24 games are those of the others.
    a_kill_costs_nothing(&place, "run league.toml --quiet --again first", 10);
}

#[test]
fn the_games_of_an_agent_are_listed_with_the_worst_first() {
    let place = Place::new(&LEAGUE.replace("maumau agent random", "/nowhere/bot").replace("= 40", "= 4"));
    place.check("run league.toml --quiet", 2);
    let (all, _) = place.check("show league.maumau --games", 0);
    insta::assert_snapshot!("games", all);
    let (first, _) = place.check("show league.maumau --games --agent first", 0);
    let places: Vec<&str> =
        first.lines().skip(2).map(|line| line.split('|').next().unwrap_or_default().trim()).collect();
    let mut worst_first = places.clone();
    worst_first.sort_by(|a, b| b.cmp(a));
    assert_eq!((places.len(), &places), (8, &worst_first), "{first}");
    let (csv, _) = place.check("show league.maumau --games --agent first --format csv", 0);
    insta::assert_snapshot!("games_as_csv", csv);
    let (json, _) = place.check("show league.maumau --games --format json", 0);
    let list: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(list["games"][0]["game"], "g000-d0000-r0");
    assert_eq!(list["games"][0]["seats"][1]["agent"], "first");
    assert!(place.check("show league.maumau --games --agent fisrt", 2).1.contains("did you mean \"first\"?"));
}

#[test]
fn tables_fit_a_terminal_of_eighty_columns() {
    // If most of them did not start, nothing would be played.
    let commands = ["maumau agent first", "/nowhere/bot"].into_iter().cycle();
    let agents = (1..=12)
        .zip(commands)
        .map(|(number, command)| format!("[[agent]]\nname = \"an-agent-{number}\"\ncommand = \"{command}\"\n"));
    let head = "rules = \"basic\"\nseats = 2\ngames_per_pairing = 2\npublic_seed = true\nseed = 7\n";
    let place = Place::new(&format!("{head}{}", agents.collect::<String>()));
    let (table, _) = place.check("run league.toml --quiet --all", 2);
    assert!(table.lines().all(|line| line.trim_end().chars().count() <= 80), "{table}");
    assert!(table.contains("an-agent-12") && table.contains("not_started") && table.contains(" 12\n"), "{table}");
}

/// A view's rows may never end.
#[test]
fn a_run_file_with_a_view_for_its_games_is_refused() {
    let place = Place::new(LEAGUE);
    place.check("run league.toml --run forged.maumau --quiet --cpus 1", 0);
    let forge = "ALTER TABLE games RENAME TO kept;
        CREATE VIEW games AS
            WITH RECURSIVE again(number) AS (SELECT 0 UNION ALL SELECT 0 FROM again)
            SELECT again.number, outcome, faults, digest, log FROM again, kept;";
    let run = rusqlite::Connection::open(place.path("forged.maumau")).expect("a database");
    run.execute_batch(forge).expect("a view");
    drop(run);
    let (_, printed) = place.check("show forged.maumau", 2);
    assert!(printed.contains("forged.maumau has other tables than a run file of maumau"), "{printed}");
}

/// Speed counts, so games differ; each is still a game that verifies. With rounds of a format too.
#[test]
fn a_league_on_the_live_clock_is_played_and_says_that_speed_counted() {
    for format in ["", "[schedule]\nformat = \"swiss\"\nrounds = 2\n"] {
        let league = LEAGUE.replace("\"skat\"", "\"snap\"").replace("seed = 7", "seed = 7\nclock = \"live\"");
        let times = "[time]\nmove_ms = 2000\ngrace_ms = 20\nreaction_ms = 5\nclosing_ms = 20\ncount_ms = 50\n";
        let games = if format.is_empty() { "games_per_pairing = 4" } else { "games_per_pairing = 2" };
        let place = Place::new(
            &league
                .replace("games_per_pairing = 40", games)
                .replace("[[agent]]\nname = \"greedy\"", &format!("{format}\n{times}\n[[agent]]\nname = \"greedy\"")),
        );
        place.check("run league.toml --quiet", 0);
        let (shown, _) = place.check("show league.maumau", 0);
        assert!(shown.contains("The clock was live: speed counted"), "{shown}");
        let (markdown, _) = place.check("show league.maumau --format markdown", 0);
        assert!(markdown.contains("The clock was live: speed counted"), "{markdown}");
        let (json, _) = place.check("show league.maumau --format json", 0);
        assert!(json.contains("\"clock\":\"live\""), "{json}");
        let (page, _) = place.check("show league.maumau --format html", 0);
        assert!(page.contains("The clock was live"), "the page says it");
        let (code, _, verified) = verify(&place, "league.maumau --format json");
        assert_eq!(code, Some(0), "{verified}");
        place.check("export league.maumau --to records", 0);
        let record = fs::read_dir(place.path("records")).expect("records").flatten().next().expect("a record");
        let record = fs::read_to_string(record.path()).expect("text");
        assert!(record.lines().next().is_some_and(|header| header.contains(r#""clock":"live""#)), "{record}");
        place.write("league.toml", &LEAGUE.replace("\"skat\"", "\"snap\""));
        let (_, refused) = place.check("run league.toml", 2);
        assert!(refused.contains("the clock was live"), "{refused}");
    }
}
