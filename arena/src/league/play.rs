//! The loop of a run: hands the missing games to the processors and brings them into the run file.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Instant;

use anyhow::{Context, Result};
use maumau_tournament::{AgentId, PlannedGame, Tally};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::pace::Pace;
use super::progress::Progress;
use super::queue::Queue;
use crate::agent::{Permits, Sandbox, resource_limits};
use crate::io::untrusted::Untrusted;
use crate::log::{self, Instrument};
use crate::report::fault_report::{FaultReports, FaultyGame, Told};
use crate::run_store::{RunPlan, RunWriter, StoredGame, recorder};
use crate::runner::{
    AgentSpec, EventLoop, LAST_GAMES, Played, RunState, ShutdownSignal, on_each_processor, with_signals,
};

/// Games at once on one processor, where all agents of the table can play several.
const GAMES_PER_PROCESSOR: usize = 16;

/// Games with faults that may wait for their fault reports; further ones have none.
const CASES_WAITING: usize = 16;

/// A run that has been played, or played on.
pub(crate) struct PlayedRun {
    /// All its games that are in the run file.
    pub(crate) tally: Tally,
    /// Games played just now.
    pub(crate) new_games: u64,
    /// Whether it was interrupted.
    pub(crate) interrupted: bool,
    /// What became of fault reports, or why they could not be written.
    pub(crate) fault_reports: Result<Told>,
}

/// Plays what is missing in the run file, the agents in `sandbox`.
///
/// # Errors
/// The run file or the machine failed. What was announced is in the run file all the same.
pub(crate) fn play(mut writer: RunWriter, plan: &RunPlan, pace: &Pace, sandbox: &Arc<Sandbox>) -> Result<PlayedRun> {
    let _run = log::run_span(Untrusted::new(&plan.settings.league.name)).entered();
    let began = Instant::now();
    let (mut tally, _) = writer.tally(plan)?;
    let queue = Queue::new(plan, &tally);
    let before = tally.standings().games;
    let missing = plan.pairings.len() - before;
    if missing == 0 {
        let fault_reports = Ok(FaultReports::new(pace.fault_reports.clone()).told());
        return Ok(PlayedRun { tally, new_games: 0, interrupted: false, fault_reports });
    }
    log::run_begun(plan.pairings.len(), pace.cpus.len() as u64);
    if before > 0 {
        log::run_resumed(before, missing);
    }
    let (cases, write) = std::sync::mpsc::sync_channel(CASES_WAITING);
    let loops = Loops::new(plan, &queue, pace, plan.agents(sandbox)?, missing, cases)?;
    let mut progress = Progress::new(plan, &tally, pace);
    let (send, games) = mpsc::channel(recorder::WAITING);
    let shutdown = loops.shutdown.clone();
    let (outcomes, interrupted) = with_signals(&shutdown, Some(LAST_GAMES), || {
        std::thread::scope(|scope| {
            let reporter =
                resource_limits::start_thread(scope, || write_fault_reports(pace.fault_reports.clone(), write))?;
            let recorder = resource_limits::start_thread(scope, || {
                let recorded = recorder::record(&mut writer, games, |games| {
                    for game in games {
                        tally.add(&game.finished())?;
                        queue.is_durable_now(game.number);
                    }
                    log::games_stored(games.len() as u64);
                    progress.announce(plan, games)
                });
                if recorded.is_err() {
                    shutdown.raise(RunState::Stop);
                }
                recorded
            })?;
            // With the loops ends what they have to say.
            let played = loops.play(recorder::Sender::new(send, recorder.thread().clone()));
            if played.is_err() {
                shutdown.raise(RunState::Stop);
            }
            let recorded = recorder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let fault_reports = reporter.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // Where the run file fails the loops fail for want of it, so its own error says more.
            recorded.and(played).map(|()| fault_reports)
        })
    })?;
    progress.end();
    let fault_reports = outcomes?;
    let new_games = tally.standings().games - before;
    let interrupted = interrupted && new_games < missing;
    log::run_over(new_games, interrupted, began.elapsed().as_millis() as u64);
    Ok(PlayedRun { tally, new_games, interrupted, fault_reports })
}

/// Writes fault reports as they come. After an error nothing more is written, and games go on.
fn write_fault_reports(folder: PathBuf, cases: Receiver<FaultyGame>) -> Result<Told> {
    let mut reports = FaultReports::new(folder);
    let mut outcome = Ok(());
    for case in cases {
        if outcome.is_ok() {
            outcome = reports.add(&case);
        }
    }
    outcome.map(|()| reports.told())
}

/// What all loops share.
struct Loops<'a> {
    plan: &'a RunPlan,
    queue: &'a Queue,
    agents: Vec<AgentSpec>,
    cpus: Vec<usize>,
    /// Games at once of each loop; absent = automatic.
    at_once: Option<Vec<usize>>,
    shutdown: ShutdownSignal,
    /// Games with faults, for the writer of fault reports.
    cases: SyncSender<FaultyGame>,
}

impl<'a> Loops<'a> {
    fn new(
        plan: &'a RunPlan,
        queue: &'a Queue,
        pace: &Pace,
        agents: Vec<AgentSpec>,
        missing: u64,
        cases: SyncSender<FaultyGame>,
    ) -> Result<Loops<'a>> {
        let most = usize::try_from(missing).unwrap_or(usize::MAX).min(pace.concurrency.unwrap_or(usize::MAX));
        let cpus: Vec<usize> = pace.cpus.iter().copied().take(most).collect();
        let share = |games: usize, index: usize| games / cpus.len() + usize::from(index < games % cpus.len());
        let at_once = pace.concurrency.map(|games| (0..cpus.len()).map(|index| share(games, index)).collect());
        Ok(Loops { plan, queue, agents, cpus, at_once, shutdown: ShutdownSignal::default(), cases })
    }

    /// Plays on all processors, and hangs up.
    fn play(self, send: recorder::Sender) -> Result<()> {
        let outcomes = on_each_processor(&self.cpus, |index| {
            let send = send.clone();
            let loops = &self;
            async move {
                let event_loop = EventLoop::new(loops.agents.clone())?;
                let outcome = loops.play_on(&event_loop, index, send).await;
                if outcome.is_err() {
                    loops.shutdown.raise(RunState::Stop);
                }
                event_loop.stop().await;
                outcome
            }
        });
        drop(send);
        outcomes.map(drop)
    }

    /// One loop: begins games while there is room, until there are none left or told to stop.
    async fn play_on(&self, event_loop: &Rc<EventLoop>, index: usize, send: recorder::Sender) -> Result<()> {
        let mut shutdown = self.shutdown.watch();
        let mut games: JoinSet<Result<()>> = JoinSet::new();
        let mut next: Option<PlannedGame> = None;
        loop {
            let state = *shutdown.borrow_and_update();
            if state == RunState::Stop {
                return Ok(());
            }
            if state == RunState::On && next.is_none() {
                next = self.queue.take().map(|number| self.plan.pairings.game(number));
            }
            if let Some(game) =
                next.take_if(|game| state == RunState::On && games.len() < self.room(event_loop, index, game))
            {
                let table = self.plan.table(&game, self.queue.is_last_of_deal(&game));
                let (event_loop, send, cases) = (Rc::clone(event_loop), send.clone(), self.cases.clone());
                let commands = game.agents.iter().map(|agent| self.agents[agent.index()].command.to_string()).collect();
                let league = &self.plan.settings.league;
                let permits = game.agents.iter().map(|agent| league.agents[agent.index()].permits.clone()).collect();
                let span = log::game_span(&game.id().0);
                let played = async move {
                    let mut played = event_loop.play(table).await?;
                    tell_faults(&game, (commands, permits), &mut played, &cases);
                    let game = StoredGame::new(&game, played)?;
                    send.send(game).await
                };
                games.spawn_local(played.instrument(span));
                continue;
            }
            tokio::select! {
                finished = games.join_next() => match finished {
                    None => return Ok(()),
                    Some(finished) => finished.context("a game came to no end")??,
                },
                changed = shutdown.changed() => changed.context("nobody can stop this run")?,
            }
        }
    }

    /// How many games may be played at once with `game` among them. Unless the league says so, several only where every
    /// agent of the table has said that it can.
    fn room(&self, event_loop: &EventLoop, index: usize, game: &PlannedGame) -> usize {
        match &self.at_once {
            Some(at_once) => at_once[index].max(1),
            None => {
                let many = |agent: &AgentId| event_loop.games_at_once(agent.index()).is_some_and(|games| games > 1);
                if game.agents.iter().all(many) { GAMES_PER_PROCESSOR } else { 1 }
            }
        }
    }
}

/// Hands a game with faults on, unless so many wait already.
fn tell_faults(
    game: &PlannedGame,
    (commands, permits): (Vec<String>, Vec<Permits>),
    played: &mut Played,
    cases: &SyncSender<FaultyGame>,
) {
    let evidence = std::mem::take(&mut played.evidence);
    if evidence.is_empty() {
        return;
    }
    let faults = played.tallies.iter().map(|tally| tally.faults.clone()).collect();
    // A fault report that finds no room is left out: the game is in the run file all the same.
    let name = game.id().0.to_string();
    _ = cases.try_send(FaultyGame { name, log: played.log.clone(), faults, commands, permits, evidence });
}
