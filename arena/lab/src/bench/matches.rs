//! Measures games through real pipes, one after another on each processor. It starts agents through the arena's own
//! runner and keeps no records.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use maumau_engine::Rules;
use nix::sys::resource::UsageWho;

use super::lanes::{BenchCount, Lanes};
use super::peer::Peer;
use super::{cpu_seconds, heading, median, rules_for};
use maumau_arena::cli::SandboxArguments;
use maumau_run::agent::{AgentCommand, SandboxSettings};
use maumau_run::error::usage;
use maumau_run::io::stdout::print;
use maumau_run::runner::{AgentSpec, EventLoop, on_each_processor, processors};

#[derive(clap::Args)]
pub(crate) struct MatchBenchArguments {
    /// An agent's command; it plays against itself. Can be given many times, a row each
    #[arg(long = "agent", value_name = "COMMAND", default_value = "maumau agent first")]
    agents: Vec<String>,
    /// Name of a built-in rule set, or path of a rule file
    #[arg(long, default_value = "basic")]
    rules: String,
    /// Seats at the table
    #[arg(long, default_value_t = 2)]
    players: usize,
    /// Games at once on each processor; by default 1, interleaved 16
    #[arg(long)]
    at_once: Option<usize>,
    /// Processors to use; by default all that are allowed
    #[arg(long)]
    cpus: Option<usize>,
    /// Seconds of one measurement
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Measurements
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
    /// A program that prints a table with a column "moves/s" or "round trips/s", run in turn with each measurement
    #[arg(long, value_name = "COMMAND")]
    against: Option<String>,
    /// The same for the referee's processor time: a column "CPU us/trip" or "referee CPU us/move"
    #[arg(long, value_name = "COMMAND")]
    against_cpu: Option<String>,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

/// Measures games one after another on each processor.
pub(crate) fn matches(arguments: &MatchBenchArguments) -> Result<()> {
    measure_all(arguments, arguments.at_once.unwrap_or(1))
}

/// Measures games that are played at once by one process of each agent.
pub(crate) fn interleaved(arguments: &MatchBenchArguments) -> Result<()> {
    measure_all(arguments, arguments.at_once.unwrap_or(16))
}

/// Measures and prints a table.
fn measure_all(arguments: &MatchBenchArguments, at_once: usize) -> Result<()> {
    let rules = rules_for(&arguments.rules, &[], arguments.players)?;
    let mut cpus = processors();
    cpus.truncate(arguments.cpus.unwrap_or(usize::MAX).max(1));
    let sandbox = arguments.sandbox.ready(arguments.sandbox.over(SandboxSettings::USUAL), Vec::new(), false)?;
    let mut text = heading();
    text += "| agent | sandbox | rules | processors | games at once | moves/s | games/s | referee CPU us/move |\n|---|---|---|---|---|---|---|---|\n";
    let mut compared = String::new();
    for line in &arguments.agents {
        let mut rate_peer =
            arguments.against.as_deref().map(|command| Peer::new(command, &["moves/s", "round trips/s"]));
        let heads = ["CPU us/trip", "referee CPU us/move"];
        let mut cost_peer = arguments.against_cpu.as_deref().map(|command| Peer::new(command, &heads));
        let command = AgentCommand::parse(line).map_err(|error| usage(format!("--agent: {error}")))?;
        let command = command.in_sandbox(&sandbox).granted(arguments.sandbox.grant()?);
        let (mut moves, mut games, mut cost) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..arguments.repeats {
            let count = measure(arguments, at_once, &cpus, &rules, &command, round as u64)?;
            ensure!(count.faults == 0, "{line}: {} faults; its figures would mean nothing", count.faults);
            moves.push(count.moves as f64 / count.seconds);
            games.push(count.games as f64 / count.seconds);
            cost.push(count.cpu / count.moves as f64 * 1e6);
            if let Some(peer) = &mut rate_peer {
                peer.compare(count.moves as f64 / count.seconds)?;
            }
            if let Some(peer) = &mut cost_peer {
                peer.compare(count.cpu / count.moves as f64 * 1e6)?;
            }
        }
        text += &format!(
            "| {line} | {} | {} | {} | {} | {} | {} | {} |\n",
            sandbox.level(),
            arguments.rules,
            cpus.len(),
            cpus.len() * at_once,
            median(&mut moves, 0),
            median(&mut games, 0),
            median(&mut cost, 2),
        );
        compared += &rate_peer.map_or_else(String::new, Peer::table);
        compared += &cost_peer.map_or_else(String::new, Peer::table);
    }
    print(&(text + &compared))
}

fn measure(
    arguments: &MatchBenchArguments,
    at_once: usize,
    cpus: &[usize],
    rules: &Arc<Rules>,
    command: &AgentCommand,
    round: u64,
) -> Result<BenchCount> {
    let counts = on_each_processor(cpus, |index| {
        let specs = vec![AgentSpec { name: "agent".to_owned(), command: command.clone() }; arguments.players];
        let rules = Arc::clone(rules);
        let first = (round << 40) + ((index as u64) << 32);
        async move {
            let event_loop = EventLoop::new(specs)?;
            let lanes = |first| Lanes { rules: Arc::clone(&rules), players: arguments.players, at_once, first };
            // Agents are started and warm before the clock runs.
            lanes(first).play(&event_loop, |_| false).await?;
            let cpu = cpu_seconds(UsageWho::RUSAGE_THREAD)?;
            let start = Instant::now();
            let end = start + Duration::from_secs_f64(arguments.seconds);
            let mut count = lanes(first + 1_000).play(&event_loop, move |_| Instant::now() < end).await?;
            count.seconds = start.elapsed().as_secs_f64();
            count.cpu = cpu_seconds(UsageWho::RUSAGE_THREAD)? - cpu;
            event_loop.stop().await;
            Ok(count)
        }
    })?;
    let mut total = BenchCount::default();
    for count in counts {
        total.moves += count.moves;
        total.games += count.games;
        total.faults += count.faults;
        total.cpu += count.cpu;
        total.seconds = total.seconds.max(count.seconds);
    }
    Ok(total)
}
