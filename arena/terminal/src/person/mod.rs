//! A seat for a person: the table as the seat sees it, its cards with the legal ones lifted, the words that are due, what the
//! keys do now, and how long there is. What can be done follows from [`maumau_agents::person`]; no rule is known here.
//!
//! The screen says nothing for the person: a word that is forgotten is not said, a card that does not fit can be tried.

mod actions;
mod client;
mod draw;
mod lines;
mod menu;
mod pace;
mod press;

use std::collections::VecDeque;

use maumau_agents::person::{PersonGame, PersonNews, SeenPlay};
use maumau_engine::Game;
use maumau_protocol::message::{ArenaMessage, ClockMode, Fault, Over};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Action, Card, Faces, Seat, SeenEvent, View};
use maumau_referee::story::{Line, Scene, SeatStoryWriter};
use ratatui_core::text::Span;

use crate::look::ScreenStyle;
use crate::sentence::spans;
use menu::KeyMenu;
use pace::{MomentQueue, ScoreSheet, SeenMoment};

pub use client::{ClientError, sit};
pub(crate) use draw::{TABLE_KEYS, draw_help};
pub(crate) use press::Pressed;

/// Lines of the game that are kept to be shown.
const KEPT_LINES: usize = 500;

/// A person's seat.
pub struct PersonSeat {
    look: ScreenStyle,
    table: PersonGame,
    writer: Option<SeatStoryWriter>,
    names: Vec<String>,
    /// What has happened, the newest last.
    events: VecDeque<Vec<Span<'static>>>,
    /// What has happened and is not shown yet.
    queue: MomentQueue,
    /// The lines of the next moment.
    arriving: Vec<Vec<Span<'static>>>,
    /// Whose move they are about, and whether a card was played.
    mover: Option<(Seat, bool)>,
    /// The table that is shown while it is not the newest one.
    shown: Option<Box<View>>,
    /// The scores of the round that ends.
    counted: ScoreSheet,
    /// The scores that are shown until the person goes on.
    sheet: Option<ScoreSheet>,
    /// How far the list of what has happened is scrolled back.
    scrolled: usize,
    /// The place of the chosen card in the hand.
    chosen: usize,
    /// The places in the hand of the cards that are played at once, in their order.
    picked: Vec<usize>,
    menu: Option<KeyMenu>,
    /// What a bot would do now, in words, and as an action.
    hint: Option<(String, Action)>,
    /// Cards that may not be played and were tried once: a second time plays them.
    daring: Vec<Card>,
    remark: Option<String>,
    shows_help: bool,
    /// What the arena did not accept last.
    fault: Option<Fault>,
    /// Asks whether to leave.
    leaves: bool,
    /// Nothing is asked for any more: what was done is looked at.
    rests: bool,
}

impl PersonSeat {
    /// A seat before its first game.
    pub fn new(clock: ClockMode, look: ScreenStyle) -> PersonSeat {
        PersonSeat {
            look,
            table: PersonGame::new(clock),
            writer: None,
            names: Vec::new(),
            events: VecDeque::new(),
            queue: MomentQueue::default(),
            arriving: Vec::new(),
            mover: None,
            shown: None,
            counted: ScoreSheet::default(),
            sheet: None,
            scrolled: 0,
            chosen: 0,
            picked: Vec::new(),
            menu: None,
            hint: None,
            daring: Vec::new(),
            remark: None,
            shows_help: false,
            fault: None,
            leaves: false,
            rests: false,
        }
    }

    /// Takes a message that came at `now_ms`; returns the answer that leaves no choice, if there is one, and whether the arena
    /// has said good-bye.
    pub fn hear(&mut self, message: ArenaMessage, now_ms: u64) -> (Option<Action>, bool) {
        self.hear_of(message, None, now_ms)
    }

    /// The same where it tells of `play`, with the game before it, its seat, its action, and the game after it; by itself a seat
    /// knows the plays that it can follow.
    pub fn hear_of(
        &mut self,
        message: ArenaMessage,
        play: Option<(&Game, Seat, &Action, &Game)>,
        now_ms: u64,
    ) -> (Option<Action>, bool) {
        let is_ask = matches!(message, ArenaMessage::Ask(_));
        let mut bye = false;
        let before = Box::new(self.view().clone());
        let news = self.table.hear(message, now_ms);
        if let Some(writer) = &mut self.writer {
            let plays = self.table.seen_plays().iter();
            let plays = plays.map(|SeenPlay { before, seat, action, after }| (before, *seat, action, after));
            writer.expect(plays.chain(play));
        }
        for news in news {
            match news {
                PersonNews::Started => self.begin(),
                PersonNews::Happened(event) => {
                    let mover = mover(&event);
                    if mover.is_some() && mover != self.mover {
                        // The table of this move is known only at the end of all.
                        self.arrive(Some(before.clone()).filter(|view| !view.hands.is_empty()), None);
                        self.mover = mover;
                    }
                    match &event {
                        SeenEvent::RoundOver { winners, .. } => {
                            self.counted = ScoreSheet { winners: *winners, points: Vec::new() };
                        }
                        SeenEvent::Scored { seat, points, total, .. } => {
                            self.counted.points.push((*seat, *points, *total));
                        }
                        _ => {}
                    }
                    let line = self.writer.as_mut().and_then(|writer| writer.line(&event));
                    if let Some(line) = line {
                        self.push_line(&line);
                    }
                }
                PersonNews::Fault(fault) => self.push_fault(fault),
                PersonNews::RoundOver(view) => {
                    let sheet = std::mem::take(&mut self.counted);
                    self.arrive(Some(view), Some(sheet));
                }
                PersonNews::Over => self.menu = None,
                PersonNews::Bye(_) => bye = true,
            }
        }
        if is_ask {
            (self.hint, self.daring) = (None, Vec::new());
            self.picked.clear();
            self.chosen = self.chosen.min(self.table.view().hand.len().saturating_sub(1));
            if self.menu.as_ref().is_some_and(|menu| !menu.still_stands(&self.table)) {
                self.menu = None;
                self.remark = Some("something happened meanwhile; choose again".to_owned());
            }
        }
        let view = is_ask.then(|| Box::new(self.table.view().clone()));
        self.arrive(view, None);
        self.stay_at(before);
        self.pass(now_ms);
        if bye {
            // The screen is closed: the last lines stay on the terminal.
            self.sheet = None;
            while !self.queue.is_empty() {
                self.hurry();
                self.sheet = None;
            }
        }
        (self.table.idle(), bye)
    }

    /// Ends a moment: it is shown when it is due. On the live clock others may act at any time, and nothing waits but the person for
    /// the scores.
    fn arrive(&mut self, view: Option<Box<View>>, sheet: Option<ScoreSheet>) {
        let lines = std::mem::take(&mut self.arriving);
        self.mover = None;
        if lines.is_empty() && sheet.is_none() {
            return;
        }
        let moment = SeenMoment { lines, view, sheet };
        match self.table.clock() {
            ClockMode::Lockstep => self.queue.add(moment),
            ClockMode::Live => {
                let shown = self.shown.take();
                self.show(moment);
                self.shown = shown;
            }
        }
    }

    fn show(&mut self, moment: SeenMoment) {
        moment.lines.into_iter().for_each(|pieces| self.keep(pieces));
        self.shown = moment.view.or(self.shown.take());
        self.sheet = moment.sheet.or(self.sheet.take());
    }

    /// Shows what is due at `now_ms`, up to the end of a round.
    pub fn pass(&mut self, now_ms: u64) {
        while self.sheet.is_none()
            && let Some(moment) = self.queue.next(now_ms)
        {
            self.show(moment);
        }
        self.come_to_now();
    }

    /// Shows everything that waits, up to the end of a round.
    fn hurry(&mut self) {
        while self.sheet.is_none()
            && let Some(moment) = self.queue.hurried()
        {
            self.show(moment);
        }
        self.come_to_now();
    }

    /// Goes on showing the table `before` while what led to the newest one is not shown.
    fn stay_at(&mut self, before: Box<View>) {
        if self.is_behind() && !before.hands.is_empty() {
            self.shown.get_or_insert(before);
        }
    }

    fn come_to_now(&mut self) {
        if !self.is_behind() {
            self.shown = None;
        }
    }

    /// True while the newest table is not shown.
    fn is_behind(&self) -> bool {
        !self.queue.is_empty() || (self.sheet.is_some() && self.shown.is_some())
    }

    /// Milliseconds from `now_ms` until something new is to be shown, if anything waits.
    pub fn wait_ms(&self, now_ms: u64) -> Option<u64> {
        let due = self.queue.due_ms().filter(|_| self.sheet.is_none())?;
        Some(due.saturating_sub(now_ms))
    }

    /// The table as it is shown.
    fn view(&self) -> &View {
        self.shown.as_deref().unwrap_or(self.table.view())
    }

    /// The cards of the hand as they are shown, and whether each may be played now.
    fn shown_hand(&self) -> Vec<(Card, bool)> {
        match self.is_behind() || self.rests {
            true => self.view().hand.iter().map(|card| (*card, false)).collect(),
            false => self.table.hand().iter().map(|held| (held.card, self.is_lifted(held))).collect(),
        }
    }

    /// Asks the person for nothing any more, neither for a move nor to look at scores.
    pub(crate) fn rest(&mut self) {
        (self.sheet, self.menu, self.remark) = (None, None, None);
        self.rests = true;
    }

    /// True while keys answer a question of this seat.
    pub(crate) fn is_asking(&self) -> bool {
        self.menu.is_some()
    }

    /// The remark that the bottom line shows instead of the keys.
    pub(crate) fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    fn begin(&mut self) {
        let Some(start) = self.table.start() else { return };
        self.names = start.names.iter().map(|name| self.look.foreign(name)).collect();
        self.look.faces = start.rules.as_ref().map_or(Faces::French, |rules| rules.deck.faces);
        self.writer = start.rules.clone().map(|rules| SeatStoryWriter::new(rules, start.names.len()));
        self.events.clear();
        (self.queue, self.shown, self.sheet) = (MomentQueue::default(), None, None);
        (self.menu, self.hint, self.remark, self.fault) = (None, None, None, None);
        self.daring.clear();
    }

    fn push_line(&mut self, line: &Line) {
        let mut pieces = spans(line, &self.names, self.look);
        if line.is_fault() {
            pieces.insert(0, Span::styled("! ", self.look.fault()));
        }
        // Effects of cards rest on many clauses; only what went wrong has to be explained here.
        if line.is_fault() && !line.clauses.is_empty() {
            pieces.push(Span::styled(format!(" ({})", line.clauses.join(", ")), self.look.aside()));
        }
        self.arriving.push(pieces);
    }

    fn push_fault(&mut self, fault: Fault) {
        let Fault { message, clause, cards, strikes, .. } = &fault;
        let mut words = format!("{message} ({clause})");
        match cards {
            0 => {}
            1 => words += ", 1 penalty card",
            cards => words += &format!(", {cards} penalty cards"),
        }
        let most = self.table.start().map_or(0, |start| start.max_strikes);
        if *strikes > 0 {
            words += &format!(", strike {strikes} of {most}");
        }
        self.arriving.push(vec![Span::styled(format!("! {}", self.look.foreign(&words)), self.look.fault())]);
        self.fault = Some(fault);
    }

    fn keep(&mut self, pieces: Vec<Span<'static>>) {
        self.events.push_back(pieces);
        if self.events.len() > KEPT_LINES {
            self.events.pop_front();
        }
        if self.scrolled > 0 {
            self.scrolled += 1;
        }
    }

    /// The rules of the game, if they are known.
    fn rules(&self) -> Option<&RuleSet> {
        self.table.start()?.rules.as_deref()
    }

    /// What lies on the table.
    fn scene(&self) -> Scene {
        let position = maumau_referee::story::StoryPosition::Seen(Box::new(self.view().clone()));
        Scene::new(position, Some(self.table.seat()), &self.names, self.look.faces)
    }

    /// The result, once the game is over.
    pub fn over(&self) -> Option<&Over> {
        self.table.over()
    }

    /// The last lines of what happened, as plain text.
    pub fn last_lines(&self, count: usize) -> String {
        let lines = self.events.iter().skip(self.events.len().saturating_sub(count));
        lines.map(|pieces| pieces.iter().map(|piece| piece.content.as_ref()).collect::<String>() + "\n").collect()
    }
}

/// Who moves in `event`, and whether by a card.
fn mover(event: &SeenEvent) -> Option<(Seat, bool)> {
    match event {
        SeenEvent::Together { seat, .. } | SeenEvent::Played { seat, .. } => Some((*seat, true)),
        SeenEvent::Drew { seat, .. } | SeenEvent::Passed { seat, .. } => Some((*seat, false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
