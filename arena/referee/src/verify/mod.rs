//! Checks a record: every line's checksum, the digest, and everything that the lines say against the engine. It opens
//! no file, and what is wrong is returned, not printed.
//!
//! There is one path through a record. Inputs are read and replayed; what follows from them (events, the result, the last line)
//! is written again and compared with the text. The rules are compiled once for records that begin with the same bytes, as
//! those of a league do. [`Audit`] finds what a referee would not have written.

mod audit;
mod log;

use maumau_engine::Witness;
use maumau_engine::rules::check_resolved;
use maumau_protocol::message::{GameId, GameResult};
use maumau_protocol::scan::Scan;
use maumau_protocol::{Event, EventNumber, Seat, SeatSet, Seed, Verb, write_json};
use sha2::{Digest as _, Sha256};

use crate::log::{GameLog, Logged, Replay};
use crate::record::{ActEntry, Chain, Digest, Entry, Header, HeaderError, Meta, OwnMembers, RECORD_FORMAT};
use crate::record::{
    end_of_entry, expect_json, read_act, read_body, read_meta, shown, shown_json, write_entry, write_event,
};
use audit::Audit;

/// A record that passed every check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    /// The game.
    pub game: GameId,
    /// Its seed.
    pub seed: Seed,
    /// The record's lines.
    pub lines: u64,
    /// The digest of the game.
    pub digest: Digest,
}

/// A record that passed every check, and its game.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// The game, ready to be shown.
    pub log: GameLog,
    /// The record's lines.
    pub lines: u64,
    /// The digest of the game.
    pub digest: Digest,
}

/// The first place where a record is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct RecordMismatch {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads a whole record, replays its inputs and compares every event.
///
/// # Errors
/// Names the first line that was changed, is out of place, or differs from what the engine does; or the place after which the
/// rest is missing.
pub fn verify(record: &[u8]) -> Result<Verified, RecordMismatch> {
    Verifier::default().read(record)
}

/// What of a wrong record can still be shown: its game up to the input after which it is wrong, with the result as things stood
/// then; `None` if already its header is wrong.
pub fn sound_part(record: &[u8]) -> Option<GameLog> {
    let (mut verifier, mut inputs) = (Verifier::default(), Vec::new());
    verifier.run(record, Some(&mut inputs)).err()?;
    let header = verifier.known?.header;
    let mut replay = Replay::new(&header).ok()?;
    let right = inputs.iter().take_while(|logged| replay.take(&logged.entry).is_ok()).count();
    inputs.truncate(right);
    Some(GameLog {
        header,
        inputs,
        result: replay.result(),
        sandbox: None,
        permits: Vec::new(),
        public_seed: false,
        hidden_names: false,
        human_pace: SeatSet::EMPTY,
    })
}

/// Checks records one after another.
#[derive(Clone, Default)]
pub struct Verifier {
    known: Option<Known>,
    /// The line as it should be; kept to reuse its memory.
    written: Vec<u8>,
}

/// What is known about records that begin with the same bytes as the previous one.
#[derive(Clone)]
struct Known {
    /// These bytes, up to the header members in which the games of a league differ, and their digest.
    beginning: Vec<u8>,
    digest: Sha256,
    /// The header and the game of the previous record.
    header: Header,
    game: Audit,
}

/// The parts of a record besides its header and its inputs.
struct Rest {
    head: Meta,
    result: GameResult,
    lines: u64,
    digest: Digest,
}

impl Verifier {
    /// Checks a record; faster than [`Verifier::read`], as its game is not kept.
    ///
    /// # Errors
    /// As [`verify`].
    pub fn check(&mut self, record: &[u8]) -> Result<Sound, RecordMismatch> {
        let (header, Rest { lines, digest, .. }) = self.run(record, None)?;
        Ok(Sound { game: header.game.clone(), seed: header.seed, lines, digest })
    }

    /// Reads a record as [`verify`] does.
    ///
    /// # Errors
    /// As [`verify`].
    pub fn read(&mut self, record: &[u8]) -> Result<Verified, RecordMismatch> {
        let mut inputs = Vec::new();
        let (header, Rest { head, result, lines, digest }) = self.run(record, Some(&mut inputs))?;
        let Meta { sandbox, permits, public_seed, hidden_names, human_pace, .. } = head;
        let header = header.clone();
        let log = GameLog { header, inputs, result, sandbox, permits, public_seed, hidden_names, human_pace };
        Ok(Verified { log, lines, digest })
    }

    fn run(&mut self, record: &[u8], inputs: Option<&mut Vec<Logged>>) -> Result<(&Header, Rest), RecordMismatch> {
        let mut reader = Reader {
            rest: record,
            line: 0,
            chain: Chain::default(),
            written: std::mem::take(&mut self.written),
            last_event: EventNumber(0),
            mismatch: None,
        };
        let found = self.header(&mut reader).and_then(|(head, known)| {
            let result = reader.game(&mut known.game, inputs)?;
            let (lines, digest) = reader.end()?;
            Ok(Rest { head, result, lines, digest })
        });
        self.written = reader.written;
        match (found, &self.known) {
            (Ok(rest), Some(known)) => Ok((&known.header, rest)),
            (Ok(_), None) => Err(RecordMismatch { line: 1, message: NO_HEADER.to_owned() }),
            (Err(mismatch), _) => Err(mismatch),
        }
    }

    /// Reads the header and sets the known game to its state before the first input.
    fn header(&mut self, reader: &mut Reader<'_>) -> Result<(Meta, &mut Known), RecordMismatch> {
        if let Some(format) = format_of(reader.rest)
            && format != RECORD_FORMAT
        {
            // What its lines would have to be is unknown here.
            return Err(RecordMismatch { line: 1, message: HeaderError::other_format(format).to_string() });
        }
        let body = reader.next()?;
        let (head, end) = match self.known.as_mut().and_then(|known| known.take_header(body)) {
            Some(found) => found,
            None => {
                let (known, head, end) = Known::new(body).map_err(|message| reader.wrong(message))?;
                self.known = Some(known);
                (head, end)
            }
        };
        let Some(known) = &mut self.known else { return Err(reader.wrong(NO_HEADER.to_owned())) };
        reader.chain.take_after(&known.digest, &body[known.beginning.len()..end]);
        Ok((head, known))
    }
}

const NO_HEADER: &str = "the record does not begin with its header";

/// The format that the header of `record` names, if it is written as plainly as those of all formats are.
fn format_of(record: &[u8]) -> Option<&str> {
    let mut scan = Scan(record);
    scan.pass(br#"{"entry":"header","format":"#)?;
    scan.text()
}

impl Known {
    /// Reads the header of a record that begins with other bytes than the previous one; also returns what stands beside it, and
    /// where in `body` it ends.
    fn new(body: &[u8]) -> Result<(Known, Meta, usize), String> {
        let (entry, head, end) = read_body(body).map_err(|damage| damage.to_string())?;
        let Entry::Header(header) = entry else { return Err(NO_HEADER.to_owned()) };
        header.check().map_err(|error| error.to_string())?;
        check_resolved(&header.rules).map_err(|problems| problems.to_string().replace('\n', "; "))?;
        let game = Audit::new(&header).map_err(|error| error.to_string())?;
        if !is_of_header(&head) {
            return Err(
                "beside a header `meta` has the sandbox level, permits, public_seed, hidden_names and human_pace, and nothing else"
                    .to_owned(),
            );
        }
        let own = json_of(&header.own_members());
        let beginning = body[..end + "}".len() - (own.len() - "{".len())].to_owned();
        let digest = Sha256::new().chain_update(&beginning);
        Ok((Known { beginning, digest, header: *header, game }, head, end))
    }

    /// The same for a record that begins with the same bytes.
    fn take_header(&mut self, body: &[u8]) -> Option<(Meta, usize)> {
        let rest = body.strip_prefix(&self.beginning[..])?;
        let text = format!("{{{}}}", std::str::from_utf8(rest).ok()?);
        let (own, head): (OwnMembers, _) = (serde_json::from_str(&text).ok()?, read_meta(&text).ok()?);
        let end = end_of_entry(rest, &json_of(&own)[1..], &head)?;
        let OwnMembers { game, names, seed } = own;
        if names.len() != self.header.names.len() || !is_of_header(&head) {
            return None;
        }
        let header = Header { game, names, seed, ..self.header.clone() };
        header.check().ok()?;
        self.game.restart(&seed);
        self.header = header;
        Some((head, self.beginning.len() + end))
    }
}

/// True if `meta` holds only what a header may say beside its entry.
fn is_of_header(meta: &Meta) -> bool {
    let Meta { sandbox, public_seed, hidden_names, human_pace, .. } = *meta;
    *meta == Meta { sandbox, permits: meta.permits.clone(), public_seed, hidden_names, human_pace, ..Meta::default() }
}

fn json_of(own: &OwnMembers) -> Vec<u8> {
    let mut json = Vec::new();
    expect_json(write_json(&mut json, own));
    json
}

/// A record that is being read. Fed with the events of the replay, it reads on as long as the record says the same.
struct Reader<'r> {
    rest: &'r [u8],
    /// The current line, counted from 1.
    line: usize,
    chain: Chain,
    /// The JSON of the entry that is expected.
    written: Vec<u8>,
    /// The last event it was fed.
    last_event: EventNumber,
    /// The first line that differs from an event.
    mismatch: Option<RecordMismatch>,
}

impl Witness for Reader<'_> {
    #[inline(never)]
    fn see(&mut self, event: Event) {
        self.last_event.0 += 1;
        if self.mismatch.is_none() {
            self.written.clear();
            write_event(self.last_event, &event, &mut self.written);
            self.mismatch = self.next().and_then(|body| self.compare(body)).err();
        }
    }
}

impl<'r> Reader<'r> {
    fn wrong(&self, message: String) -> RecordMismatch {
        RecordMismatch { line: self.line, message }
    }

    /// The next line without its checksum, which was right.
    #[inline]
    fn next(&mut self) -> Result<&'r [u8], RecordMismatch> {
        self.line += 1;
        let rest = self.rest;
        let Some(end) = memchr::memchr(b'\n', rest) else {
            return Err(self.wrong(match rest.len() {
                0 => "the end of the record is missing: it was cut off here".to_owned(),
                bytes => format!("the record is cut off here: {bytes} bytes of an unfinished line"),
            }));
        };
        self.rest = &rest[end + 1..];
        self.chain.open(&rest[..end]).map_err(|damage| self.wrong(damage.to_string()))
    }

    /// Compares a line with the expected entry.
    #[inline]
    fn compare(&mut self, body: &[u8]) -> Result<(), RecordMismatch> {
        if self.written.strip_suffix(b"}") == Some(body) {
            self.chain.take(body);
            return Ok(());
        }
        Err(self.wrong(self.difference(body)))
    }

    /// Expects an entry that is not an event.
    fn expect(&mut self, entry: &Entry) {
        self.written.clear();
        write_entry(entry, &mut self.written);
    }

    #[cold]
    fn difference(&self, body: &[u8]) -> String {
        let (found, meta) = match read_body(body) {
            Ok((found, meta, _)) => (found, meta),
            Err(damage) => return damage.to_string(),
        };
        let expected = shown_json(&self.written);
        if kind_of(body) != kind_of(&self.written) {
            return format!("replay mismatch: expected {expected}, which the record leaves out");
        }
        if !meta.is_empty() {
            return "an entry that follows from the inputs has no `meta`".to_owned();
        }
        format!("replay mismatch: expected {expected}, found {}", shown(&found))
    }

    /// Reads everything up to the result, which must equal that of `game`.
    fn game(&mut self, game: &mut Audit, mut inputs: Option<&mut Vec<Logged>>) -> Result<GameResult, RecordMismatch> {
        let mut act = ActEntry { seat: Seat::FIRST, as_of: EventNumber(0), action: Verb::Pass.into() };
        game.begin_round(self);
        loop {
            if let Some(mismatch) = self.mismatch.take() {
                return Err(mismatch);
            }
            let body = self.next()?;
            let line = self.line;
            let wrong = |message: String| RecordMismatch { line, message };
            if let Some((end, took_us)) = read_act(body, &mut act) {
                self.chain.take(&body[..end]);
                game.act(&act, self).map_err(|error| wrong(error.0))?;
                if let Some(inputs) = &mut inputs {
                    inputs.push(Logged { entry: Entry::Act(act.clone()), meta: Meta { took_us, ..Meta::default() } });
                }
                continue;
            }
            if kind_of(body) == Some(b"result") {
                let result = game.result().map_err(|error| wrong(error.0))?;
                self.expect(&Entry::Result(result.clone()));
                return self.compare(body).map(|()| result);
            }
            let (entry, meta, end) = read_body(body).map_err(|damage| wrong(damage.to_string()))?;
            self.chain.take(&body[..end]);
            match &entry {
                Entry::Header(_) => return Err(wrong("a second header".to_owned())),
                Entry::Event(_) => {
                    return Err(wrong(format!("replay mismatch: expected no event here, found {}", shown(&entry))));
                }
                Entry::End(_) => return Err(wrong("the record ends without a result".to_owned())),
                input => game.take(input, &meta, self).map_err(|error| wrong(error.0))?,
            }
            if let Some(inputs) = &mut inputs {
                inputs.push(Logged { entry, meta });
            }
        }
    }

    /// Reads the last line; returns the number of lines and the digest that it names.
    fn end(&mut self) -> Result<(u64, Digest), RecordMismatch> {
        let end = self.chain.end();
        let (lines, digest) = (end.lines, end.digest);
        self.expect(&Entry::End(end));
        let body = self.next()?;
        if kind_of(body) != Some(b"end") {
            return Err(self.wrong("something stands between the result and the end".to_owned()));
        }
        self.compare(body)?;
        if self.rest.is_empty() {
            return Ok((lines, digest));
        }
        self.line += 1;
        Err(self.wrong("something follows the end of the record".to_owned()))
    }
}

/// What `entry` says in its first member.
fn kind_of(entry: &[u8]) -> Option<&[u8]> {
    let mut scan = Scan(entry);
    scan.pass(br#"{"entry":"#)?;
    scan.word()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_protocol::message::{ClockMode, TimeControl};
    use maumau_protocol::ruleset::RuleSet;
    use maumau_protocol::{Permits, SandboxLevel};

    use super::*;

    fn header(game: &str, names: &[&str], seed: u64) -> Header {
        let rules =
            r#"{"format":1,"name":"x","title":"X","seats":{"min":2,"max":4},"deck":{"cards":"7"},"deal":{"cards":1}}"#;
        let rules: Arc<RuleSet> = Arc::new(serde_json::from_str(rules).expect("a rule set"));
        Header {
            format: RECORD_FORMAT.to_owned(),
            engine: "1\",\"game\":\"".to_owned(),
            rules,
            rounds: 1,
            clock: ClockMode::Lockstep,
            time: TimeControl::default(),
            game: GameId(game.into()),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            seed: Seed([seed as u8; 32]),
        }
    }

    fn line(header: &Header, head: &Meta) -> Vec<u8> {
        let mut line = Vec::new();
        Chain::default().write(&Entry::Header(Box::new(header.clone())), head, &mut line);
        line
    }

    /// The header that was found, what stands beside it, the digest after it, and the seats of the table that it sets.
    fn read(verifier: &mut Verifier, line: &[u8]) -> Result<(Header, Meta, Digest, usize), RecordMismatch> {
        let (rest, written) = (line, Vec::new());
        let mut reader =
            Reader { rest, line: 0, chain: Chain::default(), written, last_event: EventNumber(0), mismatch: None };
        let (head, known) = verifier.header(&mut reader)?;
        Ok((known.header.clone(), head, reader.chain.digest(), known.game.game().rules().seats()))
    }

    /// Names that look like members, other tables, other times: a header is read the same whatever was read before.
    #[test]
    fn a_header_that_begins_like_the_one_before_is_read_as_by_itself() {
        let first = header("first", &["a", "b"], 1);
        let long = "x".repeat(65);
        let permits = vec![Permits { network: true, ..Permits::default() }, Permits::default()];
        let mut verifier = Verifier::default();
        for (header, is_sound) in [
            (header("", &["", ""], 1), true),
            (header("g-1", &["b", "a"], 2), true),
            (header("g-1", &["],\u{7e}{", "\",\"seed\":\""], 1), true),
            (header("g\"1", &["ü", "b"], 1), true),
            (header("g-1", &["a", "b", "c"], 1), true),
            (header("g-1", &["a"], 1), false),
            (header(&long, &["a", "b"], 1), false),
            (header("g-1", &["a", "b\u{202e}"], 1), false),
            (Header { rounds: 2, ..header("g-1", &["a", "b"], 1) }, true),
            (Header { clock: ClockMode::Live, ..header("g-1", &["a", "b"], 1) }, true),
        ] {
            for (head, is_sound_head) in [
                (Meta::default(), true),
                (Meta { sandbox: Some(SandboxLevel::Strict), ..Meta::default() }, true),
                (Meta { permits: permits.clone(), ..Meta::default() }, true),
                (Meta { public_seed: true, ..Meta::default() }, true),
                (Meta { hidden_names: true, ..Meta::default() }, true),
                (Meta { human_pace: SeatSet::of(Seat::FIRST), ..Meta::default() }, true),
                (Meta { took_us: Some(1), ..Meta::default() }, false),
            ] {
                read(&mut verifier, &line(&first, &Meta::default())).expect("a sound header");
                let line = line(&header, &head);
                let found = read(&mut verifier, &line);
                assert_eq!(found, read(&mut Verifier::default(), &line));
                assert_eq!(found.is_ok(), is_sound && is_sound_head, "{found:?}");
                if let Ok((found, head_found, ..)) = found {
                    assert_eq!((found, head_found), (header.clone(), head));
                }
            }
        }
    }

    #[test]
    fn a_record_of_another_format_is_refused_in_a_sentence() {
        let old = r#"{"entry":"header","format":"maumau-record/1","engine":"0.1.0","hash":"00","check":"00000000"}"#;
        for rest in ["", "\n", "\n{}\n"] {
            let found = verify(format!("{old}{rest}").as_bytes()).expect_err("another format").to_string();
            let expected =
                "line 1: the record is of the format \"maumau-record/1\"; this program reads \"maumau-record/2\"";
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_beginning_that_headers_share_ends_where_they_differ() {
        let header = header("g", &["a", "b"], 1);
        let line = line(&header, &Meta::default());
        let (known, ..) = Known::new(Chain::default().open(line.strip_suffix(b"\n").expect("a line")).expect("sound"))
            .expect("a header");
        assert!(
            known.beginning.ends_with(b"},") && line[known.beginning.len()..].starts_with(br#""game":"g","names""#)
        );
    }
}
