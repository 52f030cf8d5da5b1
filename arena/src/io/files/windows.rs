//! File properties on Windows. It asks the system and changes nothing.

use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::path::Path;

/// How many names (hard links) a file has; Windows does not say without opening it, so one.
pub(crate) fn names(_: &Metadata) -> u64 {
    1
}

/// Checks that `path`, which is not a plain file, may be written to.
///
/// # Errors
/// It is a folder.
pub(crate) fn may_be_written(path: &Path) -> io::Result<()> {
    if path.is_dir() { Err(ErrorKind::IsADirectory.into()) } else { Ok(()) }
}
