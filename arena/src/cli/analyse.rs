//! `maumau analyse`: the decisions of a recorded game, or of the games of a run, judged. It reads the record and shows how far the work
//! is; `maumau_analysis` judges and `report` writes what it found.

mod of_run;

use std::io::IsTerminal;
use std::num::NonZeroU16;
use std::path::PathBuf;

use anyhow::Result;
use maumau_analysis::{Effort, analyse};
use maumau_protocol::Seat;
use maumau_report::{JudgedGame, JudgedGames, TableLook, analysis_json, analysis_text};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::OutputFormat;
use maumau_run::io::progress::ProgressLine;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};

use super::verify;

pub(super) use of_run::judge;

/// Judge the decisions of a recorded game or of a run: what each action was worth, from what its seat knew, and what the one taken lost.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau analyse game.jsonl
  maumau analyse game.jsonl --quick
  maumau analyse game.jsonl --deep --seat 0
  maumau analyse game.jsonl --quick --format json
  maumau analyse game.jsonl --keep
  maumau analyse my-league.maumau --quick --games 20
  maumau analyse my-league.maumau --quick --games 20 --agent mine

For each decision the hidden cards are dealt at random many times, to agree with all that the seat had seen. In each deal every \
legal action is tried, and all seats play on as the bot `greedy` does. The worth of an action is the share of the other seats that \
are beaten then; the loss of a decision is what the best action was worth more than the one taken, in the same deals.

A decision is an inaccuracy from a loss of 0.05 on, a mistake from 0.10, a blunder from 0.20. It is marked only if the loss would \
reach that were it two standard errors smaller. Worth says what happens if all play on greedily: a plan that greedy play does \
not carry out is worth less here than to a strong player.

Of a run file it judges all finished games, or --games N of them, spread evenly, and keeps what it finds beside the run file, in a file \
with the ending .analysis-quick.jsonl, .analysis-usual.jsonl or .analysis-deep.jsonl. A second call goes on with what is missing, also \
after Ctrl-C. The pages of the run then have a section about decisions, and mark them in replays; --keep does that for a record. --agent shows where that agent loses: by what the decisions were about, by the part of the round, by the cards held, and \
its twenty worst decisions.

The same record gives the same figures on every machine. An ask that was answered with \"wait\" is not in a record and is not \
judged. `maumau schema analysis` prints the JSON Schema of --format json for a record, `maumau schema run-analysis` that for a run.")]
pub(super) struct AnalyseArguments {
    /// A record as JSON lines, or a run file
    #[arg(value_name = "RECORD|RUN")]
    record: PathBuf,
    /// Judge by a quarter of the playouts: about two seconds for a hundred decisions
    #[arg(long, conflicts_with = "deep")]
    quick: bool,
    /// Judge by five times the playouts, with less than half the error
    #[arg(long)]
    deep: bool,
    /// Of a record, judge only the decisions of this seat
    #[arg(long)]
    seat: Option<usize>,
    /// Of a record, keep what is found beside it, where `replay` and the pages of `serve` find it
    #[arg(long, conflicts_with = "seat")]
    keep: bool,
    /// Of a run, judge only games of this agent, and show where it loses
    #[arg(long, conflicts_with = "seat")]
    agent: Option<String>,
    /// Of a run, judge only so many games, spread evenly
    #[arg(long, value_name = "N", conflicts_with = "seat", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Of a run, judge so many games at once; by default as many as there are processors
    #[arg(long, value_name = "N", conflicts_with = "seat")]
    jobs: Option<NonZeroU16>,
    /// Of a run, also compare what was predicted with what happened
    #[arg(long, conflicts_with = "seat")]
    calibration: bool,
    /// Of a run, also judge the same games deep, and show how far both agree
    #[arg(long, requires = "quick", conflicts_with = "seat")]
    agreement: bool,
    /// Output format: text for people, or one JSON object on one line
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// Playouts that take about two seconds; what takes longer shows how far it is.
const SHORT: u64 = 200_000;

pub(super) fn run(arguments: &AnalyseArguments) -> Result<CommandOutcome> {
    let effort = match (arguments.quick, arguments.deep) {
        (true, _) => Effort::QUICK,
        (_, true) => Effort::DEEP,
        _ => Effort::USUAL,
    };
    let shown = Untrusted::path(&arguments.record).terminal();
    if verify::holds_run(&arguments.record) {
        return match arguments.seat {
            Some(_) => Err(usage(format!("{shown} is a run file, and --seat is for records; see --agent"))),
            None => of_run::run(arguments, effort),
        };
    }
    let of_run = [
        ("--agent", arguments.agent.is_some()),
        ("--games", arguments.games.is_some()),
        ("--jobs", arguments.jobs.is_some()),
        ("--calibration", arguments.calibration),
        ("--agreement", arguments.agreement),
    ];
    if let Some((option, _)) = of_run.into_iter().find(|(_, is_given)| *is_given) {
        return Err(usage(format!("{shown} is no run file, and {option} is for those")));
    }
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
    if arguments.keep {
        let mut kept = JudgedGames::open(&arguments.record, effort)?;
        if kept.game(0, verified.digest).is_none() {
            kept.add(JudgedGame::of_record(header, verified.digest, &analysis))?;
        }
        print_stderr!("maumau: what was found is kept in {}", Untrusted::path(kept.path()).terminal());
    }
    match arguments.format {
        OutputFormat::Text => print(&analysis_text(header, &analysis, only, TableLook::for_stdout()))?,
        OutputFormat::Json => print(&(untrusted::json(&analysis_json(header, &analysis, only))? + "\n"))?,
    }
    Ok(CommandOutcome::Done)
}
