//! A picture of one moment of a game as SVG that stands alone, and of several moments one after another: for reports, documents and
//! mail. The page of a game draws the same in the browser (`viewer/table.js`), from the same symbols and the same
//! [`DrawingMeasures`].

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use maumau_protocol::{Card, Direction, Pack, Seat, Suit};

use super::{DrawingMeasures, Scene, SeatSpot, ShownHand};
use crate::cards::{self, Colours};

/// Characters of a name or of speech that are drawn, at most.
const MAX_CHARS: usize = 28;

/// One moment of a game.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// What lies on the table.
    pub scene: &'a Scene,
    /// The names of the agents by seat: text, never markup.
    pub names: &'a [String],
    /// What seats have just said.
    pub said: &'a [(Seat, String)],
    /// The seat at the bottom.
    pub bottom: Seat,
}

/// One of the moments that a moving picture shows.
#[derive(Clone, Debug)]
pub struct MovingStep<'a> {
    /// What lies on the table.
    pub moment: Moment<'a>,
    /// What has just happened, in words.
    pub caption: String,
}

/// Draws a moment on `stage`, which must be one for as many seats.
pub fn picture(moment: Moment<'_>, stage: &DrawingMeasures, colours: Colours) -> String {
    let title = title(moment);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {} {}", stage.width, stage.height)) role="img" aria-label=(title)
            font-family=(FONTS) {
            defs { (PreEscaped(symbols(&[moment], colours))) }
            rect width="100%" height="100%" rx="18" fill=(FELT) {}
            (table(moment, stage))
        }
    }
    .into_string()
}

/// Draws moments for one page, each on a stage for as many seats: the symbols, which stand once before them, and the pictures.
#[cfg(feature = "pages")]
pub(crate) fn pictures(moments: &[Moment<'_>], colours: Colours) -> (Markup, Vec<Markup>) {
    let sheet = html! {
        svg width="0" height="0" style="position:absolute" aria-hidden="true" { defs { (PreEscaped(symbols(moments, colours))) } }
    };
    let drawn = moments.iter().map(|moment| {
        let stage = DrawingMeasures::wide(moment.scene.hands.len());
        html! {
            svg viewBox=(format!("0 0 {} {}", stage.width, stage.height)) role="img" aria-label=(title(*moment)) font-family=(FONTS) {
                rect width="100%" height="100%" rx="18" fill=(FELT) {}
                (table(*moment, &stage))
            }
        }
    });
    (sheet, drawn.collect())
}

/// How long each moment of a moving picture is shown, and the last one, in milliseconds.
const STEP_MS: usize = 1_300;
const LAST_MS: usize = 3_500;
/// The height of the strip with the words.
const STRIP: f64 = 44.0;
/// Characters of the words, at most.
const MAX_CAPTION: usize = 100;

/// Draws moments on `stage` one after another, again and again; a pointer on the picture stops it. Where motion is not wanted, or not
/// known, the last moment is shown.
pub fn moving_picture(steps: &[MovingStep<'_>], stage: &DrawingMeasures, colours: Colours) -> String {
    let moments: Vec<Moment<'_>> = steps.iter().map(|step| step.moment).collect();
    let height = stage.height + STRIP;
    let title = moments.last().map_or(String::new(), |last| title(*last));
    let words: Vec<&str> = steps.iter().map(|step| step.caption.as_str()).collect();
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {} {height}", stage.width)) role="img" aria-label=(title)
            font-family=(FONTS) {
            desc { (words.join("; ")) }
            style { (PreEscaped(motion(steps.len()))) }
            defs { (PreEscaped(symbols(&moments, colours))) }
            rect width="100%" height="100%" rx="18" fill=(FELT) {}
            @for (at, MovingStep { moment, caption }) in steps.iter().enumerate() {
                // What moves nothing shows the last one.
                g class=(class(steps.len(), at)) visibility=[(at + 1 < steps.len()).then_some("hidden")] {
                    (table(*moment, stage))
                    rect y=(stage.height) width="100%" height=(STRIP) fill="#0006" {}
                    (words_at(stage.width / 2.0, stage.height + 28.0, 17, &cut(caption, MAX_CAPTION)))
                }
            }
        }
    }
    .into_string()
}

/// The class of a moment among `steps`: pictures of as many moments may stand on one page.
fn class(steps: usize, at: usize) -> String {
    format!("maumau-{steps}-{at}")
}

/// The style that shows one moment after another.
fn motion(steps: usize) -> String {
    let all_ms = (steps.max(1) - 1) * STEP_MS + LAST_MS;
    let percent = |ms: usize| format!("{:.3}", 100.0 * ms as f64 / all_ms as f64);
    let (mut keys, mut moved) = (String::new(), String::new());
    for at in 0..steps {
        let class = class(steps, at);
        let (from, to) = (at * STEP_MS, (at + 1) * STEP_MS);
        let before = if at == 0 { "" } else { "0%{visibility:hidden}" };
        let after = if at + 1 == steps { String::new() } else { format!("{}%{{visibility:hidden}}", percent(to)) };
        // Writing to a string cannot fail.
        _ = write!(keys, "@keyframes {class}{{{before}{}%{{visibility:visible}}{after}}}", percent(from));
        _ = write!(moved, ".{class}{{animation:{class} {all_ms}ms step-end infinite}}");
        _ = write!(moved, "svg:hover>.{class}{{animation-play-state:paused}}");
    }
    format!("{keys}@media (prefers-reduced-motion:no-preference){{{moved}}}")
}

const FONTS: &str = "system-ui, 'DejaVu Sans', sans-serif";
/// The colour of the table.
const FELT: &str = "#2f6b4f";

fn title(Moment { scene, names, .. }: Moment<'_>) -> String {
    format!("Round {} of {} between {}", scene.round, scene.rounds, names.join(", "))
}

/// Symbols for the cards of these moments.
fn symbols(moments: &[Moment<'_>], colours: Colours) -> String {
    // A picture may be of any game; which cards will be drawn says what lies there.
    let is_coloured = |moment: &Moment<'_>| moment.scene.top.and_then(Card::suit).is_none_or(Suit::is_coloured);
    let packs = if moments.iter().any(is_coloured) { &Pack::ALL[..] } else { &[Pack::French] };
    let faces = moments.first().map_or(Default::default(), |moment| moment.scene.faces);
    cards::symbols(packs, faces, colours)
}

/// The piles and the seats around them.
fn table(moment: Moment<'_>, stage: &DrawingMeasures) -> Markup {
    let Moment { scene, bottom, .. } = moment;
    let seats = scene.hands.len();
    html! {
        (piles(scene, stage))
        @for (place, spot) in stage.spots.iter().enumerate() {
            @if let Some(seat) = Seat::new((bottom.index() + place) % seats) {
                (seat_group(moment, seat, spot))
            }
        }
    }
}

fn piles(scene: &Scene, stage: &DrawingMeasures) -> Markup {
    let arrow = match scene.direction {
        Direction::Clockwise => "⟳ clockwise",
        Direction::Counterclockwise => "⟲ anticlockwise",
    };
    let facing = scene.facing.join(" · ");
    let top = stage.y - 52.0;
    html! {
        @if scene.draw_pile > 0 { (card("back", stage.x - 72.0, top, 1.1)) }
        (words_at(stage.x - 39.0, stage.y + 56.0, 13, &format!("{} left", scene.draw_pile)))
        @if let Some(shown) = scene.top { (card(&cards::code(shown), stage.x + 8.0, top, 1.1)) }
        (words_at(stage.x + 41.0, stage.y + 56.0, 13, arrow))
        @if !facing.is_empty() { (words_at(stage.x, stage.y + 76.0, 15, &facing)) }
    }
}

fn seat_group(moment: Moment<'_>, seat: Seat, spot: &SeatSpot) -> Markup {
    let Moment { scene, names, said, .. } = moment;
    let at = seat.index();
    let name = names.get(at).map_or("?", String::as_str);
    let none = ShownHand::Closed(0);
    let (hand, sealed) = (&scene.hands[at], scene.sealed.get(at).unwrap_or(&none));
    let count = hand.len() + sealed.len();
    let shown: Vec<(String, bool)> =
        codes(hand).map(|code| (code, false)).chain(codes(sealed).map(|code| (code, true))).collect();
    let gaps = shown.len().saturating_sub(1) as f64;
    // Many cards become smaller, so that their corners can still be read.
    let room = spot.width / (f64::from(cards::WIDTH) * spot.scale * (1.0 + 0.36 * gaps));
    let scale = spot.scale * room.clamp(0.55, 1.0);
    let (width, height) = (f64::from(cards::WIDTH) * scale, f64::from(cards::HEIGHT) * scale);
    let step = ((spot.width - width) / gaps.max(1.0)).min(width * 0.42);
    let left = spot.x - (width + step * gaps) / 2.0;
    let top = spot.y - f64::from(cards::HEIGHT) * spot.scale / 2.0 + 10.0;
    let label = if scene.is_to_move(seat) {
        format!("▶ {} · {count}", cut(name, MAX_CHARS))
    } else {
        format!("{} · {count}", cut(name, MAX_CHARS))
    };
    html! {
        (words_at(spot.x, top - 7.0, 15, &label))
        @for (place, (code, is_sealed)) in shown.iter().enumerate() {
            g opacity=[is_sealed.then_some("0.6")] { (card(code, left + step * place as f64, top, scale)) }
        }
        @for (_, text) in said.iter().filter(|(by, _)| *by == seat) {
            (words_at(spot.x, top + height + 16.0, 15, &format!("“{}”", cut(text, MAX_CHARS))))
        }
    }
}

/// The symbols of a hand.
fn codes(hand: &ShownHand) -> Box<dyn Iterator<Item = String> + '_> {
    match hand {
        ShownHand::Open(cards) => Box::new(cards.iter().map(|card| cards::code(*card))),
        ShownHand::Closed(count) => Box::new((0..*count).map(|_| "back".to_owned())),
    }
}

fn card(code: &str, x: f64, y: f64, scale: f64) -> Markup {
    let (width, height) = (f64::from(cards::WIDTH) * scale, f64::from(cards::HEIGHT) * scale);
    html! {
        use href=(format!("#card-{code}")) x=(format!("{x:.1}")) y=(format!("{y:.1}")) width=(format!("{width:.1}")) height=(format!("{height:.1}")) {}
    }
}

fn words_at(x: f64, y: f64, size: u32, text: &str) -> Markup {
    html! {
        text x=(format!("{x:.1}")) y=(format!("{y:.1}")) font-size=(size) fill="#fff" text-anchor="middle" { (text) }
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use maumau_protocol::{Card, SeatSet};

    use super::*;

    fn scene() -> Scene {
        let card = |code| Card::from_code(code).expect("a card");
        Scene {
            faces: maumau_protocol::Faces::French,
            hands: vec![ShownHand::Open(vec![card("7H"), card("TC")]), ShownHand::Closed(3)],
            sealed: Vec::new(),
            top: Some(card("7D")),
            visible: None,
            pile: Some(4),
            draw_pile: 20,
            turn: Seat::new(1),
            racing: SeatSet::EMPTY,
            direction: Direction::Clockwise,
            facing: vec!["2 to draw".to_owned()],
            mau_said: SeatSet::EMPTY,
            round: 1,
            rounds: 3,
            dealer: Some(Seat::FIRST),
            points: vec![0, 0],
            wins: vec![0, 0],
            not_looked: SeatSet::EMPTY,
            point_of_order: None,
        }
    }

    #[test]
    fn a_picture_shows_what_these_eyes_see_and_text_as_text() {
        let (scene, names) = (scene(), ["<script>alert(1)</script>".to_owned(), "Ann".to_owned()]);
        let said = [(Seat::FIRST, "</svg><b>Mau".to_owned())];
        let moment = Moment { scene: &scene, names: &names, said: &said, bottom: Seat::FIRST };
        let svg = picture(moment, &DrawingMeasures::wide(2), Colours::TWO);
        for (shown, times) in [("#card-7H", 1), ("#card-TC", 1), ("#card-7D", 1), ("#card-back", 4), ("▶ Ann · 3", 1)]
        {
            assert_eq!(
                svg.matches(&format!("{shown}\"")).count() + svg.matches(&format!(">{shown}<")).count(),
                times,
                "{shown}"
            );
        }
        assert!(svg.contains("2 to draw<"), "what the seat to move faces");
        assert!(!svg.contains("<script") && !svg.contains("<b>") && svg.contains("&lt;b&gt;Mau"), "{svg}");
    }

    #[test]
    fn a_moving_picture_shows_its_moments_one_after_another_and_without_motion_the_last_one() {
        let (scene, names) = (scene(), ["Ann".to_owned(), "Bo".to_owned()]);
        let moment = Moment { scene: &scene, names: &names, said: &[], bottom: Seat::FIRST };
        let long = "x".repeat(500);
        for steps in [1, 2, 11] {
            let caption = |at: usize| if at == 0 { format!("</g><b>{long}") } else { format!("step {at}") };
            let moments: Vec<MovingStep> = (0..steps).map(|at| MovingStep { moment, caption: caption(at) }).collect();
            let svg = moving_picture(&moments, &DrawingMeasures::wide(2), Colours::TWO);
            assert_eq!(svg.matches("<g class=\"maumau-").count(), steps);
            assert_eq!(svg.matches(" visibility=\"hidden\"").count(), steps - 1, "{svg}");
            assert_eq!(svg.matches("@keyframes ").count(), steps);
            let style = svg.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).expect("a style");
            let (keys, moved) = style.split_once("@media (prefers-reduced-motion:no-preference)").expect("both");
            assert!(!keys.contains("animation") && moved.matches("infinite").count() == steps, "{style}");
            assert_eq!(svg.matches("<symbol id=\"card-7H\"").count(), 1, "symbols are shared");
            assert!(!svg.contains("<b>") && svg.contains(&format!("&lt;/g&gt;&lt;b&gt;{}…<", &long[..92])), "{svg}");
        }
        // Each moment begins when the one before it ends.
        let style = motion(3);
        assert!(
            style.contains(
                "@keyframes maumau-3-1{0%{visibility:hidden}21.311%{visibility:visible}42.623%{visibility:hidden}}"
            ),
            "{style}"
        );
        assert!(style.contains("@keyframes maumau-3-2{0%{visibility:hidden}42.623%{visibility:visible}}"), "{style}");
    }
}
