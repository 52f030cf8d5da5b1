//! `maumau-lab selftest club`: a simulated year of a club, as a table.

use std::time::Instant;

use anyhow::Result;
use maumau_run::error::CommandOutcome;
use maumau_run::io::stdout::print;

use crate::selftest::{ClubYear, ClubYearResult, live};

/// Bytes of a game in a run file, and of the archive and the unpacked files of a version that is a script with its kit.
const GAME_BYTES: u64 = 230;
const VERSION_BYTES: u64 = 150_000;

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau-lab selftest club
  maumau-lab selftest club --teams 50 --days 90 --games-a-day 20000

Teams send versions that are better or worse than the one before; a tenth is refused, and three of a hundred hold up the check for ten minutes. On the \
last day of each season of 90 days ten times as much is sent. Games have drawn results; turns, states, rounds and ratings are those of a \
real club. A year of 200 teams takes about 40 minutes.

Exit code 1 if on a day that is no deadline a bot had fewer games than a fifth of the mean, if more than 5 % of the orders that the ladder \
calls sure are wrong, or if one version in twenty waits longer than 30 s for its verdict on a day that is no deadline.")]
pub(super) struct ClubYearArguments {
    /// Teams, each with one bot
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(2..=900))]
    teams: u16,
    /// Days
    #[arg(long, default_value_t = 365, value_parser = clap::value_parser!(u64).range(1..))]
    days: u64,
    /// Rated games a day
    #[arg(long, default_value_t = 1_280, value_parser = clap::value_parser!(u64).range(64..))]
    games_a_day: u64,
    /// Days between two versions of a bot, on average
    #[arg(long, default_value_t = 10)]
    days_between: u32,
    /// The seed that all chance follows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(arguments: &ClubYearArguments) -> Result<CommandOutcome> {
    let ClubYearArguments { teams, days, games_a_day, days_between, seed } = *arguments;
    let began = Instant::now();
    let year = ClubYear { teams: teams.into(), days, games_a_day, days_between: f64::from(days_between), seed };
    let result = live(&year);
    let ClubYearResult {
        sent,
        refused,
        waits,
        first_games,
        least,
        idle_days,
        chapters,
        games,
        decided,
        wrong,
        correlations,
    } = &result;
    let at = |all: &[f64], share: f64| match all {
        [] => f64::NAN,
        _ => all[((all.len() - 1) as f64 * share).round() as usize],
    };
    let wrong_share = *wrong as f64 / (*decided).max(1) as f64;
    let span = |all: &[f64]| format!("{:.0}, {:.0}, {:.0}", at(all, 0.5), at(all, 0.95), at(all, 1.0));
    let lowest = correlations.iter().copied().fold(f64::INFINITY, f64::min);
    let rows = [
        ("teams, days, rated games", format!("{teams}, {days}, {games}")),
        ("versions sent, of these refused", format!("{sent}, {refused}")),
        ("s from sending to the verdict: median, p95, longest", span(&waits[0])),
        ("the same on the days of deadlines", span(&waits[1])),
        ("games of others before a version's first: median, p95, most", span(first_games)),
        ("least games of an active bot on a day over the mean: worst day, p5, median", {
            format!("{:.2}, {:.2}, {:.2}", at(least, 0.0), at(least, 0.05), at(least, 0.5))
        }),
        ("days on which an active bot had no game", idle_days.to_string()),
        ("chapters", chapters.to_string()),
        (
            "pairs called sure at their ends, of these in the wrong order",
            format!("{decided}, {wrong} ({:.1} %)", 100.0 * wrong_share),
        ),
        ("rank correlation with the strengths (Kendall): lowest, last", {
            format!("{lowest:.2}, {:.2}", correlations.last().copied().unwrap_or(f64::NAN))
        }),
        ("GB of run files and versions", {
            format!("{:.2}, {:.2}", (games * GAME_BYTES) as f64 / 1e9, (sent * VERSION_BYTES) as f64 / 1e9)
        }),
        ("seconds of this simulation", format!("{:.0}", began.elapsed().as_secs_f64())),
    ];
    print("| what | how much |\n|---|---|\n")?;
    rows.iter().try_for_each(|(what, how_much)| print(&format!("| {what} | {how_much} |\n")))?;
    let is_fair = least.first().is_none_or(|worst| *worst >= 0.2);
    let is_right = is_fair && wrong_share <= 0.05 && (waits[0].is_empty() || at(&waits[0], 0.95) <= 30.0);
    Ok(if is_right { CommandOutcome::Done } else { CommandOutcome::NotRight })
}
