//! `maumau-lab selftest`: tests the program at length. It reads the options and prints the outcome; `selftest` does the
//! work.

mod club;
mod cluster;
mod decisions;

use std::time::Instant;

use anyhow::Result;
use maumau_engine::rules::{BuiltInSet, all_sets};
use maumau_model_check::Evenness;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;
use maumau_run::runner::processors;

use crate::selftest::{
    CONTROLS, Counted, LEAGUES, NumberedGames, Rated, Simulated, Simulation, among_random, check, deal_many, percent,
    simulate,
};

#[derive(clap::Args)]
pub(super) struct SelftestArguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Random games of the rule sets, checked at every step
    Games(GamesArguments),
    /// Games of the controls among random bots, below which they must be rated
    Controls(ControlsArguments),
    /// Many deals, in which every card must be as likely at every place
    Shuffle(ShuffleArguments),
    /// Simulated leagues, in which the printed intervals must hold the truth
    Intervals(IntervalsArguments),
    /// Simulated matches: how often the match test errs, and how many deals it takes
    Match(decisions::MatchArguments),
    /// Simulated leagues of equal agents, looked at again and again
    Looks(decisions::LooksArguments),
    /// Simulated ladders with equal agents and a latecomer: how evenly games are spread
    Ladder(decisions::LadderArguments),
    /// Simulated leagues that look for the best agents: what tables that follow from doubt save
    Allocation(decisions::AllocationArguments),
    /// Simulated runs of the arena with scripted agents, crashes and a disk that fails
    Simulation(SimulationArguments),
    /// A simulated year of a club: waits, fairness, errors of ranks, chapters, disk
    Club(club::ClubYearArguments),
    /// Simulated clusters of workers that crash and lose the server
    Cluster(cluster::SelftestClusterArguments),
}

pub(super) fn run(arguments: SelftestArguments) -> Result<CommandOutcome> {
    match arguments.what {
        What::Games(arguments) => games(&arguments),
        What::Controls(arguments) => controls(&arguments),
        What::Shuffle(arguments) => shuffle(&arguments),
        What::Intervals(arguments) => intervals(&arguments),
        What::Match(arguments) => decisions::match_test(&arguments),
        What::Looks(arguments) => decisions::looks(&arguments),
        What::Ladder(arguments) => decisions::ladder(&arguments),
        What::Allocation(arguments) => decisions::allocation(&arguments),
        What::Simulation(arguments) => simulation(&arguments),
        What::Club(arguments) => club::run(&arguments),
        What::Cluster(arguments) => cluster::run(&arguments),
    }
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau-lab selftest games
  maumau-lab selftest games --rules snap --games 1000 --seed 7
  maumau-lab selftest games --rules snap --seed 7 --first 123 --games 1

Each game has random options, seats and inputs, legal and illegal ones. The test checks that no card is lost or made, every action \
has one verdict, a refused action leaves nothing but its price, exactly the actions listed as legal are accepted, nothing shown to \
a seat depends on what it may not know, rounds end, scores are right, and a replay gives the same game. Another game by \
the same rules is played under the eyes of an observer for each seat, whose samples must show the seat the view and the legal actions \
that the game does; in every fourth of these the seats do only what is legal.

Exit code 1 if a game breaks a law.")]
struct GamesArguments {
    /// Name of a rule set that `maumau rules list` shows; can be given many times. By default all
    #[arg(long, value_name = "SET")]
    rules: Vec<String>,
    /// Games of each set
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed that the games follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first game
    #[arg(long, default_value_t = 0)]
    first: u64,
}

fn games(arguments: &GamesArguments) -> Result<CommandOutcome> {
    let sets = sets(&arguments.rules)?;
    let end = arguments.first.checked_add(arguments.games).ok_or_else(|| usage("--games: too many"))?;
    let (mut passed, mut failed) = (0, 0);
    for set in sets {
        let games = NumberedGames { set: set.name, seed: arguments.seed, first: arguments.first, end };
        let report = check(&games)?;
        print(&format!("{report}\n"))?;
        passed += report.passed;
        failed += report.failed;
    }
    print(&format!("{passed} passed, {failed} failed\n"))?;
    Ok(if failed == 0 { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

/// The sets of these names; without names all of them.
fn sets(names: &[String]) -> Result<Vec<&'static BuiltInSet>> {
    match names.is_empty() {
        true => Ok(all_sets().collect()),
        false => names.iter().map(|name| find(name)).collect(),
    }
}

fn find(name: &str) -> Result<&'static BuiltInSet> {
    all_sets().find(|set| set.name == name).ok_or_else(|| {
        let known: Vec<&str> = all_sets().map(|set| set.name).collect();
        usage(format!("--rules {name}: no such set; there are {}", known.join(", ")))
    })
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau-lab selftest controls
  maumau-lab selftest controls --rules basic --deals 1000 --seed 7

Seats the drawer, which draws whenever it may, and the clown, which tries a card that may not be played at every turn, one at a time among \
random bots, at tables of two, three and four, each deal from every seat, and rates them. By every rule set the interval of the control \
must be below that of the random bots: where it is not, not playing pays.

Exit code 1 if one is not.")]
struct ControlsArguments {
    /// Name of a rule set that `maumau rules list` shows; can be given many times. By default all
    #[arg(long, value_name = "SET")]
    rules: Vec<String>,
    /// Deals at each table
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(3..=1_000_000))]
    deals: u64,
    /// The seed that they follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn controls(arguments: &ControlsArguments) -> Result<CommandOutcome> {
    let mut failed = 0;
    print("| rules | seats | control | its rating | of random | below |\n|---|---|---|---|---|---|\n")?;
    for set in sets(&arguments.rules)? {
        for seats in [2, 3, 4] {
            for name in CONTROLS {
                let rated = among_random(name, set.name, seats, arguments.deals, arguments.seed)?;
                let is_below = rated.is_below();
                failed += u32::from(!is_below);
                let Rated { control, random } = rated;
                let [control, random] = [control, random].map(|rating| match rating.interval {
                    Some(interval) => format!("{:.0} ± {:.0}", rating.rating, (interval.high - interval.low) / 2.0),
                    None => format!("{:.0}", rating.rating),
                });
                let below = if is_below { "yes" } else { "no" };
                print(&format!("| {} | {seats} | {name} | {control} | {random} | {below} |\n", set.name))?;
            }
        }
    }
    Ok(if failed == 0 { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau-lab selftest shuffle
  maumau-lab selftest shuffle --deals 200000 --seed 7

Counts how often each of 52 cards lies at each place of a shuffled deck, and how often it is drawn at each place of a draw \
pile, and compares that with chance: chi-square, as standard deviations from its mean (z), which must be within 4.

Exit code 1 if it is not.")]
struct ShuffleArguments {
    /// How many deals
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    deals: u32,
    /// The seed that the deals follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau-lab selftest intervals

Plays leagues of two seats in which each agent has a known chance to win, and counts how many of the 95 % intervals of scores and \
ratings hold the truth: at least 93 % must, and at most 97.5 % where no agent wins more than 80 % and there are 20 deals or more. With \
fewer leagues the result is a matter of luck.

Exit code 1 if fewer or more do, or an interval has no width.")]
struct IntervalsArguments {
    /// Leagues of each kind and length
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    leagues: u64,
    /// The seed that they follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn intervals(arguments: &IntervalsArguments) -> Result<CommandOutcome> {
    let mut right = true;
    print("| league | deals | score % | rating % | no width |\n|---|---|---|---|---|\n")?;
    for league in &LEAGUES {
        for deals in [5, 10, 30, 120] {
            let coverage = simulate(league, deals, arguments.leagues, arguments.seed);
            let [scores, ratings] = [coverage.scores, coverage.ratings].map(percent);
            let held = 93.0..=league.most_held(deals);
            right &= held.contains(&scores) && held.contains(&ratings) && coverage.empty == 0;
            print(&format!("| {} | {deals} | {scores:.1} | {ratings:.1} | {} |\n", league.name, coverage.empty))?;
        }
    }
    Ok(if right { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

fn shuffle(arguments: &ShuffleArguments) -> Result<CommandOutcome> {
    let evenness = deal_many(arguments.seed, arguments.deals.into());
    let Evenness { deal, draws } = evenness;
    print(&format!(
        "{} deals: z = {deal:.2} by place in the deck, {draws:.2} by place in the draws\n",
        arguments.deals
    ))?;
    Ok(if evenness.is_even() { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau-lab selftest simulation
  maumau-lab selftest simulation --games 5000 --seed 7
  maumau-lab selftest simulation --seed 7 --run 123

The referee, the game host, the wire, the plan and the logs are the real ones; agents, clock and disk are scripted. \
After every step the test checks that each ask has one verdict and its deadline runs, clocks add up, no card is lost or made, \
every seat that wants an event is sent it once and nothing hidden, and no seat hears of a game that is over for it. For \
every game it checks that the game ends, replays and verifies, strikes, dismissals and places are right, good agents are never \
punished, and deadlines are void exactly when the host was at fault; and over all crashes that nothing announced is lost, \
duplicated or changed.

Exit code 1 if a run breaks a law.")]
struct SimulationArguments {
    /// Games in all, over many runs
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed that the runs follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play this run alone
    #[arg(long, value_name = "NUMBER")]
    run: Option<u64>,
}

fn simulation(arguments: &SimulationArguments) -> Result<CommandOutcome> {
    let simulation = Simulation::new(arguments.seed)?;
    let (first, end) = arguments.run.map_or((0, u64::MAX), |run| (run, run.saturating_add(1)));
    let start = Instant::now();
    let report = simulation.play(processors().len(), first, end, arguments.games);
    print(&report_text(&report, start.elapsed().as_secs_f64()))?;
    Ok(if report.failed == 0 { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

fn report_text(report: &Simulated, seconds: f64) -> String {
    let Counted { games, begun, inputs, void, dismissed, crashes, .. } = report.counted;
    let mut text = format!(
        "{games} games in {} runs, {inputs} inputs, {dismissed} dismissals, {void} void deadlines, {crashes} crashes that took {} games; {seconds:.0} s, {:.0} games/s\n",
        report.runs,
        begun - games,
        games as f64 / seconds,
    );
    text += &format!("{} runs passed, {} failed\n", report.runs, report.failed);
    text
}
