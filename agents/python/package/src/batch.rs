//! Rows of games stepped into numpy arrays of the caller, with the lock of the interpreter released, by several threads. Signals are
//! looked at meanwhile; while arrays are written nobody can move or free their memory.

use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};

use maumau_environment::{self as environment, BatchOutput, BatchSetup, Element, RowState};
use numpy::npyffi::NPY_ARRAY_OWNDATA;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::bots;
use crate::signals::{EVERY, Signals};
use crate::spec::{Spec, hash_of, illegal, seed_of};

/// Most rows of a batch.
const MOST_GAMES: usize = 1 << 20;
/// Rows that are stepped between two looks at signals, where built-in bots answer, which may think for long.
const ROWS_OF_BOTS: usize = 16;
/// Rows stepped at random between two looks.
const ROWS_AT_RANDOM: usize = 1 << 16;
/// Most threads of a batch.
const MOST_THREADS: usize = 256;

/// Rows of games.
#[pyclass(eq, module = "maumau._native")]
pub(crate) struct Batch {
    spec: Spec,
    bots: Vec<String>,
    setup: BatchSetup,
    games: usize,
    threads: usize,
    parts: Vec<environment::Batch>,
    pool: Option<rayon::ThreadPool>,
}

/// The arrays of a step as they come from Python.
struct Arrays<'py, T: numpy::Element> {
    observation: PyReadwriteArrayDyn<'py, T>,
    mask: PyReadwriteArrayDyn<'py, u8>,
    seat: PyReadwriteArrayDyn<'py, u8>,
    reward: PyReadwriteArrayDyn<'py, f32>,
    done: PyReadwriteArrayDyn<'py, u8>,
    last: Option<PyReadwriteArrayDyn<'py, T>>,
}

/// Observations, masks, seats, rewards, ends and, if they are wanted, last observations.
type Given<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
);

fn array<'py, T: numpy::Element>(
    value: &Bound<'py, PyAny>,
    name: &str,
    kind: &str,
    shape: &[usize],
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let wrong =
        |_| PyTypeError::new_err(format!("{name}: expected a numpy array of {kind}, found {}", describe(value)));
    value.cast::<PyArrayDyn<T>>().map_err(wrong)?;
    // A view of its own, whose shape and memory nobody else can change.
    let numpy = value.py().get_type::<PyUntypedArray>();
    let value = &numpy.call_method1("view", (value, &numpy))?;
    let wrong =
        |_| PyTypeError::new_err(format!("{name}: expected a numpy array of {kind}, found {}", describe(value)));
    let array = value.cast::<PyArrayDyn<T>>().map_err(wrong)?;
    if array.shape() != shape {
        return Err(PyValueError::new_err(format!("{name}: expected the shape {shape:?}, found {:?}", array.shape())));
    }
    if !array.is_c_contiguous() {
        return Err(PyValueError::new_err(format!("{name}: the array must be contiguous (C order)")));
    }
    check_alignment(value, name)?;
    array.try_readwrite().map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
}

/// Refuses a view of numbers that begin in the middle of others.
fn check_alignment(array: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    match array.getattr("flags")?.getattr("aligned")?.is_truthy()? {
        true => Ok(()),
        false => Err(PyValueError::new_err(format!("{name}: the array must be aligned"))),
    }
}

/// The arrays of which others are views, whose memory stays where it is while it is written, whatever other threads of Python do with
/// them: numpy resizes no array that does not own its memory, and frees none where it is exchanged (`array.data = …`, `__setstate__`). So
/// they own nothing meanwhile.
#[derive(Default)]
struct Pins<'py>(Vec<Pin<'py>>);

/// One of them, as it was.
struct Pin<'py> {
    array: Bound<'py, PyUntypedArray>,
    data: *mut c_char,
    base: Bound<'py, PyAny>,
    is_owner: bool,
}

impl<'py> Pins<'py> {
    /// Pins all that `view` leads to.
    fn add(&mut self, view: &Bound<'py, PyAny>) -> PyResult<()> {
        let mut place = view.getattr("base")?;
        while let Ok(array) = place.cast::<PyUntypedArray>() {
            let base = array.getattr("base")?;
            // SAFETY: the array is alive, and no other thread of Python runs.
            let fields = unsafe { &mut (*array.as_array_ptr()).fields };
            let is_owner = fields.flags & NPY_ARRAY_OWNDATA != 0;
            fields.flags &= !NPY_ARRAY_OWNDATA;
            self.0.push(Pin { array: array.clone(), data: fields.data, base: base.clone(), is_owner });
            place = base;
        }
        Ok(())
    }

    /// Gives them back what is theirs. Memory that was exchanged meanwhile belongs to nobody any more and is never freed, nor is what took
    /// its place, since the array must lead to where it did: by that numpy's borrows are known.
    ///
    /// # Errors
    /// Some was.
    fn release(&mut self) -> PyResult<()> {
        let mut is_exchanged = false;
        for Pin { array, data, base, is_owner } in self.0.drain(..).rev() {
            // SAFETY: as above.
            let fields = unsafe { &mut (*array.as_array_ptr()).fields };
            let before = if base.is_none() { std::ptr::null_mut() } else { base.as_ptr() };
            is_exchanged |= fields.data != data || fields.base != before;
            if fields.base != before {
                fields.base = if base.is_none() { before } else { base.into_ptr() };
            } else if fields.data == data && is_owner {
                fields.flags |= NPY_ARRAY_OWNDATA;
            }
        }
        match is_exchanged {
            true => Err(PyValueError::new_err("the memory of an array was exchanged while it was written")),
            false => Ok(()),
        }
    }
}

impl Drop for Pins<'_> {
    fn drop(&mut self) {
        // After an error, which is raised instead.
        let _ = self.release();
    }
}

/// What a batch is made of, in the order of its constructor.
type PackedSetup = (Spec, usize, String, Vec<String>, usize, bool, bool);

/// The state of a row: its game, its dice, and the actions chosen, two bytes each.
type PackedRow = (u64, u64, Vec<u8>);

impl PartialEq for Batch {
    fn eq(&self, other: &Batch) -> bool {
        let setup = |batch: &Batch| (batch.games, batch.setup.seed, batch.setup.charges, batch.setup.duplicates);
        setup(self) == setup(other)
            && self.bots == other.bots
            && self.spec == other.spec
            && self.states().eq(other.states())
    }
}

fn describe(value: &Bound<'_, PyAny>) -> String {
    let kind = value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    match value.getattr("dtype") {
        Ok(dtype) => format!("{kind} of {dtype}"),
        Err(_) => kind,
    }
}

impl Batch {
    fn arrays<'py, T: numpy::Element>(&self, arrays: &Given<'py>, kind: &str) -> PyResult<Arrays<'py, T>> {
        let (n, encoding) = (self.games, &self.spec.encoding);
        let (observation, mask, seat, reward, done, last) = arrays;
        Ok(Arrays {
            observation: array(observation, "observation", kind, &[n, encoding.observation.len()])?,
            mask: array(mask, "mask", "uint8", &[n, encoding.actions.len()])?,
            seat: array(seat, "seat", "uint8", &[n])?,
            reward: array(reward, "reward", "float32", &[n, self.spec.rules.seats()])?,
            done: array(done, "done", "uint8", &[n])?,
            last: match last {
                Some(last) => {
                    Some(array(last, "last", kind, &[n, self.spec.rules.seats(), encoding.observation.len()])?)
                }
                None => None,
            },
        })
    }

    /// Lets `step` step each part with its part of the arrays. If a signal raises, such as that of Ctrl-C, some rows are not stepped.
    fn run<T: Element + numpy::Element + Sync>(
        &mut self,
        py: Python<'_>,
        given: &Given<'_>,
        kind: &str,
        step: impl Fn(&mut environment::Batch, &mut BatchOutput<'_, T>, usize) + Sync,
    ) -> PyResult<()> {
        let mut arrays = self.arrays::<T>(given, kind)?;
        let mut pins = Pins::default();
        pins.add(arrays.observation.as_any())?;
        [&arrays.mask, &arrays.seat, &arrays.done].into_iter().try_for_each(|array| pins.add(array.as_any()))?;
        pins.add(arrays.reward.as_any())?;
        arrays.last.iter().try_for_each(|last| pins.add(last.as_any()))?;
        let contiguous = || PyValueError::new_err("the arrays must be contiguous (C order)");
        let mut rest = BatchOutput {
            observation: arrays.observation.as_slice_mut().map_err(|_| contiguous())?,
            mask: arrays.mask.as_slice_mut().map_err(|_| contiguous())?,
            seat: arrays.seat.as_slice_mut().map_err(|_| contiguous())?,
            reward: arrays.reward.as_slice_mut().map_err(|_| contiguous())?,
            done: arrays.done.as_slice_mut().map_err(|_| contiguous())?,
            last: match &mut arrays.last {
                Some(last) => Some(last.as_slice_mut().map_err(|_| contiguous())?),
                None => None,
            },
        };
        let (seats, encoding) = (self.spec.rules.seats(), &self.spec.encoding);
        let (wide, many) = (encoding.observation.len(), encoding.actions.len());
        let (parts, pool) = (&mut self.parts, &self.pool);
        let stepped = py.detach(|| {
            let mut first = 0;
            let mut work = Vec::with_capacity(parts.len());
            for part in parts.iter_mut() {
                let n = part.len();
                let out = BatchOutput {
                    observation: split(&mut rest.observation, n * wide),
                    mask: split(&mut rest.mask, n * many),
                    seat: split(&mut rest.seat, n),
                    reward: split(&mut rest.reward, n * seats),
                    done: split(&mut rest.done, n),
                    last: rest.last.as_mut().map(|last| split(last, n * seats * wide)),
                };
                work.push((part, out, first));
                first += n;
            }
            let mut signals = Signals::new();
            let Some(pool) = pool else {
                return work.iter_mut().try_for_each(|(part, out, first)| {
                    signals.check()?;
                    step(part, out, *first);
                    Ok(())
                });
            };
            let (step, is_stopped) = (&step, &AtomicBool::new(false));
            let mut checked = Ok(());
            pool.in_place_scope(|scope| {
                let (at_work, ended) = channel::<()>();
                for (part, mut out, first) in work {
                    let at_work = at_work.clone();
                    scope.spawn(move |_| {
                        if !is_stopped.load(Ordering::Relaxed) {
                            step(part, &mut out, first);
                        }
                        drop(at_work);
                    });
                }
                drop(at_work);
                while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                    if checked.is_ok() {
                        checked = signals.check();
                        is_stopped.store(checked.is_err(), Ordering::Relaxed);
                    }
                }
            });
            checked
        });
        pins.release().and(stepped)
    }

    fn states(&self) -> impl Iterator<Item = RowState> {
        self.parts.iter().flat_map(|part| (0..part.len()).map(|row| part.state(row)))
    }

    fn begin(&mut self) {
        let of_bots = if self.setup.opponents > 0 { self.games.div_ceil(ROWS_OF_BOTS) } else { 1 };
        let parts = self.threads.max(of_bots);
        let (each, more) = (self.games / parts, self.games % parts);
        let mut first = 0;
        self.parts = (0..parts)
            .map(|part| {
                let count = each + usize::from(part < more);
                first += count;
                environment::Batch::new(self.setup.clone(), first - count, count)
            })
            .collect();
    }
}

fn no_row(row: usize, games: usize) -> PyErr {
    PyIndexError::new_err(format!("row {row} does not exist: rows are 0 to {}", games - 1))
}

fn split<'a, T>(slice: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    let (head, tail) = std::mem::take(slice).split_at_mut(length);
    *slice = tail;
    head
}

/// Calls `$body` with `$kind` as the type of the observations of `$array`.
macro_rules! by_type {
    ($array:expr, $kind:ident, $name:ident => $body:expr) => {
        if $array.cast::<PyArrayDyn<u8>>().is_ok() {
            type $kind = u8;
            let $name = "uint8";
            $body
        } else {
            type $kind = f32;
            let $name = "float32";
            $body
        }
    };
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (spec, games, seed, bots, threads, charges, duplicates=false))]
    fn new(
        spec: &Spec,
        games: usize,
        seed: &Bound<'_, PyAny>,
        bots: Vec<String>,
        threads: usize,
        charges: bool,
        duplicates: bool,
    ) -> PyResult<Batch> {
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(PyValueError::new_err(format!("games: {games}; a batch has 1 to {MOST_GAMES}")));
        }
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(PyValueError::new_err(format!("threads: {threads}; a batch has 1 to {MOST_THREADS}")));
        }
        let seats = spec.rules.seats();
        if !bots.is_empty() && bots.len() != 1 && bots.len() != seats - 1 {
            let needed = seats - 1;
            return Err(PyValueError::new_err(format!(
                "opponents: {} of them; one for all other seats, or one for each of the {needed}",
                bots.len()
            )));
        }
        let maker = if bots.is_empty() { None } else { Some(bots::maker(&bots, &spec.rules)?) };
        let setup = BatchSetup {
            rules: spec.rules.clone(),
            encoding: spec.encoding.clone(),
            seed: seed_of(seed)?,
            opponents: if bots.is_empty() { 0 } else { seats - 1 },
            keeps: maker.as_ref().is_some_and(|(_, remembers)| *remembers),
            maker: maker.map(|(maker, _)| maker),
            duplicates,
            charges,
        };
        let threads = threads.min(games);
        let pool = if threads > 1 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            Some(pool.map_err(|error| PyValueError::new_err(format!("threads: {error}")))?)
        } else {
            None
        };
        let mut batch = Batch { spec: spec.clone(), bots, setup, games, threads, parts: Vec::new(), pool };
        batch.begin();
        Ok(batch)
    }

    /// Begins again with the deals of `seed`, or with those of the same seed.
    #[pyo3(signature = (seed=None))]
    fn restart(&mut self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        if let Some(seed) = seed {
            self.setup.seed = seed_of(seed)?;
        }
        py.detach(|| self.begin());
        Ok(())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, PackedSetup, Vec<PackedRow>) {
        let this = slf.borrow();
        let BatchSetup { charges, duplicates, seed, .. } = &this.setup;
        let setup = (this.spec.clone(), this.games, seed.to_string(), this.bots.clone(), this.threads);
        let (spec, games, seed, bots, threads) = setup;
        let rows = this.states().map(|RowState { game, dice, actions }| {
            (game, dice, actions.iter().flat_map(|action| action.to_le_bytes()).collect())
        });
        (slf.get_type(), (spec, games, seed, bots, threads, *charges, *duplicates), rows.collect())
    }

    fn __setstate__(&mut self, py: Python<'_>, rows: Vec<PackedRow>) -> PyResult<()> {
        if rows.len() != self.games {
            return Err(PyValueError::new_err(format!("rows: expected {}, found {}", self.games, rows.len())));
        }
        let parts = &mut self.parts;
        py.detach(|| {
            let (mut signals, mut rows) = (Signals::new(), rows.into_iter());
            for part in parts {
                for row in 0..part.len() {
                    signals.check()?;
                    let Some((game, dice, bytes)) = rows.next() else { break };
                    let actions = bytes.as_chunks::<2>().0.iter().map(|action| u16::from_le_bytes(*action)).collect();
                    let resumed = part.resume(row, &RowState { game, dice, actions });
                    resumed.map_err(|error| PyValueError::new_err(error.to_string()))?;
                }
            }
            Ok(())
        })
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let rows = self.states().map(|state| (state.game, state.dice, state.actions.len()));
        let rows = PyTuple::new(py, rows.collect::<Vec<_>>())?;
        hash_of(py, (self.spec.key(), self.setup.seed.to_string(), rows))
    }

    /// Gives up the games of these rows; the next ones begin.
    fn begin_next(&mut self, rows: Vec<usize>) -> PyResult<()> {
        for row in rows {
            let mut row_in_part = row;
            let part = self.parts.iter_mut().find(|part| {
                let found = row_in_part < part.len();
                row_in_part -= if found { 0 } else { part.len() };
                found
            });
            part.ok_or_else(|| no_row(row, self.games))?.begin_next(row_in_part);
        }
        Ok(())
    }

    /// The seed of the present game of a row, in hexadecimal digits.
    fn seed(&self, row: usize) -> PyResult<String> {
        let mut row_in_part = row;
        for part in &self.parts {
            if row_in_part < part.len() {
                return Ok(part.seed(row_in_part).to_string());
            }
            row_in_part -= part.len();
        }
        Err(no_row(row, self.games))
    }

    /// Shows every row as it is. The arrays are those of observations, masks, seats, rewards, ends and, or `None`, last
    /// observations, as in all that follows.
    fn show(&mut self, py: Python<'_>, arrays: Given<'_>) -> PyResult<()> {
        by_type!(arrays.0, Kind, name => {
            self.run::<Kind>(py, &arrays, name, |part, out, _| part.show(out))
        })
    }

    /// Steps every row by its action and shows it; a row with a negative action stays as it is. If an action is illegal, no row
    /// is stepped.
    fn step(&mut self, py: Python<'_>, actions: Bound<'_, PyAny>, arrays: Given<'_>) -> PyResult<()> {
        let actions: PyReadonlyArray1<'_, i64> = actions.extract().map_err(|_| {
            let found = describe(&actions);
            PyTypeError::new_err(format!("actions: expected a one-dimensional numpy array of int64, found {found}"))
        })?;
        check_alignment(actions.as_any(), "actions")?;
        // A copy: once they are checked, nobody can change them.
        let actions = actions.as_slice().map(<[i64]>::to_vec);
        let actions = actions.map_err(|_| PyValueError::new_err("actions: the array must be contiguous"))?;
        if actions.len() != self.games {
            let (rows, found) = (self.games, actions.len());
            return Err(PyValueError::new_err(format!("actions: expected {rows}, one for each row, found {found}")));
        }
        let mut first = 0;
        for part in &self.parts {
            let last = first + part.len();
            part.check(&actions[first..last]).map_err(|error| illegal(&error.illegal, error.to_string()))?;
            first = last;
        }
        by_type!(arrays.0, Kind, name => {
            self.run::<Kind>(py, &arrays, name, |part, out, first| {
                part.step(&actions[first..first + part.len()], out);
            })
        })
    }

    /// Steps every row `steps` times by legal actions, each equally likely, and shows it.
    fn step_at_random(&mut self, py: Python<'_>, steps: usize, arrays: Given<'_>) -> PyResult<()> {
        let at_once = if self.setup.opponents > 0 { 1 } else { (ROWS_AT_RANDOM / self.games).max(1) };
        let mut left = steps;
        // Also for no steps, so that arrays are checked.
        loop {
            let now = left.min(at_once);
            by_type!(arrays.0, Kind, name => {
                self.run::<Kind>(py, &arrays, name, |part, out, _| {
                    (0..now).for_each(|_| part.step_at_random(out));
                })
            })?;
            left -= now;
            if left == 0 {
                return Ok(());
            }
            py.check_signals()?;
        }
    }
}
