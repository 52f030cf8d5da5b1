//! `maumau-lab bench`: measures the speed of this build on this machine. It reads the options; `bench` measures.

use anyhow::Result;
use clap::Subcommand;
use maumau_run::error::CommandOutcome;

use crate::bench;

#[derive(clap::Args)]
pub(super) struct BenchArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Random legal play in the process, on one core
    #[command(
        after_help = "Examples:\n  maumau-lab bench playout --rules basic --players 4\n  maumau-lab bench playout --build nothing \\\n      --against 'playout-limit --players 4 --repeats 1'\n  maumau-lab bench playout --rules crazy-eights --build nothing --suits-apart"
    )]
    Playout(bench::PlayoutArguments),
    /// Games through real pipes, one after another on each processor
    #[command(
        after_help = "Example:\n  maumau-lab bench match --agent 'maumau agent first' \\\n      --agent 'python3 agents/python/random_bot.py'"
    )]
    Match(bench::MatchBenchArguments),
    /// Games through real pipes, many at once in one process of each agent
    #[command(after_help = "Example:\n  maumau-lab bench interleaved --agent 'maumau agent first'")]
    Interleaved(bench::MatchBenchArguments),
    /// The referee's part of games, without pipes
    #[command(after_help = "Example:\n  maumau-lab bench referee --rules skat")]
    Referee(bench::RefereeArguments),
    /// Checking records
    #[command(after_help = "Example:\n  maumau-lab bench verify --rules skat")]
    Verify(bench::VerifyBenchArguments),
    /// Bringing finished games into a run file
    #[command(after_help = "Example:\n  maumau-lab bench store --games 4096")]
    Store(bench::StoreArguments),
    /// The tables of a large run file
    #[command(after_help = "Example:\n  maumau-lab bench standings --games 8192 --repeats 1")]
    Standings(bench::StandingsArguments),
    /// Joint ratings of many agents
    #[command(after_help = "Example:\n  maumau-lab bench ratings --agents 30 --games 10000 --repeats 1")]
    Ratings(bench::RatingsArguments),
    /// The arena's memory: for games in flight, and over a long run
    #[command(
        after_help = "Examples:\n  maumau-lab bench memory --at-once 1,64,1024\n  maumau-lab bench memory --at-once 64 --set turn_cap=8 --games 1000000"
    )]
    Memory(bench::MemoryArguments),
    /// How many games duplicate deals save
    #[command(
        after_help = "Examples:\n  maumau-lab bench duplicates --rules basic --deals 20\n  maumau-lab bench duplicates --rules skat --table greedy,greedy,first,random --deals 20"
    )]
    Duplicates(bench::DuplicatesArguments),
    /// From the command to the first finished game of a league of many agents
    #[command(after_help = "Example:\n  maumau-lab bench first-game --agents 1000")]
    FirstGame(bench::FirstGameArguments),
    /// From nothing to the first finished game
    #[command(after_help = "Example:\n  maumau-lab bench start --players 4")]
    Start(bench::StartArguments),
}

pub(super) fn run(arguments: BenchArguments) -> Result<CommandOutcome> {
    match arguments.command {
        Command::Playout(arguments) => bench::playout(&arguments)?,
        Command::Match(arguments) => bench::matches(&arguments)?,
        Command::Interleaved(arguments) => bench::interleaved(&arguments)?,
        Command::Referee(arguments) => bench::referee(&arguments)?,
        Command::Verify(arguments) => bench::verifying(&arguments)?,
        Command::Store(arguments) => bench::storing(&arguments)?,
        Command::Standings(arguments) => bench::standings(&arguments)?,
        Command::Ratings(arguments) => bench::ratings(&arguments)?,
        Command::Memory(arguments) => bench::memory(&arguments)?,
        Command::Duplicates(arguments) => bench::duplicated(&arguments)?,
        Command::FirstGame(arguments) => bench::first_game(&arguments)?,
        Command::Start(arguments) => bench::starting(&arguments)?,
    }
    Ok(CommandOutcome::Done)
}
