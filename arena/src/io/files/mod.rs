//! File properties that only some systems have. Knows paths, not contents. It asks the system and changes nothing.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{may_be_written, names};
#[cfg(windows)]
pub(crate) use windows::{may_be_written, names};
