//! A worker: takes units from the server, has their games played, hands the results in. It ties the connection, the queue and the
//! loops together; what a result must be is known by the collector.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use maumau_cluster::blame::HostBlame;
use maumau_cluster::ledger::{After, decide};
use maumau_cluster::nats::{Counts, Hub, Published, Results, ServerAccess, UnitDelivery, Work};
use maumau_cluster::words::{Head, Manifest, SCHEMA, UnitFailure, Worker, WorkerReport, WorkerState};
use maumau_run::agent::{Sandbox, SandboxWishes};
use maumau_run::io::untrusted::Untrusted;
use maumau_run::league::{PlayOptions, UnitPlay, play_units};
use maumau_run::run_store::{RunPlan, StoredGame, game_codec};
use maumau_run::runner::{AgentSpec, LAST_GAMES, RunState, ShutdownSignal, with_signals};
use tokio::sync::{mpsc, watch};

use super::accepted::Accepted;
use super::host;
use super::submitted::Submitted;
use super::travel::{self, AgentFolders};
use super::unit_queue::{UnitQueue, Whole};
use super::{runtime, units};

/// How long to wait for units before looking after other things.
const WAIT: Duration = Duration::from_secs(1);
/// How often leases are looked after, and a report is made.
const RENEW_EVERY: Duration = Duration::from_millis(500);
const REPORT_EVERY: Duration = Duration::from_secs(2);
/// How long a run without units is waited for: its next round may come.
const PATIENCE: Duration = Duration::from_secs(3);

/// What a worker has and may do.
pub(crate) struct WorkerConfig {
    /// The server.
    pub(crate) access: ServerAccess,
    /// The runs to play; empty = all.
    pub(crate) runs: Vec<String>,
    /// The processors, and games at once.
    pub(crate) play_options: PlayOptions,
    /// A folder with agents, by their names.
    pub(crate) agents: Option<PathBuf>,
    /// Where archives of agents are unpacked.
    pub(crate) cache: PathBuf,
    /// The user that agents run as.
    pub(crate) sandbox_user: Option<String>,
    /// What agents see of the system, if not all, in memory.
    pub(crate) in_memory: Vec<PathBuf>,
    /// What it accepts of runs.
    pub(crate) accepted: Accepted,
    /// Files that no agent may read.
    pub(crate) private: Vec<PathBuf>,
    /// True to end once there is nothing to do.
    pub(crate) until_idle: bool,
}

/// How a worker ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Worked {
    /// Units handed in.
    pub(crate) units: u64,
    /// Games handed in.
    pub(crate) games: u64,
    /// Runs that could not be played here, and why.
    pub(crate) refused: Vec<(String, String)>,
    /// Why it takes no more units, if its host is to blame.
    pub(crate) drained: Option<String>,
    /// True if it was interrupted.
    pub(crate) interrupted: bool,
}

type Queue = UnitQueue<Arc<UnitDelivery>>;

/// What this worker reports about itself.
struct ReportedWork {
    worker: Worker,
    units: AtomicU64,
    games: AtomicU64,
    blame: Mutex<HostBlame>,
    refused: Mutex<BTreeMap<String, String>>,
}

impl ReportedWork {
    fn blame(&self) -> HostBlame {
        *self.blame.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refused(&self) -> Vec<(String, String)> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone().into_iter().collect()
    }

    fn report(&self, doing: WorkerState, queue: Option<&Queue>) -> WorkerReport {
        let HostBlame { answers, void } = self.blame();
        WorkerReport {
            schema: SCHEMA.to_owned(),
            worker: self.worker.clone(),
            doing,
            refuses: self.refused(),
            in_hand: queue.map_or(Vec::new(), Queue::ages_s),
            units: self.units.load(Ordering::Relaxed),
            games: self.games.load(Ordering::Relaxed),
            games_per_s_milli: queue.map_or(0, Queue::speed_milli),
            answers,
            void,
            load_milli: host::load_milli(),
        }
    }
}

/// Works until there is nothing to do, or forever.
///
/// # Errors
/// The server cannot be reached at the beginning, or this machine failed.
pub(crate) fn work(config: &WorkerConfig) -> Result<Worked> {
    let runtime = runtime(1)?;
    let hub = runtime.block_on(Hub::connect(&config.access))?;
    let reported_work = Arc::new(ReportedWork {
        worker: host::this_worker(config.play_options.cpus.len())?,
        units: AtomicU64::new(0),
        games: AtomicU64::new(0),
        blame: Mutex::default(),
        refused: Mutex::default(),
    });
    print_stderr!("maumau: working as {} for {}", reported_work.worker.name, config.access.url);
    let shutdown = ShutdownSignal::default();
    let (worked, interrupted) = with_signals(&shutdown, Some(LAST_GAMES), || {
        let on =
            WorkerLoop { config, runtime: &runtime, hub: &hub, reported_work: &reported_work, shutdown: &shutdown };
        on.work()
    })?;
    let drained = reported_work.blame().verdict();
    let doing = drained.clone().map_or(WorkerState::Left, WorkerState::Drained);
    // Nobody waits for a last word.
    _ = runtime.block_on(hub.report(&reported_work.report(doing, None)));
    worked?;
    Ok(Worked {
        units: reported_work.units.load(Ordering::Relaxed),
        games: reported_work.games.load(Ordering::Relaxed),
        refused: reported_work.refused(),
        drained,
        interrupted,
    })
}

/// A run that this worker can play now.
struct Ready {
    run: Submitted,
    work: Work,
    results: Results,
    agents: Vec<AgentSpec>,
    /// Units that have been taken already.
    taken: Vec<UnitDelivery>,
}

struct WorkerLoop<'a> {
    config: &'a WorkerConfig,
    runtime: &'a tokio::runtime::Runtime,
    hub: &'a Hub,
    reported_work: &'a Arc<ReportedWork>,
    shutdown: &'a ShutdownSignal,
}

impl WorkerLoop<'_> {
    /// Plays the runs that have units, the oldest first.
    fn work(&self) -> Result<()> {
        let mut idle_since: Option<Instant> = None;
        let mut reported: Option<Instant> = None;
        let mut kept = None;
        while self.shutdown.state() == RunState::On && self.reported_work.blame().verdict().is_none() {
            match self.runtime.block_on(self.next_run(&mut kept)) {
                Ok(Some(ready)) => {
                    self.play(ready)?;
                    idle_since = None;
                    continue;
                }
                Ok(None) => {
                    let since = *idle_since.get_or_insert_with(Instant::now);
                    if self.config.until_idle && since.elapsed() >= PATIENCE {
                        break;
                    }
                }
                // The server is away; the connection is made again meanwhile.
                Err(error) => print_stderr!("maumau: waiting for the server: {error:#}"),
            }
            if reported.is_none_or(|last| last.elapsed() >= REPORT_EVERY) {
                reported = Some(Instant::now());
                // The next report says the same.
                _ = self.runtime.block_on(self.hub.report(&self.reported_work.report(WorkerState::Idle, None)));
            }
            let mut stop = self.shutdown.watch();
            self.runtime.block_on(async {
                tokio::select! {
                    _ = stop.wait_for(|state| *state != RunState::On) => {}
                    () = tokio::time::sleep(RENEW_EVERY) => {}
                }
            });
        }
        Ok(())
    }

    /// The oldest run that has units for this worker, with its agents ready to be started. Where all units are in others' hands it asks
    /// for one whose lease has run out, which no count shows, and keeps the run for the next time.
    async fn next_run(&self, kept: &mut Option<Ready>) -> Result<Option<Ready>> {
        for (name, manifest) in self.hub.runs().await? {
            let is_wanted = self.config.runs.is_empty() || self.config.runs.contains(&name);
            let is_refused =
                self.reported_work.refused.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&name);
            if !is_wanted || is_refused {
                continue;
            }
            let work = Work::of(self.hub, &name, &manifest).await?;
            let Counts { waiting, in_hand, .. } = work.counts().await?;
            if waiting + in_hand == 0 {
                continue;
            }
            let is_it = |ready: &mut Ready| ready.run.name == name && ready.run.manifest == manifest;
            let ready = match kept.take_if(is_it) {
                Some(ready) => Some(ready),
                None => self.ready(&name, manifest, work).await?,
            };
            let Some(mut ready) = ready else { continue };
            if waiting > 0 {
                return Ok(Some(ready));
            }
            ready.taken = ready.work.take(1, WAIT).await?;
            if !ready.taken.is_empty() {
                return Ok(Some(ready));
            }
            *kept = Some(ready);
        }
        Ok(None)
    }

    /// Makes a run ready; if it cannot be played here, it is refused from now on.
    async fn ready(&self, name: &str, manifest: Manifest, work: Work) -> Result<Option<Ready>> {
        let run = Submitted::fetch(self.hub, name, manifest).await?;
        match self.prepare(&run).await {
            Ok(agents) => {
                let results = Results::of(self.hub, name).await?;
                Ok(Some(Ready { run, work, results, agents, taken: Vec::new() }))
            }
            Err(error) => {
                let why = format!("{error:#}");
                print_stderr!("maumau: {} cannot be played here: {}", name, Untrusted::new(&why).terminal());
                self.reported_work.refused.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), why);
                Ok(None)
            }
        }
    }

    /// The agents of a run, if this machine gives what they need.
    async fn prepare(&self, run: &Submitted) -> Result<Vec<AgentSpec>> {
        let settings = &run.plan.settings;
        let here = env!("CARGO_PKG_VERSION");
        ensure!(
            run.manifest.program == here,
            "it was submitted by maumau {}, and this is {here}",
            Untrusted::new(&run.manifest.program).terminal()
        );
        ensure!(
            settings.engine == maumau_engine::VERSION,
            "it is played by version {} of the engine, and this is {}",
            settings.engine,
            maumau_engine::VERSION
        );
        let league = &settings.league;
        let playing = || league.agents.iter().filter(|agent| !agent.life.retired);
        self.config.accepted.check(league.sandbox.level, playing())?;
        league.check_secrets()?;
        let sandbox = Sandbox::ready(&SandboxWishes {
            level: league.sandbox.level,
            user: self.config.sandbox_user.clone(),
            memory_mib: league.sandbox.memory_mib,
            private: self.config.private.clone(),
            files_alone: true,
            in_memory: self.config.in_memory.clone(),
        })
        .with_context(|| format!("the sandbox level {}", league.sandbox.level))?;
        let places = AgentFolders { agents: self.config.agents.as_deref(), cache: &self.config.cache };
        let folders = travel::settle(self.hub, &run.plan, &run.manifest, &places).await?;
        let mut settled = RunPlan::clone(&run.plan);
        for (agent, folder) in settled.settings.league.agents.iter_mut().zip(folders) {
            if !agent.life.retired {
                self.config.accepted.check_command(agent, folder.as_deref().map(Path::new))?;
            }
            agent.directory = folder.or(agent.directory.take());
        }
        settled.agents(&sandbox)
    }

    /// Plays units of one run until it has none for a while, or the worker is to end.
    fn play(&self, ready: Ready) -> Result<()> {
        let Ready { run, work, results, agents, taken } = ready;
        print_stderr!("maumau: playing units of {}", run.name);
        let queue: Arc<Queue> = Arc::new(UnitQueue::new(1_000 * run.manifest.lease_s));
        let (whole, handed) = mpsc::unbounded_channel::<Whole<Arc<UnitDelivery>>>();
        let (over, is_over) = watch::channel(false);
        let desk = Arc::new(Desk {
            hub: self.hub.clone(),
            run: run.clone(),
            work,
            results,
            queue: Arc::clone(&queue),
            reported_work: Arc::clone(self.reported_work),
            shutdown: self.shutdown.clone(),
        });
        let feeder = self.runtime.spawn(Arc::clone(&desk).feed(taken));
        let keeper = self.runtime.spawn(Arc::clone(&desk).keep(is_over));
        let clerk = self.runtime.spawn(Arc::clone(&desk).hand_in(handed));
        // The games in play are finished after the first Ctrl-C, since the queue ends then.
        let shutdown = ShutdownSignal::default();
        let piecework = UnitPlay {
            plan: Arc::clone(&run.plan),
            agents,
            queue: Arc::clone(&queue) as _,
            news: queue.news(),
            shutdown: shutdown.clone(),
        };
        let mut stop = self.shutdown.watch();
        self.runtime.spawn(async move {
            if stop.wait_for(|state| *state == RunState::Stop).await.is_ok() {
                shutdown.raise(RunState::Stop);
            }
        });
        let taker = Arc::clone(&queue);
        let played = play_units(piecework, &self.config.play_options, move |game| {
            if let Some(unit) = taker.finish(game)? {
                whole.send(unit).map_err(|_| anyhow!("results are handed in no more"))?;
            }
            Ok(())
        });
        // Whatever ended it, no more units come, and what was played is handed in.
        let back = queue.close();
        let failed = played.as_ref().err().map(|error| format!("{error:#}"));
        self.runtime.block_on(async {
            feeder.await.context("the feeder")?;
            clerk.await.context("the clerk")?;
            for delivery in back {
                // Its lease runs out if this is lost.
                _ = delivery.give_back().await;
            }
            for (number, delivery) in queue.rest() {
                if let Some(why) = &failed {
                    desk.fail(number, why).await;
                }
                _ = delivery.give_back().await;
            }
            over.send_replace(true);
            keeper.await.context("the keeper")
        })?;
        played
    }
}

/// What goes on beside the games: units are fetched, leases renewed, results handed in.
struct Desk {
    hub: Hub,
    run: Submitted,
    work: Work,
    results: Results,
    queue: Arc<Queue>,
    reported_work: Arc<ReportedWork>,
    shutdown: ShutdownSignal,
}

impl Desk {
    fn manifest(&self) -> &Manifest {
        &self.run.manifest
    }

    /// Fetches units as they are wanted, until there are none for a while or the worker is to end; then it closes the queue.
    async fn feed(self: Arc<Self>, taken: Vec<UnitDelivery>) {
        for delivery in taken {
            self.take(delivery).await;
        }
        let mut stop = self.shutdown.watch();
        let mut empty_since: Option<Instant> = None;
        while *stop.borrow() == RunState::On && self.reported_work.blame().verdict().is_none() {
            let wanted = self.queue.wanted(self.manifest().unit_games);
            if wanted == 0 {
                tokio::select! {
                    () = self.queue.changed() => {}
                    _ = stop.wait_for(|state| *state != RunState::On) => break,
                    () = tokio::time::sleep(WAIT) => {}
                }
                continue;
            }
            let taken = tokio::select! {
                taken = self.work.take(wanted, WAIT) => taken,
                _ = stop.wait_for(|state| *state != RunState::On) => break,
            };
            match taken {
                Ok(units) if units.is_empty() => {
                    let since = *empty_since.get_or_insert_with(Instant::now);
                    if self.queue.is_empty() && since.elapsed() >= PATIENCE {
                        break;
                    }
                }
                Ok(units) => {
                    empty_since = None;
                    for delivery in units {
                        self.take(delivery).await;
                    }
                }
                Err(_) if self.hub.is_removed(&self.run.name).await => break,
                // The connection is being made again; what is in hand is played meanwhile.
                Err(_) => tokio::time::sleep(RENEW_EVERY).await,
            }
        }
        for delivery in self.queue.close() {
            _ = delivery.give_back().await;
        }
    }

    /// Takes a unit into the hand, unless it has failed too often.
    async fn take(&self, delivery: UnitDelivery) {
        let number = delivery.unit.number;
        let games = match units::games(&self.run.plan, &delivery.unit) {
            Ok(games) if games.is_empty() => {
                // Nothing of it is to be played any more.
                _ = delivery.done().await;
                return;
            }
            Ok(games) => games,
            Err(error) => {
                self.fail(number, &format!("{error:#}")).await;
                _ = delivery.give_back().await;
                return;
            }
        };
        let is_repeated = delivery.deliveries > 1;
        if is_repeated {
            let others = format!("it was given to a worker {} times without a result", delivery.deliveries - 1);
            match self.fail(number, &others).await {
                Some(After::Park) => {
                    // It is named, and no longer given to workers.
                    _ = delivery.done().await;
                    return;
                }
                Some(After::Retry) => {}
                None => {
                    _ = delivery.give_back().await;
                    return;
                }
            }
        }
        self.queue.add(number, Arc::new(delivery), games, is_repeated);
    }

    /// Takes down a failure of a unit; `None` if the server does not answer.
    async fn fail(&self, number: u64, why: &str) -> Option<After> {
        let failure = UnitFailure { worker: self.reported_work.worker.name.clone(), why: why.to_owned() };
        let mut after = After::Retry;
        let park_after = self.manifest().park_after;
        let taken_down = self.hub.fail(&self.run.name, number, |failures| {
            failures.list.push(failure.clone());
            after = decide(failures, park_after);
        });
        taken_down.await.ok().map(|_| after)
    }

    /// Renews leases and reports what this worker does, until the run is over here.
    async fn keep(self: Arc<Self>, mut is_over: watch::Receiver<bool>) {
        let mut reported: Option<Instant> = None;
        loop {
            for delivery in self.queue.renewals() {
                // If the server is away, the unit may go to another worker; the first result counts.
                _ = delivery.renew().await;
            }
            if reported.is_none_or(|last| last.elapsed() >= REPORT_EVERY) {
                reported = Some(Instant::now());
                let doing = match self.reported_work.blame().verdict() {
                    Some(why) => WorkerState::Drained(why),
                    None => WorkerState::Playing(self.run.name.clone()),
                };
                // A report that is lost is followed by another one.
                _ = tokio::time::timeout(
                    REPORT_EVERY,
                    self.hub.report(&self.reported_work.report(doing, Some(&self.queue))),
                )
                .await;
            }
            tokio::select! {
                _ = is_over.wait_for(|over| *over) => return,
                () = tokio::time::sleep(RENEW_EVERY) => {}
            }
        }
    }

    /// Hands in units as they become whole, several at once; ends when the loops have.
    async fn hand_in(self: Arc<Self>, mut handed: mpsc::UnboundedReceiver<Whole<Arc<UnitDelivery>>>) {
        let mut on_their_way = tokio::task::JoinSet::new();
        while let Some(unit) = handed.recv().await {
            on_their_way.spawn(Arc::clone(&self).hand_in_one(unit));
            while on_their_way.try_join_next().is_some() {}
        }
        on_their_way.join_all().await;
    }

    /// Publishes a unit's result; acknowledges the unit only once that is durable.
    async fn hand_in_one(self: Arc<Self>, unit: Whole<Arc<UnitDelivery>>) {
        let Whole { number, lease, games, took_ms } = unit;
        match self.result(&lease, &games, took_ms) {
            Ok(result) => {
                if self.results.publish(number, result).await != Published::Gone {
                    // If this is lost the unit is played again, and that result comes second.
                    _ = lease.done().await;
                    self.reported_work.units.fetch_add(1, Ordering::Relaxed);
                    self.reported_work.games.fetch_add(games.len() as u64, Ordering::Relaxed);
                }
            }
            Err(error) => {
                self.fail(number, &format!("{error:#}")).await;
                _ = lease.give_back().await;
            }
        }
        self.queue.remove(number);
    }

    /// The result of a unit as it travels.
    fn result(&self, lease: &UnitDelivery, games: &[StoredGame], took_ms: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        games.iter().try_for_each(|game| game_codec::write(game, &mut bytes))?;
        let times = || games.iter().flat_map(|game| &game.times);
        let (answers, void) = (times().map(|times| times.answers).sum(), times().map(|times| times.void).sum());
        self.reported_work.blame.lock().unwrap_or_else(PoisonError::into_inner).add(answers, void);
        let head = Head {
            schema: SCHEMA.to_owned(),
            unit: lease.unit.id(self.run.digest()),
            number: lease.unit.number,
            worker: self.reported_work.worker.clone(),
            load_milli: host::load_milli(),
            took_ms,
        };
        Ok(head.with(&bytes))
    }
}
