//! Random games of any rule set with any options at tables of any size, played sensibly or not: whatever the seats do,
//! the laws of every card game hold. Scenarios ([`scenario`]) pin what the rules themselves say, and lessons ([`lesson`]) teach it.
//! Games are changed only through `Game`, as a referee would.
//!
//! If a set lets the dealer deal by its own actions, half of the games are dealt that way.
//!
//! A game follows from a seed and its number alone, so a game that breaks a law can be replayed. The laws: cards are
//! conserved and a second account of every hand agrees (`ledger`); exactly the listed actions are accepted, and a refused
//! action has no effect but its price (`laws`); what is offered costs nothing, and nothing unrelated changes a judgement
//! (`promises`); nothing shown to a seat depends on what it may not know (`hidden`); every
//! round ends; and the same inputs lead to the same events.

mod chosen;
mod hidden;
#[cfg(test)]
mod house_games;
mod laws;
mod ledger;
pub mod lesson;
mod observed;
mod promises;
pub mod scenario;
mod shuffle;
mod steps;
mod tables;

use std::sync::Arc;

use maumau_engine::rules::Problems;
use maumau_engine::{ChoiceStream, Game, Phase, Rules, Verdict, seed_of_number};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Event, Seat};

pub use chosen::{ChosenGames, random_tables};
pub use hidden::{may_show_cards, twin};
pub use ledger::{EventLedger, check_cards};
pub use observed::{Manners, Watched};
pub use shuffle::{Evenness, ShuffleTest};
use steps::{InputStep, next_step};
use tables::Choices;

/// A law that does not hold, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach(pub String);

impl std::fmt::Display for Breach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Breach {}

/// Returns a [`Breach`] unless the condition holds.
macro_rules! hold {
    ($holds:expr, $($words:tt)+) => {
        if !$holds {
            return Err($crate::Breach(format!($($words)+)));
        }
    };
}
use hold;

/// The number of consecutive games with the same options.
const GAMES_OF_A_SET: u64 = 16;

/// The number of rounds after which a match without an end (equal stacks, option `tie=extra_round`) is abandoned.
const MOST_ROUNDS: u32 = 8;

/// The size of a game and of its checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedGame {
    /// Inputs of the game.
    pub steps: u64,
    /// Positions at which the legal actions of a seat were compared with the accepted ones.
    pub legal: u64,
    /// Positions that were compared with one that differs only in cards that a seat may not know.
    pub twins: u64,
}

/// Random games of one built-in rule set.
pub struct SelfTest {
    choices: Choices,
    seed: u64,
    /// The rule set of the most recent games, and the number of that group of games.
    set: Option<(u64, Arc<RuleSet>)>,
    table: String,
}

impl SelfTest {
    /// Games of the built-in set `name`, as they follow from `seed`.
    ///
    /// # Errors
    /// There is no such set.
    pub fn new(name: &str, seed: u64) -> Result<SelfTest, Problems> {
        Ok(SelfTest { choices: Choices::of(name)?, seed, set: None, table: String::new() })
    }

    /// The options and the size of the table of the most recently begun game.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Plays game `number` and checks it at every step.
    ///
    /// # Errors
    /// The law that the game breaks.
    pub fn play(&mut self, number: u64) -> Result<CheckedGame, Breach> {
        let (rules, mut dice) = self.table_of(number);
        play(&rules, &mut dice)
    }

    /// The table of game `number`, and the dice that play it.
    fn table_of(&mut self, number: u64) -> (Arc<Rules>, ChoiceStream<'static>) {
        let group = number / GAMES_OF_A_SET;
        let set = match &self.set {
            Some((known, set)) if *known == group => Arc::clone(set),
            _ => {
                let mut dice = ChoiceStream::new(&[self.seed, group]);
                let (set, shown) = self.choices.random_set(group, &mut dice);
                self.table = shown;
                self.set = Some((group, Arc::clone(&set)));
                set
            }
        };
        let mut dice = ChoiceStream::new(&[self.seed, group, number]);
        let rules = tables::random_table(&set, &mut dice);
        self.table.truncate(self.table.find(" at ").unwrap_or(self.table.len()));
        self.table += &format!(" at a table of {}", rules.seats());
        (rules, dice)
    }
}

/// A game in progress.
struct Run {
    game: Game,
    /// The game before the last action of a seat.
    before: Game,
    ledger: EventLedger,
    /// Whether each step is checked, and not only the end.
    closely: bool,
    steps: Vec<InputStep>,
    events: Vec<Event>,
    /// Events that the ledger has read.
    read: usize,
    played: CheckedGame,
}

impl Run {
    fn new(game: Game, ledger: EventLedger) -> Run {
        let (steps, events, played) = (Vec::new(), Vec::new(), CheckedGame::default());
        Run { before: game.clone(), game, ledger, closely: true, steps, events, read: 0, played }
    }

    /// Plays to the end.
    fn play(&mut self, dice: &mut ChoiceStream<'_>) -> Result<(), Breach> {
        let most = 500 + 80 * u64::from(self.game.rules().set().turn.cap);
        let mut of_the_round = 0;
        while !self.game.is_over() && self.game.round() <= MOST_ROUNDS {
            let round = self.game.round();
            hold!(of_the_round < most, "round {round} does not end");
            if self.steps.len() % 16 == 5 {
                self.played.legal += laws::check_position(&self.game, dice)?;
            }
            if self.steps.len() % 32 == 9 {
                self.played.twins += hidden::check(&self.game, dice)?;
            }
            let step = next_step(&self.game, dice);
            self.steps.push(step.clone());
            self.take(&step)?;
            of_the_round = if self.game.round() == round { of_the_round + 1 } else { 0 };
        }
        let mut seats = Seat::all(self.game.rules().seats());
        let idle = seats.all(|seat| self.game.legal(seat).is_empty());
        hold!(!self.game.is_over() || idle, "something is legal after the end");
        self.played.steps = self.steps.len() as u64;
        Ok(())
    }

    fn take(&mut self, step: &InputStep) -> Result<(), Breach> {
        let from = self.events.len();
        if self.closely && matches!(step, InputStep::Act(..)) {
            self.before.clone_from(&self.game);
        }
        let verdict = step.take(&mut self.game, &mut self.events);
        if !self.closely {
            return Ok(());
        }
        self.settle()?;
        if let (InputStep::Act(seat, ..), Some(verdict)) = (step, verdict) {
            laws::check_verdict(*seat, verdict, &self.before, &self.game, &self.events[from..])?;
        }
        Ok(())
    }

    /// The ledger reads the new events and must agree.
    fn settle(&mut self) -> Result<(), Breach> {
        let from = std::mem::replace(&mut self.read, self.events.len());
        self.ledger.follow(&self.game, &self.events[from..])
    }

    /// The same inputs lead to the same events, even in a game that was another one before.
    fn check_replay(&self, mut again: Game) -> Result<(), Breach> {
        let mut events = Vec::new();
        for step in &self.steps {
            step.take(&mut again, &mut events);
        }
        hold!(events == self.events, "the same inputs lead to other events");
        Ok(())
    }

    /// The last inputs, to help find the cause of a breach.
    fn last(&self) -> String {
        let steps = self.steps.iter().rev().take(3).rev().map(|step| format!("\n  input {step:?}"));
        let events = self.events.iter().rev().take(12).rev().map(|event| format!("\n  event {event:?}"));
        steps.chain(events).collect()
    }
}

fn play(rules: &Arc<Rules>, dice: &mut ChoiceStream<'_>) -> Result<CheckedGame, Breach> {
    let seed = seed_of_number(dice.any());
    let mut run = Run::new(Game::new(Arc::clone(rules), &seed), EventLedger::new(rules));
    run.play(dice).map_err(|breach| Breach(format!("{breach}{}", run.last())))?;
    let mut again = run.game.clone();
    again.restart(&seed);
    run.check_replay(again)?;
    Ok(run.played)
}

/// Whether cards are played, so that every seat has a part.
fn is_in_round(game: &Game) -> bool {
    matches!(game.phase(), Phase::Deal | Phase::TurnUp | Phase::Play)
}

fn is_accepted(verdict: Verdict) -> bool {
    verdict == Verdict::Accepted
}
