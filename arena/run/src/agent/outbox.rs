//! Lines to an agent: written at once if the pipe has room, otherwise kept in a bounded queue. It writes to one pipe
//! and knows bytes only; an agent that it gives up is dismissed elsewhere.

use std::cell::{Cell, RefCell};
use std::io::ErrorKind;
use std::path::Path;
use std::rc::Rc;

use tokio::sync::Notify;

use super::pipes::AgentStdin;

/// The maximum number of bytes queued for an agent that does not read; beyond that it is lost.
const QUEUE_BYTES: usize = 1024 * 1024;

/// Why nothing more can be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deaf {
    /// The agent has closed its stdin.
    Closed,
    /// It has not read for so long that the queue is full.
    Full,
}

impl Deaf {
    /// In a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Deaf::Closed => "the agent closed its input",
            Deaf::Full => "the agent does not read its input",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Deaf(Deaf),
    /// Closed by the arena.
    Over,
}

/// The writing side of an agent's stdin. Never blocks, never grows without bound.
#[derive(Debug)]
pub struct Outbox {
    pipe: RefCell<Option<Rc<AgentStdin>>>,
    queue: RefCell<Vec<u8>>,
    more: Notify,
    state: Cell<State>,
    changed: Notify,
}

impl Outbox {
    /// An outbox that writes to `pipe`.
    pub fn new(pipe: AgentStdin) -> Rc<Outbox> {
        let outbox = Rc::new(Outbox {
            pipe: RefCell::new(Some(Rc::new(pipe))),
            queue: RefCell::default(),
            more: Notify::new(),
            state: Cell::new(State::Open),
            changed: Notify::new(),
        });
        tokio::task::spawn_local(Rc::clone(&outbox).drain());
        outbox
    }

    /// Sends `bytes`, or keeps them until the agent reads. Once the agent is lost they are dropped; [`Outbox::deaf`] says so.
    pub fn send(&self, bytes: &[u8]) {
        if self.state.get() != State::Open {
            return;
        }
        let mut queue = self.queue.borrow_mut();
        let mut written = 0;
        if queue.is_empty()
            && let Some(pipe) = &*self.pipe.borrow()
        {
            match pipe.try_write(bytes) {
                Ok(count) => written = count,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Err(_) => return self.change(State::Deaf(Deaf::Closed)),
            }
        }
        if written < bytes.len() {
            if queue.len() + bytes.len() > QUEUE_BYTES {
                return self.change(State::Deaf(Deaf::Full));
            }
            queue.extend_from_slice(&bytes[written..]);
            self.more.notify_one();
        }
    }

    /// True if something is queued until the agent reads.
    pub fn is_behind(&self) -> bool {
        self.state.get() == State::Open && !self.queue.borrow().is_empty()
    }

    /// True if the agent has read all that was sent; `None` if that is not known.
    pub fn is_read(&self) -> Option<bool> {
        if self.is_behind() { Some(false) } else { self.pipe.borrow().as_ref()?.is_read() }
    }

    /// True if `link` is the kernel's name of the pipe.
    pub fn is_called(&self, link: &Path) -> bool {
        self.pipe.borrow().as_ref().is_some_and(|pipe| pipe.is_called(link))
    }

    /// Closes the agent's stdin; the queue is lost.
    pub fn close(&self) {
        self.change(State::Over);
        self.pipe.borrow_mut().take();
        self.queue.borrow_mut().clear();
        self.more.notify_one();
    }

    /// Why nothing more can be sent, if the agent is the cause.
    pub fn deaf(&self) -> Option<Deaf> {
        match self.state.get() {
            State::Deaf(why) => Some(why),
            State::Open | State::Over => None,
        }
    }

    /// Waits until nothing more can be sent, and returns why, if the agent is the cause.
    pub async fn until_deaf(&self) -> Option<Deaf> {
        while self.state.get() == State::Open {
            self.changed.notified().await;
        }
        self.deaf()
    }

    fn change(&self, to: State) {
        if self.state.get() == State::Open {
            self.state.set(to);
            self.changed.notify_one();
        }
    }

    /// Writes the queue as the pipe takes it, and notices when the agent closes its end, until the outbox is closed.
    async fn drain(self: Rc<Self>) {
        loop {
            let Some(pipe) = self.pipe.borrow().clone() else { return };
            if self.queue.borrow().is_empty() {
                tokio::select! {
                    () = self.more.notified() => {}
                    () = pipe.closed() => return self.change(State::Deaf(Deaf::Closed)),
                }
                continue;
            }
            if pipe.writable().await.is_err() {
                return self.change(State::Deaf(Deaf::Closed));
            }
            let mut queue = self.queue.borrow_mut();
            match pipe.try_write(&queue) {
                Ok(count) => {
                    queue.drain(..count);
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Err(_) => return self.change(State::Deaf(Deaf::Closed)),
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use tokio::net::unix::pipe;

    use super::*;
    use crate::agent::on_a_loop;

    #[test]
    fn an_agent_that_closes_its_input_is_noticed_though_nothing_is_sent() {
        on_a_loop(async {
            let (sender, receiver) = pipe::pipe().expect("a pipe");
            let outbox = Outbox::new(sender.into());
            outbox.send(b"hello\n");
            assert_eq!(outbox.deaf(), None);
            drop(receiver);
            assert_eq!(outbox.until_deaf().await, Some(Deaf::Closed));
        });
    }

    #[test]
    fn a_queue_that_fails_in_the_background_is_noticed_before_the_next_line() {
        on_a_loop(async {
            let (sender, receiver) = pipe::pipe().expect("a pipe");
            let outbox = Outbox::new(sender.into());
            assert!(!outbox.is_behind(), "nothing was sent");
            outbox.send(&[b'x'; QUEUE_BYTES]);
            assert_eq!(outbox.deaf(), None, "the rest waits");
            assert!(outbox.is_behind());
            drop(receiver);
            assert_eq!(outbox.until_deaf().await, Some(Deaf::Closed));
            assert!(!outbox.is_behind(), "nobody will read it");
        });
    }

    #[test]
    fn an_agent_that_does_not_read_is_given_up_when_the_queue_is_full() {
        on_a_loop(async {
            let (sender, _receiver) = pipe::pipe().expect("a pipe");
            let outbox = Outbox::new(sender.into());
            while outbox.deaf().is_none() {
                outbox.send(&[b'x'; 60_000]);
            }
            assert_eq!(outbox.until_deaf().await, Some(Deaf::Full));
            assert!(outbox.queue.borrow().len() <= QUEUE_BYTES);
        });
    }

    #[test]
    fn an_outbox_that_the_arena_closes_blames_nobody() {
        on_a_loop(async {
            let (sender, _receiver) = pipe::pipe().expect("a pipe");
            let outbox = Outbox::new(sender.into());
            outbox.close();
            assert_eq!(outbox.until_deaf().await, None);
        });
    }
}
