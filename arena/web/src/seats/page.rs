//! The page of a seat: a frame that the script fills with what the agent of the person sends. It does not know the game.

use maud::{Markup, PreEscaped, html};
use maumau_protocol::{Faces, Pack, Suit};
use serde::Serialize;
use std::collections::BTreeMap;

use crate::cards::{self, Colours};
use crate::game::{card_words, to_script_json};
use crate::page::{joined, signs};
use crate::seats::{Seats, WebSeat};
use crate::table::DrawingMeasures;

/// Where a server has the script of a seat.
pub(crate) const SEAT_SCRIPT_PATH: &str = "/assets/seat.js";

/// Where a server has the script of lessons.
pub(crate) const LESSON_SCRIPT_PATH: &str = "/assets/lesson.js";

/// The style of the page of a seat, after that of a game.
pub(crate) const SEAT_STYLE: &str = include_str!("../style/seat.css");

/// The modules of a table at which a person sits, each after those that it imports from.
const MODULES: [&str; 10] = [
    include_str!("../viewer/story.js"),
    include_str!("../viewer/elements.js"),
    include_str!("../viewer/flights.js"),
    include_str!("../viewer/table.js"),
    include_str!("../viewer/moves.js"),
    include_str!("../viewer/choices.js"),
    include_str!("../viewer/clock.js"),
    include_str!("../viewer/pace.js"),
    include_str!("../viewer/sound.js"),
    include_str!("../viewer/seat_table.js"),
];

/// The script of a seat as one module.
pub(crate) fn seat_script() -> String {
    with_table(include_str!("../viewer/seat.js"))
}

/// The script of lessons as one module.
pub(crate) fn lesson_script() -> String {
    with_table(include_str!("../viewer/lesson.js"))
}

fn with_table(module: &str) -> String {
    joined(&[&MODULES[..], &[module]].concat())
}

/// What the page of a seat is made of.
pub(crate) struct SeatPage<'a> {
    /// The number in its address.
    pub(crate) number: usize,
    /// The page of its table, if it has one.
    pub(crate) table: Option<&'a str>,
}

/// What the script needs before anything is sent.
#[derive(Serialize)]
struct Needed {
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    /// For each number of seats up to the largest table, how a wide and a tall table stand.
    stages: Vec<BTreeMap<&'static str, DrawingMeasures>>,
    /// By the name of faces.
    words: BTreeMap<&'static str, FaceWords>,
}

/// How cards with some faces are called.
#[derive(Serialize)]
struct FaceWords {
    cards: BTreeMap<String, crate::game::CardWords>,
    /// Suits and values that can be named, by their letters.
    suits: BTreeMap<char, String>,
    ranks: BTreeMap<char, String>,
}

impl FaceWords {
    fn new(faces: Faces) -> FaceWords {
        let suits = Suit::OF_ALL_PACKS.into_iter();
        let ranks = Pack::ALL.into_iter().flat_map(Pack::ranks);
        FaceWords {
            cards: card_words(packs_with(faces), faces),
            suits: suits.map(|suit| (suit.letter(), format!("{} {}", faces.sign(suit), faces.suit(suit)))).collect(),
            ranks: ranks.map(|rank| (rank.letter(), faces.ranks(rank))).collect(),
        }
    }
}

/// The packs that can have these faces.
fn packs_with(faces: Faces) -> &'static [Pack] {
    if faces == Faces::French { &Pack::ALL } else { &[Pack::French] }
}

/// The page.
///
/// # Errors
/// Its data have no JSON form.
pub(crate) fn seat_page(page: &SeatPage<'_>) -> serde_json::Result<Markup> {
    Ok(html! {
        header.game {
            h1 #title { "Your seat" }
            p #status role="status" { "Waiting for the game …" }
        }
        noscript { p { "Playing needs scripts. " code { "maumau play --seat human" } " plays in a terminal." } }
        main.seat {
            section.board aria-label="Table" {
                (board(true))
                @if let Some(table) = page.table { p.pace { a href=(table) { "This table: leave, rematch, replay" } } }
            }
            section.story aria-label="Story" {
                div #lines role="log" aria-label="What happened" tabindex="0" {}
            }
        }
        (seat_extras(Some(page.number))?)
    })
}

/// The table with what the person can do below it; `is_timed` if time runs there.
pub(crate) fn board(is_timed: bool) -> Markup {
    html! {
        svg #table role="group" aria-label="Table" {}
        div.clock {
            @if is_timed { div #time role="timer" aria-label="Time" { span #left {} } }
            p #turn aria-live="assertive" {}
        }
        div #hand role="group" aria-label="Your hand" {}
        div #naming role="group" aria-label="Name with this card" hidden {}
        div #words role="group" aria-label="Words" {}
        div #moves-now role="group" aria-label="Moves" {}
        form #speech {
            label { "Say something else " input #said maxlength="200" autocomplete="off"; }
            button { "Say" }
        }
        details #more {
            summary { "Call a mistake" }
            form #call {
                label { "of " select #accused {} }
                label { "namely " select #mistake {} }
                button { "Call" }
            }
            div #unlisted role="group" aria-label="Other things to do" {}
        }
        p.pace {
            label { "Pace of the others " select #pace {} } " "
            button #sound type="button" title="Let the table be heard" { "Sound" }
        }
    }
}

/// What the script of a table needs besides: dialogs, cards, data. `number` is that of the seat, if it is one of a game.
///
/// # Errors
/// The data have no JSON form.
pub(crate) fn seat_extras(number: Option<usize>) -> serde_json::Result<Markup> {
    let stages = (0..=maumau_protocol::MAX_SEATS).map(|seats| {
        BTreeMap::from([("wide", DrawingMeasures::wide(seats.max(1))), ("tall", DrawingMeasures::tall(seats.max(1)))])
    });
    let words = Faces::ALL.map(|faces| (faces.name(), FaceWords::new(faces))).into();
    let json = to_script_json(&Needed { number, stages: stages.collect(), words })?;
    let keys = KEYS.iter().filter(|(key, _)| number.is_some() || !OF_GAMES.contains(key));
    Ok(html! {
        dialog #sheet aria-labelledby="sheet-title" {
            h2 #sheet-title {}
            table {
                thead { tr #sheet-heads {} }
                tbody #sheet-rows {}
            }
            form method="dialog" { button #sheet-next autofocus { "Next round" } }
        }
        dialog #help aria-labelledby="help-title" {
            h2 #help-title { "Keys" }
            dl {
                @for (key, meaning) in keys { div { dt { kbd { (key) } } dd { (meaning) } } }
            }
            (signs())
            form method="dialog" { button { "Close" } }
        }
        svg.symbols #symbols aria-hidden="true" {}
        @for faces in Faces::ALL {
            template data-faces=(faces.name()) {
                svg { defs { (PreEscaped(cards::symbols(packs_with(faces), faces, Colours::OF_STYLE))) } }
            }
        }
        script #needed type="application/json" { (PreEscaped(json)) }
    })
}

/// The page behind the link of a free seat: nothing is taken before its button is pressed.
pub(crate) fn door_page(place: &WebSeat, token: &str) -> Markup {
    html! {
        main.text {
            h1 { "A seat at the table" }
            p { "This is the seat of " bdi { (place.name()) } ". Press the button to sit down in this browser. A match that has not begun begins once every seat is taken." }
            form.act method="post" action={ "/seat/" (place.number()) } {
                input type="hidden" name="token" value=(token);
                button autofocus { "Take this seat" }
            }
        }
    }
}

/// The page of the organiser, which frees the seats of those who lost them.
pub(crate) fn organiser_page(seats: &Seats, key: &str) -> Markup {
    html! {
        main.text {
            h1 { "Seats of people" }
            p { "Somebody who has lost a seat, because the browser or its cookies are gone, can take it again by the same link once you have freed it here. The game goes on meanwhile." }
            ul.seats {
                @for place in seats.places().iter().filter(|place| place.ended().is_none()) {
                    li {
                        bdi { (place.name()) }
                        @if place.is_taken() {
                            form.act method="post" action={ "/seats/" (place.number()) "/free" } {
                                input type="hidden" name="key" value=(key);
                                button { "Free the seat of " bdi { (place.name()) } }
                            }
                        } @else {
                            " – free: its link can be used"
                        }
                    }
                }
            }
        }
    }
}

/// Keys that mean something in games alone.
const OF_GAMES: [&str; 2] = ["w", "h"];

const KEYS: [(&str, &str); 9] = [
    ("1 … 9", "the card of that place in your hand"),
    ("d", "draw"),
    ("p", "pass"),
    ("w", "let it pass: you do nothing now"),
    ("m, n, b …", "the words that are due, by the letters shown on them"),
    ("h", "a hint: what a bot would do"),
    (".", "hurry: show at once what the others have done"),
    ("c", "one colour for each suit"),
    ("?", "these keys"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_script_is_one_module_without_ties() {
        for script in [seat_script(), lesson_script()] {
            assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
            assert!(!script.contains("</script") && !script.contains("innerHTML"));
        }
    }
}
