//! Tells a game while its log grows: replays each input and returns the lines that tell it. It keeps a game of its own
//! for that; it neither judges nor prints.

use std::sync::Arc;
use std::time::Duration;

use maumau_engine::Game;
use maumau_protocol::fault::{CountedFault, FreeFault};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Card, Elapse, Event, EventNumber, RuleFault, Seat, SeatSet, Stand};

use super::diagnosis::CpuUse;
use super::line::{About, Level, Line, Piece, Tone};
use super::sentence::Context;
use super::{Eyes, Snapshot, StoryPosition, basis, diagnosis, may_show, sentence};
use crate::log::{Logged, Replay, ReplayError};
use crate::record::{Crash, Entry, Header, Meta, Missed, MoveCount, MoveNumber, Silence};

/// Tells the inputs of one game in order.
pub struct StoryWriter {
    replay: Replay,
    set: Arc<RuleSet>,
    eyes: Eyes,
    moves: MoveCount,
    /// The card that was played or turned up last.
    top: Option<Card>,
    /// True if the referee has just acted for a seat because of refusals, and not because of time.
    refusals: bool,
    /// A deadline that has just passed, and the processor time used meanwhile, until the seat it belongs to is known.
    silence: Option<(Duration, Option<CpuUse>, Option<Silence>)>,
    /// Seats that have sent a faulty line since they acted last, or whose silence since then has been reported.
    explained: SeatSet,
}

/// The lines for one input.
#[derive(Clone, Debug)]
pub struct InputLines {
    /// The move that it belongs to (SPEC 9.11); 0 for the deal.
    pub number: MoveNumber,
    /// What happened before the game went on: faults, notes, failures of an author's code.
    pub before: Vec<Line>,
    /// What happened in the game.
    pub after: Vec<Line>,
    /// The events that followed.
    pub events: Vec<(EventNumber, Event)>,
}

impl StoryWriter {
    /// Of a game that has not begun.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table.
    pub fn new(header: &Header, eyes: Eyes) -> Result<StoryWriter, ReplayError> {
        Ok(StoryWriter {
            replay: Replay::new(header)?,
            set: Arc::clone(&header.rules),
            eyes,
            moves: MoveCount::default(),
            top: None,
            refusals: false,
            silence: None,
            explained: SeatSet::EMPTY,
        })
    }

    /// Goes on from a later moment of the same game. A deadline that passed before it is not explained after it.
    pub(super) fn jump(&mut self, snapshot: &Snapshot) {
        self.replay = Replay::at(snapshot.game.clone(), snapshot.dismissed);
        self.moves = snapshot.moves;
        self.forget();
    }

    /// Takes inputs that nobody is told of; the number of the last move. What they leave unexplained stays so.
    ///
    /// # Errors
    /// As [`StoryWriter::take`].
    pub(super) fn skip(&mut self, inputs: &[Logged]) -> Result<MoveNumber, ReplayError> {
        for Logged { entry, .. } in inputs {
            self.moves.of(entry);
            self.replay.take(entry)?;
            self.replay.drain_events().for_each(drop);
        }
        self.forget();
        Ok(self.moves.last())
    }

    /// What later lines need to know of earlier ones, after a leap.
    fn forget(&mut self) {
        self.top = self.game().pile().last().copied();
        self.refusals = false;
        self.silence = None;
        self.explained = SeatSet::EMPTY;
    }

    /// What happens before the first input; nothing if it has been told.
    pub fn begin(&mut self) -> InputLines {
        self.told(MoveNumber(0), Vec::new())
    }

    /// Tells one input; `crashes` are those of [`crashes_of`].
    ///
    /// # Errors
    /// It names a seat that does not exist.
    pub fn take(&mut self, logged: &Logged, crashes: &[Crash]) -> Result<InputLines, ReplayError> {
        let Logged { entry, meta } = logged;
        let mut before: Vec<Line> = crashes.iter().filter(|crash| self.may_show(crash.seat)).map(crash_line).collect();
        before.extend(meta.missed.iter().filter(|missed| self.may_show(missed.seat)).map(missed_line));
        let number = self.moves.of(entry);
        self.refusals = false;
        self.listen(entry, meta);
        before.extend(self.entry_line(entry));
        if let (Entry::Fault(fault), Some(line)) = (entry, &meta.line)
            && self.may_show(fault.seat)
        {
            let sent = vec!["the agent sent ".into(), Piece::Foreign(Tone::Plain, line.to_string())];
            before.push(Line::new(Level::Detail, About::Sent, Some(fault.seat), sent));
        }
        self.replay.take(entry)?;
        Ok(self.told(number, before))
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        self.replay.game()
    }

    /// The table as it stands, as far as these eyes see it.
    pub fn position(&self) -> StoryPosition {
        StoryPosition::new(self.game(), self.eyes)
    }

    fn may_show(&self, seat: Seat) -> bool {
        may_show(self.eyes, seat)
    }

    fn told(&mut self, number: MoveNumber, before: Vec<Line>) -> InputLines {
        let events: Vec<_> = self.replay.drain_events().collect();
        let mut after = Vec::new();
        for (_, event) in &events {
            self.event_lines(event, &mut after);
        }
        InputLines { number, before, after, events }
    }

    /// Notes what a later line needs to know.
    fn listen(&mut self, entry: &Entry, meta: &Meta) {
        let passed = match entry {
            Entry::Act(act) => return self.explained.remove(act.seat),
            Entry::Fault(fault) => return self.explained.insert(fault.seat),
            Entry::Stand(stand) => stand.why == Stand::Slow,
            Entry::Elapse(elapse) => elapse.what == Elapse::TurnLimit,
            _ => return,
        };
        let of = |us: Option<u64>| Duration::from_micros(us.unwrap_or_default());
        let used = meta.cpu_us.map(|_| CpuUse { ran: of(meta.cpu_us), waited: of(meta.waited_us) });
        self.silence = meta.took_us.filter(|_| passed).map(|_| (of(meta.took_us), used, meta.silence));
    }

    fn event_lines(&mut self, event: &Event, lines: &mut Vec<Line>) {
        match event {
            Event::Played { card, .. } | Event::TurnedUp { card } => self.top = Some(*card),
            Event::ActedFor { why, .. } => self.refusals = *why == Stand::Refusals,
            _ => {}
        }
        let result = self.replay.result();
        let context =
            Context { decides: self.set.scoring.decides, refusals: self.refusals, winners: result.winners().collect() };
        let line = match self.eyes {
            Some(eyes) => sentence::line(&event.seen_by(eyes), context),
            None => sentence::line(event, context),
        };
        let seats = self.game().rules().seats();
        lines.extend(line.map(|line| Line { clauses: basis::clauses(&self.set, seats, self.top, event), ..line }));
        let silent = match event {
            Event::ActedFor { seat, .. } | Event::Mistake { seat, fault: RuleFault::Slow, .. } => *seat,
            _ => return,
        };
        if self.explained.contains(silent) || !self.may_show(silent) {
            return;
        }
        if let Some((passed, used, seen)) = self.silence.take() {
            self.explained.insert(silent);
            let why = Piece::Words(Tone::Fault, diagnosis::silence(passed, used, seen, None).into());
            let pieces = vec![silent.into(), ": ".into(), why];
            lines.push(Line::new(Level::Main, About::Silence, Some(silent), pieces));
        }
    }

    /// The line for an input that has one of its own, besides those of its events.
    fn entry_line(&self, entry: &Entry) -> Option<Line> {
        let line = |about, seat: Seat, between: Piece, what| {
            Line::new(Level::Main, about, Some(seat), vec![seat.into(), between, what])
        };
        let foreign = |text: String| Piece::Foreign(Tone::Fault, text);
        match entry {
            Entry::Fault(fault) if self.may_show(fault.seat) => {
                let what = format!("{} ({}), strike {}", fault.fault.name(), fault.message, fault.strikes);
                let told = line(About::Fault, fault.seat, ": ".into(), foreign(what));
                Some(Line { clauses: vec!["G-04".to_owned()], ..told })
            }
            Entry::Dismissed(gone) if self.may_show(gone.seat) => {
                let what = format!("is dismissed: {}", gone.message);
                let told = line(About::Fault, gone.seat, " ".into(), foreign(what));
                Some(Line { clauses: vec!["G-04".to_owned()], ..told })
            }
            Entry::Note(note) if self.may_show(note.seat) => {
                let what = Piece::Json(Tone::Aside, note.note.to_string());
                let notes = Piece::Words(Tone::Aside, " notes ".into());
                Some(line(About::Note, note.seat, notes, what))
            }
            Entry::Fault(_)
            | Entry::Dismissed(_)
            | Entry::Note(_)
            | Entry::Header(_)
            | Entry::Act(_)
            | Entry::Stand(_)
            | Entry::Elapse(_)
            | Entry::Event(_)
            | Entry::Result(_)
            | Entry::End(_) => None,
        }
    }
}

fn crash_line(crash: &Crash) -> Line {
    let what = format!("{} ({})", CountedFault::from(FreeFault::Crash), diagnosis::crash(&crash.crash));
    let pieces = vec![crash.seat.into(), ": ".into(), Piece::Foreign(Tone::Fault, what)];
    Line::new(Level::Main, About::Fault, Some(crash.seat), pieces)
}

fn missed_line(missed: &Missed) -> Line {
    let Missed { seat, took_us, void, .. } = *missed;
    let took = took_us.map_or(String::new(), |us| format!(" of {}", milliseconds(us)));
    let why = if void { "; it is void, the host was to blame" } else { "" };
    let pieces = vec![seat.into(), format!(" lets a deadline pass{took}{why}").into()];
    Line::new(Level::Main, About::Deadline, Some(seat), pieces)
}

/// Microseconds as milliseconds, in words: `1.50 ms`.
pub fn milliseconds(us: u64) -> String {
    format!("{}.{:02} ms", us / 1_000, us % 1_000 / 10)
}

/// By input, the failures of authors' code (SPEC 6.16) that are told with it: each with the action that was sent with it; or if
/// there was none, as with a `wait`, with the input whose `meta` reports it.
pub fn crashes_of(inputs: &[Logged]) -> Vec<Vec<Crash>> {
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
