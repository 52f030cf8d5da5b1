//! `maumau submit`: sends a bot to a club and follows it. It reads the options, checks the bot at home and decides the exit code.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use maumau_club::{BotManifest, VersionState, is_bot_name};
use maumau_cluster::archive;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::bounded;
use maumau_run::io::format::OutputFormat;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};

use crate::club::{SentBot, manifest_of, submit};

/// The variable with a member's token.
const TOKEN: &str = "MAUMAU_TOKEN";
/// Bytes of a token's file.
const MAX_TOKEN: u64 = 1_024;

/// Check a bot, send it to a club, and follow it to its first rated game.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau submit --to http://127.0.0.1:4243
  maumau submit my-bot --to https://club.example --token-file token

The folder's bot.toml says name = \"my-bot\" and run = \"python3 bot.py\", words that are separated by blanks; without it both are guessed. \
build = \"make\" is run once, by the club and before the check here. \
Hidden files, __pycache__, node_modules and target are not sent. Ctrl-C ends the command, not the version. Exit codes: 0 it plays, 1 the \
check refused it, 2 the club did not take it, 3 the club failed or was not reached.")]
pub(super) struct SubmitArguments {
    /// The bot's folder
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// The address of the club
    #[arg(long, value_name = "URL")]
    to: String,
    /// The bot's name; by default what bot.toml says, otherwise the folder's name
    #[arg(long)]
    name: Option<String>,
    /// A file with the token; by default the variable MAUMAU_TOKEN has it
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Do not check the bot here first
    #[arg(long)]
    no_check: bool,
    /// Output format: a line whenever the state changes, or an object a line
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

pub(super) fn run(arguments: SubmitArguments) -> Result<CommandOutcome> {
    let folder = arguments.folder.canonicalize();
    let folder = folder.map_err(|error| usage(format!("the folder {}: {error}", arguments.folder.display())))?;
    let token = token(arguments.token_file.as_deref())?;
    let manifest = manifest_of(&folder).map_err(|error| usage(format!("{}: {error}", folder.display())))?;
    let of_folder = || folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = arguments.name.or_else(|| manifest.name.clone()).or_else(of_folder).unwrap_or_default();
    if !is_bot_name(&name) {
        let shown = Untrusted::new(&name).terminal();
        return Err(usage(format!(
            "the name {shown:?}: expected 1 to 32 of a-z, 0-9 and -, a letter first; --name gives another"
        )));
    }
    if !folder.join("bot.toml").exists() {
        print_stderr!("maumau: there is no bot.toml; guessed name = {name:?}, run = {:?}", manifest.run);
    }
    if !arguments.no_check && !is_good(&folder, &manifest)? {
        print_stderr!("maumau: the bot was not sent; --no-check sends it all the same");
        return Ok(CommandOutcome::NotRight);
    }
    let submission = SentBot { folder: &folder, name: &name, url: &arguments.to, token: &token };
    let is_json = arguments.format == OutputFormat::Json;
    let version = submit(&submission, |version| {
        if is_json {
            return print(&(untrusted::json(version)? + "\n"));
        }
        let place = version.place.map_or_else(String::new, |place| format!(", place {place} in the line"));
        let reason = if version.reason.is_empty() { String::new() } else { format!(": {}", version.reason) };
        let games = if version.games == 0 { String::new() } else { format!(", {} rated games", version.games) };
        let line = format!("{} is {}{place}{games}{reason}", version.agent, version.state);
        let lines: Vec<String> = line.lines().map(|line| Untrusted::new(line).terminal()).collect();
        print(&(lines.join("\n    ") + "\n"))
    })?;
    Ok(match version.state() {
        Some(VersionState::Playing | VersionState::Paused | VersionState::Retired) => CommandOutcome::Done,
        Some(VersionState::Refused | VersionState::Withdrawn) => CommandOutcome::NotRight,
        _ => CommandOutcome::Environment,
    })
}

fn token(file: Option<&Path>) -> Result<String> {
    let token = match file {
        Some(file) => {
            let text = bounded::read_text(file, MAX_TOKEN, "a token");
            text.map_err(|error| usage(format!("--token-file {}: {error}", file.display())))?
        }
        None => std::env::var(TOKEN)
            .map_err(|_| usage(format!("expected your token in the variable {TOKEN}, or --token-file FILE")))?,
    };
    let token = token.trim().to_owned();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(usage("the token: expected hexadecimal digits, as the club showed them"));
    }
    Ok(token)
}

/// Whether the bot passes the check at home, which is shown. What is built is built in a copy of what would be sent.
fn is_good(folder: &Path, manifest: &BotManifest) -> Result<bool> {
    if manifest.build.is_empty() {
        return is_passed(folder, &manifest.run);
    }
    let place = tempfile::tempdir().context("a folder for the build")?;
    let copy = place.path().join("bot");
    let packed = archive::pack(folder)?;
    archive::unpack(&packed.bytes, &packed.digest, &copy)?;
    for build in &manifest.build {
        let mut words = build.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).current_dir(&copy).stdin(Stdio::null()).stdout(std::io::stderr());
        let built = command.status().map_err(|error| usage(format!("build = {build:?} cannot be started: {error}")))?;
        if !built.success() {
            return Ok(false);
        }
    }
    is_passed(&copy, &manifest.run)
}

fn is_passed(folder: &Path, run: &str) -> Result<bool> {
    let mut check = Command::new(std::env::current_exe().context("this program's own file")?);
    check.args(["check", "--sandbox-read", ".", "--"]).args(run.split_whitespace()).current_dir(folder);
    // Where the result is JSON, the check is not part of it.
    check.stdin(Stdio::null()).stdout(std::io::stderr());
    Ok(check.status().context("the check cannot be started")?.success())
}
