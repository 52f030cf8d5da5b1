//! What a bot of the arena reads from its lines, as numbers: the observation and the actions of each ask. It knows only what
//! the seat is sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use maumau_engine::Rules;
use maumau_environment::{ActionStep, Discards, Encoding, SteppedGame};
use maumau_observer::Observer;
use maumau_protocol::message::{Ask, What};
use maumau_protocol::{Action, SeenEvent};
use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;

use crate::spec::{json, resolved};

/// Reads the asks of one seat in one game.
#[pyclass(module = "maumau._native")]
pub(crate) struct Reader {
    rules: Arc<Rules>,
    encoding: Arc<Encoding>,
    discards: Discards,
    /// Events that were read; kept where a play may take several steps, until the seat is known.
    seen: Vec<SeenEvent>,
    /// What the seat knows, where a play may take several steps.
    observer: Option<Observer>,
    /// The ask that was read last.
    ask: Option<Ask>,
    /// The position of that ask, with the steps that were taken in it.
    steps: Option<SteppedGame>,
}

/// Observation and mask.
type Numbers<'py> = (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<u8>>);
/// Observation, mask, and the place in `legal` of each action that takes one step.
type Read<'py> = (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<u8>>, BTreeMap<usize, usize>);

#[pymethods]
impl Reader {
    #[new]
    fn new(rules: &str, seats: usize, rounds: u32, universal: bool) -> PyResult<Reader> {
        let rules = Arc::new(resolved(rules, seats, rounds)?);
        let encoding = if universal { Encoding::universal(&rules) } else { Encoding::new(&rules) };
        let (discards, seen) = (Discards::default(), Vec::new());
        Ok(Reader { rules, encoding, discards, seen, observer: None, ask: None, steps: None })
    }

    /// Whether a play may take several steps, so that every event has to be read.
    #[getter]
    fn takes_steps(&self) -> bool {
        self.encoding.actions.takes_steps()
    }

    /// Takes note of events, a list of them as JSON.
    fn see(&mut self, events: &str) -> PyResult<()> {
        let events: Vec<SeenEvent> =
            serde_json::from_str(events).map_err(|error| PyValueError::new_err(format!("events: {error}")))?;
        self.take_note(&events);
        Ok(())
    }

    /// Reads an ask with its events, view and legal actions.
    fn read<'py>(&mut self, py: Python<'py>, ask: &str) -> PyResult<Read<'py>> {
        let mut ask: Ask = serde_json::from_str(ask).map_err(|error| PyValueError::new_err(format!("ask: {error}")))?;
        self.take_note(&std::mem::take(&mut ask.events));
        let actions = &self.encoding.actions;
        let mut places = BTreeMap::new();
        for (place, action) in ask.legal.iter().enumerate() {
            if let Some(number) = actions.encode(ask.seat, &action.verb) {
                places.entry(number).or_insert(place);
            }
        }
        self.steps = match self.position(&ask) {
            Ok(steps) => steps,
            Err(why) => {
                let words = format!("single cards only: {why}");
                PyErr::warn(py, &py.get_type::<PyUserWarning>(), &std::ffi::CString::new(words)?, 1)?;
                None
            }
        };
        self.ask = Some(ask);
        let (observation, mask) = self.numbers(py)?;
        Ok((observation, mask, places))
    }

    /// Takes a step of a play that takes several. The action if it ends one, as JSON; otherwise nothing, and what can be seen and done
    /// then.
    fn step<'py>(&mut self, py: Python<'py>, number: i64) -> PyResult<(Option<String>, Option<Numbers<'py>>)> {
        let (Some(ask), Some(steps)) = (&self.ask, &mut self.steps) else {
            return Err(PyValueError::new_err(format!("action {number} takes no step here")));
        };
        let step = steps.step_of(&self.encoding.actions, (ask.seat, ask.what), number, false);
        match step.map_err(|error| PyValueError::new_err(error.to_string()))? {
            ActionStep::Answer(verb) => {
                let say = steps.words_due(ask.seat, &verb);
                Ok((Some(json(&Action { verb, say })?), None))
            }
            step => {
                steps.take_step(ask.seat, step);
                Ok((None, Some(self.numbers(py)?)))
            }
        }
    }
}

impl Reader {
    fn take_note(&mut self, events: &[SeenEvent]) {
        events.iter().for_each(|event| self.discards.see(event));
        if self.takes_steps() {
            self.seen.extend_from_slice(events);
        }
    }

    /// The position of `ask`, if plays may take several steps in it.
    ///
    /// # Errors
    /// What the seat has seen does not explain its position: why, in words.
    fn position(&mut self, ask: &Ask) -> Result<Option<SteppedGame>, String> {
        let Some(view) = ask.view.as_ref().filter(|_| ask.what == What::Turn && self.takes_steps()) else {
            return Ok(None);
        };
        let observer = self.observer.get_or_insert_with(|| Observer::new(Arc::clone(&self.rules), ask.seat));
        self.seen.drain(..).for_each(|event| observer.see(&event));
        observer.look(view).map_err(|error| error.to_string())?;
        let position = observer.position().map_err(|error| error.to_string())?;
        if position.view(ask.seat) != *view {
            return Err("the events that the seat saw lead to another position than its view".to_owned());
        }
        Ok(Some(SteppedGame::from_position(position.clone(), Some((ask.seat, ask.what)))))
    }

    /// What is seen and can be done at the last ask, after the steps taken.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Numbers<'py>> {
        let Some((ask, view)) = self.ask.as_ref().and_then(|ask| Some((ask, ask.view.as_ref()?))) else {
            return Err(PyValueError::new_err("ask: no view; the bot must want one"));
        };
        let Encoding { actions, observation, .. } = &*self.encoding;
        let (mut numbers, mut mask) = (vec![0_u8; observation.len()], vec![0_u8; actions.len()]);
        observation.write(actions, (ask.seat, Some(ask.what)), view, self.discards.cards(), &mut numbers);
        match &self.steps {
            Some(steps) => {
                observation.write_begun(actions, steps.begun(ask.seat), &mut numbers);
                actions.legal(steps, ask.seat, ask.what, |number| mask[number] = 1);
            }
            None => {
                let listed = ask.legal.iter().filter_map(|action| actions.encode(ask.seat, &action.verb));
                listed.for_each(|number| mask[number] = 1);
            }
        }
        Ok((numbers.to_pyarray(py), mask.to_pyarray(py)))
    }
}
