//! `maumau tournament export`: the records of a run as files, and its games and seats as tables.

use std::path::PathBuf;

use anyhow::Result;

use crate::error::Outcome;
use crate::io::stdout::print;
use crate::league::{self, Which};
use crate::report::counted;
use crate::report::data_tables::{self, Rows};
use crate::run_store::RunFile;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament export my-league.maumau --to records
  maumau tournament export my-league.maumau --games-to games.csv
  maumau tournament export my-league.maumau --seats-to seats.jsonl

Every column of the tables is described in arena/docs/data.md.")]
pub(super) struct Arguments {
    /// The run file
    run: PathBuf,
    /// The folder for the records; made if need be
    #[arg(long, value_name = "DIR", required_unless_present_any = ["games_to", "seats_to"])]
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
}

pub(super) fn run(arguments: Arguments) -> Result<Outcome> {
    let tables = [(Rows::Games, arguments.games_to), (Rows::Seats, arguments.seats_to)];
    let tables: Vec<(Rows, PathBuf)> = tables.into_iter().filter_map(|(rows, file)| Some((rows, file?))).collect();
    tables.iter().try_for_each(|(_, file)| data_tables::check(file))?;
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
    Ok(Outcome::Done)
}
