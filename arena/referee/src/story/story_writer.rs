//! Writes the story of a game while its log grows. Each input is replayed once, in a game of its own; the lines that follow from it
//! are written for every pair of eyes.

use std::sync::Arc;
use std::time::Duration;

use maumau_engine::{Game, Phase};
use maumau_protocol::fault::{CountedFault, FreeFault};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Card, DrawReason, Elapse, Event, EventNumber, Reason, RuleFault, Seat, SeatSet, Stand, Text};

use super::diagnosis::CpuUse;
use super::line::{About, Level, Line, Piece, Tone};
use super::reasons::{BeforeInput, EventMoment};
use super::sentence::{Context, PriorDeed};
use super::{Eyes, Snapshot, StoryPosition, basis, diagnosis, may_show, sentence};
use crate::log::{Logged, Replay, ReplayError};
use crate::record::{AgentStderr, Crash, Entry, Header, Meta, Missed, MoveCount, MoveNumber, Silence};

/// Writes the story of one game, input by input, for one or several pairs of eyes.
pub struct StoryWriter {
    replay: Replay,
    set: Arc<RuleSet>,
    moves: MoveCount,
    /// The card that was played or turned up last.
    top: Option<Card>,
    /// True if the referee has just acted for a seat because of refusals, and not because of time.
    refusals: bool,
    /// The seat whose action was carried out last.
    last_actor: Option<Seat>,
    deed: PriorDeed,
    /// The accused and the mistake of the last call that was upheld.
    called: Option<(Seat, Text)>,
    readers: Vec<Reader>,
}

/// One pair of eyes, and what they have read so far.
struct Reader {
    eyes: Eyes,
    /// A deadline that has just passed, and the processor time used meanwhile, until the seat it belongs to is known.
    silence: Option<(Duration, Option<CpuUse>, Option<Silence>)>,
    /// Seats that have sent a faulty line since they acted last, or whose silence since then has been reported.
    explained: SeatSet,
}

/// The story of one input.
#[derive(Clone, Debug)]
pub struct InputStory {
    /// The move that it belongs to (SPEC 9.11); 0 for the deal.
    pub number: MoveNumber,
    /// The events that followed.
    pub events: Vec<(EventNumber, Event)>,
    /// Its lines for each pair of eyes, in the order in which the writer was given them.
    pub lines: Vec<InputLines>,
    /// What it settled first for other seats, if they owed a take (N-106).
    pub settled: Option<StoryPart>,
    /// What it came to until the round had ended, if the next one has begun.
    pub ended: Option<StoryPart>,
}

/// A part of what follows from an input, up to a moment that is shown before what comes next.
#[derive(Clone, Debug)]
pub struct StoryPart {
    /// How many events belong to it, after those of the part before it.
    pub events: usize,
    /// The table as it stood then, for each pair of eyes.
    pub tables: Vec<StoryPosition>,
}

/// The lines for one input that one pair of eyes may read.
#[derive(Clone, Debug, Default)]
pub struct InputLines {
    /// What it settled first for other seats.
    pub settled: Vec<Line>,
    /// What happened before the game went on: faults, notes, failures of an author's code.
    pub before: Vec<Line>,
    /// What happened in the game, to the end of the round if the next one has begun.
    pub after: Vec<Line>,
    /// The deal of the next round.
    pub deal: Vec<Line>,
}

impl InputLines {
    /// All of them, in order.
    pub fn all(self) -> impl Iterator<Item = Line> {
        self.settled.into_iter().chain(self.before).chain(self.after).chain(self.deal)
    }
}

impl StoryWriter {
    /// Of a game that has not begun.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table.
    pub fn new(header: &Header, eyes: &[Eyes]) -> Result<StoryWriter, ReplayError> {
        Ok(StoryWriter {
            replay: Replay::new(header)?,
            set: Arc::clone(&header.rules),
            moves: MoveCount::default(),
            top: None,
            refusals: false,
            last_actor: None,
            deed: PriorDeed::Other,
            called: None,
            readers: eyes.iter().map(|eyes| Reader::new(*eyes)).collect(),
        })
    }

    /// Goes on from a later moment of the same game. A deadline that passed before it is not explained after it.
    pub(super) fn jump(&mut self, snapshot: &Snapshot) {
        self.replay = Replay::at(snapshot.game.clone(), snapshot.dismissed);
        self.moves = snapshot.moves;
        self.forget();
    }

    /// Takes inputs without writing of them; the number of the last move. What they leave unexplained stays so.
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
        self.last_actor = None;
        self.deed = PriorDeed::Other;
        self.called = None;
        for reader in &mut self.readers {
            *reader = Reader::new(reader.eyes);
        }
    }

    /// What happens before the first input; nothing the second time.
    pub fn begin(&mut self) -> InputStory {
        let events: Vec<_> = self.replay.drain_events().collect();
        let mut lines = vec![InputLines::default(); self.readers.len()];
        self.go_on(&events, &mut lines, |lines| &mut lines.deal, &BeforeInput::default());
        InputStory { number: MoveNumber(0), events, lines, settled: None, ended: None }
    }

    /// Takes one input; `crashes` are those of [`crashes_of`].
    ///
    /// # Errors
    /// It names a seat that does not exist.
    pub fn take(&mut self, logged: &Logged, crashes: &[Crash]) -> Result<InputStory, ReplayError> {
        let number = self.moves.of(&logged.entry);
        self.refusals = false;
        let before = self.readers.iter_mut().map(|reader| reader.before(logged, crashes));
        let mut lines: Vec<_> = before.map(|before| InputLines { before, ..InputLines::default() }).collect();
        let known = BeforeInput::new(self.game(), &logged.entry);
        let settled = self.replay.settled_before(&logged.entry);
        self.replay.take_in_round(&logged.entry)?;
        let mut events: Vec<_> = self.replay.drain_events().collect();
        let settled = settled.and_then(|mut settled| {
            let first: Vec<_> = settled.drain_events().collect();
            // An action that is refused, or that is no turn action, settles nothing.
            (!first.is_empty() && events.starts_with(&first)).then(|| {
                self.go_on(&first, &mut lines, |lines| &mut lines.settled, &known);
                self.part(settled.game(), first.len())
            })
        });
        if settled.is_some() {
            // Nobody was faster than the referee.
            self.last_actor = None;
        }
        let rest = &events[settled.as_ref().map_or(0, |part| part.events)..];
        self.go_on(rest, &mut lines, |lines| &mut lines.after, &known);
        let ended = (self.game().phase() == Phase::BetweenRounds).then(|| self.part(self.game(), rest.len()));
        if ended.is_some() {
            self.replay.begin_round();
            let begun: Vec<_> = self.replay.drain_events().collect();
            self.go_on(&begun, &mut lines, |lines| &mut lines.deal, &BeforeInput::default());
            events.extend(begun);
        }
        let story = InputStory { number, events, lines, settled, ended };
        self.last_actor = match &logged.entry {
            Entry::Act(act) if was_late(&story.events) => self.last_actor.filter(|last| *last != act.seat),
            Entry::Act(act) => Some(act.seat),
            Entry::Stand(_) | Entry::Elapse(_) => None,
            _ => self.last_actor,
        };
        Ok(story)
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        self.replay.game()
    }

    /// A part of so many events, which led to `game`.
    fn part(&self, game: &Game, events: usize) -> StoryPart {
        let tables = self.readers.iter().map(|reader| StoryPosition::new(game, reader.eyes));
        StoryPart { events, tables: tables.collect() }
    }

    /// Writes the lines of `events`, which led to the game as it stands, into a place of `lines`.
    fn go_on(
        &mut self,
        events: &[(EventNumber, Event)],
        lines: &mut [InputLines],
        place: impl Fn(&mut InputLines) -> &mut Vec<Line>,
        known: &BeforeInput,
    ) {
        let game = self.replay.game();
        let (set, seats) = (Arc::clone(&self.set), game.rules().seats());
        let is_play = |(_, event): &(_, Event)| matches!(event, Event::Played { .. });
        let last = events.iter().rposition(is_play);
        let last_draw = events.iter().rposition(|(_, event)| matches!(event, Event::Drew { .. }));
        let mut played = 0;
        let is_over = events.iter().any(|(_, event)| matches!(event, Event::RoundOver { .. }));
        for (at, (_, event)) in events.iter().enumerate() {
            match event {
                Event::Played { card, .. } | Event::TurnedUp { card } => self.top = Some(*card),
                Event::RoundStarted { .. } => self.called = None,
                Event::ActedFor { why, .. } => self.refusals = *why == Stand::Refusals,
                _ => {}
            }
            let winners = self.replay.result().winners().collect();
            let faster = self.last_actor;
            let deed = self.deed;
            self.deed = deed.after(event);
            let context = Context {
                set: &set,
                refusals: self.refusals,
                winners,
                faster,
                deed,
                top: self.top,
                seats,
                wanted: None,
            };
            let clauses = basis::clauses(&self.set, seats, self.top, event);
            let (mut ground, mut because) = (None, Vec::new());
            if let (Some(play), Event::Played { seat, card, .. }) = (known.play(), event) {
                let after = (last == Some(at) && !is_over).then_some(game);
                (ground, because) = play.of_card(*seat, *card, played, after);
                played += 1;
            } else if let Event::Said { seat, text, .. } = event {
                because = known.of_word(*seat, text.as_str(), is_over, game);
            } else if !is_over || explains_itself_at_the_end(event) {
                let is_repeated = matches!(
                    event,
                    Event::Called { against, fault, .. } if self.called.as_ref() == Some(&(*against, fault.clone()))
                );
                let is_mistake = |(_, event): &(_, Event)| {
                    matches!(
                        event,
                        Event::Refused { .. } | Event::Penalty { .. } | Event::Mistake { .. } | Event::Called { .. }
                    )
                };
                let moment = EventMoment {
                    is_last_draw: last_draw == Some(at),
                    after_play: played > 0,
                    deed,
                    is_repeated,
                    is_punished: events[..at].iter().any(is_mistake),
                    is_acted_for: events[..at]
                        .iter()
                        .rev()
                        .take_while(|(_, event)| !matches!(event, Event::Drew { .. } | Event::Waived { .. }))
                        .any(|(_, event)| matches!(event, Event::ActedFor { .. })),
                    paid: events[..at]
                        .iter()
                        .filter(|(_, event)| matches!(event, Event::Drew { why: DrawReason::Owed, .. }))
                        .count() as u16,
                    is_waived: events[..at].iter().any(|(_, event)| matches!(event, Event::Waived { .. })),
                    is_followed: events[at + 1..].iter().any(|(_, event)| moves(event)),
                };
                because = known.of_event(event, moment, game);
            }
            if let Event::Called { against, fault, upheld: true, .. } = event {
                self.called = Some((*against, fault.clone()));
            }
            for (reader, lines) in self.readers.iter_mut().zip(&mut *lines) {
                let because = because.clone();
                let lines = place(lines);
                let context = Context { wanted: known.wanted().filter(|_| reader.may_know_mover(known)), ..context };
                lines.extend(reader.line(event, context).map(|line| Line {
                    clauses: clauses.clone(),
                    ground,
                    because,
                    ..line
                }));
                lines.extend(reader.silence_line(event));
            }
        }
    }
}

impl Reader {
    fn new(eyes: Eyes) -> Reader {
        Reader { eyes, silence: None, explained: SeatSet::EMPTY }
    }

    fn may_know(&self, seat: Seat) -> bool {
        may_show(self.eyes, seat)
    }

    /// Whether these eyes may know what the seat that moves wanted.
    fn may_know_mover(&self, known: &BeforeInput) -> bool {
        known.mover().is_some_and(|mover| self.may_know(mover))
    }

    /// The lines of an input itself; what later ones need to know of it is kept.
    fn before(&mut self, logged: &Logged, crashes: &[Crash]) -> Vec<Line> {
        let Logged { entry, meta } = logged;
        let mut lines: Vec<Line> = crashes.iter().filter(|crash| self.may_know(crash.seat)).map(crash_line).collect();
        lines.extend(meta.missed.iter().filter(|missed| self.may_know(missed.seat)).map(missed_line));
        lines.extend(meta.stderr.iter().filter(|said| self.may_know(said.seat)).flat_map(stderr_lines));
        self.listen(entry, meta);
        lines.extend(self.entry_line(entry));
        if let (Entry::Fault(fault), Some(line)) = (entry, &meta.line)
            && self.may_know(fault.seat)
        {
            let sent = vec!["the agent sent ".into(), Piece::Foreign(Tone::Plain, line.to_string())];
            lines.push(Line::new(Level::Detail, About::Sent, Some(fault.seat), sent));
        }
        lines
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

    /// The line for an event.
    fn line(&self, event: &Event, context: Context<'_>) -> Option<Line> {
        match self.eyes {
            Some(eyes) => sentence::line(&event.seen_by(eyes), context),
            None => sentence::line(event, context),
        }
    }

    /// Why a seat was silent, once, with the event that follows from its silence.
    fn silence_line(&mut self, event: &Event) -> Option<Line> {
        let silent = match event {
            // What is left of a deadline that another seat has missed explains no refusals.
            Event::ActedFor { seat, why: Stand::Slow } | Event::Mistake { seat, fault: RuleFault::Slow, .. } => *seat,
            _ => return None,
        };
        if self.explained.contains(silent) || !self.may_know(silent) {
            return None;
        }
        let (passed, used, seen) = self.silence.take()?;
        self.explained.insert(silent);
        let why = Piece::Words(Tone::Fault, diagnosis::silence(passed, used, seen, None).into());
        Some(Line::new(Level::Main, About::Silence, Some(silent), vec![silent.into(), ": ".into(), why]))
    }

    /// The line for an input that has one of its own, besides those of its events.
    fn entry_line(&self, entry: &Entry) -> Option<Line> {
        let line = |about, seat: Seat, between: Piece, what| {
            Line::new(Level::Main, about, Some(seat), vec![seat.into(), between, what])
        };
        let foreign = |text: String| Piece::Foreign(Tone::Fault, text);
        match entry {
            Entry::Fault(fault) if self.may_know(fault.seat) => {
                let what = format!("{} ({}), strike {}", fault.fault.name(), fault.message, fault.strikes);
                let line = line(About::Fault, fault.seat, ": ".into(), foreign(what));
                Some(Line { clauses: vec!["G-04".to_owned()], ..line })
            }
            Entry::Dismissed(gone) if self.may_know(gone.seat) => {
                let what = format!("is dismissed: {}", gone.message);
                let line = line(About::Fault, gone.seat, " ".into(), foreign(what));
                Some(Line { clauses: vec!["G-04".to_owned()], ..line })
            }
            Entry::Note(note) if self.may_know(note.seat) => {
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

/// Whether the reason of an event does not depend on how the game goes on, so that it is given in a round's last moments too.
fn explains_itself_at_the_end(event: &Event) -> bool {
    matches!(
        event,
        Event::Passed { .. }
            | Event::Reshuffled { .. }
            | Event::Waived { .. }
            | Event::RequestOver
            | Event::ActedFor { .. }
            | Event::Refused { .. }
            | Event::Called { .. }
            | Event::Challenged { .. }
            | Event::MatchOver { .. }
    )
}

/// Whether a seat moves by this event, so that what was to come before it has come.
fn moves(event: &Event) -> bool {
    matches!(event, Event::Played { .. } | Event::Passed { .. } | Event::Swapped { .. })
        || matches!(event, Event::Drew { why: DrawReason::Turn, .. })
}

/// Whether an action was refused because another came first (G-03).
fn was_late(events: &[(EventNumber, Event)]) -> bool {
    events.iter().any(|(_, event)| matches!(event, Event::Refused { reason: Reason::Interrupted, .. }))
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

/// How many lines of a stderr are shown with one move: half of them the first, half the last.
const STDERR_LINES: usize = 40;

/// What an agent wrote to stderr before a move, a line for each of its lines.
fn stderr_lines(AgentStderr { seat, text }: &AgentStderr) -> Vec<Line> {
    let written: Vec<&str> = text.lines().collect();
    let line = |what: String| {
        let pieces = vec![(*seat).into(), " on stderr: ".into(), Piece::Foreign(Tone::Aside, what)];
        Line::new(Level::Detail, About::Stderr, Some(*seat), pieces)
    };
    let left_out = written.len().saturating_sub(STDERR_LINES);
    let end = if left_out > 0 { STDERR_LINES / 2 } else { written.len() };
    let head = written[..end].iter().map(|text| line((*text).to_owned()));
    let gap = (left_out > 0).then(|| line(format!("[... {left_out} lines left out ...]")));
    let tail = written[end + left_out..].iter().map(|text| line((*text).to_owned()));
    head.chain(gap).chain(tail).collect()
}

/// Microseconds as milliseconds, in words: `1.50 ms`.
pub fn milliseconds(us: u64) -> String {
    format!("{}.{:02} ms", us / 1_000, us % 1_000 / 10)
}

/// By input, the failures of authors' code (SPEC 6.16) that are reported with it: each with the action that was sent with it; or if
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
