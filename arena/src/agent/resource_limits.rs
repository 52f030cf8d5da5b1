//! The room that the machine has for agents: files that may be open, processes, memory. Where it is used up no agent is to
//! blame.

use std::io;
use std::thread::{Scope, ScopedJoinHandle};

use crate::io::untrusted::Untrusted;
use crate::log;
use anyhow::{Context, Result};
use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// The nice value of threads on which nobody waits: a third of the usual share of a busy processor.
#[cfg(target_os = "linux")]
const LOW_PRIORITY: libc::c_int = 5;

/// Lets this process have as many files open as its user may have; an agent needs four of them. The usual soft limit is
/// low for the sake of programs that select(2).
pub fn allow_many_files() {
    let raised =
        getrlimit(Resource::RLIMIT_NOFILE).and_then(|(_, hard)| setrlimit(Resource::RLIMIT_NOFILE, hard, hard));
    if let Err(error) = raised {
        // Then there may be less room, which is told when it is used up.
        log::open_files_not_raised(Untrusted::new(&error.to_string()));
    }
}

/// Starts `work` on a thread of its own, in the span of the log in which this is called.
///
/// # Errors
/// The machine has no room for it.
pub fn start_thread<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>> {
    let span = log::here();
    std::thread::Builder::new()
        .spawn_scoped(scope, move || span.in_scope(work))
        .context("this machine has no room for another thread: end other programs, or raise its limits (ulimit -u)")
}

/// Lowers the priority of this thread. On systems other than Linux a thread has that of the process, which stays.
pub fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: takes numbers only; 0 is this thread.
        let lowered = Errno::result(unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, LOW_PRIORITY) });
        if let Err(error) = lowered {
            log::priority_not_lowered(Untrusted::new(&error.to_string()));
        }
    }
}

/// Whether `error` says that there is no room left, which may change as soon as something ends.
pub fn is_used_up(error: &anyhow::Error) -> bool {
    let codes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()?.raw_os_error());
    let used_up = [Errno::EMFILE, Errno::ENFILE, Errno::EAGAIN, Errno::ENOMEM];
    codes.into_iter().any(|code| used_up.contains(&Errno::from_raw(code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lack_of_room_is_told_from_a_program_that_is_not_there() {
        let failed =
            |code: Errno| Err::<(), _>(io::Error::from(code)).context("it cannot be started").expect_err("an error");
        assert!(is_used_up(&failed(Errno::EMFILE)));
        assert!(is_used_up(&failed(Errno::EAGAIN)));
        assert!(!is_used_up(&failed(Errno::ENOENT)));
        assert!(!is_used_up(&failed(Errno::EACCES)));
        assert!(!is_used_up(&anyhow::anyhow!("the command is empty")));
    }
}
