//! Looks at signals from time to time, so that Ctrl-C ends what takes long while the lock of the interpreter is released.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often.
pub(crate) const EVERY: Duration = Duration::from_millis(50);

/// When signals were looked at last.
pub(crate) struct Signals(Instant);

impl Signals {
    /// Looks for the first time after [`EVERY`].
    pub(crate) fn new() -> Signals {
        Signals(Instant::now())
    }

    /// Looks if it is time; the lock of the interpreter must not be held.
    ///
    /// # Errors
    /// What the handler of a signal raises, such as `KeyboardInterrupt`.
    pub(crate) fn check(&mut self) -> PyResult<()> {
        if self.0.elapsed() < EVERY {
            return Ok(());
        }
        let checked = Python::attach(|py| py.check_signals());
        self.0 = Instant::now();
        checked
    }
}
