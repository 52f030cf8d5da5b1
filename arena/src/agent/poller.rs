//! The outputs of all agents of one loop, waited for together.
//!
//! They stand in a poll of their own, of which the event loop only learns that something has come. So a listener can also
//! wait right here for the next answers, which is cheaper than a turn of the event loop when agents answer at once.

use std::io;
use std::os::fd::{AsFd, AsRawFd, RawFd};

use nix::errno::Errno;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use tokio::io::Interest;
use tokio::io::unix::{AsyncFd, AsyncFdReadyGuard};

/// Outputs that are told of at once.
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

/// Something may be heard, until [`Poller::heard`] finds nothing more.
pub struct Attention<'a>(AsyncFdReadyGuard<'a, Poll>);

impl Poller {
    /// Nothing to listen to so far; must be called inside a runtime.
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

    /// Listens to `output` no more.
    pub fn remove(&self, output: impl AsFd) {
        // An output that is not there any more is not listened to either.
        let _ = self.poll.get_ref().0.delete(output);
    }

    /// Waits until something may be heard.
    ///
    /// # Errors
    /// The runtime is being shut down.
    pub async fn listen(&self) -> io::Result<Attention<'_>> {
        self.poll.readable().await.map(Attention)
    }

    /// Puts the numbers of outputs with something to read, or that have ended, into `numbers`; waits for the first of them
    /// at most `patience_ms`, and the thread with it.
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

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;
    use std::time::Duration;

    use super::*;

    fn on_a_loop(work: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(work);
    }

    fn pipe() -> (OwnedFd, OwnedFd) {
        nix::unistd::pipe().expect("a pipe")
    }

    fn write(pipe: &OwnedFd) {
        assert_eq!(nix::unistd::write(pipe, b"x"), Ok(1));
    }

    #[test]
    fn what_can_be_read_is_told_until_it_has_been_read() {
        on_a_loop(async {
            let ears = Poller::new().expect("a poll");
            let ((one, to_one), (two, to_two)) = (pipe(), pipe());
            ears.add(&one, 1).expect("room");
            ears.add(&two, 2).expect("room");
            let mut numbers = Vec::new();
            for _ in 0..3 {
                write(&to_two);
                let mut attention = ears.listen().await.expect("a runtime");
                for _ in 0..2 {
                    ears.heard(&mut attention, 0, &mut numbers).expect("a poll");
                    assert_eq!(numbers, [2], "it has not been read");
                }
                nix::unistd::read(&two, &mut [0; 8]).expect("a byte");
                ears.heard(&mut attention, 0, &mut numbers).expect("a poll");
                assert!(numbers.is_empty());
            }
            let nothing = tokio::time::timeout(Duration::ZERO, ears.listen()).await;
            assert!(nothing.is_err(), "nothing is to be heard");
            drop(to_one);
            let mut attention = ears.listen().await.expect("a runtime");
            ears.heard(&mut attention, 0, &mut numbers).expect("a poll");
            assert_eq!(numbers, [1], "an end is something to be heard");
            ears.remove(&one);
            ears.heard(&mut attention, 0, &mut numbers).expect("a poll");
            assert!(numbers.is_empty());
        });
    }

    #[test]
    fn what_comes_while_the_thread_waits_is_heard() {
        on_a_loop(async {
            let ears = Poller::new().expect("a poll");
            let (output, input) = pipe();
            ears.add(&output, 7).expect("room");
            write(&input);
            let mut attention = ears.listen().await.expect("a runtime");
            nix::unistd::read(&output, &mut [0; 8]).expect("a byte");
            let mut numbers = Vec::new();
            std::thread::scope(|scope| {
                scope.spawn(|| write(&input));
                while numbers.is_empty() {
                    ears.heard(&mut attention, 1_000, &mut numbers).expect("a poll");
                }
            });
            assert_eq!(numbers, [7]);
        });
    }
}
