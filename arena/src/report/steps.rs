//! A recorded game move by move: what happened up to and with each move, as text and as data.

use std::ops::Range;

use anyhow::Result;
use maumau_engine::Game;
use maumau_protocol::{Event, Seat};
use maumau_referee::record::{Entry, EventEntry, Meta, MoveCount, MoveNumber};
use maumau_referee::{GameLog, Logged, Replay};
use serde_json::{Value, json};

use super::Narrator;
use super::telling::{MoveTeller, NO_NUMBER, crashes_of};

/// A game in steps: the deal, then a step for each move with the faults and notes that belong to it; what follows the last
/// move and belongs to none is a step as well.
pub(crate) struct Steps<'a> {
    log: &'a GameLog,
    eyes: Option<Seat>,
    times: bool,
    steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Its move, or the one that would come next; absent in the deal.
    pub(crate) number: Option<MoveNumber>,
    /// What is told of it, lines with their line breaks.
    pub(crate) text: String,
    /// Whether somebody does something wrong in it.
    pub(crate) has_fault: bool,
    inputs: Range<usize>,
}

impl<'a> Steps<'a> {
    /// The steps of a game from the referee's eyes, or those of one seat; `times` as in [`MoveTeller::new`].
    ///
    /// # Errors
    /// The log does not lead where it says.
    pub(crate) fn new(log: &'a GameLog, eyes: Option<Seat>, times: bool) -> Result<Steps<'a>> {
        let mut steps = Steps { log, eyes, times, steps: Vec::new() };
        let mut teller = MoveTeller::new(&log.header, eyes, times);
        let mut told = Vec::new();
        steps.walk(|number, inputs, entries| {
            let text: String = entries.iter().map(|(entry, meta)| teller.entry(entry, meta)).collect();
            let has_fault = entries.iter().any(|(entry, meta)| is_fault(entry, meta, eyes));
            told.push(Step { number, text, has_fault, inputs });
            Ok(())
        })?;
        steps.steps = told;
        Ok(steps)
    }

    /// The steps in order, at least one.
    pub(crate) fn all(&self) -> &[Step] {
        &self.steps
    }

    /// The table after step number `at`.
    ///
    /// # Errors
    /// The log does not lead where it says.
    pub(crate) fn position(&self, at: usize) -> Result<String> {
        let mut replay = Replay::new(&self.log.header)?;
        for logged in &self.log.inputs[..self.steps[at].inputs.end] {
            replay.take(&logged.entry)?;
        }
        Ok(Narrator::new(&self.log.header, self.eyes).position(replay.game()))
    }

    /// Each step as a JSON object, with the table after it where `positions` are wanted.
    ///
    /// # Errors
    /// As [`Steps::position`], or of `each`.
    pub(crate) fn data(&self, positions: bool, mut each: impl FnMut(&Value) -> Result<()>) -> Result<()> {
        let mut steps = self.steps.iter();
        let mut replay = Replay::new(&self.log.header)?;
        self.walk(|number, inputs, entries| {
            let text =
                steps.next().map(|step| anstream::adapter::strip_str(&step.text).to_string()).unwrap_or_default();
            let mut step = json!({
                "move": number.map(|number| number.0),
                "events": entries.iter().filter_map(|(entry, _)| self.event(entry)).collect::<Vec<_>>(),
                "text": text.lines().map(sentence).filter(|line| !line.is_empty()).collect::<Vec<_>>(),
            });
            let mine = |seat: Seat| self.eyes.is_none_or(|eyes| eyes == seat);
            for (entry, meta) in entries {
                for crash in meta.crashes.iter().filter(|crash| mine(crash.seat)) {
                    push(&mut step, "crashes", json!(crash));
                }
                match entry {
                    Entry::Act(act) => {
                        step["seat"] = json!(act.seat);
                        if mine(act.seat) {
                            step["action"] = json!(act.action);
                            self.add_times(&mut step, meta);
                        }
                    }
                    Entry::Stand(stand) => {
                        step["seat"] = json!(stand.seat);
                        step["stand"] = json!(stand.why);
                        if mine(stand.seat) {
                            self.add_times(&mut step, meta);
                        }
                    }
                    Entry::Fault(fault) if mine(fault.seat) => push(&mut step, "faults", json!(fault)),
                    Entry::Dismissed(gone) if mine(gone.seat) => push(&mut step, "dismissed", json!(gone)),
                    Entry::Note(note) if mine(note.seat) => push(&mut step, "notes", json!(note)),
                    _ => {}
                }
            }
            for logged in &self.log.inputs[inputs] {
                replay.take(&logged.entry)?;
            }
            if positions {
                step["position"] = self.table(replay.game());
            }
            each(&step)
        })
    }

    fn add_times(&self, step: &mut Value, meta: &Meta) {
        if self.times {
            step["took_us"] = json!(meta.took_us);
            step["cpu_us"] = json!(meta.cpu_us);
        }
    }

    /// An event as it may be seen.
    fn event(&self, entry: &Entry) -> Option<Value> {
        let Entry::Event(EventEntry { n, event }) = entry else { return None };
        let mut event = match self.eyes {
            Some(eyes) => json!(event.seen_by(eyes)),
            None => json!(event),
        };
        event["n"] = json!(n);
        Some(event)
    }

    /// The table as it may be seen: a seat's own view, or everything.
    fn table(&self, game: &Game) -> Value {
        if let Some(eyes) = self.eyes {
            return json!(game.view(eyes));
        }
        let hands = Seat::all(game.rules().seats()).map(|seat| game.hand(seat).cards().collect::<Vec<_>>());
        json!({
            "turn": game.turn(),
            "hands": hands.collect::<Vec<_>>(),
            "top": game.pile().last(),
            "draw_pile": game.draw_pile_len(),
        })
    }

    /// Hands each step to `each`: its number, its inputs, and all its entries.
    fn walk(
        &self,
        mut each: impl FnMut(Option<MoveNumber>, Range<usize>, &[(Entry, Meta)]) -> Result<()>,
    ) -> Result<()> {
        let mut replay = Replay::new(&self.log.header)?;
        let mut moves = MoveCount::default();
        let mut step = MoveNumber(0);
        let numbered = |step: MoveNumber| (step.0 > 0).then_some(step);
        let mut first = 0;
        let mut entries = events(&mut replay);
        let inputs = self.log.inputs.iter().zip(crashes_of(&self.log.inputs));
        for (place, (Logged { entry, meta }, crashes)) in inputs.enumerate() {
            let number = moves.of(entry);
            if number > step {
                each(numbered(step), first..place, &entries)?;
                (first, step) = (place, number);
                entries.clear();
            }
            entries.push((entry.clone(), Meta { crashes, ..meta.clone() }));
            replay.take(entry)?;
            entries.extend(events(&mut replay));
        }
        each(numbered(step), first..self.log.inputs.len(), &entries)
    }
}

fn events(replay: &mut Replay) -> Vec<(Entry, Meta)> {
    let events = replay.drain_events();
    events.map(|(n, event)| (Entry::Event(EventEntry { n, event }), Meta::default())).collect()
}

/// A line without the number before it.
fn sentence(line: &str) -> &str {
    let (number, rest) = line.split_at_checked(NO_NUMBER.len()).unwrap_or(("", line));
    let is_number = number.bytes().all(|byte| byte == b' ' || byte.is_ascii_digit());
    if is_number { rest.trim() } else { line.trim() }
}

fn push(step: &mut Value, member: &str, value: Value) {
    match step[member].as_array_mut() {
        Some(list) => list.push(value),
        None => step[member] = json!([value]),
    }
}

/// Whether something goes wrong: a fault of conduct or one by the rules, or a failure of an author's code.
fn is_fault(entry: &Entry, meta: &Meta, eyes: Option<Seat>) -> bool {
    let mine = |seat: Seat| eyes.is_none_or(|eyes| eyes == seat);
    if meta.crashes.iter().any(|crash| mine(crash.seat)) {
        return true;
    }
    match entry {
        Entry::Fault(fault) => mine(fault.seat),
        Entry::Dismissed(gone) => mine(gone.seat),
        Entry::Event(EventEntry { event, .. }) => {
            matches!(
                event,
                Event::Refused { .. } | Event::Penalty { .. } | Event::Mistake { .. } | Event::ActedFor { .. }
            )
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use maumau_protocol::EventNumber;
    use maumau_referee::record::Crash;

    use super::*;
    use crate::report::samples::game_with_a_fault;

    fn told(eyes: Option<usize>, times: bool) -> Vec<String> {
        let log = game_with_a_fault();
        let steps = Steps::new(&log, eyes.and_then(Seat::new), times).expect("a sound log");
        steps.all().iter().map(|step| anstream::adapter::strip_str(&step.text).to_string()).collect()
    }

    #[test]
    fn moves_are_numbered_as_they_stand_in_the_record_and_faults_precede_theirs() {
        let log = game_with_a_fault();
        let steps = Steps::new(&log, None, false).expect("a sound log");
        let moves = log.inputs.iter().filter(|logged| logged.entry.is_move()).count();
        let numbers: Vec<_> = steps.all().iter().map(|step| step.number.map_or(0, |number| number.0)).collect();
        assert_eq!(numbers, (0..=moves as u32).collect::<Vec<_>>());
        for (step, text) in told(None, false).iter().enumerate().skip(1) {
            let numbered: Vec<&str> = text
                .lines()
                .filter(|line| line.get(..5).is_some_and(|start| start.ends_with(|c: char| c.is_ascii_digit())))
                .collect();
            assert_eq!(numbered.len(), 1, "{text}");
            assert!(numbered[0].trim_start().starts_with(&format!("{step} ")), "{text}");
        }
        let fault = steps.all().iter().find(|step| step.has_fault).expect("a fault");
        assert!(fault.text.find("not_json") < fault.text.find("lays").or(fault.text.find("draws")), "{}", fault.text);
    }

    #[test]
    fn a_failure_of_an_authors_code_is_told_at_its_action_and_without_one_where_it_became_known() {
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
        // An answer of the same tick was taken up before; and a `wait` stands nowhere.
        crash(at - 1, as_of, "KeyError:\n'suit'");
        crash(at + 1, EventNumber(as_of.0 + 1), "");
        let numbers = |eyes: Option<usize>| {
            let steps = Steps::new(&log, eyes.and_then(Seat::new), false).expect("a sound log");
            let mut numbers = Vec::new();
            let crashes = |step: &Value| {
                numbers.extend(step["crashes"].as_array().map(|_| (step["move"].clone(), step["text"][0].clone())));
                Ok(())
            };
            steps.data(false, crashes).expect("a sound log");
            let with_fault = steps.all().iter().filter(|step| step.has_fault).count();
            (numbers, with_fault)
        };
        let mut moves = MoveCount::default();
        let of_move: Vec<u32> = log.inputs.iter().map(|logged| moves.of(&logged.entry).0).collect();
        let named = log.header.names[1].clone();
        let told = format!("! {named}: crash (its own code failed, and the kit answered in its place");
        let first = format!("{told}: KeyError:\\u{{a}}'suit')");
        let expected = [(of_move[at], first), (of_move[at + 1], format!("{told})"))];
        let expected: Vec<_> = expected.into_iter().map(|(number, text)| (json!(number), json!(text))).collect();
        assert_eq!(numbers(None).0, expected);
        assert_eq!(numbers(Some(1)).0, expected);
        assert_eq!(numbers(Some(0)).0, []);
        assert!(numbers(None).1 > numbers(Some(0)).1, "the next fault is looked for");
    }

    #[test]
    fn a_seat_is_told_neither_times_nor_faults_of_others() {
        let [all, zero, one] = [None, Some(0), Some(1)].map(|eyes| told(eyes, true).concat());
        for (text, knows) in [(&all, true), (&zero, false), (&one, true)] {
            assert_eq!(text.contains("not_json"), knows, "{text}");
            assert_eq!(text.contains("[1.50 ms]"), knows, "{text}");
        }
        assert!(!told(None, false).concat().contains(" ms]"));
    }

    #[test]
    fn the_data_of_a_step_hides_what_its_text_hides() {
        let log = game_with_a_fault();
        for eyes in [None, Some(0), Some(1)] {
            let steps = Steps::new(&log, eyes.and_then(Seat::new), true).expect("a sound log");
            let mut data = Vec::new();
            let keep = |step: &Value| {
                data.push(step.clone());
                Ok(())
            };
            steps.data(true, keep).expect("a sound log");
            assert_eq!(data.len(), steps.all().len());
            for (step, data) in steps.all().iter().zip(&data) {
                assert_eq!(data["move"], json!(step.number.map(|number| number.0)));
                let mine = eyes.is_none_or(|eyes| data["seat"] == json!(eyes));
                assert_eq!(data["action"].is_object(), mine && step.number.is_some(), "{data}");
            }
            let hands: Vec<bool> = data.iter().map(|step| step["position"]["hands"][0].is_array()).collect();
            assert!(hands.iter().all(|shown| *shown == eyes.is_none()), "a seat has the view of its own");
            let faults = data.iter().filter(|step| step["faults"].is_array()).count();
            assert_eq!(faults, usize::from(eyes != Some(0)));
        }
    }
}
