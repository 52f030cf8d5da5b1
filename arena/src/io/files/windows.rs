//! What Windows tells of a file.

use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::path::Path;

/// How many names (hard links) a file has, which is not told here without opening it: one.
pub(crate) fn names(_: &Metadata) -> u64 {
    1
}

/// Whether what is at `path`, which is no plain file, may be written to.
///
/// # Errors
/// It is a folder.
pub(crate) fn may_be_written(path: &Path) -> io::Result<()> {
    if path.is_dir() { Err(ErrorKind::IsADirectory.into()) } else { Ok(()) }
}
