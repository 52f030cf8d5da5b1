//! Plays games that come piece by piece from elsewhere, and hands each back as a run keeps it. It ties loops and packers together as
//! `play` does, but for a run file: where games come from and go is not known here.

use std::sync::Arc;

use anyhow::Result;
use tokio::sync::{mpsc, watch};

use super::play::Loops;
use super::play_options::PlayOptions;
use super::queue::GameQueue;
use crate::agent::resource_limits;
use crate::run_store::{RunPlan, StoredGame, recorder};
use crate::runner::{AgentSpec, RunState, ShutdownSignal};

/// Games from elsewhere.
pub struct UnitPlay {
    /// The rules, times and seeds of the games.
    pub plan: Arc<RunPlan>,
    /// Its agents, in the order of the plan.
    pub agents: Vec<AgentSpec>,
    /// Where games come from. Once it says that it is over, the games in play are the last ones.
    pub queue: Arc<dyn GameQueue>,
    /// Changes when the queue may have games again.
    pub news: watch::Receiver<u64>,
}

/// Plays `work` until it is over; `begun` is given what stops it at once, and `each` each game.
///
/// # Errors
/// The machine failed, or the first error of `each`.
pub fn play_units(
    work: UnitPlay,
    play_options: &PlayOptions,
    begun: impl FnOnce(&ShutdownSignal),
    mut each: impl FnMut(StoredGame) -> Result<()> + Send,
) -> Result<()> {
    let UnitPlay { plan, agents, queue, news } = work;
    let loops = Arc::new(Loops::new(&plan, queue, play_options, agents, u64::MAX, news));
    begun(&loops.shutdown);
    // Fault reports are written where the run file is; here nobody waits for them.
    let (cases, _) = std::sync::mpsc::sync_channel(1);
    let (send, mut games) = mpsc::channel::<StoredGame>(recorder::WAITING);
    let shutdown = loops.shutdown.clone();
    std::thread::scope(|scope| {
        let taker = resource_limits::start_thread(scope, move || {
            while let Some(game) = games.blocking_recv() {
                if let Err(error) = each(game) {
                    shutdown.raise(RunState::Stop);
                    return Err(error);
                }
            }
            Ok(())
        })?;
        let played = loops.play(scope, recorder::RecorderSender::new(send, taker.thread().clone()), cases);
        let taken = taker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // If games are not taken, the loops fail because of it.
        taken.and(played)
    })
}
