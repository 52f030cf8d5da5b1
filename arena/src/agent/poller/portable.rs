//! The poller of systems without epoll: outputs that threads read (`pipes::threaded`) ring one bell. Knows outputs and their
//! numbers, nothing else.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::agent::pipes::threaded::{Bell, Output};

/// Outputs, each under a number.
#[derive(Default)]
pub struct Poller {
    bell: Arc<Bell>,
    outputs: RefCell<BTreeMap<u64, Output>>,
}

/// Something may be heard, until [`Poller::heard`] finds nothing more.
pub struct Attention;

impl Poller {
    /// Nothing to listen to so far.
    ///
    /// # Errors
    /// None.
    pub fn new() -> io::Result<Poller> {
        Ok(Poller::default())
    }

    /// Listens to `output` under `number`.
    ///
    /// # Errors
    /// None.
    pub fn add(&self, output: &Output, number: u64) -> io::Result<()> {
        output.ring(Some(Arc::clone(&self.bell)));
        self.outputs.borrow_mut().insert(number, output.clone());
        Ok(())
    }

    /// Listens to `output` no more.
    pub fn remove(&self, output: &Output) {
        output.ring(None);
        self.outputs.borrow_mut().retain(|_, known| !known.is(output));
    }

    /// Waits until something may be heard.
    ///
    /// # Errors
    /// None.
    pub async fn listen(&self) -> io::Result<Attention> {
        while !self.outputs.borrow().values().any(Output::is_readable) {
            self.bell.rung().await;
        }
        Ok(Attention)
    }

    /// Puts the numbers of outputs with something to read, or that have ended, into `numbers`; waits for the first of them
    /// at most `patience_ms`, and the thread with it.
    ///
    /// # Errors
    /// None.
    pub fn heard(&self, _: &mut Attention, patience_ms: u16, numbers: &mut Vec<u64>) -> io::Result<()> {
        numbers.clear();
        let end = Instant::now() + Duration::from_millis(patience_ms.into());
        loop {
            self.bell.reset();
            let outputs = self.outputs.borrow();
            numbers.extend(outputs.iter().filter(|(_, output)| output.is_readable()).map(|(number, _)| number));
            if !numbers.is_empty() || !self.bell.hold_until(end) {
                return Ok(());
            }
        }
    }
}
