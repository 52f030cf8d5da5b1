//! A table from Python: a rule set with its settings, compiled for a number of seats, and its encoding.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use maumau_engine::rules::{
    BuiltIn, MAX_FILE_BYTES, NoRuleText, RuleFiles, RuleText, built_in, check_resolved, load, parse_setting,
};
use maumau_engine::{Rules, parse_seed};
use maumau_environment::{self as environment, Encoding};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Seat, Seed};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

pyo3::create_exception!(
    maumau,
    IllegalAction,
    PyValueError,
    "An action that the rules refuse; the text names the clause."
);

/// Names of the built-in rule sets.
pub(crate) fn names() -> Vec<&'static str> {
    built_in().iter().map(|set| set.name).collect()
}

/// An exception of the right kind.
pub(crate) fn illegal(error: &environment::IllegalAction, text: String) -> PyErr {
    use environment::IllegalAction as What;
    match error {
        What::Number { .. } => PyIndexError::new_err(text),
        What::NotAsked(_) | What::Nothing { .. } | What::Refused { .. } => IllegalAction::new_err(text),
        What::Over => PyValueError::new_err(text),
    }
}

/// Rule files on disk besides the built-in sets.
struct OnDisk;

impl RuleFiles for OnDisk {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        if !name.contains('/') && !name.ends_with(".toml") {
            return BuiltIn.text(name, from);
        }
        let path = match from.map(Path::new).and_then(Path::parent) {
            Some(folder) => folder.join(name),
            None => PathBuf::from(name),
        };
        let file = path.display().to_string();
        // A named pipe would be waited for.
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(NoRuleText(format!("{file}: it is not a file")));
        }
        let mut text = String::new();
        let read =
            File::open(&path).and_then(|opened| opened.take(MAX_FILE_BYTES as u64 + 1).read_to_string(&mut text));
        if read.map_err(|error| NoRuleText(format!("{file}: {error}")))? > MAX_FILE_BYTES {
            return Err(NoRuleText(format!("{file}: a rule file has at most {MAX_FILE_BYTES} bytes")));
        }
        Ok(RuleText { file, text })
    }
}

/// The seed that a Python value states: a number or 64 hexadecimal digits.
pub(crate) fn seed_of(value: &Bound<'_, PyAny>) -> PyResult<Seed> {
    let number = || value.call_method0("__index__").ok().filter(|_| !value.is_instance_of::<PyBool>());
    let found = if value.is_instance_of::<PyString>() { Some(value.clone()) } else { number() };
    let Some(found) = found else {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("seed: expected a whole number or a text, found {kind}")));
    };
    let text = found.str()?.to_string();
    parse_seed(&text).map_err(|error| PyValueError::new_err(format!("seed {text:?}: {error}")))
}

/// The table of a resolved rule set, given as JSON.
pub(crate) fn resolved(rules: &str, seats: usize, rounds: u32) -> PyResult<Rules> {
    let set: RuleSet = serde_json::from_str(rules).map_err(|error| PyValueError::new_err(format!("rules: {error}")))?;
    check_resolved(&set).map_err(|problems| PyValueError::new_err(problems.to_string()))?;
    let rules = Rules::for_table(&Arc::new(set), seats, Some(rounds));
    rules.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A table that was packed ([`Spec::__reduce__`]).
#[pyfunction]
pub(crate) fn unpacked_spec(rules: &str, seats: usize, rounds: u32, universal: bool) -> PyResult<Spec> {
    Ok(Spec::of(resolved(rules, seats, rounds)?, universal))
}

/// A table: rules for a number of seats, and the numbers of its actions and observations.
#[pyclass(frozen, eq, module = "maumau._native")]
#[derive(Clone)]
pub(crate) struct Spec {
    pub(crate) rules: Arc<Rules>,
    pub(crate) encoding: Arc<Encoding>,
    universal: bool,
}

impl PartialEq for Spec {
    fn eq(&self, other: &Spec) -> bool {
        let (one, two) = (&self.rules, &other.rules);
        let same = || one.seats() == two.seats() && one.rounds() == two.rounds() && one.set() == two.set();
        self.universal == other.universal && (Arc::ptr_eq(one, two) || same())
    }
}

/// How a table is unpacked: by a function and what it is given.
type PackedSpec<'py> = (Bound<'py, PyAny>, (String, usize, u32, bool));

impl Spec {
    /// What two equal tables have in common, for hashes.
    pub(crate) fn key(&self) -> (&str, usize, u32, bool) {
        (&self.rules.set().name, self.rules.seats(), self.rules.rounds(), self.universal)
    }

    fn of(rules: Rules, universal: bool) -> Spec {
        let encoding = if universal { Encoding::universal(&rules) } else { Encoding::new(&rules) };
        Spec { rules: Arc::new(rules), encoding, universal }
    }

    pub(crate) fn seat(&self, seat: i64) -> PyResult<Seat> {
        let seats = self.rules.seats();
        let found = usize::try_from(seat).ok().filter(|seat| *seat < seats).and_then(Seat::new);
        let last = seats - 1;
        found.ok_or_else(|| PyIndexError::new_err(format!("seat {seat} does not exist: seats are 0 to {last}")))
    }
}

#[pymethods]
impl Spec {
    #[new]
    #[pyo3(signature = (rules, seats, settings, rounds=None, universal=false))]
    fn new(rules: &str, seats: usize, settings: Vec<String>, rounds: Option<u32>, universal: bool) -> PyResult<Spec> {
        let settings =
            settings.iter().map(|text| parse_setting(text).map_err(|error| PyValueError::new_err(error.to_string())));
        let settings = settings.collect::<PyResult<Vec<_>>>()?;
        let loaded = load(&OnDisk, rules, &settings).map_err(|problems| PyValueError::new_err(problems.to_string()))?;
        let table = Rules::for_table(&Arc::new(loaded.set), seats, rounds);
        Ok(Spec::of(table.map_err(|error| PyValueError::new_err(error.to_string()))?, universal))
    }

    /// Packed as its resolved rules, so that no rule file is needed where it is unpacked.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<PackedSpec<'py>> {
        let unpack = py.import("maumau._native")?.getattr("unpacked_spec")?;
        Ok((unpack, (self.rules_json()?, self.rules.seats(), self.rules.rounds(), self.universal)))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        hash_of(py, self.key())
    }

    fn __copy__(slf: Py<Spec>) -> Py<Spec> {
        slf
    }

    fn __deepcopy__(slf: Py<Spec>, _memo: &Bound<'_, PyAny>) -> Py<Spec> {
        slf
    }

    #[getter]
    fn name(&self) -> String {
        self.rules.set().name.clone()
    }

    #[getter]
    fn seats(&self) -> usize {
        self.rules.seats()
    }

    #[getter]
    fn rounds(&self) -> u32 {
        self.rules.rounds()
    }

    #[getter]
    fn actions(&self) -> usize {
        self.encoding.actions.len()
    }

    #[getter]
    fn observation(&self) -> usize {
        self.encoding.observation.len()
    }

    /// The version of its encoding.
    #[getter]
    fn encoding(&self) -> u32 {
        self.encoding.version
    }

    #[getter]
    fn wait(&self) -> usize {
        self.encoding.actions.wait()
    }

    /// The resolved rule set as JSON.
    fn rules_json(&self) -> PyResult<String> {
        json(&**self.rules.set())
    }

    /// Name, first number and size of each block of actions.
    fn action_blocks(&self) -> Vec<(&'static str, usize, usize)> {
        self.encoding.actions.blocks().iter().map(|block| (block.name, block.at, block.size)).collect()
    }

    /// Name, first place and size of each block of an observation.
    fn observation_blocks(&self) -> Vec<(&'static str, usize, usize)> {
        self.encoding.observation.blocks().iter().map(|block| (block.name, block.at, block.size)).collect()
    }

    /// A name of an action, the same in every position.
    fn action_name(&self, action: i64) -> PyResult<String> {
        let number = usize::try_from(action).ok().filter(|number| *number < self.encoding.actions.len());
        let last = self.encoding.actions.len() - 1;
        let error = environment::IllegalAction::Number { action, last };
        number.map(|number| self.encoding.actions.name(number)).ok_or_else(|| illegal(&error, error.to_string()))
    }
}

/// The hash that Python gives a value.
pub(crate) fn hash_of<'py>(py: Python<'py>, value: impl IntoPyObjectExt<'py>) -> PyResult<isize> {
    value.into_bound_py_any(py)?.hash()
}

/// Any value of the protocol as JSON.
pub(crate) fn json<T: serde::Serialize + ?Sized>(value: &T) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}
