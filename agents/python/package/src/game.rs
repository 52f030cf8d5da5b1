//! One game from Python: it can be looked at from every seat, stepped, cloned, played out, and written as a record.

use std::sync::Arc;

use maumau_environment::{ActionStep, BegunPlay, GivenAnswer, IllegalAction, SteppedGame, judged};
use maumau_protocol::message::What;
use maumau_protocol::{Action, Seat, Seed, Verb};
use maumau_referee::story::StoryPosition;
use numpy::{PyArray1, PyArrayMethods, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::bots;
use crate::observer::{Given, Observer, lost, what_of};
use crate::replay::picture;
use crate::signals::Signals;
use crate::spec::{Spec, hash_of, illegal, json, seed_of};

/// Answers after which a playout is given up.
const MOST_ANSWERS: usize = 1_000_000;

/// Where a game begins; with its answers it is all that a game follows from.
#[derive(Clone, PartialEq)]
pub(crate) enum Origin {
    /// With the deal of its seed.
    Dealt,
    /// With the position that an observer who had been given this sampled by its seed.
    Sampled { seat: Seat, given: Arc<Given>, asked: Option<What> },
}

/// One game at an offer, or over.
#[pyclass(eq, module = "maumau._native")]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) spec: Spec,
    pub(crate) seed: Seed,
    pub(crate) origin: Origin,
    pub(crate) table: SteppedGame,
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        let same_begin = self.seed == other.seed && self.spec == other.spec && self.origin == other.origin;
        same_begin && self.table.answers() == other.table.answers() && self.steps() == other.steps()
    }
}

/// A seat's number, what an observer at it had been given, and what it was asked for.
type PackedOrigin = (i64, String, Option<String>);

/// Answers as JSON, where a sampled game begins, and the steps of the play that was begun.
type PackedGame = (String, Option<PackedOrigin>, Vec<usize>);

impl Game {
    /// The numbers of the steps so far of a play that the seat to answer puts together.
    fn steps(&self) -> Vec<usize> {
        let begun = self.table.next_asked().map(|seat| self.table.begun(seat));
        begun.map_or_else(Vec::new, |begun| self.spec.encoding.actions.steps_to(begun))
    }

    fn asked(&self, seat: i64) -> PyResult<(Seat, What)> {
        let seat = self.spec.seat(seat)?;
        if self.table.is_over() {
            return Err(illegal(&IllegalAction::Over, IllegalAction::Over.to_string()));
        }
        let error = IllegalAction::NotAsked(seat);
        self.table.asked_for(seat).map(|what| (seat, what)).ok_or_else(|| illegal(&error, error.to_string()))
    }
}

#[pymethods]
impl Game {
    #[new]
    fn new(spec: &Spec, seed: &Bound<'_, PyAny>) -> PyResult<Game> {
        let seed = seed_of(seed)?;
        let table = SteppedGame::new(Arc::clone(&spec.rules), &seed, true);
        Ok(Game { spec: spec.clone(), seed, origin: Origin::Dealt, table })
    }

    /// Replaces the game by that of another seed.
    fn restart(&mut self, seed: &Bound<'_, PyAny>) -> PyResult<()> {
        (self.seed, self.origin) = (seed_of(seed)?, Origin::Dealt);
        self.table.restart(&self.seed);
        Ok(())
    }

    /// A copy with the same cards, which goes on by itself.
    #[pyo3(name = "clone")]
    fn copy(&self) -> Game {
        self.clone()
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let answers = self.table.answers().iter().map(|GivenAnswer { seat, action }| (seat, action));
        hash_of(py, (self.spec.key(), self.seed(), json(&answers.collect::<Vec<_>>())?, json(&self.steps())?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, (Spec, String), PackedGame)> {
        let this = slf.borrow();
        let answers = this.table.answers().iter().map(|GivenAnswer { seat, action }| (seat, action));
        let origin = match &this.origin {
            Origin::Dealt => None,
            Origin::Sampled { seat, given, asked } => {
                Some((seat.index() as i64, json(&**given)?, asked.map(|what| name_of(what).to_owned())))
            }
        };
        let packed = (json(&answers.collect::<Vec<_>>())?, origin, this.steps());
        Ok((slf.get_type(), (this.spec.clone(), this.seed()), packed))
    }

    fn __setstate__(&mut self, packed: PackedGame) -> PyResult<()> {
        let (answers, origin, steps) = packed;
        let answers: Vec<(Seat, Action)> =
            serde_json::from_str(&answers).map_err(|error| PyValueError::new_err(format!("answers: {error}")))?;
        match origin {
            None => {
                self.origin = Origin::Dealt;
                self.table.restart(&self.seed);
            }
            Some((seat, given, asked)) => {
                let mut observer = Observer::of(&self.spec, self.spec.seat(seat)?);
                observer.resume(&given)?;
                let asked = asked.map(|asked| what_of(&asked)).transpose()?;
                *self = observer.sampled(self.seed, asked).map_err(lost)?;
            }
        }
        let answers = answers.into_iter().map(|(seat, action)| GivenAnswer { seat, action });
        self.table.replay(answers.collect()).map_err(|number| {
            PyValueError::new_err(format!("answers: number {number} is one of a seat that is not asked for it"))
        })?;
        let seat = self.table.next_asked().map_or(0, Seat::index) as i64;
        steps.into_iter().try_for_each(|step| self.step(seat, step as i64, false))
    }

    #[getter]
    fn spec(&self) -> Spec {
        self.spec.clone()
    }

    #[getter]
    fn seed(&self) -> String {
        self.seed.to_string()
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.table.is_over()
    }

    #[getter]
    fn is_cut_off(&self) -> bool {
        self.table.is_cut_off()
    }

    /// The seat that answers next, if answers are given one at a time; `None` when the game is over.
    fn next_asked(&self) -> Option<usize> {
        self.table.next_asked().map(Seat::index)
    }

    /// The seats whose answers the present offer waits for.
    fn asked_seats(&self) -> Vec<usize> {
        self.table.open().iter().map(Seat::index).collect()
    }

    /// "turn", "react", "choose" or "deal"; `None` if the seat is not asked.
    fn asked_for(&self, seat: i64) -> PyResult<Option<&'static str>> {
        let seat = self.spec.seat(seat)?;
        Ok(self.table.asked_for(seat).map(name_of))
    }

    /// The numbers of the steps so far of a play that `seat` puts together.
    fn begun(&self, seat: i64) -> PyResult<Vec<usize>> {
        let begun = self.table.begun(self.spec.seat(seat)?);
        Ok(self.spec.encoding.actions.steps_to(begun))
    }

    /// The numbers of the legal actions of `seat`, in order; none if it is not asked.
    fn legal_actions(&self, seat: i64) -> PyResult<Vec<usize>> {
        let seat = self.spec.seat(seat)?;
        let mut numbers = Vec::new();
        if let Some(what) = self.table.asked_for(seat) {
            self.spec.encoding.actions.legal(&self.table, seat, what, |action| numbers.push(action));
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    /// What `seat` may know, as numbers.
    fn observation<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let seat = self.spec.seat(seat)?;
        let array = PyArray1::<u8>::zeros(py, self.spec.encoding.observation.len(), false);
        let mut writable = array.readwrite();
        let out = writable.as_slice_mut().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let encoding = &self.spec.encoding;
        let (game, asked) = (self.table.game(), (seat, self.table.asked_for(seat)));
        encoding.observation.write(&encoding.actions, asked, &game.view(seat), game.pile(), out);
        encoding.observation.write_begun(&encoding.actions, self.table.begun(seat), out);
        drop(writable);
        Ok(array)
    }

    /// 1 for each legal action of `seat`; only `wait` if it is not asked.
    fn mask<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let seat = self.spec.seat(seat)?;
        let mut mask = vec![0_i8; self.spec.encoding.actions.len()];
        match self.table.asked_for(seat) {
            Some(what) => {
                self.spec.encoding.actions.legal(&self.table, seat, what, |action| mask[action] = 1);
            }
            None => mask[self.spec.encoding.actions.wait()] = 1,
        }
        Ok(mask.to_pyarray(py))
    }

    /// What `seat` is asked, with its view and its legal actions, as the JSON of an ask.
    fn ask_json(&self, seat: i64) -> PyResult<String> {
        let (seat, what) = self.asked(seat)?;
        json(&bots::ask(&self.table, seat, what))
    }

    /// The position as `seat` may see it, as JSON.
    fn view_json(&self, seat: i64) -> PyResult<String> {
        json(&self.table.game().view(self.spec.seat(seat)?))
    }

    /// The events so far, as JSON: those that `seat` may see, or all.
    #[pyo3(signature = (seat=None))]
    fn events_json(&self, seat: Option<i64>) -> PyResult<String> {
        let events = self.table.events();
        match seat {
            None => json(events),
            Some(seat) => {
                let seat = self.spec.seat(seat)?;
                json(&events.iter().map(|event| event.seen_by(seat)).collect::<Vec<_>>())
            }
        }
    }

    /// What action number `action` is when `seat` does it now, as JSON, with the words due with it.
    fn decode(&self, seat: i64, action: i64) -> PyResult<String> {
        let seat = self.spec.seat(seat)?;
        let actions = &self.spec.encoding.actions;
        let last = actions.len() - 1;
        let number = usize::try_from(action).ok().filter(|number| *number <= last);
        let step = number
            .ok_or(IllegalAction::Number { action, last })
            .and_then(|number| actions.decode(&self.table, seat, number));
        let verb = match step.map_err(|error| illegal(&error, error.to_string()))? {
            ActionStep::Answer(verb) => verb,
            // The cards so far, as the beginning of a play.
            ActionStep::Begin(BegunPlay { stand_in: Some(card), .. }) => Verb::Play { card, choose: None },
            ActionStep::Begin(BegunPlay { cards, open, .. }) => {
                Verb::PlayTogether { cards, choose: None, close: !open }
            }
        };
        json(&Action { say: self.table.words_due(seat, &verb), verb })
    }

    /// The number of an action given as JSON, if it has one.
    fn encode(&self, seat: i64, action: &str) -> PyResult<Option<usize>> {
        let seat = self.spec.seat(seat)?;
        let action: Action = read(action)?;
        Ok(self.spec.encoding.actions.encode_next(self.table.begun(seat), seat, &action.verb))
    }

    /// The answer of `seat`: an action by its number, with the words due.
    #[pyo3(signature = (seat, action, charges=false))]
    fn step(&mut self, seat: i64, action: i64, charges: bool) -> PyResult<()> {
        let (seat, what) = self.asked(seat)?;
        let step = self.table.step_of(&self.spec.encoding.actions, (seat, what), action, charges);
        self.table.take_step(seat, step.map_err(|error| illegal(&error, error.to_string()))?);
        Ok(())
    }

    /// The answer of `seat`: any action as JSON, judged as at the table.
    fn act(&mut self, seat: i64, action: &str) -> PyResult<()> {
        let (seat, what) = self.asked(seat)?;
        let Action { verb, say } = read(action)?;
        if verb == Verb::Wait && what != What::React {
            return Err(PyValueError::new_err("\"wait\" is no answer to an ask that demands a move"));
        }
        self.table.answer(seat, verb, say);
        Ok(())
    }

    /// The number of what a built-in bot does at `seat`.
    fn bot_action(&self, bot: &str, seat: i64) -> PyResult<usize> {
        let (kind, (seat, what)) = (bots::Kind::of(bot)?, self.asked(seat)?);
        let action = kind.player(&self.spec.rules, &self.seed, seat).choose(&self.table, seat, what);
        let number = self.spec.encoding.actions.encode_next(self.table.begun(seat), seat, &action.verb);
        number.ok_or_else(|| PyValueError::new_err(format!("the bot's action {:?} has no number", action.verb.name())))
    }

    /// The answer of a built-in bot at its seat; returns its number, if it has one.
    fn act_by(&mut self, mut player: PyRefMut<'_, bots::Player>) -> PyResult<Option<usize>> {
        let (seat, what) = self.asked(player.seat.index() as i64)?;
        let Action { verb, say } = player.bot.choose(&self.table, seat, what);
        let number = self.spec.encoding.actions.encode(seat, &verb);
        self.table.answer(seat, verb, say);
        Ok(number)
    }

    /// The result as things stand, as JSON.
    fn result_json(&self) -> PyResult<String> {
        json(&self.table.result())
    }

    /// Points of each seat so far.
    #[getter]
    fn points(&self) -> Vec<i32> {
        self.table.game().points().to_vec()
    }

    /// Plays this game to its end with built-in bots and returns what it was worth to each seat; the game itself stays.
    fn playout(&self, py: Python<'_>, bot: &str, seed: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
        let seed = seed_of(seed)?;
        let (kind, rules) = (bots::Kind::of(bot)?, &self.spec.rules);
        let mut players: Vec<_> = Seat::all(rules.seats()).map(|seat| kind.player(rules, &seed, seat)).collect();
        let mut table = self.table.clone();
        py.detach(|| {
            let mut signals = Signals::new();
            for _ in 0..MOST_ANSWERS {
                signals.check()?;
                let Some(seat) = table.next_asked() else { return Ok(table.worth()) };
                let what = table.asked_for(seat).unwrap_or(What::Turn);
                let Action { verb, say } = players[seat.index()].choose(&table, seat, what);
                table.answer(seat, verb, say);
            }
            Err(PyValueError::new_err(format!("the game is not over after {MOST_ANSWERS} answers")))
        })
    }

    /// What the game was worth to each seat, from -1 to 1, if it ended now.
    fn worth(&self) -> Vec<f32> {
        self.table.worth()
    }

    /// A picture of the table as SVG, from the eyes of `seat` or with all hands open.
    #[pyo3(signature = (names, seat=None))]
    fn svg(&self, names: Vec<String>, seat: Option<i64>) -> PyResult<String> {
        let eyes = seat.map(|seat| self.spec.seat(seat)).transpose()?;
        let game = self.table.game();
        Ok(picture(StoryPosition::new(game, eyes), eyes, &names, game.rules().set().deck.faces))
    }

    /// The record of the finished game as the referee writes it: one JSON line for each entry.
    fn record(&self, names: Vec<String>, id: &str) -> PyResult<String> {
        if !self.table.is_over() {
            return Err(PyValueError::new_err("the game is not over, so it has no record yet"));
        }
        if names.len() != self.spec.rules.seats() {
            let (seats, found) = (self.spec.rules.seats(), names.len());
            return Err(PyValueError::new_err(format!("names: expected {seats}, one for each seat, found {found}")));
        }
        if self.origin != Origin::Dealt {
            return Err(PyValueError::new_err("this game began in the midst of another, so it has no record"));
        }
        let judged = judged(&self.spec.rules, &self.seed, id, &names, self.table.answers());
        let log = judged.map_err(|error| PyValueError::new_err(error.to_string()))?.log();
        let log = log.ok_or_else(|| PyValueError::new_err("the referee does not agree that the game is over"))?;
        let (record, _) = log.to_record().map_err(|error| PyValueError::new_err(error.to_string()))?;
        String::from_utf8(record).map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

fn name_of(what: What) -> &'static str {
    match what {
        What::Turn => "turn",
        What::React => "react",
        What::Choose => "choose",
        What::Deal => "deal",
    }
}

fn read(action: &str) -> PyResult<Action> {
    serde_json::from_str(action).map_err(|error| PyValueError::new_err(format!("action: {error}")))
}
