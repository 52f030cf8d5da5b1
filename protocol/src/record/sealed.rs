//! Records whose text is known to be right but for the hashes in it.
//!
//! Whoever has played a game again knows what each line of its record must say, and where in the text it stands. The
//! hashes are then looked at all together, those of several records side by side.

use super::sha::{LANES, Message, State, bytes_of, hash_all};
use super::skim::{FormedHeader, HeaderForm, Seams, skim_act, skim_end};
use super::{ActEntry, BEFORE_CHECK, BEFORE_HASH, BEFORE_META, CHECK_BYTES, End, HASH_BYTES};
use crate::seed::digits_of;

/// A record up to where it has been found right.
#[derive(Debug)]
pub struct Sealed<'a> {
    text: &'a [u8],
    /// Where the first line stands that has not been looked at.
    at: usize,
    lines: Vec<Place>,
}

/// Where the parts of a line stand in a record.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: usize,
    /// Where its entry ends, without the closing brace, and `hash` begins.
    hash: usize,
    check: usize,
}

impl<'a> Sealed<'a> {
    /// A record of which nothing has been looked at.
    pub fn new(text: &'a [u8]) -> Sealed<'a> {
        // Most lines are longer.
        const BYTES_OF_LINE: usize = 128;
        Sealed { text, at: 0, lines: Vec::with_capacity(text.len() / BYTES_OF_LINE) }
    }

    /// What has not been looked at.
    pub fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Lines so far.
    pub fn lines(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Whether the next line is that of `entry` and `meta`, both as JSON, `meta` empty where there is nothing to say; the
    /// digits of its hash and of its checksum may be any. Then it has been looked at, otherwise nothing has.
    #[inline]
    pub fn pass(&mut self, entry: &[u8], meta: &[u8]) -> bool {
        let Some(seams) = self.find(entry, meta) else { return false };
        self.add(seams);
        true
    }

    /// Passes the next line if it is a header of this form, and says what it says.
    pub fn pass_header(&mut self, form: &HeaderForm) -> Option<FormedHeader<'a>> {
        let (header, seams) = form.skim(self.rest())?;
        self.add(seams);
        Some(header)
    }

    /// Passes the next line if it is an act in the usual form, and says which.
    pub fn pass_act(&mut self) -> Option<ActEntry> {
        let (act, seams) = skim_act(self.rest())?;
        self.add(seams);
        Some(act)
    }

    /// Passes the next line if it is the end of a record, and says what it says.
    pub fn pass_end(&mut self) -> Option<End> {
        let (end, seams) = skim_end(self.rest())?;
        self.add(seams);
        Some(end)
    }

    #[inline]
    fn add(&mut self, [hash, check, end]: Seams) {
        self.lines.push(Place { start: self.at, hash: self.at + hash, check: self.at + check });
        self.at += end;
    }

    #[inline]
    fn find(&self, entry: &[u8], meta: &[u8]) -> Option<Seams> {
        let line = self.rest();
        let rest = line.strip_prefix(entry.strip_suffix(b"}")?)?;
        let hash = line.len() - rest.len();
        let rest = rest.strip_prefix(BEFORE_HASH.as_bytes())?.get(2 * HASH_BYTES..)?.strip_prefix(b"\"")?;
        let rest = match meta {
            [] => rest,
            meta => rest.strip_prefix(BEFORE_META.as_bytes())?.strip_prefix(meta)?,
        };
        let check = line.len() - rest.len();
        let rest = rest.strip_prefix(BEFORE_CHECK.as_bytes())?.get(2 * CHECK_BYTES..)?.strip_prefix(b"\"}\n")?;
        Some([hash, check, line.len() - rest.len()])
    }

    /// The message of which a line's hash is the digest: the chain before it, and its entry.
    #[inline]
    fn entry(&self, line: usize, chain: State) -> Message<'a> {
        let Place { start, hash, .. } = self.lines[line];
        Message::new(self.text, start, hash).with_brace().after(chain)
    }

    /// The message of which a line's checksum is the digest.
    #[inline]
    fn line(&self, line: usize) -> Message<'a> {
        let Place { start, check, .. } = self.lines[line];
        Message::new(self.text, start, check)
    }

    /// Whether a line has the hash that the chain comes to.
    #[inline]
    fn has_hash(&self, line: usize, chain: &State) -> bool {
        self.has_digits::<HASH_BYTES>(self.lines[line].hash + BEFORE_HASH.len(), chain)
    }

    /// Whether a line has the checksum that is the beginning of `digest`.
    #[inline]
    fn has_check(&self, line: usize, digest: &State) -> bool {
        self.has_digits::<CHECK_BYTES>(self.lines[line].check + BEFORE_CHECK.len(), digest)
    }

    #[inline(always)]
    fn has_digits<const N: usize>(&self, place: usize, digest: &State) -> bool {
        let found = self.text[place..].as_chunks().0.first_chunk::<N>();
        bytes_of(digest).first_chunk().map(|bytes| digits_of(*bytes)).as_ref() == found
    }
}

/// What a lane hashes.
#[derive(Clone, Copy)]
struct Task {
    record: usize,
    line: usize,
    /// Whether the line's checksum, and not its hash.
    is_check: bool,
}

/// For each of `records` its digest, if all hashes and checksums are right in the lines that were looked at: the chain up
/// to the line before the last.
pub fn digests(records: &[Sealed<'_>]) -> Vec<Option<[u8; 32]>> {
    let mut digests = vec![Some(State::default()); records.len()];
    let mut tasks = [None; LANES];
    let lines = |(record, sealed): (usize, &Sealed<'_>)| (0..sealed.lines.len()).map(move |line| (record, line));
    let mut chains = records.iter().enumerate().filter(|(_, sealed)| !sealed.lines.is_empty());
    let mut checks = records.iter().enumerate().flat_map(lines);
    hash_all(|lane, message| {
        if let Some(Task { record, line, is_check }) = tasks[lane] {
            let (sealed, digest) = (&records[record], message.state());
            let is_right = if is_check { sealed.has_check(line, digest) } else { sealed.has_hash(line, digest) };
            if !is_right {
                digests[record] = None;
            } else if !is_check
                && line + 2 == sealed.lines.len()
                && let Some(digest) = &mut digests[record]
            {
                *digest = *message.state();
            }
            if !is_check && line + 1 < sealed.lines.len() {
                tasks[lane] = Some(Task { record, line: line + 1, is_check });
                *message = sealed.entry(line + 1, *digest);
                return true;
            }
        }
        // The chains first, since the lines of one wait for each other; checksums fill what is left.
        if let Some((record, sealed)) = chains.next() {
            tasks[lane] = Some(Task { record, line: 0, is_check: false });
            *message = sealed.entry(0, State::default());
        } else if let Some((record, line)) = checks.next() {
            tasks[lane] = Some(Task { record, line, is_check: true });
            *message = records[record].line(line);
        } else {
            return false;
        }
        true
    });
    digests.into_iter().map(|digest| digest.map(|state| bytes_of(&state))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Chain, Entry, Meta, Missed, NoteEntry, write, write_entry};
    use super::*;
    use crate::seat::Seat;
    use crate::seed::{hex, unhex};

    /// Lines, and the record of them with its last line.
    fn record(lines: usize) -> (Vec<(Entry, Meta)>, Vec<u8>, String) {
        let seat = Seat::new(1).expect("a small seat");
        let missed = Missed { seat, took_us: Some(1), cpu_us: None, waited_us: None, stalled_us: None, void: true };
        let mut chain = Chain::default();
        let mut record = Vec::new();
        let mut entries = Vec::new();
        for line in 0..lines {
            let note = serde_json::json!("x".repeat(line * 83 % 300));
            let meta = match line % 3 {
                0 => Meta::default(),
                1 => Meta { took_us: Some(17), ..Meta::default() },
                _ => Meta { missed: vec![missed], ..Meta::default() },
            };
            entries.push((Entry::Note(NoteEntry { seat, note }), meta));
        }
        for (entry, meta) in &entries {
            chain.write(entry, meta, &mut record);
        }
        let digest = chain.digest();
        entries.push((Entry::End(chain.end()), Meta::default()));
        chain.write_end(&mut record);
        (entries, record, digest)
    }

    /// Whether all lines are there, and nothing else.
    fn pass_all(entries: &[(Entry, Meta)], sealed: &mut Sealed<'_>) -> bool {
        let are_passed = entries.iter().all(|(entry, meta)| {
            let (mut json, mut told) = (Vec::new(), Vec::new());
            write_entry(entry, &mut json);
            if !meta.is_empty() {
                write(&mut told, meta);
            }
            sealed.pass(&json, &told)
        });
        are_passed && sealed.rest().is_empty()
    }

    #[test]
    fn a_record_is_passed_as_it_was_written_and_no_other() {
        let (entries, record, digest) = record(4);
        let mut sound = Sealed::new(&record);
        assert!(pass_all(&entries, &mut sound));
        assert_eq!((sound.lines(), digests(&[sound])), (5, vec![unhex(&digest)]));
        for at in 0..record.len() {
            let mut changed = record.clone();
            changed[at] ^= 1;
            let mut sealed = Sealed::new(&changed);
            let is_found = !pass_all(&entries, &mut sealed) || digests(&[sealed]) == [None];
            assert!(is_found, "byte {at} of {}", record.len());
            assert!(!pass_all(&entries, &mut Sealed::new(&record[..at])), "cut at {at} of {}", record.len());
        }
    }

    #[test]
    fn records_are_looked_at_together_as_one_by_one() {
        let records: Vec<_> = (0..23).map(record).collect();
        let mut sealed: Vec<Sealed<'_>> = records.iter().map(|(_, record, _)| Sealed::new(record)).collect();
        for ((entries, ..), sealed) in records.iter().zip(&mut sealed) {
            assert!(pass_all(entries, sealed));
        }
        for (found, (_, _, digest)) in digests(&sealed).into_iter().zip(&records) {
            assert_eq!(found.map(|found| hex(&found)).as_ref(), Some(digest));
        }
    }
}
