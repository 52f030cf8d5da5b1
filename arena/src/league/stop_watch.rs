//! Watches for a request of `maumau tournament stop` while a run is played. Knows neither games nor agents.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::Result;

use crate::run_store::StopRequest;
use crate::runner::{RunState, ShutdownSignal};

/// How often it looks.
const EVERY: Duration = Duration::from_millis(250);

/// Lets the games in play finish, and begins no more, once somebody has made `request`; until then waits for `over` to be closed.
/// Returns whether there was a request.
///
/// # Errors
/// The request cannot be removed.
pub(super) fn watch(request: &StopRequest, shutdown: &ShutdownSignal, over: &Receiver<()>) -> Result<bool> {
    while over.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        if request.is_made() {
            shutdown.raise(RunState::Finish);
            tell!("maumau: asked to stop: finishing the games in play");
            request.withdraw()?;
            return Ok(true);
        }
    }
    Ok(false)
}
