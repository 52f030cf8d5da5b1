//! `maumau`: referee and arena for bots that play card games of the Mau-Mau family.

// They panic where nobody listens: `tell!` and `io::stdout` do not.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

#[macro_use]
mod io;

mod agent;
mod bench;
mod check;
mod cli;
mod diagnosis;
mod dossier;
mod error;
mod log;
mod runner;
mod season;
mod selftest;
mod show;

use std::process::ExitCode;

fn main() -> ExitCode {
    agent::launched().unwrap_or_else(cli::main)
}
