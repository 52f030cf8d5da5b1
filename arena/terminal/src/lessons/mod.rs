//! A lesson on the seat of a person: what it teaches, the table, and what is said of what the learner did, as a screen or as lines. What
//! an action is worth is judged elsewhere; no rule is known here.

mod draw;
mod lines;

use maumau_engine::Game;
use maumau_protocol::message::{ArenaMessage, ClockMode};
use maumau_protocol::{Action, Seat};

use crate::key::Key;
use crate::look::ScreenStyle;
use crate::person::{PersonSeat, Pressed};

/// What a lesson says.
#[derive(Clone, Debug)]
pub struct LessonWords {
    /// The title of the rule set.
    pub set: String,
    /// Its place among the lessons of the set, from 1.
    pub number: usize,
    /// How many lessons the set has.
    pub of: usize,
    /// What it is about.
    pub title: String,
    /// The rule.
    pub rule: String,
    /// What is to be done.
    pub task: String,
    /// What solves it.
    pub solution: Option<Action>,
}

/// What is said of an action of the learner.
#[derive(Clone, Debug)]
pub struct LearnerVerdict {
    /// Whether it solves the lesson.
    pub is_right: bool,
    /// What it is worth, in a word.
    pub title: String,
    /// Why, and what it costs.
    pub says: String,
    /// The clauses that it rests on, with their words.
    pub clauses: Vec<(String, String)>,
}

/// What a learner wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonFlow {
    /// Nothing new.
    Stay,
    /// This is the learner's answer.
    Act(Action),
    /// The lesson from its beginning.
    Again,
    /// The next lesson.
    Next,
    /// The lesson before.
    Back,
    /// The lesson with this number, from 1; only lines ask for it.
    Open(usize),
    /// The end.
    Leave,
}

/// A learner's seat in one lesson.
pub struct LessonSeat {
    look: ScreenStyle,
    words: LessonWords,
    seat: PersonSeat,
    judged: Option<LearnerVerdict>,
    shows_solution: bool,
    shows_help: bool,
}

impl LessonSeat {
    /// A seat at the table of a lesson, before it is sent anything.
    pub fn new(words: LessonWords, look: ScreenStyle) -> LessonSeat {
        let seat = PersonSeat::new(ClockMode::Live, look);
        LessonSeat { look, words, seat, judged: None, shows_solution: false, shows_help: false }
    }

    /// Takes what the seat is sent, and the play that it tells of.
    pub fn hear(&mut self, message: ArenaMessage, play: Option<(&Game, Seat, &Action, &Game)>) {
        // The clock of a lesson stands, and nothing is done by itself.
        _ = self.seat.hear_of(message, play, 0);
    }

    /// Shows what is said of what the learner did.
    pub fn judge(&mut self, judged: LearnerVerdict) {
        self.seat.rest();
        self.judged = Some(judged);
    }

    /// The seat on which the lesson is played.
    pub fn seat(&self) -> &PersonSeat {
        &self.seat
    }

    /// Takes a key of the screen.
    pub fn press(&mut self, key: Key) -> LessonFlow {
        if std::mem::take(&mut self.shows_help) && key != Key::Interrupt {
            return LessonFlow::Stay;
        }
        if self.seat.is_asking() && key != Key::Interrupt {
            return self.press_seat(key);
        }
        match (key, self.judged.as_ref().map(|judged| judged.is_right)) {
            (Key::Interrupt | Key::Char('q'), _) => LessonFlow::Leave,
            (Key::Char('?'), _) => {
                self.shows_help = true;
                LessonFlow::Stay
            }
            (Key::Char(']'), _) | (Key::Enter | Key::Char(' '), Some(true)) => LessonFlow::Next,
            (Key::Char('['), _) => LessonFlow::Back,
            (Key::Char('r'), _) | (Key::Enter | Key::Char(' '), Some(false)) => LessonFlow::Again,
            (Key::Char('h'), None) => {
                self.shows_solution = true;
                LessonFlow::Stay
            }
            // What hurries others and the pace is for tables on which somebody plays.
            (Key::Char('.' | 'v' | 'w'), _) => LessonFlow::Stay,
            (Key::Up | Key::Down | Key::PageUp | Key::PageDown, _) | (_, None) => self.press_seat(key),
            (_, Some(_)) => LessonFlow::Stay,
        }
    }

    fn press_seat(&mut self, key: Key) -> LessonFlow {
        match self.seat.press(key) {
            Pressed::Act(action) => LessonFlow::Act(action),
            Pressed::Nothing => LessonFlow::Stay,
            Pressed::Leave => LessonFlow::Leave,
        }
    }

    /// What solves the lesson, once the learner has asked for it.
    fn solution(&self) -> Option<String> {
        let action = self.words.solution.as_ref().filter(|_| self.shows_solution && self.judged.is_none())?;
        Some(self.seat.in_words(action))
    }
}

#[cfg(test)]
mod tests;
