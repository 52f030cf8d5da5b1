//! `maumau-lab selftest match | looks | ladder | allocation`: how the decisions of tournaments err, and what they cost.

use std::time::Duration;

use anyhow::Result;
use maumau_run::error::CommandOutcome;
use maumau_run::io::stdout::print;
use maumau_tournament::{Allocation, Format};

use crate::selftest::{
    Climbed, HYPOTHESES, LADDERS, Looks, LooksResult, POPULATIONS, best_three, climb, equal_agents, means, play_matches,
};

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau-lab selftest match

Plays matches with deals of a known mean, by the match test and by the ratio test of chess programs (GSPRT, exact on its counts, a \
look after every deal), with errors of 5 % each. At both hypotheses at most 6.4 % of the decisions may be wrong, and at most 1.25 times \
the deals of the ratio test may be played; three times as far beyond, at most as many.

Exit code 1 if one of these does not hold.")]
pub(super) struct MatchArguments {
    /// Matches of each kind
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    matches: u64,
    /// The seed that they follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn match_test(arguments: &MatchArguments) -> Result<CommandOutcome> {
    let mut right = true;
    print(
        "| deals | hypotheses | true mean | wrong % | wrong % (ratio) | deals | deals (ratio) | times |\n|---|---|---|---|---|---|---|---|\n",
    )?;
    for population in &POPULATIONS {
        for hypotheses in HYPOTHESES {
            for (place, mean) in means(hypotheses).into_iter().enumerate() {
                let found = play_matches(population, hypotheses, mean, arguments.matches, arguments.seed);
                let (most_wrong, most_deals) = if place < 2 { (0.064, 1.25) } else { (0.064, 1.0) };
                right &= found.error() <= most_wrong && found.ratio() <= most_deals;
                let [deals, ratio_deals] = found.mean_deals();
                print(&format!(
                    "| {} | {}, {} | {mean:.2} | {:.1} | {:.1} | {deals:.0} | {ratio_deals:.0} | {:.2} |\n",
                    population.name,
                    hypotheses.0,
                    hypotheses.1,
                    100.0 * found.error(),
                    100.0 * found.wrong[1] as f64 / found.matches as f64,
                    found.ratio(),
                ))?;
            }
        }
    }
    Ok(if right { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau-lab selftest looks

Plays leagues of six equal agents with the stop rule `ranking`, which looks after every round. At most 5 % of them may call any two \
agents different at any look.

Exit code 1 if more do.")]
pub(super) struct LooksArguments {
    /// Leagues
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    leagues: u64,
    /// Looks at each
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u16).range(1..=200))]
    looks: u16,
    /// The seed that they follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn looks(arguments: &LooksArguments) -> Result<CommandOutcome> {
    let Looks { leagues, different } = equal_agents(arguments.leagues, arguments.looks.into(), arguments.seed);
    let share = 100.0 * different as f64 / leagues as f64;
    print(&format!(
        "{leagues} leagues of 6 equal agents, {} looks each: two agents called different in {different} ({share:.1} %)\n",
        arguments.looks
    ))?;
    Ok(if share <= 5.0 { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau-lab selftest ladder
  maumau-lab selftest ladder --games 2000000
  maumau-lab selftest ladder --games 20000 --floor 0 --equal 0

Plays ladders with two equal agents and one that joins half-way. The agent with the least games must have at least a fifth of the mean, \
the latecomer must play within the games of a round, its joining may keep the others from playing for less than 100 ms, and no pair may \
be called different in the wrong order.

Exit code 1 if one of these does not hold.")]
pub(super) struct LadderArguments {
    /// Games of each ladder
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1_000..=10_000_000))]
    games: u64,
    /// The share of tables for those that have waited longest
    #[arg(long, default_value_t = Allocation::default().floor)]
    floor: f64,
    /// How many rating points apart agents may be and count as equal
    #[arg(long, default_value_t = Allocation::default().equal)]
    equal: f64,
    /// Games of a round; by default they follow from the number of agents
    #[arg(long)]
    round_games: Option<u64>,
    /// The seed that the results follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The longest that a latecomer may keep others from playing.
const MOST_PAUSE: Duration = Duration::from_millis(100);

pub(super) fn ladder(arguments: &LadderArguments) -> Result<CommandOutcome> {
    let LadderArguments { games, floor, equal, round_games, seed } = *arguments;
    let allocation = Allocation { round_games, floor, equal, ..Allocation::default() };
    let mut right = true;
    print(
        "| ladder | games | least/mean games | seats of the equal two % | games until the latecomer's first | ms without play as it joins | wrong pairs | seconds |\n|---|---|---|---|---|---|---|---|\n",
    )?;
    for ladder in &LADDERS {
        let start = std::time::Instant::now();
        let Climbed { games, least, equal_share, wait, pause, wrong } = climb(ladder, allocation, games, seed);
        right &= least >= 0.2 && wait <= round_games.unwrap_or(80) && wrong == 0 && pause < MOST_PAUSE;
        print(&format!(
            "| {} | {games} | {least:.2} | {:.0} | {wait} | {:.2} | {wrong} | {:.0} |\n",
            ladder.name,
            100.0 * equal_share,
            1e3 * pause.as_secs_f64(),
            start.elapsed().as_secs_f64()
        ))?;
    }
    Ok(if right { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau-lab selftest allocation

Looks for the best three of twelve agents, in steps of 0.1 logits at tables of four: with tables that follow from doubt (format \
`sample`) and with even ones (`round-robin`), by the same stop rule. Those of doubt may take at most half the deals, and name a wrong \
set in at most 5 % of the leagues.

Exit code 1 if they take more, or are wrong more often.")]
pub(super) struct AllocationArguments {
    /// Leagues of each kind
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    leagues: u64,
    /// The seed that they follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Games after which a league is given up.
const MOST_GAMES: u64 = 100_000;

pub(super) fn allocation(arguments: &AllocationArguments) -> Result<CommandOutcome> {
    let kinds = [("by doubt", Format::Sample), ("evenly", Format::RoundRobin)];
    let [doubt, even] = kinds.map(|(name, format)| {
        let found = best_three(&format, arguments.leagues, MOST_GAMES, arguments.seed);
        (name, found)
    });
    print("| tables | deals of a league | wrong sets | undecided |\n|---|---|---|---|\n")?;
    for (name, LooksResult { leagues, deals, wrong, undecided }) in [doubt, even] {
        print(&format!("| {name} | {} | {wrong} of {leagues} | {undecided} |\n", deals / leagues))?;
    }
    let (doubt, even) = (doubt.1, even.1);
    let right = 2 * doubt.deals <= even.deals && 20 * doubt.wrong <= doubt.leagues && doubt.undecided == 0;
    Ok(if right { CommandOutcome::Done } else { CommandOutcome::NotRight })
}
