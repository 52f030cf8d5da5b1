//! `maumau doctor`: what each sandbox level holds on this machine. It draws the table; `maumau-sandbox` starts the
//! agents that try to break out.

mod agent;

use anyhow::{Result, ensure};
use maumau_protocol::SandboxLevel;
use maumau_run::agent::{LevelFindings, examine, what_is_tried};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::OutputFormat;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted;
use serde_json::{Value, json};

use super::sandbox::{PermitArguments, level};

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
    /// Start this agent instead, and tell who it is, what it may do and what it has used, as the system says
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
        return agent::tell(command, &arguments);
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
        for ((row, from), (is_held, told)) in what_is_tried().zip(&held.rows) {
            let word = match is_held {
                Some(true) => continue,
                Some(false) if level == SandboxLevel::None => continue,
                Some(false) if level < from => "open, as below the level that holds it",
                Some(false) => "open",
                None => "not to be tried here",
            };
            good &= level < from || is_held.is_none();
            let colon = if told.is_empty() { "" } else { ": " };
            notes += &format!("- `{level}`, {row}: {word}{colon}{told}\n");
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
