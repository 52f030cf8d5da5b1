//! Playing cards as SVG: a sheet of symbols that a drawing refers to, and the names that a screen reader says.
//!
//! A card is recognised by its rank and by the shape of its suit; colour only helps. This module knows one card at a time: where
//! cards lie is up to the table.

use std::fmt::Write;

use maumau_protocol::{Card, Faces, Pack, Rank, Suit};

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

    /// That of a suit: coloured packs have their own.
    fn of(self, suit: Suit) -> &'static str {
        match suit {
            Suit::Blue => "#1c5fc4",
            Suit::Green => "#11743b",
            Suit::Red => "#c8142c",
            Suit::Yellow => "#a86b00",
            french => self.suits[french.index()],
        }
    }
}

/// The code on the wire, which is also the end of the symbol's id: `7H`, and `XX` for the joker.
pub fn code(card: Card) -> String {
    card.code().into_iter().map(char::from).collect()
}

/// Symbols for all cards of `packs` with these faces and for a back, with the ids `card-7H`, `card-XX` and `card-back`; to be put into a `<defs>`.
pub fn symbols(packs: &[Pack], faces: Faces, colours: Colours) -> String {
    let mut sheet = String::new();
    let cards = all_of(packs);
    for suit in Suit::OF_ALL_PACKS.into_iter().filter(|suit| cards.iter().any(|card| card.suit() == Some(*suit))) {
        let (letter, shape, fill) = (suit.letter(), outline(suit, faces), colours.of(suit));
        let rule = if faces == Faces::French { "" } else { r#" fill-rule="evenodd""# };
        _ = write!(sheet, r#"<path id="suit-{letter}" d="{shape}" fill="{fill}"{rule}/>"#);
    }
    cards.iter().for_each(|card| sheet += &symbol(*card, faces, colours));
    sheet += &back(colours);
    sheet
}

/// All cards of `packs`, each once.
pub(crate) fn all_of(packs: &[Pack]) -> Vec<Card> {
    let mut cards: Vec<Card> = Vec::new();
    for pack in packs {
        cards.extend(pack.cards().iter().filter(|card| !cards.contains(card)).collect::<Vec<_>>());
    }
    cards
}

/// A small picture that stands for the pages in a browser's tab.
pub fn icon() -> String {
    let spade = outline(Suit::Spades, Faces::French);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#2f6b4f"/><path d="{spade}" fill="#fff" transform="translate(3.6 3.4) scale(.7)"/></svg>"##
    )
}

fn symbol(card: Card, faces: Faces, colours: Colours) -> String {
    let face = match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => face(rank, suit, faces, colours.of(suit)),
        _ if card.is_joker() => joker(),
        _ => wild(card),
    };
    format!(r#"<symbol id="card-{}" viewBox="0 0 {WIDTH} {HEIGHT}">{}{face}</symbol>"#, code(card), BLANK)
}

/// The rank and a small suit in the corner that stays visible in a fan, a large suit in the middle of the rest.
fn face(rank: Rank, suit: Suit, faces: Faces, fill: &str) -> String {
    let letter = suit.letter();
    // In a fan two figures have the room of one.
    let corner = faces.printed(rank);
    let width = match corner.as_str() {
        "10" => r#" textLength="17" lengthAdjust="spacingAndGlyphs""#,
        "+2" => r#" textLength="19" lengthAdjust="spacingAndGlyphs""#,
        _ => "",
    };
    let mut face = format!(
        r##"<text x="12.5" y="23" font-size="23" {}{width} fill="{fill}">{corner}</text><use href="#suit-{letter}" transform="translate(5.5 27) scale(.58)"/>"##,
        LETTERS
    );
    let figure = match faces.rank(rank) {
        "king" => Some(CROWN),
        "queen" => Some(TIARA),
        "jack" | "under" | "ober" => Some(CAP),
        "banner" => Some(BANNER),
        _ => None,
    };
    // An ober has its suit above the figure, an under below.
    let is_above = faces.rank(rank) == "ober";
    if let Some(figure) = figure {
        let y = if is_above { 57 } else { 34 };
        _ = write!(face, r#"<path d="{figure}" fill="{fill}" transform="translate(27 {y})"/>"#);
    }
    let (x, y, scale) = match (figure, rank.letter()) {
        (Some(_), _) if is_above => (27, 32, 1.08),
        (Some(_), _) => (27, 52, 1.08),
        (None, 'A') => (20, 36, 1.5),
        (None, _) => (26, 46, 1.25),
    };
    _ = write!(face, r##"<use href="#suit-{letter}" transform="translate({x} {y}) scale({scale})"/>"##);
    face
}

/// A card of a coloured pack without suit: its letter, and the signs of all four suits.
fn wild(card: Card) -> String {
    let corner = match &card.code() {
        b"W4" => "+4",
        b"WF" => "↓",
        b"WK" => "K",
        _ => "W",
    };
    let mut face = format!(r##"<text x="14" y="23" font-size="21" {LETTERS} fill="#17181b">{corner}</text>"##);
    for (place, suit) in Pack::Colours.suits().into_iter().enumerate() {
        let (x, y) = (20 + 18 * (place % 2), 34 + 20 * (place / 2));
        let letter = suit.letter();
        _ = write!(face, r##"<use href="#suit-{letter}" transform="translate({x} {y}) scale(.75)"/>"##);
    }
    face
}

fn joker() -> String {
    let word: String = (0..5).fold(String::new(), |word, at| {
        let y = 16 + 13 * at;
        word + &format!(
            r##"<text x="10" y="{y}" font-size="12.5" {} fill="#6a2c91">{}</text>"##,
            LETTERS,
            &"JOKER"[at..=at]
        )
    });
    format!(r##"{word}<path d="{}" fill="#6a2c91" transform="translate(19 24) scale(1.5)"/>"##, JESTER)
}

fn back(colours: Colours) -> String {
    format!(
        r##"<symbol id="card-back" viewBox="0 0 {WIDTH} {HEIGHT}">{}<rect x="4" y="4" width="52" height="76" rx="3.5" fill="{}"/><path d="{}" fill="none" stroke="#fff" stroke-opacity=".38" stroke-width="1.4"/></symbol>"##,
        BLANK,
        colours.back,
        lattice()
    )
}

/// An empty card.
const BLANK: &str =
    r##"<rect x=".5" y=".5" width="59" height="83" rx="6" fill="#fffefa" stroke="#8d9096" stroke-width="1"/>"##;

/// How letters are set.
const LETTERS: &str = r#"font-family="'Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif" font-weight="700" text-anchor="middle""#;

/// Over the suit of a king.
const CROWN: &str = "M3 18 1 6l6 4 5-8 5 8 6-4-2 12z";
/// Over the suit of a queen.
const TIARA: &str =
    "M3 18C3 12 2 9 1 7c2 1 4 2 6 5 0-3 1-6 2-8 1 2 2 3 3 5 1-2 2-3 3-5 1 2 2 5 2 8 2-3 4-4 6-5-1 2-2 5-2 11z";
/// Over the suit of a jack.
const CAP: &str = "M2 18c0-7 3-11 9-11 1-3 4-5 9-5-2 2-3 4-3 6 3 2 5 5 5 10z";
/// Over the suit of a banner.
const BANNER: &str = "M3 1h2v18H3zM6 2h17l-4 5 4 5H6z";
/// On a joker.
const JESTER: &str = "M5 20 3 11A2 2 0 1 1 5 9l4 4 2-7a2 2 0 1 1 2 0l2 7 4-4a2 2 0 1 1 2 2l-2 9zM5 21.5h14V24H5z";

/// The outline of a suit. Those of German and Swiss packs have holes, by the rule of even and odd.
fn outline(suit: Suit, faces: Faces) -> &'static str {
    match faces.suit(suit) {
        "acorns" => return ACORN,
        "bells" => return BELL,
        "leaves" => return LEAF,
        "roses" => return ROSE,
        "shields" => return SHIELD,
        _ => {}
    }
    match suit {
        Suit::Clubs => {
            "M12 2a4.7 4.7 0 0 1 3.7 7.6 4.7 4.7 0 1 1-2.5 7.2c.2 2 .9 3.7 2.2 5.2H8.6c1.3-1.5 2-3.2 2.2-5.2a4.7 4.7 0 1 1-2.5-7.2A4.7 4.7 0 0 1 12 2z"
        }
        // As the signs in text: a rhombus, a triangle, a disc and a square.
        Suit::Blue => "M12 1 23 12 12 23 1 12z",
        Suit::Green => "M12 2 23 21.5H1z",
        Suit::Red => "M12 1.5a10.5 10.5 0 1 1 0 21 10.5 10.5 0 0 1 0-21z",
        Suit::Yellow => "M2.5 2.5h19v19h-19z",
        Suit::Diamonds => "M12 1.5Q15 7.5 20 12 15 16.5 12 22.5 9 16.5 4 12 9 7.5 12 1.5z",
        Suit::Hearts => {
            "M12 22C5.5 16.5 2 12.8 2 8.5 2 5.3 4.4 3 7.2 3 9.2 3 11 4.1 12 6c1-1.9 2.8-3 4.8-3C19.6 3 22 5.3 22 8.5c0 4.3-3.5 8-10 13.5z"
        }
        Suit::Spades => {
            "M12 2C14 6 21 9.5 21 14.2c0 2.6-2 4.3-4.2 4.3-1.5 0-2.8-.6-3.6-1.7.2 2 .9 3.7 2.2 5.2H8.6c1.3-1.5 2-3.2 2.2-5.2-.8 1.1-2.1 1.7-3.6 1.7C5 18.5 3 16.8 3 14.2 3 9.5 10 6 12 2z"
        }
    }
}

/// The pattern on a back: lines that cross, within its frame.
fn lattice() -> String {
    let mut path = String::new();
    for column in 0..4 {
        for row in 0..6 {
            let (x, y) = (10 + 13 * column, 10 + 13 * row);
            _ = write!(path, "M{x} {}l5 6.5-5 6.5-5-6.5z", y - 7);
        }
    }
    path
}

/// A nut in its cup, on a stalk.
const ACORN: &str =
    "M11 1h2v3h-2zM3.5 11c0-4.2 3.6-7 8.5-7s8.5 2.8 8.5 7zM5 12.6h14c0 4.7-2.6 8.3-7 10.9-4.4-2.6-7-6.2-7-10.9z";
/// A round bell with a band and a slit.
const BELL: &str = "M12 .6a2.2 2.2 0 0 1 1.6 3.7 9.6 9.6 0 0 1 8 8.1H2.4a9.6 9.6 0 0 1 8-8.1A2.2 2.2 0 0 1 12 .6zM2.4 14h19.2a9.6 9.6 0 0 1-19.2 0zM12 15.8a1.9 1.9 0 0 0-.8 3.6v3.1h1.6v-3.1a1.9 1.9 0 0 0-.8-3.6z";
/// A leaf with its veins, on a stalk.
const LEAF: &str = "M12 1C16 4 21.5 8.5 21.5 13.5c0 3.3-2.7 5.3-5.5 5.3-1.3 0-2.5-.4-3.2-1.2V23.5h-1.6v-5.9c-.7.8-1.9 1.2-3.2 1.2-2.8 0-5.5-2-5.5-5.3C2.5 8.5 8 4 12 1zM11.4 6h1.2v11h-1.2zM13.2 11.8 17 8.5l.8.9-4.6 4zM10.8 11.8 7 8.5l-.8.9 4.6 4zM13.2 15.8l3.8-3.3.8.9-4.6 4zM10.8 15.8 7 12.5l-.8.9 4.6 4z";
/// A flower of five petals.
const ROSE: &str = "M8.2 5.4a3.8 3.8 0 1 1 7.6 0 3.8 3.8 0 1 1-7.6 0zM14.48 9.96a3.8 3.8 0 1 1 7.6 0 3.8 3.8 0 1 1-7.6 0zM12.08 17.34a3.8 3.8 0 1 1 7.6 0 3.8 3.8 0 1 1-7.6 0zM4.32 17.34a3.8 3.8 0 1 1 7.6 0 3.8 3.8 0 1 1-7.6 0zM1.92 9.96a3.8 3.8 0 1 1 7.6 0 3.8 3.8 0 1 1-7.6 0zM10 12a2 2 0 1 1 4 0 2 2 0 1 1-4 0z";
/// A shield in four quarters.
const SHIELD: &str =
    "M2.5 1.5h19v9.5c0 6-4.2 10-9.5 12.3C6.7 21 2.5 17 2.5 11zM4.5 3.5h6.5v7h-6.5zM13 12.5h6.3c-.6 3.7-3 6.3-6.3 8.2z";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_has_one_symbol_and_a_name_of_its_own() {
        for (pack, faces, known) in [
            (Pack::French, Faces::French, "seven of hearts"),
            (Pack::French, Faces::German, "ober of leaves"),
            (Pack::French, Faces::Swiss, "banner of shields"),
            (Pack::Colours, Faces::French, "red plus two card"),
            (Pack::Waterfall, Faces::French, "wild fall card"),
        ] {
            let sheet = symbols(&[pack], faces, Colours::TWO);
            assert_eq!(sheet.matches("<symbol ").count(), pack.cards().len() + 1);
            let cards: Vec<Card> = pack.cards().iter().collect();
            let mut names: Vec<String> = cards.iter().map(|card| faces.card(*card)).collect();
            for card in &cards {
                assert_eq!(sheet.matches(&format!("id=\"card-{}\"", code(*card))).count(), 1);
            }
            assert!(names.contains(&known.to_owned()) && names.contains(&"joker".to_owned()));
            names.sort();
            names.dedup();
            assert_eq!(names.len(), cards.len());
        }
    }

    #[test]
    fn suits_differ_in_shape_and_not_only_in_colour() {
        for faces in Faces::ALL {
            let drawn = |suit| outline(suit, faces);
            let shapes: std::collections::BTreeSet<&str> = Suit::OF_ALL_PACKS.into_iter().map(drawn).collect();
            assert_eq!(shapes.len(), 8, "{}", faces.name());
        }
        let sheet = |colours| symbols(&[Pack::French], Faces::French, colours);
        assert!(sheet(Colours::FOUR).contains("#1c5fc4") && !sheet(Colours::TWO).contains("#1c5fc4"));
    }
}
