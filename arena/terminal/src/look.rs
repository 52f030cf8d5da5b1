//! What the terminal can show: colours or none, signs of suits or letters; and how each thing is painted. It reads no
//! environment: the caller passes on what it says.

use maumau_protocol::{Card, Faces, Suit};
use maumau_referee::story::Tone;
use ratatui_core::style::{Color, Modifier, Style};

/// How screens look on this terminal.
#[derive(Clone, Copy, Debug)]
pub struct ScreenStyle {
    /// Whether colours may be used; without them nothing is lost.
    pub colours: bool,
    /// Whether the terminal shows characters beyond ASCII, such as ♠♥♦♣.
    pub signs: bool,
    /// What the cards of the game look like.
    pub faces: Faces,
    /// Makes a text of others safe for a terminal.
    pub escape: fn(&str) -> String,
}

impl ScreenStyle {
    /// Whether a terminal with these values of `LC_ALL`, `LC_CTYPE` and `LANG` (the first that is set and not empty counts) and
    /// `TERM` shows characters beyond ASCII.
    pub fn shows_signs(locale: Option<&str>, term: Option<&str>) -> bool {
        let locale = locale.unwrap_or_default().to_ascii_lowercase();
        // The console of Linux has no more than 512 characters.
        (locale.contains("utf-8") || locale.contains("utf8")) && !matches!(term, Some("linux" | "dumb"))
    }

    /// A card, such as `7♥`, `10♣` or `7h`.
    pub(crate) fn card(self, card: Card) -> String {
        match (card.rank(), card.suit()) {
            _ if self.signs => self.faces.short(card),
            (Some(rank), Some(suit)) => {
                let rank = Some(self.faces.printed(rank)).filter(|printed| printed.is_ascii());
                format!("{}{}", rank.unwrap_or_else(|| card.to_string()[..1].to_owned()), self.suit(suit))
            }
            _ if card.is_joker() => card.pretty(),
            _ => card.to_string(),
        }
    }

    /// The sign of a suit, or its letter in small.
    pub(crate) fn suit(self, suit: Suit) -> char {
        if self.signs { self.faces.sign(suit) } else { suit.letter().to_ascii_lowercase() }
    }

    /// One of two texts: with signs, or in ASCII.
    pub(crate) fn either(self, signs: &'static str, ascii: &'static str) -> &'static str {
        if self.signs { signs } else { ascii }
    }

    /// The words of a text that was made with signs of suits, as this terminal shows them.
    pub(crate) fn words(self, text: &str) -> String {
        if self.signs {
            return text.to_owned();
        }
        let ascii = |c: char| match c {
            c if Faces::suit_of_sign(c).is_some() => String::new(),
            '…' => "...".to_owned(),
            '“' | '”' => "\"".to_owned(),
            '’' => "'".to_owned(),
            '·' => "-".to_owned(),
            '–' => "-".to_owned(),
            '±' => "+-".to_owned(),
            c if c.is_ascii() => c.to_string(),
            _ => "?".to_owned(),
        };
        text.chars().map(ascii).collect::<String>().trim_start().to_owned()
    }

    /// Our own words as a piece of a sentence: its blanks stay.
    pub(crate) fn words_kept(self, text: &str) -> String {
        if self.signs || text.is_ascii() { text.to_owned() } else { self.words(text) }
    }

    /// A text of others, in one line.
    pub(crate) fn foreign(self, text: &str) -> String {
        let shown = (self.escape)(text);
        if self.signs { shown } else { shown.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect() }
    }

    fn coloured(self, colour: Color) -> Style {
        if self.colours { Style::new().fg(colour) } else { Style::new() }
    }

    pub(crate) fn card_style(self, card: Card) -> Style {
        match card.suit() {
            Some(Suit::Hearts | Suit::Diamonds | Suit::Red) => self.coloured(Color::Red),
            Some(Suit::Blue) => self.coloured(Color::Blue),
            Some(Suit::Green) => self.coloured(Color::Green),
            Some(Suit::Yellow) => self.coloured(Color::Yellow),
            _ => Style::new(),
        }
    }

    pub(crate) fn tone(self, tone: Tone) -> Style {
        match tone {
            Tone::Plain => Style::new(),
            Tone::Refused => self.coloured(Color::Yellow),
            Tone::Fault => self.fault(),
            Tone::Aside => self.aside(),
        }
    }

    pub(crate) fn fault(self) -> Style {
        self.coloured(Color::LightRed).add_modifier(Modifier::BOLD)
    }

    pub(crate) fn aside(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub(crate) fn name(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(crate) fn heading(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// What is chosen or current.
    pub(crate) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// What can be done now.
    pub(crate) fn ready(self) -> Style {
        self.coloured(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// What a person should look at soon.
    pub(crate) fn urgent(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// The colour of a seat; its name stands beside it wherever it is used.
    pub(crate) fn seat(self, seat: usize) -> Style {
        const COLOURS: [Color; 6] = [Color::Cyan, Color::Yellow, Color::Green, Color::Magenta, Color::Blue, Color::Red];
        self.coloured(COLOURS[seat % COLOURS.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_shown_where_the_locale_is_utf_8_and_the_terminal_has_them() {
        for (locale, term, shows) in [
            (Some("en_GB.UTF-8"), Some("xterm-256color"), true),
            (Some("C.utf8"), None, true),
            (Some("C"), Some("xterm"), false),
            (None, Some("xterm"), false),
            (Some("de_DE.UTF-8"), Some("linux"), false),
        ] {
            assert_eq!(ScreenStyle::shows_signs(locale, term), shows, "{locale:?} {term:?}");
        }
    }
}
