//! `maumau`: referee and arena for bots that play card games of the Mau-Mau family.

use std::process::ExitCode;

fn main() -> ExitCode {
    maumau_arena::agent::launched().unwrap_or_else(maumau_arena::cli::main)
}
