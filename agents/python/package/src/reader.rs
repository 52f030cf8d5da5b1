//! What a bot of the arena reads from its lines, as numbers: the observation and the actions of each ask. It knows only what
//! the seat is sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use maumau_environment::{Discards, Encoding};
use maumau_protocol::message::Ask;
use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::spec::resolved;

/// Reads the asks of one seat in one game.
#[pyclass(module = "maumau._native")]
pub(crate) struct Reader {
    encoding: Arc<Encoding>,
    discards: Discards,
}

/// Observation, mask, and the place in `legal` of each action number.
type Read<'py> = (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<u8>>, BTreeMap<usize, usize>);

#[pymethods]
impl Reader {
    #[new]
    fn new(rules: &str, seats: usize, rounds: u32, universal: bool) -> PyResult<Reader> {
        let rules = resolved(rules, seats, rounds)?;
        let encoding = if universal { Encoding::universal(&rules) } else { Encoding::new(&rules) };
        Ok(Reader { encoding, discards: Discards::default() })
    }

    /// Reads an ask with its events, view and legal actions.
    fn read<'py>(&mut self, py: Python<'py>, ask: &str) -> PyResult<Read<'py>> {
        let ask: Ask = serde_json::from_str(ask).map_err(|error| PyValueError::new_err(format!("ask: {error}")))?;
        ask.events.iter().for_each(|event| self.discards.see(event));
        let view = ask.view.as_ref().ok_or_else(|| PyValueError::new_err("ask: no view; the bot must want one"))?;
        let Encoding { actions, observation, .. } = &*self.encoding;
        let mut numbers = vec![0_u8; observation.len()];
        observation.write(actions, (ask.seat, Some(ask.what)), view, self.discards.cards(), &mut numbers);
        let (mut mask, mut places) = (vec![0_u8; actions.len()], BTreeMap::new());
        for (place, action) in ask.legal.iter().enumerate() {
            if let Some(number) = actions.encode(ask.seat, &action.verb) {
                mask[number] = 1;
                places.entry(number).or_insert(place);
            }
        }
        Ok((numbers.to_pyarray(py), mask.to_pyarray(py), places))
    }
}
