//! Writes to stdout: text that cannot control a terminal, with colours if they are wanted. It knows no format; a closed
//! pipe is an error that `error` recognises.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use anyhow::Result;

use super::locale;
use super::untrusted::Untrusted;

/// Writes `text` to stdout. Terminal control characters are escaped, wherever the text came from.
///
/// # Errors
/// stdout cannot be written to.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(Untrusted::new(text).lines("").as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a text with the colours of `report` to stdout: on a terminal, unless `NO_COLOR` or `CLICOLOR=0` is set, or anywhere
/// if `CLICOLOR_FORCE` is; with the signs of suits where the locale has them, else with letters. On a terminal lines that are too long are broken here, so that a player's words never begin a line.
///
/// # Errors
/// stdout cannot be written to.
pub fn print_painted(text: &str) -> Result<()> {
    let signs = locale::shows_signs(std::io::stdout().is_terminal());
    let text = if signs { Cow::Borrowed(text) } else { locale::with_letters(text) };
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
