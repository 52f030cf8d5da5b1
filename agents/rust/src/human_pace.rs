//! Lets a bot act no faster than a person: the asks in which it can do something reach it late. It reads lines and hands them on;
//! what a bot does with them is its own.
//!
//! An ask waits for a time that is drawn for it. What comes meanwhile waits behind it, as the bot has not looked up yet; of several
//! asks of a game only the newest is answered, with the events of all.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use maumau_protocol::Verb;
use maumau_protocol::message::{ArenaMessage, Ask, Tell};
use maumau_protocol::wire::read_arena_line;
use maumau_sdk::Dice;

/// The time that a person takes, in milliseconds.
const FASTEST_MS: usize = 500;
const SLOWEST_MS: usize = 2_000;

/// What changes at the table just before a bot would act is taken in for so long.
const LAST_LOOK: Duration = Duration::from_millis(250);

/// Lines of an arena, as late as a person would take them up.
#[derive(Debug)]
pub(crate) struct HumanPace {
    lines: Receiver<io::Result<Vec<u8>>>,
    waiting: Waiting,
    /// What may be read now.
    ready: VecDeque<u8>,
}

impl HumanPace {
    /// Reads `input` on a thread of its own, to its end.
    pub(crate) fn of(input: impl BufRead + Send + 'static) -> HumanPace {
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in input.split(b'\n') {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        HumanPace { lines, waiting: Waiting::default(), ready: VecDeque::new() }
    }

    /// Waits until there is something to read; `false` at the end.
    fn wait(&mut self) -> io::Result<bool> {
        loop {
            let line = match self.waiting.until {
                None => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.lines.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match line {
                Ok(line) => self.waiting.add(line?, Instant::now()),
                Err(RecvTimeoutError::Timeout) => self.waiting.until = None,
                Err(RecvTimeoutError::Disconnected) if self.waiting.lines.is_empty() => return Ok(false),
                Err(RecvTimeoutError::Disconnected) => self.waiting.until = None,
            }
            if self.waiting.until.is_none() {
                self.ready.extend(self.waiting.release()?);
                return Ok(true);
            }
        }
    }
}

impl Read for HumanPace {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ready.is_empty() && !self.wait()? {
            return Ok(0);
        }
        self.ready.read(buffer)
    }
}

/// Lines that have come and are not handed on yet.
#[derive(Debug, Default)]
struct Waiting {
    lines: Vec<Line>,
    /// When all of them are; `None` for now.
    until: Option<Instant>,
    dice: Option<Dice>,
}

/// A line of the arena.
#[derive(Debug)]
enum Line {
    Ask(Box<Ask>, Vec<u8>),
    Other(Vec<u8>),
}

impl Waiting {
    /// Takes a line that came at `now`.
    fn add(&mut self, line: Vec<u8>, now: Instant) {
        let message = std::str::from_utf8(&line).ok().and_then(|text| read_arena_line(text).ok().flatten());
        match message {
            Some(ArenaMessage::Ask(ask)) => {
                if can_act(&ask) {
                    let drawn =
                        || now + Duration::from_millis((FASTEST_MS + self.dice.as_mut().map_or(0, draw)) as u64);
                    self.until = Some(self.until.map_or_else(drawn, |until| until.max(now + LAST_LOOK)));
                }
                self.lines.push(Line::Ask(ask, line));
            }
            other => {
                match other {
                    Some(ArenaMessage::Start(start)) => self.dice = Some(Dice::new(&start)),
                    // Nothing is left to think about.
                    Some(ArenaMessage::Over(_) | ArenaMessage::Bye(_)) => self.until = None,
                    _ => {}
                }
                self.lines.push(Line::Other(line));
            }
        }
    }

    /// All lines that wait. An ask that a newer one has replaced becomes a tell with its events.
    fn release(&mut self) -> io::Result<Vec<u8>> {
        let lines = std::mem::take(&mut self.lines);
        let newest = |at: usize, ask: &Ask| {
            let mut later = lines[at + 1..].iter();
            !later.any(|line| matches!(line, Line::Ask(other, _) if other.game == ask.game))
        };
        let mut out = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            match line {
                Line::Ask(ask, _) if !newest(at, ask) => {
                    if !ask.events.is_empty() {
                        let tell = Tell { game: ask.game.clone(), events: ask.events.clone() };
                        serde_json::to_writer(&mut out, &ArenaMessage::Tell(tell))?;
                        out.push(b'\n');
                    }
                }
                Line::Ask(_, bytes) | Line::Other(bytes) => {
                    out.extend_from_slice(bytes);
                    out.push(b'\n');
                }
            }
        }
        Ok(out)
    }
}

/// True if the bot has anything to decide.
fn can_act(ask: &Ask) -> bool {
    ask.legal.iter().any(|action| action.verb != Verb::Wait)
}

/// The shortest of six draws: people are mostly quick, and slow now and then.
fn draw(dice: &mut Dice) -> usize {
    (0..6).map(|_| dice.below(SLOWEST_MS - FASTEST_MS + 1)).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = r#"{"type":"start","game":"g","seat":0,"names":["a","b"],"rule_set":"x","rounds":1,"time":{"move_ms":5000,"bank_ms":0,"increment_ms":0,"start_ms":10000},"max_strikes":3,"commitment":"0","seed":"07"}"#;

    fn ask(id: u64, events: &str, legal: &str) -> String {
        format!(
            r#"{{"type":"ask","game":"g","id":"{id:016x}","seat":0,"what":"turn","time_ms":5000,"as_of":3,"events":{events},"legal":{legal}}}"#
        )
    }

    fn added(lines: &[(&str, u64)]) -> (Waiting, Instant) {
        let (mut waiting, began) = (Waiting::default(), Instant::now());
        lines.iter().for_each(|(line, ms)| waiting.add(line.as_bytes().to_vec(), began + Duration::from_millis(*ms)));
        (waiting, began)
    }

    fn released(waiting: &mut Waiting) -> Vec<String> {
        let bytes = waiting.release().expect("JSON");
        String::from_utf8(bytes).expect("UTF-8").lines().map(str::to_owned).collect()
    }

    #[test]
    fn an_ask_that_can_be_answered_waits_as_long_as_a_person_would() {
        let draw = ask(1, "[]", r#"[{"do":"draw"}]"#);
        let (waiting, began) = added(&[(START, 0), (&draw, 10)]);
        let waits = waiting.until.expect("a time") - began - Duration::from_millis(10);
        assert!((500..=2_000).contains(&waits.as_millis()), "{waits:?}");
        for line in [ask(1, "[]", "[]"), ask(1, "[]", r#"[{"do":"wait"}]"#), r#"{"type":"later"}"#.to_owned()] {
            let (mut waiting, _) = added(&[(START, 0), (&line, 10)]);
            assert_eq!(waiting.until, None, "{line}");
            assert_eq!(released(&mut waiting), [START, &line]);
        }
    }

    #[test]
    fn of_several_asks_of_a_game_the_newest_is_answered_with_all_that_happened() {
        let passed = r#"[{"event":"passed","seat":1}]"#;
        let first = ask(1, passed, r#"[{"do":"draw"}]"#);
        let second = ask(2, "[]", r#"[{"do":"draw"}]"#);
        let (mut waiting, began) = added(&[(START, 0), (&first, 10), (&second, 5_000)]);
        let until = waiting.until.expect("a time") - began;
        assert_eq!(until.as_millis(), 5_250, "what has just changed is looked at");
        let tell = format!(r#"{{"type":"tell","game":"g","events":{passed}}}"#);
        assert_eq!(released(&mut waiting), [START, &tell, &second]);
    }

    #[test]
    fn the_end_waits_for_nobody() {
        let draw = ask(1, "[]", r#"[{"do":"draw"}]"#);
        let (waiting, _) = added(&[(START, 0), (&draw, 10), (r#"{"type":"bye","reason":"done"}"#, 20)]);
        assert_eq!(waiting.until, None);
    }

    #[test]
    fn everything_is_read_to_the_end_of_the_input() {
        let input =
            format!("{START}\n{}\n{{\"type\":\"bye\",\"reason\":\"done\"}}\n", ask(1, "[]", r#"[{"do":"draw"}]"#));
        let mut read = String::new();
        HumanPace::of(io::Cursor::new(input.clone())).read_to_string(&mut read).expect("lines");
        assert_eq!(read, input);
    }
}
