//! The poller of systems without epoll: outputs that threads read (`pipes::threaded`) ring a shared bell. Knows outputs
//! and their numbers, nothing else. It reads none of them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::agent::pipes::threaded::{AgentStdout, Bell};

/// Outputs, each under a number.
#[derive(Default)]
pub struct Poller {
    bell: Arc<Bell>,
    outputs: RefCell<BTreeMap<u64, AgentStdout>>,
}

/// Something may have come, until [`Poller::heard`] finds nothing more.
pub struct Attention;

impl Poller {
    /// Listens to nothing yet.
    ///
    /// # Errors
    /// Never fails.
    pub fn new() -> io::Result<Poller> {
        Ok(Poller::default())
    }

    /// Listens to `output` under `number`.
    ///
    /// # Errors
    /// Never fails.
    pub fn add(&self, output: &AgentStdout, number: u64) -> io::Result<()> {
        output.ring(Some(Arc::clone(&self.bell)));
        self.outputs.borrow_mut().insert(number, output.clone());
        Ok(())
    }

    /// Listens to `output` no more.
    pub fn remove(&self, output: &AgentStdout) {
        output.ring(None);
        self.outputs.borrow_mut().retain(|_, known| !known.is(output));
    }

    /// Waits until something may have come.
    ///
    /// # Errors
    /// Never fails.
    pub async fn listen(&self) -> io::Result<Attention> {
        while !self.outputs.borrow().values().any(AgentStdout::is_readable) {
            self.bell.rung().await;
        }
        Ok(Attention)
    }

    /// Puts the numbers of outputs that have something to read, or have ended, into `numbers`; blocks the thread for the first
    /// of them for at most `patience_ms`.
    ///
    /// # Errors
    /// Never fails.
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
