//! `maumau tournament export`: the records of a run as files, and its games, seats, rounds, seeds, decisions and judged decisions as
//! tables.

use std::path::PathBuf;

use anyhow::Result;
use maumau_report::data_tables::{self, Rows};
use maumau_report::decision_table;
use maumau_run::error::CommandOutcome;
use maumau_run::io::format::counted;
use maumau_run::io::stdout::print;
use maumau_run::league::{self, Which};
use maumau_run::run_store::RunFile;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament export my-league.maumau --to records
  maumau tournament export my-league.maumau --games-to games.csv
  maumau tournament export my-league.maumau --seats-to seats.jsonl
  maumau tournament export my-cup.maumau --rounds-to rounds.csv
  maumau tournament export my-league.maumau --decisions-to moves.jsonl.zst
  maumau tournament export my-league.maumau --judged-to judged.csv
  maumau tournament export my-league.maumau --seeds seeds.csv

Every column of the tables is described in arena/docs/data.md.")]
pub(super) struct TournamentExportArguments {
    /// The run file
    run: PathBuf,
    /// The folder for the records; made if need be
    #[arg(long, value_name = "DIR", required_unless_present_any = ["games_to", "seats_to", "rounds_to", "decisions_to", "judged_to", "seeds"])]
    to: Option<PathBuf>,
    /// The names of games whose records are written, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "all", value_delimiter = ',', requires = "to")]
    games: Vec<String>,
    /// A file with a row for each game, .csv or .jsonl
    #[arg(long, value_name = "FILE")]
    games_to: Option<PathBuf>,
    /// A file with a row for each seat of each game, .csv or .jsonl
    #[arg(long, value_name = "FILE")]
    seats_to: Option<PathBuf>,
    /// A file with a row for each agent in each round of a knock-out or a Swiss tournament, .csv or .jsonl
    #[arg(long, value_name = "FILE")]
    rounds_to: Option<PathBuf>,
    /// A file with the commitment of each game, and its seed if the deal is done, .csv or .jsonl; for `maumau verify --commitments`
    #[arg(long, value_name = "FILE")]
    seeds: Option<PathBuf>,
    /// A file with a row for each decision that `maumau analyse` has judged, .csv or .jsonl
    #[arg(long, value_name = "FILE")]
    judged_to: Option<PathBuf>,
    /// A file with a row for each decision, .parquet or .jsonl.zst; with further columns if decisions were judged
    #[arg(long, value_name = "FILE")]
    decisions_to: Option<PathBuf>,
    /// Games whose decisions go into one file; the files are numbered. By default all go into one
    #[arg(long, value_name = "N", requires = "decisions_to", value_parser = clap::value_parser!(u32).range(1..))]
    games_per_file: Option<u32>,
    /// Encode the columns of Parquet as BYTE_STREAM_SPLIT: smaller, for readers that know it
    #[arg(long, requires = "decisions_to")]
    dense: bool,
}

pub(super) fn run(arguments: TournamentExportArguments) -> Result<CommandOutcome> {
    let tables = [
        (Rows::Games, arguments.games_to),
        (Rows::Seats, arguments.seats_to),
        (Rows::Rounds, arguments.rounds_to),
        (Rows::Seeds, arguments.seeds),
        (Rows::Judged, arguments.judged_to),
    ];
    let tables: Vec<(Rows, PathBuf)> = tables.into_iter().filter_map(|(rows, file)| Some((rows, file?))).collect();
    tables.iter().try_for_each(|(_, file)| data_tables::check(file))?;
    arguments.decisions_to.iter().try_for_each(|file| decision_table::check(file, arguments.dense))?;
    let run = RunFile::open(&arguments.run)?;
    if let Some(folder) = &arguments.to {
        let which = if arguments.games == ["all"] { Which::All } else { Which::Named(arguments.games) };
        let count = league::export(&run, &which, folder)?;
        print(&format!("{} in {}\n", counted(count, "record"), folder.display()))?;
    }
    for (rows, file) in &tables {
        let count = data_tables::write(&run, *rows, file)?;
        print(&format!("{} in {}\n", counted(count, "row"), file.display()))?;
    }
    if let Some(file) = &arguments.decisions_to {
        let games_per_file = arguments.games_per_file.map(|games| games as usize);
        let written = decision_table::write(&run, file, games_per_file, arguments.dense)?;
        let (rows, files) = (counted(written.rows, "row"), counted(written.files, "file"));
        match arguments.games_per_file {
            None => print(&format!("{rows} in {}\n", file.display()))?,
            Some(_) => print(&format!("{rows} in {files} beside {}\n", file.display()))?,
        }
    }
    Ok(CommandOutcome::Done)
}
