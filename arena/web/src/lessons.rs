//! Lessons as pages ask for them, as a trait: the arena has the positions and lets the engine judge. Nothing here knows a rule.

use serde_json::Value;

use crate::shown::NotShown;
use crate::table::Scene;

/// Where lessons come from. Nothing is kept of those who learn.
pub trait Lessons: Send + Sync {
    /// The rule sets that have lessons.
    fn sets(&self) -> Vec<LessonSet>;

    /// Whether the rule set of this name has lessons; asked for every page that links to them.
    fn has(&self, set: &str) -> bool;

    /// The lessons of a rule set, if it has any.
    ///
    /// # Errors
    /// They cannot be read.
    fn of_set(&self, set: &str) -> Result<Option<Vec<LessonText>>, NotShown>;

    /// What the page of a lesson, counted from 0, shows at first, or after the learner has done what `action` says: an object with
    /// what a seat is sent, and what is said of the action. `None` if there is no such lesson.
    ///
    /// # Errors
    /// `action` is no action.
    fn answer(&self, set: &str, lesson: usize, action: Option<Value>) -> Result<Option<Value>, NotShown>;

    /// The lessons of a rule set, if it has any, with the answers that they know.
    ///
    /// # Errors
    /// They cannot be read.
    fn with_answers(&self, set: &str) -> Result<Option<Vec<AnsweredLesson>>, NotShown>;
}

/// A rule set that has lessons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonSet {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What kind of game it is.
    pub about: String,
    /// How many lessons it has.
    pub lessons: usize,
}

/// A lesson for a page on which nobody judges: its position, and what is said of the answers that it knows.
#[derive(Clone, Debug)]
pub struct AnsweredLesson {
    /// What stands in it.
    pub text: LessonText,
    /// Who sits at its table; the learner has the first seat.
    pub names: Vec<String>,
    /// The table as the learner sees it.
    pub scene: Scene,
    /// The answers, those that solve it first: each in words, and what is said of it.
    pub answers: Vec<(String, String)>,
}

/// What stands in a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonText {
    /// What it is about.
    pub title: String,
    /// The rule.
    pub rule: String,
    /// What is to be done.
    pub task: String,
}
