//! How runs and workers of a server are doing: what is waiting, in hand, late, parked. It reads and counts; tables are drawn by others.

use std::collections::BTreeMap;

use anyhow::Result;
use maumau_cluster::nats::{Counts, Hub, Results, ServerAccess, Work};
use maumau_cluster::words::{Failures, Manifest, WorkerReport};
use maumau_run::io::wall_clock::now_ms;

use super::runtime;

/// A worker that has said nothing for so many seconds is not heard of.
pub(super) const SILENT_S: u64 = 10;
/// A worker is forgotten if it has said nothing for so many seconds and holds nothing.
const FORGOTTEN_S: u64 = 120;

/// All runs and workers of a server.
pub(crate) struct ClusterStatus {
    /// The runs, the oldest first.
    pub(crate) runs: Vec<RunStatus>,
    /// The workers by their names.
    pub(crate) workers: Vec<WorkerStatus>,
}

/// A run on a server.
pub(crate) struct RunStatus {
    /// Its name.
    pub(crate) name: String,
    /// What was submitted.
    pub(crate) manifest: Manifest,
    /// Units on the server.
    pub(crate) counts: Counts,
    /// Units with results.
    pub(crate) results: u64,
    /// Units that have failed and have no result.
    pub(crate) failures: BTreeMap<u64, Failures>,
    /// Units that have been in the hands of a worker for more than its lease, or whose worker is silent: unit, worker, seconds.
    pub(crate) late: Vec<(u64, String, u64)>,
}

/// A worker.
pub(crate) struct WorkerStatus {
    /// What it said last.
    pub(crate) report: WorkerReport,
    /// Seconds ago.
    pub(crate) seen_s: u64,
}

impl WorkerStatus {
    /// True if it should have said something.
    pub(crate) fn is_silent(&self) -> bool {
        self.seen_s > SILENT_S
    }
}

/// Reads how everything is.
///
/// # Errors
/// The server cannot be reached.
pub(crate) fn status(access: &ServerAccess) -> Result<ClusterStatus> {
    use maumau_cluster::words::WorkerState;
    runtime(1)?.block_on(async {
        let hub = Hub::connect(access).await?;
        let now_s = now_ms() / 1_000;
        let mut workers = Vec::new();
        for seen in hub.reports().await? {
            let seen_s = now_s.saturating_sub(seen.at_s);
            let has_left = seen.report.doing == WorkerState::Left;
            if !has_left && (seen_s <= FORGOTTEN_S || !seen.report.in_hand.is_empty()) {
                workers.push(WorkerStatus { report: seen.report, seen_s });
            }
        }
        workers.sort_by(|one, other| one.report.worker.name.cmp(&other.report.worker.name));
        let mut runs = Vec::new();
        for (name, manifest) in hub.runs().await? {
            let results = Results::of(&hub, &name).await?;
            let done = results.numbers().await?;
            let is_open = |unit: &u64| done.binary_search(unit).is_err();
            let mut failures = hub.failures(&name).await?;
            failures.retain(|unit, _| is_open(unit));
            let of_run = workers.iter().filter(|worker| worker.report.doing == WorkerState::Playing(name.clone()));
            let late = of_run.flat_map(|worker| {
                let lease_s = manifest.lease_s;
                let is_late = move |age_s: u64| worker.is_silent() || age_s > lease_s;
                let aged = worker.report.in_hand.iter().map(move |(unit, age_s)| (*unit, age_s + worker.seen_s));
                let name = &worker.report.worker.name;
                aged.filter(move |(_, age_s)| is_late(*age_s)).map(move |(unit, age_s)| (unit, name.clone(), age_s))
            });
            let late = late.filter(|(unit, ..)| is_open(unit)).collect();
            let counts = Work::of(&hub, &name, &manifest).await?.counts().await?;
            runs.push(RunStatus { counts, results: done.len() as u64, failures, late, name, manifest });
        }
        Ok(ClusterStatus { runs, workers })
    })
}
