//! The integrity of a record: the digest of the game and the checksums of the lines (SPEC 9.3, 9.5).
//!
//! Each line is hashed once: its entry goes into one SHA-256, which is the digest of the game. `meta` stays out of it, so that
//! two runs of the same game have the same digest; the CRC-32 at the end of each line, carried on from line to line, covers it
//! too, and so finds a line that was changed, dropped, duplicated, moved or inserted. Neither is a seal: a program that writes
//! the record can recompute both. What the lines say of the game is not read here.

use crc32fast::Hasher;
use maumau_protocol::seed::digits_of;
use maumau_protocol::write_json;
use sha2::{Digest as _, Sha256};

use super::damage::LineDamage;
use super::digest::Digest;
use super::format::{EndEntry, Entry, Meta};
use super::read::{BEFORE_META, read_body};
use super::write::{expect_json, write_entry};

/// The text of a line before its checksum and after it.
const BEFORE_CHECK: &[u8] = b",\"check\":\"";
const AFTER_CHECK: &[u8] = b"\"}";
/// Digits of a checksum.
const CHECK_DIGITS: usize = 8;

/// The lines of one record so far, as they are written or read.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    digest: Sha256,
    check: Hasher,
    lines: u64,
}

impl Chain {
    /// Adds the line of `entry` and its newline to `out`.
    pub fn write(&mut self, entry: &Entry, meta: &Meta, out: &mut Vec<u8>) {
        let start = out.len();
        write_entry(entry, out);
        self.seal(start, meta, out);
    }

    /// Completes the line whose entry is the JSON in `out` from `start` on.
    pub fn seal(&mut self, start: usize, meta: &Meta, out: &mut Vec<u8>) {
        out.pop();
        self.take(&out[start..]);
        if !meta.is_empty() {
            out.extend_from_slice(BEFORE_META);
            expect_json(write_json(out, meta));
        }
        let check = self.check_digits(&out[start..]);
        out.extend_from_slice(BEFORE_CHECK);
        out.extend_from_slice(&check);
        out.extend_from_slice(AFTER_CHECK);
        out.push(b'\n');
    }

    /// Adds the last line, which names the digest of everything before it.
    pub fn write_end(&mut self, out: &mut Vec<u8>) {
        self.write(&Entry::End(self.end()), &Meta::default(), out);
    }

    /// The last line as an entry.
    pub fn end(&self) -> EndEntry {
        EndEntry { lines: self.lines + 1, digest: self.digest() }
    }

    /// The digest of the entries so far.
    pub fn digest(&self) -> Digest {
        Digest(self.digest.clone().finalize().into())
    }

    /// Entries so far.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the line without its checksum if the checksum is right; `line` comes without its newline.
    pub(crate) fn open<'l>(&mut self, line: &'l [u8]) -> Result<&'l [u8], LineDamage> {
        let form = || LineDamage::Form("it does not end with \"check\"".to_owned());
        let rest = line.strip_suffix(AFTER_CHECK).ok_or_else(form)?;
        let (rest, check) = rest.split_last_chunk::<CHECK_DIGITS>().ok_or_else(form)?;
        let body = rest.strip_suffix(BEFORE_CHECK).ok_or_else(form)?;
        if self.check_digits(body) != *check {
            return Err(LineDamage::Changed);
        }
        Ok(body)
    }

    /// Takes in the next entry: its JSON without the closing brace.
    pub(crate) fn take(&mut self, entry: &[u8]) {
        self.digest.update(entry);
        self.digest.update(b"}\n");
        self.lines += 1;
    }

    /// The same for the first entry, whose beginning has the digest `beginning` and is followed by `rest`.
    pub(crate) fn take_after(&mut self, beginning: &Sha256, rest: &[u8]) {
        self.digest = beginning.clone();
        self.take(rest);
    }

    /// The checksum of the next line.
    fn check_digits(&mut self, body: &[u8]) -> [u8; CHECK_DIGITS] {
        self.check.update(body);
        let mut digits = [0; CHECK_DIGITS];
        digits.copy_from_slice(digits_of(self.check.clone().finalize().to_be_bytes()).as_flattened());
        digits
    }
}

/// Reads one line of a record, without its newline, and checks it. After an error the chain cannot be used any more.
///
/// # Errors
/// Distinguishes a line that was changed or is out of place from one in another form.
pub fn read_line(line: &str, chain: &mut Chain) -> Result<(Entry, Meta), LineDamage> {
    let body = chain.open(line.as_bytes())?;
    let (entry, meta, end) = read_body(body)?;
    chain.take(&body[..end]);
    Ok((entry, meta))
}

#[cfg(test)]
mod tests {
    use maumau_protocol::Seat;

    use super::super::format::NoteEntry;
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
            assert_eq!(read_all(&changed.join("\n")), Err(LineDamage::Changed), "{order:?}");
        }
    }
}
