//! The guard of an agent from `strict` on: a process outside its namespaces that ends everything in them when the arena
//! is gone, however and whenever that happens. It ends processes and reads nothing they write.
//!
//! bubblewrap ties itself to the life of its parent only after it has begun to create namespaces. If the parent is killed in
//! between, the processes started by then live on indefinitely: only a signal from outside reaches the first process of a
//! namespace. So the guard is the parent of all of it, and orphans are reparented to the guard.

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

/// How long to wait for killed processes before killing them again.
const PAUSE: Duration = Duration::from_millis(1);

/// A pipe that nothing is ever written to. Only the arena holds its write end, so it is closed when the arena is gone.
static LIFELINE: OnceLock<(OwnedFd, OwnedFd)> = OnceLock::new();

/// Passes the lifeline to the process that `command` starts, and returns its number there.
pub(super) fn hand_lifeline(command: &mut Command) -> Result<RawFd> {
    let (reads, _) = match LIFELINE.get() {
        Some(ends) => ends,
        None => {
            let ends = nix::unistd::pipe2(OFlag::O_CLOEXEC).context("a pipe")?;
            // If another thread was faster its pipe serves as well.
            LIFELINE.get_or_init(|| ends)
        }
    };
    let number = reads.as_raw_fd();
    let keep_open = move || fcntl(reads, FcntlArg::F_SETFD(FdFlag::empty())).map(drop).map_err(std::io::Error::from);
    // SAFETY: between fork and exec there is only one call of fcntl(2), which neither allocates nor locks.
    unsafe {
        command.pre_exec(keep_open);
    }
    Ok(number)
}

/// Returns in a new process, which is to become the guarded one. The original process stays as its guard.
///
/// # Errors
/// The new process cannot be created.
pub(super) fn stand(lifeline: RawFd) -> Result<()> {
    // SAFETY: the arena has passed this number on, and nothing else in this process uses it.
    let lifeline = unsafe { OwnedFd::from_raw_fd(lifeline) };
    rights::keep_orphans()?;
    let guard = std::process::id();
    // SAFETY: this process has one thread.
    match unsafe { nix::unistd::fork() }.context("a second process")? {
        ForkResult::Child => rights::die_with(guard),
        ForkResult::Parent { child } => std::process::exit(watch_over(child, lifeline)),
    }
}

/// Waits until `child` has ended, and ends in the same way; or until the arena is gone.
fn watch_over(child: Pid, lifeline: OwnedFd) -> i32 {
    // Whatever fails here leaves a guard that cannot watch, so it ends what it guards.
    let status = wait_for(child, lifeline).unwrap_or(WaitStatus::StillAlive);
    end_all();
    match status {
        WaitStatus::Exited(_, code) => code,
        WaitStatus::Signaled(_, signal, _) => {
            // An error means that the signal cannot be sent; its number is reported as a shell would.
            let _ = kill(Pid::this(), signal);
            128 + signal as i32
        }
        _ => 1,
    }
}

fn wait_for(child: Pid, lifeline: OwnedFd) -> Result<WaitStatus> {
    // SAFETY: takes two numbers; the result is a new descriptor without another owner.
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
        // SAFETY: nothing else in this process uses the three streams.
        Errno::result(unsafe { libc::dup2(nothing.as_raw_fd(), number) })?;
    }
    Ok(())
}

/// Kills everything below this process until nothing is left.
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
