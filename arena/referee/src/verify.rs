//! Checking a record: its lines, their chain, and everything in it against the engine.

use std::collections::VecDeque;

use maumau_protocol::SandboxLevel;
use maumau_protocol::record::{Chain, Entry, EventEntry, Header, Meta, RECORD_FORMAT, read_line};

use crate::log::{GameLog, Logged, Replay};

/// A record that is what it says.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// The game, ready to be shown.
    pub log: GameLog,
    /// Its lines.
    pub lines: u64,
    /// Its digest.
    pub digest: String,
}

/// The first place where a record is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Mismatch {}

/// Reads a whole record, plays its inputs once more and compares every event.
///
/// # Errors
/// Names the first line that was changed, does not follow the one before, or differs from what the engine does; and the
/// place after which the rest is missing.
pub fn verify(record: &[u8]) -> Result<Verified, Mismatch> {
    let mut chain = Chain::default();
    let mut check: Option<Check> = None;
    let mut rest = record;
    let mut line = 0;
    while !rest.is_empty() {
        line += 1;
        let fail = |message: String| Mismatch { line, message };
        let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
            return Err(fail(format!("the record is cut off here: {} bytes of an unfinished line", rest.len())));
        };
        let text = std::str::from_utf8(&rest[..end]).map_err(|_| fail("the line is not UTF-8".to_owned()))?;
        rest = &rest[end + 1..];
        let digest = chain.digest();
        let (entry, meta) = read_line(text, &mut chain).map_err(|damage| fail(damage.to_string()))?;
        match (&mut check, entry) {
            (None, Entry::Header(header)) => check = Some(Check::new(*header, meta.sandbox).map_err(fail)?),
            (None, _) => return Err(fail("the record does not begin with its header".to_owned())),
            (Some(check), Entry::End(end)) => {
                if end.digest != digest || end.lines != line as u64 {
                    return Err(fail("the end does not belong to this record".to_owned()));
                }
                if !rest.is_empty() {
                    let line = line + 1;
                    return Err(Mismatch { line, message: "something follows the end of the record".to_owned() });
                }
                let log = check.finish().map_err(fail)?;
                return Ok(Verified { log, lines: end.lines, digest });
            }
            (Some(check), entry) => check.take(entry, meta).map_err(fail)?,
        }
    }
    Err(Mismatch { line: line + 1, message: "the end of the record is missing: it was cut off here".to_owned() })
}

struct Check {
    log: Option<GameLog>,
    header: Header,
    sandbox: Option<SandboxLevel>,
    inputs: Vec<Logged>,
    replay: Replay,
    expected: VecDeque<EventEntry>,
}

impl Check {
    fn new(header: Header, sandbox: Option<SandboxLevel>) -> Result<Check, String> {
        if header.format != RECORD_FORMAT {
            return Err(format!(
                "the record is of the format {:?}; this program reads {RECORD_FORMAT:?}",
                header.format
            ));
        }
        let replay = Replay::new(&header).map_err(|error| error.to_string())?;
        let mut check = Check { log: None, header, sandbox, inputs: Vec::new(), replay, expected: VecDeque::new() };
        check.expect_events();
        Ok(check)
    }

    fn expect_events(&mut self) {
        self.expected.extend(self.replay.drain_events().map(|(n, event)| EventEntry { n, event }));
    }

    fn take(&mut self, entry: Entry, meta: Meta) -> Result<(), String> {
        if self.log.is_some() {
            return Err("something stands between the result and the end".to_owned());
        }
        match (entry, self.expected.pop_front()) {
            (Entry::Event(found), Some(expected)) if found == expected => Ok(()),
            (Entry::Event(found), Some(expected)) => {
                Err(format!("the engine comes to {expected:?}, the record says {found:?}"))
            }
            (Entry::Event(found), None) => Err(format!("the engine comes to no event here, the record says {found:?}")),
            (_, Some(expected)) => Err(format!("the engine comes to {expected:?}, which the record leaves out")),
            (Entry::Header(_), None) => Err("a second header".to_owned()),
            (Entry::Result(result), None) => {
                let expected = self.replay.result();
                if result != expected {
                    return Err(format!("the engine comes to the result {expected:?}, the record says {result:?}"));
                }
                let inputs = std::mem::take(&mut self.inputs);
                self.log = Some(GameLog { header: self.header.clone(), inputs, result, sandbox: self.sandbox });
                Ok(())
            }
            (entry, None) => {
                self.replay.take(&entry).map_err(|error| error.to_string())?;
                self.expect_events();
                self.inputs.push(Logged { entry, meta });
                Ok(())
            }
        }
    }

    fn finish(&mut self) -> Result<GameLog, String> {
        self.log.take().ok_or_else(|| "the record ends without a result".to_owned())
    }
}
