//! Keeps the head and the tail of a stream that may be endless, and hides the agent's secrets in them. It reads no
//! stream itself and knows nothing of who wrote it.

use super::Grant;

/// How many bytes are kept of the beginning, and of the end.
const KEPT: usize = 8 * 1024;

/// The kept part of an agent's stderr: its first and its last 8 KiB.
#[derive(Clone, Debug, Default)]
pub(super) struct StderrTail {
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
}

impl StderrTail {
    /// Takes the next bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (KEPT - self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.tail.extend_from_slice(&bytes[room..]);
        if self.tail.len() > 2 * KEPT {
            self.tail.drain(..self.tail.len() - KEPT);
        }
    }

    /// The text as the agent wrote it, without the secrets that it was granted, with a count of what is left out between head
    /// and tail.
    pub(super) fn text(&self, grant: &Grant) -> String {
        let tail = &self.tail[self.tail.len().saturating_sub(KEPT)..];
        let missing = self.total - (self.head.len() + tail.len()) as u64;
        let read = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if missing == 0 {
            return grant.hidden().hide(&read(&[&self.head, tail].concat())).into_owned();
        }
        let (head, tail) = (grant.hidden().hide_cut_end(&read(&self.head)), grant.hidden().hide_cut_start(&read(tail)));
        format!("{head}\n[... {missing} bytes left out ...]\n{tail}")
    }
}

/// The end of a stderr, for displays with little room.
pub fn last_words(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let last = without_inner_frames(&lines);
    let last = last.iter().skip(last.len().saturating_sub(LAST_LINES));
    last.map(|line| line.trim_start().chars().take(200).collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// How many lines of a stderr are shown in displays with little room.
const LAST_LINES: usize = 8;

/// `lines` with the middle of each long run of indented ones left out: that is how most languages write the call stack of an
/// error, below its message or above it, and it can be long.
fn without_inner_frames<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let same_run = |one: &&str, next: &&str| is_indented(one) == is_indented(next);
    let runs = lines.chunk_by(same_run);
    let shortened = runs.flat_map(|run| match run {
        [first, second, _, .., before, last] if is_indented(first) => vec![*first, second, before, last],
        run => run.to_vec(),
    });
    shortened.collect()
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_an_error_is_shown_with_the_calls_next_to_it() {
        let frames = |count: usize| (0..count).map(|n| format!("    at call{n} (bot.mjs:{n}:1)\n")).collect::<String>();
        let node = format!("/bot.mjs:7\n  throw x\n  ^\n\nTypeError: no such card\n{}\nNode.js v18\n", frames(12));
        let python = format!("Traceback (most recent call last):\n{}KeyError: 'nope'\n", frames(12));
        let ruby = format!("bot.rb:3:in 'choose': no such card (RuntimeError)\n{}", frames(3));
        for (stderr, message, call, lines) in [
            (node, "TypeError: no such card", "at call0 (bot.mjs:0:1)", 8),
            (python, "KeyError: 'nope'", "at call11 (bot.mjs:11:1)", 6),
            (ruby, "bot.rb:3:in 'choose': no such card (RuntimeError)", "at call0 (bot.mjs:0:1)", 4),
        ] {
            let told = last_words(&stderr);
            assert!(told.lines().any(|line| line == message) && told.lines().any(|line| line == call), "{told}");
            assert_eq!(told.lines().count(), lines, "{told}");
        }
    }

    #[test]
    fn head_and_tail_are_kept_and_the_middle_is_counted() {
        let mut excerpt = StderrTail::default();
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
