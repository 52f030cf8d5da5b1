//! Messages for people on stderr. Lines are escaped once more here; what is printed, and when, is decided by the callers.

use std::fmt::Arguments;
use std::io::Write;

use crate::io::untrusted::Untrusted;

/// Writes a line to stderr, as `eprintln!` does; but if stderr is closed or cannot be written to, nobody is left to read it,
/// and the work goes on. All lines of a message but the first are indented.
pub fn print(words: Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{}", Untrusted::new(&words.to_string()).lines("  "));
}

/// [`print()`] with the arguments of `format!`.
#[macro_export]
macro_rules! print_stderr {
    ($($words:tt)*) => { $crate::io::stderr::print(format_args!($($words)*)) };
}
