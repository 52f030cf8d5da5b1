//! Measures how many games duplicate deals save, by rule set and by table of built-in bots.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, ensure};
use maumau_arena::cli::SandboxArguments;
use maumau_engine::rules::built_in;
use maumau_engine::{Rules, deal_seed, seed_of_number};
use maumau_protocol::fault::CountedFault;
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_run::agent::{AgentCommand, SandboxSettings};
use maumau_run::error::usage;
use maumau_run::io::stdout::print;
use maumau_run::log::Span;
use maumau_run::runner::{
    AgentSpec, EventLoop, GameConfig, GameSource, NewGame, NextGame, Occupancy, Played, on_each_processor, processors,
};
use maumau_tournament::fixed;
use maumau_tournament::statistics::duplicates::{Saved, duplicates};
use maumau_tournament::statistics::ratings::RatedGames;

use super::rules_for;

/// Games at once on each processor.
const AT_ONCE: usize = 16;

#[derive(clap::Args)]
pub(crate) struct DuplicatesArguments {
    /// Name of a built-in rule set, or path of a rule file; by default every built-in set. Can be given many times
    #[arg(long = "rules", value_name = "RULES")]
    rules: Vec<String>,
    /// Built-in bots at a table, with commas; the first two are compared. Can be given many times, a column each
    #[arg(long = "table", value_name = "BOTS", default_values = ["greedy,first", "greedy,random", "greedy,first,greedy,first"])]
    tables: Vec<String>,
    /// Deals at each table, each played in every rotation
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(3..))]
    deals: u64,
    /// Which deals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

/// Plays, measures and prints a table.
pub(crate) fn duplicated(arguments: &DuplicatesArguments) -> Result<()> {
    let rules = match arguments.rules.is_empty() {
        true => built_in().iter().map(|set| set.name.to_owned()).collect(),
        false => arguments.rules.clone(),
    };
    let mut text = format!(
        "maumau {}, {} deals a cell, seed {}: games with new deals for one with duplicates, for the same error of the difference of \
         the first two\n\n| rules | {} |\n|---|{}\n",
        env!("CARGO_PKG_VERSION"),
        arguments.deals,
        arguments.seed,
        arguments.tables.iter().map(|table| table.replace(',', " - ")).collect::<Vec<_>>().join(" | "),
        "---|".repeat(arguments.tables.len())
    );
    for name in &rules {
        let cells = arguments.tables.iter().map(|table| {
            let bots: Vec<&str> = table.split(',').map(str::trim).collect();
            ensure!(bots.len() > 1, usage(format!("--table {table}: at least two bots")));
            Ok(match measure(arguments, name, &bots)? {
                Saved { factor: Some(factor), std_error: Some(error), .. } => {
                    format!("{} ± {}", fixed(factor, 2), fixed(error, 2))
                }
                Saved { factor: Some(factor), .. } => fixed(factor, 2),
                Saved { factor: None, .. } => "each deal cancels".to_owned(),
            })
        });
        text += &format!("| {name} | {} |\n", cells.collect::<Result<Vec<_>>>()?.join(" | "));
    }
    print(&text)
}

/// Plays the deals at one table.
fn measure(arguments: &DuplicatesArguments, name: &str, bots: &[&str]) -> Result<Saved> {
    let rules = rules_for(name, &[], bots.len())?;
    let sandbox = arguments.sandbox.ready(arguments.sandbox.over(SandboxSettings::USUAL), Vec::new(), true)?;
    let spec = |(number, bot): (usize, &&str)| {
        let command = AgentCommand::parse(&format!("maumau agent {bot}"))?.in_sandbox(&sandbox);
        Ok(AgentSpec { name: format!("{bot}-{number}"), command: command.granted(arguments.sandbox.grant()?) })
    };
    let specs: Vec<AgentSpec> = bots.iter().enumerate().map(spec).collect::<Result<_>>()?;
    let cpus = processors();
    let (seed, seats, loops) = (arguments.seed, bots.len(), cpus.len() as u64);
    let last = arguments.deals * seats as u64;
    let played = on_each_processor(&cpus, |index| {
        let (specs, rules) = (specs.clone(), Arc::clone(&rules));
        async move {
            let event_loop = EventLoop::new(specs)?;
            let results = Rc::new(RefCell::new(Vec::new()));
            let source =
                Rotations { rules, seed, seats, next: index as u64, step: loops, last, results: Rc::clone(&results) };
            event_loop.run(source).await?;
            event_loop.stop().await;
            Ok(results.take())
        }
    })?;
    let mut games = RatedGames::new(seats);
    for (number, places) in played.into_iter().flatten() {
        games.add(number / seats as u64, agents(number, seats).zip(places));
    }
    Ok(duplicates(&games).pairs.get(&(0, 1)).copied().unwrap_or_default())
}

/// The agents of a game by seat: in its rotation of the deal.
fn agents(number: u64, seats: usize) -> impl Iterator<Item = usize> {
    let rotation = (number % seats as u64) as usize;
    (0..seats).map(move |seat| (seat + seats - rotation) % seats)
}

/// The games of one loop: every `step`-th of all deals in all rotations.
struct Rotations {
    rules: Arc<Rules>,
    seed: u64,
    seats: usize,
    next: u64,
    step: u64,
    last: u64,
    results: Rc<RefCell<Results>>,
}

/// Places by number of the game.
type Results = Vec<(u64, Vec<u8>)>;

impl GameSource for Rotations {
    fn next(&mut self, occupancy: &dyn Occupancy) -> Result<NextGame> {
        if self.next >= self.last {
            return Ok(NextGame::Over);
        }
        if occupancy.playing() >= AT_ONCE {
            return Ok(NextGame::Later);
        }
        let number = self.next;
        self.next += self.step;
        let (deal, rotation) = (number / self.seats as u64, (number % self.seats as u64) as usize);
        let config = GameConfig {
            id: GameId(format!("duplicates-{number}").into()),
            rules: Arc::clone(&self.rules),
            seed: deal_seed(&seed_of_number(self.seed), &deal.to_string()),
            // No process sees a deal twice.
            agents: agents(number, self.seats).map(|agent| (agent, rotation)).collect(),
            time: TimeControl::default(),
            clock: ClockMode::Lockstep,
            reveal_seed: false,
            public_seed: false,
            hidden_names: false,
        };
        let name = config.id.0.to_string();
        Ok(NextGame::Game(Box::new(NewGame { number, name, config, span: Span::none() })))
    }

    fn finished(&mut self, number: u64, played: Played) -> Result<()> {
        // A rule that is broken is a part of the game, and paid for there: a Mau may be called before its seat is asked again. Faults of
        // conduct are not.
        let of_conduct = played.tallies.iter().flat_map(|tally| tally.faults.iter());
        let found =
            of_conduct.filter(|(fault, _)| matches!(fault, CountedFault::Conduct(_))).map(|(fault, _)| fault.name());
        let found = found.collect::<Vec<_>>().join(", ");
        ensure!(found.is_empty(), "game {number}: {found}; its figures would mean nothing");
        self.results.borrow_mut().push((number, played.log.result.places));
        Ok(())
    }
}
