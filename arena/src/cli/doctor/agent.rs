//! `maumau doctor --agent`: one agent as the system sees it, for an organiser who wants to show an author what their bot is permitted.
//! It starts the agent, says hello, looks, and ends it; what is seen is `ProcessLook` of `maumau-sandbox`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use maumau_protocol::message::PROTOCOL;
use maumau_run::agent::{AgentCommand, Files, ProcessLook, Sandbox, SandboxSettings, SandboxWishes};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::OutputFormat;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::runner::on_one_processor;
use serde_json::json;

use super::DoctorArguments;
use crate::conformance::{AgentUnderTest, hello};

/// How long the agent may take to be ready.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn tell(command: &str, arguments: &DoctorArguments) -> Result<CommandOutcome> {
    ensure!(cfg!(target_os = "linux"), usage("what an agent may do is told on Linux only"));
    let level = match arguments.levels[..] {
        [] => SandboxSettings::USUAL.level,
        [level] => level,
        _ => return Err(usage("--agent is started at one level: give --sandbox once")),
    };
    let sandbox = Sandbox::ready(&SandboxWishes {
        level,
        user: arguments.user.clone(),
        memory_mib: SandboxSettings::USUAL.memory_mib,
        private: Vec::new(),
        files_alone: false,
        in_memory: Vec::new(),
    })?;
    let command = AgentCommand::parse(command)?.in_sandbox(&sandbox).granted(arguments.permits.grant()?);
    let files = sandbox.files_of(&command).map_err(|error| usage(format!("{command} cannot be started: {error:#}")))?;
    let (look, trouble) = on_one_processor(|| {
        let command = &command;
        async move { Ok(seen(command).await) }
    })?;
    let permits = arguments.permits.permits().named();
    match arguments.format {
        OutputFormat::Json => {
            let report = json!({
                "schema": "maumau-doctor-agent/1", "command": command.to_string(), "level": level, "ready": trouble.is_none(),
                "trouble": trouble, "look": look, "files": files, "permits": permits, "remarks": sandbox.remarks(),
            });
            print(&(untrusted::json(&report)? + "\n"))?;
        }
        OutputFormat::Text => {
            let mut text = format!("{} at {level}\n", Untrusted::new(&command.to_string()).terminal());
            for (what, value) in rows(look.as_ref(), files.as_ref()) {
                text += &format!("  {what:<22} {}\n", Untrusted::new(&value).terminal());
            }
            let granted = serde_json::to_value(&permits)?;
            text += &format!(
                "  {:<22} {}\n",
                "permits",
                if permits.is_empty() { "none".to_owned() } else { granted.to_string() }
            );
            text.extend(sandbox.remarks().iter().map(|remark| format!("maumau: sandbox {level}: {remark}\n")));
            text.extend(trouble.iter().map(|trouble| format!("It did not become ready: {trouble}\n")));
            print(&text)?;
        }
    }
    Ok(if trouble.is_none() { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

/// A look at the agent once it is ready, or why it is not.
async fn seen(command: &AgentCommand) -> (Option<ProcessLook>, Option<String>) {
    let mut agent = match AgentUnderTest::start(command) {
        Ok(agent) => agent,
        Err(problem) => return (None, Some(problem.what)),
    };
    let trouble = agent.greet(&hello(PROTOCOL), PATIENCE).await.err().map(|problem| problem.what);
    let look = agent.look();
    let said = agent.end().await;
    (look, trouble.map(|trouble| if said.is_empty() { trouble } else { format!("{trouble}; its stderr: {said}") }))
}

/// What is told, row by row.
fn rows(look: Option<&ProcessLook>, files: Option<&Files>) -> Vec<(&'static str, String)> {
    let or = |text: &str, other: &str| if text.is_empty() { other.to_owned() } else { text.to_owned() };
    let mut rows = Vec::new();
    if let Some(look) = look {
        let limits: Vec<String> = look.limits.iter().map(|(name, value)| format!("{name} {value}")).collect();
        rows.extend([
            ("process", look.pid.to_string()),
            ("user", look.users.clone()),
            ("group", look.groups.clone()),
            ("further groups", or(&look.further_groups, "none")),
            ("capabilities", or(&look.capabilities, "none")),
            ("gains rights", if look.no_new_privileges { "no" } else { "yes" }.to_owned()),
            ("system calls", if look.filtered { "those of arena/sandbox/src/calls.rs" } else { "all" }.to_owned()),
            ("namespaces of its own", or(&look.own_namespaces.join(", "), "none")),
            ("limits", or(&limits.join(", "), "those of the arena")),
            ("memory so far", format!("{} KiB", look.memory_kib)),
            ("processor so far", format!("{} ms", look.ran_ms)),
            ("threads, processes", format!("{}, {} below it", look.threads, look.children)),
        ]);
    }
    let list = |paths: &[PathBuf]| {
        or(&paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" "), "nothing")
    };
    match files {
        Some(Files { reads, lists, writes }) => {
            rows.extend([("reads", list(reads)), ("lists", list(lists)), ("writes", list(writes))]);
        }
        None => rows.push(("files", "what its user may".to_owned())),
    }
    rows
}
