//! Files that are there wholly or not at all, whether the disk is full or this process is killed.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Writes `bytes` to the file at `path`, under the name `path` with `.part` behind it until it is whole. What is no plain
/// file, such as `/dev/stdout`, is written to as it stands.
///
/// # Errors
/// The file cannot be written; then nothing is left of it, and what was there before stays.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = || format!("{} cannot be written", path.display());
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return fs::write(path, bytes).with_context(failed);
    }
    // Of a link, what it points at is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut part = OsString::from(&target);
    part.push(".part");
    fs::write(&part, bytes).and_then(|()| fs::rename(&part, &target)).with_context(failed).inspect_err(|_| {
        // It may not have come to be; the error that is told says more than one about this.
        _ = fs::remove_file(&part);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> =
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_also_through_a_link_and_a_device_is_written_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("a"), folder.path().join("b"));
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        for (path, bytes) in [(&file, b"one"), (&link, b"two"), (&file, b"six")] {
            write(path, bytes).expect("it can be written");
            assert_eq!(fs::read(&file).expect("the file"), bytes);
        }
        write(Path::new("/dev/null"), b"gone").expect("it takes everything");
        assert_eq!(names(folder.path()), ["a", "b"]);
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_and_takes_nothing_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a");
        write(&file, b"before").expect("it can be written");
        // A folder of the name under which it is written.
        fs::create_dir(folder.path().join("a.part")).expect("a folder");
        let error = write(&file, b"after").expect_err("the name is taken");
        assert!(error.to_string().ends_with("/a cannot be written"), "{error}");
        assert_eq!(fs::read(&file).expect("the file"), b"before");
        assert!(write(&folder.path().join("none/a"), b"").is_err());
    }
}
