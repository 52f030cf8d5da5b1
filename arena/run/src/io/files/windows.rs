//! File properties on Windows. It asks the system and changes nothing.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// How many names (hard links) a file has; Windows does not say without opening it, so one.
pub fn names(_: &Metadata) -> u64 {
    1
}

/// Checks that `path`, which is not a plain file, may be written to.
///
/// # Errors
/// It is a folder.
pub fn may_be_written(path: &Path) -> io::Result<()> {
    if path.is_dir() { Err(ErrorKind::IsADirectory.into()) } else { Ok(()) }
}

/// Opens a file to read it; see [`check_file`](super::check_file).
///
/// # Errors
/// It is no file, what it is; or it cannot be opened.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    super::check_file(path)?;
    File::open(path)
}
