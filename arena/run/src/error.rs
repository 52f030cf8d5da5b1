//! How commands end: exit codes, and the errors that the user can fix. It prints the error that ends a command.

use std::process::ExitCode;

use anyhow::Result;

pub use maumau_sandbox::{UsageError, usage};

/// How a command ended; the numbers are the exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandOutcome {
    /// Done.
    Done = 0,
    /// The thing that was checked is not right.
    NotRight = 1,
    /// Wrong usage or input.
    Usage = 2,
    /// The environment does not provide what is needed.
    Environment = 3,
    /// Interrupted by Ctrl-C.
    Interrupted = 130,
}

/// The exit code of a command with this result. An error is written to stderr first.
pub fn exit_code(outcome: Result<CommandOutcome>) -> ExitCode {
    ExitCode::from(match outcome {
        Ok(outcome) => outcome as u8,
        Err(error) if is_closed_pipe(&error) => CommandOutcome::Done as u8,
        Err(error) => {
            print_stderr!("maumau: {error:#}");
            let outcome = if error.is::<UsageError>() { CommandOutcome::Usage } else { CommandOutcome::Environment };
            outcome as u8
        }
    })
}

/// The reader of our output has seen enough (`| head`): not an error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>()).map(std::io::Error::kind);
    kind == Some(std::io::ErrorKind::BrokenPipe)
}
