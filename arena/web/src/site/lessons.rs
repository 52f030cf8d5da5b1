//! The pages of lessons: the rule sets that have some, and those of one set, one after another on the table of a seat.

use maud::{Markup, html};

use maumau_protocol::Seat;

use super::LOBBY_PATH;
use crate::address::in_path;
use crate::cards::Colours;
use crate::lessons::{AnsweredLesson, LessonSet, LessonText};
use crate::seats::{board, seat_extras};
use crate::table::{Moment, pictures};

/// Where lessons are.
pub(crate) const LEARN_PATH: &str = "/learn";

/// Where the lessons of a rule set are.
pub(crate) fn learn_address(set: &str) -> String {
    format!("{LEARN_PATH}/{}", in_path(set))
}

/// Rule sets that have lessons; without `plays` those are only to be read.
pub(crate) fn lesson_sets(sets: &[LessonSet], plays: bool) -> Markup {
    html! {
        main.text {
            h1 { "Learn" }
            p {
                "Small positions on a real table, one rule each: "
                @if plays { "you play, and the referee judges what you do." } @else { "what may be done there, and what comes of it." }
                " The rules of a game take about three minutes."
            }
            dl.learn {
                @for LessonSet { name, title, about, lessons } in sets {
                    dt { a href=(learn_address(name)) { (title) } " – " (lessons) " lessons" }
                    dd { (about) }
                }
            }
        }
    }
}

/// The lessons of the rule set with this name and title, to be read where nobody judges.
pub(crate) fn lessons_to_read(name: &str, title: &str, lessons: &[AnsweredLesson]) -> Markup {
    let moments = lessons.iter().map(|AnsweredLesson { names, scene, .. }| Moment {
        scene,
        names,
        said: &[],
        bottom: Seat::FIRST,
    });
    let moments: Vec<Moment<'_>> = moments.collect();
    let (symbols, drawn) = pictures(&moments, Colours::TWO);
    html! {
        main.text.to-read {
            h1 { "Learn " (title) }
            p {
                "Small positions, one rule each, with the answers to be opened: this page judges nothing. " code { "maumau learn " (name) }
                " has them to be played in a terminal, and " code { "maumau serve" } " in a browser. "
                a href={ "/rules/" (in_path(name)) } { "All rules in words" } "."
            }
            (symbols)
            @for (at, (AnsweredLesson { text, answers, .. }, drawn)) in lessons.iter().zip(drawn).enumerate() {
                @let id = format!("lesson-{}", at + 1);
                article aria-labelledby=(id) {
                    h2 id=(id) { (at + 1) ". " (text.title) }
                    p { (text.rule) }
                    (drawn)
                    p { b { (text.task) } }
                    details {
                        summary { "Answers" }
                        ul { @for (action, says) in answers { li { b { (action) } ": " (says) } } }
                    }
                }
            }
        }
    }
}

/// The lessons of a rule set; `plays` if it can be played here.
///
/// # Errors
/// Their data have no JSON form.
pub(crate) fn lessons(set: &LessonSet, lessons: &[LessonText], plays: bool) -> serde_json::Result<Markup> {
    Ok(html! {
        header.game { h1 { "Learn " (set.title) } }
        noscript { p { "Lessons need scripts. " a href={ "/rules/" (in_path(&set.name)) } { "The rules in words" } " do not." } }
        main.seat.learn data-set=(set.name) data-answers=(learn_address(&set.name)) {
            section.lesson aria-label="Lesson" {
                nav aria-label="Lessons" {
                    ol #steps {
                        @for (at, lesson) in lessons.iter().enumerate() {
                            li { a href={ "#" (at + 1) } title=(lesson.title) aria-label=(format!("{}. {}", at + 1, lesson.title)) { (at + 1) } }
                        }
                    }
                }
                @for lesson in lessons {
                    article.step hidden {
                        h2 tabindex="-1" { (lesson.title) }
                        p { (lesson.rule) }
                        p.task { (lesson.task) }
                    }
                }
                article.step hidden {
                    h2 tabindex="-1" { "You know the rules" }
                    p { "These were all lessons of this game. " a href={ "/rules/" (in_path(&set.name)) } { "All its rules in words" } "." }
                    p {
                        @if plays { a href={ (LOBBY_PATH) "?rules=" (in_path(&set.name)) } { "Play it" } " · " }
                        a href=(LEARN_PATH) { "Learn another game" }
                    }
                }
                div #verdict role="status" {}
                div #ways {
                    button #next type="button" hidden { "Next" }
                    button #again type="button" hidden { "Try again" }
                    button #solution type="button" { "Show me" }
                }
                p #status role="status" {}
            }
            section.board aria-label="Table" { (board(false)) }
            section.story aria-label="Story" { div #lines role="log" aria-label="What happened" tabindex="0" {} }
        }
        (seat_extras(None)?)
    })
}
