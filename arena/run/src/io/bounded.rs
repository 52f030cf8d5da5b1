//! Reads files from others up to a size limit. What is no file is refused, but for what this process has open already, such as its
//! stdin, which has no length. It opens and reads; what the bytes mean is not known here.

use std::io::Read;
use std::path::Path;

use super::files::open_to_read;

/// The bytes of the file at `path`, which messages call `what`, for example "a record".
///
/// # Errors
/// It cannot be read, or has more than `most` bytes; in words, without its path.
pub fn read(path: &Path, most: u64, what: &str) -> Result<Vec<u8>, String> {
    let file = open_to_read(path).map_err(|error| error.to_string())?;
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
pub fn read_text(path: &Path, most: u64, what: &str) -> Result<String, String> {
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
        #[cfg(unix)]
        {
            let zero = std::fs::File::open("/dev/zero").expect("a device");
            let opened = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&zero));
            let endless = read(Path::new(&opened), 1_000, "a test");
            assert_eq!(endless, Err("more than 1000 bytes; a test has at most so many".to_owned()));
        }
        std::fs::write(&path, b"12\xff").expect("a file");
        assert_eq!(read_text(&path, 6, "a test"), Err("not UTF-8 at byte 3".to_owned()));
        assert_eq!(read(folder.path(), 6, "a test"), Err("it is a folder, and not a file".to_owned()));
    }

    /// A named pipe would wait for a writer, for ever.
    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_refused_at_once() {
        use std::os::unix::net::UnixListener;
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        nix::unistd::mkfifo(&path("pipe"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let _listener = UnixListener::bind(path("socket")).expect("a socket");
        std::os::unix::fs::symlink(path("pipe"), path("link")).expect("a link");
        for (path, is) in [
            (path("pipe"), "a named pipe"),
            (path("link"), "a named pipe"),
            (path("socket"), "a socket"),
            ("/dev/zero".into(), "a device"),
            ("/dev/null".into(), "a device"),
        ] {
            assert_eq!(read(&path, 6, "a test"), Err(format!("it is {is}, and not a file")), "{}", path.display());
        }
    }
}
