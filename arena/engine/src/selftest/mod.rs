//! Random games of any rule set with any options at tables of any size, played sensibly and not: whatever the seats do, the
//! laws of every card game hold. What the rules themselves say is pinned by the scenarios.
//!
//! Where a set lets the dealer deal by actions of its own, half of the games are dealt so.
//!
//! A game follows from a seed and its number alone, so one that breaks a law can be played again. The laws: cards are
//! conserved and a second account of every hand agrees (`ledger`), what is listed as legal is what is accepted, and a
//! refused action leaves nothing but its price (`laws`), nothing that a seat is shown depends on what it may not
//! know (`hidden`), every round ends, and the same inputs lead to the same events.

mod chosen;
mod dice;
mod hidden;
mod laws;
mod ledger;
mod shuffle;
mod steps;
mod tables;

use std::sync::Arc;

use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Event, Seat};

use crate::game::{Game, Phase, Verdict};
use crate::rules::{Problems, Rules};
use crate::seed_of_number;
pub use chosen::{ChosenGames, random_tables};
pub use dice::Dice;
pub use hidden::{may_show_cards, twin};
pub use ledger::{Ledger, check_cards};
pub use shuffle::{Evenness, ShuffleTest};
use steps::{Step, next_step};
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
            return Err($crate::selftest::Breach(format!($($words)+)));
        }
    };
}
use hold;

/// Games with the same options, one after another.
const GAMES_OF_A_SET: u64 = 16;

/// Rounds after which a match without an end (equal stacks, option `tie=extra_round`) is abandoned.
const MOST_ROUNDS: u32 = 8;

/// What a game was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Inputs of the game.
    pub steps: u64,
    /// Positions at which the legal actions of a seat were compared with what is accepted.
    pub legal: u64,
    /// Positions that were compared with one that differs in what a seat may not know.
    pub twins: u64,
}

/// Random games of one built-in rule set.
pub struct SelfTest {
    choices: Choices,
    seed: u64,
    /// The rule set of the games that came last, and which these are.
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

    /// The options and the size of the table of the game that was begun last.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Plays game `number` and checks it at every step.
    ///
    /// # Errors
    /// The law that it breaks.
    pub fn play(&mut self, number: u64) -> Result<Played, Breach> {
        let group = number / GAMES_OF_A_SET;
        let set = match &self.set {
            Some((known, set)) if *known == group => Arc::clone(set),
            _ => {
                let mut dice = Dice::new(&[self.seed, group]);
                let (set, shown) = self.choices.random_set(group, &mut dice);
                self.table = shown;
                self.set = Some((group, Arc::clone(&set)));
                set
            }
        };
        let mut dice = Dice::new(&[self.seed, group, number]);
        let rules = tables::random_table(&set, &mut dice);
        self.table.truncate(self.table.find(" at ").unwrap_or(self.table.len()));
        self.table += &format!(" at a table of {}", rules.seats());
        play(&rules, &mut dice)
    }
}

/// One game in the making.
struct Run {
    game: Game,
    ledger: Ledger,
    /// Whether each step is checked, and not their end alone.
    closely: bool,
    steps: Vec<Step>,
    events: Vec<Event>,
    /// Events that the ledger has read.
    read: usize,
    played: Played,
}

impl Run {
    fn new(game: Game, ledger: Ledger) -> Run {
        let (steps, events, played) = (Vec::new(), Vec::new(), Played::default());
        Run { game, ledger, closely: true, steps, events, read: 0, played }
    }

    /// Plays to the end.
    fn play(&mut self, dice: &mut Dice<'_>) -> Result<(), Breach> {
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

    fn take(&mut self, step: &Step) -> Result<(), Breach> {
        let (from, before) = (self.events.len(), self.closely.then(|| self.game.clone()));
        let verdict = step.take(&mut self.game, &mut self.events);
        let Some(before) = before else { return Ok(()) };
        self.settle()?;
        if let (Step::Act(seat, ..), Some(verdict)) = (step, verdict) {
            laws::check_verdict(*seat, verdict, &before, &self.game, &self.events[from..])?;
        }
        Ok(())
    }

    /// The ledger reads what has happened, and agrees.
    fn settle(&mut self) -> Result<(), Breach> {
        let from = std::mem::replace(&mut self.read, self.events.len());
        self.ledger.follow(&self.game, &self.events[from..])
    }

    /// The same inputs lead to the same events, also in a game that has been another before.
    fn check_replay(&self, mut again: Game) -> Result<(), Breach> {
        let mut events = Vec::new();
        for step in &self.steps {
            step.take(&mut again, &mut events);
        }
        hold!(events == self.events, "the same inputs lead to other events");
        Ok(())
    }

    /// The last inputs, to find the reason of a breach.
    fn last(&self) -> String {
        let steps = self.steps.iter().rev().take(3).rev().map(|step| format!("\n  input {step:?}"));
        let events = self.events.iter().rev().take(12).rev().map(|event| format!("\n  event {event:?}"));
        steps.chain(events).collect()
    }
}

fn play(rules: &Arc<Rules>, dice: &mut Dice<'_>) -> Result<Played, Breach> {
    let seed = seed_of_number(dice.any());
    let mut run = Run::new(Game::new(Arc::clone(rules), &seed), Ledger::new(rules));
    run.play(dice).map_err(|breach| Breach(format!("{breach}{}", run.last())))?;
    let mut again = run.game.clone();
    again.restart(&seed);
    run.check_replay(again)?;
    Ok(run.played)
}

/// Whether cards are laid, so that every seat has a part.
fn is_in_round(game: &Game) -> bool {
    matches!(game.phase(), Phase::Deal | Phase::TurnUp | Phase::Play)
}

fn is_accepted(verdict: Verdict) -> bool {
    verdict == Verdict::Accepted
}
