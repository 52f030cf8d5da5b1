//! The report of a run for its pages. Nobody waits for it: until it has been computed, in the background, pages show the standings
//! alone; and while a run is played, the report of a moment ago. How it is computed, and how it looks, is not known here.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use maumau_report::{keep, kept, kept_state, partial_report, run_report, with_decisions};
use maumau_run::agent::resource_limits;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::RunFile;
use maumau_web::game::Hands;
use maumau_web::report::RunReport;

/// How long a page waits for a report that is being computed: that of a small run is there by then.
const PATIENCE: Duration = Duration::from_millis(100);

/// Nobody waits for the report of a run with more games: it takes longer in any case.
const QUICK: u64 = 20_000;

/// Reports of a run that is played are computed this many times as rarely as it takes to compute one.
const REST: u32 = 4;

/// A report that took longer is kept beside the run file.
const WORTH_KEEPING: Duration = Duration::from_secs(1);

/// The reports of one run file.
pub(super) struct Reports {
    path: PathBuf,
    /// Judged decisions say what seats held: they are for readers who may see all hands.
    hands: Hands,
    state: Mutex<State>,
    /// Somebody has computed something.
    computed: Condvar,
}

#[derive(Default)]
struct State {
    /// The newest report, and the digest of the run that it is of, with that of its judged games.
    newest: Option<(String, Arc<RunReport>)>,
    /// The standings alone, likewise.
    partial: Option<(String, Arc<RunReport>)>,
    /// Since when one is being computed.
    computing_since: Option<Instant>,
    /// Before this nothing is computed again.
    rests_until: Option<Instant>,
    /// Why the last one failed.
    failure: Option<String>,
}

impl Reports {
    pub(super) fn new(path: PathBuf, hands: Hands) -> Arc<Reports> {
        Arc::new(Reports { path, hands, state: Mutex::default(), computed: Condvar::new() })
    }

    /// Nothing in it is left half changed by a panic.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a report of `run` as it is now depends on.
    fn digest(&self, run: &RunFile) -> Result<String> {
        let judged = if self.hands == Hands::Open { kept_state(&self.path) } else { String::new() };
        Ok(run.state()? + &judged)
    }

    /// Reads what the first page shows, or begins to compute it, and waits until nothing is being computed.
    ///
    /// # Errors
    /// The run cannot be read.
    pub(super) fn prepare(self: &Arc<Reports>) -> Result<()> {
        self.of(&RunFile::open(&self.path)?)?;
        let state = self.state();
        let waited = self.computed.wait_while(state, |state| state.computing_since.is_some());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }

    /// What is known of `run`, which is the file of these reports.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn of(self: &Arc<Reports>, run: &RunFile) -> Result<Arc<RunReport>> {
        let digest = self.digest(run)?;
        let mut state = self.state();
        if state.newest.is_none()
            && let Some(report) = kept(run)?
        {
            // Without judged games, which are in files of their own.
            state.newest = Some((run.state()?, Arc::new(report)));
        }
        let begin = Instant::now();
        let patience = if run.games()? > QUICK { Duration::ZERO } else { PATIENCE };
        loop {
            if let Some(failure) = state.failure.take() {
                return Err(anyhow!(failure));
            }
            if let Some(report) = of_digest(&state.newest, &digest) {
                return Ok(report);
            }
            let now = Instant::now();
            let rest = state.rests_until.and_then(|until| until.checked_duration_since(now));
            if state.computing_since.is_none() && rest.is_none() {
                self.compute(&mut state)?;
            }
            // What has been computed for a while already is not waited for.
            let since = state.computing_since.unwrap_or(begin).min(begin);
            let Some(patience) = (since + patience).checked_duration_since(now) else { break };
            let wait = match (state.computing_since, rest) {
                (None, Some(rest)) if rest > patience => break,
                (None, Some(rest)) => rest,
                _ => patience,
            };
            state = self.computed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        let partial = match of_digest(&state.partial, &digest) {
            Some(partial) => partial,
            None => Arc::new(partial_report(run)?),
        };
        state.partial = Some((digest, Arc::clone(&partial)));
        // The last standings are exact, whatever else is known.
        let is_over = partial.setting.games == partial.setting.planned;
        Ok(state.newest.as_ref().filter(|_| !is_over).map_or(partial, |(_, report)| Arc::clone(report)))
    }

    /// Computes a report on a thread of its own.
    fn compute(self: &Arc<Reports>, state: &mut State) -> Result<()> {
        let own = Arc::clone(self);
        // Nobody waits for its end: it says so.
        resource_limits::start("report", move || {
            resource_limits::lower_priority();
            let began = Instant::now();
            let computed = own.compute_now();
            let mut state = own.state();
            state.computing_since = None;
            state.rests_until = Some(Instant::now() + began.elapsed() * REST);
            match computed {
                Ok(newest) => (state.newest, state.partial) = (Some(newest), None),
                Err(error) => state.failure = Some(format!("{error:#}")),
            }
            own.computed.notify_all();
        })?;
        state.computing_since = Some(Instant::now());
        Ok(())
    }

    fn compute_now(&self) -> Result<(String, Arc<RunReport>)> {
        let run = RunFile::open(&self.path)?;
        let (began, digest, state) = (Instant::now(), self.digest(&run)?, run.state()?);
        let before = kept(&run)?;
        let is_new = before.is_none();
        let report = before.map_or_else(|| run_report(&run, None), Ok)?;
        if is_new
            && run.state()? == state
            && began.elapsed() > WORTH_KEEPING
            && let Err(error) = keep(&run, state, &report)
        {
            print_stderr!(
                "maumau: the next `serve` computes its tables again: {}",
                Untrusted::new(&format!("{error:#}")).terminal()
            );
        }
        let report = if self.hands == Hands::Open { with_decisions(report, &run)? } else { report };
        let is_still_so = self.digest(&run)? == digest;
        // Games that came meanwhile are in it or not; the next one has them.
        Ok((if is_still_so { digest } else { String::new() }, Arc::new(report)))
    }
}

fn of_digest(report: &Option<(String, Arc<RunReport>)>, digest: &str) -> Option<Arc<RunReport>> {
    report.as_ref().filter(|(own, _)| own == digest).map(|(_, report)| Arc::clone(report))
}
