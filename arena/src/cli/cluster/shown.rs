//! What the text of `status`, that of `collect` and the pages say alike: how a unit failed, what a worker does. It prints nothing.

use maumau_cluster::words::{Failures, WorkerState};
use maumau_run::io::format::counted;
use maumau_run::io::untrusted::Untrusted;

use crate::cluster::WorkerStatus;

/// What a worker does, and with what.
pub(super) fn doing(worker: &WorkerStatus) -> (&'static str, Option<&str>) {
    match &worker.report.doing {
        WorkerState::Idle => ("idle", None),
        WorkerState::Playing(run) => ("playing", Some(run)),
        WorkerState::Drained(why) => ("drained", Some(why)),
        WorkerState::Left => ("left", None),
    }
}

/// How a unit failed: how often, and the last time.
pub(super) fn failures_text(failures: &Failures) -> String {
    let last = failures.list.last().map(|failure| {
        let shown = |text: &str| Untrusted::new(text).terminal();
        format!(", last on {}: {}", shown(&failure.worker), shown(&failure.why))
    });
    format!("{}{}", counted(failures.list.len() as u64, "failure"), last.unwrap_or_default())
}
