//! The collector: reads results, checks each log by playing it once more, and writes the run file; where games follow from
//! rounds, it decides them and publishes their units. It may be killed and started again at any time: what is in the run file is
//! there, and everything else is read again.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use maumau_cluster::ledger::{After, Arrival, UnitLedger};
use maumau_cluster::nats::{Arrived, Hub, Results, ServerAccess, Work};
use maumau_cluster::unit::Sha;
use maumau_cluster::words::{Failures, Head, UnitFailure};
use maumau_referee::Verifier;
use maumau_run::error::usage;
use maumau_run::io::progress::ProgressLine;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::league::{Rounds, RoundsEnd};
use maumau_run::run_store::{HostShare, RunPlan, RunSettings, RunStore, RunWriter, StoredGame, game_codec};
use maumau_run::runner::{RunState, ShutdownSignal, with_signals};
use maumau_tournament::{Plan, Tally};

use super::runtime;
use super::submitted::Submitted;
use super::units::{cut, games, unit};

/// Games that are committed together, at most, and how long a commit waits for more.
const COMMIT: usize = 8_192;
const LINGER: Duration = Duration::from_millis(200);
/// How long to wait for a result before looking after other things.
const WAIT: Duration = Duration::from_millis(500);
/// Results that are being checked at once, for each processor.
const CHECKS: usize = 4;
/// Results of rounds that are not known yet, at most.
const EARLY: usize = 4_096;
/// Units without a worker, a result or a failure for so long are published again.
const LOST: Duration = Duration::from_secs(3);

/// What a collector did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collection {
    /// Games in the run file, new ones among them, and all that are planned so far.
    pub(crate) games: u64,
    pub(crate) new: u64,
    pub(crate) planned: u64,
    /// Results that were refused: what was wrong.
    pub(crate) refused: Vec<String>,
    /// Units that are given to no worker any more.
    pub(crate) parked: Vec<(u64, Failures)>,
    /// True if all games are there.
    pub(crate) is_whole: bool,
    /// Why it ended, where its games follow from rounds.
    pub(crate) end: Option<&'static str>,
    pub(crate) interrupted: bool,
}

/// Writes the results of the run `name` into the file at `to`; with `now`, only those that are there. `is_there` is called once the
/// file can be read.
///
/// # Errors
/// The server cannot be reached, has no such run, or the file holds another run or cannot be written.
pub(crate) fn collect(
    access: &ServerAccess,
    name: &str,
    to: &Path,
    now: bool,
    quiet: bool,
    is_there: impl FnOnce() -> Result<()>,
) -> Result<Collection> {
    let runtime = runtime(1)?;
    let (hub, run) = runtime.block_on(async {
        let hub = Hub::connect(access).await?;
        let run = Submitted::find(&hub, name).await?;
        Ok::<_, anyhow::Error>((hub, run))
    })?;
    let (writer, plan) = RunWriter::open(to, |stored| {
        if let Some(stored) = stored {
            refuse_other(stored, &run.plan.settings, name, to)?;
        }
        Ok(run.plan.settings.clone())
    })?;
    is_there()?;
    let shutdown = ShutdownSignal::default();
    let (collected, interrupted) = with_signals(&shutdown, None, || {
        runtime.block_on(async {
            let mut collector = Collector::open(&hub, run, writer, plan, quiet).await?;
            collector.run(now, &shutdown).await
        })
    })?;
    Ok(Collection { interrupted, ..collected? })
}

/// Refuses a file that holds other games.
fn refuse_other(stored: &RunSettings, wanted: &RunSettings, name: &str, to: &Path) -> Result<()> {
    if stored == wanted {
        return Ok(());
    }
    let differences = stored.differences(wanted);
    let differences = if differences.is_empty() { "its agents are others".to_owned() } else { differences.join("; ") };
    bail!(usage(format!(
        "{} holds a run of other games than {name}: {differences}. Name another file with --to",
        to.display()
    )))
}

struct Collector<'a> {
    hub: &'a Hub,
    run: Arc<Submitted>,
    writer: RunWriter,
    /// The run's games, with the rounds that are known.
    plan: RunPlan,
    pairings: Plan,
    tally: Tally,
    rounds: Rounds,
    ledger: UnitLedger,
    /// Each unit: its number, its first game, its games.
    units: Vec<(u64, u64, u64)>,
    /// Units that are published once all results that are there have been read.
    unpublished: Vec<u64>,
    results: Results,
    work: Work,
    ready: Vec<(u64, Vec<StoredGame>, HostShare)>,
    /// Results of units of rounds that are not decided here yet: another collector was faster.
    early: Vec<Arrived>,
    before: u64,
    refused: Vec<String>,
    progress: Option<ProgressLine>,
}

/// A result that has been looked at: its games, or why it is refused.
pub(super) struct Checked {
    pub(super) sequence: u64,
    pub(super) number: u64,
    pub(super) outcome: Result<(Vec<StoredGame>, HostShare), String>,
    pub(super) worker: String,
}

impl<'a> Collector<'a> {
    async fn open(
        hub: &'a Hub,
        run: Submitted,
        mut writer: RunWriter,
        plan: RunPlan,
        quiet: bool,
    ) -> Result<Collector<'a>> {
        let (mut tally, _) = writer.tally(&plan)?;
        let mut rounds = Rounds::open(&writer, &plan)?;
        let known = writer.rounds()?;
        let fresh = rounds.advance(&mut writer)?;
        fresh.iter().for_each(|round| tally.extend(round));
        let before = writer.games();
        let (results, work) = (Results::of(hub, &run.name).await?, Work::of(hub, &run.name, &run.manifest).await?);
        let planned = plan.standings(&tally).planned;
        let mut collector = Collector {
            hub,
            ledger: UnitLedger::new(run.manifest.park_after),
            run: Arc::new(run),
            writer,
            pairings: plan.settings.league.pairings()?,
            plan,
            tally,
            rounds,
            units: Vec::new(),
            unpublished: Vec::new(),
            results,
            work,
            ready: Vec::new(),
            early: Vec::new(),
            before,
            refused: Vec::new(),
            progress: (!quiet).then(|| ProgressLine::new("collect", planned)),
        };
        if collector.plan.settings.league.has_rounds() {
            known.iter().chain(&fresh).for_each(|round| {
                let from = collector.pairings.len();
                collector.pairings.extend(round);
                collector.add_units(from);
            });
        } else {
            collector.add_units(0);
        }
        // Parked units are not published again, except by a submit.
        for (number, failures) in hub.failures(&collector.run.name).await? {
            collector.ledger.learn(number, failures);
        }
        Ok(collector)
    }

    /// Adds the units of the games from number `from` on.
    fn add_units(&mut self, from: u64) {
        let next = self.units.len() as u64;
        for (number, first, games) in cut(&self.pairings, from, self.pairings.len(), self.run.manifest.unit_games, next)
        {
            let is_missing =
                |index: u64| !self.tally.is_counted(index) && self.plan.is_open(&self.pairings.game(index));
            let is_done = !(first..first + games).any(is_missing);
            self.units.push((number, first, games));
            self.ledger.add(is_done);
            self.unpublished.extend((!is_done).then_some(number));
        }
    }

    async fn run(&mut self, now: bool, shutdown: &ShutdownSignal) -> Result<Collection> {
        let (cpus, mut stop) = (maumau_run::runner::processors().len(), shutdown.watch());
        let (mut idle, mut reading) = (Some(self.results.read()), FuturesUnordered::new());
        let mut checking = FuturesUnordered::new();
        let mut waiting: std::collections::VecDeque<Arrived> = std::collections::VecDeque::new();
        let (mut committed, mut has_caught_up) = (Instant::now(), false);
        let mut quiet_since = Instant::now();
        let mut looked = Instant::now();
        let interrupted = loop {
            let (now_known, early) =
                std::mem::take(&mut self.early).into_iter().partition(|early| self.is_known(early.number));
            self.early = early;
            waiting.extend::<Vec<_>>(now_known);
            while checking.len() < CHECKS * cpus
                && let Some(arrived) = waiting.pop_front()
            {
                if let Some((number, id)) = self.sort(&arrived).await {
                    let (run, cut) = (Arc::clone(&self.run), self.units[number as usize]);
                    let wanted = unit(&self.plan, &self.pairings, cut);
                    checking.push(tokio::task::spawn_blocking(move || check(&run, &wanted, &id, arrived)));
                }
            }
            let is_due = self.ready.iter().map(|(_, games, _)| games.len()).sum::<usize>() >= COMMIT
                || !self.ready.is_empty() && committed.elapsed() >= LINGER;
            if is_due {
                self.commit().await?;
                committed = Instant::now();
                quiet_since = committed;
            }
            let is_idle = has_caught_up && checking.is_empty() && waiting.is_empty() && self.ready.is_empty();
            if is_idle {
                self.publish().await;
                let is_over = self.ledger.open().next().is_none();
                if is_over && (self.is_complete() || self.ledger.parked().next().is_some()) || now {
                    break false;
                }
                if quiet_since.elapsed() >= LOST && looked.elapsed() >= LOST {
                    looked = Instant::now();
                    self.look_after_lost().await;
                }
            }
            if waiting.is_empty()
                && let Some(reader) = idle.take()
            {
                reading.push(reader.next(WAIT));
            }
            tokio::select! {
                _ = stop.wait_for(|state| *state == RunState::Stop) => break true,
                Some(checked) = checking.next() => {
                    self.take(checked.context("a check of a result")?).await;
                }
                Some((reader, read)) = reading.next() => {
                    idle = Some(reader);
                    match read {
                        Ok(arrived) => {
                            has_caught_up |= arrived.is_empty();
                            waiting.extend(arrived);
                        }
                        // The connection is being made again; the reader goes on where it was.
                        Err(_) => tokio::time::sleep(WAIT).await,
                    }
                }
            }
        };
        self.commit().await?;
        self.progress.iter().for_each(ProgressLine::end);
        let standings = self.plan.standings(&self.tally);
        Ok(Collection {
            games: standings.games,
            new: standings.games - self.before,
            planned: standings.planned,
            refused: std::mem::take(&mut self.refused),
            parked: self.ledger.parked().map(|(number, failures)| (number, failures.clone())).collect(),
            is_whole: self.is_complete(),
            end: self.rounds.end().map(RoundsEnd::text),
            interrupted,
        })
    }

    /// True if no games are missing, and no round follows.
    fn is_complete(&self) -> bool {
        let standings = self.plan.standings(&self.tally);
        standings.games == standings.planned && (self.rounds.end().is_some() || !self.plan.settings.league.has_rounds())
    }

    /// True if the games follow from rounds, and more may come.
    fn awaits_rounds(&self) -> bool {
        self.rounds.end().is_none() && self.plan.settings.league.has_rounds()
    }

    /// True if it is known now what a result of this unit is.
    fn is_known(&self, number: Option<u64>) -> bool {
        number.is_none_or(|number| number < self.ledger.units()) || !self.awaits_rounds()
    }

    /// The unit of a result that is to be checked, and the id of its message; others are dealt with here.
    async fn sort(&mut self, arrived: &Arrived) -> Option<(u64, Option<String>)> {
        match arrived.number.map(|number| (number, self.ledger.arrival(number))) {
            Some((_, Arrival::Again)) => None,
            Some((number, Arrival::First)) => Some((number, arrived.id.clone())),
            Some((_, Arrival::Foreign)) if self.awaits_rounds() && self.early.len() < EARLY => {
                self.early.push(arrived.clone());
                None
            }
            Some((number, Arrival::Foreign)) => {
                self.refuse(arrived.sequence, None, format!("a result of unit {number}, which the run does not have"))
                    .await;
                None
            }
            None => {
                self.refuse(arrived.sequence, None, "a result of no unit".to_owned()).await;
                None
            }
        }
    }

    /// Takes a checked result.
    async fn take(&mut self, checked: Checked) {
        let Checked { sequence, number, outcome, worker } = checked;
        match outcome {
            Ok((games, share)) => self.ready.push((number, games, share)),
            Err(why) => {
                let failure = UnitFailure { worker: worker.clone(), why: format!("its result was refused: {why}") };
                let said = format!("unit {number}, said to be of {}: {why}", Untrusted::new(&worker).terminal());
                self.refuse(sequence, Some((number, failure)), said).await;
            }
        }
    }

    /// Removes a result, names what is wrong with it, and has its unit played again.
    async fn refuse(&mut self, sequence: u64, unit_failed: Option<(u64, UnitFailure)>, why: String) {
        print_stderr!("maumau: refused: {why}");
        self.refused.push(why);
        self.results.remove(sequence).await;
        let Some((number, failure)) = unit_failed else { return };
        let park_after = self.run.manifest.park_after;
        let mut after = self.ledger.fail(number, failure.clone());
        // What the server keeps is what others see; if it does not answer, this collector's own count decides.
        let kept = self.hub.fail(&self.run.name, number, |failures| {
            failures.list.push(failure.clone());
            after = maumau_cluster::ledger::decide(failures, park_after);
        });
        if let Ok(failures) = kept.await {
            self.ledger.learn(number, failures);
        }
        if after == After::Retry {
            self.unpublished.push(number);
        }
    }

    /// Writes what is ready into the run file, and decides the rounds that follow.
    async fn commit(&mut self) -> Result<()> {
        let ready = std::mem::take(&mut self.ready);
        if ready.is_empty() {
            return Ok(());
        }
        let (mut games, mut shares) = (Vec::new(), Vec::new());
        for (number, played, share) in ready {
            // Two results of one unit may have been checked at once.
            if self.ledger.arrival(number) == Arrival::First {
                // A file that was collected by a killed process holds whole units; one that was played holds any games.
                games.extend(played.into_iter().filter(|game| !self.tally.is_counted(game.number())));
                shares.push(share);
                self.ledger.is_done(number);
            }
        }
        tokio::task::block_in_place(|| {
            self.writer.add_hosts(&shares);
            games.chunks(COMMIT).try_for_each(|games| self.writer.add(games))
        })?;
        for game in &games {
            self.tally.add(&game.finished())?;
        }
        self.rounds.take(&games);
        for round in self.rounds.advance(&mut self.writer)? {
            self.tally.extend(&round);
            let from = self.pairings.len();
            self.pairings.extend(&round);
            self.add_units(from);
        }
        if let Some(progress) = &self.progress {
            progress.is_at(self.writer.games(), self.refused.len() as u64);
        }
        Ok(())
    }

    /// Publishes the units that have no result.
    async fn publish(&mut self) {
        let numbers = std::mem::take(&mut self.unpublished);
        let open = numbers.into_iter().filter(|number| self.ledger.arrival(*number) == Arrival::First);
        let open = open.filter(|number| !self.ledger.failures(*number).is_some_and(|failures| failures.parked));
        let units: Vec<_> = open.map(|number| unit(&self.plan, &self.pairings, self.units[number as usize])).collect();
        if !units.is_empty() {
            self.work.publish(units).await;
        }
    }

    /// Looks for units that nobody has: parked ones are learnt of, and lost ones published again.
    async fn look_after_lost(&mut self) {
        let (Ok(counts), Ok(failures)) = (self.work.counts().await, self.hub.failures(&self.run.name).await) else {
            return;
        };
        for (number, failures) in failures {
            self.ledger.learn(number, failures);
        }
        if counts.waiting + counts.in_hand == 0 {
            self.unpublished.extend(self.ledger.open());
        }
    }
}

thread_local! {
    /// Rules are compiled once.
    static VERIFIER: RefCell<Verifier> = RefCell::default();
}

/// Checks a result: it is of this unit, and each log plays to the digest, the result and the faults that it says.
pub(super) fn check(
    run: &Submitted,
    wanted: &maumau_cluster::unit::Unit,
    id: &Option<String>,
    arrived: Arrived,
) -> Checked {
    let mut worker = "an unknown worker".to_owned();
    let outcome = (|| {
        let bytes = arrived.bytes.context("its bytes are not there, or are others than it names")?;
        let digest = Sha::of(&bytes);
        ensure!(id.as_deref() == Some(digest.digits()), "it was changed on the way: its digest is {}", digest.short());
        let (head, packed) = Head::split(&bytes)?;
        worker.clone_from(&head.worker.name);
        ensure!(
            head.number == wanted.number && head.unit == wanted.id(run.digest()),
            "it is of another unit or another run"
        );
        let expected = games(&run.plan, wanted)?;
        let mut next = expected.iter();
        let played = game_codec::read(packed, |number| {
            let game = next.next().context("it has more games than its unit")?;
            ensure!(game.index == number, "it has the game number {number} in the place of {}", game.id().0);
            Ok(game.clone())
        })?;
        ensure!(played.len() == expected.len(), "it has {} of {} games", played.len(), expected.len());
        VERIFIER.with_borrow_mut(|verifier| {
            played.iter().try_for_each(|game| {
                game.verify(&run.plan, verifier).map(drop).with_context(|| format!("the game {}", game.id()))
            })
        })?;
        let share = HostShare::of(&head.worker.name, &head.worker.class, head.load_milli, &played);
        Ok::<_, anyhow::Error>((played, share))
    })();
    let outcome = outcome.map_err(|error| format!("{error:#}"));
    Checked { sequence: arrived.sequence, number: wanted.number, outcome, worker }
}
