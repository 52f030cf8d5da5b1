//! What the environment says about the terminal, colours and signs beyond ASCII, and output that follows it. It reads
//! variables.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use anyhow::Result;
use maumau_protocol::Faces;
use maumau_run::io::untrusted::Untrusted;
use maumau_terminal::ScreenStyle;

/// How screens look on the terminal of this process: with colours, unless `NO_COLOR` or `CLICOLOR=0` is set; with signs of suits
/// where its locale is UTF-8.
pub(super) fn look() -> ScreenStyle {
    let term = variable("TERM");
    let no_colours = variable("NO_COLOR").is_some()
        || variable("CLICOLOR").as_deref() == Some("0")
        || term.as_deref() == Some("dumb");
    let escape = |text: &str| Untrusted::new(text).terminal();
    ScreenStyle { colours: !no_colours, signs: shows_signs(true), faces: Faces::French, escape }
}

/// The same of text on stdout, which may be a pipe or a file.
pub(super) fn text_look() -> ScreenStyle {
    ScreenStyle { signs: shows_signs(std::io::stdout().is_terminal()), ..look() }
}

/// The options that give `maumau agent human` the same look: an agent's environment has few of these variables.
pub(super) fn options() -> String {
    let look = look();
    let mut options = String::new();
    if !look.colours {
        options += " --no-colours";
    }
    if !look.signs {
        options += " --letters";
    }
    options
}

/// Writes a text with the colours of `report` to stdout: on a terminal, unless `NO_COLOR` or `CLICOLOR=0` is set, or anywhere
/// if `CLICOLOR_FORCE` is; with the signs of suits where the
/// locale has them, else with letters. On a terminal lines that are too long are broken here, so that a player's words never begin a
/// line.
///
/// # Errors
/// stdout cannot be written to.
pub(super) fn print_painted(text: &str) -> Result<()> {
    let signs = shows_signs(std::io::stdout().is_terminal());
    let text = if signs { Cow::Borrowed(text) } else { with_letters(text) };
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((terminal_size::Width(width), _)) => {
            let options = textwrap::Options::new(usize::from(width)).subsequent_indent("             ");
            for line in text.split_inclusive('\n') {
                match line.strip_suffix('\n') {
                    Some(line) => writeln!(out, "{}", textwrap::fill(line, &options))?,
                    // A prompt, which ends with a space.
                    None => out.write_all(line.as_bytes())?,
                }
            }
        }
        None => out.write_all(text.as_bytes())?,
    }
    out.flush()?;
    Ok(())
}

/// The value of a variable that is set and not empty.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// True if signs of suits can be shown: on a terminal, or to the reader of a pipe or a file.
fn shows_signs(on_terminal: bool) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    let term = variable("TERM").filter(|_| on_terminal);
    ScreenStyle::shows_signs(locale.as_deref(), term.as_deref())
}

/// `text` with letters in the place of the signs of suits: `7h`, `10c`.
fn with_letters(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(|c| Faces::suit_of_sign(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let letter = |c: char| Faces::suit_of_sign(c).map_or(c, |suit| suit.letter().to_ascii_lowercase());
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
