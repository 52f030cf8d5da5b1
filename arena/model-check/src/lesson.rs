//! Lessons: small positions that teach a rule set one rule at a time, each with the actions that solve it and those that are likely
//! but wrong. The files are in `lessons/`, a file for each rule set, with positions and expectations in the form of scenarios. The
//! engine judges what a learner does; how that is shown is not known here.

use std::sync::Arc;

use maumau_engine::rules::{RuleFiles, load};
use maumau_engine::{Game, Rules, Verdict, seed_of_number};
use maumau_protocol::{Action, Event, Seat, Verb};
use serde::Deserialize;

use crate::scenario::{ScenarioError, StepOutcome, UnmetExpectation, applied, compare, file, position};

/// The learner's seat.
pub const LEARNER: Seat = Seat::FIRST;

/// The file of each rule set that has lessons, in the order in which they are offered.
const FILES: [(&str, &str); 17] = [
    ("basic", include_str!("../lessons/basic.json")),
    ("skat", include_str!("../lessons/skat.json")),
    ("deluxe", include_str!("../lessons/deluxe.json")),
    ("snap", include_str!("../lessons/snap.json")),
    ("spam", include_str!("../lessons/spam.json")),
    ("crazy-eights", include_str!("../lessons/crazy-eights.json")),
    ("mau-mau", include_str!("../lessons/mau-mau.json")),
    ("eights", include_str!("../lessons/eights.json")),
    ("countdown", include_str!("../lessons/countdown.json")),
    ("switch", include_str!("../lessons/switch.json")),
    ("colours", include_str!("../lessons/colours.json")),
    ("waterfall", include_str!("../lessons/waterfall.json")),
    ("bartok", include_str!("../lessons/bartok.json")),
    ("tschau-sepp", include_str!("../lessons/tschau-sepp.json")),
    ("prsi", include_str!("../lessons/prsi.json")),
    ("pesten", include_str!("../lessons/pesten.json")),
    ("makao", include_str!("../lessons/makao.json")),
];

/// The names of the rule sets that have lessons.
pub fn sets() -> impl Iterator<Item = &'static str> {
    FILES.into_iter().map(|(set, _)| set)
}

/// The lessons of a rule set, if it has any.
///
/// # Errors
/// Their file is not of the form; a test reads all of them.
pub fn of_set(set: &str) -> Result<Option<Vec<Lesson>>, ScenarioError> {
    let file = FILES.into_iter().find(|(name, _)| *name == set);
    file.map(|(_, text)| serde_json::from_str(text).map_err(|error| ScenarioError(error.to_string()))).transpose()
}

/// One lesson.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// What it is about, in a few words.
    pub title: String,
    /// The clauses that it teaches.
    pub clauses: Vec<String>,
    /// The rule, in a sentence or two.
    pub rule: String,
    /// What is to be done.
    pub task: String,
    players: usize,
    setup: file::Setup,
    /// What the others did just before.
    #[serde(default)]
    before: Vec<LessonStep>,
    /// Why what solves it does so.
    pub because: String,
    /// The actions that solve it, the first one to be shown.
    pub right: Vec<LessonAnswer>,
    /// Actions that are likely and do not.
    #[serde(default)]
    pub wrong: Vec<LessonAnswer>,
}

/// What a learner may do, and what comes of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonAnswer {
    /// The action.
    pub action: Action,
    #[serde(default)]
    expect: file::Expect,
    /// What the others do after it.
    #[serde(default)]
    then: Vec<LessonStep>,
    /// What is wrong with it, or why it is right, if that is more than is said of the lesson. Of what the rules allow it begins with
    /// "but".
    #[serde(default)]
    pub says: String,
}

/// What a seat does in a lesson, or the clock.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonStep {
    by: file::By,
    action: file::StepAction,
    #[serde(default)]
    expect: file::Expect,
}

/// What a learner's action is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LessonVerdict {
    /// It solves the lesson.
    Right,
    /// It does not, and is refused or costs something, at once or later.
    Wrong,
    /// It does not, and costs nothing.
    Allowed,
}

/// A step of a lesson as it was played.
#[derive(Debug)]
pub struct LessonPlay {
    /// The game before it.
    pub before: Game,
    /// Whose action it was, and what was done; `None` where time has passed.
    pub done: Option<(Seat, Action)>,
    /// Whether it was accepted.
    is_accepted: bool,
    /// What happened.
    pub events: Vec<Event>,
    /// The game after it.
    pub after: Game,
}

/// A learner's action and all that follows from it.
#[derive(Debug)]
pub struct LessonOutcome<'a> {
    /// What it is worth.
    pub verdict: LessonVerdict,
    /// What the lesson says of it, if it knows it.
    pub answer: Option<&'a LessonAnswer>,
    /// The action, and those of the others after it.
    pub played: Vec<LessonPlay>,
}

impl Lesson {
    /// The rules of its table, in the rule set `set`.
    ///
    /// # Errors
    /// The rules do not exist or not for its table; a test looks at all lessons.
    pub fn rules(&self, set: &str, files: &dyn RuleFiles) -> Result<Arc<Rules>, ScenarioError> {
        let loaded = load(files, set, &[]).map_err(|problems| ScenarioError(problems.to_string()))?;
        let rules = self.setup.rules(&Arc::new(loaded.set), self.players);
        rules.map(Arc::new).map_err(|error| ScenarioError(error.to_string()))
    }

    /// The position before anything, and what the others did before the learner is asked.
    ///
    /// # Errors
    /// The position is impossible.
    pub fn begin(&self, rules: &Arc<Rules>) -> Result<(Game, Vec<LessonPlay>), ScenarioError> {
        let position = position(&self.setup, compare::counts_rounds(rules), rules.set().count.is_some())?;
        let wrong = |error| ScenarioError(format!("setup: {error}"));
        let game = Game::from_position(Arc::clone(rules), &position, &seed_of_number(0)).map_err(wrong)?;
        let mut now = game.clone();
        let played = self.before.iter().map(|step| step.play(&mut now)).collect::<Result<_, _>>()?;
        Ok((game, played))
    }

    /// What `action` of the learner is worth in `game`, as [`Lesson::begin`] has left it, and what follows.
    pub fn judge(&self, game: &Game, action: &Action) -> LessonOutcome<'_> {
        let right = self.right.iter().find(|answer| is_said(action, &answer.action));
        let answer = right.or_else(|| self.wrong.iter().find(|answer| is_said(action, &answer.action)));
        let mut now = game.clone();
        let mut played = vec![play(&mut now, LEARNER, action)];
        let then = answer.map_or(&[][..], |answer| &answer.then);
        // What cannot be played is found by `check`.
        played.extend(then.iter().map_while(|step| step.play(&mut now).ok()));
        let verdict = match right {
            Some(_) => LessonVerdict::Right,
            None if played.iter().any(LessonPlay::costs_learner) => LessonVerdict::Wrong,
            None => LessonVerdict::Allowed,
        };
        LessonOutcome { verdict, answer, played }
    }

    /// Plays every answer of the lesson, and compares what comes of it with what the file expects; steps are counted from the first
    /// one of `before`. What solves the lesson costs nothing, and what is said of other answers fits their verdict.
    ///
    /// # Errors
    /// The position is impossible.
    pub fn check(&self, rules: &Arc<Rules>) -> Result<Vec<UnmetExpectation>, ScenarioError> {
        let mut failures = Vec::new();
        let (first, before) = self.begin(rules)?;
        for (at, (step, played)) in self.before.iter().zip(&before).enumerate() {
            compare_step(at + 1, &step.expect, played, &mut failures);
        }
        let game = before.last().map_or(&first, |play| &play.after);
        let number = before.len() + 1;
        for (solves, answer) in
            self.right.iter().map(|answer| (true, answer)).chain(self.wrong.iter().map(|answer| (false, answer)))
        {
            let LessonOutcome { verdict, played, .. } = self.judge(game, &answer.action);
            if played.len() != 1 + answer.then.len() {
                return Err(ScenarioError(format!("after {:?}: {NOT_OF_A_LESSON}", answer.action)));
            }
            let is_said = match verdict {
                LessonVerdict::Right => !played.iter().any(LessonPlay::costs_learner),
                LessonVerdict::Wrong => !answer.says.is_empty() && !answer.says.starts_with("but "),
                LessonVerdict::Allowed => answer.says.starts_with("but "),
            };
            if !is_said || solves != (verdict == LessonVerdict::Right) {
                failures.push(UnmetExpectation {
                    step: Some(number),
                    key: if solves { "right" } else { "wrong" }.to_owned(),
                    expected: format!("{:?}: {:?}", answer.action, answer.says),
                    found: format!(
                        "{verdict:?}: {:?}",
                        played.iter().flat_map(|play| &play.events).collect::<Vec<_>>()
                    ),
                });
            }
            let expects = std::iter::once(&answer.expect).chain(answer.then.iter().map(|step| &step.expect));
            for (at, (expect, played)) in expects.zip(&played).enumerate() {
                let from = failures.len();
                compare_step(number + at, expect, played, &mut failures);
                for failure in &mut failures[from..] {
                    failure.found += &format!(" after {:?}", answer.action);
                }
            }
        }
        Ok(failures)
    }
}

impl LessonPlay {
    /// Whether the learner was refused something or charged for something in it.
    fn costs_learner(&self) -> bool {
        let is_charged = |event: &Event| match event {
            Event::Penalty { seat, .. } | Event::Mistake { seat, .. } => *seat == LEARNER,
            _ => false,
        };
        let is_own = self.done.as_ref().is_some_and(|(seat, _)| *seat == LEARNER);
        is_own && !self.is_accepted || self.events.iter().any(is_charged)
    }
}

const NOT_OF_A_LESSON: &str = "seats act in a lesson, and the clock elapses, nothing else";

impl LessonStep {
    fn play(&self, game: &mut Game) -> Result<LessonPlay, ScenarioError> {
        match (self.by, &self.action) {
            (file::By::Seat(seat), file::StepAction::Act { action, as_of: None }) => Ok(play(game, seat, action)),
            (file::By::Text(file::StandText::Clock), file::StepAction::Elapse(what)) => {
                let (before, mut events) = (game.clone(), Vec::new());
                game.elapse(*what, &mut events);
                Ok(LessonPlay { before, done: None, is_accepted: true, events, after: game.clone() })
            }
            _ => Err(ScenarioError(NOT_OF_A_LESSON.to_owned())),
        }
    }
}

fn play(game: &mut Game, seat: Seat, action: &Action) -> LessonPlay {
    let before = game.clone();
    let mut events = Vec::new();
    let is_accepted = game.apply(seat, action, before.last_event(), &mut events) == Verdict::Accepted;
    LessonPlay { before, done: Some((seat, action.clone())), is_accepted, events, after: game.clone() }
}

fn compare_step(number: usize, expect: &file::Expect, played: &LessonPlay, failures: &mut Vec<UnmetExpectation>) {
    let ok = played.is_accepted && applied(&played.events);
    let outcome = StepOutcome { ok, events: played.events.clone() };
    compare::step(number, expect, &outcome, Some(&played.after), failures);
}

/// Whether `action` does what `wanted` does and says all that it says.
fn is_said(action: &Action, wanted: &Action) -> bool {
    let plain = |text: &str| text.trim().trim_end_matches(['!', '.']).to_lowercase();
    let is_same = match (&action.verb, &wanted.verb) {
        (Verb::Say { text }, Verb::Say { text: other }) => plain(text.as_str()) == plain(other.as_str()),
        (done, wanted) => done == wanted,
    };
    let said: Vec<String> = action.say.texts().iter().map(|text| plain(text.as_str())).collect();
    is_same && wanted.say.texts().iter().all(|text| said.contains(&plain(text.as_str())))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use maumau_engine::rules::{BuiltIn, all_sets};

    use super::*;

    #[test]
    fn every_rule_set_has_lessons() {
        assert_eq!(sets().collect::<BTreeSet<_>>(), all_sets().map(|set| set.name).collect());
    }

    #[test]
    fn every_answer_of_every_lesson_is_judged_by_the_engine_as_its_file_says() {
        let mut wrong = Vec::new();
        for set in sets() {
            let lessons = of_set(set).unwrap_or_else(|error| panic!("{set}: {error}")).expect("a file");
            assert!(lessons.len() >= 5, "{set}: {} lessons", lessons.len());
            for lesson in &lessons {
                let at = format!("{set}: {}", lesson.title);
                assert!(!lesson.right.is_empty(), "{at}");
                let checked = lesson.rules(set, &BuiltIn).and_then(|rules| lesson.check(&rules));
                match checked {
                    Ok(failures) => wrong.extend(failures.iter().map(|failure| format!("{at}: {failure}"))),
                    Err(error) => wrong.push(format!("{at}: {error}")),
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
