//! Measures how many finished games a run file takes, each durable when the commit returns. Games are made in memory;
//! time runs only while they are written and while the file is opened again.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};
use maumau_engine::{Rules, seed_of_number};
use maumau_protocol::message::{TimeControl, Want};
use maumau_tournament::{Allocation, Format, StopRules};
use nix::sys::resource::UsageWho;

use super::{cpu_seconds, heading, median, rules_for};
use maumau_referee::local_game::FirstLegal;
use maumau_run::io::stdout::print;
use maumau_run::league::{Queue, Taken};
use maumau_run::run_store::{AgentSettings, LeagueSettings, RunPlan, RunSettings, RunStore, RunWriter, StoredGame};
use maumau_run::runner::Played;

/// How many games are played for it; they are stored over and over, under other numbers.
const GAMES: u64 = 256;

#[derive(clap::Args)]
pub(crate) struct StoreArguments {
    /// Games in one commit. Can be given many times, a row each
    #[arg(long = "commit", value_name = "GAMES", default_values_t = [1, 64, 1024], value_parser = clap::value_parser!(u64).range(1..))]
    commits: Vec<u64>,
    /// Games in the run file of one measurement
    #[arg(long, default_value_t = 8192, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seats at the table
    #[arg(long, default_value_t = 4)]
    players: usize,
    /// Measurements
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
    /// The folder of the run file, on the disk to be measured; by default the system's for temporary files
    #[arg(long)]
    folder: Option<PathBuf>,
}

/// Measures and prints a table.
pub(crate) fn storing(arguments: &StoreArguments) -> Result<()> {
    let compiled = rules_for("basic", &[], arguments.players)?;
    let settings = settings(&compiled, arguments.players, arguments.games);
    let folder = arguments.folder.clone().unwrap_or_else(std::env::temp_dir);
    let path = folder.join(format!("maumau-bench-{}.run", std::process::id()));
    let mut text = heading();
    text += "| games a commit | durable games/s | CPU us/game | bytes/game | bytes/move | of it in the log | taken up again after ms |\n|---|---|---|---|---|---|---|\n";
    for commit in &arguments.commits {
        text += &measure(arguments, *commit, &settings, &compiled, &path)?;
    }
    print(&text)
}

/// A league of as many agents as a table has seats.
pub(super) fn settings(rules: &Rules, players: usize, games: u64) -> RunSettings {
    RunSettings {
        league: LeagueSettings {
            name: "bench".to_owned(),
            seats: players,
            rounds: vec![1],
            one_author_per_table: false,
            games_per_pairing: games.max(GAMES).next_multiple_of(players as u64),
            format: Format::RoundRobin,
            allocation: Allocation::default(),
            stop: StopRules::default(),
            anchor: None,
            time: TimeControl::default(),
            sandbox: maumau_run::agent::SandboxSettings::USUAL,
            public_seed: false,
            hidden_names: false,
            shard: None,
            clock: Default::default(),
            agents: (0..players)
                .map(|number| AgentSettings {
                    name: format!("agent {number}"),
                    command: "maumau agent first".to_owned(),
                    directory: None,
                    author: None,
                    permits: Default::default(),
                    life: Default::default(),
                })
                .collect(),
        },
        rules: vec![rules.set().as_ref().clone()],
        seed: seed_of_number(1),
        engine: maumau_engine::VERSION.to_owned(),
    }
}

/// Plays some games of `plan`, each with the number of its moves.
pub(super) fn play(rules: &Arc<Rules>, plan: &RunPlan) -> Result<Vec<(u64, StoredGame)>> {
    let mut table = FirstLegal::new(Arc::clone(rules), vec![Want::Legal]);
    let play = |number| {
        let before = table.moves;
        let (log, tallies) = table.play(number).map_err(Error::msg)?;
        let game = StoredGame::new(&plan.pairings.game(number), Played { log, tallies, evidence: Vec::new() })?;
        Ok((table.moves - before, game))
    };
    (0..GAMES).map(play).collect()
}

/// Game `number` of `plan`, as a copy of one that was played.
pub(super) fn copy(plan: &RunPlan, played: &[(u64, StoredGame)], number: u64) -> StoredGame {
    StoredGame { planned: plan.pairings.game(number), ..played[(number % GAMES) as usize].1.clone() }
}

fn measure(
    arguments: &StoreArguments,
    commit: u64,
    settings: &RunSettings,
    rules: &Arc<Rules>,
    path: &std::path::Path,
) -> Result<String> {
    let (mut rates, mut costs, mut resumes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut bytes, mut log_bytes, mut moves) = (0, 0, 0);
    for _ in 0..arguments.repeats {
        let (mut writer, plan) = RunWriter::open(path, |_| Ok(settings.clone()))?;
        let played = play(rules, &plan)?;
        let games: Vec<StoredGame> = (0..arguments.games).map(|number| copy(&plan, &played, number)).collect();
        moves = (0..arguments.games).map(|number| played[(number % GAMES) as usize].0).sum();
        log_bytes = games.iter().map(|game| game.log.len()).sum();
        let (start, cpu) = (Instant::now(), cpu_seconds(UsageWho::RUSAGE_THREAD)?);
        for batch in games.chunks(commit.max(1) as usize) {
            writer.add(batch)?;
        }
        rates.push(arguments.games as f64 / start.elapsed().as_secs_f64());
        costs.push((cpu_seconds(UsageWho::RUSAGE_THREAD)? - cpu) / arguments.games as f64 * 1e6);
        drop(writer);
        let again = Instant::now();
        let (writer, plan) = RunWriter::open(path, |_| Ok(settings.clone()))?;
        let (tally, _) = writer.tally(&plan)?;
        let queue = Queue::new(&plan, &tally);
        resumes.push(again.elapsed().as_secs_f64() * 1e3);
        ensure!(
            !matches!(queue.take(), Taken::Game(next) if next.index != arguments.games),
            "the run file does not hold the {} games that were added",
            arguments.games
        );
        drop(writer);
        bytes = std::fs::metadata(path).map(|file| file.len()).with_context(|| path.display().to_string())?;
        std::fs::remove_file(path).with_context(|| format!("{} cannot be removed", path.display()))?;
    }
    let per_move = |bytes: f64| bytes / moves as f64;
    Ok(format!(
        "| {commit} | {} | {} | {:.0} | {:.2} | {:.2} | {} |\n",
        median(&mut rates, 0),
        median(&mut costs, 1),
        bytes as f64 / arguments.games as f64,
        per_move(bytes as f64),
        per_move(log_bytes as f64),
        median(&mut resumes, 0),
    ))
}
