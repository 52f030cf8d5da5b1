//! Measures the arena's memory for games in flight, and whether a long run leaks any. It reads this process's own
//! memory; the agents' is not counted.

use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, ensure};
use maumau_engine::Rules;
use nix::sys::resource::{UsageWho, getrusage};

use super::lanes::Lanes;
use super::{heading, rules_for};
use maumau_arena::cli::SandboxArguments;
use maumau_run::agent::{AgentCommand, SandboxSettings};
use maumau_run::error::usage;
use maumau_run::io::stdout::print;
use maumau_run::runner::{AgentSpec, EventLoop, on_one_processor};

/// Games of the long run that are in flight at once.
const AT_ONCE: usize = 64;

#[derive(clap::Args)]
pub(crate) struct MemoryArguments {
    /// The agents' command; one process for each seat
    #[arg(long, value_name = "COMMAND", default_value = "maumau agent first")]
    agent: String,
    /// Name of a built-in rule set, or path of a rule file
    #[arg(long, default_value = "basic")]
    rules: String,
    /// A table option; can be given many times. `turn_cap=8` makes short games
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Seats at the table
    #[arg(long, default_value_t = 2)]
    players: usize,
    /// Games at once on one processor, a row each
    #[arg(long, value_name = "GAMES", value_delimiter = ',', default_values_t = [1, 16, 256, 1024])]
    at_once: Vec<usize>,
    /// Games of each lane, for a row
    #[arg(long, default_value_t = 2)]
    each: u64,
    /// Games of a long run after that, 64 at once, a row for every power of ten
    #[arg(long, default_value_t = 0)]
    games: u64,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

/// Measures and prints a table.
pub(crate) fn memory(arguments: &MemoryArguments) -> Result<()> {
    let rules = rules_for(&arguments.rules, &arguments.set, arguments.players)?;
    let sandbox = arguments.sandbox.ready(arguments.sandbox.over(SandboxSettings::USUAL), Vec::new(), false)?;
    let command = AgentCommand::parse(&arguments.agent).map_err(|error| usage(format!("--agent: {error}")))?;
    let command = command.in_sandbox(&sandbox).granted(arguments.sandbox.grant()?);
    let specs = vec![AgentSpec { name: "agent".to_owned(), command }; arguments.players];
    // The maximum resident size only grows, so rows with more games come later.
    let mut rows: Vec<(usize, u64)> =
        arguments.at_once.iter().map(|at_once| (*at_once, arguments.each * *at_once as u64)).collect();
    rows.sort_unstable();
    let powers = std::iter::successors(Some(1_000), |games| Some(games * 10));
    let long = powers.take_while(|games| *games < arguments.games).chain([arguments.games]);
    rows.extend(long.filter(|games| *games > 0).map(|games| (AT_ONCE, games)));
    let measured = on_one_processor(|| measure(specs.clone(), Arc::clone(&rules), arguments.players, rows.clone()))?;
    let mut text = heading();
    text += "| games at once | games | most memory of the arena, KiB | more than before | for each game at once |\n|---|---|---|---|---|\n";
    let mut before = None;
    for (at_once, games, most) in measured {
        let (more, each) = before.map_or(("-".to_owned(), "-".to_owned()), |(most_before, at_once_before)| {
            let more: i64 = most - most_before;
            let each = (at_once > at_once_before).then(|| more as f64 / (at_once - at_once_before) as f64);
            (more.to_string(), each.map_or("-".to_owned(), |each| format!("{each:.1}")))
        });
        text += &format!("| {at_once} | {games} | {most} | {more} | {each} |\n");
        before = Some((most, at_once));
    }
    print(&text)
}

/// Plays the rows, each with its number of games at once and in all; returns with each the peak memory so far, in KiB.
async fn measure(
    specs: Vec<AgentSpec>,
    rules: Arc<Rules>,
    players: usize,
    rows: Vec<(usize, u64)>,
) -> Result<Vec<(usize, u64, i64)>> {
    let event_loop: Rc<EventLoop> = EventLoop::new(specs)?;
    let mut measured = Vec::new();
    for (row, (at_once, games)) in rows.into_iter().enumerate() {
        let lanes = Lanes { rules: Arc::clone(&rules), players, at_once, first: (row as u64) << 40 };
        let count = lanes.play(&event_loop, move |over| over < games).await?;
        ensure!(count.faults == 0, "{} faults; the figures would mean nothing", count.faults);
        // Linux and the BSDs report it in KiB, macOS in bytes.
        let most = getrusage(UsageWho::RUSAGE_SELF)?.max_rss() / if cfg!(target_os = "macos") { 1024 } else { 1 };
        measured.push((at_once, count.games, most));
    }
    event_loop.stop().await;
    Ok(measured)
}
