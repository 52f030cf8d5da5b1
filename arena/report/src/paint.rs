//! Colours of games as text: which colour means what. They are always present; printing
//! removes them if none are wanted. No sentence is made here.

use anstyle::{AnsiColor, Style};
use maumau_protocol::{Card, Faces, Suit};

const NAME: Style = Style::new().bold();
const HEADING: Style = Style::new().bold().underline();
const RED: Style = AnsiColor::Red.on_default();
const FAULT: Style = AnsiColor::BrightRed.on_default().bold();
const REFUSED: Style = AnsiColor::Yellow.on_default();
const ASIDE: Style = Style::new().dimmed();

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The name of a seat.
pub(super) fn name(text: &str) -> String {
    painted(NAME, text)
}

/// The beginning of a round, the end of a match.
pub(super) fn heading(text: &str) -> String {
    painted(HEADING, text)
}

/// A conduct fault.
pub(super) fn fault(text: &str) -> String {
    painted(FAULT, text)
}

/// Something that the rules refuse or penalise.
pub(super) fn refused(text: &str) -> String {
    painted(REFUSED, text)
}

/// Not part of the game: notes, numbers, times.
pub(super) fn aside(text: &str) -> String {
    painted(ASIDE, text)
}

/// A card, hearts and diamonds in red.
pub(super) fn card(card: Card, faces: Faces) -> String {
    match card.suit() {
        Some(Suit::Hearts | Suit::Diamonds | Suit::Red) => painted(RED, &faces.short(card)),
        _ => faces.short(card),
    }
}
