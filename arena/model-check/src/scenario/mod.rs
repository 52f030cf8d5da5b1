//! Rule scenarios: a position, a list of actions and the expected results of each (the form of `tests/scenarios`). It
//! sets up a game, applies the actions through `Game` as a referee would, and compares; it opens no file.
//!
//! The form is read strictly: an unknown member is an error, reported with its place in the file.

pub(crate) mod compare;
pub(crate) mod file;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use maumau_engine::rules::{RuleFiles, load};
use maumau_engine::{Game, Position, PositionPhase, Rules, TableError, Verdict, seed_of_number};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Action, Event, EventNumber, MAX_SEATS, Seat, SeatSet};

use file::{By, Scenario, Setup, SetupPhase, StandText, StepAction};

/// The outcome of one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioResult {
    /// The scenario's name.
    pub name: String,
    /// The clauses that it tests.
    pub clauses: Vec<String>,
    /// The differences from what was expected; empty = passed.
    pub failures: Vec<UnmetExpectation>,
}

/// One expectation that was not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmetExpectation {
    /// The step, counted from 1; `None` for the end.
    pub step: Option<usize>,
    /// The key of the expectation.
    pub key: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl fmt::Display for UnmetExpectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step}: ")?,
            None => write!(f, "end: ")?,
        }
        write!(f, "{}: expected {}, was {}", self.key, self.expected, self.found)
    }
}

/// A scenario that cannot be run: not of the form, or with an impossible position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError(pub String);

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ScenarioError {}

/// Runs the scenario in `text`; rule sets are taken from `files`.
///
/// # Errors
/// The text is not of the form, names rules or options that do not exist, or sets up an impossible position.
pub fn run(text: &str, files: &dyn RuleFiles) -> Result<ScenarioResult, ScenarioError> {
    let scenario: Scenario = serde_json::from_str(text).map_err(|error| ScenarioError(error.to_string()))?;
    Run::new(&scenario, files)?.play()
}

/// What one step did, as far as scenarios can expect it.
pub(crate) struct StepOutcome {
    pub(crate) ok: bool,
    pub(crate) events: Vec<Event>,
}

struct Run<'a> {
    scenario: &'a Scenario,
    /// `None` where this table cannot play; only `new_round` may then be asked for.
    game: Option<Game>,
    /// The last event after each step so far, the setup first.
    seen: Vec<EventNumber>,
}

impl<'a> Run<'a> {
    fn new(scenario: &'a Scenario, files: &dyn RuleFiles) -> Result<Run<'a>, ScenarioError> {
        let settings: Vec<_> = scenario.options.clone().into_iter().collect();
        let loaded =
            load(files, &scenario.ruleset, &settings).map_err(|problems| ScenarioError(problems.to_string()))?;
        let setup = &scenario.setup;
        let set = Arc::new(loaded.set);
        let game = match (setup.rules(&set, scenario.players), setup.phase) {
            (Err(_), SetupPhase::NewMatch) => None,
            (Err(error), _) => return Err(ScenarioError(error.to_string())),
            (Ok(rules), _) => {
                let counts_rounds = compare::counts_rounds(&rules);
                let position = position(setup, counts_rounds, set.count.is_some())?;
                // Only a scenario marked `random` depends on the seed.
                let game = Game::from_position(Arc::new(rules), &position, &seed_of_number(0));
                Some(game.map_err(|error| ScenarioError(format!("setup: {error}")))?)
            }
        };
        Ok(Run { scenario, game, seen: Vec::new() })
    }

    fn play(mut self) -> Result<ScenarioResult, ScenarioError> {
        let mut failures = Vec::new();
        self.seen.push(self.last_event());
        for (index, step) in self.scenario.steps.iter().enumerate() {
            let outcome = self
                .step(step.by, &step.action)
                .map_err(|error| ScenarioError(format!("step {}: {error}", index + 1)))?;
            self.seen.push(self.last_event());
            compare::step(index + 1, &step.expect, &outcome, self.game.as_ref(), &mut failures);
        }
        if let Some(end) = &self.scenario.end {
            compare::end(end, self.game.as_ref(), &mut failures);
        }
        Ok(ScenarioResult { name: self.scenario.name.clone(), clauses: self.scenario.clauses.clone(), failures })
    }

    fn last_event(&self) -> EventNumber {
        self.game.as_ref().map_or(EventNumber(0), Game::last_event)
    }

    fn step(&mut self, by: By, action: &StepAction) -> Result<StepOutcome, ScenarioError> {
        let mut events = Vec::new();
        if let (By::Text(StandText::Referee), StepAction::NewRound) = (by, action) {
            let ok = self.game.is_some();
            if let Some(game) = &mut self.game {
                game.deal(&mut events);
            }
            return Ok(StepOutcome { ok, events });
        }
        let Some(game) = &mut self.game else {
            return Err(ScenarioError("this table cannot play, so nothing but new_round can be asked for".to_owned()));
        };
        let ok = match (by, action) {
            (By::Text(StandText::Clock), StepAction::Elapse(what)) => {
                game.elapse(*what, &mut events);
                true
            }
            (By::Seat(seat), StepAction::Act { action, as_of }) => {
                let as_of = match as_of {
                    None => game.last_event(),
                    Some(step) => *self
                        .seen
                        .get(*step)
                        .ok_or_else(|| ScenarioError(format!("as_of: step {step} has not happened yet")))?,
                };
                act(game, seat, action, as_of, &mut events)
            }
            _ => return Err(ScenarioError("this action does not belong to who is said to do it".to_owned())),
        };
        Ok(StepOutcome { ok, events })
    }
}

impl Setup {
    /// The rules of `set` at a table of `players`. Without a number of rounds the match has one; but to a target or a count it takes as
    /// many as it needs, and more than one if its rules grow.
    ///
    /// # Errors
    /// The set is not for such a table.
    pub(crate) fn rules(&self, set: &Arc<RuleSet>, players: usize) -> Result<Rules, TableError> {
        let target = set.scoring.target.as_ref().and_then(|target| target.get(players));
        let is_open = set.count.is_some() || set.menu.is_some() || target.is_some_and(|target| *target > 0);
        Rules::for_table(set, players, self.rounds.or((!is_open).then_some(1)))
    }
}

fn act(game: &mut Game, seat: Seat, action: &Action, as_of: EventNumber, events: &mut Vec<Event>) -> bool {
    let accepted = game.apply(seat, action, as_of, events) == Verdict::Accepted;
    accepted && applied(events)
}

/// Whether an accepted action counts as `ok`: a challenge does if it is upheld.
pub(crate) fn applied(events: &[Event]) -> bool {
    !events.iter().any(|event| matches!(event, Event::Challenged { upheld: false, .. }))
}

pub(crate) fn position(setup: &Setup, counts_rounds: bool, counts: bool) -> Result<Position, ScenarioError> {
    let numbers = match counts {
        true => setup.count.clone().or(setup.points.clone()),
        false => setup.chips.clone().or(setup.points.clone()),
    };
    let numbers = numbers.unwrap_or_default();
    if setup.pending.draw_by.is_some_and(|debtor| Some(debtor) != setup.turn) {
        return Err(ScenarioError("setup: pending: draw_by: another seat is to move".to_owned()));
    }
    let wins = || numbers.iter().map(|number| u32::try_from(*number).ok()).collect::<Option<Vec<u32>>>();
    Ok(Position {
        dealer: setup.dealer.index(),
        hands: setup.hands.clone(),
        pile: setup.pile.clone(),
        stands_for: setup.pending.stands_for,
        draw: setup.draw.clone(),
        later: Vec::new(),
        direction: setup.direction,
        turn: setup.turn.map_or(0, Seat::index),
        phase: match setup.phase {
            SetupPhase::Play if setup.turn.is_none() => {
                return Err(ScenarioError("setup: turn: nobody is to move".to_owned()));
            }
            SetupPhase::Play => PositionPhase::Play,
            SetupPhase::TurnUp => PositionPhase::TurnUp,
            SetupPhase::NewMatch => PositionPhase::NewMatch,
            SetupPhase::Deal => PositionPhase::Deal,
        },
        points: if counts_rounds { Vec::new() } else { numbers.clone() },
        wins: if counts_rounds {
            wins().ok_or_else(|| ScenarioError("setup: points: below 0".to_owned()))?
        } else {
            Vec::new()
        },
        round: setup.round.unwrap_or(1),
        mau_said: setup.pending.mau_said.iter().copied().collect::<SeatSet>(),
        pending: setup.pending.standing(),
        turns_lost: setup.pending.turns_lost.iter().map(|(seat, lost)| (seat.0, *lost)).collect(),
        not_looked: not_looked(setup),
        sealed: setup.sealed.clone().unwrap_or_default(),
        outstanding: setup.pending_penalties.clone().unwrap_or_default(),
        rules: setup.rules.clone(),
        offer: setup.offer.clone(),
    })
}

/// The seats that have not looked at their cards; before a deal by actions these are all, unless the scenario says
/// otherwise.
fn not_looked(setup: &Setup) -> SeatSet {
    let by_default = setup.phase != SetupPhase::Deal;
    let looked = |seat: &Seat| setup.looked.get(seat.index()).copied().unwrap_or(by_default);
    Seat::all(setup.hands.len().min(MAX_SEATS)).filter(|seat| !looked(seat)).collect()
}

/// How many cards each seat took in events that `counts` accepts.
pub(crate) fn taken(events: &[Event], counts: impl Fn(&Event) -> Option<Seat>) -> BTreeMap<Seat, u16> {
    let mut taken = BTreeMap::new();
    for seat in events.iter().filter_map(counts) {
        *taken.entry(seat).or_default() += 1;
    }
    taken
}
