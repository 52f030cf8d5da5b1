//! Playing cards as SVG: a sheet of symbols that a drawing refers to, and the names that a screen reader says.
//!
//! A card is recognised by its rank and by the shape of its suit; colour only helps. This module knows one card at a time: where
//! cards lie is up to the table.

mod shapes;

use std::fmt::Write;

use maumau_protocol::{Card, Rank, Suit};

/// Units of a symbol's width; all measures of a drawing are in these.
pub const WIDTH: u32 = 60;
/// Units of a symbol's height.
pub const HEIGHT: u32 = 84;

/// The colours of the suits, of clubs, diamonds, hearts and spades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    suits: [&'static str; 4],
    back: &'static str,
}

impl Colours {
    /// Black and red, as printed cards have them.
    pub const TWO: Colours = Colours { suits: ["#17181b", "#c8142c", "#c8142c", "#17181b"], back: "#2b5c8f" };
    /// One colour for each suit.
    pub const FOUR: Colours = Colours { suits: ["#11743b", "#1c5fc4", "#c8142c", "#17181b"], back: "#2b5c8f" };
    /// Those that the style of a page chooses.
    pub const OF_STYLE: Colours = Colours {
        suits: ["var(--clubs)", "var(--diamonds)", "var(--hearts)", "var(--spades)"],
        back: "var(--card-back)",
    };
}

/// The name that is read out: `seven of hearts`.
pub fn name(card: Card) -> String {
    match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => format!("{} of {}", rank.name(), suit.name()),
        _ => "joker".to_owned(),
    }
}

/// The code on the wire, which is also the end of the symbol's id: `7H`, and `XX` for the joker.
pub fn code(card: Card) -> String {
    card.code().into_iter().map(char::from).collect()
}

/// Symbols for all cards and for a back, with the ids `card-7H`, `card-XX` and `card-back`; to be put into a `<defs>`.
pub fn symbols(colours: Colours) -> String {
    let mut sheet = String::new();
    for suit in Suit::ALL {
        let (letter, shape, fill) = (suit.letter(), shapes::suit(suit), colours.suits[suit as usize]);
        _ = write!(sheet, r#"<path id="suit-{letter}" d="{shape}" fill="{fill}"/>"#);
    }
    let all = (0..Card::KINDS).filter_map(|index| Card::from_index(index as u8));
    all.for_each(|card| sheet += &symbol(card, colours));
    sheet += &back(colours);
    sheet
}

/// A small picture that stands for the pages in a browser's tab.
pub fn icon() -> String {
    let spade = shapes::suit(Suit::Spades);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#2f6b4f"/><path d="{spade}" fill="#fff" transform="translate(3.6 3.4) scale(.7)"/></svg>"##
    )
}

fn symbol(card: Card, colours: Colours) -> String {
    let face = match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => face(rank, suit, colours.suits[suit as usize]),
        _ => joker(),
    };
    format!(r#"<symbol id="card-{}" viewBox="0 0 {WIDTH} {HEIGHT}">{}{face}</symbol>"#, code(card), shapes::BLANK)
}

/// The rank and a small suit in the corner that stays visible in a fan, a large suit in the middle of the rest.
fn face(rank: Rank, suit: Suit, fill: &str) -> String {
    let letter = suit.letter();
    // In a fan two figures have the room of one.
    let (corner, width) = match rank.letter() {
        'T' => ("10".to_owned(), r#" textLength="17" lengthAdjust="spacingAndGlyphs""#),
        rank => (rank.to_string(), ""),
    };
    let mut face = format!(
        r##"<text x="12.5" y="23" font-size="23" {}{width} fill="{fill}">{corner}</text><use href="#suit-{letter}" transform="translate(5.5 27) scale(.58)"/>"##,
        shapes::LETTERS
    );
    let figure = match rank.letter() {
        'K' => Some(shapes::CROWN),
        'Q' => Some(shapes::TIARA),
        'J' => Some(shapes::CAP),
        _ => None,
    };
    if let Some(figure) = figure {
        _ = write!(face, r#"<path d="{figure}" fill="{fill}" transform="translate(27 34)"/>"#);
    }
    let (x, y, scale) = match (figure, rank.letter()) {
        (Some(_), _) => (27, 52, 1.08),
        (None, 'A') => (20, 36, 1.5),
        (None, _) => (26, 46, 1.25),
    };
    _ = write!(face, r##"<use href="#suit-{letter}" transform="translate({x} {y}) scale({scale})"/>"##);
    face
}

fn joker() -> String {
    let word: String = (0..5).fold(String::new(), |word, at| {
        let y = 16 + 13 * at;
        word + &format!(
            r##"<text x="10" y="{y}" font-size="12.5" {} fill="#6a2c91">{}</text>"##,
            shapes::LETTERS,
            &"JOKER"[at..=at]
        )
    });
    format!(r##"{word}<path d="{}" fill="#6a2c91" transform="translate(19 24) scale(1.5)"/>"##, shapes::JESTER)
}

fn back(colours: Colours) -> String {
    format!(
        r##"<symbol id="card-back" viewBox="0 0 {WIDTH} {HEIGHT}">{}<rect x="4" y="4" width="52" height="76" rx="3.5" fill="{}"/><path d="{}" fill="none" stroke="#fff" stroke-opacity=".38" stroke-width="1.4"/></symbol>"##,
        shapes::BLANK,
        colours.back,
        shapes::lattice()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_has_one_symbol_and_a_name_of_its_own() {
        let sheet = symbols(Colours::TWO);
        assert_eq!(sheet.matches("<symbol ").count(), Card::KINDS + 1);
        let cards: Vec<Card> = (0..Card::KINDS).filter_map(|index| Card::from_index(index as u8)).collect();
        let mut names: Vec<String> = cards.iter().map(|card| name(*card)).collect();
        for card in &cards {
            assert_eq!(sheet.matches(&format!("id=\"card-{}\"", code(*card))).count(), 1);
        }
        assert!(names.contains(&"seven of hearts".to_owned()) && names.contains(&"joker".to_owned()));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), cards.len());
    }

    #[test]
    fn suits_differ_in_shape_and_not_only_in_colour() {
        let shapes: std::collections::BTreeSet<&str> = Suit::ALL.into_iter().map(shapes::suit).collect();
        assert_eq!(shapes.len(), 4);
        assert!(symbols(Colours::FOUR).contains("#1c5fc4") && !symbols(Colours::TWO).contains("#1c5fc4"));
    }
}
