//! File properties on Unix. It asks the system and changes nothing.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::unistd::{AccessFlags, access};

/// How many names (hard links) a file has.
pub fn names(file: &Metadata) -> u64 {
    file.nlink()
}

/// Checks that `path`, which is not a plain file, may be written to. It is not opened: if a writer opens and closes a pipe, its
/// reader takes that for the end.
///
/// # Errors
/// It may not.
pub fn may_be_written(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(Errno::EISDIR.into());
    }
    Ok(access(path, AccessFlags::W_OK)?)
}

/// Opens a file to read it, and never waits for somebody to write it; see [`check_file`](super::check_file).
///
/// # Errors
/// It is no file, what it is; or it cannot be opened.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    if super::is_open_already(path) {
        return File::open(path);
    }
    super::check_file(path)?;
    // Between the two questions it may have become another one.
    let file = OpenOptions::new().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path)?;
    super::check_kind(&file.metadata()?)?;
    Ok(file)
}

/// What is neither a file nor a folder.
pub(super) fn kind_of(kind: FileType) -> &'static str {
    match kind {
        kind if kind.is_fifo() => "a named pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}
