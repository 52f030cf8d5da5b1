//! `maumau`: referee and arena for bots that play card games of the Mau-Mau family.

// They panic where nobody listens: `tell!` and `io::stdout` do not.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

#[macro_use]
mod io;

mod agent;
mod bench;
mod cli;
mod conformance;
mod error;
mod league;
mod log;
mod report;
mod run_store;
mod runner;
mod selftest;

use std::process::ExitCode;

fn main() -> ExitCode {
    agent::launched().unwrap_or_else(cli::main)
}
