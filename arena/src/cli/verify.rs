//! `maumau verify`: records, and the games of run files, checked by playing them once more. It finds the files and
//! prints; `maumau_referee::Verifier` checks what they say.

mod commitments;

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use maumau_engine::commitment;
use maumau_protocol::message::GameId;
use maumau_referee::record::Digest;
use maumau_referee::{Sound, Verifier};
use serde::Serialize;

use commitments::Commitments;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::bounded;
use maumau_run::io::files::{check_file, open_to_read};
use maumau_run::io::format::OutputFormat;
use maumau_run::io::format::counted;
use maumau_run::io::program_name::program_name;
use maumau_run::io::progress::ProgressLine;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::run_store::{RunFile, is_run_file};

/// Bytes of a record, at most.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;
/// Bytes by which a run file is known.
const HEAD_BYTES: u64 = 100;

/// Check records and run files: checksums, digests, and every event against the engine. The first difference in each game is
/// named.
///
/// Every game of a run file is replayed from its packed log; its digest, result and faults must be those of the replay.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau play --record game.jsonl \\
      --seat 'maumau agent first' --seat 'maumau agent greedy'
  maumau verify game.jsonl
  maumau verify --quiet league.maumau
  maumau verify --quiet --commitments seeds.csv my-league.maumau")]
pub(super) struct VerifyArguments {
    /// Records as JSON lines, folders of them, or run files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The commitment from the `start` of the game, 64 hexadecimal digits: the record's seed must be the one committed to
    #[arg(long, value_name = "DIGITS")]
    commitment: Option<String>,
    /// A list of commitments: what `maumau tournament export --seeds` wrote, or the `start` lines that a bot kept. Every game of the
    /// list must be among the files and have the seed that was committed to
    #[arg(long, value_name = "FILE", conflicts_with = "commitment")]
    commitments: Option<PathBuf>,
    /// Show only what is wrong and the last lines; JSON is always complete
    #[arg(long, short)]
    quiet: bool,
    /// Output format: text for people, or one JSON object on one line
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// What a digest says nothing about.
const NOT_COVERED: &str =
    "a digest covers the game; `meta` is outside it: times, void deadlines, sandbox level and permits";

pub(super) fn run(arguments: VerifyArguments) -> Result<CommandOutcome> {
    let mut files = Vec::new();
    for path in &arguments.files {
        collect(path, &mut files)?;
    }
    let runs = files.iter().filter(|file| holds_run(file)).count();
    if arguments.commitment.is_some() && (files.len() != 1 || runs > 0) {
        let got =
            format!("{} and {}", counted((files.len() - runs) as u64, "record"), counted(runs as u64, "run file"));
        return Err(usage(format!("--commitment can only be used with a single record (got {got})")));
    }
    let commitments = arguments.commitments.as_deref().map(Commitments::read).transpose()?;
    let mut check = Check {
        arguments: &arguments,
        verifier: Verifier::default(),
        commitments,
        committed: 0,
        passed: 0,
        failed: 0,
        verified: Vec::new(),
    };
    for file in &files {
        match holds_run(file) {
            true => check.run_file(file)?,
            false => check.record(file)?,
        }
    }
    check.report_missing()?;
    let Check { passed, failed, verified, committed, .. } = check;
    match arguments.format {
        OutputFormat::Text => {
            if passed > 0 {
                print(&format!("{NOT_COVERED} (SPEC 9.4)\n"))?;
            }
            if let Some(list) = &arguments.commitments {
                let has = if committed == 1 { "has" } else { "have" };
                let list = Untrusted::path(list).terminal();
                print(&format!("{} {has} the seed committed to in {list}\n", counted(committed, "game")))?;
            }
            print(&format!("{passed} passed, {failed} failed\n"))?;
        }
        OutputFormat::Json => {
            let (schema, not_in_digest) = ("maumau-verify/1", ["meta"]);
            let committed = arguments.commitments.is_some().then_some(committed);
            let report = Report { schema, records: verified, passed, failed, committed, not_in_digest };
            print(&(untrusted::json(&report)? + "\n"))?;
        }
    }
    Ok(if failed == 0 && passed > 0 { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    records: Vec<Verified>,
    passed: u64,
    failed: u64,
    /// The games that have the seed of their commitment, if there is a list of those.
    #[serde(skip_serializing_if = "Option::is_none")]
    committed: Option<u64>,
    not_in_digest: [&'static str; 1],
}

/// What was found of one record, as JSON.
#[derive(Serialize)]
struct Verified {
    file: String,
    /// The name in the plan, of a game in a run file.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    sound: bool,
    #[serde(flatten)]
    found: Found,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Sound { game: GameId, lines: u64, digest: Digest },
    Wrong { error: String },
}

struct Check<'a> {
    arguments: &'a VerifyArguments,
    verifier: Verifier,
    commitments: Option<Commitments>,
    /// Games with the seed that was committed to.
    committed: u64,
    passed: u64,
    failed: u64,
    /// What was found, where it is wanted as JSON.
    verified: Vec<Verified>,
}

impl Check<'_> {
    fn record(&mut self, file: &Path) -> Result<()> {
        let found = read(file).and_then(|record| self.verifier.check(&record).map_err(|mismatch| mismatch.to_string()));
        let found = found.and_then(|sound| self.has_seed(sound)).and_then(|sound| self.is_committed(sound));
        self.report(file, None, found)
    }

    /// Checks every game of a run file.
    fn run_file(&mut self, file: &Path) -> Result<()> {
        let opened = RunFile::open(file).and_then(|run| Ok((run.games()?, run)));
        let (games, run) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.report(file, None, Err(format!("{error:#}"))),
        };
        // Among lines on the same terminal a bar would be in the way.
        let is_silent = self.arguments.quiet || self.arguments.format == OutputFormat::Json;
        let progress = (is_silent || !std::io::stdout().is_terminal()).then(|| ProgressLine::new("verify", games));
        let (mut done, failed_before) = (0, self.failed);
        let mut written = Ok(());
        let checked = run.check_each_game(|game| {
            let (name, found) = match game {
                Ok(game) => {
                    let found = game.verify(&run.plan, &mut self.verifier);
                    (Some(game.id()), found)
                }
                Err(error) => (None, Err(error)),
            };
            let found = found.map_err(|error| format!("{error:#}")).and_then(|sound| self.is_committed(sound));
            written = self.report(file, name, found);
            done += 1;
            progress.iter().for_each(|progress| progress.is_at(done, self.failed - failed_before));
            ensure!(written.is_ok(), "stdout cannot be written to");
            Ok(())
        });
        progress.iter().for_each(ProgressLine::end);
        written?;
        // What tables go on from is held to games that are sound.
        let is_sound = self.failed == failed_before;
        let checked = checked.and_then(|()| if is_sound { run.check_tally() } else { Ok(()) });
        let checked = checked.and_then(|()| if is_sound { run.check_rounds() } else { Ok(()) });
        checked.or_else(|error| self.report(file, None, Err(format!("{error:#}"))))
    }

    fn has_seed(&self, sound: Sound) -> Result<Sound, String> {
        let Some(committed) = &self.arguments.commitment else { return Ok(sound) };
        let found = commitment(&sound.game.0, &sound.seed);
        if committed.eq_ignore_ascii_case(&found) {
            return Ok(sound);
        }
        Err(format!("another seed than the arena was committed to: the commitment to this one is {found}"))
    }

    /// Holds a game to the list of commitments, if there is one.
    fn is_committed(&mut self, sound: Sound) -> Result<Sound, String> {
        if let Some(commitments) = &mut self.commitments {
            self.committed += u64::from(commitments.take(&sound.game.0, &sound.seed)?);
        }
        Ok(sound)
    }

    /// Reports the games of the list of commitments of which no file has a sound record; each is wrong.
    fn report_missing(&mut self) -> Result<()> {
        let (Some(list), Some(commitments)) = (&self.arguments.commitments, self.commitments.take()) else {
            return Ok(());
        };
        for (line, game) in commitments.missing() {
            self.report(
                list,
                None,
                Err(format!("line {line}: none of the files has a sound record of the game {game}")),
            )?;
        }
        Ok(())
    }

    /// Counts and shows what was found of a record, or of the game `name` of a run file.
    fn report(&mut self, file: &Path, name: Option<String>, found: Result<Sound, String>) -> Result<()> {
        match &found {
            Ok(_) => self.passed += 1,
            Err(_) => self.failed += 1,
        }
        if self.arguments.format == OutputFormat::Json {
            let sound = found.is_ok();
            let found = match found {
                Ok(Sound { game, lines, digest, .. }) => Found::Sound { game, lines, digest },
                Err(error) => Found::Wrong { error },
            };
            self.verified.push(Verified { file: file.to_string_lossy().into_owned(), name, sound, found });
            return Ok(());
        }
        let mut place = Untrusted::path(file).terminal();
        if let Some(name) = name {
            place += &format!(": {name}");
        }
        match found {
            Ok(_) if self.arguments.quiet => Ok(()),
            Ok(Sound { lines, digest, .. }) => print(&format!("{place}: sound, {lines} lines, digest {digest}\n")),
            Err(error) => print(&format!("{place}: {}\n", Untrusted::new(&error).terminal())),
        }
    }
}

/// Whether `file` is a run file. Pipes and devices are not looked into: what is read of them is gone.
pub(super) fn holds_run(file: &Path) -> bool {
    head_of(file).is_some_and(|head| is_run_file(&head))
}

/// Whether `file` surely is no record, nor what is left of one: it does not begin as JSON lines do.
pub(super) fn holds_no_record(file: &Path) -> bool {
    head_of(file).is_some_and(|head| !head.starts_with(b"{"))
}

/// The first bytes of a file; none of what is no file or cannot be read.
fn head_of(file: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let is_file = std::fs::metadata(file).is_ok_and(|metadata| metadata.is_file());
    let mut read_head = || open_to_read(file)?.take(HEAD_BYTES).read_to_end(&mut head);
    (is_file && read_head().is_ok()).then_some(head)
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

/// The files that `path` names: itself, or the records in a folder.
///
/// # Errors
/// It is not there, or a folder without records.
pub(super) fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let refuse = |error: std::io::Error| usage(format!("{}: {error}", Untrusted::path(path).terminal()));
    if !std::fs::metadata(path).map_err(refuse)?.is_dir() {
        check_file(path).map_err(refuse)?;
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(refuse)?;
    let mut inside: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(refuse)?;
    inside.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    for special in inside.iter().filter(|path| path.exists()) {
        check_file(special).map_err(|error| usage(format!("{}: {error}", Untrusted::path(special).terminal())))?;
    }
    if inside.is_empty() {
        let folder = Untrusted::path(path).terminal();
        return Err(usage(format!("{folder}: there are no records in this folder; their names end with .jsonl")));
    }
    inside.sort();
    files.append(&mut inside);
    Ok(())
}
