//! Watches for requests of `maumau tournament stop`, `add`, `retire` and `replace` while a run is played. Knows neither games nor agents.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::Result;

use crate::run_store::{ChangeAnswer, ChangeRequest, RosterChange, RunPlan, RunSettings, StopRequest};
use crate::runner::{RunState, ShutdownSignal};

/// How often it looks.
const EVERY: Duration = Duration::from_millis(250);

/// Where requests are looked for.
pub(super) struct Requests {
    pub(super) stop: StopRequest,
    pub(super) change: ChangeRequest,
}

/// The settings that a change leads to, with what happened to agents, a sentence each; or why it is refused.
pub(super) type Reread<'a> = dyn Fn(&RunSettings, &RosterChange) -> Result<(RunSettings, Vec<String>)> + Sync + 'a;

/// A change that has been found sound, and waits for the end of a round.
pub(super) struct SoundChange {
    /// The run with its agents, without its rounds.
    pub(super) plan: RunPlan,
    pub(super) news: Vec<String>,
}

/// What was asked for while games were played.
pub(super) enum Asked {
    /// Nothing.
    Nothing,
    /// The end.
    Stop,
    /// Other agents.
    Change(Box<SoundChange>),
}

/// Lets the games in play finish, and begins no more, once somebody has asked to stop; or lets no round follow, by setting `pauses`, once
/// somebody has asked for another agent, if `reread` finds that sound. Until then waits for `over` to be closed.
///
/// # Errors
/// A request cannot be removed.
pub(super) fn watch(
    requests: &Requests,
    shutdown: &ShutdownSignal,
    pauses: &AtomicBool,
    (settings, reread): (&RunSettings, &Reread<'_>),
    over: &Receiver<()>,
) -> Result<Asked> {
    while over.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        if requests.stop.is_made() {
            shutdown.raise(RunState::Finish);
            tell!("maumau: asked to stop: finishing the games in play");
            requests.stop.withdraw()?;
            return Ok(Asked::Stop);
        }
        let Some(change) = requests.change.pending() else { continue };
        let sound = reread(settings, &change).and_then(|(settings, news)| Ok((RunPlan::new(settings)?, news)));
        match sound {
            Ok((plan, news)) => {
                pauses.store(true, Ordering::Relaxed);
                return Ok(Asked::Change(Box::new(SoundChange { plan, news })));
            }
            Err(error) => requests.change.answer(&ChangeAnswer::Refused(format!("{error:#}")))?,
        }
    }
    Ok(Asked::Nothing)
}
