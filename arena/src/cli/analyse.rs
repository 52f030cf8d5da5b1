//! `maumau analyse`: the decisions of a recorded game, judged. It reads the record and shows how far the work is;
//! `maumau_analysis` judges and `report` writes what it found.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::Result;
use maumau_analysis::{Effort, analyse};
use maumau_protocol::Seat;
use maumau_report::{TableLook, analysis_json, analysis_text};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::OutputFormat;
use maumau_run::io::progress::ProgressLine;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};

use super::verify;

/// Judge the decisions of a recorded game: what each action was worth, from what its seat knew, and what the one taken lost.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau analyse game.jsonl
  maumau analyse game.jsonl --quick
  maumau analyse game.jsonl --deep --seat 0
  maumau analyse game.jsonl --quick --format json

For each decision the hidden cards are dealt at random many times, to agree with all that the seat had seen. In each deal every \
legal action is tried, and all seats play on as the bot `greedy` does. The worth of an action is the share of the other seats that \
are beaten then; the loss of a decision is what the best action was worth more than the one taken, in the same deals.

A decision is an inaccuracy from a loss of 0.05 on, a mistake from 0.10, a blunder from 0.20. It is marked only if the loss would \
reach that were it two standard errors smaller. Worth says what happens if all play on greedily: a plan that greedy play does \
not carry out is worth less here than to a strong player.

The same record gives the same figures on every machine. An ask that was answered with \"wait\" is not in a record and is not \
judged. `maumau schema analysis` prints the JSON Schema of --format json.")]
pub(super) struct AnalyseArguments {
    /// A record as JSON lines
    record: PathBuf,
    /// Judge by a quarter of the playouts: about two seconds for a hundred decisions
    #[arg(long, conflicts_with = "deep")]
    quick: bool,
    /// Judge by five times the playouts, with less than half the error
    #[arg(long)]
    deep: bool,
    /// Judge only the decisions of this seat
    #[arg(long)]
    seat: Option<usize>,
    /// Output format: text for people, or one JSON object on one line
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// Playouts that take about two seconds; what takes longer shows how far it is.
const SHORT: u64 = 200_000;

pub(super) fn run(arguments: &AnalyseArguments) -> Result<CommandOutcome> {
    let shown = Untrusted::path(&arguments.record).terminal();
    let record = verify::read(&arguments.record).map_err(|error| usage(format!("{shown}: {error}")))?;
    let verified = maumau_referee::verify(&record)
        .map_err(|mismatch| usage(format!("{shown}: {}", Untrusted::new(&mismatch.to_string()).terminal())))?;
    let header = &verified.log.header;
    let seats = header.names.len();
    let only = arguments.seat.map(|index| {
        let seat = Seat::new(index).filter(|_| index < seats);
        seat.ok_or_else(|| usage(format!("--seat {index}: the game has the seats 0 to {}", seats - 1)))
    });
    let only = only.transpose()?;
    let effort = match (arguments.quick, arguments.deep) {
        (true, _) => Effort::QUICK,
        (_, true) => Effort::DEEP,
        _ => Effort::USUAL,
    };
    let mut progress = None;
    let analysis = analyse(&verified.log, verified.digest, effort, only, |done, all| {
        let playouts = u64::from(effort.simulations(&header.rules)) * all as u64;
        if progress.is_none() && playouts > SHORT && std::io::stderr().is_terminal() {
            progress = Some(ProgressLine::new("analyse", all as u64));
        }
        progress.iter().for_each(|progress| progress.is_at(done as u64, 0));
    });
    progress.iter().for_each(ProgressLine::end);
    let analysis = analysis?;
    match arguments.format {
        OutputFormat::Text => print(&analysis_text(header, &analysis, only, TableLook::for_stdout()))?,
        OutputFormat::Json => print(&(untrusted::json(&analysis_json(header, &analysis, only))? + "\n"))?,
    }
    Ok(CommandOutcome::Done)
}
