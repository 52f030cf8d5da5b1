//! `maumau`: referee and arena for bots that play card games of the Mau-Mau family.

// They panic where nobody listens: `tell!` and `cli::print` do not.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

#[macro_use]
mod tell;

mod bench;
mod bounded;
mod check;
mod cli;
mod diagnosis;
mod dossier;
mod entropy;
mod format;
mod host;
mod log;
mod own_name;
mod rule_files;
mod run;
mod season;
mod selftest;
mod show;
mod untrusted;
mod whole_file;

use std::process::ExitCode;

fn main() -> ExitCode {
    host::launched().unwrap_or_else(cli::main)
}
