//! Lends games of a run that is played here to the workers of a server. For the workers the games are a run like any other; here they
//! are few at a time, so that a round ends soon after its last game. Whatever becomes of the server, lent games come back: they
//! are played here then.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use maumau_cluster::nats::{Arrived, Hub, LastReport, Results, ServerAccess, Work};
use maumau_cluster::unit::Sha;
use maumau_cluster::words::{Manifest, SCHEMA, Travel, WorkerState};
use maumau_run::io::untrusted::Untrusted;
use maumau_run::io::wall_clock::now_ms;
use maumau_run::io::{entropy, format::counted};
use maumau_run::league::{Lender, Lending};
use maumau_run::run_store::RunPlan;
use maumau_tournament::PlannedGame;
use tokio::time::{sleep, timeout};

use super::collect::{Checked, check};
use super::status::SILENT_S;
use super::submitted::{Submitted, to_bytes};
use super::units::unit_of;
use super::{runtime, travel};

/// About how many games a unit has.
const UNIT_GAMES: usize = 8;
/// Units that wait for each worker at least, and for all together at most.
const UNITS_AHEAD: u64 = 2;
const MOST_AHEAD: u64 = 512;
/// Seconds after which the unit of a worker that is not heard of goes to another one, or comes back.
const LEASE_S: u64 = 30;
/// A unit that so many workers have not handed in comes back.
const PARK_AFTER: u32 = 2;
/// How often workers are counted and units published, and how often failures are read.
const LOOK_EVERY: Duration = Duration::from_millis(500);
const FAILURES_EVERY: Duration = Duration::from_secs(3);
/// How long to wait for a result, or for units that come back.
const WAIT: Duration = Duration::from_millis(300);
/// A server that has not answered for so long is away: what is lent comes back.
const AWAY: Duration = Duration::from_secs(10);
/// How long until a server that was away is tried again, and how often one looks whether the run goes on meanwhile.
const AGAIN: Duration = Duration::from_secs(5);
const NAP: Duration = Duration::from_millis(100);

/// Lends games to the workers of a server.
pub(crate) struct NatsLender {
    access: ServerAccess,
    /// What the names of its runs on the server begin with.
    prefix: String,
}

impl NatsLender {
    /// For the run file `run`; the server is asked whether it is there.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub(crate) fn new(access: ServerAccess, run: &Path) -> Result<NatsLender> {
        let place = std::path::absolute(run).context("the path of the run file")?;
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let digest = Sha::of_parts(&[b"lent", host.as_bytes(), place.as_os_str().as_encoded_bytes()]);
        let plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-' || *c == '_';
        let stem = run.file_stem().unwrap_or_default().to_string_lossy();
        let stem: String = stem.chars().filter(plain).take(20).collect();
        runtime(1)?.block_on(Hub::connect(&access))?;
        Ok(NatsLender { access, prefix: format!("{stem}-{}-", digest.short()) })
    }

    /// Puts the run on the server under a name of its own, so that no late result of an earlier one is taken for one of it; those earlier
    /// ones are removed.
    async fn open(&self, plan: &Arc<RunPlan>, agents: &Agents) -> Result<Lent> {
        let hub = Hub::connect(&self.access).await?;
        for (name, _) in hub.runs().await?.into_iter().filter(|(name, _)| name.starts_with(&self.prefix)) {
            hub.remove_run(&name).await?;
        }
        for archive in &agents.archives {
            hub.put_object(archive).await?;
        }
        let manifest = Manifest {
            schema: SCHEMA.to_owned(),
            run: hub.put_object(&to_bytes(&plan.settings)?).await?,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            games: None,
            units: None,
            unit_games: UNIT_GAMES as u64,
            lease_s: LEASE_S,
            park_after: PARK_AFTER,
            agents: agents.travel.clone(),
            submitted_ms: now_ms(),
        };
        let random: String = entropy::fresh()?[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        let name = format!("{}{random}", self.prefix);
        hub.add_run(&name, &manifest).await?;
        let (results, work) = (Results::of(&hub, &name).await?, Work::of(&hub, &name, &manifest).await?);
        let run = Arc::new(Submitted { name, manifest, plan: Arc::clone(plan) });
        Ok(Lent {
            hub,
            run,
            work,
            results,
            units: BTreeMap::new(),
            next: 0,
            workers: 0,
            ahead: 0,
            failures_read: Instant::now(),
        })
    }

    /// Lends games until the run is over, or the server is away.
    async fn lend_once(&self, plan: &Arc<RunPlan>, agents: &Agents, lending: &Lending) -> Result<()> {
        let mut lent = timeout(AWAY, self.open(plan, agents)).await.context("it does not answer")??;
        let done = lent.lend(lending, &self.access.url).await;
        lent.units.into_values().for_each(|games| lending.give_back(games));
        if timeout(AWAY, lent.hub.remove_run(&lent.run.name)).await.is_ok_and(|removed| removed.is_ok()) {
            return done;
        }
        done.context("the lent run stays on the server until games of it are lent again")
    }
}

impl Lender for NatsLender {
    fn lend(&self, plan: &Arc<RunPlan>, lending: &Lending) -> Result<()> {
        let agents = match Agents::of(plan) {
            Ok(agents) => agents,
            Err(error) => {
                print_stderr!("maumau: all games are played here: {error:#}");
                return Ok(());
            }
        };
        runtime(1)?.block_on(async {
            while lending.goes_on() {
                if let Err(error) = self.lend_once(plan, &agents, lending).await {
                    print_stderr!("maumau: lending no games: {error:#}");
                }
                let since = Instant::now();
                while lending.goes_on() && since.elapsed() < AGAIN {
                    sleep(NAP).await;
                }
            }
        });
        Ok(())
    }
}

/// The agents of a run, ready to travel.
struct Agents {
    travel: Vec<Travel>,
    archives: Vec<Vec<u8>>,
}

impl Agents {
    /// # Errors
    /// One of them cannot travel.
    fn of(plan: &RunPlan) -> Result<Agents> {
        let (mut travel, mut archives) = (Vec::new(), Vec::new());
        for agent in &plan.settings.league.agents {
            // No worker needs what plays no more.
            if agent.life.retired {
                travel.push(Travel::Installed);
                continue;
            }
            let packed = travel::pack(agent, false)?;
            travel.push(packed.travel);
            archives.extend(packed.bytes);
        }
        Ok(Agents { travel, archives })
    }
}

/// What is lent of a run with the same agents.
struct Lent {
    hub: Hub,
    run: Arc<Submitted>,
    work: Work,
    results: Results,
    /// The games of each unit that has not come back.
    units: BTreeMap<u64, Vec<PlannedGame>>,
    /// The number of the next unit.
    next: u64,
    /// Workers that would play.
    workers: usize,
    /// Units that are to wait for workers: more while they find none left, fewer while many are left.
    ahead: u64,
    failures_read: Instant,
}

impl Lent {
    async fn lend(&mut self, lending: &Lending, url: &str) -> Result<()> {
        let (mut reader, mut answered, mut looked) = (self.results.read(), Instant::now(), None::<Instant>);
        while lending.goes_on() {
            if looked.is_none_or(|looked| looked.elapsed() >= LOOK_EVERY) {
                looked = Some(Instant::now());
                timeout(AWAY, self.look(lending, url)).await.context("the server does not answer")??;
            }
            let (next, read) = reader.next(WAIT).await;
            reader = next;
            match read {
                Ok(arrived) => {
                    answered = Instant::now();
                    for result in arrived {
                        self.take(result, lending).await?;
                    }
                }
                Err(error) if answered.elapsed() >= AWAY => return Err(error),
                // The connection is being made again; the reader goes on where it was.
                Err(_) => sleep(WAIT).await,
            }
        }
        Ok(())
    }

    /// Counts workers, and lends them what they may soon want; without workers, what nobody plays comes back.
    async fn look(&mut self, lending: &Lending, url: &str) -> Result<()> {
        let now_s = now_ms() / 1_000;
        let workers = self.hub.reports().await?.iter().filter(|seen| self.would_play(seen, now_s)).count();
        if workers != self.workers {
            print_stderr!("maumau: lending games to {} of {url}", counted(workers as u64, "worker"));
            self.workers = workers;
        }
        if workers == 0 {
            return self.take_back(lending).await;
        }
        if self.failures_read.elapsed() >= FAILURES_EVERY && !self.units.is_empty() {
            self.failures_read = Instant::now();
            let failures = self.hub.failures(&self.run.name).await?;
            for (number, failures) in failures.into_iter().filter(|(_, failures)| failures.parked) {
                let Some(games) = self.units.remove(&number) else { continue };
                let last = failures.list.last().map_or("", |failure| &failure.why);
                print_stderr!("maumau: unit {number} is played here: {}", Untrusted::new(last).terminal());
                lending.give_back(games);
            }
        }
        let counts = self.work.counts().await?;
        self.ahead = match counts.waiting {
            0 if self.next > 0 => self.ahead * 2,
            waiting if waiting > self.ahead / 2 => self.ahead - self.ahead / 4,
            _ => self.ahead,
        };
        self.ahead = self.ahead.clamp((UNITS_AHEAD * workers as u64).min(MOST_AHEAD), MOST_AHEAD);
        let mut units = Vec::new();
        for _ in counts.waiting..self.ahead {
            let games = lending.take(UNIT_GAMES);
            if games.is_empty() {
                break;
            }
            units.push(unit_of(&self.run.plan, self.next, &games));
            self.units.insert(self.next, games);
            self.next += 1;
        }
        self.work.publish(units).await;
        Ok(())
    }

    /// Whether a worker plays games of this run, or would.
    fn would_play(&self, LastReport { report, at_s }: &LastReport, now_s: u64) -> bool {
        let is_free = match &report.doing {
            WorkerState::Idle => true,
            WorkerState::Playing(run) => *run == self.run.name,
            WorkerState::Drained(_) | WorkerState::Left => false,
        };
        let refuses = report.refuses.iter().any(|(run, _)| *run == self.run.name);
        is_free && !refuses && now_s.saturating_sub(*at_s) <= SILENT_S
    }

    /// Takes back units that wait for a worker, or whose worker has not been heard of for longer than its lease.
    async fn take_back(&mut self, lending: &Lending) -> Result<()> {
        if self.units.is_empty() {
            return Ok(());
        }
        for delivery in self.work.take(self.units.len() as u64, WAIT).await? {
            delivery.done().await?;
            if let Some(games) = self.units.remove(&delivery.unit.number) {
                lending.give_back(games);
            }
        }
        Ok(())
    }

    /// Takes a result: its games go into the run file if each log plays to what it says, and are played here if not.
    async fn take(&mut self, arrived: Arrived, lending: &Lending) -> Result<()> {
        let (results, sequence) = (self.results.clone(), arrived.sequence);
        // Whether this comes to the server matters to nobody but its disk.
        drop(tokio::spawn(async move { results.remove(sequence).await }));
        // Another one is of a unit that has come back already.
        let Some((number, games)) = arrived.number.and_then(|number| self.units.remove_entry(&number)) else {
            return Ok(());
        };
        let (run, wanted, id) = (Arc::clone(&self.run), unit_of(&self.run.plan, number, &games), arrived.id.clone());
        let checked = tokio::task::spawn_blocking(move || check(&run, &wanted, &id, arrived)).await;
        let Checked { outcome, worker, .. } = checked.context("a check of a result")?;
        match outcome {
            // If the run file takes no more games its own error says more.
            Ok((played, share)) => _ = tokio::task::block_in_place(|| lending.finish(played, share)),
            Err(why) => {
                let worker = Untrusted::new(&worker).terminal();
                print_stderr!("maumau: refused: unit {number}, said to be of {worker}: {why}; it is played here");
                lending.give_back(games);
            }
        }
        Ok(())
    }
}
