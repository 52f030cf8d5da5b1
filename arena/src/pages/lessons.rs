//! The lessons of the built-in rule sets, as pages ask for them: the engine plays a lesson from its beginning each time, and a person's
//! seat shows what happens. Nothing is kept of those who learn.

use std::sync::LazyLock;

use maumau_agents::person::PersonGame;
use maumau_engine::rules::{BuiltIn, law, load_built_in};
use maumau_engine::{Game, Rules};
use maumau_model_check::lesson::{self, LEARNER, Lesson, LessonPlay, LessonVerdict};
use maumau_protocol::message::{ArenaMessage, Ask, ClockMode, GameId, Start, TimeControl};
use maumau_protocol::{Action, Event, EventNumber, Faces, Verb};
use maumau_referee::legal_verbs;
use maumau_referee::lockstep::asked_for;
use maumau_web::lessons::{LessonSet, LessonText, Lessons};
use maumau_web::shown::NotShown;
use serde_json::{Value, json};

use super::shown_seat::{SentToPage, ShownSeat, choice_label, label};

/// Who sits at the table of a lesson.
const NAMES: [&str; 6] = ["Alex (you)", "Bo", "Cleo", "Dana", "Eli", "Fay"];

/// The lessons of this program.
pub(crate) struct BuiltInLessons;

/// Made once: all rule sets are read for it.
static SETS: LazyLock<Vec<LessonSet>> = LazyLock::new(|| {
    let listed = |name: &str| {
        let set = load_built_in(name, &[]).ok()?.set;
        let lessons = lesson::of_set(name).ok()??.len();
        Some(LessonSet { name: name.to_owned(), title: set.title.to_string(), about: set.about.to_string(), lessons })
    };
    lesson::sets().filter_map(listed).collect()
});

impl Lessons for BuiltInLessons {
    fn sets(&self) -> Vec<LessonSet> {
        SETS.clone()
    }

    fn has(&self, set: &str) -> bool {
        lesson::sets().any(|known| known == set)
    }

    fn of_set(&self, set: &str) -> Result<Option<Vec<LessonText>>, NotShown> {
        let lessons = lesson::of_set(set).map_err(super::trouble)?;
        let text = |lesson: Lesson| {
            let Lesson { title, rule, task, .. } = lesson;
            LessonText { title, rule, task }
        };
        Ok(lessons.map(|lessons| lessons.into_iter().map(text).collect()))
    }

    fn answer(&self, set: &str, lesson: usize, action: Option<Value>) -> Result<Option<Value>, NotShown> {
        let lessons = lesson::of_set(set).map_err(super::trouble)?.unwrap_or_default();
        let Some(lesson) = lessons.get(lesson) else { return Ok(None) };
        let action = action.map(serde_json::from_value::<Action>).transpose();
        let action = action.map_err(|error| NotShown(format!("What the page sent is no action: {error}")))?;
        shown(set, lesson, action.as_ref()).map(Some)
    }
}

/// A lesson of `set` as its page shows it, after `action` if the learner has done something.
fn shown(set: &str, lesson: &Lesson, action: Option<&Action>) -> Result<Value, NotShown> {
    let rules = lesson.rules(set, &BuiltIn).map_err(super::trouble)?;
    let (first, before) = lesson.begin(&rules).map_err(super::trouble)?;
    let mut seat = ShownSeat::new(ClockMode::Live);
    seat.hear(ArenaMessage::Start(Box::new(start(set, &rules))), 0);
    seat.hear(asked(&first, &[]), 0);
    before.iter().for_each(|play| hear(&mut seat, play));
    let game = before.last().map_or(&first, |play| &play.after);
    let solution = lesson.right.first().map(|answer| in_words(&answer.action, &seat.table));
    let outcome = action.map(|action| lesson.judge(game, action));
    outcome.iter().flat_map(|outcome| &outcome.played).for_each(|play| hear(&mut seat, play));
    seat.show(0);
    let (mut sent, mut state) = (Vec::new(), Value::Null);
    for news in seat.take_sent() {
        match news {
            SentToPage::Line(json) | SentToPage::Moment(json) => sent.push(json),
            SentToPage::State(json) => state = json,
        }
    }
    let verdict = outcome.map(|outcome| {
        let own = outcome.answer.map_or("", |answer| answer.says.as_str());
        let (kind, usual) = match outcome.verdict {
            LessonVerdict::Right => ("right", lesson.because.as_str()),
            LessonVerdict::Wrong => ("wrong", "The rules do not allow that here."),
            LessonVerdict::Allowed => ("allowed", "but this lesson is about something else."),
        };
        let says = format!("{}{}", if own.is_empty() { usual } else { own }, price(&outcome.played));
        json!({ "kind": kind, "says": says })
    });
    let clauses = lesson.clauses.iter().filter_map(|id| Some(json!({ "id": id, "text": law::clause(id)?.text() })));
    Ok(json!({
        "sent": sent,
        "state": state,
        "verdict": verdict,
        "solution": solution,
        "clauses": clauses.collect::<Vec<_>>(),
    }))
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

fn hear(seat: &mut ShownSeat, play: &LessonPlay) {
    let LessonPlay { before, done, events, after, .. } = play;
    seat.hear_of(asked(after, events), done.as_ref().map(|(by, action)| (before, *by, action, after)), 0);
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

/// An action in words.
fn in_words(action: &Action, table: &PersonGame) -> String {
    let names = table.start().map(|start| start.names.clone()).unwrap_or_default();
    let faces = table.start().map_or(Faces::French, Start::faces);
    let mut words = label(&action.verb, &names, table);
    if let Verb::Play { choose: Some(choice), .. } = &action.verb {
        words += &format!(", and name {}", choice_label(choice, &names, faces));
    }
    for said in action.say.texts() {
        words += &format!(", and say “{}”", said.as_str());
    }
    words
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use maumau_engine::rules::all_sets;
    use maumau_rulebook::{Passage, Rulebook};

    use super::*;

    /// The clauses that the file of a rule set cites, or the one that it changes, and those of its explanation.
    fn cited(name: &str) -> BTreeSet<String> {
        let loaded = load_built_in(name, &[]).expect("a rule set");
        let mut cited = BTreeSet::new();
        for passage in Rulebook::of_file(&loaded, None).passages() {
            let (Passage::Paragraph(said) | Passage::Item(said)) = passage else { continue };
            cited.extend(said.into_iter().flat_map(|(_, clauses)| clauses));
        }
        let text = |name: &str| all_sets().find(|set| set.name == name).map_or("", |set| set.text);
        let changed =
            text(name).lines().find_map(|line| line.strip_prefix("extends = ")).map(|name| name.trim_matches('"'));
        for text in [text(name), changed.map_or("", text)] {
            cited.extend(law::cited(text).map(|(_, id)| id.to_owned()));
        }
        cited
    }

    #[test]
    fn every_lesson_teaches_clauses_of_its_rule_set() {
        for LessonSet { name, .. } in BuiltInLessons.sets() {
            let cited = cited(&name);
            // What a set shares with all others is no lesson of its own.
            let is_own = |id: &String| !id.starts_with("G-");
            for lesson in lesson::of_set(&name).expect("lessons").expect("a set with lessons") {
                assert!(lesson.clauses.iter().any(is_own) || !cited.iter().any(is_own), "{name}: {}", lesson.title);
                for clause in lesson.clauses {
                    assert!(law::clause(&clause).is_some(), "{name}: {}: {clause} is no clause", lesson.title);
                    assert!(cited.contains(&clause), "{name}: {}: {clause} is none of the rule set", lesson.title);
                }
            }
        }
    }

    #[test]
    fn every_lesson_is_shown_with_what_solves_it() {
        for LessonSet { name, lessons, .. } in BuiltInLessons.sets() {
            for at in 0..lessons {
                let begun = BuiltInLessons.answer(&name, at, None).expect("a lesson").expect("a lesson");
                let state = &begun["state"];
                assert!(state["can_answer"] == true && begun["verdict"].is_null(), "{name} {at}: {begun}");
                let lesson = &lesson::of_set(&name).expect("lessons").expect("lessons")[at];
                for (answers, solves) in [(&lesson.right, true), (&lesson.wrong, false)] {
                    for answer in answers {
                        let action = Some(json!(answer.action));
                        let answered = BuiltInLessons.answer(&name, at, action).expect("judged").expect("a lesson");
                        let verdict = &answered["verdict"];
                        assert_eq!(verdict["kind"] == "right", solves, "{name} {at}: {verdict}");
                        assert!(verdict["says"].as_str().is_some_and(|says| !says.is_empty()), "{name} {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_lesson_or_no_action_is_said() {
        let answer = |set, at, action| BuiltInLessons.answer(set, at, action);
        assert_eq!(answer("no-set", 0, None), Ok(None));
        assert_eq!(answer("basic", 1_000, None), Ok(None));
        assert!(answer("basic", 0, Some(json!({ "do": "fly" }))).is_err_and(|NotShown(why)| why.contains("no action")));
        for action in
            [json!({ "do": "wait" }), json!({ "do": "deal", "to": [0] }), json!({ "do": "play", "card": "WX" })]
        {
            _ = answer("basic", 0, Some(action));
        }
    }
}
