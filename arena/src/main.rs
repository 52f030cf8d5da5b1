//! `maumau`: referee and arena for bots that play card games of the Mau-Mau family.

mod bench;
mod check;
mod cli;
mod dossier;
mod entropy;
mod host;
mod rule_files;
mod run;
mod season;
mod selftest;
mod show;
mod whole_file;

use std::process::ExitCode;

fn main() -> ExitCode {
    host::launched().unwrap_or_else(cli::main)
}
