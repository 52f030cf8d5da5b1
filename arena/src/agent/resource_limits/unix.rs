//! Limits and their errors on Unix.

use std::io;

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// What the system says when there is no room left.
pub(super) const USED_UP: [i32; 4] =
    [Errno::EMFILE as i32, Errno::ENFILE as i32, Errno::EAGAIN as i32, Errno::ENOMEM as i32];

/// What macOS allows at most, whatever it calls its hard limit.
const OPEN_FILES_OF_MACOS: u64 = 10_240;

/// Raises the usual soft limit, which is low for the sake of programs that select(2).
pub(super) fn allow_many_files() -> io::Result<()> {
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let soft = if cfg!(target_os = "macos") { hard.min(OPEN_FILES_OF_MACOS) } else { hard };
    Ok(setrlimit(Resource::RLIMIT_NOFILE, soft, hard)?)
}

/// The nice value of threads on which nobody waits: a third of the usual share of a busy processor.
#[cfg(target_os = "linux")]
const LOW_PRIORITY: i32 = 5;

/// Lowers the priority of this thread, which is what Linux means by no process.
#[cfg(target_os = "linux")]
pub(super) fn lower_priority() -> io::Result<()> {
    Ok(rustix::process::setpriority_process(None, LOW_PRIORITY)?)
}

/// There a thread has the priority of its process.
#[cfg(not(target_os = "linux"))]
pub(super) fn lower_priority() -> io::Result<()> {
    Ok(())
}
