//! How long joint ratings of many agents from many games take. Results are drawn, not played.

use std::time::Instant;

use anyhow::{Result, ensure};
use maumau_engine::ChoiceStream;
use maumau_run::io::stdout::print;
use maumau_tournament::statistics::ratings::{RatedGames, RatingOptions, rate};

use super::{heading, median};

#[derive(clap::Args)]
pub(crate) struct RatingsArguments {
    /// Agents of the pool
    #[arg(long, default_value_t = 1_024)]
    agents: usize,
    /// Games
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seats at the table
    #[arg(long, default_value_t = 4)]
    players: usize,
    /// Measurements
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
}

/// Rates random games, measures and prints a table.
pub(crate) fn ratings(arguments: &RatingsArguments) -> Result<()> {
    let RatingsArguments { agents, games: count, players, repeats } = *arguments;
    ensure!(
        (2..=16).contains(&players) && players <= agents,
        "--players {players}: 2 to 16, and no more than --agents"
    );
    let mut dice = ChoiceStream::new(&[1]);
    let mut games = RatedGames::new(agents);
    let mut table: Vec<usize> = (0..players).collect();
    for number in 0..count {
        if number.is_multiple_of(players as u64) {
            let first = dice.below(agents);
            let step = 1 + dice.below((agents - 1) / players.max(2));
            table.iter_mut().enumerate().for_each(|(seat, agent)| *agent = (first + seat * step) % agents);
        }
        // Every other agent is as good as the one before it; a better one has more chances to come first.
        let winner = (0..players).max_by_key(|seat| dice.below(agents + table[*seat])).unwrap_or(0);
        games.add(
            number / players as u64,
            table.iter().enumerate().map(|(seat, agent)| (*agent, if seat == winner { 1 } else { 2 })),
        );
    }
    let mut seconds = Vec::new();
    for _ in 0..repeats {
        let start = Instant::now();
        let rated = rate(&games, &RatingOptions::default());
        seconds.push(start.elapsed().as_secs_f64());
        ensure!(rated.agents.iter().all(|agent| agent.rating.is_finite()), "a rating is no number");
    }
    print(&format!(
        "{}| agents | games | seats | seconds |\n|---|---|---|---|\n| {agents} | {count} | {players} | {} |\n",
        heading(),
        median(&mut seconds, 2),
    ))
}
