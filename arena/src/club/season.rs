//! The season of a club: a ladder that this program plays in a process of its own. Versions join and leave by the commands that an
//! organiser would use, so the league file says who plays and the run file what was played; this module only starts and asks.

use std::ffi::OsString;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use maumau_club::VersionState;
use maumau_report::{LadderPlace, ladder_of};
use maumau_run::io::atomic_file;
use maumau_run::league::LeagueFile;
use maumau_run::league::league_edit::{self, NewAgent};
use maumau_run::run_store::{ChangeAnswer, ChangeKind, ChangeRequest, RosterChange, RunFile, StopRequest};

use super::answers::LadderRow;
use super::folder::{ClubFolder, ClubSettings};
use super::season_pages::SeasonPages;
use super::store::StoredVersion;

/// How often a process is looked at.
const EVERY: Duration = Duration::from_millis(50);
/// The longest check. An agent's own times bound it well below; what takes longer is the machine's fault.
const CHECKED_WITHIN: Duration = Duration::from_secs(600);
/// How long the games in play may take to end.
const ENDED_WITHIN: Duration = Duration::from_secs(30);
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
    // As in games, the bot reads all of its folder.
    arguments.extend(["--sandbox-read", "."]);
    arguments.extend(["--move-ms", &move_ms, "--start-ms", &start_ms, "--"]);
    let mut command = program(&[&arguments[..], &words].concat())?;
    command.current_dir(folder.home_of(version));
    finish(command, CHECKED_WITHIN, stop)
}

/// Who joins and who leaves at the end of the round in play, all at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct RosterStep<'a> {
    /// Those that play from now on, also those that had left.
    pub(crate) joins: Vec<&'a StoredVersion>,
    /// Those that play no more, disqualified ones also if they have left already.
    pub(crate) leaves: Vec<&'a StoredVersion>,
}

impl RosterStep<'_> {
    /// The league file after it; the same if all of it holds already.
    fn edited(&self, text: &str, league: &LeagueFile, folder: &ClubFolder) -> Result<String> {
        let mut edited = text.to_owned();
        let set = |text: &str, agent: &str, key: &str, is_so: bool| {
            let set = league_edit::set(text, agent, key, is_so.into());
            set.with_context(|| format!("the league file of the season has no plain table of {agent}"))
        };
        for version in &self.joins {
            let agent = version.agent();
            edited = match is_retired(league, &agent) {
                Some(false) => edited,
                // It plays again as it was.
                Some(true) => set(&edited, &agent, "retired", false)?,
                None => {
                    let home = folder.home_of(version);
                    let home = home.to_str().with_context(|| format!("the path {} is not UTF-8", home.display()))?;
                    let (directory, author) = (Some(home), Some(&*version.team));
                    league_edit::add(&edited, &NewAgent { name: &agent, command: &version.run, directory, author })
                }
            };
        }
        for version in &self.leaves {
            let agent = version.agent();
            if is_there_still(league, version) {
                edited = set(&edited, &agent, key_of_leaving(version), true)?;
            }
        }
        Ok(edited)
    }

    /// Takes it: writes the league file, and waits until the process that plays the season has taken it up, if there is one. False if it
    /// was refused, or `stop` was set meanwhile; then the league file is as it was.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub(crate) fn take(&self, folder: &ClubFolder, stop: &AtomicBool) -> Result<bool> {
        let text = std::fs::read_to_string(folder.league()).context("the league file of the season")?;
        let edited = self.edited(&text, &LeagueFile::read(&folder.league())?, folder)?;
        if edited == text {
            return Ok(true);
        }
        let checked = LeagueFile::parse(&folder.league().display().to_string(), &folder.part("season"), &edited);
        checked.map_err(|problems| anyhow!("{problems}"))?;
        atomic_file::write(&folder.league(), edited.as_bytes())?;
        let asked = self.joins.iter().chain(&self.leaves).next().map_or_else(String::new, |version| version.agent());
        let answer = ask_for(&folder.run(), &asked, stop);
        let why = match answer {
            // Who plays no season now reads the file when it begins.
            Ok(Some(ChangeAnswer::Done(_)) | None) if !stop.load(Ordering::Relaxed) => return Ok(true),
            Ok(Some(ChangeAnswer::Done(_))) => return Ok(true),
            Ok(Some(ChangeAnswer::Refused(why))) => Some(why),
            Ok(None) => None,
            Err(error) => Some(format!("{error:#}")),
        };
        atomic_file::write(&folder.league(), text.as_bytes())?;
        if let Some(why) = why {
            print_stderr!("maumau: {asked} does not join or leave yet: {why}");
        }
        Ok(false)
    }
}

/// Asks the process that plays the season to read the league file again because of `agent`, and waits until it has, or `stop` is set;
/// `None` if nobody plays it, or not any more.
fn ask_for(run: &Path, agent: &str, stop: &AtomicBool) -> Result<Option<ChangeAnswer>> {
    let change = RosterChange { kind: ChangeKind::Add, agent: agent.to_owned() };
    let Some(request) = ChangeRequest::make(run, change)? else { return Ok(None) };
    loop {
        // Looked at first: the process may answer and end.
        let is_heard = request.is_heard(run)?;
        let answer = request.answered();
        if answer.is_some() || !is_heard || stop.load(Ordering::Relaxed) {
            request.withdraw()?;
            return Ok(answer);
        }
        std::thread::sleep(EVERY);
    }
}

/// What the league file says of a version that plays no more.
fn key_of_leaving(version: &StoredVersion) -> &'static str {
    if version.state == VersionState::Disqualified { "disqualified" } else { "retired" }
}

/// True if the league file does not say yet that this version, which is to leave, plays no more.
pub(crate) fn is_there_still(league: &LeagueFile, version: &StoredVersion) -> bool {
    let agent = version.agent();
    let known = league.league.agents.iter().find(|known| known.name == agent);
    known.is_some_and(|known| match version.state {
        VersionState::Disqualified => !known.life.disqualified,
        _ => !known.life.retired,
    })
}

/// Whether an agent of the league file plays no more; `None` if there is no such agent.
pub(crate) fn is_retired(league: &LeagueFile, agent: &str) -> Option<bool> {
    league.league.agents.iter().find(|known| known.name == agent).map(|known| known.life.retired)
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

/// Plays a game of `run` again, on one processor, and leaves its record in the folder `to`; `None` if that took too long, or `stop` was
/// set.
///
/// # Errors
/// This program cannot be started.
pub(crate) fn play_again(
    (run, game): (&Path, &str),
    to: &Path,
    within: Duration,
    stop: &AtomicBool,
) -> Result<Option<Said>> {
    let mut command = program(&["tournament", "rerun"])?;
    command.arg(run).arg(game).arg("--to").arg(to);
    finish(command, within, stop)
}

/// The process that plays the season.
pub(crate) struct SeasonProcess(Child);

impl SeasonProcess {
    /// Starts it with `words` besides, after one that an earlier club has left was asked to end.
    ///
    /// # Errors
    /// The other one does not end, or this program cannot be started.
    pub(crate) fn start(
        folder: &ClubFolder,
        settings: &ClubSettings,
        words: &[OsString],
        pages: &Arc<SeasonPages>,
    ) -> Result<SeasonProcess> {
        ask_to_end(&folder.run())?;
        let processors = settings.processors.to_string();
        let mut command = program(&["tournament", "run", "--quiet", "--cpus", &processors])?;
        // Its pages are shown through those of the club.
        command.args(["--serve", "--public", "--addr", "127.0.0.1:0"]);
        command.args(words).arg(folder.league()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().context("the season cannot be started")?;
        pages.hear(child.stderr.take().context("what the season says")?);
        Ok(SeasonProcess(child))
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

/// Asks the process that plays `run`, if there is one, to end, and waits for it.
///
/// # Errors
/// It does not end.
pub(crate) fn ask_to_end(run: &Path) -> Result<()> {
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
///
/// # Errors
/// It cannot be read.
pub(crate) fn has_begun(run: &Path) -> Result<bool> {
    // It is not opened here: a process that closes a file gives up the locks of those who read it.
    match std::fs::metadata(run) {
        Ok(file) => Ok(file.len() > 0),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).context("the run file of the season"),
    }
}

/// The ladder of the season so far; empty before its first game.
///
/// # Errors
/// The run file cannot be read.
pub(crate) fn ladder(run: &Path) -> Result<Vec<LadderRow>> {
    if !has_begun(run)? {
        return Ok(Vec::new());
    }
    let places = ladder_of(&RunFile::open(run)?)?;
    let row = |place: LadderPlace| {
        let interval = place.rating.and_then(|(_, interval)| interval);
        LadderRow {
            agent: place.name,
            games: place.games,
            rating: place.rating.map(|(rating, _)| rating),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            ranks: place.ranks.map(|(best, worst)| vec![best as u64, worst as u64]),
            retired: place.is_retired,
        }
    };
    Ok(places.into_iter().map(row).collect())
}
