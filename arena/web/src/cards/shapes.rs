//! The outlines that cards are drawn from. Suits and figures stand in a box of 24 by 24 units; nothing here knows a card.

use std::fmt::Write;

use maumau_protocol::Suit;

/// An empty card.
pub(super) const BLANK: &str =
    r##"<rect x=".5" y=".5" width="59" height="83" rx="6" fill="#fffefa" stroke="#8d9096" stroke-width="1"/>"##;

/// How letters are set.
pub(super) const LETTERS: &str = r#"font-family="'Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif" font-weight="700" text-anchor="middle""#;

/// Over the suit of a king.
pub(super) const CROWN: &str = "M3 18 1 6l6 4 5-8 5 8 6-4-2 12z";
/// Over the suit of a queen.
pub(super) const TIARA: &str =
    "M3 18C3 12 2 9 1 7c2 1 4 2 6 5 0-3 1-6 2-8 1 2 2 3 3 5 1-2 2-3 3-5 1 2 2 5 2 8 2-3 4-4 6-5-1 2-2 5-2 11z";
/// Over the suit of a jack.
pub(super) const CAP: &str = "M2 18c0-7 3-11 9-11 1-3 4-5 9-5-2 2-3 4-3 6 3 2 5 5 5 10z";
/// On a joker.
pub(super) const JESTER: &str =
    "M5 20 3 11A2 2 0 1 1 5 9l4 4 2-7a2 2 0 1 1 2 0l2 7 4-4a2 2 0 1 1 2 2l-2 9zM5 21.5h14V24H5z";

/// The outline of a suit.
pub(super) fn suit(suit: Suit) -> &'static str {
    match suit {
        Suit::Clubs => {
            "M12 2a4.7 4.7 0 0 1 3.7 7.6 4.7 4.7 0 1 1-2.5 7.2c.2 2 .9 3.7 2.2 5.2H8.6c1.3-1.5 2-3.2 2.2-5.2a4.7 4.7 0 1 1-2.5-7.2A4.7 4.7 0 0 1 12 2z"
        }
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
pub(super) fn lattice() -> String {
    let mut path = String::new();
    for column in 0..4 {
        for row in 0..6 {
            let (x, y) = (10 + 13 * column, 10 + 13 * row);
            _ = write!(path, "M{x} {}l5 6.5-5 6.5-5-6.5z", y - 7);
        }
    }
    path
}
