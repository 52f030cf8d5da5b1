//! The frames of a page: what each shows to every reader, and what it changes on the table for each pair of eyes. A game is
//! replayed once for all of them.

use maumau_protocol::{Event, Faces, Knowledge, Seat};
use maumau_referee::record::{Crash, Header};
use maumau_referee::story::{
    Eyes, Frame, FrameKind, Framer, KnownEvent, Line, Piece, Snapshot, StoryPosition, Tone, choice_name, spectator,
};
use maumau_referee::{Logged, ReplayError};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::cards;
use crate::table::Scene;

/// Whose hands a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// All: the page shows the game with the referee's eyes and with each seat's.
    Open,
    /// None: it shows the game with the eyes of a spectator.
    Closed,
    /// Those of one seat: it shows the game with its eyes, and with those of a spectator.
    Own(Seat),
}

impl Hands {
    /// The eyes that a page of a game at a table of `seats` shows, first those that it opens with.
    ///
    /// # Errors
    /// The table is so large that it has no place for a spectator.
    pub(super) fn eyes(self, seats: usize) -> Result<Vec<Eyes>, ReplayError> {
        match self {
            Hands::Open => Ok([None].into_iter().chain(Seat::all(seats).map(Some)).collect()),
            Hands::Own(seat) => Ok([Some(seat)].into_iter().chain(spectator(seats).map(Some)).collect()),
            Hands::Closed => match spectator(seats) {
                Some(nobody) => Ok(vec![Some(nobody)]),
                None => Err(ReplayError(format!("a table of {seats} is shown with open hands only"))),
            },
        }
    }
}

/// What is the same for all eyes of a page that hides nothing from its reader.
#[derive(Debug, Default, Serialize)]
pub(super) struct CommonFrame {
    /// `move 12`, `after 12` or `deal`.
    kind: &'static str,
    number: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    took_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_us: Option<u64>,
    /// What a reader may jump to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    said: Vec<(Seat, String)>,
    /// Who played the top card in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<Seat>,
}

/// What one pair of eyes sees of a frame.
#[derive(Debug, Serialize)]
pub(super) struct SeenFrame {
    /// Absent if a seat reads what the referee reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lines: Option<Vec<Value>>,
    /// The members of the scene that differ from the one before.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) scene: Map<String, Value>,
}

/// One frame of a page.
#[derive(Debug, Serialize)]
pub(super) struct PageFrame {
    /// What all readers of an open page see.
    pub(super) frame: CommonFrame,
    /// What each pair of eyes sees, in the order of [`Hands::eyes`].
    pub(super) seen: Vec<SeenFrame>,
}

/// Cuts a game into the frames of a page while its log grows.
pub(super) struct PageFramer {
    names: Vec<String>,
    faces: Faces,
    framer: Framer,
    tables: Vec<ShownTable>,
}

/// The table of a game, as one pair of eyes sees it.
struct ShownTable {
    eyes: Eyes,
    /// After the last frame that has ended.
    before: Map<String, Value>,
    /// As it stands.
    now: Map<String, Value>,
}

impl PageFramer {
    /// Of a game that has not begun.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table, or it has no place for a spectator.
    pub(super) fn new(header: &Header, hands: Hands) -> Result<PageFramer, ReplayError> {
        let eyes = hands.eyes(header.names.len())?;
        let framer = Framer::new(header, &eyes)?;
        let table = |eyes| ShownTable { eyes, before: Map::new(), now: Map::new() };
        let tables = eyes.into_iter().map(table).collect();
        let mut frames = PageFramer { names: header.names.clone(), faces: header.rules.deck.faces, framer, tables };
        frames.look()?;
        Ok(frames)
    }

    /// How many pairs of eyes see the game.
    pub(super) fn eyes(&self) -> usize {
        self.tables.len()
    }

    /// Takes the next input, with its part of [`crashes_of`](maumau_referee::story::crashes_of); the frames that end with it.
    ///
    /// # Errors
    /// It names a seat that does not exist, or the table has no JSON form.
    pub(super) fn take(&mut self, logged: &Logged, crashes: &[Crash]) -> Result<Vec<PageFrame>, ReplayError> {
        let mut page_frames = Vec::new();
        for ended in self.framer.take(logged, crashes)? {
            for (table, frame) in self.tables.iter_mut().zip(&ended) {
                if let Some(position) = &frame.midway {
                    table.now = drawn((**position).clone(), table.eyes, &self.names, self.faces)?;
                }
            }
            page_frames.push(self.page_frame(&ended, false));
            for table in &mut self.tables {
                table.before = std::mem::take(&mut table.now);
            }
        }
        self.look()?;
        Ok(page_frames)
    }

    /// The frame to which the next input may still add; if `alone`, for readers who missed the one before it.
    pub(super) fn open_frame(&self, alone: bool) -> PageFrame {
        self.page_frame(&self.framer.open(), alone)
    }

    /// Takes inputs that are not shown. The frame in hand says so by the line that `gap` makes, and holds the whole table.
    ///
    /// # Errors
    /// As [`PageFramer::take`].
    pub(super) fn skip(&mut self, inputs: &[Logged], gap: impl Fn(u32) -> Line) -> Result<(), ReplayError> {
        self.framer.skip(inputs, gap)?;
        self.leap()
    }

    /// The same with inputs that are not there: goes on from a later moment.
    ///
    /// # Errors
    /// The table has no JSON form.
    pub(super) fn jump(&mut self, snapshot: &Snapshot, gap: impl Fn(u32) -> Line) -> Result<(), ReplayError> {
        self.framer.jump(snapshot, gap);
        self.leap()
    }

    fn leap(&mut self) -> Result<(), ReplayError> {
        for table in &mut self.tables {
            table.before = Map::new();
        }
        self.look()
    }

    /// Draws each table as it stands.
    fn look(&mut self) -> Result<(), ReplayError> {
        for table in &mut self.tables {
            let position = StoryPosition::new(self.framer.game(), table.eyes);
            table.now = drawn(position, table.eyes, &self.names, self.faces)?;
        }
        Ok(())
    }

    fn page_frame(&self, frames: &[Frame], alone: bool) -> PageFrame {
        let nothing = Map::new();
        let seen = self.tables.iter().zip(frames).enumerate().map(|(place, (table, frame))| {
            let open = frames.first().filter(|_| place > 0);
            SeenFrame::new(frame, open, if alone { &nothing } else { &table.before }, &table.now)
        });
        PageFrame { frame: frames.first().map(CommonFrame::new).unwrap_or_default(), seen: seen.collect() }
    }
}

/// What a page draws of a position.
fn drawn(
    position: StoryPosition,
    eyes: Eyes,
    names: &[String],
    faces: Faces,
) -> Result<Map<String, Value>, ReplayError> {
    match serde_json::to_value(Scene::new(position, eyes, names, faces)) {
        Ok(Value::Object(drawn)) => Ok(drawn),
        _ => Err(ReplayError("the table has no JSON form".to_owned())),
    }
}

impl CommonFrame {
    fn new(frame: &Frame) -> CommonFrame {
        let (kind, number) = match frame.kind {
            FrameKind::Deal => ("deal", 0),
            FrameKind::Move(number) => ("move", number.0),
            FrameKind::After(number) => ("after", number.0),
        };
        let mut shown = CommonFrame {
            kind,
            number,
            seat: frame.seat,
            took_us: frame.took_us,
            cpu_us: frame.cpu_us,
            ..CommonFrame::default()
        };
        if frame.has_fault() {
            shown.marks.push("fault");
        }
        for event in &frame.events {
            match &event.event {
                KnownEvent::Everything(event) => mark(&mut shown, event),
                KnownEvent::Seen(event) => mark(&mut shown, event),
            }
        }
        shown.marks.dedup();
        shown
    }
}

/// Notes what a reader may jump to and what is drawn besides the table.
fn mark<K: Knowledge>(shown: &mut CommonFrame, event: &Event<K>) {
    match event {
        Event::Interjected { .. } => shown.marks.push("interjection"),
        Event::RoundOver { .. } | Event::MatchOver { .. } => shown.marks.push("round"),
        Event::Said { seat, text, .. } => shown.said.push((*seat, text.as_str().to_owned())),
        Event::Played { seat, .. } => shown.played = Some(*seat),
        _ => {}
    }
}

impl SeenFrame {
    /// What is seen of `frame`, which leads from one table to another; `open` is the same frame from the first pair of eyes.
    fn new(frame: &Frame, open: Option<&Frame>, before: &Map<String, Value>, now: &Map<String, Value>) -> SeenFrame {
        let same = open.is_some_and(|open| open.lines == frame.lines);
        let is_numbered =
            |line: &Line| frame.numbered.and_then(|at| frame.lines.get(at)).is_some_and(|own| std::ptr::eq(own, line));
        let lines = (!same).then(|| frame.lines.iter().map(|line| line_json(line, is_numbered(line))).collect());
        SeenFrame { lines, scene: difference(before, now) }
    }
}

/// The members that changed. In lists by seat, `null` stands for a hand that stayed.
fn difference(before: &Map<String, Value>, now: &Map<String, Value>) -> Map<String, Value> {
    let mut changed = Map::new();
    for (member, value) in now {
        let old = before.get(member);
        if old == Some(value) {
            continue;
        }
        let by_seat = matches!(member.as_str(), "hands" | "sealed");
        let value = match (old, value) {
            (Some(Value::Array(old)), Value::Array(new)) if by_seat && old.len() == new.len() => {
                let of_seat = |(old, new): (&Value, &Value)| if old == new { Value::Null } else { new.clone() };
                Value::Array(old.iter().zip(new).map(of_seat).collect())
            }
            _ => value.clone(),
        };
        changed.insert(member.clone(), value);
    }
    changed
}

/// A line as pages read it: its text in pieces, of which our own words and the numbers of seats stand alone.
pub fn line_json(line: &Line, is_numbered: bool) -> Value {
    let pieces: Vec<Value> = line.pieces.iter().map(|own| piece(own, line.faces)).collect();
    let mut json = json!({ "about": line.about, "level": line.level, "pieces": pieces });
    if !line.because.is_empty() {
        json["because"] = line.because.iter().map(|own| piece(own, line.faces)).collect();
    }
    if let (Some(counted), Some(seat)) = (line.counted, line.seat) {
        json["counted"] = json!([seat, counted[0], counted[1]]);
    }
    if !line.clauses.is_empty() {
        json["clauses"] = json!(line.clauses);
    }
    if is_numbered {
        json["numbered"] = json!(true);
    }
    json
}

/// A piece of a line as pages read it.
pub(super) fn piece(piece: &Piece, faces: Faces) -> Value {
    match piece {
        Piece::Words(Tone::Plain, words) => json!(words),
        Piece::Words(tone, words) => json!({ "words": words, "tone": tone_name(*tone) }),
        Piece::Name(seat) => json!(seat.index()),
        Piece::Card(card) => json!({ "card": cards::code(*card) }),
        Piece::Named(choice) => json!(choice_name(choice, faces)),
        Piece::Quoted(said) => json!({ "said": said }),
        Piece::Foreign(tone, words) | Piece::Json(tone, words) => json!({ "foreign": words, "tone": tone_name(*tone) }),
    }
}

fn tone_name(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "plain",
        Tone::Refused => "refused",
        Tone::Fault => "fault",
        Tone::Aside => "aside",
    }
}
