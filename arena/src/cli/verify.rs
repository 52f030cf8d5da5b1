//! `maumau verify`: records checked by playing them once more.

use std::path::{Path, PathBuf};

use anyhow::Result;
use maumau_protocol::seed::commitment;
use maumau_referee::{Sound, Verifier};
use serde_json::{Value, json};

use crate::error::{Outcome, usage};
use crate::io::bounded;
use crate::io::format::Format;
use crate::io::program_name::program_name;
use crate::io::stdout::print;
use crate::io::untrusted::{self, Untrusted};
use crate::run_store::is_run_file;

/// Bytes of a record, at most.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// Check records: the checksum of every line, the digest, and every event against the engine. The first difference is named.
#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau play --record game.jsonl \\
      --seat 'maumau agent first' --seat 'maumau agent greedy'
  maumau verify game.jsonl")]
pub(super) struct Arguments {
    /// Records as JSON lines, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The commitment that a seat was sent in the `start` of the game, 64 hexadecimal digits: the record's seed must be the
    /// one committed to
    #[arg(long, value_name = "DIGITS")]
    commitment: Option<String>,
    /// Show only what is wrong and the last lines; as JSON nothing is left out
    #[arg(long, short)]
    quiet: bool,
    /// What to write: text for people, or one JSON object on one line
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What a digest says nothing about.
const NOT_COVERED: &str =
    "a digest covers the game; `meta` is outside it: times, void deadlines, sandbox level and permits";

pub(super) fn run(arguments: Arguments) -> Result<Outcome> {
    let mut files = Vec::new();
    for path in &arguments.files {
        collect(path, &mut files)?;
    }
    if arguments.commitment.is_some() && files.len() != 1 {
        return Err(usage(format!("--commitment belongs to one game, and here are {} records", files.len())));
    }
    let mut check = Check { arguments: &arguments, sound: 0, wrong: 0, told: Vec::new() };
    let mut verifier = Verifier::default();
    for file in &files {
        let found = read(file).and_then(|record| verifier.check(&record).map_err(|mismatch| mismatch.to_string()));
        check.tell(file, found.and_then(|sound| check.has_seed(sound)))?;
    }
    let Check { sound, wrong, told, .. } = check;
    match arguments.format {
        Format::Text => {
            if sound > 0 {
                print(&format!("{NOT_COVERED} (SPEC 9.4)\n"))?;
            }
            print(&format!("{sound} passed, {wrong} failed\n"))?;
        }
        Format::Json => {
            let report = json!({
                "schema": "maumau-verify/1",
                "records": told,
                "passed": sound,
                "failed": wrong,
                "not_in_digest": ["meta"],
            });
            print(&(untrusted::json(&report)? + "\n"))?;
        }
    }
    Ok(if wrong == 0 && sound > 0 { Outcome::Done } else { Outcome::NotRight })
}

struct Check<'a> {
    arguments: &'a Arguments,
    sound: u64,
    wrong: u64,
    /// What was found, where it is wanted as JSON.
    told: Vec<Value>,
}

impl Check<'_> {
    fn has_seed(&self, sound: Sound) -> Result<Sound, String> {
        let Some(committed) = &self.arguments.commitment else { return Ok(sound) };
        let found = commitment(&sound.game.0, &sound.seed);
        if committed.eq_ignore_ascii_case(&found) {
            return Ok(sound);
        }
        Err(format!("another seed than the arena was committed to: the commitment to this one is {found}"))
    }

    fn tell(&mut self, file: &Path, found: Result<Sound, String>) -> Result<()> {
        match &found {
            Ok(_) => self.sound += 1,
            Err(_) => self.wrong += 1,
        }
        if self.arguments.format == Format::Json {
            let file = file.to_string_lossy();
            self.told.push(match found {
                Ok(Sound { game, lines, digest, .. }) => {
                    json!({"file": file, "sound": true, "game": game.0, "lines": lines, "digest": digest})
                }
                Err(error) => json!({"file": file, "sound": false, "error": error}),
            });
            return Ok(());
        }
        let file = Untrusted::path(file).terminal();
        match found {
            Ok(_) if self.arguments.quiet => Ok(()),
            Ok(Sound { lines, digest, .. }) => print(&format!("{file}: sound, {lines} lines, digest {digest}\n")),
            Err(error) => print(&format!("{file}: {}\n", Untrusted::new(&error).terminal())),
        }
    }
}

/// The bytes of a record of a reasonable size.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, String> {
    let bytes = bounded::read(file, MAX_BYTES, "a record")?;
    if is_run_file(&bytes) {
        let tournament = format!("{} tournament", program_name());
        return Err(format!(
            "a run file, and no record; its tables are shown by {tournament} show, its records written by {tournament} export"
        ));
    }
    Ok(bytes)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let refuse = |error: std::io::Error| usage(format!("{}: {error}", Untrusted::path(path).terminal()));
    if !std::fs::metadata(path).map_err(refuse)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(refuse)?;
    let mut inside: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(refuse)?;
    inside.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    if let Some(special) = inside.iter().find(|path| path.exists() && !path.is_file()) {
        return Err(usage(format!("{} is not a file", Untrusted::path(special).terminal())));
    }
    if inside.is_empty() {
        let folder = Untrusted::path(path).terminal();
        return Err(usage(format!("{folder}: there are no records in this folder; their names end with .jsonl")));
    }
    inside.sort();
    files.append(&mut inside);
    Ok(())
}
