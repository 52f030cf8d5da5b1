//! Records from Python: checked, described frame by frame, and drawn. How a frame is described is the referee's story, how it is drawn the
//! picture of the pages.

use std::borrow::Cow;

use maumau_protocol::{Choice, Faces, Seat};
use maumau_referee::story::{Eyes, Frame, FrameKind, Scene, StoryPosition, for_each_position, frames, position_after};
use maumau_referee::{Decided, DecisionReader, GameLog, ReplayError, Verified};
use maumau_web::cards::Colours;
use maumau_web::table::{DrawingMeasures, Moment};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use serde_json::json;

/// Checks a record as `maumau verify` does; returns the digest of its game.
#[pyfunction]
pub(crate) fn verify(record: &[u8]) -> PyResult<String> {
    Ok(verified(record)?.digest.to_string())
}

fn verified(record: &[u8]) -> PyResult<Verified> {
    let verified = maumau_referee::verify(record);
    verified.map_err(|error| PyValueError::new_err(format!("line {}: {}", error.line, error.message)))
}

/// The decisions of a record, each as a JSON list of names and values: the columns of `maumau tournament export
/// --decisions-to` in their order, without those that say where in a tournament the game was played.
#[pyfunction]
pub(crate) fn decisions(record: &[u8]) -> PyResult<Vec<String>> {
    let log = verified(record)?.log;
    let GameLog { header, result, .. } = &log;
    let (mut rows, mut tick, mut before) = (Vec::new(), -1, None);
    let read = DecisionReader::default().read(&log, |decision, decided| {
        if before != Some(decision.as_of) {
            (before, tick) = (Some(decision.as_of), tick + 1);
        }
        let (view, pending, at) = (&decision.view, &decision.view.pending, decision.seat.index());
        let (action, refused) = match decided {
            Decided::Act(action, refused) => (Some(action), refused),
            Decided::Silence => (None, None),
        };
        let named = |choice: Choice| match choice {
            Choice::Suit(suit) => suit.to_string(),
            Choice::Rank(rank) => rank.to_string(),
            Choice::Seat(seat) => seat.to_string(),
        };
        let row = json!([
            ["game", header.game],
            ["rules", header.rules.name],
            ["round", view.round],
            ["tick", tick],
            ["seat", decision.seat],
            ["agent", header.names[at]],
            ["what", decision.what.name()],
            ["hand", view.hand],
            ["top", view.top],
            ["visible", view.visible],
            ["turn", view.turn],
            ["direction", view.direction],
            ["hands", view.hands],
            ["draw_pile", view.draw_pile],
            ["owed", pending.draw],
            ["skip", pending.skip],
            ["suit", pending.suit],
            ["request", pending.request.map(|request| named(request.names))],
            ["request_by", pending.request.map(|request| request.by)],
            ["again", pending.again],
            ["choose", pending.choose],
            ["skip_victim", pending.skip_victim],
            ["take_from", pending.take.map(|order| order.from)],
            ["drawn", pending.drawn],
            ["anything", u8::from(pending.anything)],
            ["closing", u8::from(pending.closing)],
            ["said_mau", view.mau_said],
            ["dealer", view.dealer],
            ["points_before", view.points],
            ["legal", decision.legal],
            ["action", action.map(|action| &action.verb)],
            ["said", action.map_or(&[][..], |action| action.say.texts())],
            ["refused", refused.map(|reason| reason.name())],
            ["took_us", decision.took_us],
            ["place", result.places[at]],
            ["points", result.points[at]],
            ["won", result.wins[at]],
        ]);
        rows.push(row.to_string());
    });
    replayed(read)?;
    Ok(rows)
}

/// A picture of the table, with the seat whose eyes these are at the bottom.
pub(crate) fn picture(position: StoryPosition, eyes: Eyes, names: &[String], faces: Faces) -> String {
    let scene = Scene::new(position, eyes, names, faces);
    let moment = Moment { scene: &scene, names, said: &[], bottom: eyes.unwrap_or(Seat::FIRST) };
    maumau_web::table::picture(moment, &DrawingMeasures::wide(scene.hands.len()), Colours::TWO)
}

/// A record in frames, from the eyes of one seat or of the referee.
#[pyclass(frozen, module = "maumau._native")]
pub(crate) struct Replay {
    record: Vec<u8>,
    log: GameLog,
    eyes: Eyes,
    frames: Vec<Frame>,
}

/// What a replay is made from.
type PackedReplay<'py> = (Bound<'py, PyType>, (Cow<'py, [u8]>, Option<usize>));

fn replayed<T>(result: Result<T, ReplayError>) -> PyResult<T> {
    result.map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl Replay {
    /// The record is checked first.
    #[new]
    #[pyo3(signature = (record, seat=None))]
    fn new(record: &[u8], seat: Option<i64>) -> PyResult<Replay> {
        let log = verified(record)?.log;
        let seats = log.header.names.len();
        let eyes = seat.map(|seat| {
            let found = usize::try_from(seat).ok().filter(|seat| *seat < seats).and_then(Seat::new);
            let last = seats - 1;
            found.ok_or_else(|| PyIndexError::new_err(format!("seat {seat} does not exist: seats are 0 to {last}")))
        });
        let eyes = eyes.transpose()?;
        Ok(Replay { record: record.to_vec(), frames: replayed(frames(&log, eyes))?, log, eyes })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PackedReplay<'py> {
        let this = slf.get();
        (slf.get_type(), (Cow::Owned(this.record.clone()), this.eyes.map(Seat::index)))
    }

    /// The frames, each as JSON: what kind it is, the number of its move, the seat and its action, its sentences, the
    /// events, and the table after it.
    fn frames_json(&self) -> PyResult<Vec<String>> {
        let names = &self.log.header.names;
        let mut shown = Vec::new();
        let done = for_each_position(&self.log, &self.frames, self.eyes, |frame, position| {
            let kind = match frame.kind {
                FrameKind::Deal => "deal",
                FrameKind::Move(_) => "move",
                FrameKind::After(_) => "after",
            };
            let frame = json!({
                "kind": kind,
                "move": frame.kind.number().0,
                "seat": frame.seat,
                "action": frame.action,
                "lines": frame.lines.iter().map(|line| line.text(names)).collect::<Vec<_>>(),
                "events": frame.events,
                "position": position,
            });
            shown.push(frame.to_string());
            Ok::<(), ReplayError>(())
        });
        replayed(done)?;
        Ok(shown)
    }

    /// A picture of the table after a frame, as SVG.
    fn svg(&self, frame: usize) -> PyResult<String> {
        let last = self.frames.len() - 1;
        let found = self.frames.get(frame);
        let missing = || PyIndexError::new_err(format!("frame {frame} does not exist: frames are 0 to {last}"));
        let position = replayed(position_after(&self.log, found.ok_or_else(missing)?, self.eyes))?;
        let header = &self.log.header;
        Ok(picture(position, self.eyes, &header.names, header.rules.deck.faces))
    }
}
