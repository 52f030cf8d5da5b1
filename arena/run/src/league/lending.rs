//! Games of a run that are played elsewhere, beside those of its own loops: whole deals are lent, and come back played or not. How they
//! travel is not known here.

use std::sync::Arc;

use anyhow::Result;
use maumau_tournament::PlannedGame;
use tokio::sync::watch;

use super::queue::Queue;
use crate::run_store::recorder::RecorderSender;
use crate::run_store::{HostInbox, HostShare, RunPlan, StoredGame};
use crate::runner::{RunState, ShutdownSignal};

/// Has games of a run played elsewhere.
pub trait Lender: Send + Sync {
    /// Lends games of `lending` while it goes on. What has not come back by then is played when the run goes on.
    ///
    /// # Errors
    /// The run takes no more games.
    fn lend(&self, plan: &Arc<RunPlan>, lending: &Lending) -> Result<()>;
}

/// The games of a run that can be lent, and where they come back to.
pub struct Lending {
    pub(super) queue: Arc<Queue>,
    /// Changes when the queue has got games or has been closed.
    pub(super) more: watch::Sender<u64>,
    pub(super) send: RecorderSender,
    pub(super) hosts: HostInbox,
    pub(super) shutdown: ShutdownSignal,
}

impl Lending {
    /// True until all games have come back and none follow, or the run is to end.
    pub fn goes_on(&self) -> bool {
        self.shutdown.state() == RunState::On && !self.queue.is_over()
    }

    /// Lends whole deals of about so many games; none if none are left for now.
    pub fn take(&self, games: usize) -> Vec<PlannedGame> {
        self.queue.lend(games)
    }

    /// Gives back games that nobody has played: they are played here.
    pub fn give_back(&self, games: Vec<PlannedGame>) {
        self.queue.give_back(games);
        self.more.send_modify(|times| *times += 1);
    }

    /// Passes on games that were lent and played by the host of `share`. Blocks while the run file is busy.
    ///
    /// # Errors
    /// The run takes no more games.
    pub fn finish(&self, games: Vec<StoredGame>, share: HostShare) -> Result<()> {
        let played = games.len();
        self.hosts.add(share);
        games.into_iter().try_for_each(|game| self.send.send(game))?;
        self.queue.have_come(played);
        self.more.send_modify(|times| *times += 1);
        Ok(())
    }
}
