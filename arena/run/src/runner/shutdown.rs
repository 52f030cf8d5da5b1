//! Stopping: one Ctrl-C lets a run's games in flight finish, a second ends at once; a single match ends at once, and so
//! does anything that fails. It listens for interrupts and announces the state; each loop stops by itself.

use std::time::Duration;

use anyhow::{Context, Result};
use tokio::sync::{oneshot, watch};

use super::interrupts::Interrupts;
use crate::agent::resource_limits;
use crate::log;

/// How long a run's games in flight may take after the first Ctrl-C.
pub const LAST_GAMES: Duration = Duration::from_secs(10);

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunState {
    /// Play.
    On,
    /// Begin no more games.
    Finish,
    /// Leave everything as it is.
    Stop,
}

/// Shows every loop of a run whether to go on.
#[derive(Clone, Debug)]
pub struct ShutdownSignal(watch::Sender<RunState>);

impl Default for ShutdownSignal {
    /// A signal that starts at play.
    fn default() -> ShutdownSignal {
        ShutdownSignal(watch::Sender::new(RunState::On))
    }
}

impl ShutdownSignal {
    /// Raises the signal; it is never lowered.
    pub fn raise(&self, to: RunState) {
        self.0.send_if_modified(|state| {
            let raised = to > *state;
            *state = to.max(*state);
            raised
        });
    }

    /// Its state.
    pub fn state(&self) -> RunState {
        *self.0.borrow()
    }

    /// Its state, with notification of changes.
    pub fn watch(&self) -> watch::Receiver<RunState> {
        self.0.subscribe()
    }
}

/// Runs `work` while Ctrl-C, SIGTERM, SIGHUP and their Windows counterparts raise `shutdown`: the first of them to
/// [`RunState::Finish`] if there is a `grace`, the next one or the end of that time to [`RunState::Stop`]. Returns whether one
/// of them came.
///
/// # Errors
/// Signals cannot be listened to, or the machine has no room for a thread that listens.
pub fn with_signals<T>(
    shutdown: &ShutdownSignal,
    grace: Option<Duration>,
    work: impl FnOnce() -> T,
) -> Result<(T, bool)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let signals = {
        let _inside = runtime.enter();
        Interrupts::new().context("Ctrl-C cannot be listened to")?
    };
    std::thread::scope(|scope| {
        let (done, over) = oneshot::channel::<()>();
        let listener =
            resource_limits::start_thread(scope, move || runtime.block_on(listen(signals, shutdown, grace, over)))?;
        let result = work();
        drop(done);
        let interrupted = listener.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((result, interrupted))
    })
}

async fn listen(
    mut signals: Interrupts,
    shutdown: &ShutdownSignal,
    grace: Option<Duration>,
    over: oneshot::Receiver<()>,
) -> bool {
    let mut over = std::pin::pin!(over);
    tokio::select! {
        _ = &mut over => return false,
        () = signals.next() => {}
    }
    if let Some(grace) = grace {
        shutdown.raise(RunState::Finish);
        log::stopping(false);
        print_stderr!(
            "maumau: finishing the games in flight, at most {} s; Ctrl-C again stops at once",
            grace.as_secs()
        );
        tokio::select! {
            _ = &mut over => return true,
            () = signals.next() => {}
            () = tokio::time::sleep(grace) => {}
        }
    }
    shutdown.raise(RunState::Stop);
    log::stopping(true);
    // Nothing more can be asked for; until everything has ended, further signals have no effect.
    _ = over.await;
    true
}
