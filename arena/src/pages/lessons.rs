//! The lessons of the built-in rule sets, as pages ask for them: the engine plays a lesson from its beginning each time, and a person's
//! seat shows what happens. Nothing is kept of those who learn.

use maumau_agents::person::PersonGame;
use maumau_model_check::lesson::{self, Lesson, LessonAnswer, LessonVerdict};
use maumau_protocol::message::{ClockMode, Start};
use maumau_protocol::{Action, Faces, Verb};
use maumau_referee::story::{Scene, StoryPosition};
use maumau_web::lessons::{AnsweredLesson, LessonSet, LessonText, Lessons};
use maumau_web::shown::NotShown;
use serde_json::{Value, json};

use super::shown_seat::{SentToPage, ShownSeat, choice_label, label};
use crate::lessons::{LessonSentence, LessonTable, sets};

/// The lessons of this program.
pub(crate) struct BuiltInLessons;

impl Lessons for BuiltInLessons {
    fn sets(&self) -> Vec<LessonSet> {
        sets().to_vec()
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

    fn with_answers(&self, set: &str) -> Result<Option<Vec<AnsweredLesson>>, NotShown> {
        let lessons = lesson::of_set(set).map_err(super::trouble)?;
        lessons.map(|lessons| lessons.iter().map(|lesson| answered(set, lesson)).collect()).transpose()
    }
}

/// A lesson of `set` with what is said of each answer that it knows.
fn answered(set: &str, lesson: &Lesson) -> Result<AnsweredLesson, NotShown> {
    let table = LessonTable::new(set, lesson).map_err(super::trouble)?;
    let mut seat = ShownSeat::new(ClockMode::Live);
    table.begin(|message, play| seat.hear_of(message, play, 0));
    let names = seat.table.start().map(|start| start.names.clone()).unwrap_or_default();
    let faces = seat.table.start().map_or(Faces::French, Start::faces);
    let position = StoryPosition::Seen(Box::new(seat.table.view().clone()));
    let answer = |answer: &LessonAnswer| {
        let LessonSentence { title, says, .. } = table.judge(&answer.action, |_, _| {});
        (in_words(&answer.action, &seat.table), format!("{title} {says}"))
    };
    Ok(AnsweredLesson {
        text: LessonText { title: lesson.title.clone(), rule: lesson.rule.clone(), task: lesson.task.clone() },
        scene: Scene::new(position, Some(seat.table.seat()), &names, faces),
        names,
        answers: lesson.right.iter().chain(&lesson.wrong).map(answer).collect(),
    })
}

/// A lesson of `set` as its page shows it, after `action` if the learner has done something.
fn shown(set: &str, lesson: &Lesson, action: Option<&Action>) -> Result<Value, NotShown> {
    let table = LessonTable::new(set, lesson).map_err(super::trouble)?;
    let mut seat = ShownSeat::new(ClockMode::Live);
    table.begin(|message, play| seat.hear_of(message, play, 0));
    let solution = table.solution().map(|action| in_words(action, &seat.table));
    let verdict = action.map(|action| {
        let said = table.judge(action, |message, play| seat.hear_of(message, play, 0));
        let LessonSentence { verdict, title, says, clauses } = said;
        let kind = match verdict {
            LessonVerdict::Right => "right",
            LessonVerdict::Wrong => "wrong",
            LessonVerdict::Allowed => "allowed",
        };
        let clauses = clauses.into_iter().map(|(id, text)| json!({ "id": id, "text": text }));
        json!({ "kind": kind, "title": title, "says": says, "clauses": clauses.collect::<Vec<_>>() })
    });
    seat.show(0);
    let (mut sent, mut state) = (Vec::new(), Value::Null);
    for news in seat.take_sent() {
        match news {
            SentToPage::Line(json) | SentToPage::Moment(json) => sent.push(json),
            SentToPage::State(json) => state = json,
        }
    }
    Ok(json!({ "sent": sent, "state": state, "verdict": verdict, "solution": solution }))
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

    use maumau_engine::rules::{all_sets, law, load_built_in};
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
    fn every_lesson_can_be_read_with_what_is_said_of_its_answers() {
        for LessonSet { name, .. } in BuiltInLessons.sets() {
            let read = BuiltInLessons.with_answers(&name).expect("lessons").expect("lessons");
            let lessons = lesson::of_set(&name).expect("lessons").expect("lessons");
            assert_eq!(read.len(), lessons.len());
            for (AnsweredLesson { text, names, scene, answers }, lesson) in read.iter().zip(&lessons) {
                assert_eq!((names.len(), &text.title), (scene.hands.len(), &lesson.title), "{name}");
                assert_eq!(answers.len(), lesson.right.len() + lesson.wrong.len());
                let right = answers.iter().filter(|(_, says)| says.starts_with("Right. "));
                assert_eq!(right.count(), lesson.right.len(), "{name}: {answers:?}");
                let said: BTreeSet<&str> = answers.iter().map(|(action, _)| action.as_str()).collect();
                assert_eq!(said.len(), answers.len(), "{name}: each answer has words of its own: {answers:?}");
            }
        }
        assert!(BuiltInLessons.with_answers("no-set").expect("no lessons").is_none());
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
