//! Checking many records.
//!
//! The game is played once more, and every line is written once more. A record that has the very same bytes is right in
//! every respect, and has been read only as far as its inputs; any other is read with care by [`verify`].

use std::sync::Arc;

use maumau_engine::rules::check_resolved;
use maumau_protocol::record::{
    Chain, Entry, EventEntry, Header, Meta, read_line, skim_act, skim_header, write_entry, write_header,
};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::write_json;

use crate::log::{GameLog, Logged, Replay};
use crate::verify::{Mismatch, Verified, verify};

/// Checks records one after another. The rules are read only where they differ from those of the record before.
#[derive(Default)]
pub struct Records {
    rules: Option<KnownRules>,
    /// A line as it should be; only its memory is kept.
    written: Vec<u8>,
}

struct KnownRules {
    json: Vec<u8>,
    set: Arc<RuleSet>,
    /// The last game by them.
    replay: Replay,
}

impl Records {
    /// As [`verify`].
    ///
    /// # Errors
    /// As [`verify`].
    pub fn verify(&mut self, record: &[u8]) -> Result<Verified, Mismatch> {
        let written = std::mem::take(&mut self.written);
        let mut reader = Reader { rest: record, line: 0, chain: Chain::default(), written };
        let verified = self.check(&mut reader);
        self.written = reader.written;
        verified.map_or_else(|| verify(record), Ok)
    }

    fn check(&mut self, reader: &mut Reader<'_>) -> Option<Verified> {
        let (header, meta) = self.header(reader)?;
        header.check().ok()?;
        let replay = self.replay(&header)?;
        let inputs = reader.inputs(replay)?;
        let result = replay.result();
        let digest = reader.chain.digest();
        let end = Entry::End(reader.chain.end());
        let is_whole = reader.is_next(&Meta::default(), |out| write_entry(&end, out)) && reader.rest.is_empty();
        is_whole.then_some(Verified {
            log: GameLog { header, inputs, result, sandbox: meta.sandbox },
            lines: reader.line,
            digest,
        })
    }

    fn header(&self, reader: &mut Reader<'_>) -> Option<(Header, Meta)> {
        if let Some(KnownRules { json, set, .. }) = &self.rules
            && let Some((header, meta)) = skim_header(reader.line(), json, set)
            && reader.is_next(&meta, |out| write_header(&header, json, out))
        {
            return Some((header, meta));
        }
        match reader.read()? {
            (Entry::Header(header), meta) => Some((*header, meta)),
            _ => None,
        }
    }

    /// The game of `header` before its first input.
    fn replay(&mut self, header: &Header) -> Option<&mut Replay> {
        let is_known = |known: &KnownRules| {
            let rules = known.replay.game().rules();
            // By the texts that were compared the rules are the same; here they are even at the same place.
            Arc::ptr_eq(&known.set, &header.rules)
                && rules.seats() == header.names.len()
                && rules.rounds() == header.rounds
        };
        let known = match self.rules.take_if(|known| is_known(known)) {
            Some(mut known) => {
                known.replay.restart(&header.seed);
                known
            }
            None => {
                check_resolved(&header.rules).ok()?;
                let mut json = Vec::new();
                write_json(&mut json, &*header.rules).ok()?;
                KnownRules { json, set: Arc::clone(&header.rules), replay: Replay::new(header).ok()? }
            }
        };
        Some(&mut self.rules.insert(known).replay)
    }
}

/// A record up to where it has been found right.
struct Reader<'a> {
    rest: &'a [u8],
    /// Lines so far.
    line: u64,
    chain: Chain,
    written: Vec<u8>,
}

impl Reader<'_> {
    /// Whether the next line is that of the entry which `write` writes, and of `meta`; then it has been read.
    #[inline]
    fn is_next(&mut self, meta: &Meta, write: impl FnOnce(&mut Vec<u8>)) -> bool {
        self.written.clear();
        write(&mut self.written);
        let end = self.written.len();
        if !meta.is_empty() && write_json(&mut self.written, meta).is_err() {
            return false;
        }
        let (entry, meta) = self.written.split_at(end);
        let behind = self.chain.pass(entry, meta, self.rest);
        self.rest = behind.unwrap_or(self.rest);
        self.line += u64::from(behind.is_some());
        behind.is_some()
    }

    /// The next line, or what there is of it, without its newline.
    fn line(&self) -> &[u8] {
        &self.rest[..memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len())]
    }

    /// Reads a line of any form.
    fn read(&mut self) -> Option<(Entry, Meta)> {
        let line = self.line();
        let rest = self.rest.get(line.len() + 1..)?;
        let mut chain = self.chain.clone();
        let read = read_line(std::str::from_utf8(line).ok()?, &mut chain).ok()?;
        (self.chain, self.rest) = (chain, rest);
        self.line += 1;
        Some(read)
    }

    /// Reads everything up to the result, which is the one that `replay` comes to.
    fn inputs(&mut self, replay: &mut Replay) -> Option<Vec<Logged>> {
        let none = Meta::default();
        let mut inputs = Vec::new();
        self.events(replay, &none)?;
        loop {
            let skimmed = skim_act(self.rest).and_then(|(act, meta)| {
                let entry = Entry::Act(act);
                self.is_next(&meta, |out| write_entry(&entry, out)).then_some((entry, meta))
            });
            if skimmed.is_none() && self.rest.starts_with(br#"{"entry":"result""#) {
                let result = Entry::Result(replay.result());
                return self.is_next(&none, |out| write_entry(&result, out)).then_some(inputs);
            }
            let (entry, meta) = match skimmed {
                Some(read) => read,
                None => self.read()?,
            };
            if matches!(entry, Entry::Header(_) | Entry::Event(_) | Entry::Result(_) | Entry::End(_)) {
                return None;
            }
            replay.take(&entry).ok()?;
            inputs.push(Logged { entry, meta });
            self.events(replay, &none)?;
        }
    }

    /// Reads the events that `replay` has come to.
    fn events(&mut self, replay: &mut Replay, none: &Meta) -> Option<()> {
        for (n, event) in replay.drain_events() {
            let expected = Entry::Event(EventEntry { n, event });
            if !self.is_next(none, |out| write_entry(&expected, out)) {
                return None;
            }
        }
        Some(())
    }
}
