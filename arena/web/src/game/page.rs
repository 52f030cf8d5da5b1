//! The page of a game: what stands in it, and the script that brings it to life. It does not know who serves it.

use maud::{Markup, PreEscaped, html};
use maumau_referee::story::DecisionMark;

use super::Story;
use crate::cards::{self, Colours};
use crate::page::{SITE_STYLE, STYLE, alone, joined, signs};

/// Where a server has the viewer's script.
pub const SCRIPT_PATH: &str = "/assets/viewer.js";

/// The style of the page of a game, after that of all pages.
pub const GAME_STYLE: &str = include_str!("../style/game.css");

/// The modules of the viewer, each after those that it imports from.
const MODULES: [&str; 9] = [
    include_str!("../viewer/story.js"),
    include_str!("../viewer/elements.js"),
    include_str!("../viewer/flights.js"),
    include_str!("../viewer/table.js"),
    include_str!("../viewer/moves.js"),
    include_str!("../viewer/judge.js"),
    include_str!("../viewer/timeline.js"),
    include_str!("../viewer/sound.js"),
    include_str!("../viewer/viewer.js"),
];

/// The viewer as one module.
pub fn script() -> String {
    joined(&MODULES)
}

/// A file that holds a whole game and loads nothing.
///
/// # Errors
/// The story has no JSON form.
pub fn offline_game(story: &Story) -> serde_json::Result<String> {
    let style = format!("{STYLE}{GAME_STYLE}");
    Ok(alone(&title(story), &style, &script(), true, &game_body(story, None, None)?).into_string())
}

fn title(story: &Story) -> String {
    format!("{} · {}", story.called.as_deref().unwrap_or(&story.game), story.rules)
}

/// As [`offline_game`], below `before`; `rules` and `law` as in [`game_body`].
///
/// # Errors
/// The story has no JSON form.
pub fn game_alone(
    story: &Story,
    before: &Markup,
    rules: Option<&str>,
    law: Option<&str>,
) -> serde_json::Result<Markup> {
    let body = html! { (before) (game_body(story, rules, law)?) };
    Ok(alone(&title(story), &format!("{STYLE}{SITE_STYLE}{GAME_STYLE}"), &script(), true, &body))
}

/// What stands in the body of a game's page; `rules` is the address of its rules, `law` that of the page with all clauses.
///
/// # Errors
/// The story has no JSON form.
pub fn game_body(story: &Story, rules: Option<&str>, law: Option<&str>) -> serde_json::Result<Markup> {
    let json = story.to_script_json()?;
    Ok(html! {
        header.game {
            h1 { @if let Some(rules) = rules { a href=(rules) { (story.rules) } } @else { (story.rules) } }
            p { (seats(story)) }
            p.id {
                @match story.called.as_deref().filter(|called| *called != story.game) {
                    Some(called) => { "Game " bdi { (called) } ", for its agents " bdi { (story.game) } },
                    None => { "Game " bdi { (story.game) } },
                }
            }
        }
        noscript { p { "Stepping through a game needs scripts. " code { "maumau replay FILE" } " prints it as text." } }
        main #viewer data-law=[law] {
            section.board aria-label="Table" {
                svg #table role="group" aria-label="Table" {}
                // It scrolls on small screens.
                p #sentence aria-live="polite" tabindex="0" {}
                (controls(story))
                div.scrubber {
                    svg #timeline role="img" aria-label="Hand sizes over the game" {}
                    input #moment type="range" min="0" value="0" aria-label="Moment of the game";
                    ul #legend {}
                }
                @if story.is_judged() { (judged()) }
                @if let Some(why) = story.not_judged() { p.judged { (why) } }
            }
            section.story aria-label="Story" {
                div #moves role="listbox" tabindex="0" aria-label="Moves" {}
                div #detail {}
            }
        }
        (help())
        svg.symbols aria-hidden="true" { defs { (PreEscaped(cards::symbols(&[story.pack], story.faces, Colours::OF_STYLE))) } }
        script #story type="application/json" { (PreEscaped(json)) }
    })
}

/// The agents, the best first once that is known.
fn seats(story: &Story) -> Markup {
    let mut order: Vec<usize> = (0..story.names.len()).collect();
    order.sort_by_key(|seat| (story.places.get(*seat), *seat));
    html! {
        @for (at, seat) in order.into_iter().enumerate() {
            @if at > 0 { ", " }
            @if let Some(place) = story.places.get(seat) { (place) ". " }
            bdi { (story.names[seat]) }
        }
    }
}

/// What a judge says of the game; the script fills it.
fn judged() -> Markup {
    html! {
        section.judged aria-labelledby="judged-title" {
            h2 #judged-title { "Chances and decisions" }
            svg #chances role="img" aria-label="Chances of the seats over the game" {}
            p.scale { "The line of each seat goes from 0 % at the bottom to 100 % at the top; dots are marked decisions." }
            h3 { "Worth a look" }
            ol #moments {}
            p #no-moments hidden { "No decision was marked, and no seat's chances turned much." }
            h3 { "Luck and skill" }
            ul #balances {}
            h3 { "What the signs mean" }
            dl #signs {
                @for mark in DecisionMark::ALL {
                    div { dt { span class={ "sign " (mark.name()) } { (mark.sign()) } " " (mark.name()) } dd { (meaning(mark)) } }
                }
                div { dt { "no sign" } dd { "There was no choice, nothing was surely better, or the difference is too uncertain." } }
            }
            p #judge {}
        }
    }
}

fn meaning(mark: DecisionMark) -> &'static str {
    match mark {
        DecisionMark::Good => "The best action, and every other one would have lost 5 points or more.",
        DecisionMark::Inaccuracy => "5 points or more were lost.",
        DecisionMark::Mistake => "10 points or more were lost.",
        DecisionMark::Blunder => "20 points or more were lost.",
    }
}

fn controls(story: &Story) -> Markup {
    html! {
        div.controls role="toolbar" aria-label="Playback" {
            div.transport {
                (button("first", "To the start (Home)", "M5 4v16M19 4 8 12l11 8z"))
                (button("back", "Back (left arrow)", "M16 4 6 12l10 8z"))
                (button("play", "Play (space)", "M6 3l14 9-14 9z"))
                (button("on", "On (right arrow)", "M8 4l10 8-10 8z"))
                (button("last", "To the end (End)", "M19 4v16M5 4l11 8-11 8z"))
            }
            div.jumps {
                button #fault type="button" title="Next fault (x)" { "Next fault" }
                button #interjection type="button" title="Next interjection (i)" { "Interjection" }
                button #round type="button" title="Next end of a round (r)" { "Round end" }
                @if story.is_judged() { button #mistake type="button" title="Next marked loss (m)" { "Next mistake" } }
            }
            div.choices {
                label { "Step " select #unit { option value="action" { "action" } option value="turn" { "turn" } option value="round" { "round" } } }
                label { "Speed " select #speed {
                    option value="0.5" { "½×" } option value="1" selected { "1×" } option value="2" { "2×" }
                    option value="5" { "5×" } option value="20" { "20×" } option value="played" { "as played" }
                } }
                label { "View " select #eyes {
                    option value="-1" { @if story.is_open() { "all hands" } @else { "a spectator" } }
                    @for (seat, name) in story.names.iter().enumerate().filter(|_| story.is_open()) { option value=(seat) { (name) } }
                } }
                button #flip type="button" title="Next seat to the bottom (f)" { "Flip" }
                button #colours type="button" aria-pressed="false" title="One colour for each suit (c)" { "4 colours" }
                button #sound type="button" title="Let the game be heard (s)" { "Sound" }
                button #link type="button" title="Copy a link to this moment" { "Link" }
                button #keys type="button" title="Keys (?)" { "?" }
            }
        }
    }
}

fn button(id: &str, title: &str, icon: &str) -> Markup {
    html! {
        button id=(id) type="button" title=(title) aria-label=(title) { svg viewBox="0 0 24 24" aria-hidden="true" { path d=(icon) {} } }
    }
}

fn help() -> Markup {
    const KEYS: [(&str, &str); 15] = [
        ("← →", "one step back, one on; so does a finger across the table"),
        ("space", "play and pause"),
        ("[ ]", "a turn back, a turn on"),
        ("Page Up, Page Down", "a round back, a round on"),
        ("Home, End", "to the start, to the end"),
        ("x, X", "next fault, fault before"),
        ("i, I", "next interjection, interjection before"),
        ("r, R", "next end of a round, the one before"),
        ("m, M", "next mistake of a judged game, mistake before"),
        ("f", "the next seat to the bottom"),
        ("e", "through the next seat's eyes; at last the referee's"),
        ("c", "one colour for each suit"),
        ("s", "sound on and off"),
        ("+ −", "faster, slower"),
        ("?", "these keys"),
    ];
    html! {
        dialog #help aria-labelledby="help-title" {
            h2 #help-title { "Keys" }
            dl { @for (key, meaning) in KEYS { div { dt { kbd { (key) } } dd { (meaning) } } } }
            (signs())
            form method="dialog" { button { "Close" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_one_module_without_ties() {
        let script = script();
        assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
        for module in MODULES {
            let exported = module.lines().filter_map(|line| line.strip_prefix("export "));
            exported.for_each(|line| assert_eq!(script.matches(&format!("\n{line}\n")).count(), 1, "{line}"));
        }
        assert!(!script.contains("</script") && !script.contains("innerHTML"));
    }
}
