//! A run: hands the missing games to the processors' loops and stores them in the run file. It ties the loops, the
//! packers and the recorder together; single games are run by `runner`.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::thread::Scope;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use maumau_tournament::{AgentId, PlannedGame, Tally};
use tokio::sync::{mpsc, watch};

use super::lending::{Lender, Lending};
use super::play_options::PlayOptions;
use super::progress::RunProgress;
use super::queue::{GameQueue, Queue, Taken};
use super::rounds::{Rounds, RoundsEnd};
use super::startable::ensure_most_started;
use crate::agent::{Sandbox, resource_limits};
use crate::fault_report::{FaultReports, FaultyGame, WrittenReports};
use crate::io::untrusted::Untrusted;
use crate::log;
use crate::run_store::{
    ChangeAnswer, ChangeRequest, RosterChange, RunPlan, RunSettings, RunWriter, StopRequest, packer, recorder,
};
use crate::runner::{
    AgentSpec, EventLoop, GameSource, LAST_GAMES, LiveTap, NewGame, NextGame, Occupancy, Played, RunState,
    ShutdownSignal, on_each_processor, with_signals,
};

/// Games at once on one processor, if all agents of the table can play several.
const GAMES_PER_PROCESSOR: usize = 16;

/// Games with faults that may wait for their fault reports; further ones get no report.
const CASES_WAITING: usize = 16;

/// A run that has been played or continued.
pub struct PlayedRun {
    /// Its plan, with the agents that have joined meanwhile.
    pub plan: Arc<RunPlan>,
    /// All its games that are in the run file.
    pub tally: Tally,
    /// Games played by this command.
    pub new_games: u64,
    /// Why it ended; `None` if it was interrupted.
    pub end: Option<RoundsEnd>,
    /// What happened to the fault reports, or why they could not be written.
    pub fault_reports: Result<WrittenReports>,
}

/// Plays the games missing in the run file, with the agents in `sandbox`. `reread` judges changes of agents that are asked for
/// meanwhile.
///
/// # Errors
/// The run file or the machine failed. Announced games are in the run file even so.
pub fn play(
    mut writer: RunWriter,
    plan: &Arc<RunPlan>,
    play_options: &PlayOptions,
    sandbox: &Arc<Sandbox>,
    reread: &Reread<'_>,
) -> Result<PlayedRun> {
    let _run = log::run_span(Untrusted::new(&plan.settings.league.name)).entered();
    let began = Instant::now();
    let (mut tally, _) = writer.tally(plan)?;
    let mut rounds = Rounds::open(&writer, plan)?;
    rounds.advance(&mut writer)?.iter().for_each(|round| tally.extend(round));
    let queue = Arc::new(Queue::new(plan, &tally));
    let before = writer.games();
    let planned = plan.standings(&tally).planned;
    let mut reports = FaultReports::new(play_options.fault_reports.clone());
    if let Some(end) = rounds.end() {
        queue.close();
        if before == planned {
            let (plan, fault_reports) = (Arc::clone(plan), Ok(reports.finish()));
            return Ok(PlayedRun { plan, tally, new_games: 0, end: Some(end), fault_reports });
        }
    }
    log::run_begun(planned, play_options.cpus.len() as u64);
    if before > 0 {
        log::run_resumed(before, planned - before);
    }
    let mut progress = RunProgress::new(plan, &tally, play_options);
    let shutdown = ShutdownSignal::default();
    let requests = Requests { stop: writer.stop_request(), change: writer.change_request() };
    let mut reported = Ok(());
    // More loops than games would only start agents in vain.
    let mut most = if rounds.end().is_some() { planned - before } else { u64::MAX };
    let mut plan = Arc::clone(plan);
    let (stopped, interrupted) = with_signals(&shutdown, Some(LAST_GAMES), || -> Result<bool> {
        loop {
            let (more, news) = watch::channel(0);
            let mut loops = Loops::new(&plan, Arc::clone(&queue) as _, play_options, plan.agents(sandbox)?, most, news);
            loops.shutdown = shutdown.clone();
            let mut session = Session {
                plan: &plan,
                queue: &queue,
                writer: &mut writer,
                rounds: &mut rounds,
                tally: &mut tally,
                progress: &mut progress,
                more,
                ended: Instant::now(),
                gives_up: play_options.gives_up,
                lender: play_options.lender.as_ref(),
            };
            let asked = session.play(&Arc::new(loops), (&requests, reread), (&mut reports, &mut reported))?;
            let ended = session.ended;
            let change = match asked {
                Asked::Change(change) if shutdown.state() == RunState::On => change,
                Asked::Change(_) => {
                    requests
                        .change
                        .answer(&ChangeAnswer::Refused("the run was stopped before the end of the round".into()))?;
                    return Ok(false);
                }
                Asked::Stop => return Ok(true),
                Asked::Nothing => return Ok(false),
            };
            let SoundChange { plan: changed, news } = *change;
            let (playing, known) = rounds.playing();
            let (changed, pool) = writer.change_agents(changed, &playing, known)?;
            rounds.change_agents(&changed, pool.as_ref())?;
            tally.grow(changed.settings.league.for_schedule())?;
            queue.reopen(changed.settings.league.for_schedule())?;
            plan = Arc::new(changed);
            for round in pool.into_iter().chain(rounds.advance(&mut writer)?) {
                tally.extend(&round);
                queue.extend(&round);
            }
            if rounds.end().is_some() {
                queue.close();
            }
            progress.grow(tally.planned());
            most = u64::MAX;
            let news = news.join("; ");
            let done = format!(
                "{news}, after {} games; {} ms between two rounds",
                writer.games(),
                ended.elapsed().as_millis()
            );
            progress.print(&done);
            requests.change.answer(&ChangeAnswer::Done(done))?;
        }
    })?;
    progress.end();
    let stopped = stopped?;
    let fault_reports = reported.map(|()| reports.finish());
    let new_games = writer.games() - before;
    // The signal or the request may have come with the last game.
    let is_whole = writer.games() == plan.standings(&tally).planned;
    let end = rounds.end().filter(|_| !(interrupted || stopped) || is_whole);
    log::run_over(new_games, end.is_none(), began.elapsed().as_millis() as u64);
    Ok(PlayedRun { plan, tally, new_games, end, fault_reports })
}

/// What is played with the same agents.
struct Session<'a> {
    plan: &'a Arc<RunPlan>,
    queue: &'a Arc<Queue>,
    writer: &'a mut RunWriter,
    rounds: &'a mut Rounds,
    tally: &'a mut Tally,
    progress: &'a mut RunProgress,
    /// Changes when the queue has got games or has been closed.
    more: watch::Sender<u64>,
    /// When the last games were stored.
    ended: Instant,
    /// True to stop once most agents have turned out not to start.
    gives_up: bool,
    /// Who has games played elsewhere.
    lender: Option<&'a Arc<dyn Lender>>,
}

impl Session<'_> {
    /// Plays until the run ends, is stopped or other agents are asked for; returns which.
    fn play(
        &mut self,
        loops: &Arc<Loops>,
        (requests, reread): (&Requests, &Reread<'_>),
        (reports, reported): (&mut FaultReports, &mut Result<()>),
    ) -> Result<Asked> {
        let shutdown = loops.shutdown.clone();
        let pauses = AtomicBool::new(false);
        let (plan, pauses, lender) = (self.plan, &pauses, self.lender);
        let (queue, more, hosts) = (Arc::clone(self.queue), self.more.clone(), self.writer.host_inbox());
        let (cases, write) = std::sync::mpsc::sync_channel(CASES_WAITING);
        let (send, games) = mpsc::channel(recorder::WAITING);
        std::thread::scope(|scope| {
            let (end_watch, over) = std::sync::mpsc::channel();
            let watching = shutdown.clone();
            let watch = resource_limits::start_thread(scope, move || {
                watch(requests, &watching, pauses, (&plan.settings, reread), &over)
            })?;
            let reporter = resource_limits::start_thread(scope, move || write_fault_reports(reports, reported, write))?;
            let recorder = resource_limits::start_thread(scope, || {
                let Session { queue, rounds, tally, progress, more, ended, gives_up, .. } = self;
                let gives_up = *gives_up;
                let recorded = recorder::record(self.writer, games, |writer, games| {
                    for game in games {
                        tally.add(&game.finished())?;
                        queue.is_durable_now(game.number());
                    }
                    log::games_stored(games.len() as u64);
                    progress.announce(plan, games)?;
                    if gives_up {
                        ensure_most_started(games, || plan.standings(tally))?;
                    }
                    let was_open = rounds.end().is_none();
                    rounds.take(games);
                    *ended = Instant::now();
                    if pauses.load(Ordering::Relaxed) {
                        // What is planned is played to its end.
                        queue.close();
                        more.send_modify(|times| *times += 1);
                        return Ok(());
                    }
                    let news = rounds.advance(writer)?;
                    for round in &news {
                        tally.extend(round);
                        queue.extend(round);
                    }
                    let has_ended = was_open && rounds.end().is_some();
                    if has_ended {
                        queue.close();
                    }
                    if has_ended || !news.is_empty() {
                        progress.grow(tally.planned());
                        more.send_modify(|times| *times += 1);
                    }
                    Ok(())
                });
                if recorded.is_err() {
                    shutdown.raise(RunState::Stop);
                }
                recorded
            })?;
            let send = recorder::RecorderSender::new(send, recorder.thread().clone());
            let lends = lender.map(|lender| {
                let lending = Lending { queue, more, send: send.clone(), hosts, shutdown: shutdown.clone() };
                resource_limits::start_thread(scope, move || lender.lend(plan, &lending))
            });
            let lends = lends.transpose()?;
            // Once the loops end they have nothing more to send.
            let played = loops.play(scope, send, cases);
            if played.is_err() {
                shutdown.raise(RunState::Stop);
            }
            let lent =
                lends.map_or(Ok(()), |lends| lends.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            let recorded = recorder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            reporter.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            drop(end_watch);
            let asked = watch.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // If the run file fails the loops fail because of it, so its own error says more.
            recorded.and(lent).and(played).and(asked)
        })
    }
}

/// Writes fault reports as they come. After an error nothing more is written, and the games go on.
fn write_fault_reports(reports: &mut FaultReports, reported: &mut Result<()>, cases: Receiver<FaultyGame>) {
    for case in cases {
        if reported.is_ok() {
            *reported = reports.add(&case);
        }
    }
}

/// State shared by all loops.
pub(super) struct Loops {
    plan: Arc<RunPlan>,
    queue: Arc<dyn GameQueue>,
    agents: Vec<AgentSpec>,
    cpus: Vec<usize>,
    /// Games at once of each loop; absent = automatic.
    at_once: Option<Vec<usize>>,
    pub(super) shutdown: ShutdownSignal,
    /// Changes when the queue has got games or has been closed.
    news: watch::Receiver<u64>,
    tap: Option<LiveTap>,
}

impl Loops {
    pub(super) fn new(
        plan: &Arc<RunPlan>,
        queue: Arc<dyn GameQueue>,
        play_options: &PlayOptions,
        agents: Vec<AgentSpec>,
        most: u64,
        news: watch::Receiver<u64>,
    ) -> Loops {
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(play_options.concurrency.unwrap_or(usize::MAX));
        let cpus: Vec<usize> = play_options.cpus.iter().copied().take(most).collect();
        let share = |games: usize, index: usize| games / cpus.len() + usize::from(index < games % cpus.len());
        let at_once = play_options.concurrency.map(|games| (0..cpus.len()).map(|index| share(games, index)).collect());
        let plan = Arc::clone(plan);
        let tap = play_options.tap.clone();
        Loops { plan, queue, agents, cpus, at_once, shutdown: ShutdownSignal::default(), news, tap }
    }

    /// Plays on all processors, then closes its channels.
    pub(super) fn play<'scope>(
        self: &Arc<Self>,
        scope: &'scope Scope<'scope, '_>,
        send: recorder::RecorderSender,
        cases: SyncSender<FaultyGame>,
    ) -> Result<()> {
        let outcomes = on_each_processor(&self.cpus, |index| {
            let (loops, send, cases) = (Arc::clone(self), send.clone(), cases.clone());
            async move {
                let event_loop = EventLoop::new(loops.agents.clone())?;
                if let Some(tap) = &loops.tap {
                    event_loop.show_through(tap, index);
                }
                let (to_packer, games) = packer::channel();
                let shared = Arc::clone(&loops);
                // Started from here, it is bound to the same processor.
                let packer = resource_limits::start_thread(scope, move || {
                    let packed = packer::pack(games, &send, |game, played| shared.report_faults(game, played, &cases));
                    if packed.is_err() {
                        shared.shutdown.raise(RunState::Stop);
                    }
                    packed
                })?;
                let played = loops.play_on(&event_loop, index, to_packer).await;
                if played.is_err() {
                    loops.shutdown.raise(RunState::Stop);
                }
                event_loop.stop().await;
                // If games cannot be packed none can be played, so the packer's error says more.
                packer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).and(played)
            }
        });
        outcomes.map(drop)
    }

    /// One loop: plays until there are no games left or it has to stop.
    async fn play_on(
        self: &Arc<Self>,
        event_loop: &Rc<EventLoop>,
        index: usize,
        to_packer: Rc<packer::PackerSender>,
    ) -> Result<()> {
        let source = LoopSource {
            loops: Arc::clone(self),
            index,
            next: None,
            in_play: BTreeMap::new(),
            to_packer: Rc::clone(&to_packer),
        };
        let (mut shutdown, mut finish) = (self.shutdown.watch(), self.shutdown.watch());
        let mut is_finishing = false;
        let mut news = self.news.clone();
        let mut run = std::pin::pin!(event_loop.run(source));
        loop {
            tokio::select! {
                outcome = &mut run => return outcome,
                stop = shutdown.wait_for(|state| *state == RunState::Stop) => {
                    return stop.context("nobody can stop this run").map(drop);
                }
                // A loop that waits for the end of a round asks once more, for the round may never end: games that another loop has taken
                // and not begun are left out.
                Ok(_) = finish.wait_for(|state| *state != RunState::On), if !is_finishing => {
                    is_finishing = true;
                    event_loop.ask_again();
                }
                // Once the recorder is gone nothing is new any more, and the loop is stopped.
                Ok(()) = news.changed() => event_loop.ask_again(),
                room = to_packer.room() => {
                    room?;
                    event_loop.ask_again();
                }
            }
        }
    }

    /// How many games may be played at once, including `game`. Unless the league says so, several only if every agent of the
    /// table has said that it can.
    fn room(&self, occupancy: &dyn Occupancy, index: usize, game: &PlannedGame) -> usize {
        match &self.at_once {
            Some(at_once) => at_once[index].max(1),
            None => {
                let many = |agent: &AgentId| occupancy.games_at_once(agent.index()).is_some_and(|games| games > 1);
                if game.agents.iter().all(many) { GAMES_PER_PROCESSOR } else { 1 }
            }
        }
    }

    /// Passes on a game with faults, unless too many are waiting already.
    fn report_faults(&self, game: &PlannedGame, played: &mut Played, cases: &SyncSender<FaultyGame>) {
        let evidence = std::mem::take(&mut played.evidence);
        if evidence.is_empty() {
            return;
        }
        let faults = played.tallies.iter().map(|tally| tally.faults.clone()).collect();
        let agents = || game.agents.iter().map(|agent| agent.index());
        let commands = agents().map(|agent| self.agents[agent].command.to_string()).collect();
        let permits = agents().map(|agent| self.plan.settings.league.agents[agent].permits.clone()).collect();
        // A fault report that finds no room is dropped: the game is in the run file anyway.
        let name = game.id().0.to_string();
        _ = cases.try_send(FaultyGame { name, log: played.log.clone(), faults, commands, permits, evidence });
    }
}

/// The games of one loop: from the queue to its packer.
struct LoopSource {
    loops: Arc<Loops>,
    index: usize,
    /// A game that did not find room yet.
    next: Option<PlannedGame>,
    in_play: BTreeMap<u64, (PlannedGame, packer::SendPermit)>,
    to_packer: Rc<packer::PackerSender>,
}

impl GameSource for LoopSource {
    fn next(&mut self, occupancy: &dyn Occupancy) -> Result<NextGame> {
        let Loops { plan, queue, shutdown, .. } = &*self.loops;
        if shutdown.state() != RunState::On {
            return Ok(NextGame::Over);
        }
        let game = match self.next.take().map_or_else(|| queue.take(), Taken::Game) {
            Taken::Game(game) => game,
            Taken::Later => return Ok(NextGame::Later),
            Taken::Over => return Ok(NextGame::Over),
        };
        let place = match occupancy.playing() < self.loops.room(occupancy, self.index, &game) {
            true => self.to_packer.place()?,
            false => None,
        };
        let Some(place) = place else {
            self.next = Some(game);
            return Ok(NextGame::Later);
        };
        let number = game.index;
        let config = plan.table(&game, queue.is_last_of_deal(&game));
        let name = game.id().0.to_string();
        let span = log::game_span(&name);
        self.in_play.insert(number, (game, place));
        Ok(NextGame::Game(Box::new(NewGame { number, name, config, span })))
    }

    fn finished(&mut self, number: u64, played: Played) -> Result<()> {
        let (game, place) = self.in_play.remove(&number).context("a game is over that was not begun")?;
        place.send((game, played));
        Ok(())
    }
}

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
/// somebody has asked for another agent, if `reread` finds that sound. Waits for `over` to be closed: who asks to stop meanwhile need not
/// wait for the end of a round.
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
    let mut asked = Asked::Nothing;
    while over.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        if requests.stop.is_made() {
            shutdown.raise(RunState::Finish);
            print_stderr!("maumau: asked to stop: finishing the games in play");
            requests.stop.withdraw()?;
            return Ok(Asked::Stop);
        }
        if matches!(asked, Asked::Change(_)) {
            continue;
        }
        let Some(change) = requests.change.pending() else { continue };
        let sound = reread(settings, &change).and_then(|(settings, news)| Ok((RunPlan::new(settings)?, news)));
        match sound {
            Ok((plan, news)) => {
                pauses.store(true, Ordering::Relaxed);
                asked = Asked::Change(Box::new(SoundChange { plan, news }));
            }
            Err(error) => requests.change.answer(&ChangeAnswer::Refused(format!("{error:#}")))?,
        }
    }
    Ok(asked)
}
