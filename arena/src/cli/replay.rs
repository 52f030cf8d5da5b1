//! `maumau replay`: a recorded game as text or data. It reads the record; the story is told by `maumau_referee::story`
//! and drawn by `report`.

mod stepper;

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::Result;
use maumau_protocol::Seat;
use maumau_referee::{GameLog, story};

use super::play::sandbox_lines;
use super::verify;
use crate::error::{Outcome, usage};
use crate::io::format::Format;
use crate::io::stdout::{print, print_painted};
use crate::io::untrusted::{self, Untrusted};
use crate::report::{Members, StoryText, result_lines, story_json};
use stepper::Stepper;

/// Show a recorded game: whole or move by move, from the referee's or one seat's eyes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau replay game.jsonl
  maumau replay game.jsonl --times
  maumau replay game.jsonl --seat 1 --step
  maumau replay game.jsonl --format json

The number before a line is that of its move, as in fault reports and `maumau feed --until`. With --step on a \
terminal, Enter goes on, b goes back, a number jumps to that move, f to the next fault, /TEXT searches, q ends, ? helps.

--format json writes JSON lines: the game, then one object for each frame: a move with the faults and notes that belong to it, \
or what time brought after one. --times adds took_us, cpu_us and missed, --positions the table after each frame. `maumau schema \
replay` prints the JSON Schema.")]
pub(super) struct Arguments {
    /// A record as JSON lines
    file: PathBuf,
    /// Show only what this seat could see
    #[arg(long)]
    seat: Option<usize>,
    /// Show the table after every move and wait for a command
    #[arg(long, conflicts_with = "format")]
    step: bool,
    /// Show the table after every move
    #[arg(long)]
    positions: bool,
    /// Show how long each answer took, and deadlines that passed without one
    #[arg(long)]
    times: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
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
    let frames = story::frames(&log, eyes)?;
    if arguments.format == Format::Json {
        let members = Members { times: arguments.times, positions: arguments.positions };
        story_json(&log, &frames, eyes, members, |json| print(&(untrusted::json(json)? + "\n")))?;
        return Ok(Outcome::Done);
    }
    let text = StoryText::new(&log.header, arguments.times);
    if arguments.step && std::io::stdin().is_terminal() {
        let keys = std::io::stdin().lock();
        Stepper::new(&log, &frames, eyes, &text, &ending(&log)).run(keys, print_painted)?;
        return Ok(Outcome::Done);
    }
    let positions = arguments.positions || arguments.step;
    story::for_each_position(&log, &frames, eyes, |frame, position| {
        print_painted(&text.frame(frame))?;
        if positions { print_painted(&text.position(&position, eyes)) } else { Ok(()) }
    })?;
    print_painted(&ending(&log))?;
    Ok(Outcome::Done)
}

/// What is told at the end of a game.
fn ending(log: &GameLog) -> String {
    let sandbox = log.sandbox.map_or(String::new(), |level| format!("\n{}", sandbox_lines(level, log)));
    format!("\n{}{sandbox}", result_lines(&log.header, &log.result))
}
