//! Files that exist completely or not at all, even if the disk is full or this process is killed. It writes a file
//! beside the target and renames it; what is in it is not known here.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::files::may_be_written;

/// Tests whether the file at `path` could be written now; leaves nothing behind.
///
/// # Errors
/// It could not be written.
pub fn check(path: &Path) -> Result<()> {
    let failed = || format!("{} cannot be written", path.display());
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return may_be_written(path).with_context(failed);
    }
    let part = part_of(&target_of(path));
    fs::write(&part, []).and_then(|()| fs::remove_file(&part)).with_context(failed)
}

/// Writes `bytes` to the file at `path`; otherwise as [`write_by`].
///
/// # Errors
/// As [`write_by`].
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_by(path, |out| Ok(out.write_all(bytes)?))
}

/// Writes what `fill` writes to the file at `path`, under the name `path` followed by `.part` until it is complete. Anything that is
/// not a plain file, for example `/dev/stdout`, is written to directly.
///
/// # Errors
/// The file cannot be written, or the error of `fill`; then nothing of it is left, and the previous content stays.
pub fn write_by(path: &Path, fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>) -> Result<()> {
    let failed = || format!("{} cannot be written", path.display());
    let fill_file = |name: &Path| {
        let mut out = BufWriter::new(File::create(name).with_context(failed)?);
        // What `fill` does not say itself is about the file.
        fill(&mut out).map_err(|error| if error.is::<std::io::Error>() { error.context(failed()) } else { error })?;
        out.flush().with_context(failed)
    };
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return fill_file(path);
    }
    let target = target_of(path);
    let part = part_of(&target);
    fill_file(&part).and_then(|()| fs::rename(&part, &target).with_context(failed)).inspect_err(|_| {
        // It may not have been created; the reported error says more than one about this.
        _ = fs::remove_file(&part);
    })
}

/// If it is a link, its target is replaced.
fn target_of(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The name under which a file is written.
fn part_of(target: &Path) -> PathBuf {
    let mut part = OsString::from(target);
    part.push(".part");
    part.into()
}

#[cfg(all(test, unix))]
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
        // A folder with the name of the temporary file.
        fs::create_dir(folder.path().join("a.part")).expect("a folder");
        let error = write(&file, b"after").expect_err("the name is taken");
        assert!(error.to_string().ends_with("/a cannot be written"), "{error}");
        assert_eq!(fs::read(&file).expect("the file"), b"before");
        for path in [file, folder.path().join("none/a"), folder.path().to_owned()] {
            let said = [check(&path), write(&path, b"")].map(|outcome| format!("{:#}", outcome.expect_err("no file")));
            assert_eq!(said[0], said[1], "it is known before");
        }
    }

    #[test]
    fn a_try_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a");
        check(&file).expect("it can be written");
        assert!(names(folder.path()).is_empty());
        write(&file, b"before").expect("it can be written");
        check(&file).expect("it can be written");
        check(Path::new("/dev/null")).expect("it takes everything");
        assert_eq!(fs::read(&file).expect("the file"), b"before");
        assert_eq!(names(folder.path()), ["a"]);
    }
}
