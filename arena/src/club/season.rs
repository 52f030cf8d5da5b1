//! The season of a club: a ladder that this program plays in a process of its own. Versions join and leave by the commands that an
//! organiser would use, so the league file says who plays and the run file what was played; this module only starts and asks.

use std::ffi::OsString;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use maumau_report::StandingsReport;
use maumau_run::league::LeagueFile;
use maumau_run::run_store::{RunFile, StopRequest, is_run_file};
use serde_json::Value;

use super::answers::LadderRow;
use super::folder::{ClubFolder, ClubSettings};
use super::store::StoredVersion;

/// How often a process is looked at.
const EVERY: Duration = Duration::from_millis(50);
/// The longest check. An agent's own times bound it well below; what takes longer is the machine's fault.
const CHECKED_WITHIN: Duration = Duration::from_secs(600);
/// How long a version waits for the end of a round until the club tries again.
const JOINED_WITHIN: Duration = Duration::from_secs(300);
/// How long the games in play may take to end.
const ENDED_WITHIN: Duration = Duration::from_secs(30);
/// Bytes of the head of a run file.
const HEAD_BYTES: u64 = 100;
/// Bytes that are kept of what a process says.
const MAX_SAID: u64 = 1 << 20;

/// This program with `arguments`.
fn program(arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe().context("this program's own file")?);
    command.args(arguments).stdin(Stdio::null());
    Ok(command)
}

/// What a process said, and how it ended.
pub(crate) struct Said {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `command` for at most `within`; `None` if it was ended, because of that or because `stop` was set.
fn finish(mut command: Command, within: Duration, stop: &AtomicBool) -> Result<Option<Said>> {
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let mut child = command.spawn().context("this program cannot be started once more")?;
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if began.elapsed() > within || stop.load(Ordering::Relaxed) {
            end(&mut child)?;
            return Ok(None);
        }
        std::thread::sleep(EVERY);
    };
    let read = |file: &mut std::fs::File| -> Result<String> {
        std::io::Seek::rewind(file)?;
        let mut bytes = Vec::new();
        file.take(MAX_SAID).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Some(Said { status, stdout: read(&mut stdout)?, stderr: read(&mut stderr)? }))
}

/// Waits so long, or until `stop` is set.
pub(crate) fn rest(stop: &AtomicBool, long: Duration) {
    let began = Instant::now();
    while began.elapsed() < long && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(EVERY);
    }
}

/// Ends a process at once.
fn end(child: &mut Child) -> Result<()> {
    child.kill().and_then(|()| child.wait()).map(drop).context("a process cannot be ended")
}

/// Checks a version by the season's rules, seats and times; `None` if it came to no end in time, or `stop` was set.
///
/// # Errors
/// The league file cannot be read, or this program cannot be started.
pub(crate) fn check(
    folder: &ClubFolder,
    settings: &ClubSettings,
    version: &StoredVersion,
    stop: &AtomicBool,
) -> Result<Option<Said>> {
    let text = std::fs::read_to_string(folder.league()).context("the league file of the season")?;
    let league: toml::Table = toml::from_str(&text).context("the league file of the season")?;
    let rules = match league.get("rules") {
        Some(toml::Value::String(rules)) => rules.clone(),
        _ => bail!("the season's rules: expected the name of one built-in rule set"),
    };
    let time = |key: &str, usual: i64| {
        let time = league.get("time").and_then(toml::Value::as_table).and_then(|time| time.get(key)?.as_integer());
        time.unwrap_or(usual).to_string()
    };
    let seats = league.get("seats").and_then(toml::Value::as_integer).context("the season's seats")?.to_string();
    let (move_ms, start_ms, level) = (time("move_ms", 5_000), time("start_ms", 10_000), settings.sandbox.to_string());
    let words: Vec<&str> = version.run.split_whitespace().collect();
    let mut arguments = vec!["check", "--format", "json", "--rules", &rules, "--seats", &seats, "--sandbox", &level];
    arguments.extend(["--move-ms", &move_ms, "--start-ms", &start_ms, "--"]);
    let mut command = program(&[&arguments[..], &words].concat())?;
    command.current_dir(folder.home_of(version));
    finish(command, CHECKED_WITHIN, stop)
}

/// Lets a version join the season, unless it plays in its league file already. True once it does.
///
/// # Errors
/// The league file cannot be read, or this program cannot be started.
pub(crate) fn join(folder: &ClubFolder, version: &StoredVersion, stop: &AtomicBool) -> Result<bool> {
    let agent = version.agent();
    let mut command = program(&["tournament", "add"])?;
    command.arg(folder.run()).arg(&agent);
    match is_retired(folder, &agent)? {
        Some(false) => return Ok(true),
        // It plays again as it was.
        Some(true) => {}
        None => {
            command.args(["--command", &version.run, "--author", &version.team, "--directory"]);
            command.arg(folder.home_of(version));
        }
    }
    Ok(is_done(&agent, finish(command, JOINED_WITHIN, stop)?))
}

/// Whether a version plays no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// It did not play before.
    Before,
    /// It has left now.
    Now,
    /// It could not leave yet.
    NotYet,
}

/// Lets a version leave the season, unless it does not play there.
///
/// # Errors
/// As [`join`].
pub(crate) fn retire(folder: &ClubFolder, version: &StoredVersion, stop: &AtomicBool) -> Result<Leaving> {
    let agent = version.agent();
    if is_retired(folder, &agent)? != Some(false) {
        return Ok(Leaving::Before);
    }
    let mut command = program(&["tournament", "retire"])?;
    command.arg(folder.run()).arg(&agent);
    let has_left = is_done(&agent, finish(command, JOINED_WITHIN, stop)?);
    Ok(if has_left { Leaving::Now } else { Leaving::NotYet })
}

/// Whether an agent of the league file plays no more; `None` if there is no such agent.
fn is_retired(folder: &ClubFolder, agent: &str) -> Result<Option<bool>> {
    let league = LeagueFile::read(&folder.league())?;
    let known = league.league.agents.iter().find(|known| known.name == agent);
    Ok(known.map(|known| known.life.retired))
}

fn is_done(agent: &str, said: Option<Said>) -> bool {
    let Some(said) = said else { return false };
    if !said.status.success() {
        print_stderr!("maumau: {agent} does not join or leave yet: {}", said.stderr.trim());
    }
    said.status.success()
}

/// The league file `season` with these of its agents alone, and without what means nothing elsewhere: its deals, schedule and anchor.
///
/// # Errors
/// It is no TOML, or one of them has not joined.
pub(crate) fn league_with(season: &str, agents: &[String]) -> Result<toml::Table> {
    let mut league: toml::Table = toml::from_str(season).context("the league file of the season")?;
    let known = league.get("agent").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let named = |name: &String| {
        let is_it = |agent: &&toml::Value| agent.get("name").and_then(toml::Value::as_str) == Some(name);
        let found = known.iter().find(is_it).and_then(toml::Value::as_table);
        let mut agent = found.with_context(|| format!("{name} has not joined the season"))?.clone();
        agent.remove("retired");
        Ok(toml::Value::Table(agent))
    };
    let players: Vec<toml::Value> = agents.iter().map(named).collect::<Result<_>>()?;
    for key in ["seed", "anchor", "schedule", "stop"] {
        league.remove(key);
    }
    league.insert("agent".to_owned(), toml::Value::Array(players));
    Ok(league)
}

/// Plays a league to its end, on one processor; `None` if that took too long, or `stop` was set.
///
/// # Errors
/// This program cannot be started.
pub(crate) fn play_to_end(league: &Path, within: Duration, stop: &AtomicBool) -> Result<Option<Said>> {
    let mut command = program(&["tournament", "run", "--quiet", "--cpus", "1"])?;
    command.arg(league);
    finish(command, within, stop)
}

/// The process that plays the season.
pub(crate) struct SeasonProcess(Child);

impl SeasonProcess {
    /// Starts it with `words` besides, after one that an earlier club has left was asked to end.
    ///
    /// # Errors
    /// The other one does not end, or this program cannot be started.
    pub(crate) fn start(folder: &ClubFolder, settings: &ClubSettings, words: &[OsString]) -> Result<SeasonProcess> {
        ask_to_end(&folder.run())?;
        let processors = settings.processors.to_string();
        let mut command = program(&["tournament", "run", "--quiet", "--cpus", &processors])?;
        command.args(words).arg(folder.league()).stdout(Stdio::null());
        Ok(SeasonProcess(command.spawn().context("the season cannot be started")?))
    }

    /// True if it has ended by itself.
    ///
    /// # Errors
    /// The system does not say.
    pub(crate) fn has_ended(&mut self) -> Result<bool> {
        Ok(self.0.try_wait()?.is_some())
    }

    /// Ends it after the games in play; no game is lost.
    ///
    /// # Errors
    /// It cannot be asked.
    pub(crate) fn end(mut self, run: &Path) -> Result<()> {
        let asked = ask_to_end(run);
        let began = Instant::now();
        while self.0.try_wait()?.is_none() {
            if began.elapsed() > ENDED_WITHIN {
                return end(&mut self.0).and(asked);
            }
            std::thread::sleep(EVERY);
        }
        asked
    }
}

/// Asks the process that plays `run` to end, and waits for it.
fn ask_to_end(run: &Path) -> Result<()> {
    if !run.exists() {
        return Ok(());
    }
    let Some(request) = StopRequest::make(run)? else { return Ok(()) };
    let began = Instant::now();
    while request.is_pending(run)? {
        if began.elapsed() > ENDED_WITHIN {
            bail!("{} plays the season and does not end", request.holder());
        }
        std::thread::sleep(EVERY);
    }
    request.withdraw()
}

/// True if there is a run in the file `run`: a process that plays it makes an empty one first.
fn has_begun(run: &Path) -> Result<bool> {
    let mut head = Vec::new();
    match std::fs::File::open(run) {
        Ok(file) => file.take(HEAD_BYTES).read_to_end(&mut head).context("the run file of the season")?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error).context("the run file of the season"),
    };
    Ok(is_run_file(&head))
}

/// The ladder of the season so far; empty before its first game.
///
/// # Errors
/// The run file cannot be read.
pub(crate) fn ladder(run: &Path) -> Result<Vec<LadderRow>> {
    if !has_begun(run)? {
        return Ok(Vec::new());
    }
    let report = StandingsReport::of(&RunFile::open(run)?, false, true)?.json()?;
    let report: Value = serde_json::from_str(&report)?;
    let rows = report["standings"]["rows"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_retired = |agent: &Value| report["retired"].as_array().is_some_and(|retired| retired.contains(agent));
    let mut ladder: Vec<LadderRow> = rows
        .iter()
        .map(|row| {
            let rating = &report["ratings"][row["name"].as_str().unwrap_or_default()];
            LadderRow {
                agent: row["name"].as_str().unwrap_or_default().to_owned(),
                games: row["games"].as_u64().unwrap_or_default(),
                rating: rating["rating"].as_f64(),
                low: rating["interval"]["low"].as_f64(),
                high: rating["interval"]["high"].as_f64(),
                ranks: rating["rank"].as_array().map(|ranks| ranks.iter().filter_map(Value::as_u64).collect()),
                retired: is_retired(&row["name"]),
            }
        })
        .collect();
    ladder.sort_by(|one, other| other.rating.unwrap_or(f64::MIN).total_cmp(&one.rating.unwrap_or(f64::MIN)));
    Ok(ladder)
}
