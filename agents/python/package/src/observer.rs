//! What a seat knows of a game, from the events that it sees: positions that agree with all of them, as games that go on.

use std::sync::Arc;

use maumau_engine::{ChoiceStream, seed_of_number};
use maumau_environment::SteppedGame;
use maumau_observer::{self as knowledge, Lost};
use maumau_protocol::message::What;
use maumau_protocol::{Card, Seat, Seed, SeenEvent, View};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use serde::{Deserialize, Serialize};

use crate::game::{Game, Origin};
use crate::spec::{Spec, hash_of, json, seed_of};

/// What an observer has been given; what it believes follows from that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Given {
    events: Vec<SeenEvent>,
    /// When the position was asked for: after how many events, and the hand that the seat saw then, if it was shown.
    looks: Vec<(usize, Vec<Card>)>,
}

/// The knowledge of one seat.
#[pyclass(eq, module = "maumau._native")]
#[derive(Clone)]
pub(crate) struct Observer {
    spec: Spec,
    seat: Seat,
    observer: knowledge::Observer,
    given: Arc<Given>,
    /// Whether the last look explained all events.
    is_caught_up: bool,
}

impl PartialEq for Observer {
    fn eq(&self, other: &Observer) -> bool {
        self.seat == other.seat && self.given == other.given && self.spec == other.spec
    }
}

impl Observer {
    /// An observer that has been given nothing.
    pub(crate) fn of(spec: &Spec, seat: Seat) -> Observer {
        let observer = knowledge::Observer::new(Arc::clone(&spec.rules), seat);
        Observer { spec: spec.clone(), seat, observer, given: Arc::default(), is_caught_up: true }
    }

    /// Gives it what another one was given, in the same order, so that both believe the same.
    pub(crate) fn resume(&mut self, given: &str) -> PyResult<()> {
        let given: Given =
            serde_json::from_str(given).map_err(|error| PyValueError::new_err(format!("given: {error}")))?;
        let ends = given.looks.iter().map(|(end, _)| *end);
        if !ends.clone().chain([given.events.len()]).is_sorted() {
            return Err(PyValueError::new_err("given: a look at events that are not there"));
        }
        *self = Observer::of(&self.spec, self.seat);
        for (end, hand) in given.looks {
            self.see(&given.events[self.given.events.len()..end]);
            // An error here is reported when a sample is asked for.
            let _ = self.look(hand);
        }
        self.see(&given.events[self.given.events.len()..]);
        Ok(())
    }

    fn see(&mut self, events: &[SeenEvent]) {
        Arc::make_mut(&mut self.given).events.extend_from_slice(events);
        events.iter().for_each(|event| self.observer.see(event));
    }

    /// Explains all events; `hand` is what the seat sees in its hand, or empty.
    fn look(&mut self, hand: Vec<Card>) -> Result<(), Lost> {
        let seen = self.given.events.len();
        let before = self.given.looks.last().filter(|(end, _)| self.is_caught_up && *end == seen);
        if before.is_some_and(|(_, last)| hand.is_empty() || hand == *last) {
            return Ok(());
        }
        Arc::make_mut(&mut self.given).looks.push((seen, hand.clone()));
        let looked = self.observer.look(&View { hand, ..View::default() });
        self.is_caught_up = looked.is_ok();
        looked
    }

    /// A game in which its seat is asked for `asked`.
    pub(crate) fn sampled(&mut self, seed: Seed, asked: Option<What>) -> Result<Game, Lost> {
        self.look(Vec::new())?;
        let words = seed.0.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect::<Vec<_>>();
        let mut position = maumau_engine::Game::new(Arc::clone(&self.spec.rules), &seed_of_number(0));
        self.observer.sample_into(&mut position, &mut ChoiceStream::new(&words))?;
        let table = SteppedGame::from_position(position, asked.map(|what| (self.seat, what)));
        let origin = Origin::Sampled { seat: self.seat, given: Arc::clone(&self.given), asked };
        Ok(Game { table, seed, origin, spec: self.spec.clone() })
    }
}

pub(crate) fn lost(error: Lost) -> PyErr {
    PyValueError::new_err(format!("events: {error}; give the observer every event of its seat, in order"))
}

#[pymethods]
impl Observer {
    #[new]
    fn new(spec: &Spec, seat: i64) -> PyResult<Observer> {
        Ok(Observer::of(spec, spec.seat(seat)?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, (Spec, usize), String)> {
        let this = slf.borrow();
        Ok((slf.get_type(), (this.spec.clone(), this.seat()), json(&*this.given)?))
    }

    fn __setstate__(&mut self, given: &str) -> PyResult<()> {
        self.resume(given)
    }

    fn __copy__(&self) -> Observer {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Observer {
        self.clone()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash_of(py, (self.spec.key(), self.seat.index(), self.given.events.len()))
    }

    #[getter]
    fn seat(&self) -> usize {
        self.seat.index()
    }

    /// Takes note of further events of a game, as JSON: those that its seat sees.
    fn see_json(&mut self, events: &str) -> PyResult<()> {
        let events: Vec<SeenEvent> =
            serde_json::from_str(events).map_err(|error| PyValueError::new_err(format!("events: {error}")))?;
        self.see(&events);
        Ok(())
    }

    /// Takes note of what its seat has seen of `game` since it was last given to the observer, and of what it sees now.
    fn follow(&mut self, game: &Game) -> PyResult<()> {
        let events = game.table.events();
        if game.spec != self.spec {
            return Err(PyValueError::new_err("game: it is one of another table than the observer's"));
        }
        let (found, seen) = (events.len(), self.given.events.len());
        if found < seen {
            return Err(PyValueError::new_err(format!(
                "game: it has told {found} events, and the observer knows {seen}"
            )));
        }
        self.see(&events[seen..].iter().map(|event| event.seen_by(self.seat)).collect::<Vec<_>>());
        self.look(game.table.game().view(self.seat).hand).map_err(lost)
    }

    /// What the seat sees of the position, as JSON.
    fn view_json(&mut self) -> PyResult<String> {
        self.look(Vec::new()).and_then(|()| self.observer.view()).map_err(lost).and_then(|view| json(&view))
    }

    /// A game that agrees with all that has been seen, in which the seat is asked for `asked`, or the seat to move if it is
    /// not asked. `seed` decides what is hidden, and everything random that follows.
    #[pyo3(signature = (seed, asked=None))]
    fn sample(&mut self, py: Python<'_>, seed: &Bound<'_, PyAny>, asked: Option<&str>) -> PyResult<Game> {
        let seed = seed_of(seed)?;
        let asked = asked.map(what_of).transpose()?;
        py.detach(|| self.sampled(seed, asked)).map_err(lost)
    }
}

pub(crate) fn what_of(name: &str) -> PyResult<What> {
    match name {
        "turn" => Ok(What::Turn),
        "react" => Ok(What::React),
        "choose" => Ok(What::Choose),
        "deal" => Ok(What::Deal),
        _ => Err(PyValueError::new_err(format!("asked: {name:?}; a seat is asked to turn, react, choose or deal"))),
    }
}
