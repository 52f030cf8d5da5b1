//! A game cut into frames, for stepping forwards and backwards. It replays the log and holds what each move
//! changed; it draws nothing and writes no text of its own.

use std::ops::Range;

use maumau_engine::Game;
use maumau_protocol::{Action, Elapse, Event, EventNumber, Seat, SeenEvent, Stand};
use serde::Serialize;

use super::story_writer::{InputLines, InputStory, StoryPart, StoryWriter, crashes_of};
use super::{Eyes, Level, Line, Snapshot, StoryPosition, may_show};
use crate::log::{GameLog, Logged, Replay, ReplayError};
use crate::record::{Crash, DismissedEntry, Entry, FaultEntry, Header, Missed, MoveNumber, NoteEntry};

/// What a frame shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// What happens before the first move.
    Deal,
    /// A move, with the faults and notes that belong to it; or what follows the last move and belongs to the next one.
    Move(MoveNumber),
    /// What time causes after a move, what the next one settles first for other seats (N-106), or the deal of the next round; after
    /// the first deal, if that is 0.
    After(MoveNumber),
}

impl FrameKind {
    /// The move that it shows or follows; 0 for the deal.
    pub fn number(self) -> MoveNumber {
        match self {
            FrameKind::Deal => MoveNumber(0),
            FrameKind::Move(number) | FrameKind::After(number) => number,
        }
    }
}

/// One frame: what happens from the table before it to the table after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// What it shows.
    pub kind: FrameKind,
    /// The seat that moves, or that the referee acts for.
    pub seat: Option<Seat>,
    /// What the seat did, if these eyes may know it.
    pub action: Option<Action>,
    /// Why the referee acted for it.
    pub stand: Option<Stand>,
    /// The time that passed.
    pub elapse: Option<Elapse>,
    /// The last event that the seat had seen (G-03).
    pub as_of: Option<EventNumber>,
    /// The lines of the story.
    pub lines: Vec<Line>,
    /// The line of the move itself, which its number is written before.
    pub numbered: Option<usize>,
    /// The events, as far as these eyes see them.
    pub events: Vec<NumberedEvent>,
    /// Faults of conduct.
    pub faults: Vec<FaultEntry>,
    /// Dismissals.
    pub dismissed: Vec<DismissedEntry>,
    /// Notes of agents.
    pub notes: Vec<NoteEntry>,
    /// Failures of authors' code.
    pub crashes: Vec<Crash>,
    /// Deadlines that passed when nothing had to be done, and void ones.
    pub missed: Vec<Missed>,
    /// Microseconds from the ask to the answer or the deadline, if these eyes may know it.
    pub took_us: Option<u64>,
    /// Microseconds of processor time that the agent used meanwhile.
    pub cpu_us: Option<u64>,
    /// Its inputs, as indexes into the log.
    pub inputs: Range<usize>,
    /// The table at its end, if an input leads beyond it: to the next deal after the end of a round, or from what an action settles
    /// for other seats to the action itself. The next frame shows that.
    pub midway: Option<Box<StoryPosition>>,
}

/// An event as it may be seen, and its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NumberedEvent {
    /// Its number.
    pub n: EventNumber,
    /// What happened.
    #[serde(flatten)]
    pub event: KnownEvent,
}

/// An event as it may be seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum KnownEvent {
    /// In full.
    Everything(Event),
    /// As one seat sees it.
    Seen(SeenEvent),
}

impl Frame {
    fn new(kind: FrameKind, first: usize) -> Frame {
        Frame {
            kind,
            seat: None,
            action: None,
            stand: None,
            elapse: None,
            as_of: None,
            lines: Vec::new(),
            numbered: None,
            events: Vec::new(),
            faults: Vec::new(),
            dismissed: Vec::new(),
            notes: Vec::new(),
            crashes: Vec::new(),
            missed: Vec::new(),
            took_us: None,
            cpu_us: None,
            inputs: first..first,
            midway: None,
        }
    }

    /// True if some seat does something wrong in it.
    pub fn has_fault(&self) -> bool {
        self.lines.iter().any(Line::is_fault)
    }

    /// The same, when all its lines are there: headings have no number.
    fn ended(mut self) -> Frame {
        let first = self.numbered.take();
        self.numbered =
            first.and_then(|first| (first..self.lines.len()).find(|at| self.lines[*at].level != Level::Heading));
        self
    }

    /// True if it has shown its move, so that the next input may open another frame.
    fn is_complete(&self) -> bool {
        !matches!(self.kind, FrameKind::Move(_)) || self.seat.is_some()
    }

    fn add(&mut self, lines: impl IntoIterator<Item = Line>, events: &[(EventNumber, Event)], eyes: Eyes) {
        self.lines.extend(lines);
        self.events.extend(events.iter().map(|(n, event)| NumberedEvent {
            n: *n,
            event: match eyes {
                Some(eyes) => KnownEvent::Seen(event.seen_by(eyes)),
                None => KnownEvent::Everything(event.clone()),
            },
        }));
    }

    /// Keeps what these eyes may know of an input; its lines are added later.
    fn keep(&mut self, logged: &Logged, crashes: &[Crash], eyes: Eyes) {
        let Logged { entry, meta } = logged;
        let mine = |seat: Seat| may_show(eyes, seat);
        self.crashes.extend(crashes.iter().filter(|crash| mine(crash.seat)).cloned());
        self.missed.extend(meta.missed.iter().filter(|missed| mine(missed.seat)));
        let mover = match entry {
            Entry::Act(act) => {
                self.action = mine(act.seat).then(|| act.action.clone());
                self.as_of = mine(act.seat).then_some(act.as_of);
                act.seat
            }
            Entry::Stand(stand) => {
                self.stand = Some(stand.why);
                stand.seat
            }
            Entry::Fault(fault) => return self.faults.extend(mine(fault.seat).then(|| fault.clone())),
            Entry::Dismissed(gone) => return self.dismissed.extend(mine(gone.seat).then(|| gone.clone())),
            Entry::Note(note) => return self.notes.extend(mine(note.seat).then(|| note.clone())),
            Entry::Elapse(elapse) if matches!(self.kind, FrameKind::After(_)) => {
                self.elapse = Some(elapse.what);
                return;
            }
            _ => return,
        };
        self.seat = Some(mover);
        if mine(mover) {
            (self.took_us, self.cpu_us) = (meta.took_us, meta.cpu_us);
        }
    }
}

/// Cuts a game into frames while its log grows: into the same ones for all eyes, each with what its eyes may know.
pub struct Framer {
    writer: StoryWriter,
    /// Each pair of eyes with the frame to which the next input may still add.
    open: Vec<(Eyes, Frame)>,
    /// The inputs that it has taken.
    taken: usize,
}

impl Framer {
    /// Of a game that has not begun, for at least one pair of eyes.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table.
    pub fn new(header: &Header, eyes: &[Eyes]) -> Result<Framer, ReplayError> {
        let mut writer = StoryWriter::new(header, eyes)?;
        let InputStory { events, lines, .. } = writer.begin();
        let deal = |(eyes, lines): (&Eyes, InputLines)| {
            let mut frame = Frame::new(FrameKind::Deal, 0);
            frame.add(lines.deal, &events, *eyes);
            (*eyes, frame)
        };
        let open = eyes.iter().zip(lines).map(deal).collect();
        Ok(Framer { writer, open, taken: 0 })
    }

    /// Takes the next input, with its part of [`crashes_of`]. Returns the frames that end with it, mostly one or none, each as
    /// each pair of eyes sees it, in the order in which they were given.
    ///
    /// # Errors
    /// It names a seat that does not exist.
    pub fn take(&mut self, logged: &Logged, crashes: &[Crash]) -> Result<Vec<Vec<Frame>>, ReplayError> {
        let InputStory { number, events, mut lines, settled, ended: round } = self.writer.take(logged, crashes)?;
        let is_time = matches!(logged.entry, Entry::Elapse(_)) && !events.is_empty();
        let mut events = events.as_slice();
        let mut of_input = Vec::new();
        if let Some(settled) = settled {
            let last = MoveNumber(number.0 - 1);
            if self.open.iter().any(|(_, frame)| frame.kind.number() < number) {
                of_input.push(self.end(FrameKind::After(last)));
            } else {
                // Faults and notes have opened the move's frame: its number is that of the next one.
                self.open.iter_mut().for_each(|(_, frame)| frame.kind = FrameKind::After(last));
            }
            self.add_part(settled, &mut events, &mut lines, |lines| &mut lines.settled);
        }
        let mut ended = Vec::new();
        for ((eyes, frame), lines) in self.open.iter_mut().zip(&mut lines) {
            let next = if number > frame.kind.number() {
                Some(FrameKind::Move(number))
            } else if is_time && frame.is_complete() {
                Some(FrameKind::After(number))
            } else {
                None
            };
            let old = next.map(|kind| std::mem::replace(frame, Frame::new(kind, self.taken)));
            ended.extend(old.map(Frame::ended));
            frame.keep(logged, crashes, *eyes);
            frame.lines.append(&mut lines.before);
            if logged.entry.is_move() {
                frame.numbered = Some(frame.lines.len());
            }
            frame.inputs.end = self.taken + 1;
        }
        of_input.push(ended);
        self.taken += 1;
        if let Some(round) = round {
            self.add_part(round, &mut events, &mut lines, |lines| &mut lines.after);
            of_input.push(self.end(FrameKind::After(number)));
        }
        for ((eyes, frame), lines) in self.open.iter_mut().zip(lines) {
            frame.add(lines.after.into_iter().chain(lines.deal), events, *eyes);
        }
        of_input.retain(|frames| !frames.is_empty());
        Ok(of_input)
    }

    /// Ends the frame in hand and begins the next.
    fn end(&mut self, next: FrameKind) -> Vec<Frame> {
        let next = Frame::new(next, self.taken);
        self.open.iter_mut().map(|(_, frame)| std::mem::replace(frame, next.clone()).ended()).collect()
    }

    /// Adds the next part of an input to the frame in hand, with the lines in their `place`.
    fn add_part(
        &mut self,
        part: StoryPart,
        events: &mut &[(EventNumber, Event)],
        lines: &mut [InputLines],
        place: impl Fn(&mut InputLines) -> &mut Vec<Line>,
    ) {
        let (first, rest) = events.split_at(part.events);
        *events = rest;
        for (((eyes, frame), lines), table) in self.open.iter_mut().zip(lines).zip(part.tables) {
            frame.add(place(lines).drain(..), first, *eyes);
            frame.midway = Some(Box::new(table));
        }
    }

    /// Goes on from a later moment of the same game, without the inputs up to there. The frame in hand ends, and the next begins
    /// with a line that `gap` makes from the number of moves between.
    pub fn jump(&mut self, snapshot: &Snapshot, gap: impl Fn(u32) -> Line) {
        self.writer.jump(snapshot);
        self.leap(snapshot.moves.last(), gap);
    }

    /// The same, by taking `inputs` without writing of them.
    ///
    /// # Errors
    /// One of them names a seat that does not exist.
    pub fn skip(&mut self, inputs: &[Logged], gap: impl Fn(u32) -> Line) -> Result<(), ReplayError> {
        let last = self.writer.skip(inputs)?;
        self.taken += inputs.len();
        self.leap(last, gap);
        Ok(())
    }

    fn leap(&mut self, last: MoveNumber, gap: impl Fn(u32) -> Line) {
        for (_, frame) in &mut self.open {
            let line = gap(last.0.saturating_sub(frame.kind.number().0));
            *frame = Frame { lines: vec![line], ..Frame::new(FrameKind::After(last), self.taken) };
        }
    }

    /// The frame to which the next input may still add, as each pair of eyes sees it.
    pub fn open(&self) -> Vec<Frame> {
        self.open.iter().map(|(_, frame)| frame.clone().ended()).collect()
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        self.writer.game()
    }
}

/// The frames of a game in order, at least one.
///
/// # Errors
/// An input names a seat that does not exist, or the rules do not provide for the table.
pub fn frames(log: &GameLog, eyes: Eyes) -> Result<Vec<Frame>, ReplayError> {
    let mut framer = Framer::new(&log.header, &[eyes])?;
    let mut frames = Vec::new();
    for (logged, crashes) in log.inputs.iter().zip(crashes_of(&log.inputs)) {
        frames.extend(framer.take(logged, &crashes)?.into_iter().flatten());
    }
    frames.extend(framer.open());
    Ok(frames)
}

/// The table after a frame.
///
/// # Errors
/// As [`frames`].
pub fn position_after(log: &GameLog, frame: &Frame, eyes: Eyes) -> Result<StoryPosition, ReplayError> {
    if let Some(table) = &frame.midway {
        return Ok((**table).clone());
    }
    let mut replay = Replay::new(&log.header)?;
    for logged in &log.inputs[..frame.inputs.end] {
        replay.take(&logged.entry)?;
    }
    Ok(StoryPosition::new(replay.game(), eyes))
}

/// Hands each frame and the table after it to `each`, in order.
///
/// # Errors
/// As [`frames`], or of `each`.
pub fn for_each_position<E: From<ReplayError>>(
    log: &GameLog,
    frames: &[Frame],
    eyes: Eyes,
    mut each: impl FnMut(&Frame, StoryPosition) -> Result<(), E>,
) -> Result<(), E> {
    let mut replay = Replay::new(&log.header)?;
    for frame in frames {
        for logged in &log.inputs[frame.inputs.clone()] {
            replay.take(&logged.entry)?;
        }
        let table = frame.midway.as_ref().map(|table| (**table).clone());
        each(frame, table.unwrap_or_else(|| StoryPosition::new(replay.game(), eyes)))?;
    }
    Ok(())
}
