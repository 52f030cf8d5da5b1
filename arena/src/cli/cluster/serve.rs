//! The pages of a run that is being collected: its run file as it grows, and the workers. It asks the server of the run each time
//! somebody looks.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use maumau_cluster::nats::ServerAccess;
use maumau_protocol::SandboxLevel;
use maumau_run::run_store::RunFile;
use maumau_tournament::fixed;
use maumau_web::server::ServedContent;
use maumau_web::shown::{NotShown, SharedRun, WorkerRow, Workers, WorkersPage};

use super::shown::{doing, failures_text};
use crate::cli::serve::ServeArguments;
use crate::cluster::{RunStatus, WorkerStatus, status};
use crate::pages::{AgentReach, PageHost, RunPages};

/// Serves the run file at `run` and the workers of its server from now on, if that is wanted.
///
/// # Errors
/// The address cannot be listened on, or the run file cannot be read.
pub(super) fn start(arguments: ServeArguments, run: &Path, access: &ServerAccess) -> Result<Option<PageHost>> {
    let Some(asked) = arguments.address() else { return Ok(None) };
    // A worker may be on this machine; whether its agents have a network of their own is not known here.
    let league = RunFile::open(run)?.plan.settings.league;
    let agents = AgentReach::of_league(&league, league.sandbox.level == SandboxLevel::None)?;
    let shown = RunPages::open(run, arguments.hands())?;
    let served = ServedContent {
        shown: Arc::new(shown),
        live: None,
        workers: Some(Arc::new(Asked(access.clone()))),
        seats: None,
        lobby: None,
        lessons: None,
        one_game: false,
    };
    let host = PageHost::start(asked, arguments.public, &agents, served)?;
    print_stderr!("maumau: the run and its workers can be seen at {}", host.address());
    host.print_token_reason(&agents);
    Ok(Some(host))
}

/// The server of the run, which is asked.
struct Asked(ServerAccess);

impl Workers for Asked {
    fn now(&self) -> Result<WorkersPage, NotShown> {
        let now = status(&self.0).map_err(|error| NotShown(format!("{error:#}")))?;
        Ok(WorkersPage {
            runs: now.runs.into_iter().map(shared_run).collect(),
            workers: now.workers.iter().map(worker).collect(),
        })
    }
}

fn shared_run(run: RunStatus) -> SharedRun {
    let RunStatus { name, manifest, counts, results, failures, late } = run;
    SharedRun {
        name,
        results,
        units: manifest.units,
        waiting: counts.waiting,
        in_hand: counts.in_hand,
        late,
        failed: failures
            .into_iter()
            .map(|(unit, failures)| (unit, failures.parked, failures_text(&failures)))
            .collect(),
    }
}

fn worker(worker: &WorkerStatus) -> WorkerRow {
    let (report, (state, what)) = (&worker.report, doing(worker));
    WorkerRow {
        name: report.worker.name.clone(),
        class: report.worker.class.clone(),
        state: what.map_or(state.to_owned(), |what| format!("{state} {what}")),
        silent_s: worker.is_silent().then_some(worker.seen_s),
        games_per_s: fixed(report.games_per_s_milli as f64 / 1e3, 1),
        games: report.games,
        in_hand: report.in_hand.len() as u64,
        load: fixed(report.load_milli as f64 / 1e3, 2),
        void: report.void,
        deadlines: report.answers + report.void,
        refuses: report.refuses.clone(),
    }
}
