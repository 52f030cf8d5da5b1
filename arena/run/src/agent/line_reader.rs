//! Splits bytes into lines with a length limit; the result does not depend on how the bytes were cut into reads. It
//! keeps the unfinished line and reads from no pipe; what a line means is not known here.

use maumau_protocol::limits::{MAX_LINE_BYTES, MAX_SKIPPED_BYTES};
use memchr::memchr;

/// What the next bytes completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEvent<'a> {
    /// A line without its newline.
    Line(&'a [u8]),
    /// A line over the limit; reported once, the rest of it is skipped.
    TooLong,
    /// So much of a line has been skipped that the reader stops waiting for its end; reported once, nothing follows.
    Endless,
}

/// Splits a stream into lines and never holds more than one line of the maximum length.
#[derive(Debug, Default)]
pub struct LineReader {
    partial: Vec<u8>,
    /// Bytes of a line over the limit so far.
    skipped: Option<u64>,
}

impl LineReader {
    /// Takes the next bytes and passes on what they complete.
    pub fn feed(&mut self, mut bytes: &[u8], mut each: impl FnMut(LineEvent<'_>)) {
        while let Some(end) = memchr(b'\n', bytes) {
            let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
            if let Some(skipped) = self.skipped.take() {
                if is_endless(skipped) {
                    return self.skipped = Some(skipped);
                }
            } else if self.partial.is_empty() && line.len() < MAX_LINE_BYTES {
                each(LineEvent::Line(line));
            } else if self.partial.len() + line.len() < MAX_LINE_BYTES {
                self.partial.extend_from_slice(line);
                each(LineEvent::Line(&self.partial));
            } else {
                each(LineEvent::TooLong);
            }
            self.partial.clear();
            bytes = rest;
        }
        if let Some(before) = self.skipped {
            let skipped = before + bytes.len() as u64;
            self.skipped = Some(skipped);
            if is_endless(skipped) && !is_endless(before) {
                each(LineEvent::Endless);
            }
        } else if self.partial.len() + bytes.len() >= MAX_LINE_BYTES {
            self.skipped = Some((self.partial.len() + bytes.len()) as u64);
            self.partial = Vec::new();
            each(LineEvent::TooLong);
        } else {
            self.partial.extend_from_slice(bytes);
        }
    }

    /// The line that has not ended, as far as it has come.
    pub fn unfinished(&self) -> &[u8] {
        &self.partial
    }
}

fn is_endless(skipped: u64) -> bool {
    skipped > MAX_SKIPPED_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chunks: &[&[u8]]) -> Vec<String> {
        let mut reader = LineReader::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            reader.feed(chunk, |event| {
                lines.push(match event {
                    LineEvent::Line(line) if line.len() > 20 => format!("{} bytes", line.len()),
                    LineEvent::Line(line) => String::from_utf8_lossy(line).into_owned(),
                    LineEvent::TooLong => "too long".to_owned(),
                    LineEvent::Endless => "endless".to_owned(),
                });
            });
            assert!(reader.unfinished().len() < MAX_LINE_BYTES);
        }
        lines
    }

    #[test]
    fn the_cut_of_the_reads_does_not_matter() {
        let stream = b"one\n\ntwo\r\nthree\nfour";
        let whole = read(&[stream]);
        assert_eq!(whole, ["one", "", "two\r", "three"]);
        for cut in 0..stream.len() {
            assert_eq!(read(&[&stream[..cut], &stream[cut..]]), whole, "cut at {cut}");
        }
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(read(&bytes), whole);
    }

    #[test]
    fn a_long_line_is_reported_once_and_the_next_line_is_sound() {
        let long = vec![b'x'; 3 * MAX_LINE_BYTES];
        assert_eq!(read(&[&long, b"y", b"yy\nnext\n"]), ["too long", "next"]);
        assert_eq!(read(&[&[&long[..], b"\nnext\n"].concat()]), ["too long", "next"]);
        let just_fits = [&long[..MAX_LINE_BYTES - 1], b"\nnext\n"].concat();
        assert_eq!(read(&[&just_fits]), [format!("{} bytes", MAX_LINE_BYTES - 1), "next".to_owned()]);
        for cut in [0, 1, MAX_LINE_BYTES - 1, MAX_LINE_BYTES] {
            assert_eq!(read(&[&just_fits[..cut], &just_fits[cut..]]).len(), 2, "cut at {cut}");
        }
    }

    #[test]
    fn a_line_without_end_is_given_up_and_nothing_behind_it_is_read() {
        let mib = vec![b'x'; 1024 * 1024];
        let mut reader = LineReader::default();
        let mut events = Vec::new();
        for _ in 0..300 {
            reader.feed(&mib, |event| events.push(format!("{event:?}")));
        }
        reader.feed(b"\nlegal\n", |event| events.push(format!("{event:?}")));
        assert_eq!(events, ["TooLong", "Endless"]);
        assert!(reader.unfinished().is_empty());
    }
}
