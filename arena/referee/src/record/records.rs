//! Checking many records.
//!
//! The game is played once more from its inputs, and what it comes to is looked for in the record. One that has the very
//! bytes that would be written and the right hashes is right in every respect; any other is read with care by [`verify`].

use crate::record::{
    ActEntry, End, Entry, FormedHeader, HeaderForm, Meta, Sealed, are_right, skim_line, write_entry, write_event,
};
use maumau_engine::Witness;
use maumau_engine::rules::check_resolved;
use maumau_protocol::message::GameId;
use maumau_protocol::{Event, EventNumber, Seat, Seed, Verb, write_json};

use crate::record::audit::Audit;
use crate::record::verify::{Mismatch, Verified, verify};

/// A record that is right in every respect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    /// The game.
    pub game: GameId,
    /// Its seed.
    pub seed: Seed,
    /// The record's lines.
    pub lines: u64,
    /// Its digest.
    pub digest: String,
}

impl From<Verified> for Sound {
    fn from(Verified { log, lines, digest }: Verified) -> Sound {
        Sound { game: log.header.game, seed: log.header.seed, lines, digest }
    }
}

/// Checks records. The rules are read only where they, the seats or the times differ from those of the record before.
#[derive(Default)]
pub struct Records {
    known: Option<Known>,
    /// A line as it should be; only its memory is kept.
    written: Vec<u8>,
}

struct Known {
    form: HeaderForm,
    /// The last game of this form.
    game: Audit,
}

impl Records {
    /// Records that are worth checking together; more are no quicker.
    pub const AT_ONCE: usize = 16;

    /// As [`verify`] of each record, and quicker.
    pub fn verify_all(&mut self, records: &[&[u8]]) -> Vec<Result<Sound, Mismatch>> {
        let (mut sealed, mut expected) = (Vec::with_capacity(records.len()), Vec::with_capacity(records.len()));
        for record in records {
            let written = std::mem::take(&mut self.written);
            let mut reader =
                Reader { record: Sealed::new(record), written, last_event: EventNumber(0), is_right: true };
            let found = self.check(&mut reader);
            self.written = reader.written;
            // Where something else is wrong no hash matters.
            sealed.push(if found.is_some() { reader.record } else { Sealed::new(&[]) });
            expected.push(found);
        }
        let all = are_right(&sealed);
        let found = expected.into_iter().zip(&sealed).zip(records);
        found
            .map(|((expected, sealed), record)| match expected {
                Some(sound) if all || are_right(std::slice::from_ref(sealed)) => Ok(sound),
                _ => verify(record).map(Sound::from),
            })
            .collect()
    }

    /// Checks everything but hashes; the digest is the one that the record's end names.
    fn check(&mut self, reader: &mut Reader<'_>) -> Option<Sound> {
        let (game, seed) = self.header(reader)?;
        reader.game(&mut self.known.as_mut()?.game)?;
        let End { lines, digest } = reader.record.pass_end()?;
        let is_whole = lines == reader.record.lines() && reader.record.rest().is_empty();
        is_whole.then_some(Sound { game, seed, lines, digest })
    }

    /// Reads the header and makes its game the known one, as it is before its first input.
    fn header(&mut self, reader: &mut Reader<'_>) -> Option<(GameId, Seed)> {
        if let Some(Known { form, game }) = &mut self.known
            && let Some(FormedHeader { game: name, seed }) = reader.record.pass_header(form)
        {
            game.restart(&seed);
            return Some((GameId(name.into()), seed));
        }
        let (Entry::Header(header), _) = reader.read()? else { return None };
        header.check().ok()?;
        check_resolved(&header.rules).ok()?;
        self.known = Some(Known { form: HeaderForm::of(&header)?, game: Audit::new(&header).ok()? });
        Some((header.game, header.seed))
    }
}

/// A record that is being read. Told what happens in its game once more, it reads on as far as it says the same.
struct Reader<'a> {
    record: Sealed<'a>,
    written: Vec<u8>,
    /// The last event of which it was told, and whether all were there.
    last_event: EventNumber,
    is_right: bool,
}

impl Witness for Reader<'_> {
    #[inline(never)]
    fn see(&mut self, event: Event) {
        self.last_event.0 += 1;
        let n = self.last_event;
        self.is_right = self.is_right
            && (self.record.pass_event(n, &event) || self.is_next(&Meta::default(), |out| write_event(n, &event, out)));
    }
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
        self.record.pass(entry, meta)
    }

    /// The next line, or what there is of it, without its newline.
    fn line(&self) -> &[u8] {
        let rest = self.record.rest();
        &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())]
    }

    /// Reads a line of any form.
    fn read(&mut self) -> Option<(Entry, Meta)> {
        let (entry, meta) = skim_line(self.line())?;
        self.is_next(&meta, |out| write_entry(&entry, out)).then_some((entry, meta))
    }

    /// Reads everything up to the result, which is the one that `game` comes to.
    fn game(&mut self, game: &mut Audit) -> Option<()> {
        let mut act = ActEntry { seat: Seat::FIRST, as_of: EventNumber(0), action: Verb::Pass.into() };
        game.begin_round(self);
        while self.is_right {
            if self.record.pass_act(&mut act) {
                game.act(&act, self).ok()?;
            } else if self.record.rest().starts_with(br#"{"entry":"result""#) {
                let result = Entry::Result(game.result().ok()?);
                return self.is_next(&Meta::default(), |out| write_entry(&result, out)).then_some(());
            } else {
                let (entry, meta) = self.read()?;
                game.take(&entry, &meta, self).ok()?;
            }
        }
        None
    }
}
