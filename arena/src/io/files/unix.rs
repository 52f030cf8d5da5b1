//! File properties on Unix. It asks the system and changes nothing.

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

/// Checks that `path`, which is not a plain file, may be written to. It is not opened: if a writer opens and closes a pipe, its
/// reader takes that for the end.
///
/// # Errors
/// It may not.
pub(crate) fn may_be_written(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(Errno::EISDIR.into());
    }
    Ok(access(path, AccessFlags::W_OK)?)
}
