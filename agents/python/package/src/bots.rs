//! The built-in bots as players inside a batch: each is given the ask that the referee would send it, without lines.

use std::sync::Arc;

use maumau_agents::Agent;
use maumau_engine::{Rules, agent_seed, commitment};
use maumau_environment::{Opponent, OpponentMaker, Table};
use maumau_protocol::message::{Ask, GameId, Start, TimeControl, What};
use maumau_protocol::{Action, Seat, Seed};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::spec::{Spec, seed_of};

/// The built-in bots.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Random,
    First,
    Greedy,
}

impl Kind {
    const ALL: [(&str, Kind); 3] = [("random", Kind::Random), ("first", Kind::First), ("greedy", Kind::Greedy)];

    /// The bot of this name.
    pub(crate) fn of(name: &str) -> PyResult<Kind> {
        let found = Kind::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| *kind).ok_or_else(|| {
            PyValueError::new_err(format!("there is no built-in bot {name:?}; there are {}", names().join(", ")))
        })
    }

    /// It as the player of one game.
    pub(crate) fn player(self, rules: &Arc<Rules>, seed: &Seed, seat: Seat) -> Box<dyn Opponent> {
        let start = start(rules, seed, seat);
        match self {
            Kind::First => Box::new(Bot(Box::new(maumau_agents::First))),
            Kind::Random => Box::new(Bot(Box::new(maumau_agents::Random::new(&start)))),
            Kind::Greedy => Box::new(Bot(Box::new(maumau_agents::Greedy::new(&start)))),
        }
    }
}

/// Their names.
pub(crate) fn names() -> Vec<&'static str> {
    Kind::ALL.iter().map(|(name, _)| *name).collect()
}

/// The name by which these games are known to bots.
const GAME: &str = "environment";

struct Bot(Box<dyn Agent + Send + Sync>);

impl Opponent for Bot {
    fn choose(&mut self, table: &Table, seat: Seat, what: What) -> Action {
        self.0.choose(&ask(table, seat, what))
    }
}

/// The ask of `seat` with everything that a bot can want except events.
pub(crate) fn ask(table: &Table, seat: Seat, what: What) -> Ask {
    let actions = table.legal(seat).into_iter().map(|verb| Action { say: table.words_due(seat, &verb), verb });
    Ask {
        seat,
        what,
        as_of: table.as_of(),
        view: Some(table.game().view(seat)),
        legal: actions.collect(),
        ..Ask::of(GameId(GAME.into()))
    }
}

/// What a player at `seat` is told at the beginning of a game.
pub(crate) fn start(rules: &Arc<Rules>, seed: &Seed, seat: Seat) -> Start {
    Start {
        game: GameId(GAME.into()),
        seat,
        names: (0..rules.seats()).map(|seat| format!("seat {seat}")).collect(),
        rule_set: rules.set().name.clone(),
        rules: Some(Arc::clone(rules.set())),
        rounds: rules.rounds(),
        time: TimeControl::default(),
        max_strikes: rules.max_strikes(),
        commitment: commitment(GAME, seed),
        seed: agent_seed(seed, GAME, seat),
    }
}

/// A built-in bot at one seat of one game.
#[pyclass(module = "maumau._native")]
pub(crate) struct Player {
    pub(crate) seat: Seat,
    pub(crate) bot: Box<dyn Opponent>,
}

#[pymethods]
impl Player {
    #[new]
    fn new(spec: &Spec, name: &str, seed: &Bound<'_, PyAny>, seat: i64) -> PyResult<Player> {
        let (kind, seat) = (Kind::of(name)?, spec.seat(seat)?);
        Ok(Player { seat, bot: kind.player(&spec.rules, &seed_of(seed)?, seat) })
    }
}

/// Makes these bots, in turn if there are more seats.
pub(crate) fn maker(bots: &[String], rules: &Arc<Rules>) -> PyResult<OpponentMaker> {
    let kinds = bots.iter().map(|name| Kind::of(name)).collect::<PyResult<Vec<_>>>()?;
    let rules = Arc::clone(rules);
    Ok(Arc::new(move |number: usize, seed: &Seed, seat: Seat| kinds[number % kinds.len()].player(&rules, seed, seat)))
}
