//! Measures the time from nothing to the first finished game. It starts agents again each time; a figure counts only if
//! none of them made a fault.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use maumau_engine::seed_of_number;
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use nix::sys::resource::UsageWho;

use super::{cpu_seconds, heading, median, rules_for};
use maumau_arena::cli::SandboxArguments;
use maumau_run::agent::{AgentCommand, SandboxSettings};
use maumau_run::error::usage;
use maumau_run::io::stdout::print;
use maumau_run::runner::{AgentSpec, EventLoop, GameConfig, on_one_processor};

#[derive(clap::Args)]
pub(crate) struct StartArguments {
    /// An agent's command, for every seat
    #[arg(long, value_name = "COMMAND", default_value = "maumau agent first")]
    agent: String,
    /// Name of a built-in rule set
    #[arg(long, default_value = "basic")]
    rules: String,
    /// Seats at the table
    #[arg(long, default_value_t = 4)]
    players: usize,
    /// Measurements
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

/// Measures and prints a table.
pub(crate) fn starting(arguments: &StartArguments) -> Result<()> {
    let sandbox = arguments.sandbox.ready(arguments.sandbox.over(SandboxSettings::USUAL), Vec::new(), false)?;
    let command = AgentCommand::parse(&arguments.agent).map_err(|error| usage(format!("--agent: {error}")))?;
    let command = command.in_sandbox(&sandbox).granted(arguments.sandbox.grant()?);
    let (mut walls, mut costs, mut costs_of_agents) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..u64::from(arguments.repeats) {
        let (begun, cpu) = (Instant::now(), cpu_seconds(UsageWho::RUSAGE_SELF)?);
        let of_agents = cpu_seconds(UsageWho::RUSAGE_CHILDREN)?;
        let rules = rules_for(&arguments.rules, &[], arguments.players)?;
        let finished = on_one_processor(|| {
            let specs = vec![AgentSpec { name: "agent".to_owned(), command: command.clone() }; arguments.players];
            let table = GameConfig {
                id: GameId("bench".into()),
                rules: Arc::clone(&rules),
                seed: seed_of_number(number),
                agents: (0..arguments.players).map(|agent| (agent, 0)).collect(),
                time: TimeControl::default(),
                clock: ClockMode::Lockstep,
                reveal_seed: true,
                public_seed: false,
                hidden_names: false,
            };
            async move {
                let event_loop = EventLoop::new(specs)?;
                let seated = event_loop.seat(&table).await?;
                let played = event_loop.play("bench", table, seated).await?;
                let finished = Instant::now();
                let faults: u64 = played.tallies.iter().map(|tally| tally.faults.total()).sum();
                ensure!(faults == 0, "the agents made faults; the figure would mean nothing");
                event_loop.stop().await;
                Ok(finished)
            }
        })?;
        costs.push((cpu_seconds(UsageWho::RUSAGE_SELF)? - cpu) * 1e3);
        // Covers agents that have ended and been waited for, which all of them have by now.
        let of_agents = cpu_seconds(UsageWho::RUSAGE_CHILDREN)? - of_agents;
        costs_of_agents.push(of_agents * 1e3 / arguments.players as f64);
        walls.push((finished - begun).as_secs_f64() * 1e3);
    }
    let text = format!(
        "{}| agents | rules | sandbox | first game over after ms | CPU ms of the arena, stop included | CPU ms of an agent |\n|---|---|---|---|---|---|\n| {} x {} | {} | {} | {} | {} | {} |\n",
        heading(),
        arguments.players,
        arguments.agent,
        arguments.rules,
        sandbox.level(),
        median(&mut walls, 1),
        median(&mut costs, 1),
        median(&mut costs_of_agents, 1),
    );
    print(&text)
}
