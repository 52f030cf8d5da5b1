//! The log of this program, for whoever wants to know what it did and when (`arena/docs/logs.md`): where it goes, and the
//! spans in which its events stand. Every event is a function of [`events`]; nothing else here calls `tracing`.
//!
//! Where nobody wants an event, it costs one comparison, and none is on the way of a move.

mod events;

use std::fs::OpenOptions;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use maumau_protocol::Seat;
use maumau_protocol::record::{Entry, MoveCount};
use maumau_referee::{GameLog, Logged};
use tracing::Level;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::SubscriberBuilder;

use crate::cli::usage;
use crate::untrusted::Untrusted;

pub(crate) use events::*;
pub(crate) use tracing::{Instrument, Span};

/// The variable that says what is logged.
const VARIABLE: &str = "MAUMAU_LOG";

/// Where the log goes.
#[derive(clap::Args, Debug)]
pub(crate) struct LogArguments {
    /// Write a log to the end of this file instead of warnings to stderr; MAUMAU_LOG says what, by default info
    #[arg(long, global = true, value_name = "FILE", help_heading = "Log")]
    log: Option<PathBuf>,
    /// How the file is written: text, or a JSON object for each event
    #[arg(long, global = true, value_enum, default_value_t = Format::Text, requires = "log", help_heading = "Log")]
    log_format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Begins to log: to a file where one is named, else to stderr.
///
/// # Errors
/// The file cannot be written, or the variable cannot be read.
pub(crate) fn start(arguments: &LogArguments) -> Result<()> {
    let wanted = std::env::var(VARIABLE).ok();
    let usual = if arguments.log.is_some() { "info" } else { "warn" };
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter(wanted.as_deref(), usual)?)
        // It would be told on the very stderr that cannot be written to.
        .log_internal_errors(false);
    match &arguments.log {
        None => builder.with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal()).init(),
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = Arc::new(file.with_context(|| format!("the log {} cannot be written", path.display()))?);
            let builder: SubscriberBuilder<_, _, _, _> = builder.with_writer(file).with_ansi(false);
            match arguments.log_format {
                Format::Text => builder.init(),
                Format::Json => builder.json().with_current_span(false).init(),
            }
        }
    }
    Ok(())
}

fn filter(wanted: Option<&str>, usual: &str) -> Result<EnvFilter> {
    let Some(wanted) = wanted.filter(|wanted| !wanted.is_empty()) else { return Ok(EnvFilter::new(usual)) };
    EnvFilter::try_new(wanted).map_err(|error| {
        usage(format!(
            "{VARIABLE}={wanted}: {error}; expected a level (error, warn, info, debug) or parts of the log with levels, such \
             as maumau::agent=debug,warn"
        ))
    })
}

/// All that one command plays.
pub(crate) fn run_span(name: Untrusted<'_>) -> Span {
    tracing::span!(target: "maumau", Level::ERROR, "run", name = name.terminal())
}

/// One game, under the name that tables and exports know.
pub(crate) fn game_span(id: &str) -> Span {
    tracing::span!(target: "maumau", Level::ERROR, "game", id = Untrusted::new(id).terminal())
}

/// One process of an agent.
pub(crate) fn agent_span(name: &str) -> Span {
    tracing::span!(target: "maumau", Level::ERROR, "agent", name = Untrusted::new(name).terminal())
}

/// One seat of a game.
pub(crate) fn seat_span(number: usize, name: &str) -> Span {
    tracing::span!(target: "maumau", Level::ERROR, "seat", number, name = Untrusted::new(name).terminal())
}

/// A game that is over, with everything that went wrong in it.
pub(crate) fn game(log: &GameLog, took: Duration) {
    if !tracing::enabled!(target: "maumau::game", Level::INFO) {
        return;
    }
    let (mut moves, mut played, mut faults, mut voids) = (MoveCount::default(), 0, 0, 0);
    let at_seat = |seat: Seat, tell: &dyn Fn()| {
        let name = log.header.names.get(seat.index()).map_or("?", String::as_str);
        seat_span(seat.index(), name).in_scope(tell);
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

/// The span in which this is called, to go on in elsewhere.
pub(crate) fn here() -> Span {
    Span::current()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/logs.md");
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
    fn a_filter_that_cannot_be_read_is_wrong_usage() {
        assert!(filter(None, "warn").is_ok_and(|filter| filter.to_string() == "warn"));
        assert!(filter(Some(""), "info").is_ok_and(|filter| filter.to_string() == "info"));
        assert!(filter(Some("maumau::agent=debug,warn"), "info").is_ok());
        let error = filter(Some("maumau=loud"), "warn").map_err(|error| error.to_string());
        assert!(
            error.is_err_and(|error| error.contains("MAUMAU_LOG=maumau=loud") && error.contains("expected a level"))
        );
    }
}
