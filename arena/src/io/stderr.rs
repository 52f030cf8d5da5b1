//! What is told to people on stderr.

use std::fmt::Arguments;
use std::io::Write;

use crate::io::untrusted::Untrusted;

/// Writes a line to stderr, as `eprintln!` does; but where stderr is closed, full or on a full disk nobody is left to be
/// told, and whatever is being done goes on. Where the words have several lines, all but the first are indented.
pub fn tell(words: Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{}", Untrusted::new(&words.to_string()).lines("  "));
}

/// [`tell`] with the arguments of `format!`.
macro_rules! tell {
    ($($words:tt)*) => { $crate::io::stderr::tell(format_args!($($words)*)) };
}
