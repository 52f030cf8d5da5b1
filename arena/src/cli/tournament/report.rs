//! `maumau tournament report`: a run as one page, or as Markdown.

use std::path::PathBuf;

use anyhow::Result;

use crate::error::Outcome;
use crate::io::atomic_file;
use crate::io::stdout::print;
use crate::report::{Look, Report, Selection, html_report};
use crate::run_store::RunFile;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament report my-league.maumau --html report.html
  maumau tournament report my-league.maumau --markdown

The page has the order, the rounds and the bracket of a knock-out, ratings and ranks with intervals, the cross-table as a heat map, how the scores settled, seats, checks, lengths of \
games, faults and times. It loads nothing and needs no script, so it can be sent, archived and printed.")]
pub(super) struct Arguments {
    /// The run file
    run: PathBuf,
    /// The file for the page
    #[arg(long, value_name = "FILE", required_unless_present = "markdown")]
    html: Option<PathBuf>,
    /// The tables to stdout, as Markdown
    #[arg(long)]
    markdown: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    if let Some(file) = &arguments.html {
        atomic_file::check(file)?;
    }
    let run = RunFile::open(&arguments.run)?;
    if let Some(file) = &arguments.html {
        let page = html_report(&run)?;
        atomic_file::write(file, page.as_bytes())?;
        tell!("the report is in {} ({} kB)", file.display(), page.len().div_ceil(1_000));
    }
    if arguments.markdown {
        print(&Report::of(&run, true, true)?.draw(Look::Markdown, Selection::All))?;
    }
    Ok(Outcome::Done)
}
