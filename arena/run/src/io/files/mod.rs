//! File properties that only some systems have. Knows paths, not contents. It asks the system and changes nothing.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io::Error;
use std::path::Path;

#[cfg(unix)]
pub use unix::{may_be_written, names, open_to_read};
#[cfg(windows)]
pub use windows::{may_be_written, names, open_to_read};

/// Refuses a path that cannot be read as a file, without opening it: a named pipe would wait for a writer, a device may have no end.
///
/// # Errors
/// It is no file: what it is. Or it is not there.
pub fn check_file(path: &Path) -> Result<(), Error> {
    match is_open_already(path) {
        true => Ok(()),
        false => check_kind(&std::fs::metadata(path)?),
    }
}

/// True if the path stands for something that this process has open: its stdin, or what `<(…)` of a shell is given as.
fn is_open_already(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder))
}

fn check_kind(found: &std::fs::Metadata) -> Result<(), Error> {
    let is = match found.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a folder",
        #[cfg(unix)]
        kind => unix::kind_of(kind),
        #[cfg(not(unix))]
        _ => "something else",
    };
    Err(Error::other(format!("it is {is}, and not a file")))
}
