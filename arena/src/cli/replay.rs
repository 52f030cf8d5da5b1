//! `maumau replay`: a recorded game as text.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

use anyhow::Result;
use maumau_protocol::Seat;
use maumau_protocol::record::{Entry, EventEntry};
use maumau_referee::{GameLog, Replay};

use super::play::sandbox_lines;
use super::{Outcome, print, usage, verify};
use crate::show::{Narrator, result_lines};
use crate::untrusted::Untrusted;

/// Show a recorded game: whole or step by step, from the referee's or one seat's eyes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau replay game.jsonl
  maumau replay game.jsonl --seat 1 --step")]
pub(super) struct Arguments {
    /// A record as JSON lines
    file: PathBuf,
    /// Show only what this seat could see
    #[arg(long)]
    seat: Option<usize>,
    /// Show the table after every action and wait for Enter
    #[arg(long)]
    step: bool,
    /// Show the table after every action
    #[arg(long)]
    positions: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<Outcome> {
    let shown = Untrusted::path(&arguments.file).terminal();
    let record = verify::read(&arguments.file).map_err(|error| usage(format!("{shown}: {error}")))?;
    let log = match maumau_referee::verify(&record) {
        Ok(verified) => verified.log,
        Err(mismatch) => return Err(usage(format!("{shown}: {}", Untrusted::new(&mismatch.to_string()).terminal()))),
    };
    let eyes = match arguments.seat {
        None => None,
        Some(index) => Some(Seat::new(index).filter(|_| index < log.header.names.len()).ok_or_else(|| {
            usage(format!("--seat {index}: the game has the seats 0 to {}", log.header.names.len() - 1))
        })?),
    };
    let wait = arguments.step && std::io::stdin().is_terminal();
    show(&log, eyes, arguments.positions || arguments.step, wait)?;
    Ok(Outcome::Done)
}

fn show(log: &GameLog, eyes: Option<Seat>, positions: bool, wait: bool) -> Result<()> {
    let narrator = Narrator::new(&log.header, eyes);
    let mut replay = Replay::new(&log.header)?;
    print(&events(&narrator, &mut replay))?;
    let mut keys = std::io::stdin().lock();
    for logged in &log.inputs {
        if positions && matches!(logged.entry, Entry::Act(_) | Entry::Stand(_)) {
            print(&narrator.position(replay.game()))?;
        }
        if wait {
            print("[Enter] ")?;
            let mut line = String::new();
            if keys.read_line(&mut line)? == 0 {
                return Ok(());
            }
        }
        if let Some(line) = narrator.entry(&logged.entry) {
            print(&format!("{line}\n"))?;
        }
        replay.take(&logged.entry)?;
        print(&events(&narrator, &mut replay))?;
    }
    print(&format!(
        "
{}",
        result_lines(&log.header, &log.result)
    ))?;
    match log.sandbox {
        Some(level) => print(&format!("\n{}", sandbox_lines(level, log))),
        None => Ok(()),
    }
}

fn events(narrator: &Narrator, replay: &mut Replay) -> String {
    let lines = replay.drain_events().filter_map(|(n, event)| narrator.entry(&Entry::Event(EventEntry { n, event })));
    lines.map(|line| line + "\n").collect()
}
