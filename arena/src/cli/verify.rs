//! `maumau verify`: records checked by playing them once more.

use std::path::{Path, PathBuf};

use anyhow::Result;
use maumau_protocol::seed::commitment;
use maumau_referee::Records;

use super::{Outcome, print, usage};
use crate::bounded;
use crate::host::visible;

/// Bytes of a record, at most.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// Check records: every line, their chain, and every event against the engine. The first difference is named.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  maumau play --seat 'maumau agent first' --seat 'maumau agent greedy' --record game.jsonl\n  maumau verify game.jsonl"
)]
pub(super) struct Arguments {
    /// Records as JSON lines, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The commitment that a seat was sent in the `start` of the game, 64 hexadecimal digits: the record's seed must be the
    /// one committed to
    #[arg(long, value_name = "DIGITS")]
    commitment: Option<String>,
    /// Show only the last line and what is wrong
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<Outcome> {
    let mut files = Vec::new();
    for path in &arguments.files {
        collect(path, &mut files)?;
    }
    if arguments.commitment.is_some() && files.len() != 1 {
        return Err(usage(format!("--commitment belongs to one game, and here are {} records", files.len())));
    }
    let (mut sound, mut wrong) = (0, 0);
    let mut records = Records::default();
    for file in &files {
        match check(&mut records, file, arguments.commitment.as_deref()) {
            Ok(line) => {
                sound += 1;
                if !arguments.quiet {
                    print(&format!("{}: {line}\n", file.display()))?;
                }
            }
            Err(error) => {
                wrong += 1;
                print(&format!("{}: {}\n", file.display(), visible(error.as_bytes())))?;
            }
        }
    }
    print(&format!("{sound} passed, {wrong} failed\n"))?;
    Ok(if wrong == 0 && sound > 0 { Outcome::Done } else { Outcome::NotRight })
}

fn check(records: &mut Records, file: &Path, committed: Option<&str>) -> Result<String, String> {
    let record = read(file)?;
    let verified = records.verify(&record).map_err(|mismatch| mismatch.to_string())?;
    let header = &verified.log.header;
    let found = commitment(&header.game.0, &header.seed);
    if committed.is_some_and(|committed| !committed.eq_ignore_ascii_case(&found)) {
        return Err(format!("another seed than the arena was committed to: the commitment to this one is {found}"));
    }
    Ok(format!("sound, {} lines, digest {}", verified.lines, verified.digest))
}

/// The bytes of a record of a reasonable size.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, String> {
    bounded::read(file, MAX_BYTES, "a record")
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let refuse = |error: std::io::Error| usage(format!("{}: {error}", path.display()));
    if !std::fs::metadata(path).map_err(refuse)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(refuse)?;
    let mut inside: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(refuse)?;
    inside.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    if let Some(special) = inside.iter().find(|path| path.exists() && !path.is_file()) {
        return Err(usage(format!("{} is not a file", special.display())));
    }
    inside.sort();
    files.append(&mut inside);
    Ok(())
}
