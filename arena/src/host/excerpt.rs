//! The head and the tail of a stream that may be endless.

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

    /// The text as the agent wrote it, with what is left out between head and tail counted.
    pub(crate) fn text(&self) -> String {
        let tail = &self.tail[self.tail.len().saturating_sub(KEPT)..];
        let missing = self.total - (self.head.len() + tail.len()) as u64;
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if missing > 0 {
            text.push_str(&format!("\n[... {missing} bytes left out ...]\n"));
        }
        text + &String::from_utf8_lossy(tail)
    }
}

/// The end of a stderr, for where there is little room.
pub(crate) fn last_words(stderr: &Excerpt) -> String {
    let text = stderr.text();
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
        let text = excerpt.text();
        assert!(text.starts_with("first ") && text.ends_with(" last"));
        assert!(text.contains("bytes left out") && text.len() < 3 * KEPT);
        assert!(excerpt.tail.len() <= 2 * KEPT + 10);
    }
}
