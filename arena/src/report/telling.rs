//! A game as text, move by move, also while it is played.

use std::time::Duration;

use maumau_protocol::{Elapse, Event, RuleFault, Seat, SeatSet, Stand};
use maumau_referee::record::{Crash, Entry, EventEntry, Header, Meta, Missed, MoveCount};
use maumau_referee::{Logged, Replay, ReplayError};

use super::{Narrator, paint};
use crate::agent::diagnosis;
use crate::io::untrusted::Untrusted;

/// What stands where no number of a move does.
pub(super) const NO_NUMBER: &str = "     ";

/// By input, the failures of authors' code (SPEC 6.16) that are told with it: each with the action that was sent with it, or
/// where there was none, as beside a `wait`, with the input whose `meta` tells of it.
pub(super) fn crashes_of(inputs: &[Logged]) -> Vec<Vec<Crash>> {
    let mut of_input = vec![Vec::new(); inputs.len()];
    for (at, logged) in inputs.iter().enumerate() {
        for crash in &logged.meta.crashes {
            let next = inputs[at..].iter().position(
                |logged| matches!(&logged.entry, Entry::Act(act) if act.seat == crash.seat && act.as_of >= crash.as_of),
            );
            let is_its_own =
                |place: &usize| matches!(&inputs[*place].entry, Entry::Act(act) if act.as_of == crash.as_of);
            let place = next.map(|after| at + after).filter(is_its_own).unwrap_or(at);
            of_input[place].push(crash.clone());
        }
    }
    of_input
}

/// Tells the entries of a game, each move with its number (SPEC 9.11).
pub(crate) struct MoveTeller {
    narrator: Narrator,
    times: bool,
    moves: MoveCount,
    /// What is to stand before and behind the next line that is told.
    due: Option<(String, String)>,
    /// A deadline that has just passed, until it is told whose.
    silence: Option<Duration>,
    /// The processor time that was used meanwhile.
    used: Option<Duration>,
    /// Seats that have sent a faulty line since they acted last, or whose silence since then has been told.
    explained: SeatSet,
    has_begun: bool,
}

impl MoveTeller {
    /// `eyes` as in [`Narrator::new`]; `times`: whether the time that each move took is told, and deadlines that passed without
    /// one.
    pub(crate) fn new(header: &Header, eyes: Option<Seat>, times: bool) -> MoveTeller {
        let narrator = Narrator::new(header, eyes);
        MoveTeller {
            narrator,
            times,
            moves: MoveCount::default(),
            due: None,
            silence: None,
            used: None,
            explained: SeatSet::EMPTY,
            has_begun: false,
        }
    }

    /// The lines of the next entry of the full record, with their line breaks; the crashes in `meta` are those of
    /// [`crashes_of`].
    pub(crate) fn entry(&mut self, entry: &Entry, meta: &Meta) -> String {
        let mut text = String::new();
        for crash in meta.crashes.iter().filter(|crash| self.narrator.may_tell(crash.seat)) {
            text += &format!("{NO_NUMBER}{}\n", self.narrator.crash(crash));
        }
        if self.times {
            meta.missed
                .iter()
                .filter(|missed| self.narrator.may_tell(missed.seat))
                .for_each(|missed| text += &self.missed(missed));
        }
        let number = self.moves.of(entry);
        if entry.is_move() {
            let took = self.took(entry, meta).map_or(String::new(), |took| paint::aside(&format!("  [{took}]")));
            self.due = Some((paint::aside(&format!("{number:>5}")), took));
        }
        let silent = self.silent(entry, meta);
        let Some(line) = self.narrator.entry(entry) else { return text };
        if !line.starts_with(' ') {
            if self.has_begun {
                text.push('\n');
            }
            text += &format!("{}\n", paint::heading(&anstream::adapter::strip_str(&line).to_string()));
        } else {
            let (number, took) = self.due.take().unwrap_or_else(|| (NO_NUMBER.to_owned(), String::new()));
            text += &format!("{number}{line}{took}\n");
        }
        if let Some(line) = &meta.line {
            text += &format!("{NO_NUMBER}    the agent sent {}\n", Untrusted::new(&**line).terminal());
        }
        if let Some(seat) = silent {
            let passed = self.silence.take().unwrap_or_default();
            text += &self.aside(seat, &diagnosis::silence(passed, self.used));
        }
        self.has_begun = true;
        text
    }

    /// A seat of which it is to be told with `entry` why it may have been silent.
    fn silent(&mut self, entry: &Entry, meta: &Meta) -> Option<Seat> {
        let seat = match entry {
            Entry::Event(event) => match event.event {
                Event::ActedFor { seat, .. } | Event::Mistake { seat, fault: RuleFault::Slow, .. } => seat,
                _ => return None,
            },
            Entry::Act(act) => {
                self.explained.remove(act.seat);
                return None;
            }
            Entry::Fault(fault) => {
                self.explained.insert(fault.seat);
                return None;
            }
            Entry::Stand(_) | Entry::Elapse(_) => {
                let passed = match entry {
                    Entry::Stand(stand) => stand.why == Stand::Slow,
                    Entry::Elapse(elapse) => elapse.what == Elapse::TurnLimit,
                    _ => false,
                };
                self.silence = meta.took_us.filter(|_| passed).map(Duration::from_micros);
                self.used = meta.cpu_us.map(Duration::from_micros);
                return None;
            }
            _ => return None,
        };
        let is_new = self.silence.is_some() && !self.explained.contains(seat) && self.narrator.may_tell(seat);
        if is_new {
            self.explained.insert(seat);
        }
        is_new.then_some(seat)
    }

    fn aside(&self, seat: Seat, what: &str) -> String {
        let what = paint::fault(&Untrusted::new(what).terminal());
        format!("{NO_NUMBER}  ! {}: {what}\n", self.narrator.name(seat))
    }

    fn took(&self, entry: &Entry, meta: &Meta) -> Option<String> {
        let seat = match entry {
            Entry::Act(act) => act.seat,
            Entry::Stand(stand) => stand.seat,
            _ => return None,
        };
        meta.took_us.filter(|_| self.times && self.narrator.may_tell(seat)).map(milliseconds)
    }

    fn missed(&self, missed: &Missed) -> String {
        let Missed { seat, took_us, void, .. } = *missed;
        let took = took_us.map_or(String::new(), |us| format!(" of {}", milliseconds(us)));
        let why = if void { "; it is void, the host was to blame" } else { "" };
        format!("{NO_NUMBER}  {} lets a deadline pass{took}{why}\n", self.narrator.name(seat))
    }
}

fn milliseconds(us: u64) -> String {
    format!("{}.{:02} ms", us / 1_000, us % 1_000 / 10)
}

/// Tells everything of a game, from its log as far as it goes.
pub(crate) struct Telling {
    teller: MoveTeller,
    replay: Replay,
    /// Entries of the log that have been told.
    told: usize,
}

impl Telling {
    /// Of a game that has not begun.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table.
    pub(crate) fn new(header: &Header) -> Result<Telling, ReplayError> {
        Ok(Telling { teller: MoveTeller::new(header, None, false), replay: Replay::new(header)?, told: 0 })
    }

    /// The lines of what `log` holds beyond what it held at the last call.
    ///
    /// # Errors
    /// The log does not fit its header.
    pub(crate) fn go_on(&mut self, log: &[Logged]) -> Result<String, ReplayError> {
        let mut text = self.events();
        let mut crashes = crashes_of(&log[self.told..]).into_iter();
        for logged in &log[self.told..] {
            let meta = Meta { crashes: crashes.next().unwrap_or_default(), ..logged.meta.clone() };
            text += &self.teller.entry(&logged.entry, &meta);
            self.replay.take(&logged.entry)?;
            text += &self.events();
        }
        self.told = log.len();
        Ok(text)
    }

    fn events(&mut self) -> String {
        let events: Vec<_> = self.replay.drain_events().collect();
        let none = Meta::default();
        events.into_iter().map(|(n, event)| self.teller.entry(&Entry::Event(EventEntry { n, event }), &none)).collect()
    }
}
