//! Random legal play in the process.

use std::sync::Arc;

use anyhow::Result;
use maumau_engine::{Game, Phase, Rules, Unseen};
use maumau_protocol::{Elapse, Event, Say, Seed, Verb, View};
use nix::sys::resource::UsageWho;

use super::peer::Peer;
use super::{Workload, cpu_seconds, heading, median};
use crate::cli::print;

#[derive(clap::Args)]
pub(crate) struct PlayoutArguments {
    #[command(flatten)]
    workload: Workload,
    /// Whether every event and every view is built as in a real game, or neither
    #[arg(long, value_enum)]
    build: Option<Build>,
    /// A program that prints a table with a column "decisions/CPU s" or "moves/CPU s", run in turn with each measurement
    #[arg(long, value_name = "COMMAND")]
    against: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Build {
    All,
    Nothing,
}

/// Measures and prints a table.
pub(crate) fn playout(arguments: &PlayoutArguments) -> Result<()> {
    let workload = &arguments.workload;
    let rules = workload.rules()?;
    let mut text = heading();
    text +=
        "| engine | players | events and views | moves/game | games/CPU s | moves/CPU s |\n|---|---|---|---|---|---|\n";
    let mut compared = String::new();
    let builds = arguments.build.map_or(vec![Build::All, Build::Nothing], |build| vec![build]);
    for build in builds {
        let mut runner = Runner::new(build);
        if workload.games.is_none() {
            // Warm before the clock runs.
            runner.run(&rules, &|_, seconds| seconds < workload.seconds / 10.0)?;
        }
        let (mut games, mut moves, mut length) = (Vec::new(), Vec::new(), 0.0);
        let heads = ["decisions/CPU s", "moves/CPU s"];
        let mut peer = arguments.against.as_deref().map(|command| Peer::new(command, &heads));
        workload.repeat(|more| {
            let count = runner.run(&rules, more)?;
            let rate = count.moves as f64 / count.seconds;
            games.push(count.games as f64 / count.seconds);
            moves.push(rate);
            length = count.moves as f64 / count.games as f64;
            peer.as_mut().map_or(Ok(()), |peer| peer.compare(rate))
        })?;
        text += &format!(
            "| maumau {} | {} | {} | {length:.1} | {} | {} |\n",
            workload.rules,
            workload.players,
            if build == Build::All { "all" } else { "none" },
            median(&mut games, 0),
            median(&mut moves, 0),
        );
        compared += &peer.map_or_else(String::new, Peer::table);
    }
    print(&(text + &compared))
}

struct Count {
    games: u64,
    moves: u64,
    seconds: f64,
}

struct Runner {
    build: Build,
    random: u64,
    game_number: u64,
    events: Vec<Event>,
    view: View,
}

impl Runner {
    fn new(build: Build) -> Runner {
        Runner { build, random: 0x9e37_79b9_7f4a_7c15, game_number: 0, events: Vec::new(), view: View::default() }
    }

    fn run(&mut self, rules: &Arc<Rules>, more: &dyn Fn(u64, f64) -> bool) -> Result<Count> {
        let start = cpu_seconds(UsageWho::RUSAGE_THREAD)?;
        let mut count = Count { games: 0, moves: 0, seconds: 0.0 };
        let mut game = Game::new(Arc::clone(rules), &Seed::from_number(0));
        while more(count.games, count.seconds) {
            for _ in 0..64 {
                count.moves += self.play(&mut game);
                count.games += 1;
            }
            count.seconds = cpu_seconds(UsageWho::RUSAGE_THREAD)? - start;
        }
        Ok(count)
    }

    /// Plays one game and returns the number of its moves.
    fn play(&mut self, game: &mut Game) -> u64 {
        self.game_number += 1;
        game.restart(&Seed::from_number(self.game_number));
        let mut moves = 0;
        match self.build {
            Build::All => game.start_round(&mut self.events),
            Build::Nothing => game.start_round(&mut Unseen),
        }
        while game.phase() == Phase::Play
            && let Some(seat) = game.turn()
        {
            let legal = game.legal(seat);
            if game.is_closing() && legal.is_empty() {
                // Nobody answers the last card.
                match self.build {
                    Build::All => game.elapse(Elapse::Closing, &mut self.events),
                    Build::Nothing => game.elapse(Elapse::Closing, &mut Unseen),
                }
                continue;
            }
            let chosen = legal.nth(self.below(legal.len()));
            let verb = chosen.as_ref().unwrap_or(&Verb::Draw);
            // The word that goes with the last card but one.
            let warns = matches!(verb, Verb::Play { .. }) && game.hand(seat).len() == 2;
            let say = if warns { Say::word("mau") } else { Say::Nothing };
            match self.build {
                Build::All => {
                    game.view_into(seat, &mut self.view);
                    std::hint::black_box(&self.view);
                    game.apply_verb(seat, verb, &say, game.last_event(), &mut self.events);
                    std::hint::black_box(&self.events);
                    self.events.clear();
                }
                Build::Nothing => {
                    game.apply_verb(seat, verb, &say, game.last_event(), &mut Unseen);
                }
            }
            moves += 1;
        }
        moves
    }

    /// A number below `bound`, each with the same chance.
    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (((self.random >> 32) * bound as u64) >> 32) as usize
    }
}
