//! Pipes that are read and written without blocking. Knows file descriptors, not threads. It reads and writes the three
//! pipes of one agent.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use tokio::io::Interest;
use tokio::net::unix::pipe;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

/// The writing side of an agent's stdin.
#[derive(Debug)]
pub struct AgentStdin(pipe::Sender);

impl AgentStdin {
    /// For a process that was just started; must be called inside a runtime.
    ///
    /// # Errors
    /// The pipe cannot be polled.
    pub fn new(stdin: ChildStdin) -> io::Result<AgentStdin> {
        pipe::Sender::from_owned_fd(stdin.into_owned_fd()?).map(AgentStdin)
    }

    /// Writes as much of `bytes` as there is room for.
    ///
    /// # Errors
    /// `WouldBlock` if there is none; any other error means that the reader is gone.
    pub fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_write(bytes)
    }

    /// True if the agent has read all that was written; `None` if that is not known.
    pub fn is_read(&self) -> Option<bool> {
        rustix::io::ioctl_fionread(&self.0).ok().map(|waiting| waiting == 0)
    }

    /// True if `link` is the kernel's name of this pipe among the files of a process.
    pub fn is_called(&self, link: &std::path::Path) -> bool {
        let inode = nix::sys::stat::fstat(&self.0).map(|stat| stat.st_ino);
        inode.is_ok_and(|inode| link.as_os_str() == format!("pipe:[{inode}]").as_str())
    }

    /// Waits until there may be room.
    ///
    /// # Errors
    /// The runtime is being shut down.
    pub async fn writable(&self) -> io::Result<()> {
        self.0.writable().await
    }

    /// Waits until the reader is gone.
    pub async fn closed(&self) {
        // An error means that the runtime is being shut down: nobody will be notified any more.
        let _ = self.0.ready(Interest::ERROR).await;
    }
}

#[cfg(test)]
impl From<pipe::Sender> for AgentStdin {
    fn from(pipe: pipe::Sender) -> AgentStdin {
        AgentStdin(pipe)
    }
}

/// The reading side of an agent's stdout.
#[derive(Debug)]
pub struct AgentStdout(OwnedFd);

impl AgentStdout {
    /// For a process that was just started.
    ///
    /// # Errors
    /// Its flags cannot be set.
    pub fn new(stdout: ChildStdout) -> io::Result<AgentStdout> {
        AgentStdout::of(stdout.into_owned_fd()?)
    }

    /// For any pipe.
    ///
    /// # Errors
    /// Its flags cannot be set.
    pub fn of(pipe: OwnedFd) -> io::Result<AgentStdout> {
        let flags = OFlag::from_bits_retain(fcntl(&pipe, FcntlArg::F_GETFL)?);
        fcntl(&pipe, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        Ok(AgentStdout(pipe))
    }

    /// Reads what has come; 0 bytes at the end. It asks the system and not the event loop, which knows only what it has been
    /// told: an answer may have come while the arena was stopped by a signal, or busy.
    ///
    /// # Errors
    /// `WouldBlock` if nothing has come yet.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(nix::unistd::read(&self.0, buffer)?)
    }
}

impl AsFd for AgentStdout {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// The reading side of an agent's stderr.
#[derive(Debug)]
pub(crate) struct StderrPipe(pipe::Receiver);

impl StderrPipe {
    /// For a process that was just started; must be called inside a runtime.
    ///
    /// # Errors
    /// The pipe cannot be polled.
    pub(crate) fn new(stderr: ChildStderr) -> io::Result<StderrPipe> {
        pipe::Receiver::from_owned_fd(stderr.into_owned_fd()?).map(StderrPipe)
    }

    /// Waits until something has come, and reads it; 0 bytes at the end.
    ///
    /// # Errors
    /// The pipe cannot be read, or the runtime is being shut down.
    pub(crate) async fn next(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.0.readable().await?;
            match self.0.try_read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }

    /// Reads what has come, also what the event loop does not know of yet.
    ///
    /// # Errors
    /// As [`AgentStdout::read`].
    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(nix::unistd::read(&self.0, buffer)?)
    }
}
