//! The last lines exchanged between the arena and an agent, to show how a fault came about. It keeps bytes and times
//! and hides secrets.

use std::collections::VecDeque;
use std::time::Instant;

use memchr::memmem;

use super::Grant;
use crate::io::untrusted::Untrusted;

/// How many reads and writes are kept.
const KEPT: usize = 64;
/// How many reads of what an agent has sent last count as its last words.
const LAST: usize = 32;
/// How many bytes of each are kept.
const BYTES: usize = 2 * 1024;

/// The last reads and writes, each with its beginning. Once it is full it takes no more memory.
#[derive(Debug)]
pub(super) struct Transcript {
    since: Instant,
    said: VecDeque<Said>,
    in_all: u64,
}

#[derive(Debug)]
struct Said {
    at: Instant,
    to_agent: bool,
    bytes: Vec<u8>,
    left_out: usize,
}

impl Transcript {
    /// Starts its clock now.
    pub(super) fn new() -> Transcript {
        Transcript { since: Instant::now(), said: VecDeque::with_capacity(KEPT), in_all: 0 }
    }

    /// Takes what was written to the agent, or read from it.
    pub(super) fn add(&mut self, to_agent: bool, bytes: &[u8]) {
        let oldest = if self.said.len() == KEPT { self.said.pop_front() } else { None };
        let mut room = oldest.map_or_else(Vec::new, |said| said.bytes);
        let kept = &bytes[..bytes.len().min(BYTES)];
        room.clear();
        room.extend_from_slice(kept);
        let left_out = bytes.len() - kept.len();
        self.said.push_back(Said { at: Instant::now(), to_agent, bytes: room, left_out });
        self.in_all += 1;
    }

    /// What the agent has sent last, and whether it was sent after it that a game is over, and not `bye`.
    pub(super) fn end_of_agent(&self) -> (String, bool) {
        let from_agent: Vec<&Said> = self.said.iter().filter(|said| !said.to_agent).collect();
        let last = &from_agent[from_agent.len().saturating_sub(LAST)..];
        let bytes: Vec<u8> = last.iter().flat_map(|said| said.bytes.iter().copied()).collect();
        let since = self.said.iter().rev().take_while(|said| said.to_agent);
        let was_sent = |message: &[u8]| since.clone().any(|said| memmem::find(&said.bytes, message).is_some());
        let has_heard_over = was_sent(br#"{"type":"over""#) && !was_sent(br#"{"type":"bye""#);
        (String::from_utf8_lossy(&bytes).into_owned(), has_heard_over)
    }

    /// As readable text, without the secrets that the agent was granted: seconds since the start, `>` to the agent, `<` from
    /// it.
    pub(super) fn text(&self, grant: &Grant) -> String {
        let older = self.in_all - self.said.len() as u64;
        let mut text =
            if older > 0 { format!("  {older} older reads and writes are not here\n") } else { String::new() };
        let mut began_earlier = older > 0;
        for said in &self.said {
            let sign = if said.to_agent { '>' } else { '<' };
            let left_out = if said.left_out > 0 { format!(" … {} more bytes", said.left_out) } else { String::new() };
            let shown = Untrusted::new(&said.bytes).lines("");
            let is_whole = shown.ends_with('\n') && said.left_out == 0;
            let hidden = grant.hidden();
            let shown = if is_whole { hidden.hide(&shown).into_owned() } else { hidden.hide_cut_end(&shown) };
            // What was read in pieces may have been cut within a secret.
            let shown = if began_earlier { hidden.hide_cut_start(&shown) } else { shown };
            if !said.to_agent {
                began_earlier = !is_whole;
            }
            let cut = if is_whole || said.left_out > 0 { "" } else { " (no newline)" };
            for line in shown.lines() {
                text += &format!("{:>10.6} {sign} {line}\n", (said.at - self.since).as_secs_f64());
            }
            text.pop();
            text += &format!("{left_out}{cut}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_ones_are_kept_and_the_older_ones_counted() {
        let mut transcript = Transcript::new();
        for number in 0..KEPT + 3 {
            transcript.add(number % 2 == 0, format!("line {number}\n").as_bytes());
        }
        let text = transcript.text(&Grant::default());
        assert!(text.starts_with("  3 older reads and writes are not here\n"), "{text}");
        assert_eq!(text.lines().count(), KEPT + 1);
        assert!(text.lines().nth(1).is_some_and(|line| line.ends_with("< line 3")), "{text}");
        assert!(text.ends_with("> line 66\n"), "{text}");
    }

    #[test]
    fn what_an_agent_has_sent_last_and_an_over_after_it_are_known() {
        let mut transcript = Transcript::new();
        assert_eq!(transcript.end_of_agent(), (String::new(), false));
        transcript.add(true, b"{\"type\":\"over\",\"game\":\"1\"}\n");
        transcript.add(false, b"a line\n");
        transcript.add(false, b"another\n");
        assert_eq!(transcript.end_of_agent(), ("a line\nanother\n".to_owned(), false));
        transcript.add(true, b"{\"type\":\"over\",\"game\":\"2\"}\n{\"type\":\"start\"}\n");
        transcript.add(true, b"{\"type\":\"ask\"}\n");
        assert!(transcript.end_of_agent().1, "it has sent nothing since");
        transcript.add(true, b"{\"type\":\"bye\"}\n");
        assert!(!transcript.end_of_agent().1, "it may end");
    }

    #[test]
    fn long_lines_are_cut_and_cut_lines_are_counted() {
        let mut transcript = Transcript::new();
        transcript.add(false, &vec![b'x'; 5_000]);
        transcript.add(false, b"\x1b[2Jhalf");
        let text = transcript.text(&Grant::default());
        assert!(text.contains("x … 2952 more bytes\n"), "{text}");
        assert!(text.ends_with("< \\u{1b}[2Jhalf (no newline)\n"), "{text}");
    }
}
