//! `maumau-lab`: measures the arena and tests it at length. Uses the arena's parts as they are; the product does not know about
//! it.

mod bench;
mod bench_command;
mod selftest;
mod selftest_command;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use maumau_arena::cli::agent;
use maumau_run::error::{CommandOutcome, exit_code};

/// Benchmarks and long tests of the maumau arena.
#[derive(Parser)]
#[command(name = "maumau-lab", version, propagate_version = true, after_help = EXAMPLES)]
struct LabArguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  maumau-lab bench referee --rules skat
  maumau-lab selftest shuffle";

#[derive(Subcommand)]
enum Command {
    /// Measure speed and memory.
    Bench(Box<bench_command::BenchArguments>),
    /// Test the program at length.
    Selftest(selftest_command::SelftestArguments),
    /// Run a built-in bot: an agent `maumau ...` is this very program.
    #[command(hide = true)]
    Agent(agent::AgentArguments),
}

fn main() -> ExitCode {
    maumau_run::agent::launched().unwrap_or_else(|| exit_code(run(LabArguments::parse().command)))
}

fn run(command: Command) -> Result<CommandOutcome> {
    maumau_run::agent::resource_limits::allow_many_files();
    match command {
        Command::Bench(arguments) => bench_command::run(*arguments),
        Command::Selftest(arguments) => selftest_command::run(arguments),
        Command::Agent(arguments) => agent::run(arguments),
    }
}
