//! The head and the tail of a stream that may be endless.

use super::Grant;

/// Bytes kept of the beginning, and of the end.
const KEPT: usize = 8 * 1024;

/// What is kept of an agent's stderr: its first and its last 8 KiB.
#[derive(Clone, Debug, Default)]
pub(crate) struct Excerpt {
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
}

impl Excerpt {
    /// Takes the next bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (KEPT - self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.tail.extend_from_slice(&bytes[room..]);
        if self.tail.len() > 2 * KEPT {
            self.tail.drain(..self.tail.len() - KEPT);
        }
    }

    /// The text as the agent wrote it but for the secrets that it was granted, with what is left out between head and tail
    /// counted.
    pub(super) fn text(&self, grant: &Grant) -> String {
        let tail = &self.tail[self.tail.len().saturating_sub(KEPT)..];
        let missing = self.total - (self.head.len() + tail.len()) as u64;
        let read = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if missing == 0 {
            return grant.hide(&read(&[&self.head, tail].concat()));
        }
        let (head, tail) = (grant.hide_cut_end(&read(&self.head)), grant.hide_cut_start(&read(tail)));
        format!("{head}\n[... {missing} bytes left out ...]\n{tail}")
    }
}

/// The end of a stderr, for where there is little room.
pub(crate) fn last_words(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines.iter().skip(lines.len().saturating_sub(5));
    last.map(|line| line.chars().take(200).collect::<String>()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_tail_are_kept_and_the_middle_is_counted() {
        let mut excerpt = Excerpt::default();
        excerpt.add(b"first ");
        for _ in 0..10_000 {
            excerpt.add(b"0123456789");
        }
        excerpt.add(b" last");
        let text = excerpt.text(&Grant::default());
        assert!(text.starts_with("first ") && text.ends_with(" last"));
        assert!(text.contains("bytes left out") && text.len() < 3 * KEPT);
        assert!(excerpt.tail.len() <= 2 * KEPT + 10);
    }
}
