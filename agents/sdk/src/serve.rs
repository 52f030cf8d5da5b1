//! Moving bytes: as few reads and writes as the arena's own batching allows, without allocations. It knows no games;
//! `session` answers the lines. It reads one stream, writes another and touches nothing else.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::time::{Duration, Instant};

use maumau_protocol::limits::MAX_LINE_BYTES;
use maumau_protocol::message::Start;
use memchr::memchr;

use crate::agent::{Agent, Profile, ServeError};
use crate::session::{Flow, Session};

/// Answers are collected for one write no longer than this, since each of them has its own deadline.
const PATIENCE: Duration = Duration::from_millis(1);

/// Plays until the arena says `bye` or disconnects; `make` is called once for each game.
///
/// All asks that arrive together are answered in the order in which they came, with one write unless that would delay the
/// first answers. Anything the agent's author should know (faults, skipped lines, a seed other than the one committed to)
/// goes to stderr.
///
/// # Errors
/// The arena uses another major version of the protocol, the arena would not accept the profile, or a stream fails. It is
/// no error if the arena closes its end.
pub fn serve<R: Read, W: Write, A: Agent>(
    profile: Profile,
    input: R,
    output: W,
    make: impl FnMut(&Start) -> A,
) -> Result<(), ServeError> {
    let session = Session::new(profile.clone(), make, |complaint| eprintln!("maumau: {complaint}"));
    serve_with(&profile, input, output, session, PATIENCE)
}

/// [`serve`] on standard input and output. Standard output belongs to the arena: on Unix, whatever is printed meanwhile goes to
/// stderr; elsewhere nothing may be printed.
///
/// # Errors
/// As for [`serve`].
pub fn serve_stdio<A: Agent>(profile: Profile, make: impl FnMut(&Start) -> A) -> Result<(), ServeError> {
    serve_from(profile, io::stdin().lock(), make)
}

/// As [`serve_stdio`], but for the lines of the arena, which come from `input`.
///
/// # Errors
/// As for [`serve`].
pub fn serve_from<A: Agent>(
    profile: Profile,
    input: impl Read,
    make: impl FnMut(&Start) -> A,
) -> Result<(), ServeError> {
    #[cfg(unix)]
    let output = take_stdout().map_err(ServeError::Write)?;
    #[cfg(not(unix))]
    let output = io::stdout().lock();
    if io::stdin().is_terminal() {
        eprintln!("maumau: this is an agent; it now waits for an arena to speak to it. See agents/README.md.");
    }
    serve(profile, input, output, make)
}

/// A whole program: [`serve_stdio`], and where it fails a sentence on stderr and the exit status of the error.
pub fn run<A: Agent>(profile: Profile, make: impl FnMut(&Start) -> A) {
    if let Err(error) = serve_stdio(profile, make) {
        eprintln!("maumau: {error}");
        std::process::exit(error.exit_status().into());
    }
}

/// A private descriptor of standard output; the public one leads to stderr from now on.
#[cfg(unix)]
fn take_stdout() -> io::Result<std::fs::File> {
    io::stdout().flush()?;
    let arena = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok(arena.into())
}

/// The loop, with the time limit for collecting answers and the receiver of complaints as arguments.
pub(crate) fn serve_with<A: Agent, M: FnMut(&Start) -> A, C: FnMut(Arguments<'_>)>(
    profile: &Profile,
    mut input: impl Read,
    mut output: impl Write,
    mut session: Session<A, M, C>,
    patience: Duration,
) -> Result<(), ServeError> {
    if let Some(problem) = profile.problem() {
        return Err(ServeError::Profile(problem));
    }
    // Room for a whole read after the longest beginning of a line.
    let mut buffer = vec![0; 2 * MAX_LINE_BYTES];
    let mut filled = 0;
    let mut out = Vec::with_capacity(MAX_LINE_BYTES);
    loop {
        let count = match input.read(&mut buffer[filled..]) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(ServeError::Read(error)),
        };
        let fresh = &buffer[filled..filled + count];
        let end = fresh.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| filled + place + 1);
        filled += count;

        let mut flow = Flow::GoOn;
        let mut failed = None;
        if end > 0 {
            let came = Instant::now();
            let mut lines = &buffer[..end];
            while let Some(newline) = memchr(b'\n', lines) {
                let line = &lines[..newline];
                lines = &lines[newline + 1..];
                match session.handle(line, &mut out) {
                    Ok(next) => flow = next,
                    Err(error) => failed = Some(error),
                }
                if flow == Flow::Bye || failed.is_some() {
                    break;
                }
                if !out.is_empty() && came.elapsed() >= patience && !send(&mut output, &mut out)? {
                    return Ok(());
                }
            }
        }
        if !out.is_empty() && !send(&mut output, &mut out)? {
            return Ok(());
        }
        match (failed, flow) {
            (Some(error), _) => return Err(error),
            (None, Flow::Bye) => return Ok(()),
            (None, Flow::GoOn) => {}
        }
        buffer.copy_within(end..filled, 0);
        filled -= end;
        if filled >= MAX_LINE_BYTES {
            return Err(ServeError::LineTooLong);
        }
    }
}

/// Writes and empties `out`; `false` if the arena has closed its end.
fn send(output: &mut impl Write, out: &mut Vec<u8>) -> Result<bool, ServeError> {
    let sent = output.write_all(out).and_then(|()| output.flush());
    out.clear();
    match sent {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(ServeError::Write(error)),
    }
}
