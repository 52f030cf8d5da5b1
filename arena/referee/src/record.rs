//! Records: what is written of a game so that it can be replayed, checked and watched (SPEC §9).
//!
//! A record is JSON lines. Each line is an [`Entry`] followed by `hash`, the first 16 bytes of the hash chain up to and
//! with this entry; then `meta`, where there is something to say that may differ between two runs of the same game; then
//! `check`, a checksum of the whole line. The chain covers entries only, so the same seed and the same answers give the
//! same digest on every machine, while no byte of a line can change unnoticed.

mod audit;
mod header;
mod moves;
mod records;
mod sealed;
mod skim;
mod usual;
mod verify;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use maumau_protocol::Action;
use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::GameResult;
use maumau_protocol::seed::{hex, write_hex};
use maumau_protocol::write_json;
use maumau_protocol::{Elapse, Event, EventNumber, Stand};
use maumau_protocol::{Permits, SandboxLevel};

pub use header::{Header, HeaderError};
pub use moves::{MoveCount, MoveNumber};
pub use records::{Records, Sound};
use sealed::{Sealed, are_right};
use skim::{FormedHeader, HeaderForm, skim_line};
use usual::write_act;
pub use usual::write_event;
pub(crate) use verify::shown;
pub use verify::{Mismatch, Verified, Verifier, verify};

/// The name and version of the format.
pub const RECORD_FORMAT: &str = "maumau-record/1";

/// Bytes of a digest, SHA-256.
const DIGEST_BYTES: usize = 32;
/// Bytes of the chain that stand in a line.
const HASH_BYTES: usize = 16;
/// What stands in a line before its hash, before what may differ, and before its checksum.
const BEFORE_HASH: &str = ",\"hash\":\"";
const BEFORE_META: &str = ",\"meta\":";
const BEFORE_CHECK: &str = ",\"check\":\"";
/// Characters that are told of what is wrong with a line's form; they may quote it.
const MAX_ERROR_CHARS: usize = 300;
/// Bytes of a line's checksum.
const CHECK_BYTES: usize = 4;

/// One line's content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// The first line: everything that a replay needs to know.
    Header(Box<Header>),
    /// An input: a seat's action as it was taken up.
    Act(ActEntry),
    /// An input: the referee acted in a seat's place.
    Stand(StandEntry),
    /// An input: time passed with nobody acting.
    Elapse(ElapseEntry),
    /// An output of the engine.
    Event(EventEntry),
    /// A conduct fault.
    Fault(FaultEntry),
    /// An agent was dismissed; the referee plays its seat from here on.
    Dismissed(DismissedEntry),
    /// Something an agent wanted in the record.
    Note(NoteEntry),
    /// The result of the game.
    Result(GameResult),
    /// The last line.
    End(End),
}

/// A seat's action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActEntry {
    /// Whose.
    pub seat: Seat,
    /// The last event the seat had seen.
    pub as_of: EventNumber,
    /// What it did.
    pub action: Action,
}

/// The referee acted in a seat's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandEntry {
    /// Whose.
    pub seat: Seat,
    /// Why.
    pub why: Stand,
}

/// Time passed with nobody acting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElapseEntry {
    /// Which time.
    pub what: Elapse,
    /// The last event before the time began to run; what is owed for later ones still has time.
    pub as_of: EventNumber,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventEntry {
    /// Its number.
    pub n: EventNumber,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// A conduct fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultEntry {
    /// Whose.
    pub seat: Seat,
    /// Which.
    pub fault: ConductFault,
    /// What was wrong and where.
    pub message: String,
    /// The seat's strikes with this one.
    pub strikes: u8,
}

/// An agent was dismissed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DismissedEntry {
    /// Whose.
    pub seat: Seat,
    /// For what.
    pub fault: ConductFault,
    /// In a sentence.
    pub message: String,
}

/// Something an agent wanted in the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteEntry {
    /// Whose.
    pub seat: Seat,
    /// What.
    pub note: serde_json::Value,
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The number of lines, this one included.
    pub lines: u64,
    /// The chain up to the line before, 64 hexadecimal digits: the digest of the game.
    pub digest: String,
}

/// What may differ between two runs of the same game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Meta {
    /// Microseconds from the ask to its answer or deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took_us: Option<u64>,
    /// Microseconds of processor time that the agent used meanwhile, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// Microseconds that the agent could have run but had to wait for a processor, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_us: Option<u64>,
    /// Microseconds in which the arena itself did not serve, which are given back (SPEC 5.10); not in `took_us`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stalled_us: Option<u64>,
    /// Deadlines that have passed since the entry before, in the last one also after it, and have no entry of their own:
    /// void ones, and those of seats that did not have to act.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<Missed>,
    /// Failures of agents' own code (SPEC 6.16) that were told since the entry before, in the last one also after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crashes: Vec<Crash>,
    /// In a fault: the beginning of the line that was faulty, as it can be shown; absent where no line was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Box<str>>,
    /// In the header: the sandbox level at which the agents ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxLevel>,
    /// In the header: what the agent of each seat was permitted; absent where none was permitted anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permits: Vec<Permits>,
}

/// A deadline that has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// Whose.
    pub seat: Seat,
    /// As in [`Meta`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_us: Option<u64>,
    /// As in [`Meta`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// As in [`Meta`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_us: Option<u64>,
    /// As in [`Meta`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled_us: Option<u64>,
    /// Whether the host was to blame, so that the seat was asked again at no cost (SPEC 5.9).
    pub void: bool,
}

/// The code of an agent's author failed, and the kit beneath it answered in its place (SPEC 6.16).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// Whose.
    pub seat: Seat,
    /// The last event before the ask that was answered so.
    pub as_of: EventNumber,
    /// What the kit said of it; only of the first failures of a seat in a game.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub crash: Box<str>,
}

impl Meta {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Meta::default()
    }
}

/// The hash chain over the entries of one record.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    state: [u8; DIGEST_BYTES],
    lines: u64,
}

impl Chain {
    /// Adds the line of `entry` and its newline to `out`.
    pub fn write(&mut self, entry: &Entry, meta: &Meta, out: &mut Vec<u8>) {
        let start = out.len();
        write_entry(entry, out);
        self.seal(start, meta, out);
    }

    /// Makes a line of the JSON of an entry, which stands in `out` from `start` on.
    pub fn seal(&mut self, start: usize, meta: &Meta, out: &mut Vec<u8>) {
        self.add(&out[start..]);
        out.pop();
        out.extend_from_slice(BEFORE_HASH.as_bytes());
        write_hex(out, &self.state[..HASH_BYTES]);
        out.push(b'"');
        if !meta.is_empty() {
            out.extend_from_slice(BEFORE_META.as_bytes());
            write(out, meta);
        }
        let check = line_check(&out[start..]);
        out.extend_from_slice(BEFORE_CHECK.as_bytes());
        write_hex(out, &check);
        out.extend_from_slice(b"\"}\n");
    }

    /// Adds the last line, which names the digest of everything before it.
    pub fn write_end(&mut self, out: &mut Vec<u8>) {
        self.write(&Entry::End(self.end()), &Meta::default(), out);
    }

    /// What the last line says.
    pub fn end(&self) -> End {
        End { lines: self.lines + 1, digest: self.digest() }
    }

    /// The digest of the entries so far, 64 hexadecimal digits.
    pub fn digest(&self) -> String {
        hex(&self.state)
    }

    /// Takes the JSON of one entry into the chain: the new state is SHA-256 of the old state and the entry.
    pub fn add(&mut self, json: &[u8]) {
        self.state = Sha256::new().chain_update(self.state).chain_update(json).finalize().into();
        self.lines += 1;
    }

    /// The hash that stands in the line of the entry added last.
    pub fn hash(&self) -> String {
        hex(&self.state[..HASH_BYTES])
    }

    /// Entries so far.
    pub fn lines(&self) -> u64 {
        self.lines
    }
}

/// Adds the JSON of an entry to `out`.
pub fn write_entry(entry: &Entry, out: &mut Vec<u8>) {
    match entry {
        Entry::Act(act) => write_act(act, out),
        Entry::Event(EventEntry { n, event }) => write_event(*n, event, out),
        other => write(out, other),
    }
}

fn write<T: Serialize>(out: &mut Vec<u8>, value: &T) {
    expect_json(write_json(out, value));
}

/// Serialising these types into memory cannot fail: their maps have text keys and nothing is written elsewhere.
#[allow(clippy::expect_used)]
fn expect_json(written: serde_json::Result<()>) {
    written.expect("record types have a JSON form");
}

fn line_check(line: &[u8]) -> [u8; CHECK_BYTES] {
    let digest: [u8; DIGEST_BYTES] = Sha256::digest(line).into();
    std::array::from_fn(|byte| digest[byte])
}

/// A line that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineDamage {
    /// The checksum does not fit the line.
    #[error("the line was changed: its checksum does not fit")]
    Changed,
    /// The line does not have the form of a record line.
    #[error("not a line of a record: {0}")]
    Form(String),
    /// The line is sound in itself but does not follow the line before it.
    #[error("the line does not follow the one before it: a line was dropped, doubled, moved or put in")]
    Chain,
}

/// Reads one line of a record, without its newline, checks it and follows the chain.
///
/// # Errors
/// Tells a changed line from one that is out of place.
pub fn read_line(line: &str, chain: &mut Chain) -> Result<(Entry, Meta), LineDamage> {
    let form = |what: &str| LineDamage::Form(what.to_owned());
    let (body, check) = line.rsplit_once(BEFORE_CHECK).ok_or_else(|| form("it has no \"check\""))?;
    if check.strip_suffix("\"}") != Some(hex(&line_check(body.as_bytes())).as_str()) {
        return Err(LineDamage::Changed);
    }
    let (json, rest) = body.rsplit_once(BEFORE_HASH).ok_or_else(|| form("it has no \"hash\""))?;
    let (hash, meta) = rest.split_once('"').ok_or_else(|| form("its \"hash\" does not end"))?;
    let json = format!("{json}}}");
    let mut next = chain.clone();
    next.add(json.as_bytes());
    if next.hash() != hash {
        return Err(LineDamage::Chain);
    }
    let shape = |error: serde_json::Error| LineDamage::Form(error.to_string().chars().take(MAX_ERROR_CHARS).collect());
    let meta = match meta.strip_prefix(BEFORE_META) {
        None if meta.is_empty() => Meta::default(),
        None => return Err(form("something stands between \"hash\" and \"check\"")),
        Some(text) => serde_json::from_str(text).and_then(|meta| as_written(text, meta)).map_err(shape)?,
    };
    let entry = serde_json::from_str(&json).and_then(|entry| as_written(&json, entry)).map_err(shape)?;
    *chain = next;
    Ok((entry, meta))
}

/// `value` if `text` is the JSON that it is written as. Other spellings would give one game several digests, and members
/// that stand twice could be read as one thing here and as another elsewhere.
fn as_written<T: Serialize>(text: &str, value: T) -> serde_json::Result<T> {
    let mut written = Vec::with_capacity(text.len());
    write_json(&mut written, &value)?;
    if written == text.as_bytes() {
        return Ok(value);
    }
    Err(serde::de::Error::custom(
        "not in the form in which a record is written: other members, another order or spelling",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three_lines() -> String {
        let mut chain = Chain::default();
        let mut out = Vec::new();
        let seat = Seat::new(1).expect("a small seat");
        let note = |n: i32| Entry::Note(NoteEntry { seat, note: n.into() });
        chain.write(&note(1), &Meta::default(), &mut out);
        chain.write(&note(2), &Meta { took_us: Some(17), ..Meta::default() }, &mut out);
        chain.write_end(&mut out);
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    fn read_all(text: &str) -> Result<Vec<Entry>, LineDamage> {
        let mut chain = Chain::default();
        text.lines().map(|line| read_line(line, &mut chain).map(|(entry, _)| entry)).collect()
    }

    #[test]
    fn a_record_reads_back() {
        let text = three_lines();
        let entries = read_all(&text).expect("sound lines");
        assert_eq!(entries.len(), 3);
        assert!(matches!(&entries[2], Entry::End(end) if end.lines == 3));
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let text = three_lines();
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let noticed = match String::from_utf8(bytes) {
                    Err(_) => true,
                    Ok(changed) => read_all(&changed).is_err() || !changed.ends_with('\n'),
                };
                assert!(noticed, "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn an_entry_has_one_spelling() {
        let sealed = |json: &str| {
            let mut out = json.as_bytes().to_vec();
            Chain::default().seal(0, &Meta::default(), &mut out);
            String::from_utf8(out).expect("JSON is UTF-8")
        };
        let read = |json: &str| read_line(sealed(json).trim_end(), &mut Chain::default());
        assert!(read(r#"{"entry":"note","seat":1,"note":{"a":[1.5,9.9e+92]}}"#).is_ok());
        for json in [
            r#"{"entry":"note","note":1,"seat":1}"#,
            r#"{"entry":"note","seat":1,"note":1,"x":2}"#,
            r#"{"entry":"note", "seat":1,"note":1}"#,
            r#"{"entry":"note","seat":1,"note":"\u0061"}"#,
            r#"{"entry":"note","seat":1,"note":{"a":1,"a":2}}"#,
            r#"{"entry":"note","seat":1,"note":1e1}"#,
        ] {
            let error = read(json).expect_err(json);
            assert!(
                matches!(&error, LineDamage::Form(what) if what.contains("form") || what.contains("invalid")),
                "{error}"
            );
        }
    }

    #[test]
    fn dropped_doubled_and_swapped_lines_are_noticed() {
        let text = three_lines();
        let lines: Vec<&str> = text.lines().collect();
        for order in [vec![1, 2], vec![0, 2], vec![0, 0, 1, 2], vec![1, 0, 2], vec![0, 1, 1, 2]] {
            let changed: Vec<&str> = order.iter().map(|index| lines[*index]).collect();
            assert_eq!(read_all(&changed.join("\n")), Err(LineDamage::Chain), "{order:?}");
        }
    }
}
