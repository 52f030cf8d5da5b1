//! The guard of an agent from `strict` on: a process outside of its namespaces that ends everything in them when the arena is
//! gone, however and whenever that ends.
//!
//! bubblewrap ties itself to the life of its parent only after it has begun to make namespaces, and what it has started by
//! then lives for ever if that parent is killed in between: no signal but one from outside reaches the first process of a
//! namespace. So the guard is the parent of all of it, and what loses its parent falls to the guard.

use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, Result};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid};

use super::rights;
use crate::ProcessTree;

/// How long to wait for what was killed before it is killed again.
const PAUSE: Duration = Duration::from_millis(1);

/// A pipe that nothing is ever written to. The arena alone holds its end for writing, so it is closed when the arena is gone.
static LIFELINE: OnceLock<(OwnedFd, OwnedFd)> = OnceLock::new();

/// Hands the lifeline to the process that `command` starts, and gives the number that it has there.
pub(super) fn hand_lifeline(command: &mut Command) -> Result<RawFd> {
    let (reads, _) = match LIFELINE.get() {
        Some(ends) => ends,
        None => {
            let ends = nix::unistd::pipe2(OFlag::O_CLOEXEC).context("a pipe")?;
            // Where another thread was faster its pipe serves as well.
            LIFELINE.get_or_init(|| ends)
        }
    };
    let number = reads.as_raw_fd();
    let keep_open = move || fcntl(reads, FcntlArg::F_SETFD(FdFlag::empty())).map(drop).map_err(std::io::Error::from);
    // SAFETY: between fork and exec nothing is done but one call of fcntl(2), which neither allocates nor locks.
    unsafe {
        command.pre_exec(keep_open);
    }
    Ok(number)
}

/// Comes back in a new process, which is to become what is guarded. This one stays as its guard.
///
/// # Errors
/// The new process cannot be had.
pub(super) fn stand(lifeline: RawFd) -> Result<()> {
    // SAFETY: the arena has handed this number on, and nothing else in this process has it.
    let lifeline = unsafe { OwnedFd::from_raw_fd(lifeline) };
    rights::keep_orphans()?;
    let guard = std::process::id();
    // SAFETY: this process has one thread.
    match unsafe { nix::unistd::fork() }.context("a second process")? {
        ForkResult::Child => rights::die_with(guard),
        ForkResult::Parent { child } => std::process::exit(watch_over(child, lifeline)),
    }
}

/// Waits until `child` has ended, and ends as it did; or until the arena is gone.
fn watch_over(child: Pid, lifeline: OwnedFd) -> i32 {
    // Whatever fails here leaves a guard that cannot see, so it ends what it guards.
    let status = wait_for(child, lifeline).unwrap_or(WaitStatus::StillAlive);
    end_all();
    match status {
        WaitStatus::Exited(_, code) => code,
        WaitStatus::Signaled(_, signal, _) => {
            // An error means that it is a signal that cannot be sent; its number is told as a shell would.
            let _ = kill(Pid::this(), signal);
            128 + signal as i32
        }
        _ => 1,
    }
}

fn wait_for(child: Pid, lifeline: OwnedFd) -> Result<WaitStatus> {
    // SAFETY: takes two numbers; what it gives is a new descriptor that nobody else has.
    let end =
        unsafe { OwnedFd::from_raw_fd(Errno::result(libc::syscall(libc::SYS_pidfd_open, child.as_raw(), 0))? as i32) };
    hold_no_streams()?;
    loop {
        let mut watched = [&lifeline, &end].map(|fd| PollFd::new(fd.as_fd(), PollFlags::POLLIN));
        match poll(&mut watched, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [arena_is_gone, child_has_ended] = watched.map(|fd| fd.any().unwrap_or(false));
        if arena_is_gone {
            return Ok(WaitStatus::StillAlive);
        }
        if child_has_ended {
            return Ok(waitpid(child, None)?);
        }
    }
}

/// Closes the agent's streams here, so that they end when the agent closes them. The launcher has closed everything else.
fn hold_no_streams() -> Result<()> {
    let nothing = nix::fcntl::open("/dev/null", OFlag::O_RDWR, Mode::empty()).context("/dev/null")?;
    for number in 0..3 {
        // SAFETY: nothing in this process uses the three streams in another way.
        Errno::result(unsafe { libc::dup2(nothing.as_raw_fd(), number) })?;
    }
    Ok(())
}

/// Kills everything below this process until there is nothing.
fn end_all() {
    loop {
        for child in ProcessTree::now().tree(Pid::this().as_raw()).into_iter().skip(1) {
            // It may have ended since it was seen.
            let _ = kill(Pid::from_raw(child), Signal::SIGKILL);
        }
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => std::thread::sleep(PAUSE),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return,
        }
    }
}
