//! Stopping all processes of an agent and letting them go on.

use std::cell::{Cell, RefCell};
use std::os::fd::OwnedFd;
#[cfg(target_os = "linux")]
use std::os::fd::{AsRawFd, FromRawFd};

use nix::errno::Errno;
use nix::sys::signal::Signal;

/// The processes of one agent, frozen by descriptors, so that a number that is used again never means another's process.
#[derive(Debug, Default)]
pub(super) struct Freezer {
    processes: RefCell<Vec<OwnedFd>>,
    frozen: Cell<bool>,
}

impl Freezer {
    /// These are its processes now. Whether they are stopped stays as it is, for new ones as well.
    pub(super) fn track(&self, processes: &[i32]) {
        // A process that has ended meanwhile needs no stopping.
        *self.processes.borrow_mut() = processes.iter().filter_map(|pid| open(*pid).ok()).collect();
        if self.frozen.get() {
            self.send(Signal::SIGSTOP);
        }
    }

    /// Stops them.
    pub(super) fn freeze(&self) {
        if !self.frozen.replace(true) {
            self.send(Signal::SIGSTOP);
        }
    }

    /// Lets them go on.
    pub(super) fn thaw(&self) {
        if self.frozen.replace(false) {
            self.send(Signal::SIGCONT);
        }
    }

    fn send(&self, signal: Signal) {
        for process in &*self.processes.borrow() {
            // It may have ended since; then there is nothing to stop.
            let _ = send(process, signal);
        }
    }
}

#[cfg(target_os = "linux")]
fn open(pid: i32) -> nix::Result<OwnedFd> {
    // SAFETY: takes two numbers; what it gives is a new descriptor that nobody else has.
    let fd = Errno::result(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) })?;
    // SAFETY: as above.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

#[cfg(target_os = "linux")]
fn send(process: &OwnedFd, signal: Signal) -> nix::Result<()> {
    let nothing = std::ptr::null::<libc::siginfo_t>();
    // SAFETY: with null the kernel reads no memory of this process.
    let sent = unsafe { libc::syscall(libc::SYS_pidfd_send_signal, process.as_raw_fd(), signal as i32, nothing, 0) };
    Errno::result(sent).map(drop)
}

#[cfg(not(target_os = "linux"))]
fn open(_: i32) -> nix::Result<OwnedFd> {
    Err(Errno::ENOSYS)
}

#[cfg(not(target_os = "linux"))]
fn send(_: &OwnedFd, _: Signal) -> nix::Result<()> {
    Err(Errno::ENOSYS)
}
