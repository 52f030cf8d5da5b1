//! Keeps the head and the tail of a stream that may be endless, and hides the agent's secrets in them. It reads no
//! stream itself and knows nothing of who wrote it.

use maumau_protocol::limits::MAX_STDERR_BYTES_PER_MOVE;

use super::Grant;

/// How many bytes are kept of the beginning of all, and of the end.
const KEPT: usize = 8 * 1024;
/// The same of one move.
const KEPT_OF_MOVE: usize = MAX_STDERR_BYTES_PER_MOVE / 2;

/// The kept part of an agent's stderr: its first and its last bytes.
#[derive(Clone, Debug)]
struct HeadAndTail {
    kept: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
}

/// What is kept of an agent's stderr.
#[derive(Clone, Debug)]
pub(super) struct StderrTail {
    /// Of all that it has written.
    all: HeadAndTail,
    /// Of what it has written since [`StderrTail::take`] was last called.
    fresh: HeadAndTail,
    /// True if the bytes before `fresh` ended in the middle of a line.
    is_cut: bool,
}

impl Default for StderrTail {
    fn default() -> StderrTail {
        StderrTail { all: HeadAndTail::keeping(KEPT), fresh: HeadAndTail::keeping(KEPT_OF_MOVE), is_cut: false }
    }
}

impl StderrTail {
    /// Takes the next bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.all.add(bytes);
        self.fresh.add(bytes);
    }

    /// The text of all as the agent wrote it, without the secrets that it was granted, with a count of what is left out between
    /// head and tail.
    pub(super) fn text(&self, grant: &Grant) -> String {
        self.all.text(grant)
    }

    /// The same of what was added since the last call; `None` if that is nothing. A secret that the calls part is hidden in both.
    pub(super) fn take(&mut self, grant: &Grant) -> Option<String> {
        if self.fresh.total == 0 {
            return None;
        }
        let fresh = std::mem::replace(&mut self.fresh, HeadAndTail::keeping(KEPT_OF_MOVE));
        let mut text = fresh.text(grant);
        if std::mem::replace(&mut self.is_cut, !text.ends_with('\n')) {
            text = grant.hidden().hide_cut_start(&text);
        }
        Some(if self.is_cut { grant.hidden().hide_cut_end(&text) } else { text })
    }
}

impl HeadAndTail {
    fn keeping(kept: usize) -> HeadAndTail {
        HeadAndTail { kept, head: Vec::new(), tail: Vec::new(), total: 0 }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (self.kept - self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.tail.extend_from_slice(&bytes[room..]);
        if self.tail.len() > 2 * self.kept {
            self.tail.drain(..self.tail.len() - self.kept);
        }
    }

    fn text(&self, grant: &Grant) -> String {
        let tail = &self.tail[self.tail.len().saturating_sub(self.kept)..];
        let missing = self.total - (self.head.len() + tail.len()) as u64;
        let read = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if missing == 0 {
            return grant.hidden().hide(&read(&[&self.head, tail].concat())).into_owned();
        }
        let (head, tail) = (grant.hidden().hide_cut_end(&read(&self.head)), grant.hidden().hide_cut_start(&read(tail)));
        format!("{head}\n[... {missing} bytes left out ...]\n{tail}")
    }
}

/// The last lines of a stderr with the whole call stack in them, for the author of a program that has just ended.
pub fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines[lines.len().saturating_sub(MOST_LAST_LINES)..].join("\n")
}

/// How many lines of a stderr its author is shown at the end.
const MOST_LAST_LINES: usize = 200;

/// The end of a stderr, for displays with little room, indented as it was written.
pub fn last_words(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let last = without_inner_frames(&lines);
    let last = last.iter().skip(last.len().saturating_sub(LAST_LINES));
    last.map(|line| line.chars().take(200).collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// How many lines of a stderr are shown in displays with little room.
const LAST_LINES: usize = 16;

/// How many frames of a call stack are left at each of its ends.
const FRAMES: usize = 2;

/// `lines` with the middle of each long run of indented ones left out: that is how most languages write the call stack of an
/// error, below its message or above it, and it can be long. The lines of a frame stay together: it begins where the run is
/// indented least.
fn without_inner_frames<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let same_run = |one: &&str, next: &&str| is_indented(one) == is_indented(next);
    let shortened = lines.chunk_by(same_run).flat_map(|run| {
        let least = run.iter().map(|line| indent(line)).min().unwrap_or(0);
        let frames: Vec<&[&str]> = run.chunk_by(|_, next| indent(next) > least).collect();
        let inner = FRAMES..frames.len().saturating_sub(FRAMES);
        if !is_indented(run[0]) || inner.len() < 2 {
            return run.to_vec();
        }
        [&frames[..inner.start].concat()[..], &["  …"], &frames[inner.end..].concat()].concat()
    });
    shortened.collect()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
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
        let python = |count: usize| {
            let frame = |n| format!("  File \"bot.py\", line {n}, in f{n}\n    return f(x)\n           ^^^^\n");
            format!(
                "Traceback (most recent call last):\n{}KeyError: 'nope'\n",
                (0..count).map(frame).collect::<String>()
            )
        };
        let ruby = format!("bot.rb:3:in 'choose': no such card (RuntimeError)\n{}", frames(3));
        let at = |n: usize| format!("    at call{n} (bot.mjs:{n}:1)");
        let [first, second, before, last] = [0, 1, 10, 11].map(at);
        for (stderr, expected) in [
            (
                node,
                format!(
                    "/bot.mjs:7\n  throw x\n  ^\nTypeError: no such card\n{first}\n{second}\n  …\n{before}\n{last}\nNode.js v18"
                ),
            ),
            (ruby.clone(), ruby.trim_end().to_owned()),
            // The caret stands below what it points at.
            (python(2), python(2).trim_end().to_owned()),
        ] {
            assert_eq!(last_words(&stderr), expected);
        }
        let long = last_words(&python(12));
        let frame = |n: usize| format!("  File \"bot.py\", line {n}, in f{n}\n    return f(x)\n           ^^^^\n");
        assert!(long.ends_with(&format!("  …\n{}{}KeyError: 'nope'", frame(10), frame(11))), "{long}");
        assert_eq!(long.lines().count(), LAST_LINES - 1);
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
        assert!(excerpt.all.tail.len() <= 2 * KEPT + 10);
        let of_move = excerpt.take(&Grant::default()).expect("it was written");
        assert!(of_move.starts_with("first ") && of_move.ends_with(" last"));
        assert!(of_move.contains("bytes left out") && of_move.len() < MAX_STDERR_BYTES_PER_MOVE + 100);
        assert_eq!(excerpt.take(&Grant::default()), None);
        excerpt.add(b"again\n");
        assert_eq!(excerpt.take(&Grant::default()).as_deref(), Some("again\n"));
        assert!(excerpt.text(&Grant::default()).ends_with("again\n"));
    }
}
