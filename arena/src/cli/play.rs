//! `maumau play`: one match, shown.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, Result};
use maumau_engine::Rules;
use maumau_protocol::Seed;
use maumau_protocol::limits::{MAX_MS, MAX_ROUNDS};
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_referee::GameLog;
use tokio::sync::watch;

use super::rules::Settings;
use super::sandbox::SandboxArguments;
use super::{Outcome, print, usage};
use crate::dossier::{Case, Dossiers};
use crate::entropy;
use crate::host::{AgentCommand, Sandbox, SandboxSettings};
use crate::run::{AgentSpec, Go, Played, Shard, Switch, TableSetup, on_each_processor, processors, with_signals};
use crate::show::{Narrator, result_lines};
use crate::whole_file;

/// Play one match and show it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau play --rules basic --seat 'maumau agent greedy' --seat 'maumau agent random'
  maumau play --rules skat --set extra_rules=on --rounds 5 --seed 7 --record game.jsonl \\
      --seat 'python3 agents/python/careful_bot.py' --seat 'maumau agent greedy' --seat 'maumau agent first'")]
pub(super) struct Arguments {
    /// Name of a built-in rule set, or path of a rule file
    #[arg(long, default_value = "basic")]
    rules: String,
    #[command(flatten)]
    settings: Settings,
    /// Rounds of the match; by default what the rule set says
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ROUNDS)))]
    rounds: Option<u32>,
    /// 64 hexadecimal digits or a whole number; by default drawn from the operating system
    #[arg(long)]
    seed: Option<Seed>,
    /// Write the record of the match here
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write a page about each seat with a fault here, and the record; by default beside --record
    #[arg(long, value_name = "DIR")]
    dossiers: Option<PathBuf>,
    /// An agent's command, one for each seat, in order
    #[arg(long = "seat", value_name = "COMMAND", required = true)]
    seats: Vec<String>,
    /// Milliseconds for one answer
    #[arg(long, default_value_t = TimeControl::default().move_ms, value_parser = clap::value_parser!(u64).range(1..=MAX_MS))]
    move_ms: u64,
    /// Milliseconds that a seat may overdraw in all; not on the live clock
    #[arg(long, default_value_t = TimeControl::default().bank_ms, value_parser = clap::value_parser!(u64).range(0..=MAX_MS))]
    bank_ms: u64,
    /// Milliseconds that each answer adds to the bank; not on the live clock
    #[arg(long, default_value_t = TimeControl::default().increment_ms, value_parser = clap::value_parser!(u64).range(0..=MAX_MS))]
    increment_ms: u64,
    /// Milliseconds from the start of an agent to its readiness
    #[arg(long, default_value_t = TimeControl::default().start_ms, value_parser = clap::value_parser!(u64).range(1..=MAX_MS))]
    start_ms: u64,
    /// How actions are put in order: all answers of a tick by lot, or as they arrive, with times that pass for real
    #[arg(long, value_enum, default_value_t = Clock::Lockstep)]
    clock: Clock,
    #[command(flatten)]
    sandbox: SandboxArguments,
    /// Show only the result
    #[arg(long, short)]
    quiet: bool,
    /// How to show it: text tells the game, json gives the result as one object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Clock {
    Lockstep,
    Live,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(super) fn run(arguments: Arguments) -> Result<Outcome> {
    let loaded = arguments.settings.load(&arguments.rules)?;
    let set = Arc::new(loaded.set);
    let rules =
        Rules::for_table(&set, arguments.seats.len(), arguments.rounds).map_err(|error| usage(error.to_string()))?;
    let private = arguments.record.iter().cloned().collect();
    let sandbox = arguments.sandbox.ready(arguments.sandbox.over(SandboxSettings::USUAL), private, arguments.quiet)?;
    let specs = agents(&arguments.seats, &sandbox)?;
    let seed = match arguments.seed {
        Some(seed) => seed,
        None => entropy::fresh_seed()?,
    };
    let table = TableSetup {
        id: GameId(maumau_engine::game_id(&seed, "play").into()),
        rules: Arc::new(rules),
        seed,
        agents: (0..specs.len()).map(|agent| (agent, 0)).collect(),
        time: TimeControl {
            move_ms: arguments.move_ms,
            bank_ms: arguments.bank_ms,
            increment_ms: arguments.increment_ms,
            start_ms: arguments.start_ms,
            ..TimeControl::default()
        },
        clock: match arguments.clock {
            Clock::Lockstep => ClockMode::Lockstep,
            Clock::Live => ClockMode::Live,
        },
        reveal_seed: true,
    };
    let cpu = processors().into_iter().next().context("no processor to run on")?;
    let switch = Switch::new();
    let (played, _) = with_signals(&switch, None, || {
        on_each_processor(&[cpu], |_| play(specs.clone(), table.clone(), switch.watch()))
    })?;
    let Some(mut played) = played?.pop().flatten() else {
        tell!("maumau: interrupted; the match was not finished and nothing was recorded");
        return Ok(Outcome::Interrupted);
    };
    played.log.sandbox = Some(sandbox.level());
    let (record, digest) = played.log.to_record().map_err(|error| {
        anyhow::anyhow!(
            "the game cannot be played once more from its own log, which is an error of this program: {error}"
        )
    })?;
    let recorded = arguments.record.as_ref().map(|path| whole_file::write(path, &record)).transpose();
    // A match that is over is told, also where there is no room for its record.
    show(&arguments, &played, &digest, recorded.is_ok())?;
    recorded?;
    dossiers(&arguments, played)?;
    Ok(Outcome::Done)
}

/// Writes what there is to say about seats with faults.
fn dossiers(arguments: &Arguments, played: Played) -> Result<()> {
    if played.testimonies.is_empty() {
        return Ok(());
    }
    let beside = || arguments.record.as_ref().map(|record| record.with_extension("dossiers"));
    let Some(folder) = arguments.dossiers.clone().or_else(beside) else {
        tell!(
            "maumau: --dossiers DIR keeps what there is to know about these faults, such as the last lines and stderr"
        );
        return Ok(());
    };
    let mut dossiers = Dossiers::new(folder);
    dossiers.add(&Case {
        name: "game".to_owned(),
        faults: played.tallies.into_iter().map(|tally| tally.faults).collect(),
        commands: arguments.seats.clone(),
        log: played.log,
        testimonies: played.testimonies,
    })?;
    if let Some(told) = dossiers.told().text() {
        tell!("{told}");
    }
    Ok(())
}

/// Plays until the end or a signal; in both cases no agent is left behind.
async fn play(specs: Vec<AgentSpec>, table: TableSetup, mut go: watch::Receiver<Go>) -> Result<Option<Played>> {
    let shard: Rc<Shard> = Shard::new(specs)?;
    let played = tokio::select! {
        played = shard.play(table) => Some(played),
        stop = go.wait_for(|go| *go == Go::Stop) => {
            stop.context("nobody can stop this match")?;
            None
        }
    };
    shard.stop().await;
    played.transpose()
}

/// One agent a seat; agents of one name are told apart by a number.
fn agents(seats: &[String], sandbox: &Arc<Sandbox>) -> Result<Vec<AgentSpec>> {
    let mut specs: Vec<AgentSpec> = Vec::new();
    for (index, line) in seats.iter().enumerate() {
        let command =
            AgentCommand::parse(line).map_err(|error| usage(format!("--seat number {}: {error}", index + 1)))?;
        let base = command.short_name();
        let same = specs.iter().filter(|spec| spec.name == base || spec.name.starts_with(&format!("{base} "))).count();
        let name = if same == 0 { base } else { format!("{base} {}", same + 1) };
        specs.push(AgentSpec { name, command: command.in_sandbox(sandbox) });
    }
    Ok(specs)
}

fn show(arguments: &Arguments, played: &Played, digest: &str, recorded: bool) -> Result<()> {
    let log = &played.log;
    if arguments.format == Format::Json {
        let faults: Vec<_> = played.tallies.iter().map(|tally| &tally.faults).collect();
        let result = serde_json::json!({
            "schema": "maumau-result/1",
            "game": log.header.game,
            "rules": log.header.rules.name,
            "options": log.header.rules.options,
            "names": log.header.names,
            "seed": log.header.seed,
            "result": log.result,
            "faults": faults,
            "void": played.tallies.iter().map(|tally| tally.void).collect::<Vec<_>>(),
            "digest": digest,
            "sandbox": log.sandbox,
        });
        return print(&format!("{result}\n"));
    }
    let mut text = String::new();
    if !arguments.quiet {
        text += &narrate(log)?;
        text.push('\n');
    }
    text += &result_lines(&log.header, &log.result);
    for (name, tally) in log.header.names.iter().zip(&played.tallies) {
        let mut counts: Vec<String> = tally.faults.iter().map(|(fault, count)| format!("{count} {fault}")).collect();
        if tally.void > 0 {
            counts.push(format!("{} deadlines void, the host was to blame", tally.void));
        }
        if !counts.is_empty() {
            text += &format!("     {name}: {}\n", counts.join(", "));
        }
    }
    if !arguments.quiet {
        text += &format!("\nseed {}\ndigest {digest}\n", log.header.seed);
        if let Some(level) = log.sandbox {
            text += &format!("sandbox {level}\n");
        }
        if let Some(path) = arguments.record.as_ref().filter(|_| recorded) {
            text += &format!("record {} (show it with: maumau replay {0})\n", path.display());
        }
    }
    print(&text)
}

/// The whole game as text.
pub(super) fn narrate(log: &GameLog) -> Result<String> {
    let narrator = Narrator::new(&log.header, None);
    let mut text = String::new();
    log.expand(|entry, _| text += &entry_line(&narrator, entry)).map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(text)
}

fn entry_line(narrator: &Narrator, entry: &maumau_protocol::record::Entry) -> String {
    narrator.entry(entry).map_or(String::new(), |line| line + "\n")
}
