//! The data in the page of a game: each frame's sentences, and what it changes on the table, for each pair of eyes.
//!
//! The form belongs to the page that it is sent with (`viewer/story.js` reads it) and promises nothing to others; programs read
//! `maumau replay --format json`. Texts of others go in as they are: the page shows them as text.

use std::collections::BTreeMap;

use maumau_protocol::{Card, Event, Knowledge, Seat};
use maumau_referee::record::Header;
use maumau_referee::story::{
    Eyes, Frame, FrameKind, KnownEvent, Line, Piece, StoryPosition, Tone, for_each_position, frames, spectator,
};
use maumau_referee::{GameLog, ReplayError};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::cards;
use crate::table::{DrawingMeasures, Scene};

/// Whose hands a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// All: the page is told from the referee's eyes and from each seat's.
    Open,
    /// None: it is told from the eyes of a spectator.
    Closed,
}

impl Hands {
    /// The eyes from which a game at a table of `seats` is told, the first those that the page opens with.
    ///
    /// # Errors
    /// The table is so large that it has no place for a spectator.
    pub(super) fn eyes(self, seats: usize) -> Result<Vec<Eyes>, ReplayError> {
        match self {
            Hands::Open => Ok([None].into_iter().chain(Seat::all(seats).map(Some)).collect()),
            Hands::Closed => match spectator(seats) {
                Some(nobody) => Ok(vec![Some(nobody)]),
                None => Err(ReplayError(format!("a table of {seats} is shown with open hands only"))),
            },
        }
    }
}

/// A game as the viewer gets it.
#[derive(Debug, Serialize)]
pub struct Story {
    /// The name of the game.
    pub game: String,
    /// The title of its rules.
    pub rules: String,
    /// The agents by seat: text, never markup.
    pub names: Vec<String>,
    /// Places by seat, 1 for the first; empty if they are not known.
    pub places: Vec<u8>,
    stages: BTreeMap<&'static str, DrawingMeasures>,
    cards: BTreeMap<String, CardWords>,
    frames: Vec<CommonFrame>,
    /// What each pair of eyes sees: the referee's, then those of each seat; or only a spectator's.
    eyes: Vec<Vec<SeenFrame>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct CardWords {
    name: String,
    short: String,
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
    /// Absent if a seat is told what the referee is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<Value>>,
    /// The members of the scene that differ from the one before.
    #[serde(skip_serializing_if = "Map::is_empty")]
    scene: Map<String, Value>,
}

impl Story {
    /// The whole game with open hands.
    ///
    /// # Errors
    /// The log does not fit its header.
    pub fn new(log: &GameLog) -> Result<Story, ReplayError> {
        Story::with(log, Hands::Open)
    }

    /// The whole game.
    ///
    /// # Errors
    /// The log does not fit its header, or its table has no place for a spectator.
    pub fn with(log: &GameLog, hands: Hands) -> Result<Story, ReplayError> {
        let mut told: Option<Vec<Frame>> = None;
        let mut eyes = Vec::new();
        for whose in hands.eyes(log.header.names.len())? {
            let own = frames(log, whose)?;
            eyes.push(seen(log, &own, whose, told.as_deref())?);
            told.get_or_insert(own);
        }
        let frames = told.iter().flatten().map(shown).collect();
        Ok(Story { frames, eyes, places: log.result.places.clone(), ..Story::begun(&log.header, 0) })
    }

    /// A game of which nothing has been told yet, for `eyes` pairs of eyes.
    pub(super) fn begun(header: &Header, eyes: usize) -> Story {
        let seats = header.names.len();
        Story {
            game: header.game.0.to_string(),
            rules: header.rules.title.to_string(),
            names: header.names.clone(),
            places: Vec::new(),
            stages: BTreeMap::from([("wide", DrawingMeasures::wide(seats)), ("tall", DrawingMeasures::tall(seats))]),
            cards: card_words(),
            frames: Vec::new(),
            eyes: (0..eyes).map(|_| Vec::new()).collect(),
        }
    }

    /// True if it is told from the referee's eyes too.
    pub(super) fn is_open(&self) -> bool {
        self.eyes.len() > 1
    }

    /// The number of frames.
    #[expect(clippy::len_without_is_empty, reason = "a finished game begins with a deal")]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// As JSON that can stand between the tags of a `script` element.
    ///
    /// # Errors
    /// It has no JSON form.
    pub fn to_script_json(&self) -> serde_json::Result<String> {
        to_script_json(self)
    }
}

/// As JSON that can stand between the tags of a `script` element.
///
/// # Errors
/// It has no JSON form.
pub(crate) fn to_script_json(value: &impl Serialize) -> serde_json::Result<String> {
    // Nothing but a text holds these characters in JSON.
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"))
}

/// How cards are called, by the code of their symbol.
pub(crate) fn card_words() -> BTreeMap<String, CardWords> {
    (0..Card::KINDS)
        .filter_map(|index| Card::from_index(index as u8))
        .map(|card| (cards::code(card), CardWords { name: cards::name(card), short: card.pretty() }))
        .collect()
}

pub(super) fn shown(frame: &Frame) -> CommonFrame {
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

fn seen(log: &GameLog, own: &[Frame], eyes: Eyes, open: Option<&[Frame]>) -> Result<Vec<SeenFrame>, ReplayError> {
    let mut seen = Vec::with_capacity(own.len());
    let mut before = Map::new();
    for_each_position(log, own, eyes, |frame, position| {
        let now = members(position, eyes, &log.header.names)?;
        let open = open.and_then(|open| open.get(seen.len()));
        seen.push(SeenFrame::new(frame, open, &before, &now));
        before = now;
        Ok::<(), ReplayError>(())
    })?;
    Ok(seen)
}

/// The table as JSON.
pub(super) fn members(
    position: StoryPosition,
    eyes: Eyes,
    names: &[String],
) -> Result<Map<String, Value>, ReplayError> {
    match serde_json::to_value(Scene::new(position, eyes, names)) {
        Ok(Value::Object(now)) => Ok(now),
        _ => Err(ReplayError("the table has no JSON form".to_owned())),
    }
}

impl SeenFrame {
    /// What is seen of `frame`, which leads from one table to another; `open` is the same frame from the first pair of eyes.
    pub(super) fn new(
        frame: &Frame,
        open: Option<&Frame>,
        before: &Map<String, Value>,
        now: &Map<String, Value>,
    ) -> SeenFrame {
        let same = open.is_some_and(|open| open.lines == frame.lines);
        let is_numbered =
            |line: &Line| frame.numbered.and_then(|at| frame.lines.get(at)).is_some_and(|own| std::ptr::eq(own, line));
        let lines = (!same).then(|| frame.lines.iter().map(|line| told(line, is_numbered(line))).collect());
        SeenFrame { lines, scene: difference(before, now) }
    }
}

/// A line as pages read it: its text in pieces, of which our own words and the numbers of seats stand alone.
pub fn told(line: &Line, is_numbered: bool) -> Value {
    let pieces: Vec<Value> = line.pieces.iter().map(piece).collect();
    let mut told = json!({ "about": line.about, "level": line.level, "pieces": pieces });
    if !line.clauses.is_empty() {
        told["clauses"] = json!(line.clauses);
    }
    if is_numbered {
        told["numbered"] = json!(true);
    }
    told
}

fn piece(piece: &Piece) -> Value {
    match piece {
        Piece::Words(Tone::Plain, words) => json!(words),
        Piece::Words(tone, words) => json!({ "words": words, "tone": tone_name(*tone) }),
        Piece::Name(seat) => json!(seat.index()),
        Piece::Card(card) => json!({ "card": cards::code(*card) }),
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_engine::Rules;
    use maumau_engine::rules::{built_in, load_built_in};
    use maumau_referee::local_game::FirstLegal;

    use super::*;

    fn game(set: &str) -> GameLog {
        let loaded = load_built_in(set, &[]).expect("a built-in set").set;
        let rules = Rules::for_table(&Arc::new(loaded), 3, Some(1)).expect("a table");
        FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0
    }

    /// Adds up the differences, as the page does.
    fn scenes(seen: &[SeenFrame]) -> Vec<Value> {
        let mut scene = Map::new();
        let add = |seen: &SeenFrame| {
            for (member, value) in &seen.scene {
                match (scene.get_mut(member), value) {
                    (Some(Value::Array(old)), Value::Array(new)) if matches!(member.as_str(), "hands" | "sealed") => {
                        old.iter_mut()
                            .zip(new)
                            .filter(|(_, new)| !new.is_null())
                            .for_each(|(old, new)| old.clone_from(new));
                    }
                    _ => _ = scene.insert(member.clone(), value.clone()),
                }
            }
            Value::Object(scene.clone())
        };
        seen.iter().map(add).collect()
    }

    #[test]
    fn differences_add_up_to_every_scene_of_every_pair_of_eyes() {
        for set in built_in() {
            let log = game(set.name);
            let story = Story::new(&log).expect("a sound log");
            for (eyes, seen) in [None].into_iter().chain(Seat::all(3).map(Some)).zip(&story.eyes) {
                let mut expected = Vec::new();
                for_each_position(&log, &frames(&log, eyes).expect("a story"), eyes, |_, position| {
                    expected.push(serde_json::to_value(Scene::new(position, eyes, &story.names)).expect("JSON"));
                    Ok::<(), ReplayError>(())
                })
                .expect("a sound log");
                assert_eq!(scenes(seen), expected, "{}", set.name);
                assert_eq!(seen.len(), story.frames.len());
            }
        }
    }

    #[test]
    fn no_text_ends_the_script_that_it_stands_in() {
        let mut log = game("basic");
        log.header.names[0] = "</script><!--<script>".to_owned();
        let json = Story::new(&log).expect("a sound log").to_script_json().expect("JSON");
        assert!(!json.contains(['<', '>', '&']));
        let read: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(read["names"][0], "</script><!--<script>");
    }
}
