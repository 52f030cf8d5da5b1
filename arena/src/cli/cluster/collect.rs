//! `maumau cluster collect`: the results of a run, checked, become its run file.

use std::path::PathBuf;

use anyhow::Result;
use maumau_run::error::CommandOutcome;
use maumau_run::io::format::counted;
use maumau_run::io::program_name::program_name;
use maumau_run::io::stdout::print;

use super::serve;
use super::shown::failures_text;
use crate::cli::nats_access::AccessArguments;
use crate::cli::serve::ServeArguments;
use crate::cluster;
use crate::pages::PageHost;

/// Parked units that are named; the rest are counted.
const NAMED: usize = 20;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau cluster collect league --to league.maumau
  maumau cluster collect league --to league.maumau --now
  maumau cluster collect league --to league.maumau --serve

Plays the log of every game once more before it is kept. A result that is forged, altered or of another run is refused and named, \
and its unit is played again. The run file is that of `maumau tournament run`: its tables are the same to the last byte. The command \
may be ended and given again at any time; it goes on with what is missing. With --serve pages show the tables as they grow, and the \
workers: how fast each is, what is late, what has failed.

Exit codes: 0 all games are there, 1 some are missing: units are parked, or --now was said.")]
pub(super) struct ClusterCollectArguments {
    /// The run's name on the server
    name: String,
    /// The run file; made, or added to
    #[arg(long, value_name = "RUN")]
    to: PathBuf,
    /// Take the results that are there, and do not wait for more
    #[arg(long)]
    now: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    serve: ServeArguments,
    #[command(flatten)]
    access: AccessArguments,
}

pub(super) fn run(arguments: &ClusterCollectArguments) -> Result<CommandOutcome> {
    let ClusterCollectArguments { name, to, now, quiet, serve, access } = arguments;
    let access = access.read()?;
    let mut pages = None;
    let collected = cluster::collect(&access, name, to, *now, *quiet, || {
        pages = serve::start(*serve, to, &access)?;
        Ok(())
    })?;
    pages.map_or(Ok(()), PageHost::end)?;
    let end = match (collected.end, collected.is_whole) {
        (Some(end), true) => end.to_owned(),
        (None, true) => "complete".to_owned(),
        _ if collected.planned == collected.games => "more rounds follow".to_owned(),
        _ => format!("{} missing", collected.planned - collected.games),
    };
    let mut text = format!(
        "{} of {} in {}: {} new ({end})\n",
        collected.games,
        counted(collected.planned, "game"),
        to.display(),
        collected.new
    );
    if !collected.refused.is_empty() {
        text += &format!("{} refused, their units played again\n", counted(collected.refused.len() as u64, "result"));
    }
    for (unit, failures) in collected.parked.iter().take(NAMED) {
        text += &format!("unit {unit} is parked: {}\n", failures_text(failures));
    }
    if collected.parked.len() > NAMED {
        text += &format!("and {} more are parked\n", collected.parked.len() - NAMED);
    }
    if !collected.parked.is_empty() {
        text += &format!("they are tried again by: {} cluster submit LEAGUE --name {name}\n", program_name());
    }
    print(&text)?;
    Ok(match (collected.interrupted, collected.is_whole) {
        (true, _) => CommandOutcome::Interrupted,
        (_, true) => CommandOutcome::Done,
        (_, false) => CommandOutcome::NotRight,
    })
}
