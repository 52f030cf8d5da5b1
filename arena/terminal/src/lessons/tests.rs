//! Lessons by scripted messages, keys and lines; no terminal and no judge take part.

use maumau_engine::rules::load_built_in;
use maumau_protocol::{Verb, wire};
use serde_json::{Value, json};

use super::*;
use crate::testing::{LOOK, check, text};

const MAU: &str = r#"{"do":"play","card":"7H","say":["mau"]}"#;

fn lesson(number: usize, look: ScreenStyle) -> LessonSeat {
    let words = LessonWords {
        set: "Mau-Mau with a skat pack".to_owned(),
        number,
        of: 8,
        title: "Say mau".to_owned(),
        rule: "Who plays the last card but one says “mau” with it. A forgotten mau costs cards as soon as somebody calls it."
            .to_owned(),
        task: "You hold two cards. Play the seven of hearts, and say mau with it: choose the word first.".to_owned(),
        solution: Some(action(MAU)),
    };
    let mut lesson = LessonSeat::new(words, look);
    let rules = load_built_in("skat", &[]).expect("a built-in set").set;
    let time = json!({"move_ms": 5_000, "bank_ms": 0, "increment_ms": 0, "start_ms": 10_000});
    let start = json!({"type": "start", "game": "g", "seat": 0, "names": ["Alex (you)", "Bo", "Cleo"], "rule_set": "skat",
        "rounds": 1, "rules": rules, "time": time, "max_strikes": 0, "commitment": "", "seed": ""});
    lesson.hear(message(&start), None);
    let played = json!([{"event": "played", "seat": 2, "card": "7C"}]);
    let legal = json!([{"do": "play", "card": "7H", "say": ["mau"]}, {"do": "draw"}]);
    lesson.hear(message(&ask("7C", &["7H", "TS"], 0, &played, &legal)), None);
    lesson
}

fn message(value: &Value) -> ArenaMessage {
    wire::read_arena_line(&value.to_string()).expect("a message").expect("a known one")
}

fn ask(top: &str, hand: &[&str], turn: usize, events: &Value, legal: &Value) -> Value {
    let view = json!({"hand": hand, "top": top, "hands": [hand.len(), 2, 3], "turn": turn, "draw_pile": 9, "round": 1,
        "rounds": 1, "dealer": 2, "points": [0, 0, 0], "wins": [0, 0, 0], "mau_said": [], "pending": {}});
    json!({"type": "ask", "game": "g", "id": "0000000000000001", "seat": 0, "what": "turn", "time_ms": 0, "as_of": 3,
        "events": events, "view": view, "legal": legal})
}

fn action(json: &str) -> Action {
    serde_json::from_str(json).expect("an action")
}

fn judge(lesson: &mut LessonSeat, is_right: bool) {
    let events = json!([{"event": "said", "seat": 0, "text": "mau"}, {"event": "played", "seat": 0, "card": "7H"}]);
    lesson.hear(message(&ask("7H", &["TS"], 1, &events, &json!([]))), None);
    let clause = |id: &str, text: &str| (id.to_owned(), text.to_owned());
    lesson.judge(LearnerVerdict {
        is_right,
        title: if is_right { "Right." } else { "No." }.to_owned(),
        says: "You have one card left, and everybody knows it.".to_owned(),
        clauses: vec![
            clause("K-40", "Who plays the last card but one must say mau."),
            clause("K-41", &"It may be said together with the card or before somebody calls the mistake. ".repeat(2)),
        ],
    });
}

fn shown(lesson: &LessonSeat) -> String {
    text((80, 24), |buffer, area| lesson.draw(buffer, area))
}

#[test]
fn screens_of_a_lesson_are_as_they_were() {
    let mut one = lesson(3, LOOK);
    check("lesson-80x24", &shown(&one));
    check("lesson-200x50", &text((200, 50), |buffer, area| one.draw(buffer, area)));
    assert_eq!(one.press(Key::Char('?')), LessonFlow::Stay);
    check("lesson-help-80x24", &shown(&one));
    one.press(Key::Escape);
    judge(&mut one, true);
    check("lesson-right-80x24", &shown(&one));
    let mut ascii = lesson(3, ScreenStyle { signs: false, ..LOOK });
    assert!(shown(&ascii).is_ascii(), "{}", shown(&ascii));
    judge(&mut ascii, false);
    assert!(shown(&ascii).is_ascii(), "{}", shown(&ascii));
}

#[test]
fn the_learner_plays_by_the_keys_of_a_seat() {
    let mut one = lesson(3, LOOK);
    one.press(Key::Char('1'));
    assert_eq!(one.press(Key::Enter), LessonFlow::Act(action(MAU)));
    let mut one = lesson(3, LOOK);
    assert_eq!(one.press(Key::Char('d')), LessonFlow::Act(Verb::Draw.into()));
    one.press(Key::End);
    assert_eq!(one.press(Key::Enter), LessonFlow::Stay, "a card that does not fit is asked for once");
    assert!(shown(&one).contains("10♠ may not be played now"), "{}", shown(&one));
    assert_eq!(one.press(Key::Enter), LessonFlow::Act(action(r#"{"do":"play","card":"TS"}"#)));
}

#[test]
fn a_question_of_the_seat_gets_its_keys() {
    let mut one = lesson(3, LOOK);
    one.press(Key::Char('s'));
    for letter in "quer[".chars() {
        assert_eq!(one.press(Key::Char(letter)), LessonFlow::Stay, "{letter}");
    }
    assert_eq!(one.press(Key::Enter), LessonFlow::Act(action(r#"{"do":"say","text":"quer["}"#)));
}

#[test]
fn keys_lead_on_by_what_was_judged() {
    for (is_right, enter) in [(true, LessonFlow::Next), (false, LessonFlow::Again)] {
        let mut one = lesson(3, LOOK);
        judge(&mut one, is_right);
        assert_eq!(one.press(Key::Char('d')), LessonFlow::Stay, "nothing is played any more");
        assert_eq!(one.press(Key::Enter), enter);
        assert_eq!(one.press(Key::Char('r')), LessonFlow::Again);
    }
    let mut one = lesson(3, LOOK);
    for (key, flow) in [(']', LessonFlow::Next), ('[', LessonFlow::Back), ('q', LessonFlow::Leave)] {
        assert_eq!(one.press(Key::Char(key)), flow);
    }
    assert!(!shown(&one).contains("Solution"));
    one.press(Key::Char('h'));
    assert!(shown(&one).contains("Solution: play 7♥ and say \"mau\""), "{}", shown(&one));
}

#[test]
fn lines_say_what_the_screen_shows() {
    let mut one = lesson(3, LOOK);
    check("lesson-lines", &one.as_text());
    judge(&mut one, true);
    let said = one.judged_text();
    assert!(said.contains("plays 7♥") && said.contains("Right. You have one card left"), "{said}");
    assert!(said.contains("  K-40: Who plays"), "{said}");
    assert!(lesson(3, ScreenStyle { signs: false, ..LOOK }).as_text().is_ascii());
}

#[test]
fn a_line_is_read_as_it_is_meant() {
    let act = |json: &str| LessonFlow::Act(action(json));
    for (line, flow) in [
        ("play 7h and say mau", act(MAU)),
        ("  PLAY 7♥ and say \"mau\" ", act(MAU)),
        ("play 10s", act(r#"{"do":"play","card":"TS"}"#)),
        ("play ts, naming hearts", act(r#"{"do":"play","card":"TS","choose":{"suit":"H"}}"#)),
        ("draw", act(r#"{"do":"draw"}"#)),
        ("d", act(r#"{"do":"draw"}"#)),
        ("pass", act(r#"{"do":"pass"}"#)),
        ("say mau", act(r#"{"do":"say","text":"mau"}"#)),
        ("call bo: mau was not said", act(r#"{"do":"call","against":1,"fault":"no_mau"}"#)),
        ("next", LessonFlow::Next),
        ("back", LessonFlow::Back),
        ("again", LessonFlow::Again),
        ("5", LessonFlow::Open(5)),
        ("quit", LessonFlow::Leave),
        ("", LessonFlow::Stay),
    ] {
        assert_eq!(lesson(3, LOOK).read(line), (flow, String::new()), "{line}");
    }
    for (line, said) in [
        ("fly", "\"fly\" is nothing that you can do here"),
        ("play", "nothing that you can do here"),
        ("play 9c", "you do not hold 9c"),
        ("play 7h, naming green cheese", "\"green cheese\" cannot be named"),
        ("call bo", "which of these: call Bo: "),
        ("say", "nothing that you can do here"),
        ("solution", "play 7♥ and say \"mau\"\n"),
        ("help", "naming spades"),
    ] {
        let (flow, text) = lesson(3, LOOK).read(line);
        assert_eq!(flow, LessonFlow::Stay, "{line}");
        assert!(text.contains(said) && text.ends_with('\n'), "{line}: {text}");
    }
}
