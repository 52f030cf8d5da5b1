//! Lines on their way to an agent: written at once where the pipe has room, else kept in a bounded queue.

use std::cell::{Cell, RefCell};
use std::io::ErrorKind;
use std::rc::Rc;

use tokio::net::unix::pipe;
use tokio::sync::Notify;

/// Bytes that may wait for an agent that does not read; beyond that it is lost.
const QUEUE_BYTES: usize = 1024 * 1024;

/// The writing side of an agent's stdin. Never blocks, never grows without bound.
#[derive(Debug)]
pub(crate) struct Outbox {
    pipe: RefCell<Option<Rc<pipe::Sender>>>,
    queue: RefCell<Vec<u8>>,
    more: Notify,
    failed: Cell<bool>,
}

impl Outbox {
    pub(crate) fn new(pipe: pipe::Sender) -> Rc<Outbox> {
        let outbox = Rc::new(Outbox {
            pipe: RefCell::new(Some(Rc::new(pipe))),
            queue: RefCell::default(),
            more: Notify::new(),
            failed: Cell::new(false),
        });
        tokio::task::spawn_local(Rc::clone(&outbox).drain());
        outbox
    }

    /// Sends `bytes`. `false` once the agent has closed its stdin or has not read for too long; it is then past help.
    pub(crate) fn send(&self, bytes: &[u8]) -> bool {
        if self.failed.get() {
            return false;
        }
        let mut queue = self.queue.borrow_mut();
        let mut written = 0;
        if queue.is_empty()
            && let Some(pipe) = &*self.pipe.borrow()
        {
            match pipe.try_write(bytes) {
                Ok(count) => written = count,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Err(_) => {
                    self.failed.set(true);
                    return false;
                }
            }
        }
        if written < bytes.len() {
            if queue.len() + bytes.len() > QUEUE_BYTES {
                self.failed.set(true);
                return false;
            }
            queue.extend_from_slice(&bytes[written..]);
            self.more.notify_one();
        }
        true
    }

    /// Closes the agent's stdin; what is queued is lost.
    pub(crate) fn close(&self) {
        self.failed.set(true);
        self.pipe.borrow_mut().take();
        self.queue.borrow_mut().clear();
        self.more.notify_one();
    }

    /// Writes what is queued as the pipe takes it, until the outbox is closed.
    async fn drain(self: Rc<Self>) {
        loop {
            self.more.notified().await;
            loop {
                let Some(pipe) = self.pipe.borrow().clone() else { return };
                if self.queue.borrow().is_empty() {
                    break;
                }
                if pipe.writable().await.is_err() {
                    self.failed.set(true);
                    return;
                }
                let mut queue = self.queue.borrow_mut();
                match pipe.try_write(&queue) {
                    Ok(count) => {
                        queue.drain(..count);
                    }
                    Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                    Err(_) => {
                        self.failed.set(true);
                        return;
                    }
                }
            }
        }
    }
}
