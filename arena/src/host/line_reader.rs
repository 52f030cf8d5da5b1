//! Bytes to lines, with a bound: the result does not depend on how the bytes were cut into reads.

use maumau_protocol::limits::MAX_LINE_BYTES;

/// What the next bytes came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LineEvent<'a> {
    /// A line without its newline.
    Line(&'a [u8]),
    /// A line over the limit; told once, the rest of it is skipped.
    TooLong,
}

/// Cuts a stream into lines and never holds more than one line of the greatest length.
#[derive(Debug, Default)]
pub(crate) struct LineReader {
    partial: Vec<u8>,
    skipping: bool,
}

impl LineReader {
    /// Takes the next bytes and hands on what they complete.
    pub(crate) fn feed(&mut self, mut bytes: &[u8], mut each: impl FnMut(LineEvent<'_>)) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
            if self.skipping {
                self.skipping = false;
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
        if self.skipping {
            return;
        }
        if self.partial.len() + bytes.len() >= MAX_LINE_BYTES {
            self.partial = Vec::new();
            self.skipping = true;
            each(LineEvent::TooLong);
        } else {
            self.partial.extend_from_slice(bytes);
        }
    }

    /// Bytes of a line that has not ended.
    pub(crate) fn unfinished(&self) -> usize {
        self.partial.len()
    }
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
                });
            });
            assert!(reader.unfinished() < MAX_LINE_BYTES);
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
    fn a_long_line_is_told_once_and_the_next_line_is_sound() {
        let long = vec![b'x'; 3 * MAX_LINE_BYTES];
        assert_eq!(read(&[&long, b"y", b"yy\nnext\n"]), ["too long", "next"]);
        assert_eq!(read(&[&[&long[..], b"\nnext\n"].concat()]), ["too long", "next"]);
        let just_fits = [&long[..MAX_LINE_BYTES - 1], b"\nnext\n"].concat();
        assert_eq!(read(&[&just_fits]), [format!("{} bytes", MAX_LINE_BYTES - 1), "next".to_owned()]);
        for cut in [0, 1, MAX_LINE_BYTES - 1, MAX_LINE_BYTES] {
            assert_eq!(read(&[&just_fits[..cut], &just_fits[cut..]]).len(), 2, "cut at {cut}");
        }
    }
}
