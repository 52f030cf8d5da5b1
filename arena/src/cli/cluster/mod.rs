//! `maumau cluster`: a run on many machines through a NATS server. It reads the options and shows what came of it; the work is done in
//! `cluster`.

mod collect;
mod serve;
mod shown;
mod status;
mod submit;
mod work;

use anyhow::Result;
use clap::Subcommand;
use maumau_run::error::CommandOutcome;

/// Play a run on many machines through a NATS server.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau cluster submit league.toml --nats nats://host:4222
  maumau cluster work --nats nats://host:4222
  maumau cluster collect league --nats nats://host:4222 --to league.maumau
  maumau cluster status --nats nats://host:4222

The server is NATS with JetStream, started with: nats-server -js -a 127.0.0.1. arena/docs/cluster.md shows how to begin.")]
pub(super) struct ClusterArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Put a league on the server: its games as units of work, and its agents as archives
    Submit(submit::ClusterSubmitArguments),
    /// Play units of submitted runs on this machine
    Work(work::ClusterWorkArguments),
    /// Check the results of a run and write them into its run file
    Collect(collect::ClusterCollectArguments),
    /// Show runs and workers: what waits, what is late, what has failed
    Status(status::ClusterStatusArguments),
    /// Remove a run, its units and its results from the server
    Remove(submit::Remove),
}

pub(super) fn run(arguments: ClusterArguments) -> Result<CommandOutcome> {
    match arguments.command {
        Command::Submit(arguments) => submit::run(&arguments),
        Command::Work(arguments) => work::run(&arguments),
        Command::Collect(arguments) => collect::run(&arguments),
        Command::Status(arguments) => status::run(&arguments),
        Command::Remove(arguments) => submit::remove(&arguments),
    }
}
