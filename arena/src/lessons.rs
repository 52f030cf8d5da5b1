//! The tables of lessons: what a learner's seat is sent in a lesson, and what is said of what the learner does. Pages and the terminal
//! show it on the seats that they have; neither is known here. Nothing is kept of those who learn.

use std::sync::{Arc, LazyLock};

use maumau_engine::rules::{BuiltIn, law, load_built_in};
use maumau_engine::{Game, Rules};
use maumau_model_check::lesson::{self, LEARNER, Lesson, LessonOutcome, LessonPlay, LessonVerdict};
use maumau_model_check::scenario::ScenarioError;
use maumau_protocol::message::{ArenaMessage, Ask, GameId, Start, TimeControl};
use maumau_protocol::{Action, Event, EventNumber, Seat, Verb};
use maumau_referee::legal_verbs;
use maumau_referee::lockstep::asked_for;
use maumau_web::lessons::LessonSet;

/// Who sits at the table of a lesson.
const NAMES: [&str; 6] = ["Alex (you)", "Bo", "Cleo", "Dana", "Eli", "Fay"];

/// Made once: all rule sets are read for it.
static SETS: LazyLock<Vec<LessonSet>> = LazyLock::new(|| {
    let listed = |name: &str| {
        let set = load_built_in(name, &[]).ok()?.set;
        let lessons = lesson::of_set(name).ok()??.len();
        Some(LessonSet { name: name.to_owned(), title: set.title.to_string(), about: set.about.to_string(), lessons })
    };
    lesson::sets().filter_map(listed).collect()
});

/// The rule sets that have lessons.
pub(crate) fn sets() -> &'static [LessonSet] {
    &SETS
}

/// A play that a message tells of: the game before it, its seat, the action, and the game after it.
pub(crate) type KnownPlay<'a> = (&'a Game, Seat, &'a Action, &'a Game);

/// A lesson as it lies on a table before the learner has done anything.
pub(crate) struct LessonTable<'a> {
    set: &'a str,
    lesson: &'a Lesson,
    rules: Arc<Rules>,
    first: Game,
    before: Vec<LessonPlay>,
}

/// What is said of an action of the learner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LessonSentence {
    /// What the action is worth.
    pub(crate) verdict: LessonVerdict,
    /// The same in a word.
    pub(crate) title: &'static str,
    /// Why, and what it costs.
    pub(crate) says: String,
    /// The clauses that it rests on, with their words.
    pub(crate) clauses: Vec<(String, String)>,
}

impl<'a> LessonTable<'a> {
    /// The table of a lesson of `set`.
    ///
    /// # Errors
    /// Its position is impossible; a test looks at all lessons.
    pub(crate) fn new(set: &'a str, lesson: &'a Lesson) -> Result<LessonTable<'a>, ScenarioError> {
        let rules = lesson.rules(set, &BuiltIn)?;
        let (first, before) = lesson.begin(&rules)?;
        Ok(LessonTable { set, lesson, rules, first, before })
    }

    /// Hands `hear` what the learner's seat is sent until the learner is asked, each message with the play that it tells of.
    pub(crate) fn begin(&self, mut hear: impl FnMut(ArenaMessage, Option<KnownPlay<'_>>)) {
        hear(ArenaMessage::Start(Box::new(start(self.set, &self.rules))), None);
        hear(asked(&self.first, &[]), None);
        self.before.iter().for_each(|play| send(play, &mut hear));
    }

    /// Lets the engine judge `action`, hands `hear` what the seat is sent then, and returns what is said of it.
    pub(crate) fn judge(
        &self,
        action: &Action,
        mut hear: impl FnMut(ArenaMessage, Option<KnownPlay<'_>>),
    ) -> LessonSentence {
        let game = self.before.last().map_or(&self.first, |play| &play.after);
        let LessonOutcome { verdict, answer, played } = self.lesson.judge(game, action);
        played.iter().for_each(|play| send(play, &mut hear));
        let own = answer.map_or("", |answer| answer.says.as_str());
        let (title, usual) = match verdict {
            LessonVerdict::Right => ("Right.", self.lesson.because.as_str()),
            LessonVerdict::Wrong => ("No.", "The rules do not allow that here."),
            LessonVerdict::Allowed => ("Allowed,", "but this lesson is about something else."),
        };
        let says = format!("{}{}", if own.is_empty() { usual } else { own }, price(&played));
        let rests_on = if verdict == LessonVerdict::Allowed { &[][..] } else { &self.lesson.clauses };
        let clauses = rests_on.iter().filter_map(|id| Some((id.clone(), law::clause(id)?.text()))).collect();
        LessonSentence { verdict, title, says, clauses }
    }

    /// The action that is shown to those who do not find one.
    pub(crate) fn solution(&self) -> Option<&'a Action> {
        self.lesson.right.first().map(|answer| &answer.action)
    }
}

/// What the learner was charged, as a sentence after another one.
fn price(played: &[LessonPlay]) -> String {
    let is_charged = |event: &&Event| matches!(event, Event::Penalty { seat, .. } if *seat == LEARNER);
    match played.iter().flat_map(|play| &play.events).filter(is_charged).count() {
        0 => String::new(),
        1 => " It costs a card.".to_owned(),
        cards => format!(" It costs {cards} cards."),
    }
}

fn start(set: &str, rules: &Rules) -> Start {
    Start {
        game: GameId("lesson".into()),
        seat: LEARNER,
        names: NAMES.into_iter().take(rules.seats()).map(str::to_owned).collect(),
        rule_set: set.to_owned(),
        rules: Some(rules.set().clone()),
        rounds: rules.rounds(),
        time: TimeControl::default(),
        max_strikes: 0,
        commitment: String::new(),
        seed: String::new(),
        public_seed: false,
    }
}

fn send(play: &LessonPlay, hear: &mut impl FnMut(ArenaMessage, Option<KnownPlay<'_>>)) {
    let LessonPlay { before, done, events, after, .. } = play;
    hear(asked(after, events), done.as_ref().map(|(by, action)| (before, *by, action, after)));
}

/// What the learner's seat is asked in `game`, after `events`.
fn asked(game: &Game, events: &[Event]) -> ArenaMessage {
    let what = asked_for(game, LEARNER);
    let mut legal = Vec::new();
    legal_verbs(game, LEARNER, what, |verb: Verb| {
        let say = game.words_due(LEARNER, &verb);
        legal.push(Action { verb, say });
    });
    ArenaMessage::Ask(Box::new(Ask {
        seat: LEARNER,
        what,
        // It has not seen what led to the position.
        as_of: EventNumber(game.last_event().0 + 1),
        events: events.iter().map(|event| event.seen_by(LEARNER)).collect(),
        view: Some(game.view(LEARNER)),
        legal,
        ..Ask::of(GameId("lesson".into()))
    }))
}
