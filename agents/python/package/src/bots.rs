//! The built-in bots as players inside a batch: each is given the ask that the referee would send it, without lines.

use std::sync::Arc;

use maumau_agents::{Agent, Thinking};
use maumau_engine::{Rules, agent_seed, commitment};
use maumau_environment::{GivenAnswer, Opponent, OpponentMaker, SteppedGame};
use maumau_protocol::message::{Ask, GameId, Start, TimeControl, Want, What};
use maumau_protocol::{Action, Seat, Seed};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::game::Game;
use crate::signals::Signals;
use crate::spec::{Spec, seed_of};

/// Most playouts for a choice: seconds of work.
const MOST_PLAYOUTS: u32 = 100_000;

/// A built-in bot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    name: &'static str,
    /// How it thinks, if it thinks ahead.
    thinking: Option<Thinking>,
}

impl Kind {
    /// The bot of this name; one that thinks ahead may have a number of playouts behind a colon, as in `sample:200`.
    pub(crate) fn of(name: &str) -> PyResult<Kind> {
        let (base, number) = name.split_once(':').map_or((name, None), |(base, number)| (base, Some(number)));
        let known = maumau_agents::NAMES.iter().find(|(known, _)| *known == base);
        let own = Thinking::of(base);
        let thinking = match number {
            None => Some(own.map(|own| own.fixed(own.simulations))),
            Some(number) => {
                let number = number.parse().ok().filter(|number| (1..=MOST_PLAYOUTS).contains(number));
                own.zip(number).map(|(own, number)| Some(own.fixed(number)))
            }
        };
        let (Some((name, _)), Some(thinking)) = (known, thinking) else {
            let names = names().join(", ");
            return Err(PyValueError::new_err(format!(
                "there is no built-in bot {name:?}; there are {names}, and with another number of playouts, up to \
                 {MOST_PLAYOUTS}, sample:200, ismcts:200 and search:200"
            )));
        };
        Ok(Kind { name, thinking })
    }

    /// Whether it must be sent events.
    pub(crate) fn remembers(self) -> bool {
        maumau_agents::profile(self.name).is_ok_and(|profile| profile.wants.contains(&Want::Events))
    }

    /// It as the player of one game. The bots that think ahead make all their playouts, however long they take.
    pub(crate) fn player(self, rules: &Arc<Rules>, seed: &Seed, seat: Seat) -> Box<dyn Opponent> {
        let start = start(rules, seed, seat);
        let remembers = self.remembers();
        let boxed = |agent: Box<dyn Agent + Send + Sync>| Box::new(Bot { agent, remembers, seen: 0 });
        if let Some(thinking) = self.thinking {
            return boxed(Box::new(maumau_agents::Playouts::new(&start, thinking)));
        }
        boxed(match self.name {
            "random" => Box::new(maumau_agents::Random::new(&start)),
            "greedy" => Box::new(maumau_agents::Greedy::new(&start)),
            "net" => Box::new(maumau_agents::Net::new(&start)),
            "careful" => Box::new(maumau_agents::Careful::new(&start)),
            "drawer" => Box::new(maumau_agents::Drawer),
            "clown" => Box::new(maumau_agents::Clown),
            _ => Box::new(maumau_agents::First),
        })
    }
}

/// Their names.
pub(crate) fn names() -> Vec<&'static str> {
    maumau_agents::NAMES.iter().map(|(name, _)| *name).collect()
}

/// The file of weights of the bot `net` for the built-in rule set of this name.
#[pyfunction]
pub(crate) fn net_weights<'py>(py: Python<'py>, rules: &str) -> PyResult<Bound<'py, PyBytes>> {
    let found = maumau_agents::NET_WEIGHTS.iter().find(|(name, _)| *name == rules);
    let (_, file) =
        found.ok_or_else(|| PyValueError::new_err(format!("there are no weights for the rules {rules:?}")))?;
    Ok(PyBytes::new(py, file))
}

/// The name by which these games are known to bots.
const GAME: &str = "environment";

struct Bot {
    agent: Box<dyn Agent + Send + Sync>,
    /// Whether it is sent events, and how many it has been sent.
    remembers: bool,
    seen: usize,
}

impl Opponent for Bot {
    fn choose(&mut self, table: &SteppedGame, seat: Seat, what: What) -> Action {
        let mut ask = ask(table, seat, what);
        if self.remembers {
            let events = table.events();
            ask.events = events[self.seen.min(events.len())..].iter().map(|event| event.seen_by(seat)).collect();
            self.seen = events.len();
        }
        self.agent.choose(&ask)
    }
}

/// The ask of `seat` with everything that a bot can want except events.
pub(crate) fn ask(table: &SteppedGame, seat: Seat, what: What) -> Ask {
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

/// What a player at `seat` is sent at the beginning of a game.
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
        public_seed: false,
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

    /// Thinks again about all that it did in `game` so far, so that it goes on as if it had played it.
    fn resume(&mut self, py: Python<'_>, game: &Game) -> PyResult<()> {
        let mut table = SteppedGame::new(Arc::clone(&game.spec.rules), &game.seed, true);
        py.detach(|| {
            let mut signals = Signals::new();
            for GivenAnswer { seat, action } in game.table.answers() {
                signals.check()?;
                if let Some(what) = table.asked_for(*seat).filter(|_| *seat == self.seat) {
                    self.bot.choose(&table, *seat, what);
                }
                let replayed = table.replay(vec![GivenAnswer { seat: *seat, action: action.clone() }]);
                replayed.map_err(|_| PyValueError::new_err("game: its answers do not follow from its deal"))?;
            }
            Ok(())
        })
    }
}

/// Makes these bots, in turn if there are more seats; and whether one of them must be sent events.
pub(crate) fn maker(bots: &[String], rules: &Arc<Rules>) -> PyResult<(OpponentMaker, bool)> {
    let kinds = bots.iter().map(|name| Kind::of(name)).collect::<PyResult<Vec<_>>>()?;
    let (rules, remembers) = (Arc::clone(rules), kinds.iter().any(|kind| kind.remembers()));
    let maker: OpponentMaker =
        Arc::new(move |number: usize, seed: &Seed, seat: Seat| kinds[number % kinds.len()].player(&rules, seed, seat));
    Ok((maker, remembers))
}
