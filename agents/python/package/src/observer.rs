//! What a seat knows of a game, from the events that it sees: positions that agree with all of them, as games that go on.

use std::sync::Arc;

use maumau_engine::{ChoiceStream, seed_of_number};
use maumau_environment::SteppedGame;
use maumau_observer::{self as knowledge, Lost};
use maumau_protocol::message::What;
use maumau_protocol::{Seat, Seed, SeenEvent};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::game::Game;
use crate::spec::{Spec, json, seed_of};

/// The knowledge of one seat.
#[pyclass(module = "maumau._native")]
pub(crate) struct Observer {
    spec: Spec,
    seat: Seat,
    observer: knowledge::Observer,
    /// The number of events that it has been given.
    seen: usize,
}

fn lost(error: Lost) -> PyErr {
    PyValueError::new_err(format!("events: {error}; give the observer every event of its seat, in order"))
}

#[pymethods]
impl Observer {
    #[new]
    fn new(spec: &Spec, seat: i64) -> PyResult<Observer> {
        let seat = spec.seat(seat)?;
        Ok(Observer {
            spec: spec.clone(),
            seat,
            observer: knowledge::Observer::new(Arc::clone(&spec.rules), seat),
            seen: 0,
        })
    }

    #[getter]
    fn seat(&self) -> usize {
        self.seat.index()
    }

    /// Takes note of further events of a game, as JSON: those that its seat sees.
    fn see_json(&mut self, events: &str) -> PyResult<()> {
        let events: Vec<SeenEvent> =
            serde_json::from_str(events).map_err(|error| PyValueError::new_err(format!("events: {error}")))?;
        self.seen += events.len();
        events.iter().for_each(|event| self.observer.see(event));
        Ok(())
    }

    /// Takes note of what its seat has seen of `game` since it was last given to the observer, and of what it sees now.
    fn follow(&mut self, game: &Game) -> PyResult<()> {
        let events = game.table.events();
        if !Arc::ptr_eq(&game.spec.rules, &self.spec.rules) {
            return Err(PyValueError::new_err("game: it is one of another table than the observer's"));
        }
        if events.len() < self.seen {
            let (found, seen) = (events.len(), self.seen);
            return Err(PyValueError::new_err(format!(
                "game: it has told {found} events, and the observer knows {seen}"
            )));
        }
        events[self.seen..].iter().for_each(|event| self.observer.see(&event.seen_by(self.seat)));
        self.seen = events.len();
        self.observer.look(&game.table.game().view(self.seat)).map_err(lost)
    }

    /// What the seat sees of the position, as JSON.
    fn view_json(&mut self) -> PyResult<String> {
        json(&self.observer.view().map_err(lost)?)
    }

    /// A game that agrees with all that has been seen, in which the seat is asked for `asked`, or the seat to move if it is
    /// not asked. `seed` decides what is hidden, and everything random that follows.
    #[pyo3(signature = (seed, asked=None))]
    fn sample(&mut self, py: Python<'_>, seed: &Bound<'_, PyAny>, asked: Option<&str>) -> PyResult<Game> {
        let seed = seed_of(seed)?;
        let asked = asked.map(|asked| what_of(asked).map(|what| (self.seat, what))).transpose()?;
        let words = seed.0.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect::<Vec<_>>();
        let (spec, observer) = (self.spec.clone(), &mut self.observer);
        let sampled = py.detach(move || -> Result<Game, Lost> {
            let mut position = maumau_engine::Game::new(Arc::clone(&spec.rules), &seed_of_number(0));
            observer.sample_into(&mut position, &mut ChoiceStream::new(&words))?;
            Ok(Game { table: SteppedGame::from_position(position, asked), seed: Seed([0; 32]), spec })
        });
        sampled.map_err(lost)
    }
}

fn what_of(name: &str) -> PyResult<What> {
    match name {
        "turn" => Ok(What::Turn),
        "react" => Ok(What::React),
        "choose" => Ok(What::Choose),
        "deal" => Ok(What::Deal),
        _ => Err(PyValueError::new_err(format!("asked: {name:?}; a seat is asked to turn, react, choose or deal"))),
    }
}
