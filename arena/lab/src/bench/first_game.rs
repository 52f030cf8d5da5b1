//! Measures the time from the command `maumau tournament run` to its first finished game, in a league of many agents. It starts the
//! program itself, and kills it once a game is durable.

use std::fmt::Write;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use maumau_run::error::usage;
use maumau_run::io::stdout::print;

use super::{heading, median};

#[derive(clap::Args)]
pub(crate) struct FirstGameArguments {
    /// Agents of the league, all of them `maumau agent first`
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u16).range(2..=1_024))]
    agents: u16,
    /// Seats at a table
    #[arg(long, default_value_t = 4)]
    players: u16,
    /// The program `maumau`; by default the one beside this program
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Measurements
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
}

/// Measures and prints a table.
pub(crate) fn first_game(arguments: &FirstGameArguments) -> Result<()> {
    let beside = || Ok::<_, anyhow::Error>(std::env::current_exe()?.with_file_name("maumau"));
    let program = arguments.program.clone().map_or_else(beside, Ok)?;
    ensure!(program.is_file(), usage(format!("there is no program {}; name it with --program", program.display())));
    let (agents, players) = (arguments.agents, arguments.players);
    let mut league = format!(
        "rules = \"basic\"\nseats = {players}\nrounds = 1\ngames_per_pairing = {players}\npublic_seed = true\nseed = 1\n"
    );
    for agent in 0..agents {
        write!(league, "[[agent]]\nname = \"a{agent}\"\ncommand = \"maumau agent first\"\n")?;
    }
    let mut walls = Vec::new();
    for _ in 0..arguments.repeats {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("league.toml");
        std::fs::write(&file, &league)?;
        let begun = Instant::now();
        let mut run = Command::new(&program)
            .args(["tournament", "run", "--announce", "--quiet"])
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("maumau cannot be started")?;
        let mut first = String::new();
        let read = BufReader::new(run.stdout.take().context("a pipe")?).read_line(&mut first);
        walls.push(begun.elapsed().as_secs_f64() * 1e3);
        // Its agents end with it.
        run.kill()?;
        run.wait()?;
        read?;
        ensure!(first.starts_with('g'), "no game was announced");
    }
    let first = median(&mut walls, 0);
    print(&format!(
        "{}| agents | seats | first game durable after ms |\n|---|---|---|\n| {agents} | {players} | {first} |\n",
        heading()
    ))
}
