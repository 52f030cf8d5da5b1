//! What only some systems tell of a file. Knows paths, not what is in them.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{may_be_written, names};
#[cfg(windows)]
pub(crate) use windows::{may_be_written, names};
