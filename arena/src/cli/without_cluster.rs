//! `maumau cluster` in a program that was built without it: says how to get one that has it.

use anyhow::Result;
use maumau_run::error::{CommandOutcome, usage};

use super::lend::WITHOUT_CLUSTER;

/// Play a run on many machines through a NATS server; this program was built without it.
#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau cluster status --nats nats://host:4222

This program was built without the cluster. One that has it: cargo build --release -p maumau-arena --features cluster")]
pub(super) struct ClusterArguments {
    /// Arguments for the program with the cluster
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    _rest: Vec<String>,
}

pub(super) fn run(_: ClusterArguments) -> Result<CommandOutcome> {
    Err(usage(WITHOUT_CLUSTER))
}
