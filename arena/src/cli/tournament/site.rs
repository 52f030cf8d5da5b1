//! `maumau tournament site`: a run as a folder of pages that need no server.

use std::path::PathBuf;

use anyhow::{Context, Result};
use maumau_run::error::CommandOutcome;
use maumau_run::io::atomic_file;
use maumau_run::io::format::counted;
use maumau_run::io::stdout::print;
use maumau_web::game::Hands;
use maumau_web::shown::NotShown;
use maumau_web::static_site::static_site;

use crate::pages::{BuiltInLessons, RunPages};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament site my-league.maumau --to site
  maumau tournament site my-league.maumau --to site --games g000-d0000-r0

Every page is a file that loads nothing: it can be opened from disk or put on any web server. A run that is not over is shown with \
closed hands, unless --open-hands is given.")]
pub(super) struct TournamentSiteArguments {
    /// The run file
    run: PathBuf,
    /// The folder for the pages; made if need be
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// The names of games that are shown, separated by commas, or all
    #[arg(long, value_name = "NAMES", default_value = "all", value_delimiter = ',')]
    games: Vec<String>,
    /// Show all hands of a run that is not over
    #[arg(long)]
    open_hands: bool,
}

pub(super) fn run(arguments: &TournamentSiteArguments) -> Result<CommandOutcome> {
    let TournamentSiteArguments { run, to, games, open_hands } = arguments;
    let hands =
        if *open_hands || RunPages::open(run, Hands::Open)?.is_complete()? { Hands::Open } else { Hands::Closed };
    let shown = RunPages::open(run, hands)?;
    shown.compute_report()?;
    let is_wanted = |name: &str| games == &["all"] || games.iter().any(|wanted| wanted == name);
    let mut write = |path: &str, page: &str| {
        let file = to.join(path);
        let written = || -> Result<()> {
            let folder = file.parent().context("a page has a folder")?;
            std::fs::create_dir_all(folder)
                .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
            atomic_file::write(&file, page.as_bytes())
        };
        written().map_err(|error| NotShown(format!("{error:#}")))
    };
    let count = static_site(&shown, &BuiltInLessons, &is_wanted, &mut write)
        .map_err(|NotShown(why)| anyhow::Error::msg(why))?;
    print(&format!("standings and {} in {}\n", counted(count as u64, "game"), to.join("index.html").display()))?;
    Ok(CommandOutcome::Done)
}
