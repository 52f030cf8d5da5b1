//! `maumau doctor`: what each sandbox level holds on this machine. It draws the table; `maumau-sandbox` starts the
//! agents that try to break out.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use maumau_protocol::SandboxLevel;
use maumau_protocol::message::PROTOCOL;
use maumau_run::agent::{
    AgentCommand, Files, LevelFindings, ProcessLook, Sandbox, SandboxSettings, SandboxWishes, examine, what_is_tried,
};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::OutputFormat;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::runner::on_one_processor;
use serde_json::{Value, json};

use super::sandbox::{PermitArguments, level};
use crate::conformance::{AgentUnderTest, hello};

/// Test what each sandbox level restricts on this machine, and say how to get missing levels.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau doctor
  sudo maumau doctor --sandbox strict+cgroup
  maumau doctor --agent \"maumau agent greedy\"

At each level the command starts agents that try everything an agent must not be able to do. The exit code is 1 if a level from \
basic on lets something through that it should refuse, or if a level named by --sandbox is unavailable; other unavailable \
levels are only reported. With --agent it starts this one agent, and the exit code is 1 if it does not become ready.")]
pub(super) struct DoctorArguments {
    /// Only this level; can be given many times
    #[arg(long = "sandbox", value_name = "LEVEL", value_parser = level(), help_heading = "Sandbox")]
    levels: Vec<SandboxLevel>,
    /// The user that agents run as if root starts this command, or a range of user numbers, from which each process gets its own. By
    /// default a range that no account uses
    #[arg(long = "sandbox-user", value_name = "USER|FIRST-LAST", help_heading = "Sandbox")]
    user: Option<String>,
    /// Start this agent instead, and show who it is, what it may do and what it has used, as the system says
    #[arg(long, value_name = "COMMAND")]
    agent: Option<String>,
    /// Output format; json is one object with schema, good and levels, or of --agent with schema, ready and what is permitted
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten)]
    permits: PermitArguments,
}

pub(super) fn run(arguments: DoctorArguments) -> Result<CommandOutcome> {
    if let Some(command) = &arguments.agent {
        return show_agent(command, &arguments);
    }
    let permits = arguments.permits.permits();
    ensure!(
        permits.is_empty(),
        usage(
            "--sandbox-read, --sandbox-env, --sandbox-network and --sandbox-host are permits of one agent; say which with --agent COMMAND"
        )
    );
    let named = !arguments.levels.is_empty();
    let levels = if named { arguments.levels } else { SandboxLevel::ALL.to_vec() };
    let (mut columns, mut notes, mut good) = (Vec::new(), String::new(), true);
    let mut data: Vec<Value> = Vec::new();
    for level in levels {
        let held = match examine(level, arguments.user.clone()) {
            Ok(held) => held,
            Err(error) => {
                good &= !named;
                notes += &format!("- `{level}` cannot be had: {error:#}\n");
                data.push(json!({"level": level, "available": false, "why": format!("{error:#}")}));
                continue;
            }
        };
        for remark in &held.remarks {
            notes += &format!("- `{level}`: {remark}\n");
        }
        for ((row, from), (is_held, detail)) in what_is_tried().zip(&held.rows) {
            let word = match is_held {
                Some(true) => continue,
                Some(false) if level == SandboxLevel::None => continue,
                Some(false) if level < from => "open, as below the level that holds it",
                Some(false) => "open",
                None => "not to be tried here",
            };
            good &= level < from || is_held.is_none();
            let colon = if detail.is_empty() { "" } else { ": " };
            notes += &format!("- `{level}`, {row}: {word}{colon}{detail}\n");
        }
        data.push(level_data(level, &held));
        columns.push((level, held));
    }
    match arguments.format {
        OutputFormat::Text => print(&(table(&columns) + &notes))?,
        OutputFormat::Json => {
            let report = json!({"schema": "maumau-doctor/1", "good": good, "levels": data});
            print(&(untrusted::json(&report)? + "\n"))?;
        }
    }
    Ok(if good { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

/// What was found out about a level that can be had. `held` is null where it could not be tried.
fn level_data(level: SandboxLevel, held: &LevelFindings) -> Value {
    let tried = what_is_tried().zip(&held.rows).map(|((what, from), (is_held, detail))| {
        json!({"what": what, "held": is_held, "promised_from": from, "promised": level >= from, "detail": detail})
    });
    json!({"level": level, "available": true, "remarks": held.remarks, "tried": tried.collect::<Vec<_>>()})
}

/// A row for what is tried, a column for each level that can be had.
fn table(columns: &[(SandboxLevel, LevelFindings)]) -> String {
    if columns.iter().all(|(_, held)| held.rows.is_empty()) {
        return String::new();
    }
    let mut text = "| what an agent tries |".to_owned();
    text.extend(columns.iter().map(|(level, _)| format!(" {level} |")));
    text += "\n|---|";
    text += &"---|".repeat(columns.len());
    text += "\n";
    for (index, (row, _)) in what_is_tried().enumerate() {
        text += &format!("| {row} |");
        for (_, held) in columns {
            text += match held.rows[index].0 {
                Some(true) => " held |",
                Some(false) => " **open** |",
                None => " not tried |",
            };
        }
        text += "\n";
    }
    text + "\n"
}

/// How long the agent may take to be ready.
const PATIENCE: Duration = Duration::from_secs(10);

fn show_agent(command: &str, arguments: &DoctorArguments) -> Result<CommandOutcome> {
    ensure!(cfg!(target_os = "linux"), usage("what an agent may do is shown on Linux only"));
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

/// What is shown, row by row.
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
