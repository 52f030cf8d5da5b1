//! Reads files from others up to a size limit, even devices and pipes, which have no length. It opens and reads; what
//! the bytes mean is not known here.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The bytes of the file at `path`, which messages call `what`, for example "a record".
///
/// # Errors
/// It cannot be read, or has more than `most` bytes; in words, without its path.
pub(crate) fn read(path: &Path, most: u64, what: &str) -> Result<Vec<u8>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    if size > most {
        return Err(format!("{size} bytes; {what} has at most {most}"));
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > most {
        return Err(format!("more than {most} bytes; {what} has at most so many"));
    }
    Ok(bytes)
}

/// As [`read`], for text.
///
/// # Errors
/// As [`read`]; or it is not UTF-8.
pub(crate) fn read_text(path: &Path, most: u64, what: &str) -> Result<String, String> {
    let bytes = read(path, most, what)?;
    String::from_utf8(bytes).map_err(|error| format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_every_kind_are_read_up_to_the_bound() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, "1234\u{e9}").expect("a file");
        assert_eq!(read_text(&path, 6, "a test"), Ok("1234\u{e9}".to_owned()));
        assert_eq!(read(&path, 5, "a test"), Err("6 bytes; a test has at most 5".to_owned()));
        let endless = read(Path::new("/dev/zero"), 1_000, "a test");
        assert_eq!(endless, Err("more than 1000 bytes; a test has at most so many".to_owned()));
        std::fs::write(&path, b"12\xff").expect("a file");
        assert_eq!(read_text(&path, 6, "a test"), Err("not UTF-8 at byte 3".to_owned()));
        assert!(read(folder.path(), 6, "a test").is_err(), "a folder is no file");
    }
}
