//! A run in progress: how far it is and how fast it goes, the standings with their intervals, what went wrong, the last games.
//! It draws values that it is given; where they come from, and how often, is decided by the caller.

mod draw;

use crate::key::{Flow, Key};
use crate::look::Look;

/// A run at one moment. Texts are ready to show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dashboard {
    /// The name of the league.
    pub league: String,
    /// What is played: rules, seats, rounds.
    pub about: String,
    /// Games that are finished.
    pub games: u64,
    /// Games that are planned, as far as that is known.
    pub planned: u64,
    /// Who plays it, or that nobody does.
    pub player: String,
    /// Whether a process plays it now.
    pub is_played: bool,
    /// Games a second, in the session that plays or was the last to.
    pub games_per_second: Option<f64>,
    /// About how long it will take, in words.
    pub time_left: Option<String>,
    /// Agents, the best first.
    pub rows: Vec<Row>,
    /// Each of the last games in words, the newest first.
    pub last_games: Vec<String>,
    /// What a reader of the standings must know, a sentence each.
    pub remarks: Vec<String>,
}

/// An agent in the standings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its games.
    pub games: u64,
    /// Its mean score.
    pub score: Option<f64>,
    /// The 95 % interval of that.
    pub interval: Option<(f64, f64)>,
    /// Its faults, counted: `2 slow, 1 gone`.
    pub faults: String,
    /// Games in which it was dismissed.
    pub dismissals: u64,
}

/// The screen of a run.
pub struct Watch {
    look: Look,
    shown: Dashboard,
    /// Games at each look so far, for the course of the speed; the newest last.
    course: Vec<u64>,
    scrolled: usize,
    /// Why the last look failed.
    trouble: Option<String>,
}

/// Looks of which the course is kept.
const COURSE: usize = 200;

impl Watch {
    /// A screen that has seen nothing yet.
    pub fn new(look: Look) -> Watch {
        Watch { look, shown: Dashboard::default(), course: Vec::new(), scrolled: 0, trouble: None }
    }

    /// Shows the run as it is now.
    pub fn show(&mut self, dashboard: Dashboard) {
        self.course.push(dashboard.games);
        if self.course.len() > COURSE {
            self.course.remove(0);
        }
        self.scrolled = self.scrolled.min(dashboard.rows.len().saturating_sub(1));
        (self.shown, self.trouble) = (dashboard, None);
    }

    /// The run could not be looked at, for this reason; what was seen before stays.
    pub fn fail(&mut self, why: &str) {
        self.trouble = Some(self.look.foreign(why));
    }

    /// Takes a key.
    pub fn press(&mut self, key: Key) -> Flow {
        let last = self.shown.rows.len().saturating_sub(1);
        match key {
            Key::Char('q') | Key::Interrupt | Key::Escape => return Flow::Close,
            Key::Down => self.scrolled = (self.scrolled + 1).min(last),
            Key::PageDown => self.scrolled = (self.scrolled + 10).min(last),
            Key::Up => self.scrolled = self.scrolled.saturating_sub(1),
            Key::PageUp => self.scrolled = self.scrolled.saturating_sub(10),
            Key::Home => self.scrolled = 0,
            Key::End => self.scrolled = last,
            Key::Char('c') => self.look.colours = !self.look.colours,
            _ => {}
        }
        Flow::Stay
    }
}
