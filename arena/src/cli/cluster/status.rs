//! `maumau cluster status`: runs and workers of a server, as text or JSON.

use anyhow::Result;
use maumau_run::error::CommandOutcome;
use maumau_run::io::format::OutputFormat;
use maumau_run::io::format::counted;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_tournament::fixed;
use serde_json::json;

use super::shown::{doing, failures_text};
use crate::cli::nats_access::AccessArguments;
use crate::cluster::{self, RunStatus, WorkerStatus};

/// Late units that are named; the rest are counted.
const NAMED: usize = 10;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau cluster status --nats nats://host:4222
  maumau cluster status --format json

A unit is late if a worker has held it for longer than a lease, or its worker has said nothing for ten seconds.")]
pub(super) struct ClusterStatusArguments {
    /// How to show it
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten)]
    access: AccessArguments,
}

pub(super) fn run(arguments: &ClusterStatusArguments) -> Result<CommandOutcome> {
    let status = cluster::status(&arguments.access.read()?)?;
    if arguments.format == OutputFormat::Json {
        let report = json!({
            "schema": "maumau-cluster-status/1",
            "runs": status.runs.iter().map(run_json).collect::<Vec<_>>(),
            "workers": status.workers.iter().map(worker_json).collect::<Vec<_>>(),
        });
        print(&(untrusted::json(&report)? + "\n"))?;
        return Ok(CommandOutcome::Done);
    }
    let mut text = String::new();
    if status.runs.is_empty() {
        text += "no runs\n";
    }
    status.runs.iter().for_each(|run| text += &run_text(run));
    if status.workers.is_empty() {
        text += "no workers\n";
    }
    status.workers.iter().for_each(|worker| text += &worker_text(worker));
    print(&text)?;
    Ok(CommandOutcome::Done)
}

fn run_text(run: &RunStatus) -> String {
    let RunStatus { name, manifest, counts, results, failures, late } = run;
    let of = manifest.units.map(|units| format!(" of {units}")).unwrap_or_default();
    let mut text = format!(
        "{name}: {results}{of} units have results, {} waiting, {} in hand, {} of these for more than the first time\n",
        counts.waiting, counts.in_hand, counts.redelivered
    );
    for (unit, worker, age_s) in late.iter().take(NAMED) {
        text += &format!("  late: unit {unit} has been with {} for {age_s} s\n", Untrusted::new(worker).terminal());
    }
    if late.len() > NAMED {
        text += &format!("  and {} more are late\n", late.len() - NAMED);
    }
    for (unit, failures) in failures.iter().filter(|(_, failures)| failures.parked).take(NAMED) {
        text += &format!("  parked: unit {unit}: {}\n", failures_text(failures));
    }
    let failed = failures.values().filter(|failures| !failures.parked).count() as u64;
    if failed > 0 {
        text += &format!("  {} failed before, and will be tried again\n", counted(failed, "unit"));
    }
    text
}

fn run_json(run: &RunStatus) -> serde_json::Value {
    let RunStatus { name, manifest, counts, results, failures, late } = run;
    json!({
        "name": name,
        "games": manifest.games,
        "units": manifest.units,
        "results": results,
        "waiting": counts.waiting,
        "in_hand": counts.in_hand,
        "redelivered": counts.redelivered,
        "late": late.iter().map(|(unit, worker, age_s)| json!({"unit": unit, "worker": worker, "seconds": age_s})).collect::<Vec<_>>(),
        "failures": failures.iter().map(|(unit, failures)| json!({
            "unit": unit,
            "parked": failures.parked,
            "failures": failures.list.iter().map(|failure| json!({"worker": failure.worker, "why": failure.why})).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

fn worker_text(worker: &WorkerStatus) -> String {
    let report = &worker.report;
    let shown = |text: &str| Untrusted::new(text).terminal();
    let (state, what) = doing(worker);
    let what = what.map(|what| format!(" {}", shown(what))).unwrap_or_default();
    let silent = if worker.is_silent() { format!(", silent for {} s", worker.seen_s) } else { String::new() };
    let milli = |number: u64, digits| fixed(number as f64 / 1e3, digits);
    let mut text = format!(
        "{}: {state}{what}{silent}; {} games/s, {} handed in, {} in hand, load {}, {} void deadlines of {}; {}\n",
        shown(&report.worker.name),
        milli(report.games_per_s_milli, 1),
        counted(report.games, "game"),
        counted(report.in_hand.len() as u64, "unit"),
        milli(report.load_milli, 2),
        report.void,
        report.answers + report.void,
        shown(&report.worker.class),
    );
    for (run, why) in &report.refuses {
        text += &format!("  does not play {}: {}\n", shown(run), shown(why));
    }
    text
}

fn worker_json(worker: &WorkerStatus) -> serde_json::Value {
    let (report, (state, what)) = (&worker.report, doing(worker));
    json!({
        "name": report.worker.name,
        "class": report.worker.class,
        "state": if worker.is_silent() { "silent" } else { state },
        "what": what,
        "seen_seconds_ago": worker.seen_s,
        "games_per_second": report.games_per_s_milli as f64 / 1e3,
        "units": report.units,
        "games": report.games,
        "in_hand": report.in_hand.iter().map(|(unit, age_s)| json!({"unit": unit, "seconds": age_s})).collect::<Vec<_>>(),
        "answers": report.answers,
        "void": report.void,
        "load": report.load_milli as f64 / 1e3,
        "refuses": report.refuses.iter().map(|(run, why)| json!({"run": run, "why": why})).collect::<Vec<_>>(),
    })
}
