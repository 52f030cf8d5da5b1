//! Checking a record: its lines, their chain, and everything in it against the engine.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::record::{Chain, Entry, EventEntry, Header, Meta, read_line, write_entry};
use maumau_engine::rules::check_resolved;
use maumau_protocol::{Event, EventNumber};

use crate::log::{GameLog, Logged};
use crate::record::audit::Audit;

/// Characters of an entry that are shown.
const MAX_SHOWN: usize = 400;

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
    Verifier::default().read(record)
}

/// A record that is read up to some line. A copy goes on from there with another rest.
#[derive(Clone, Default)]
pub struct Verifier {
    chain: Chain,
    /// Lines so far.
    lines: usize,
    check: Option<Check>,
}

impl Verifier {
    /// Reads the rest of the record.
    ///
    /// # Errors
    /// As [`verify`].
    pub fn read(mut self, rest: &[u8]) -> Result<Verified, Mismatch> {
        let mut rest = rest;
        while !rest.is_empty() {
            let line = self.lines + 1;
            let fail = |message: String| Mismatch { line, message };
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                return Err(fail(format!("the record is cut off here: {} bytes of an unfinished line", rest.len())));
            };
            let (text, behind) = (&rest[..end], &rest[end + 1..]);
            match self.take(text).map_err(fail)? {
                Some(_) if !behind.is_empty() => {
                    let line = line + 1;
                    return Err(Mismatch { line, message: "something follows the end of the record".to_owned() });
                }
                Some(verified) => return Ok(verified),
                None => rest = behind,
            }
        }
        let line = self.lines + 1;
        Err(Mismatch { line, message: "the end of the record is missing: it was cut off here".to_owned() })
    }

    /// Reads the next line, without its newline; gives the game when it is the last one.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn take(&mut self, line: &[u8]) -> Result<Option<Verified>, String> {
        self.lines += 1;
        let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned())?;
        let digest = self.chain.digest();
        let (entry, meta) = read_line(text, &mut self.chain).map_err(|damage| damage.to_string())?;
        match (&mut self.check, entry) {
            (None, Entry::Header(header)) => self.check = Some(Check::new(*header, meta)?),
            (None, _) => return Err("the record does not begin with its header".to_owned()),
            (Some(check), Entry::End(end)) => {
                if end.digest != digest || end.lines != self.lines as u64 {
                    return Err("the end does not belong to this record".to_owned());
                }
                return Ok(Some(Verified { log: check.finish()?, lines: end.lines, digest }));
            }
            (Some(check), entry) => check.take(entry, meta)?,
        }
        Ok(None)
    }
}

#[derive(Clone)]
struct Check {
    log: Option<GameLog>,
    header: Arc<Header>,
    /// What stands beside the header.
    head: Meta,
    inputs: Vec<Logged>,
    audit: Audit,
    expected: VecDeque<EventEntry>,
}

impl Check {
    fn new(header: Header, head: Meta) -> Result<Check, String> {
        header.check().map_err(|error| error.to_string())?;
        check_resolved(&header.rules).map_err(|problems| problems.to_string().replace('\n', "; "))?;
        let audit = Audit::new(&header).map_err(|error| error.to_string())?;
        let header = Arc::new(header);
        let mut check = Check { log: None, header, head, inputs: Vec::new(), audit, expected: VecDeque::new() };
        let mut events = Vec::new();
        check.audit.begin_round(&mut events);
        check.expect(events);
        Ok(check)
    }

    fn expect(&mut self, events: Vec<Event>) {
        let first = self.audit.game().last_event().0 + 1 - events.len() as u32;
        let numbered = events.into_iter().zip(first..);
        self.expected.extend(numbered.map(|(event, number)| EventEntry { n: EventNumber(number), event }));
    }

    fn take(&mut self, entry: Entry, meta: Meta) -> Result<(), String> {
        if self.log.is_some() {
            return Err("something stands between the result and the end".to_owned());
        }
        match (entry, self.expected.pop_front()) {
            (Entry::Event(found), Some(expected)) if found == expected => Ok(()),
            (Entry::Event(found), Some(expected)) => {
                let (expected, found) = (shown(&Entry::Event(expected)), shown(&Entry::Event(found)));
                Err(format!("the engine comes to {expected}, the record says {found}"))
            }
            (Entry::Event(found), None) => {
                Err(format!("the engine comes to no event here, the record says {}", shown(&Entry::Event(found))))
            }
            (_, Some(expected)) => {
                Err(format!("the engine comes to {}, which the record leaves out", shown(&Entry::Event(expected))))
            }
            (Entry::Header(_), None) => Err("a second header".to_owned()),
            (Entry::Result(result), None) => {
                let expected = self.audit.result().map_err(|error| error.to_string())?;
                if result != expected {
                    let (expected, found) = (shown(&Entry::Result(expected)), shown(&Entry::Result(result)));
                    return Err(format!("the engine comes to {expected}, the record says {found}"));
                }
                let inputs = std::mem::take(&mut self.inputs);
                let header = Header::clone(&self.header);
                let Meta { sandbox, permits, .. } = std::mem::take(&mut self.head);
                self.log = Some(GameLog { header, inputs, result, sandbox, permits });
                Ok(())
            }
            (entry, None) => {
                let mut events = Vec::new();
                self.audit.take(&entry, &meta, &mut events).map_err(|error| error.to_string())?;
                self.expect(events);
                self.inputs.push(Logged { entry, meta });
                Ok(())
            }
        }
    }

    fn finish(&mut self) -> Result<GameLog, String> {
        self.log.take().ok_or_else(|| "the record ends without a result".to_owned())
    }
}

/// An entry as it stands in a record, as much of it as a message can hold.
pub(crate) fn shown(entry: &Entry) -> String {
    let mut json = Vec::new();
    write_entry(entry, &mut json);
    let text = String::from_utf8_lossy(&json);
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}
