//! A picture of one moment of a game as SVG that stands alone: for reports, documents and mail. The page of a game draws the same
//! in the browser (`viewer/table.js`), from the same symbols and the same [`DrawingMeasures`].

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

/// Draws a moment on `stage`, which must be one for as many seats.
pub fn picture(moment: Moment<'_>, stage: &DrawingMeasures, colours: Colours) -> String {
    let Moment { scene, names, bottom, .. } = moment;
    let seats = scene.hands.len();
    let view_box = format!("0 0 {} {}", stage.width, stage.height);
    // A picture may be of any game; which cards will be drawn says what lies there.
    let coloured = scene.top.and_then(Card::suit).is_none_or(Suit::is_coloured);
    let packs = if coloured { &Pack::ALL[..] } else { &[Pack::French] };
    let title = format!("Round {} of {} between {}", scene.round, scene.rounds, names.join(", "));
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(view_box) role="img" aria-label=(title) font-family="system-ui, 'DejaVu Sans', sans-serif" {
            defs { (PreEscaped(cards::symbols(packs, scene.faces, colours))) }
            rect width="100%" height="100%" rx="18" fill="#2f6b4f" {}
            (piles(scene, stage))
            @for (place, spot) in stage.spots.iter().enumerate() {
                @if let Some(seat) = Seat::new((bottom.index() + place) % seats) {
                    (seat_group(moment, seat, spot))
                }
            }
        }
    }
    .into_string()
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
        (words(stage.x - 39.0, stage.y + 56.0, 13, &format!("{} left", scene.draw_pile)))
        @if let Some(shown) = scene.top { (card(&cards::code(shown), stage.x + 8.0, top, 1.1)) }
        (words(stage.x + 41.0, stage.y + 56.0, 13, arrow))
        @if !facing.is_empty() { (words(stage.x, stage.y + 76.0, 15, &facing)) }
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
    let label = if scene.turn == Some(seat) {
        format!("▶ {} · {count}", cut(name))
    } else {
        format!("{} · {count}", cut(name))
    };
    html! {
        (words(spot.x, top - 7.0, 15, &label))
        @for (place, (code, is_sealed)) in shown.iter().enumerate() {
            g opacity=[is_sealed.then_some("0.6")] { (card(code, left + step * place as f64, top, scale)) }
        }
        @for (_, text) in said.iter().filter(|(by, _)| *by == seat) {
            (words(spot.x, top + height + 16.0, 15, &format!("“{}”", cut(text))))
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

fn words(x: f64, y: f64, size: u32, text: &str) -> Markup {
    html! {
        text x=(format!("{x:.1}")) y=(format!("{y:.1}")) font-size=(size) fill="#fff" text-anchor="middle" { (text) }
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    text.chars().take(MAX_CHARS - 1).chain(['…']).collect()
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
}
