//! Writes to stdout: text that cannot control a terminal. A closed pipe is an error that `error` recognises.

use std::io::Write;

use anyhow::Result;

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
