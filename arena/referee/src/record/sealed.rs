//! Records whose text is known to be right but for the hashes in it.
//!
//! Whoever has played a game again knows what each line of its record must say, and where in the text it stands. The
//! hashes are then looked at all together.

use sha2::{Digest, Sha256};

use super::skim::{FormedHeader, HeaderForm, Seams, skim_act_into, skim_end};
use super::usual::{Expected, put_usual};
use super::{ActEntry, BEFORE_CHECK, BEFORE_HASH, BEFORE_META, CHECK_BYTES, DIGEST_BYTES, End, HASH_BYTES};
use maumau_protocol::seed::digits_of;
use maumau_protocol::{Event, EventNumber};

/// A record up to where it has been found right.
#[derive(Debug)]
pub(super) struct Sealed<'a> {
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
    /// What is known of the digest of the chain up to this line, and where its digits end.
    known: Known,
    digits: usize,
}

/// How much is known of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// As much as a line's checksum has of it.
    Check,
    /// As much as a line's hash has of it.
    Hash,
    All,
}

impl Known {
    /// Bytes, the first ones.
    pub(super) const fn bytes(self) -> usize {
        match self {
            Known::Check => CHECK_BYTES,
            Known::Hash => HASH_BYTES,
            Known::All => DIGEST_BYTES,
        }
    }
}

impl<'a> Sealed<'a> {
    /// A record of which nothing has been looked at.
    pub(super) fn new(text: &'a [u8]) -> Sealed<'a> {
        // Most lines are longer.
        const BYTES_OF_LINE: usize = 128;
        Sealed { text, at: 0, lines: Vec::with_capacity(text.len() / BYTES_OF_LINE) }
    }

    /// What has not been looked at.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Lines so far.
    pub(super) fn lines(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Whether the next line is that of `entry` and `meta`, both as JSON, `meta` empty where there is nothing to say; the
    /// digits of its hash and of its checksum may be any. Then it has been looked at, otherwise nothing has.
    #[inline]
    pub(super) fn pass(&mut self, entry: &[u8], meta: &[u8]) -> bool {
        let Some(seams) = self.find(entry, meta) else { return false };
        self.add(seams);
        true
    }

    /// The same for the entry of an event, if it is one of the usual ones, with nothing else to say.
    #[inline]
    pub(super) fn pass_event(&mut self, n: EventNumber, event: &Event) -> bool {
        let mut expected = Expected { rest: self.rest(), is_there: true };
        if !put_usual(n, event, &mut expected) || !expected.is_there {
            return false;
        }
        let Some(seams) = self.behind(expected.rest, b"") else { return false };
        self.add(seams);
        true
    }

    /// Passes the next line if it is a header of this form, and says what it says.
    pub(super) fn pass_header(&mut self, form: &HeaderForm) -> Option<FormedHeader<'a>> {
        let (header, seams) = form.skim(self.rest())?;
        self.add(seams);
        Some(header)
    }

    /// Passes the next line if it is an act in the usual form, and puts it in the place of `act`; if it is not, what `act`
    /// holds then means nothing.
    #[inline(always)]
    pub(super) fn pass_act(&mut self, act: &mut ActEntry) -> bool {
        let Some(seams) = skim_act_into(self.rest(), act) else { return false };
        self.add(seams);
        true
    }

    /// Passes the next line if it is the end of a record, and says what it says. The digest that it names is one of the
    /// hashes to be looked at.
    pub(super) fn pass_end(&mut self) -> Option<End> {
        let (end, seams) = skim_end(self.rest())?;
        let last = self.lines.last_mut()?;
        // The line before has the beginning of it, and nothing but a quote stands between it and the end's own hash.
        let hash = self.text.get(last.digits - 2 * HASH_BYTES..last.digits)?;
        if end.digest.len() != 2 * DIGEST_BYTES || !end.digest.as_bytes().starts_with(hash) {
            return None;
        }
        (last.known, last.digits) = (Known::All, self.at + seams[0] - 1);
        self.add(seams);
        Some(end)
    }

    #[inline(always)]
    fn add(&mut self, [hash, check, end]: Seams) {
        let (start, hash, check) = (self.at, self.at + hash, self.at + check);
        let digits = hash + BEFORE_HASH.len() + 2 * HASH_BYTES;
        self.lines.push(Place { start, hash, check, known: Known::Hash, digits });
        self.at += end;
    }

    #[inline]
    fn find(&self, entry: &[u8], meta: &[u8]) -> Option<Seams> {
        self.behind(self.rest().strip_prefix(entry.strip_suffix(b"}")?)?, meta)
    }

    /// The seams of the next line, if behind its entry `rest` stands and in it what belongs there.
    #[inline(always)]
    fn behind(&self, rest: &[u8], meta: &[u8]) -> Option<Seams> {
        let before = |rest: &[u8]| self.rest().len() - rest.len();
        let hash = before(rest);
        let rest = rest.strip_prefix(BEFORE_HASH.as_bytes())?.get(2 * HASH_BYTES..)?.strip_prefix(b"\"")?;
        let rest = match meta {
            [] => rest,
            meta => rest.strip_prefix(BEFORE_META.as_bytes())?.strip_prefix(meta)?,
        };
        let check = before(rest);
        let rest = rest.strip_prefix(BEFORE_CHECK.as_bytes())?.get(2 * CHECK_BYTES..)?.strip_prefix(b"\"}\n")?;
        Some([hash, check, before(rest)])
    }
}

impl Place {
    /// Where the digits of the checksum end.
    fn check_digits(&self) -> usize {
        self.check + BEFORE_CHECK.len() + 2 * CHECK_BYTES
    }
}

/// Whether in the lines of `records` that were looked at all hashes and checksums are right, and the digests that ends
/// name.
pub(super) fn are_right(records: &[Sealed<'_>]) -> bool {
    let has = |text: &[u8], end: usize, known: Known, digest: [u8; DIGEST_BYTES]| {
        text[..end].ends_with(&digits_of(digest).as_flattened()[..2 * known.bytes()])
    };
    records.iter().all(|Sealed { text, lines, .. }| {
        let mut chain = [0; DIGEST_BYTES];
        lines.iter().all(|place| {
            let entry = Sha256::new().chain_update(chain).chain_update(&text[place.start..place.hash]);
            chain = entry.chain_update(b"}").finalize().into();
            let check = Sha256::digest(&text[place.start..place.check]).into();
            has(text, place.digits, place.known, chain) && has(text, place.check_digits(), Known::Check, check)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Chain, Entry, Meta, Missed, NoteEntry, write, write_entry};
    use super::*;
    use maumau_protocol::Seat;

    /// Lines, and the record of them with its last line.
    fn record(lines: usize) -> (Vec<(Entry, Meta)>, Vec<u8>) {
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
        entries.push((Entry::End(chain.end()), Meta::default()));
        chain.write_end(&mut record);
        (entries, record)
    }

    /// Whether all lines are there, and nothing else.
    fn pass_all(entries: &[(Entry, Meta)], sealed: &mut Sealed<'_>) -> bool {
        let are_passed = entries.iter().all(|(entry, meta)| {
            if matches!(entry, Entry::End(_)) {
                return sealed.pass_end().map(Entry::End).as_ref() == Some(entry);
            }
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
        let (entries, record) = record(4);
        let mut sound = Sealed::new(&record);
        assert!(pass_all(&entries, &mut sound));
        assert_eq!(sound.lines(), 5);
        assert!(are_right(&[sound]));
        for at in 0..record.len() {
            let mut changed = record.clone();
            changed[at] ^= 1;
            let mut sealed = Sealed::new(&changed);
            let is_found = !pass_all(&entries, &mut sealed) || !are_right(&[sealed]);
            assert!(is_found, "byte {at} of {}", record.len());
            assert!(!pass_all(&entries, &mut Sealed::new(&record[..at])), "cut at {at} of {}", record.len());
        }
    }

    #[test]
    fn the_digest_that_an_end_names_is_looked_at() {
        let (entries, record) = record(4);
        let digest = Chain::default().digest();
        for keeps_beginning in [false, true] {
            // An end that fits itself, but names another digest.
            let mut chain = Chain::default();
            let mut forged = Vec::new();
            for (entry, meta) in &entries[..4] {
                chain.write(entry, meta, &mut forged);
            }
            let kept = if keeps_beginning { 2 * HASH_BYTES } else { 0 };
            let named = format!("{}{}", &chain.digest()[..kept], &digest[kept..]);
            let end = Entry::End(End { digest: named, ..chain.end() });
            chain.write(&end, &Meta::default(), &mut forged);
            assert_eq!(forged.len(), record.len());
            let mut sealed = Sealed::new(&forged);
            let is_passed = pass_all(&[&entries[..4], &[(end, Meta::default())]].concat(), &mut sealed);
            assert_eq!(is_passed, keeps_beginning);
            assert!(!is_passed || !are_right(&[sealed]));
        }
    }

    #[test]
    fn records_are_looked_at_together_as_one_by_one() {
        let records: Vec<_> = (0..23).map(record).collect();
        let mut sealed: Vec<Sealed<'_>> = records.iter().map(|(_, record)| Sealed::new(record)).collect();
        for ((entries, _), sealed) in records.iter().zip(&mut sealed) {
            assert_eq!(pass_all(entries, sealed), entries.len() > 1);
        }
        assert!(are_right(&sealed));
        // One digit of a hash or a checksum of one of them.
        for changed in 1..records.len() {
            for line in [0, changed] {
                let Place { hash, check, .. } = sealed[changed].lines[line];
                for digit in [hash + BEFORE_HASH.len(), check + BEFORE_CHECK.len() + 7] {
                    let mut text = sealed[changed].text.to_vec();
                    text[digit] ^= 1;
                    let other = Sealed { text: &text, at: text.len(), lines: sealed[changed].lines.clone() };
                    let mut others: Vec<&Sealed<'_>> = sealed.iter().collect();
                    others[changed] = &other;
                    let others: Vec<Sealed<'_>> = others
                        .iter()
                        .map(|Sealed { text, at, lines }| Sealed { text, at: *at, lines: lines.clone() })
                        .collect();
                    assert!(!are_right(&others), "line {line} of record {changed}");
                }
            }
        }
    }
}
