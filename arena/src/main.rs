//! `maumau`: referee and arena for bots that play card games of the Mau-Mau family. It only starts the command line of
//! the library, or becomes a sandbox launcher.

use std::process::ExitCode;

fn main() -> ExitCode {
    maumau_run::agent::launched().unwrap_or_else(maumau_arena::cli::main)
}
