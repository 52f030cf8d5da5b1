//! `maumau tournament export`: tables of games and seats hold what an independent reader finds in the run file and in the records.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::arena::{Arena, HONEST, bad_bot};

/// A league with faults, dismissals and a name that a spreadsheet would take for a formula; its run file.
fn played(arena: &Arena) -> String {
    let league = arena.path("l.toml");
    let text = format!(
        "name = \"l\"\nrules = \"skat\"\nseats = 3\nrounds = 2\ngames_per_pairing = 6\npublic_seed = true\nseed = 3\n[[agent]]\nname = \"=1+1, \\\"quoted\\\"\"\n\
         command = \"{HONEST}\"\n[[agent]]\nname = \"bad\"\ncommand = \"{}\"\n[[agent]]\nname = \"greedy\"\n\
         command = \"maumau agent greedy\"\n[[agent]]\nname = \"random\"\ncommand = \"maumau agent random\"\n",
        bad_bot("moves", "illegal-card")
    );
    std::fs::write(&league, text).expect("a league");
    let run = arena.run(&["tournament", "run", &league, "--quiet"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    arena.path("l.maumau")
}

fn ok(arena: &Arena, arguments: &[&str]) -> String {
    let run = arena.run(arguments);
    assert_eq!(run.code, Some(0), "{run:?}");
    run.stdout
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).expect("a file")
}

/// The cells of a line of comma-separated values.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cells.last_mut().expect("a cell").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cells.last_mut().expect("a cell").push(other),
        }
    }
    assert!(!quoted, "{line}");
    cells
}

#[test]
fn tables_equal_what_an_independent_reader_finds() {
    let arena = Arena::new();
    let run = played(&arena);
    let [records, games, seats, games_lines, seats_lines] =
        ["records", "g.csv", "s.csv", "g.jsonl", "s.jsonl"].map(|name| arena.path(name));
    let said =
        ok(&arena, &["tournament", "export", &run, "--to", &records, "--games-to", &games, "--seats-to", &seats]);
    assert!(said.contains("24 records in ") && said.contains("24 rows in ") && said.contains("72 rows in "), "{said}");
    ok(&arena, &["tournament", "export", &run, "--games-to", &games_lines, "--seats-to", &seats_lines]);

    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/e2e/exports/read_run.py");
    let found = Command::new("python3").arg(reader).args([&run, &records]).output().expect("python3");
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    let found: Vec<Value> = String::from_utf8(found.stdout)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for (table, csv, lines) in [("games", games, games_lines), ("seats", seats, seats_lines)] {
        let expected: Vec<&Value> = found.iter().filter_map(|row| row.get(table)).collect();
        let lines: Vec<Value> = read(&lines).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), expected.len(), "{table}");
        let csv = read(&csv);
        let (head, rows) = csv.split_once('\n').expect("a header");
        let names = cells(head);
        assert_eq!(rows.lines().count(), expected.len(), "{table}");
        for ((expected, line), row) in expected.iter().zip(&lines).zip(rows.lines()) {
            let members = expected.as_object().expect("an object");
            assert_eq!(members.len(), names.len(), "{names:?}");
            for (name, cell) in names.iter().zip(cells(row)) {
                let (wanted, got) = (&members[name], &line[name]);
                match wanted {
                    Value::String(text) => {
                        assert_eq!(got, wanted, "{name}");
                        assert_eq!(cell.strip_prefix('\'').unwrap_or(&cell), text, "{name}");
                    }
                    _ => {
                        assert_eq!(got.as_f64(), wanted.as_f64(), "{name}");
                        assert_eq!(cell.parse().ok(), wanted.as_f64(), "{name}");
                    }
                }
            }
        }
    }
    let seats: Vec<&Value> = found.iter().filter_map(|row| row.get("seats")).collect();
    assert!(seats.iter().any(|seat| seat["faults"].as_u64() > Some(0)), "the league has faults");
    assert!(read(&arena.path("s.csv")).contains("\"'=1+1, \"\"quoted\"\"\""), "no formula");

    let rounds = arena.path("rounds.csv");
    let refused = arena.run(&["tournament", "export", &run, "--rounds-to", &rounds]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("neither a knock-out nor a Swiss tournament"), "{refused:?}");
    assert!(!Path::new(&rounds).exists(), "no file of a table that there is not");
}

#[test]
fn a_table_that_cannot_be_written_is_refused_before_anything_else() {
    let arena = Arena::new();
    let run = arena.run(&["tournament", "export", "no-such.maumau", "--games-to", &arena.path("g.txt")]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("expected a name that ends in .csv or .jsonl"), "{run:?}");
    let run = arena.run(&["tournament", "export", "no-such.maumau", "--seats-to", &arena.path("no-such/s.csv")]);
    assert_eq!(run.code, Some(3), "{run:?}");
    let run = arena.run(&["tournament", "export", "no-such.maumau"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn decisions_are_those_of_the_records_also_in_several_files() {
    let arena = Arena::new();
    let run = played(&arena);
    let [records, whole, parts] = ["records", "moves.jsonl.zst", "parts.jsonl.zst"].map(|name| arena.path(name));
    ok(&arena, &["tournament", "export", &run, "--to", &records, "--decisions-to", &whole]);
    let said = ok(&arena, &["tournament", "export", &run, "--decisions-to", &parts, "--games-per-file", "10"]);
    assert!(said.contains(" rows in 3 files beside "), "{said}");
    let lines = |name: &str| {
        let packed = std::fs::read(arena.path(name)).expect("a file");
        String::from_utf8(zstd::decode_all(&packed[..]).expect("zstd")).expect("text")
    };
    let all = lines("moves.jsonl.zst");
    assert_eq!((0..3).map(|part| lines(&format!("parts-000{part}.jsonl.zst"))).collect::<String>(), all);

    let rows: Vec<Value> = all.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut recorded: Vec<(Value, Value)> = Vec::new();
    let mut names: Vec<_> =
        std::fs::read_dir(&records).expect("a folder").map(|file| file.expect("a file").path()).collect();
    // In the order of the plan, by deal and then by group and rotation.
    names.sort_by_key(|path| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let parts: Vec<u32> = name.split('-').map(|part| part[1..].parse().expect("a number")).collect();
        (parts[1], parts[0], parts[2])
    });
    for path in names {
        for line in read(&path.to_string_lossy()).lines() {
            let entry: Value = serde_json::from_str(line).expect("JSON");
            if entry["entry"] == "act" {
                let mut action = entry["action"].clone();
                action.as_object_mut().expect("an object").remove("say");
                recorded.push((entry["seat"].clone(), action));
            } else if entry["entry"] == "stand" && entry["why"] == "slow" {
                recorded.push((entry["seat"].clone(), Value::Null));
            }
        }
    }
    let found: Vec<(Value, Value)> = rows.iter().map(|row| (row["seat"].clone(), row["action"].clone())).collect();
    assert_eq!(found.len(), recorded.len());
    assert!(found == recorded, "{:?}", found.iter().zip(&recorded).find(|(found, recorded)| found != recorded));
    for row in rows.iter().filter(|row| row["refused"].is_null() && row["action"]["do"] == "play") {
        assert!(row["legal"].as_array().expect("a list").contains(&row["action"]), "{row}");
    }
    assert!(rows.iter().any(|row| !row["refused"].is_null()), "nothing was refused");
}

#[test]
fn decisions_whose_form_is_unknown_or_not_built_in_are_refused() {
    let arena = Arena::new();
    let run = arena.run(&["tournament", "export", "no-such.maumau", "--decisions-to", &arena.path("moves.csv")]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("expected a name that ends in .parquet or .jsonl.zst"), "{run:?}");
    if cfg!(not(feature = "parquet")) {
        let run =
            arena.run(&["tournament", "export", "no-such.maumau", "--decisions-to", &arena.path("moves.parquet")]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains("build it with `cargo build --release --features parquet`"), "{run:?}");
    }
}
