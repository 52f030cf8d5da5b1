//! The Linux poller: outputs are registered in an epoll, and the event loop only learns that something has come. Knows
//! file descriptors and their numbers, nothing else. It reads none of them.

use std::io;
use std::os::fd::{AsFd, AsRawFd, RawFd};

use nix::errno::Errno;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use tokio::io::Interest;
use tokio::io::unix::{AsyncFd, AsyncFdReadyGuard};

/// The maximum number of outputs reported at once.
const MOST: usize = 64;

/// Outputs, each under a number.
pub struct Poller {
    poll: AsyncFd<Poll>,
}

struct Poll(Epoll);

impl AsRawFd for Poll {
    fn as_raw_fd(&self) -> RawFd {
        self.0.0.as_raw_fd()
    }
}

/// Something may have come, until [`Poller::heard`] finds nothing more.
pub struct Attention<'a>(AsyncFdReadyGuard<'a, Poll>);

impl Poller {
    /// Listens to nothing yet; must be called inside a runtime.
    ///
    /// # Errors
    /// The process has too many files open.
    pub fn new() -> io::Result<Poller> {
        let poll = Poll(Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?);
        // SAFETY: the poll owns its descriptor, which is the same until it is dropped.
        let poll = unsafe { AsyncFd::register_with_interest(poll, Interest::READABLE) };
        Ok(Poller { poll: poll.map_err(io::Error::from)? })
    }

    /// Listens to `output` under `number`.
    ///
    /// # Errors
    /// The kernel has no memory for it.
    pub fn add(&self, output: impl AsFd, number: u64) -> io::Result<()> {
        Ok(self.poll.get_ref().0.add(output, EpollEvent::new(EpollFlags::EPOLLIN, number))?)
    }

    /// Stops listening to `output`.
    pub fn remove(&self, output: impl AsFd) {
        // An output that no longer exists is not listened to either.
        let _ = self.poll.get_ref().0.delete(output);
    }

    /// Waits until something may have come.
    ///
    /// # Errors
    /// The runtime is being shut down.
    pub async fn listen(&self) -> io::Result<Attention<'_>> {
        self.poll.readable().await.map(Attention)
    }

    /// Puts the numbers of outputs that have something to read, or have ended, into `numbers`; blocks the thread for the first
    /// of them for at most `patience_ms`.
    ///
    /// # Errors
    /// The poll itself is broken.
    pub fn heard(&self, attention: &mut Attention<'_>, patience_ms: u16, numbers: &mut Vec<u64>) -> io::Result<()> {
        numbers.clear();
        let mut events = [EpollEvent::empty(); MOST];
        let count = match self.poll.get_ref().0.wait(&mut events, EpollTimeout::from(patience_ms)) {
            Ok(count) => count,
            Err(Errno::EINTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        numbers.extend(events[..count].iter().map(EpollEvent::data));
        if count == 0 {
            attention.0.clear_ready();
        }
        Ok(())
    }
}
