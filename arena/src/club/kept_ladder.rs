//! A ladder that was read a moment ago. While it is read again, in the background, all are shown the one before; how much of the machine
//! that takes is bounded, however many look and however long the season is.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use maumau_run::agent::resource_limits;

use super::answers::LadderRow;

/// How old a ladder may be that is shown without another one being read.
const FRESH_FOR: Duration = Duration::from_secs(1);
/// How long a new one is waited for if there is one before.
const PATIENCE: Duration = Duration::from_millis(300);
/// Ladders are read this many times as rarely as it takes to read one.
const REST: u32 = 4;

/// A ladder that was read a moment ago.
#[derive(Default)]
pub(crate) struct KeptLadder {
    state: Mutex<KeptState>,
    read: Condvar,
}

#[derive(Default)]
struct KeptState {
    rows: Option<Arc<Vec<LadderRow>>>,
    /// When the rows began to be read; none if they have changed since.
    fresh_at: Option<Instant>,
    /// Before this nothing is read again.
    rests_until: Option<Instant>,
    is_reading: bool,
    /// How long the last one took to read.
    took: Duration,
    /// How often it was changed: what began to be read before is not kept.
    changes: u64,
    failure: Option<String>,
}

impl KeptLadder {
    /// The ladder, which `read` reads.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn of(
        self: &Arc<KeptLadder>,
        read: impl Fn() -> Result<Vec<LadderRow>> + Send + Clone + 'static,
    ) -> Result<Arc<Vec<LadderRow>>> {
        let began = Instant::now();
        let mut state = self.state();
        loop {
            if let Some(failure) = state.failure.take() {
                return Err(anyhow!(failure));
            }
            let now = Instant::now();
            let is_fresh = state.fresh_at.is_some_and(|at| now - at < FRESH_FOR);
            let is_due = !is_fresh && state.rests_until.is_none_or(|until| until <= now);
            if (is_due || state.rows.is_none()) && !state.is_reading {
                // It waits for this state until there is something to keep.
                self.read_again(state.changes, read.clone())?;
                state.is_reading = true;
            }
            // One that takes longer to read is not waited for at all.
            let patience = if state.took > PATIENCE { Duration::ZERO } else { PATIENCE };
            if let Some(rows) = state.rows.as_ref().filter(|_| !is_due || now - began >= patience) {
                return Ok(Arc::clone(rows));
            }
            state = self.read.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Changes the rows that are shown until others have been read.
    pub(crate) fn amend(&self, change: impl FnOnce(&mut Vec<LadderRow>)) {
        let mut state = self.state();
        state.changes += 1;
        (state.fresh_at, state.rests_until) = (None, None);
        if let Some(rows) = &mut state.rows {
            change(Arc::make_mut(rows));
        }
    }

    /// Shows nothing that was read before.
    pub(crate) fn forget(&self) {
        self.amend(Vec::clear);
        self.state().rows = None;
    }

    /// Nothing in it is left half changed by a panic.
    fn state(&self) -> MutexGuard<'_, KeptState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_again(
        self: &Arc<KeptLadder>,
        changes: u64,
        read: impl Fn() -> Result<Vec<LadderRow>> + Send + 'static,
    ) -> Result<()> {
        let kept = Arc::clone(self);
        resource_limits::start("ladder", move || {
            let began = Instant::now();
            let rows = read();
            let mut state = kept.state();
            state.is_reading = false;
            state.took = began.elapsed();
            match rows {
                _ if state.changes != changes => {}
                Ok(rows) => {
                    (state.rows, state.fresh_at) = (Some(Arc::new(rows)), Some(began));
                    state.rests_until = Some(Instant::now() + state.took * REST);
                }
                Err(error) => state.failure = Some(format!("{error:#}")),
            }
            kept.read.notify_all();
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn row(agent: &str) -> LadderRow {
        LadderRow::new(agent.to_owned())
    }

    #[test]
    fn while_a_ladder_is_read_the_one_before_is_shown_and_a_change_is_seen_at_once() {
        let kept = Arc::new(KeptLadder::default());
        let names = |kept: &Arc<KeptLadder>, read: &(dyn Fn() -> Vec<LadderRow> + Sync)| -> Vec<String> {
            let rows = read();
            let shown = kept.of(move || Ok(rows.clone())).expect("it can be read");
            shown.iter().map(|row| row.agent.clone()).collect()
        };
        assert_eq!(names(&kept, &|| vec![row("a")]), ["a"]);
        kept.amend(|rows| rows.push(row("b")));
        // One who reads for a long time holds up nobody.
        let (done, waits) = mpsc::channel::<()>();
        let waits = Arc::new(Mutex::new(waits));
        let slow = {
            let waits = Arc::clone(&waits);
            kept.of(move || {
                _ = waits.lock().map(|waits| waits.recv());
                Ok(vec![row("old")])
            })
        };
        assert_eq!(slow.expect("the one before").len(), 2);
        kept.amend(|rows| rows[0].retired = true);
        drop(done);
        // What was read before the change is not shown.
        assert_eq!(names(&kept, &|| vec![row("a"), row("b"), row("c")]).first().map(String::as_str), Some("a"));
        kept.forget();
        assert_eq!(names(&kept, &|| vec![row("d")]), ["d"]);
        // Where the last one took long, the next is not waited for, and is shown once it is there.
        kept.state().took = PATIENCE * 2;
        kept.amend(|rows| rows.clear());
        assert_eq!(names(&kept, &|| vec![row("e")]), [""; 0]);
        while names(&kept, &|| vec![row("e")]).is_empty() {
            std::thread::yield_now();
        }
        kept.forget();
        assert!(kept.of(|| Err(anyhow!("no file"))).is_err_and(|error| error.to_string() == "no file"));
    }
}
