//! A story as JSON lines, `maumau-replay/1` (`arena/docs/replay.schema.json`): a head, then one object a frame. The
//! story decides which eyes see what; this module only names the members.

use anyhow::Result;
use maumau_engine::PlayGround;
use maumau_protocol::Seat;
use maumau_referee::GameLog;
use maumau_referee::story::{Frame, FrameKind, StoryPosition, for_each_position};
use serde_json::{Value, json};

/// The schema of each line.
pub const REPLAY_SCHEMA: &str = include_str!("../../docs/replay.schema.json");

/// Which optional members a frame has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Members {
    /// Times of answers, and deadlines that passed.
    pub times: bool,
    /// The table after each frame.
    pub positions: bool,
}

/// Passes the head and each frame of a game, in order, to `each`.
///
/// # Errors
/// Those of `each`, or the inputs of the log do not lead to its result.
pub fn story_json(
    log: &GameLog,
    frames: &[Frame],
    eyes: Option<Seat>,
    members: Members,
    mut each: impl FnMut(&Value) -> Result<()>,
) -> Result<()> {
    each(&json!({
        "schema": "maumau-replay/1",
        "game": log.header.game,
        "rules": log.header.rules.name,
        "names": log.header.names,
        "seat": eyes,
        "moves": log.inputs.iter().filter(|logged| logged.entry.is_move()).count(),
        "frames": frames.len(),
        "result": log.result,
    }))?;
    let mut number = 0;
    for_each_position(log, frames, eyes, |frame, position| {
        let json = frame_json(frame, number, &log.header.names, members, position);
        number += 1;
        each(&json)
    })
}

fn frame_json(frame: &Frame, number: usize, names: &[String], members: Members, position: StoryPosition) -> Value {
    let mut json = json!({
        "frame": number,
        "lines": frame.lines.iter().map(|line| {
            let mut json = json!({ "text": line.text(names), "about": line.about, "level": line.level });
            put(&mut json, "seat", line.seat);
            put(&mut json, "ground", line.ground.map(PlayGround::name));
            put(&mut json, "because", Some(line.because_text(names)).filter(|words| !words.is_empty()));
            put(&mut json, "clauses", Some(&line.clauses).filter(|clauses| !clauses.is_empty()));
            json
        }).collect::<Vec<_>>(),
        "events": frame.events,
    });
    match frame.kind {
        FrameKind::Deal => {}
        FrameKind::Move(number) => json["move"] = json!(number.0),
        FrameKind::After(number) => json["after"] = json!(number.0),
    }
    put(&mut json, "seat", frame.seat);
    put(&mut json, "action", frame.action.as_ref());
    put(&mut json, "as_of", frame.as_of);
    put(&mut json, "stand", frame.stand);
    put(&mut json, "elapse", frame.elapse);
    put(&mut json, "faults", some(&frame.faults));
    put(&mut json, "dismissed", some(&frame.dismissed));
    put(&mut json, "notes", some(&frame.notes));
    put(&mut json, "crashes", some(&frame.crashes));
    if members.times {
        put(&mut json, "took_us", frame.took_us);
        put(&mut json, "cpu_us", frame.cpu_us);
        put(&mut json, "missed", some(&frame.missed));
    }
    if members.positions {
        json["position"] = json!(position);
    }
    json
}

/// A list that is not empty.
fn some<T>(list: &[T]) -> Option<&[T]> {
    Some(list).filter(|list| !list.is_empty())
}

fn put(json: &mut Value, member: &str, value: Option<impl serde::Serialize>) {
    if let Some(value) = value {
        json[member] = json!(value);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_engine::Rules;
    use maumau_engine::rules::all_sets;
    use maumau_engine::rules::load_built_in;
    use maumau_referee::local_game::FirstLegal;
    use maumau_referee::record::{Crash, MoveCount};
    use maumau_referee::story::frames;

    use super::*;
    use crate::trial::game_with_a_fault;

    fn data(log: &GameLog, eyes: Option<usize>) -> Vec<Value> {
        let eyes = eyes.and_then(Seat::new);
        let frames = frames(log, eyes).expect("a sound log");
        let mut lines = Vec::new();
        let keep = |line: &Value| {
            lines.push(line.clone());
            Ok(())
        };
        story_json(log, &frames, eyes, Members { times: true, positions: true }, keep).expect("a sound log");
        lines
    }

    #[test]
    fn every_line_is_as_the_schema_says() {
        let schema: Value = serde_json::from_str(REPLAY_SCHEMA).expect("JSON");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let mut logs = vec![game_with_a_fault()];
        for set in all_sets() {
            let loaded = load_built_in(set.name, &[]).expect("a built-in set").set;
            let rules = Rules::for_table(&Arc::new(loaded), 3, Some(1)).expect("a table");
            logs.push(FirstLegal::new(Arc::new(rules), Vec::new()).play(2).expect("a game").0);
        }
        for log in &logs {
            for eyes in [None, Some(0), Some(1)] {
                for line in data(log, eyes) {
                    let wrong: Vec<String> = validator.iter_errors(&line).map(|error| error.to_string()).collect();
                    assert!(wrong.is_empty(), "{line}: {wrong:?}");
                }
            }
        }
        assert!(!validator.is_valid(&json!({ "frame": 1, "lines": [], "events": [], "text": [] })));
    }

    #[test]
    fn the_data_of_a_frame_hides_what_its_text_hides() {
        let log = game_with_a_fault();
        for eyes in [None, Some(0), Some(1)] {
            let lines = data(&log, eyes);
            assert_eq!(lines[0]["frames"], lines.len() - 1);
            for line in &lines[1..] {
                let mine = eyes.is_none_or(|eyes| line["seat"] == json!(eyes));
                assert_eq!(line["action"].is_object(), mine && line["move"].is_u64(), "{line}");
                assert_eq!(line["position"]["hands"][0].is_array(), eyes.is_none(), "a seat has its own view: {line}");
            }
            let faults = lines.iter().filter(|line| line["faults"].is_array()).count();
            assert_eq!(faults, usize::from(eyes != Some(0)));
        }
    }

    #[test]
    fn a_failure_of_an_authors_code_is_shown_at_its_action_and_without_one_where_it_became_known() {
        use maumau_protocol::EventNumber;
        use maumau_referee::record::Entry;

        let mut log = game_with_a_fault();
        let acts = log.inputs.iter().enumerate().filter_map(|(place, logged)| match &logged.entry {
            Entry::Act(act) if act.seat == Seat::new(1)? => Some((place, act.as_of)),
            _ => None,
        });
        let (at, as_of) = acts.clone().nth(2).expect("it moves often");
        let seat = Seat::new(1).expect("a seat");
        let mut crash = |place: usize, as_of, text: &str| {
            log.inputs[place].meta.crashes.push(Crash { seat, as_of, crash: text.into() });
        };
        // An answer of the same tick was taken up before; and a `wait` leaves no entry.
        crash(at - 1, as_of, "KeyError:\n'suit'");
        crash(at + 1, EventNumber(as_of.0 + 1), "");
        let crashes = |eyes: Option<usize>| -> Vec<(Value, Value)> {
            let with_crash = data(&log, eyes).into_iter().filter(|line| line["crashes"].is_array());
            with_crash.map(|line| (line["move"].clone(), line["lines"][0]["text"].clone())).collect()
        };
        let mut moves = MoveCount::default();
        let of_move: Vec<u32> = log.inputs.iter().map(|logged| moves.of(&logged.entry).0).collect();
        let shown = format!("{}: crash (its own code failed, and the kit answered in its place", log.header.names[1]);
        let expected = [(of_move[at], format!("{shown}: KeyError:\n'suit')")), (of_move[at + 1], format!("{shown})"))];
        let expected: Vec<_> = expected.into_iter().map(|(number, text)| (json!(number), json!(text))).collect();
        assert_eq!(crashes(None), expected);
        assert_eq!(crashes(Some(1)), expected);
        assert_eq!(crashes(Some(0)), []);
    }
}
