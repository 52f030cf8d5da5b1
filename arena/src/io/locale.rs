//! Whether what is written may hold characters beyond ASCII, such as ♠♥♦♣, according to the locale. It reads variables and nothing
//! else.

use std::borrow::Cow;

use maumau_protocol::Suit;
use maumau_terminal::ScreenStyle;

/// The value of a variable that is set and not empty.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// True if signs of suits can be shown: on a terminal, or to whoever reads a pipe or a file.
pub fn shows_signs(on_terminal: bool) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    let term = variable("TERM").filter(|_| on_terminal);
    ScreenStyle::shows_signs(locale.as_deref(), term.as_deref())
}

/// `text` with letters in the place of the signs of suits: `7h`, `10c`.
pub fn with_letters(text: &str) -> Cow<'_, str> {
    let is_sign = |c: char| Suit::ALL.into_iter().find(|suit| suit.sign() == c);
    if text.is_ascii() || !text.contains(|c| is_sign(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let letter = |c: char| is_sign(c).map_or(c, |suit| suit.letter().to_ascii_lowercase());
    Cow::Owned(text.chars().map(letter).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_suits_become_letters_and_nothing_else_changes() {
        assert_eq!(with_letters("ada plays 10♣, zoë 7♥ and A♦ on K♠"), "ada plays 10c, zoë 7h and Ad on Ks");
        assert!(matches!(with_letters("ada passes"), Cow::Borrowed(_)));
    }
}
