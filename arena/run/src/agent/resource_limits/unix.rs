//! Limits and their errors on Unix. It changes the limit of open files of this process and the priority of its threads;
//! what a lack means for a game is not known here.

use std::io;

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// The errors that mean there is no room left.
pub(super) const USED_UP: [i32; 4] =
    [Errno::EMFILE as i32, Errno::ENFILE as i32, Errno::EAGAIN as i32, Errno::ENOMEM as i32];

/// The error that says that this process may open no other file.
pub(super) const OWN_FILES_USED_UP: Option<i32> = Some(Errno::EMFILE as i32);

/// The error that says that no process may.
pub(super) const FILES_USED_UP: Option<i32> = Some(Errno::ENFILE as i32);

/// A file that can be opened while any can.
pub(super) const ALWAYS_THERE: &str = "/dev/null";

/// The macOS maximum, whatever it reports as its hard limit.
const OPEN_FILES_OF_MACOS: u64 = 10_240;

/// The soft limit.
pub(super) fn open_files() -> Option<u64> {
    getrlimit(Resource::RLIMIT_NOFILE).ok().map(|(soft, _)| soft)
}

/// Raises the default soft limit, which is low for the sake of programs that use select(2).
pub(super) fn allow_many_files() -> io::Result<()> {
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let soft = if cfg!(target_os = "macos") { hard.min(OPEN_FILES_OF_MACOS) } else { hard };
    Ok(setrlimit(Resource::RLIMIT_NOFILE, soft, hard)?)
}

/// The nice value of threads that nobody waits for: a third of the usual share of a busy processor.
#[cfg(target_os = "linux")]
const LOW_PRIORITY: i32 = 5;

/// Lowers the priority of this thread; Linux takes process number 0 for the calling thread.
#[cfg(target_os = "linux")]
pub(super) fn lower_priority() -> io::Result<()> {
    Ok(rustix::process::setpriority_process(None, LOW_PRIORITY)?)
}

/// Outside Linux a thread has the priority of its process.
#[cfg(not(target_os = "linux"))]
pub(super) fn lower_priority() -> io::Result<()> {
    Ok(())
}
