//! A recorded game to go through: where the reader is, whose eyes see it, and what each key does. The keys are those of the
//! page of a game (`arena/web/src/viewer`). Its lines and its tables come from the story alone.

mod draw;

use maumau_protocol::Seat;
use maumau_referee::story::{
    About, Commentary, DecisionComment, DecisionMark, Frame, FrameKind, Scene, for_each_position, frames, spectator,
};
use maumau_referee::{GameLog, ReplayError};

use crate::key::{Key, ScreenFlow};
use crate::look::ScreenStyle;
use crate::marks::Mark;

/// Milliseconds between two steps at the usual speed.
const STEP_MS: u64 = 900;

/// What is said where there is nothing to be shown of a judge.
const NOT_JUDGED: &str = "not judged: maumau analyse FILE --keep does that";

/// How fast the game plays by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speed {
    /// So many hundredths of the usual speed.
    Times(u64),
    /// As long as each answer really took.
    AsPlayed,
}

const SPEEDS: [Speed; 6] =
    [Speed::Times(50), Speed::Times(100), Speed::Times(200), Speed::Times(500), Speed::Times(2_000), Speed::AsPlayed];

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Action,
    Turn,
    Round,
}

/// A line that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Prompt {
    /// The text to look for.
    Search(String),
    /// The number of a move.
    Number(String),
}

/// A game and where its reader is.
pub struct Viewer<'a> {
    log: &'a GameLog,
    look: ScreenStyle,
    title: String,
    names: Vec<String>,
    /// The only eyes that may see the game, if it is shown as one seat saw it.
    only: Option<Seat>,
    /// What a judge says of it; nothing if nobody has judged it.
    said: Commentary,
    /// True while the timeline shows chances instead of hands.
    shows_chances: bool,
    /// The game as each pair of eyes sees it (the referee's, then each seat's); made when it is first looked at.
    viewed: Vec<Option<ViewedGame>>,
    eyes: Option<Seat>,
    bottom: usize,
    at: usize,
    /// The furthest frame that the reader has left, where nothing is shown of those that come after it.
    furthest: Option<usize>,
    unit: Unit,
    speed: usize,
    /// When the next step is due, while the game plays by itself.
    due_ms: Option<u64>,
    now_ms: u64,
    prompt: Option<Prompt>,
    sought: Option<String>,
    shows_help: bool,
    /// What the last key could not do.
    remark: Option<String>,
}

impl<'a> Viewer<'a> {
    /// At the deal. With `only`, the game is shown as that seat saw it, or a [`spectator`], and no other eyes can be chosen.
    ///
    /// # Errors
    /// The log does not fit its header.
    pub fn new(log: &'a GameLog, only: Option<Seat>, look: ScreenStyle) -> Result<Viewer<'a>, ReplayError> {
        let look = ScreenStyle { faces: log.header.rules.deck.faces, ..look };
        let names: Vec<String> = log.header.names.iter().map(|name| look.foreign(name)).collect();
        // Those of the referee, the seats and a spectator.
        let eyes = names.len() + 2;
        let mut viewer = Viewer {
            log,
            look,
            title: look.foreign(&log.header.rules.title),
            names,
            only,
            said: Commentary::default(),
            shows_chances: false,
            viewed: std::iter::repeat_with(|| None).take(eyes).collect(),
            eyes: only,
            bottom: only.map_or(0, Seat::index) % log.header.names.len(),
            at: 0,
            furthest: None,
            unit: Unit::Action,
            speed: 1,
            due_ms: None,
            now_ms: 0,
            prompt: None,
            sought: None,
            shows_help: false,
            remark: None,
        };
        viewer.see(only)?;
        Ok(viewer)
    }

    /// The same with what a judge says of it.
    pub fn commented(mut self, said: Option<Commentary>) -> Viewer<'a> {
        self.said = said.unwrap_or_default();
        self
    }

    /// The comment on the move of a frame, if these eyes may see it.
    fn comment(&self, at: usize) -> Option<&DecisionComment> {
        let kind = self.frame(at).kind;
        self.said.on(kind.number(), self.eyes).filter(|_| matches!(kind, FrameKind::Move(_)))
    }

    /// Chooses `eyes`, and makes their view of the game if it is their first.
    fn see(&mut self, eyes: Option<Seat>) -> Result<(), ReplayError> {
        let place = eyes.map_or(0, |seat| seat.index() + 1);
        if self.viewed[place].is_none() {
            self.viewed[place] = Some(ViewedGame::new(self.log, eyes, &self.names, self.look)?);
        }
        self.eyes = eyes;
        Ok(())
    }

    fn viewed(&self) -> &ViewedGame {
        let place = self.eyes.map_or(0, |seat| seat.index() + 1);
        self.viewed[place].as_ref().expect("eyes are only chosen once they have been made to see")
    }

    fn frame(&self, at: usize) -> &Frame {
        &self.viewed().frames[at]
    }

    fn last(&self) -> usize {
        self.viewed().frames.len() - 1
    }

    /// The same, playing by itself to those who do not know how it ends: the list and the timeline show nothing of what comes.
    pub fn as_it_comes(mut self) -> Viewer<'a> {
        self.furthest = Some(0);
        self.play_or_pause();
        self
    }

    /// True if a frame may be shown, if only in the list.
    fn may_show(&self, at: usize) -> bool {
        self.furthest.is_none_or(|furthest| at <= furthest.max(self.at))
    }

    /// True if the reader has come to the end.
    pub fn is_at_end(&self) -> bool {
        self.at == self.last()
    }

    /// The milliseconds until something changes by itself.
    pub fn due_in(&self) -> Option<u64> {
        self.due_ms.map(|due| due.saturating_sub(self.now_ms))
    }

    /// Time has passed: `now_ms` on any clock that is never set back.
    pub fn tick(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
        self.leave();
        if self.due_ms.is_some_and(|due| now_ms >= due) {
            self.at = self.stepped(self.unit, true);
            self.due_ms = (self.at < self.last()).then(|| now_ms + self.wait_ms());
        }
    }

    fn leave(&mut self) {
        self.furthest = self.furthest.map(|furthest| furthest.max(self.at));
    }

    /// Milliseconds until the next step.
    fn wait_ms(&self) -> u64 {
        let next = self.frame((self.at + 1).min(self.last()));
        match SPEEDS[self.speed] {
            Speed::Times(hundredths) => STEP_MS * 100 / hundredths,
            Speed::AsPlayed => next.took_us.map_or(300, |us| us / 1_000).clamp(20, 5_000),
        }
    }

    /// Takes a key.
    ///
    /// # Errors
    /// The log does not fit its header.
    pub fn press(&mut self, key: Key) -> Result<ScreenFlow, ReplayError> {
        self.remark = None;
        self.leave();
        if self.prompt.is_some() {
            self.type_in(key);
            return Ok(ScreenFlow::Stay);
        }
        if self.shows_help {
            self.shows_help = false;
            if key != Key::Interrupt {
                return Ok(ScreenFlow::Stay);
            }
        }
        match key {
            Key::Char('q') | Key::Interrupt => return Ok(ScreenFlow::Close),
            Key::Left | Key::Up => self.at = self.stepped(self.unit, false),
            Key::Right | Key::Down | Key::Enter => self.at = self.stepped(self.unit, true),
            Key::Char('[') => self.at = self.stepped(Unit::Turn, false),
            Key::Char(']') => self.at = self.stepped(Unit::Turn, true),
            Key::PageUp => self.at = self.stepped(Unit::Round, false),
            Key::PageDown => self.at = self.stepped(Unit::Round, true),
            Key::Home => self.at = 0,
            Key::End => self.at = self.last(),
            Key::Char(' ') => self.play_or_pause(),
            Key::Char('x') => self.jump(Mark::Fault, true),
            Key::Char('X') => self.jump(Mark::Fault, false),
            Key::Char('i') => self.jump(Mark::Interjection, true),
            Key::Char('I') => self.jump(Mark::Interjection, false),
            Key::Char('r') => self.jump(Mark::RoundEnd, true),
            Key::Char('R') => self.jump(Mark::RoundEnd, false),
            Key::Char('m') => self.jump_to_mistake(true),
            Key::Char('M') => self.jump_to_mistake(false),
            Key::Char('w') => {
                self.shows_chances = !self.shows_chances && !self.said.comments.is_empty();
                if self.said.comments.is_empty() {
                    self.remark = Some(NOT_JUDGED.to_owned());
                }
            }
            Key::Char('f') => self.bottom = (self.bottom + 1) % self.names.len(),
            Key::Char('e') => self.change_eyes()?,
            Key::Char('c') => self.look.colours = !self.look.colours,
            Key::Char('u') => {
                self.unit = match self.unit {
                    Unit::Action => Unit::Turn,
                    Unit::Turn => Unit::Round,
                    Unit::Round => Unit::Action,
                };
            }
            Key::Char('+' | '=') => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            Key::Char('-') => self.speed = self.speed.saturating_sub(1),
            Key::Char('/') => self.prompt = Some(Prompt::Search(String::new())),
            Key::Char('n') => self.search(),
            Key::Char(digit @ '0'..='9') => self.prompt = Some(Prompt::Number(digit.to_string())),
            Key::Char('?' | 'h') => self.shows_help = true,
            Key::Char(other) => {
                self.remark = Some(format!("no key {}; ? lists them", self.look.foreign(&other.to_string())))
            }
            Key::Escape | Key::Tab | Key::Backspace => {}
        }
        Ok(ScreenFlow::Stay)
    }

    fn play_or_pause(&mut self) {
        if self.due_ms.take().is_some() {
            return;
        }
        if self.at == self.last() {
            self.at = 0;
        }
        self.due_ms = Some(self.now_ms + self.wait_ms());
    }

    fn change_eyes(&mut self) -> Result<(), ReplayError> {
        if self.only.is_some() {
            let why = match self.eyes == spectator(self.names.len()) {
                true => "hands are closed while the run is played",
                false => "the game is shown as one seat saw it; leave out --seat to change eyes",
            };
            self.remark = Some(why.to_owned());
            return Ok(());
        }
        let next = self.eyes.map_or(0, |seat| seat.index() + 1);
        let eyes = Seat::new(next).filter(|_| next < self.names.len());
        self.see(eyes)?;
        if let Some(seat) = eyes {
            self.bottom = seat.index();
        }
        self.at = self.at.min(self.last());
        Ok(())
    }

    /// Where a step leads.
    fn stepped(&self, unit: Unit, on: bool) -> usize {
        let (viewed, last) = (self.viewed(), self.last());
        let next = |at: usize| if on { (at + 1).min(last) } else { at.saturating_sub(1) };
        let same = |at: usize| {
            let [there, here] = [at, self.at].map(|at| &viewed.scenes[at]);
            match unit {
                Unit::Action => false,
                Unit::Turn => there.turn == here.turn,
                Unit::Round => there.round == here.round,
            }
        };
        let mut at = next(self.at);
        while at > 0 && at < last && same(at) {
            at = next(at);
        }
        at
    }

    fn jump(&mut self, mark: Mark, on: bool) {
        let has = |at: &usize| mark.is_in(self.frame(*at));
        let found = if on { (self.at + 1..=self.last()).find(has) } else { (0..self.at).rev().find(has) };
        match found {
            Some(at) => self.at = at,
            None => self.remark = Some(format!("no {} {} this", mark.name(), if on { "after" } else { "before" })),
        }
    }

    fn jump_to_mistake(&mut self, on: bool) {
        if self.said.comments.is_empty() {
            self.remark = Some(NOT_JUDGED.to_owned());
            return;
        }
        let has = |at: &usize| self.comment(*at).and_then(|comment| comment.mark).is_some_and(DecisionMark::is_loss);
        let found = if on { (self.at + 1..=self.last()).find(has) } else { (0..self.at).rev().find(has) };
        match found {
            Some(at) => self.at = at,
            None => self.remark = Some(format!("no mistake {} this", if on { "after" } else { "before" })),
        }
    }

    fn type_in(&mut self, key: Key) {
        let Some(prompt) = self.prompt.take() else { return };
        let (Prompt::Search(text) | Prompt::Number(text)) = &prompt;
        let mut text = text.clone();
        match key {
            Key::Escape | Key::Interrupt => return,
            Key::Enter => {
                match prompt {
                    Prompt::Search(_) if !text.is_empty() => self.sought = Some(text.to_lowercase()),
                    Prompt::Search(_) => {}
                    Prompt::Number(_) => return self.go_to(&text),
                }
                return self.search();
            }
            Key::Backspace => _ = text.pop(),
            Key::Char(c) => text.push(c),
            _ => {}
        }
        self.prompt = Some(match prompt {
            Prompt::Search(_) => Prompt::Search(text),
            Prompt::Number(_) => Prompt::Number(text),
        });
    }

    fn go_to(&mut self, number: &str) {
        let at = number
            .parse()
            .ok()
            .and_then(|number: u32| self.viewed().frames.iter().position(|frame| frame.kind.number().0 == number));
        match at {
            Some(at) => self.at = at,
            None => self.remark = Some(format!("there is no move {}", self.look.foreign(number))),
        }
    }

    fn search(&mut self) {
        let Some(sought) = self.sought.clone() else {
            self.remark = Some("nothing was searched for yet: / begins".to_owned());
            return;
        };
        let has_text = |at: &usize| {
            self.frame(*at).lines.iter().any(|line| line.text(&self.names).to_lowercase().contains(&sought))
        };
        match (self.at + 1..=self.last()).find(has_text) {
            Some(at) => self.at = at,
            None => self.remark = Some(format!("no \"{}\" after this", self.look.foreign(&sought))),
        }
    }

    /// Where the reader is, in words.
    fn place(&self) -> String {
        let moves = self.frame(self.last()).kind.number();
        match self.frame(self.at).kind {
            // How long a game is says something of its end.
            FrameKind::Deal if self.furthest.is_some() => "the deal".to_owned(),
            FrameKind::Move(number) | FrameKind::After(number) if self.furthest.is_some() => format!("move {number}"),
            FrameKind::Deal => format!("the deal, {moves} moves"),
            FrameKind::Move(number) => format!("move {number} of {moves}"),
            FrameKind::After(number) => format!("after move {number} of {moves}"),
        }
    }
}

#[cfg(test)]
mod tests;

/// A row of the list: a line of a frame.
#[derive(Clone, Copy, Debug)]
struct LineRow {
    frame: usize,
    line: usize,
}

struct ViewedGame {
    frames: Vec<Frame>,
    scenes: Vec<Scene>,
    rows: Vec<LineRow>,
    /// By frame, its first row.
    first_rows: Vec<usize>,
    /// The most cards that a seat ever holds.
    most: usize,
}

impl ViewedGame {
    fn new(log: &GameLog, eyes: Option<Seat>, names: &[String], look: ScreenStyle) -> Result<ViewedGame, ReplayError> {
        let frames = frames(log, eyes)?;
        let mut scenes = Vec::with_capacity(frames.len());
        for_each_position(log, &frames, eyes, |_, position| {
            let mut scene = Scene::new(position, eyes, names, look.faces);
            scene.facing.iter_mut().for_each(|words| *words = look.words(words));
            scenes.push(scene);
            Ok::<(), ReplayError>(())
        })?;
        let (mut rows, mut first_rows) = (Vec::new(), Vec::with_capacity(frames.len()));
        for (at, frame) in frames.iter().enumerate() {
            first_rows.push(rows.len());
            let shown = frame.lines.iter().enumerate().filter(|(_, line)| line.about != About::Deadline);
            rows.extend(shown.map(|(line, _)| LineRow { frame: at, line }));
        }
        let sizes = scenes.iter().flat_map(|scene| (0..names.len()).map(|seat| scene.cards_of(seat)));
        let most = sizes.max().unwrap_or_default().max(1);
        Ok(ViewedGame { frames, scenes, rows, first_rows, most })
    }
}
