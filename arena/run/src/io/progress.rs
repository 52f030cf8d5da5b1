//! The progress of long work on stderr: a bar on a terminal, otherwise a line now and then. Knows only its name and two
//! numbers. It only writes.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is written if there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// A bar on a terminal, otherwise a line now and then.
pub struct ProgressLine {
    bar: ProgressBar,
    is_terminal: bool,
    start: Instant,
    last: Mutex<Instant>,
    all: u64,
    what: String,
}

impl ProgressLine {
    /// The progress of `all` steps of `what`.
    pub fn new(what: &str, all: u64) -> ProgressLine {
        let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
        let bar = if is_terminal { ProgressBar::new(all) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len}, {per_sec}, {eta} left") {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        let now = Instant::now();
        ProgressLine { bar, is_terminal, start: now, last: Mutex::new(now), all, what: what.to_owned() }
    }

    /// Sets the number of finished steps.
    pub fn is_at(&self, done: u64, failed: u64) {
        self.bar.set_position(done);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_terminal && last.elapsed() >= LINE_EVERY && done > 0 {
            *last = Instant::now();
            let left = self.start.elapsed().as_secs_f64() / done as f64 * self.all.saturating_sub(done) as f64;
            print_stderr!("{}: {done} of {}, {failed} failed, about {left:.0} s left", self.what, self.all);
        }
    }

    /// Prints a message at once.
    pub fn print(&self, text: &str) {
        self.bar.suspend(|| print_stderr!("{text}"));
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
