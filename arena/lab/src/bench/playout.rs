//! Measures random legal play within the process. No referee, agent or record is involved.

use std::sync::Arc;

use anyhow::Result;
use maumau_engine::{Game, Legal, Phase, Rules, Unseen, seed_of_number};
use maumau_protocol::{Choice, Elapse, Event, Say, Seed, Suit, Verb, View};
use maumau_run::io::stdout::print;
use nix::sys::resource::UsageWho;

use super::peer::Peer;
use super::{Workload, cpu_seconds, heading, median};

#[derive(clap::Args)]
pub(crate) struct PlayoutArguments {
    #[command(flatten)]
    workload: Workload,
    /// Whether every event and every view is built as in a real game, or neither
    #[arg(long, value_enum)]
    build: Option<Build>,
    /// Where a card goes with a suit, chooses the suit in a decision of its own, which counts as one; turns in which anything
    /// else is to be named go as without this
    #[arg(long)]
    suits_apart: bool,
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
        let mut runner = Runner::new(build, arguments.suits_apart);
        if workload.games.is_none() {
            // Warms up before the clock runs.
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
    suits_apart: bool,
    random: u64,
    game_number: u64,
    events: Vec<Event>,
    view: View,
    /// The word said with the last card but one.
    warning: Say,
}

impl Runner {
    fn new(build: Build, suits_apart: bool) -> Runner {
        let (random, game_number) = (0x9e37_79b9_7f4a_7c15, 0);
        let (events, view, warning) = (Vec::new(), View::default(), Say::word("mau"));
        Runner { build, suits_apart, random, game_number, events, view, warning }
    }

    fn run(&mut self, rules: &Arc<Rules>, more: &dyn Fn(u64, f64) -> bool) -> Result<Count> {
        let start = cpu_seconds(UsageWho::RUSAGE_THREAD)?;
        let mut count = Count { games: 0, moves: 0, seconds: 0.0 };
        let mut game = Game::new(Arc::clone(rules), &seed_of_number(0));
        let play = match (self.build, self.suits_apart) {
            (Build::All, false) => Runner::play::<true, false>,
            (Build::All, true) => Runner::play::<true, true>,
            (Build::Nothing, false) => Runner::play::<false, false>,
            (Build::Nothing, true) => Runner::play::<false, true>,
        };
        while more(count.games, count.seconds) {
            for _ in 0..64 {
                count.moves += play(self, &mut game);
                count.games += 1;
            }
            count.seconds = cpu_seconds(UsageWho::RUSAGE_THREAD)? - start;
        }
        Ok(count)
    }

    /// Plays one game and returns the number of its moves.
    fn play<const BUILD_ALL: bool, const SUITS_APART: bool>(&mut self, game: &mut Game) -> u64 {
        self.game_number += 1;
        let mut seed = Seed([0; 32]);
        seed.0[..8].copy_from_slice(&self.game_number.to_le_bytes());
        game.restart(&seed);
        let mut moves = 0;
        match BUILD_ALL {
            true => game.start_round(&mut self.events),
            false => game.start_round(&mut Unseen),
        }
        while game.phase() == Phase::Play
            && let Some(seat) = game.turn()
        {
            let legal = game.legal(seat);
            if game.is_closing() && legal.is_empty() {
                // The last card gets no reaction.
                match BUILD_ALL {
                    true => game.elapse(Elapse::Closing, &mut self.events),
                    false => game.elapse(Elapse::Closing, &mut Unseen),
                }
                continue;
            }
            let chosen = match SUITS_APART && legal.rare.is_none() {
                true => self.choose_suit_apart(&legal, &mut moves),
                false => legal.nth(self.below(legal.len())),
            };
            let verb = chosen.as_ref().unwrap_or(&Verb::Draw);
            let warns = matches!(verb, Verb::Play { .. }) && game.hand(seat).len() == 2;
            let say = if warns { &self.warning } else { &Say::Nothing };
            if BUILD_ALL {
                game.view_into(seat, &mut self.view);
                std::hint::black_box(&self.view);
                game.apply_verb(seat, verb, say, game.last_event(), &mut self.events);
                std::hint::black_box(&self.events);
                self.events.clear();
            } else {
                game.apply_verb(seat, verb, say, game.last_event(), &mut Unseen);
            }
            moves += 1;
        }
        moves
    }

    /// A card, a draw or a pass, each with the same chance; then the suit named with the card, which counts as another one of
    /// `moves`.
    #[inline(always)]
    fn choose_suit_apart(&mut self, legal: &Legal<'_>, moves: &mut u64) -> Option<Verb> {
        let cards = legal.plays.len();
        let index = self.below(cards + usize::from(legal.draw) + usize::from(legal.pass));
        if index >= cards {
            return Some(if index == cards && legal.draw { Verb::Draw } else { Verb::Pass });
        }
        let card = legal.plays.nth(index)?;
        let names = legal.with_suit.contains(card);
        *moves += u64::from(names);
        let choose = if names { Some(Choice::Suit(Suit::ALL[self.below(Suit::ALL.len())])) } else { None };
        Some(Verb::Play { card, choose })
    }

    /// A uniform number below `bound`. Cheaper than the engine's dice, which would be measured too.
    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (((self.random >> 32) * bound as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maumau_engine::Verdict;

    #[test]
    fn choices_with_the_suit_apart_are_legal_and_count_one_more() {
        let rules = super::super::rules_for("crazy-eights", &[], 4).expect("a built-in set");
        let mut game = Game::new(rules, &seed_of_number(3));
        let mut runner = Runner::new(Build::Nothing, true);
        game.start_round(&mut Unseen);
        let mut named = 0;
        while game.phase() == Phase::Play
            && let Some(seat) = game.turn()
        {
            let (legal, mut more) = (game.legal(seat), 0);
            let verb = runner.choose_suit_apart(&legal, &mut more).expect("something can be done");
            assert!(legal.contains(&verb), "{verb:?} is not among the legal actions");
            assert_eq!(more, u64::from(matches!(verb, Verb::Play { choose: Some(_), .. })));
            named += more;
            assert_eq!(game.apply_verb(seat, &verb, &Say::Nothing, game.last_event(), &mut Unseen), Verdict::Accepted);
        }
        assert!(named > 0, "no suit was named, so nothing was tried");
    }
}
