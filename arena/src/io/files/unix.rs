//! What Unix tells of a file.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::errno::Errno;
use nix::unistd::{AccessFlags, access};

/// How many names (hard links) a file has.
pub(crate) fn names(file: &Metadata) -> u64 {
    file.nlink()
}

/// Whether what is at `path`, which is no plain file, may be written to. It is not opened: the reader of a pipe would take a writer
/// that opens and closes it for the end.
///
/// # Errors
/// It may not.
pub(crate) fn may_be_written(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(Errno::EISDIR.into());
    }
    Ok(access(path, AccessFlags::W_OK)?)
}
