//! A seat for a person: the table as the seat sees it, its cards with the legal ones lifted, the words that are due, what the
//! keys do now, and how long there is. What can be done follows from [`maumau_agents::person`]; no rule is known here.
//!
//! The screen says nothing for the person: a word that is forgotten is not said, a card that does not fit can be tried.

mod actions;
mod client;
mod draw;
mod menu;
mod press;

use std::collections::VecDeque;

use maumau_agents::person::{PersonGame, PersonNews};
use maumau_protocol::message::{ArenaMessage, ClockMode, Fault, Over};
use maumau_protocol::{Action, Card};
use maumau_referee::story::{Line, Scene, SeatStoryWriter};
use ratatui_core::text::Span;

use crate::look::ScreenStyle;
use crate::sentence::spans;
use menu::Menu;

pub use client::{ClientError, sit};

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
    /// How far the list of what has happened is scrolled back.
    scrolled: usize,
    /// The place of the chosen card in the hand.
    chosen: usize,
    menu: Option<Menu>,
    /// What a bot would do now, in words, and as an action.
    hint: Option<(String, Action)>,
    /// A card that may not be played and was tried once: a second time plays it.
    daring: Option<Card>,
    remark: Option<String>,
    shows_help: bool,
    /// What the arena did not accept last.
    fault: Option<Fault>,
    /// Asks whether to leave.
    leaves: bool,
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
            scrolled: 0,
            chosen: 0,
            menu: None,
            hint: None,
            daring: None,
            remark: None,
            shows_help: false,
            fault: None,
            leaves: false,
        }
    }

    /// Takes a message that came at `now_ms`; returns the answer that leaves no choice, if there is one, and whether the arena
    /// has said good-bye.
    pub fn hear(&mut self, message: ArenaMessage, now_ms: u64) -> (Option<Action>, bool) {
        let is_ask = matches!(message, ArenaMessage::Ask(_));
        let mut bye = false;
        for news in self.table.hear(message, now_ms) {
            match news {
                PersonNews::Started => self.begin(),
                PersonNews::Happened(event) => {
                    let line = self.writer.as_mut().and_then(|writer| writer.line(&event));
                    if let Some(line) = line {
                        self.push_line(&line);
                    }
                }
                PersonNews::Fault(fault) => self.push_fault(fault),
                PersonNews::RoundOver(_) => {}
                PersonNews::Over => self.menu = None,
                PersonNews::Bye(_) => bye = true,
            }
        }
        if is_ask {
            (self.hint, self.daring) = (None, None);
            self.chosen = self.chosen.min(self.table.view().hand.len().saturating_sub(1));
            if self.menu.as_ref().is_some_and(|menu| !menu.still_stands(&self.table)) {
                self.menu = None;
                self.remark = Some("something happened meanwhile; choose again".to_owned());
            }
        }
        (self.table.idle(), bye)
    }

    fn begin(&mut self) {
        let Some(start) = self.table.start() else { return };
        self.names = start.names.iter().map(|name| self.look.foreign(name)).collect();
        self.writer = start.rules.clone().map(|rules| SeatStoryWriter::new(rules, start.names.len()));
        self.events.clear();
        (self.menu, self.hint, self.daring, self.remark, self.fault) = (None, None, None, None, None);
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
        self.keep(pieces);
    }

    fn push_fault(&mut self, fault: Fault) {
        let Fault { fault: name, message, clause, cards, strikes, .. } = &fault;
        let mut words = format!("{name}: {message} ({clause})");
        match cards {
            0 => {}
            1 => words += ", 1 penalty card",
            cards => words += &format!(", {cards} penalty cards"),
        }
        let most = self.table.start().map_or(0, |start| start.max_strikes);
        if *strikes > 0 {
            words += &format!(", strike {strikes} of {most}");
        }
        self.keep(vec![Span::styled(format!("! {}", self.look.foreign(&words)), self.look.fault())]);
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

    /// What lies on the table.
    fn scene(&self) -> Scene {
        let position = maumau_referee::story::StoryPosition::Seen(Box::new(self.table.view().clone()));
        Scene::new(position, Some(self.table.seat()), &self.names)
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

#[cfg(test)]
mod tests;
