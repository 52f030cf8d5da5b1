//! Fault reports: for a game with a fault, what the agent's author needs to find the reason. Two files a game, limited
//! in number and size: the record, and for each seat a page with the last lines both ways, stderr, the end of the
//! process, limits, seed, and the command that feeds the bot the same lines again. It writes only into the folder of
//! fault reports; what is a fault is decided by the referee.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use maumau_protocol::fault::{ConductFault, CountedFault, FaultCounts, FreeFault};
use maumau_protocol::{RuleFault, Seat, Stand};
use maumau_referee::GameLog;
use maumau_referee::record::Entry;

use crate::agent::{Evidence, PermitSettings};
use crate::io::atomic_file;
use crate::io::format::counted;
use crate::io::program_name::program_name;
use crate::io::untrusted::Untrusted;
use crate::log;
use maumau_referee::story::{self, About, Line};

/// Maximum pages in one folder and from one agent, for one run of this program.
const MOST: u32 = 64;
const MOST_OF_ONE: u32 = 8;
/// The faults that the sandbox can cause by denying something; it never causes a wrong line or a wrong move.
const SANDBOX_MAY_CAUSE: [CountedFault; 5] = [
    CountedFault::Conduct(ConductFault::Gone),
    CountedFault::Conduct(ConductFault::NotStarted),
    CountedFault::Conduct(ConductFault::Silent),
    CountedFault::Rule(RuleFault::Slow),
    CountedFault::Free(FreeFault::Crash),
];
/// Maximum lines about a seat's faults on its page.
const MOST_LINES: usize = 200;
/// Maximum bytes of a record that is kept beside its pages.
const MOST_RECORD_BYTES: usize = 16 * 1024 * 1024;

/// A game with faults, and the evidence of the agents that committed them.
pub struct FaultyGame {
    /// The name of its files.
    pub name: String,
    /// The game.
    pub log: GameLog,
    /// Faults by seat.
    pub faults: Vec<FaultCounts>,
    /// By seat: the agent's command.
    pub commands: Vec<String>,
    /// By seat: the agent's permissions.
    pub permits: Vec<PermitSettings>,
    /// The agents' evidence.
    pub evidence: Vec<(Seat, Evidence)>,
}

/// An agent that did not start, so that there was no game.
pub struct FailedStart<'a> {
    /// The agent's name.
    pub name: &'a str,
    /// Its command.
    pub command: &'a str,
    /// Its permissions.
    pub permits: &'a PermitSettings,
    /// Why it did not start.
    pub reason: &'a str,
    /// Its evidence.
    pub evidence: &'a Evidence,
    /// Milliseconds it had to start.
    pub start_ms: u64,
}

/// A folder of fault reports.
pub struct FaultReports {
    folder: PathBuf,
    written: u32,
    of_each: BTreeMap<String, u32>,
    /// The first page and its command.
    first: Option<(PathBuf, String)>,
}

/// What has happened to the reports.
pub struct WrittenReports {
    /// Pages written.
    pub written: u32,
    /// The path of the first page, and the command on it.
    pub first: Option<(PathBuf, String)>,
}

impl FaultReports {
    /// Fault reports in `folder`, which is created when there is something to write.
    pub fn new(folder: PathBuf) -> FaultReports {
        FaultReports { folder, written: 0, of_each: BTreeMap::new(), first: None }
    }

    /// Writes the pages of one game.
    ///
    /// # Errors
    /// A file cannot be written, or the log contradicts itself.
    pub fn add(&mut self, case: &FaultyGame) -> Result<()> {
        let mut record_is_there = false;
        for (seat, evidence) in &case.evidence {
            let name = case.log.header.names.get(seat.index()).cloned().unwrap_or_default();
            if !self.has_room(&name)? {
                continue;
            }
            let record = self.folder.join(format!("{}.jsonl", Untrusted::new(&case.name).file_name()));
            if !record_is_there {
                let (bytes, _) = case.log.to_record()?;
                if bytes.len() <= MOST_RECORD_BYTES {
                    atomic_file::write(&record, &bytes)?;
                }
                record_is_there = true;
            }
            let (command, permits) = (&case.commands[seat.index()], &case.permits[seat.index()]);
            let started = case.faults[seat.index()].get(ConductFault::NotStarted) == 0;
            let command =
                if started { feed_command(&record, *seat, command, permits) } else { check_command(command, permits) };
            let text = text(case, *seat, evidence, &command)?;
            self.write(format!("{}-seat{seat}.txt", case.name), &name, &text, command)?;
        }
        Ok(())
    }

    /// Writes the page of a seat whose agent did not start.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add_start(&mut self, case: &str, seat: Seat, start: &FailedStart<'_>) -> Result<()> {
        if !self.has_room(start.name)? {
            return Ok(());
        }
        let command = check_command(start.command, start.permits);
        let text = format!(
            "{case}, seat {seat}: {}\ncommand: {}\nno match was played: the agent did not start\n  {}\nended: {}\n\
             time: start {} ms\n\nanother try:\n  {command}\n\n{}",
            Untrusted::new(start.name).terminal(),
            Untrusted::new(start.command).terminal(),
            Untrusted::new(start.reason).lines("  | "),
            start.evidence.exit.as_deref().unwrap_or("it was running"),
            start.start_ms,
            last_lines(start.evidence, true),
        );
        self.write(format!("{case}-seat{seat}.txt"), start.name, &text, command)
    }

    /// True if there is room for another page of the agent; then its folder exists.
    fn has_room(&mut self, agent: &str) -> Result<bool> {
        let of_one = self.of_each.get(agent).copied().unwrap_or(0);
        if self.written == MOST || of_one == MOST_OF_ONE {
            return Ok(false);
        }
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("the folder {} cannot be made", self.folder.display()))?;
        Ok(true)
    }

    fn write(&mut self, file: String, agent: &str, text: &str, command: String) -> Result<()> {
        let page = self.folder.join(Untrusted::new(&file).file_name());
        atomic_file::write(&page, text.as_bytes())?;
        log::fault_report_written(Untrusted::path(&page));
        self.written += 1;
        *self.of_each.entry(agent.to_owned()).or_default() += 1;
        self.first.get_or_insert((page, command));
        Ok(())
    }

    /// What has happened to the reports.
    pub fn finish(self) -> WrittenReports {
        WrittenReports { written: self.written, first: self.first }
    }
}

impl WrittenReports {
    /// In two lines for people, if there is anything to say.
    pub fn text(&self) -> Option<String> {
        let (page, command) = self.first.as_ref()?;
        let folder = page.parent().unwrap_or(Path::new("."));
        let pages = counted(self.written, "fault report");
        Some(format!(
            "{pages} in {}; the first is {}, and this tries the agent again:\n  {command}",
            folder.display(),
            page.file_name().unwrap_or_default().to_string_lossy()
        ))
    }
}

/// Removes the pages and records of games: those of `folder` with names for which `is_gone` is true.
///
/// # Errors
/// The folder cannot be read, or a file cannot be removed.
pub fn remove(folder: &Path, is_gone: impl Fn(&str) -> bool) -> Result<()> {
    let unread = || format!("the folder {} cannot be read", folder.display());
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.with_context(unread)?,
    };
    for entry in entries {
        let page = entry.with_context(unread)?.path();
        let Some(game) = page.file_name().and_then(OsStr::to_str).and_then(game_of).filter(|game| is_gone(game)) else {
            continue;
        };
        // The page goes last: a record without one is not part of a fault report.
        for file in [folder.join(format!("{game}.jsonl")), page.clone()] {
            match std::fs::remove_file(&file) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                removed => removed.with_context(|| format!("{} cannot be removed", file.display()))?,
            }
        }
    }
    Ok(())
}

/// The pages of one game in `folder`: the name of each file without that of the game, and its path.
pub fn pages_of(folder: &Path, game: &str, seats: usize) -> Vec<(String, PathBuf)> {
    let pages = Seat::all(seats).map(|seat| format!("-seat{seat}.txt"));
    pages.map(|end| (end.clone(), folder.join(format!("{game}{end}")))).filter(|(_, page)| page.is_file()).collect()
}

/// The game whose page a file is, by the name of the file.
fn game_of(file: &str) -> Option<&str> {
    let (game, seat) = file.strip_suffix(".txt")?.rsplit_once("-seat")?;
    seat.parse::<u8>().ok().map(|_| game)
}

/// The command that feeds an agent the lines of its seat again.
fn feed_command(record: &Path, seat: Seat, command: &str, permits: &PermitSettings) -> String {
    let record = quoted(&record.display().to_string());
    format!("{} feed {record} --seat {seat} {}-- {command}", program_name(), options(permits))
}

/// The command that starts an agent and examines it.
fn check_command(command: &str, permits: &PermitSettings) -> String {
    format!("{} check --games 1 {}-- {command}", program_name(), options(permits))
}

fn options(permits: &PermitSettings) -> String {
    permits.options().iter().map(|word| format!("{} ", quoted(word))).collect()
}

fn quoted(word: &str) -> String {
    shlex::try_quote(word).map(Into::into).unwrap_or_else(|_| word.to_owned())
}

fn text(case: &FaultyGame, seat: Seat, evidence: &Evidence, command: &str) -> Result<String> {
    let header = &case.log.header;
    let name = header.names.get(seat.index()).map_or("?", String::as_str);
    let options: Vec<String> = header.rules.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut text = format!(
        "{}, seat {seat}: {}\ncommand: {}\nfaults: {}\n",
        case.name,
        Untrusted::new(name).terminal(),
        Untrusted::new(&case.commands[seat.index()]).terminal(),
        case.faults[seat.index()].list(", ")
    );
    text += &faults(case, seat)?;
    let dismissed = case.log.inputs.iter().find_map(|logged| match &logged.entry {
        Entry::Dismissed(entry) if entry.seat == seat => Some(entry.fault.into()),
        _ => None,
    });
    let by_sandbox = match dismissed {
        Some(fault) => SANDBOX_MAY_CAUSE.contains(&fault),
        None => case.faults[seat.index()].iter().any(|(fault, _)| SANDBOX_MAY_CAUSE.contains(&fault)),
    };
    let time = &header.time;
    text += &format!(
        "ended: {}\nrules: {} at {} seats, {}; {}\ntime: {} ms a move, bank {} ms, increment {} ms, start {} ms\n\
         strikes: {}\nseed: {}\n\nthe same lines again, the clock off; or another start, if there was none:\n  {command}\n\n{}",
        evidence.exit.as_deref().unwrap_or("it was running when the game was over"),
        Untrusted::new(&header.rules.name).terminal(),
        header.names.len(),
        counted(header.rounds, "round"),
        Untrusted::new(&options.join(" ")).terminal(),
        time.move_ms,
        time.bank_ms,
        time.increment_ms,
        time.start_ms,
        header.rules.turn.max_strikes,
        header.seed,
        last_lines(evidence, by_sandbox),
    );
    Ok(text)
}

/// What the seat did wrong, as it stands in the game's story.
fn faults(case: &FaultyGame, seat: Seat) -> Result<String> {
    let frames = story::frames(&case.log, None)?;
    let mut lines = frames.iter().flat_map(|frame| {
        // What the referee does for a dismissed agent is not the agent's fault.
        let is_dismissed = frame.stand == Some(Stand::Dismissed);
        let belongs = move |line: &&Line| match line.about {
            About::Fault | About::Silence | About::Sent => line.seat == Some(seat),
            About::RuleFault => line.seat == Some(seat) && !is_dismissed,
            About::Game | About::Late | About::Note | About::Deadline | About::Stderr => false,
        };
        frame.lines.iter().filter(belongs).map(|line| (frame.kind.number(), line))
    });
    let mut text = String::new();
    for (number, line) in lines.by_ref().take(MOST_LINES) {
        let words = line.text(&case.log.header.names);
        let shown = Untrusted::new(&words).terminal();
        text += &match line.about {
            About::Sent => format!("    {shown}\n"),
            _ => format!("  move {number}: {shown}\n"),
        };
    }
    let left = lines.count();
    if left > 0 {
        text += &format!("  and {} more, which `maumau replay` shows\n", counted(left as u64, "line"));
    }
    Ok(text)
}

/// How the part of a page begins that says what the process did.
const LAST_LINES: &str = "the last lines: seconds since its start, > to the agent, < from it";

/// What a page says of the agent's process: how it ended, the last lines and stderr. It was sent nothing that its seat may not
/// know; the page itself also holds the seed.
pub fn of_process(page: &str) -> Option<String> {
    let (head, lines) = page.split_once(&format!("\n{LAST_LINES}\n"))?;
    // What the agent sent is indented.
    let ended = head.lines().find(|line| line.starts_with("ended: "))?;
    Some(format!("{ended}\n\n{LAST_LINES}\n{lines}"))
}

fn last_lines(evidence: &Evidence, by_sandbox: bool) -> String {
    let stderr = match evidence.stderr.as_str() {
        "" => "  (nothing)".to_owned(),
        stderr => format!("  | {}", Untrusted::new(stderr.trim_end_matches('\n')).lines("  | ")),
    };
    let hint = evidence.hint.as_ref().filter(|_| by_sandbox).map_or(String::new(), |hint| format!("\n{hint}\n"));
    format!("{LAST_LINES}\n{}\nstderr, its first and last 8 KiB:\n{stderr}\n{hint}", evidence.lines,)
}
