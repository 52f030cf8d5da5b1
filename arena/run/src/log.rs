//! The program's log of what it did and when (`arena/docs/logs.md`): where it goes, and the spans that its events
//! belong to. Every event is a function of `events`; nothing else here calls `tracing`. It writes to the log's file or
//! stderr and knows no game but those that are over.
//!
//! An event that nobody subscribed to costs one comparison, and no event is on the path of a move.

mod events;

use std::any::Any;
use std::fs::OpenOptions;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use maumau_places::suggestion;
use maumau_protocol::Seat;
use maumau_referee::record::{Entry, MoveCount};
use maumau_referee::{GameLog, Logged};
use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::error::usage;
use crate::io::format::OutputFormat;
use crate::io::untrusted::Untrusted;

pub use events::*;
pub use tracing::{Instrument, Span};

/// The variable that selects what is logged.
const VARIABLE: &str = "MAUMAU_LOG";

/// The levels of events, by their names in the variable.
const LEVELS: [&str; 4] = ["error", "warn", "info", "debug"];

/// All parts of the log together; spans stand here.
const WHOLE: &str = "maumau";

/// Where the log goes.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Log")]
pub struct LogArguments {
    /// Write a log to the end of this file instead of warnings to stderr; MAUMAU_LOG says what, by default info
    #[arg(long, global = true, value_name = "FILE")]
    log: Option<PathBuf>,
    /// How the file is written: text, or a JSON object for each event
    #[arg(long, global = true, value_enum, default_value_t = OutputFormat::Text, requires = "log")]
    log_format: OutputFormat,
}

/// True if what agents may do and have used is logged, so that it is worth looking at.
pub fn looks_at_agents() -> bool {
    tracing::enabled!(target: "maumau::agent", Level::INFO)
}

/// Starts the log: to a file if one is named, else to stderr.
///
/// # Errors
/// The file cannot be written, or the variable cannot be read.
pub fn start(arguments: &LogArguments) -> Result<()> {
    let wanted = std::env::var_os(VARIABLE).unwrap_or_default();
    let usual = if arguments.log.is_some() { LevelFilter::INFO } else { LevelFilter::WARN };
    let filter = filter(&wanted.to_string_lossy(), usual)?;
    // An error of the log would go to the same stderr that cannot be written to.
    let writer = tracing_subscriber::fmt::layer().log_internal_errors(false);
    let writer = match &arguments.log {
        None => writer.with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal()).boxed(),
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = Arc::new(file.with_context(|| format!("the log {} cannot be written", path.display()))?);
            let writer = writer.with_writer(file).with_ansi(false);
            match arguments.log_format {
                OutputFormat::Text => writer.boxed(),
                OutputFormat::Json => writer.json().with_current_span(false).boxed(),
            }
        }
    };
    tracing_subscriber::registry().with(writer).with(filter).init();
    Ok(())
}

/// A filter from `wanted`: parts separated by commas, each a level, a part of the log, or `part=level`.
///
/// # Errors
/// A level or a part does not exist.
fn filter(wanted: &str, usual: LevelFilter) -> Result<Targets> {
    let words: Vec<&str> = wanted.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        // What a connection's library complains of, the command says in its own words.
        return Ok(Targets::new().with_default(usual).with_target("async_nats", LevelFilter::OFF));
    }
    let mut parts: Vec<&str> = std::iter::once(WHOLE).chain(events::TARGETS.iter().copied()).collect();
    parts.dedup();
    let refuse = |what: &str, word: &str, known: &[&str]| {
        let known = suggestion(word, known.iter().copied());
        usage(format!("{VARIABLE}={wanted}: {:?} is {what}{known}", Untrusted::new(word)))
    };
    let level = |word: &str| word.parse::<LevelFilter>().ok().filter(|_| !word.is_empty());
    words.into_iter().try_fold(Targets::new(), |filter, word| match word.split_once('=') {
        Some((part, _)) if !parts.contains(&part) => Err(refuse("no part of the log", part, &parts)),
        Some((part, word)) => {
            let level = level(word).ok_or_else(|| refuse("no level", word, &LEVELS))?;
            Ok(filter.with_target(part, level))
        }
        None if parts.contains(&word) => Ok(filter.with_target(word, LevelFilter::TRACE)),
        None => {
            let known = [&LEVELS, &parts[..]].concat();
            let level = level(word).ok_or_else(|| refuse("neither a level nor a part of the log", word, &known))?;
            Ok(filter.with_default(level))
        }
    })
}

/// Everything that one command plays.
pub fn run_span(name: Untrusted<'_>) -> Span {
    tracing::span!(target: WHOLE, Level::ERROR, "run", name = name.terminal())
}

/// One game, under its name in tables and exports.
pub fn game_span(id: &str) -> Span {
    tracing::span!(target: WHOLE, Level::ERROR, "game", id = Untrusted::new(id).terminal())
}

/// One process of an agent.
pub fn agent_span(name: &str) -> Span {
    tracing::span!(target: WHOLE, Level::ERROR, "agent", name = Untrusted::new(name).terminal())
}

/// One seat of a game.
pub fn seat_span(number: usize, name: &str) -> Span {
    tracing::span!(target: WHOLE, Level::ERROR, "seat", number, name = Untrusted::new(name).terminal())
}

/// A game that is over, with everything that went wrong in it.
pub fn game(log: &GameLog, took: Duration) {
    if !tracing::enabled!(target: "maumau::game", Level::INFO) {
        return;
    }
    let (mut moves, mut played, mut faults, mut voids) = (MoveCount::default(), 0, 0, 0);
    let at_seat = |seat: Seat, write: &dyn Fn()| {
        let name = log.header.names.get(seat.index()).map_or("?", String::as_str);
        seat_span(seat.index(), name).in_scope(write);
    };
    for Logged { entry, meta } in &log.inputs {
        let of_move = u64::from(moves.of(entry).0);
        played += u64::from(entry.is_move());
        match entry {
            Entry::Fault(fault) => {
                faults += 1;
                let (what, why) = (fault.fault.name(), Untrusted::new(&fault.message));
                at_seat(fault.seat, &|| events::fault(of_move, what, why, u64::from(fault.strikes)));
            }
            Entry::Dismissed(gone) => {
                let (what, why) = (gone.fault.name(), Untrusted::new(&gone.message));
                at_seat(gone.seat, &|| dismissed(of_move, what, why));
            }
            _ => {}
        }
        for missed in meta.missed.iter().filter(|missed| missed.void) {
            voids += 1;
            at_seat(missed.seat, &|| void(of_move, missed.took_us.unwrap_or_default()));
        }
    }
    game_over(played, faults, voids, took.as_millis() as u64);
}

/// What somebody who panicked said, as far as it is text.
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic")
}

/// The caller's span, to continue in another task or thread.
pub fn here() -> Span {
    Span::current()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/logs.md");
        std::fs::read_to_string(path).expect("the page about logs")
    }

    #[test]
    fn the_page_lists_exactly_the_events_that_there_are() {
        let page = page();
        let rows: Vec<[&str; 4]> = page
            .lines()
            .filter(|line| line.starts_with("| `"))
            .map(|line| {
                let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
                [cells[0], cells[1], cells[2], cells[3]]
            })
            .collect();
        let listed: Vec<[String; 4]> = events::EVENTS
            .iter()
            .map(|event| {
                let fields: Vec<String> = event.fields.iter().map(|field| format!("`{field}`")).collect();
                let target = format!("`{}`", event.target);
                [format!("`{}`", event.message), event.level.to_lowercase(), target, fields.join(", ")]
            })
            .collect();
        for event in &listed {
            assert!(rows.iter().any(|row| *row == *event), "logs.md lacks the row {event:?}");
        }
        assert_eq!(rows.len(), listed.len(), "logs.md has rows of events that there are not: {rows:?}");
    }

    #[test]
    fn nothing_but_this_module_calls_tracing() {
        let source = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
        let (this, below) = (source.join("log.rs"), source.join("log"));
        let mut folders = vec![source];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path != this && !path.starts_with(&below) {
                    let text = std::fs::read_to_string(&path).expect("a source file");
                    assert!(!text.contains("tracing::"), "{}: events belong into log/events.rs", path.display());
                }
            }
        }
    }

    #[test]
    fn a_filter_is_levels_and_parts_and_anything_else_is_wrong_usage() {
        // Whether the filter passes warnings and then debug events, of agents and of runs.
        for (wanted, logged) in [
            ("", [true, false, true, false]),
            ("debug", [true; 4]),
            ("ERROR", [false; 4]),
            ("maumau::agent", [true, true, false, false]),
            ("maumau::agent=debug,warn", [true, true, true, false]),
            (" warn , maumau::run=off,", [true, false, false, false]),
        ] {
            let filter = filter(wanted, LevelFilter::WARN).unwrap_or_else(|error| panic!("{wanted}: {error}"));
            let lets = |part: &str| [Level::WARN, Level::DEBUG].map(|level| filter.would_enable(part, &level));
            assert_eq!([lets("maumau::agent"), lets("maumau::run")].concat(), logged, "{wanted}");
        }
        for (wanted, said) in [
            ("debgu", "MAUMAU_LOG=debgu: \"debgu\" is neither a level nor a part of the log; did you mean \"debug\"?"),
            ("maumau=loud", "\"loud\" is no level (known: \"error\", \"warn\", \"info\", \"debug\")"),
            ("maumau=", "\"\" is no level"),
            ("maumau::agnet=info", "\"maumau::agnet\" is no part of the log; did you mean \"maumau::agent\"?"),
            ("hyper=info", "\"hyper\" is no part of the log (known: \"maumau\", \"maumau::run\", \"maumau::game\", "),
        ] {
            let error = filter(wanted, LevelFilter::WARN).expect_err(wanted).to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
