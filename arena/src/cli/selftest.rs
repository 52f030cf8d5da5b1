//! `maumau selftest`: the program tests itself at length.

use anyhow::Result;
use maumau_engine::rules::{BuiltInSet, built_in};

use super::{Outcome, print, usage};
use crate::selftest::{Games, check};

#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Random games of the rule sets, checked at every step
    Games(GamesArguments),
}

pub(super) fn run(arguments: Arguments) -> Result<Outcome> {
    match arguments.what {
        What::Games(arguments) => games(&arguments),
    }
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau selftest games
  maumau selftest games --rules snap --games 1000 --seed 7
  maumau selftest games --rules snap --seed 7 --first 123 --games 1   one game again

Each game has random options, seats and inputs, legal ones and others. Checked are: no card is lost or made, every action
has one verdict, a refused one leaves nothing but its price, what is listed as legal is what is accepted, nothing shown to
a seat depends on what it may not know, rounds end, scores are right, and a replay is the same.

Exit code 1 if a game breaks a law.")]
struct GamesArguments {
    /// Name of a built-in rule set; can be given many times. By default all
    #[arg(long, value_name = "SET")]
    rules: Vec<String>,
    /// Games of each set
    #[arg(long, default_value_t = 100_000)]
    games: u64,
    /// What the games follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first game
    #[arg(long, default_value_t = 0)]
    first: u64,
}

fn games(arguments: &GamesArguments) -> Result<Outcome> {
    let sets: Vec<&BuiltInSet> = match arguments.rules.is_empty() {
        true => built_in().iter().collect(),
        false => arguments.rules.iter().map(|name| find(name)).collect::<Result<_>>()?,
    };
    let end = arguments.first.checked_add(arguments.games).ok_or_else(|| usage("--games: too many"))?;
    let (mut passed, mut failed) = (0, 0);
    for set in sets {
        let games = Games { set: set.name, seed: arguments.seed, first: arguments.first, end };
        let report = check(&games)?;
        print(&format!("{report}\n"))?;
        passed += report.passed;
        failed += report.failed;
    }
    print(&format!("{passed} passed, {failed} failed\n"))?;
    Ok(if failed == 0 { Outcome::Done } else { Outcome::NotRight })
}

fn find(name: &str) -> Result<&'static BuiltInSet> {
    built_in().iter().find(|set| set.name == name).ok_or_else(|| {
        let known: Vec<&str> = built_in().iter().map(|set| set.name).collect();
        usage(format!("--rules {name}: no built-in set; there are {}", known.join(", ")))
    })
}
