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
    /// What ends it before that.
    pub shutdown: ShutdownSignal,
}

/// Plays `work` until it is over; `each` is given each game.
///
/// # Errors
/// The machine failed, or the first error of `each`.
pub fn play_units(
    work: UnitPlay,
    play_options: &PlayOptions,
    mut each: impl FnMut(StoredGame) -> Result<()> + Send,
) -> Result<()> {
    let UnitPlay { plan, agents, queue, news, shutdown } = work;
    let mut loops = Loops::new(&plan, queue, play_options, agents, u64::MAX, news);
    loops.shutdown = shutdown.clone();
    let loops = Arc::new(loops);
    // Fault reports are written where the run file is; here nobody waits for them.
    let (cases, _) = std::sync::mpsc::sync_channel(1);
    let (send, mut games) = mpsc::channel::<StoredGame>(recorder::WAITING);
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

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc::{SyncSender, sync_channel};
    use std::time::Duration;

    use maumau_engine::seed_of_number;
    use maumau_tournament::PlannedGame;

    use super::super::league_file::LeagueFile;
    use super::super::queue::Taken;
    use super::*;

    /// A queue whose next round waits for games that nobody plays.
    struct BetweenRounds(SyncSender<()>);

    impl GameQueue for BetweenRounds {
        fn take(&self) -> Taken {
            // That it was asked is said once.
            _ = self.0.try_send(());
            Taken::Later
        }

        fn is_last_of_deal(&self, _: &PlannedGame) -> bool {
            false
        }
    }

    #[test]
    fn a_loop_that_waits_for_the_end_of_a_round_ends_when_no_more_games_are_to_begin() {
        let agent = |name: &str| format!("[[agent]]\nname = \"{name}\"\ncommand = \"maumau agent first\"\n");
        let text = format!("rules = \"basic\"\nseats = 2\ngames_per_pairing = 2\n{}{}", agent("a"), agent("b"));
        let file = LeagueFile::parse("l.toml", Path::new(""), &text).unwrap_or_else(|problems| panic!("{problems}"));
        let plan = Arc::new(RunPlan::new(file.settings(seed_of_number(1))).expect("a plan"));
        let (asked, was_asked) = sync_channel(1);
        let (_no_news, news) = watch::channel(0);
        let shutdown = ShutdownSignal::default();
        let queue = Arc::new(BetweenRounds(asked));
        let work = UnitPlay { plan, agents: Vec::new(), queue, news, shutdown: shutdown.clone() };
        let play_options = PlayOptions {
            cpus: vec![0],
            concurrency: None,
            quiet: true,
            fault_reports: "faults".into(),
            announce: false,
            gives_up: false,
            tap: None,
            lender: None,
        };
        let (ended, has_ended) = sync_channel(1);
        std::thread::spawn(move || {
            let played = play_units(work, &play_options, |_| Ok(()));
            ended.send(played.map_err(|error| error.to_string()))
        });
        was_asked.recv().expect("it asks for a game");
        shutdown.raise(RunState::Finish);
        assert_eq!(has_ended.recv_timeout(Duration::from_secs(60)), Ok(Ok(())), "it waits on");
    }
}
