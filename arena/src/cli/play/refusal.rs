//! A match that is not played, since an agent did not start: its last words, and what they mean for the exit code. It
//! prints and writes the fault report; no game exists here.

use anyhow::Result;
use maumau_protocol::Seat;
use maumau_protocol::fault::{ConductFault, FaultCounts};
use maumau_run::agent::Sandbox;
use maumau_run::error::CommandOutcome;
use maumau_run::fault_report::{FailedStart, FaultReports};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::runner::{AgentSpec, GameConfig, StartFailure, StartStage};
use serde_json::json;

use super::{OutputFormat, PlayArguments, fault_reports_folder};

/// Tells why no match is played; `failures` has one entry for each seat.
///
/// # Errors
/// stdout or a fault report cannot be written.
pub(super) fn tell(
    arguments: &PlayArguments,
    table: &GameConfig,
    agents: &[AgentSpec],
    sandbox: &Sandbox,
    failures: &[Option<StartFailure>],
) -> Result<CommandOutcome> {
    let failed =
        || Seat::all(failures.len()).zip(failures).filter_map(|(seat, failure)| Some((seat, failure.as_ref()?)));
    for (seat, failure) in failed() {
        let [name, reason] = [&agents[seat.index()].name, &failure.reason].map(|text| Untrusted::new(text).terminal());
        tell!("maumau: seat {seat} ({name}) did not start: {reason}");
        failure.last_words.lines().for_each(|line| tell!("  its stderr: {}", Untrusted::new(line).terminal()));
        failure.hint().into_iter().for_each(|hint| tell!("  {hint}"));
    }
    tell!("maumau: no match was played");
    if arguments.format == OutputFormat::Json {
        let count =
            |failure: &Option<StartFailure>| failure.iter().map(|_| ConductFault::NotStarted).collect::<FaultCounts>();
        let shown = |(seat, failure): (Seat, &StartFailure)| json!({"seat": seat, "reason": failure.reason, "stderr": failure.last_words});
        let refused = json!({
            "schema": "maumau-result/1",
            "game": table.id,
            "rules": table.rules.set().name,
            "options": table.rules.set().options,
            "names": agents.iter().map(|agent| &agent.name).collect::<Vec<_>>(),
            "seed": table.seed,
            "result": null,
            "faults": failures.iter().map(count).collect::<Vec<_>>(),
            "not_started": failed().map(shown).collect::<Vec<_>>(),
            "sandbox": sandbox.level(),
        });
        print(&(untrusted::json(&refused)? + "\n"))?;
    }
    if let Some(folder) = fault_reports_folder(arguments) {
        let mut reports = FaultReports::new(folder);
        for (seat, failure) in failed() {
            let (name, command) = (&agents[seat.index()].name, &arguments.seats[seat.index()]);
            let Some(evidence) = &failure.evidence else { continue };
            let (permits, start_ms) = (&arguments.sandbox.permits(), table.time.start_ms);
            let start = FailedStart { name, command, permits, reason: &failure.reason, evidence, start_ms };
            reports.add_start("game", seat, &start)?;
        }
        if let Some(told) = reports.told().text() {
            tell!("{told}");
        }
    }
    let cannot_run = failed().any(|(_, failure)| failure.stage == StartStage::Command);
    Ok(if cannot_run { CommandOutcome::Usage } else { CommandOutcome::NotRight })
}
