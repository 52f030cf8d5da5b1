//! A record that somebody else wrote. It must be refused, or be the record of the game that its inputs make; no file is
//! read.

use std::cell::RefCell;
use std::sync::LazyLock;

use maumau_engine::seed_of_number;
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_referee::record::{Chain, Entry, EventEntry, Header, Meta, RECORD_FORMAT};
use maumau_referee::{Replay, Verified, Verifier, verify};

use super::bytes::{Bytes, mixed};
use super::game::TABLES;

/// A record up to some line.
#[derive(Clone)]
struct Begun {
    written: Vec<u8>,
    chain: Chain,
    replay: Replay,
}

thread_local! {
    /// For each table a verifier that knows its rules.
    static VERIFIERS: RefCell<Vec<Verifier>> = RefCell::new(vec![Verifier::default(); BEGUN.len()]);
}

/// Small games, one of each built-in set and some more: each with its header alone, and with the events of the deal.
static BEGUN: LazyLock<Vec<[Begun; 2]>> = LazyLock::new(|| {
    let tables = TABLES.iter().step_by(6).enumerate();
    let begun = tables.map(|(number, rules)| {
        let header = Header {
            format: RECORD_FORMAT.to_owned(),
            engine: maumau_engine::VERSION.to_owned(),
            game: GameId("g".into()),
            names: (0..rules.seats()).map(|seat| format!("bot {seat}")).collect(),
            rules: std::sync::Arc::clone(rules.set()),
            rounds: rules.rounds(),
            seed: seed_of_number(number as u64),
            clock: ClockMode::Lockstep,
            time: TimeControl::default(),
        };
        let replay = Replay::new(&header).expect("a table that can play");
        let mut begun = Begun { written: Vec::new(), chain: Chain::default(), replay };
        begun.chain.write(&Entry::Header(Box::new(header)), &Meta::default(), &mut begun.written);
        let mut dealt = begun.clone();
        dealt.write_events();
        [begun, dealt]
    });
    begun.collect()
});

impl Begun {
    fn write_events(&mut self) {
        for (n, event) in self.replay.drain_events() {
            self.chain.write(&Entry::Event(EventEntry { n, event }), &Meta::default(), &mut self.written);
        }
    }

    fn seal(&mut self, line: &[u8]) {
        let start = self.written.len();
        self.written.extend_from_slice(line);
        self.chain.seal(start, &Meta::default(), &mut self.written);
    }
}

/// The first byte says how much of the record is the input: everything; or the entries, to which the checksums are made; or the
/// inputs of a game, to which the events are made too. A record that is found sound is the one that its log is written as.
pub fn record(data: &[u8]) {
    let mut bytes = Bytes(data);
    let kind = bytes.byte();
    if kind.is_multiple_of(16) {
        if let Ok(verified) = verify(bytes.0) {
            check_spelling(bytes.0, &verified);
        }
        return;
    }
    let table = usize::from(bytes.byte()) % BEGUN.len();
    let mut record = BEGUN[table][usize::from(!kind.is_multiple_of(4))].clone();
    match kind % 4 {
        0 | 1 => seal_lines(&mut record, &mut bytes),
        _ => play_lines(&mut record, &mut bytes),
    }
    record.chain.write_end(&mut record.written);
    let found = VERIFIERS.with_borrow_mut(|verifiers| verifiers[table].read(&record.written));
    // To compile the rules again is dear.
    if mixed(data).is_multiple_of(64) {
        assert_eq!(verify(&record.written), found, "{}", text(&record.written));
        if let Ok(verified) = &found {
            check_spelling(&record.written, verified);
        }
    }
}

/// A record has one spelling.
fn check_spelling(record: &[u8], verified: &Verified) {
    let (written, digest) = verified.log.to_record().expect("a sound record can be written again");
    assert_eq!(digest, verified.digest);
    assert!(written == record, "{}\nis also\n{}", text(record), text(&written));
}

fn text(record: &[u8]) -> String {
    String::from_utf8_lossy(record).into_owned()
}

/// Every line of the input as an entry.
fn seal_lines(record: &mut Begun, bytes: &mut Bytes<'_>) {
    while !bytes.is_spent() {
        let line = bytes.line();
        if !line.is_empty() {
            record.seal(line);
        }
    }
}

/// Every line of the input as an input of the game, with the events that come of it, then the result.
fn play_lines(record: &mut Begun, bytes: &mut Bytes<'_>) {
    while !bytes.is_spent() {
        let line = bytes.line();
        if let Ok(entry) = serde_json::from_slice::<Entry>(line)
            && record.replay.take(&entry).is_ok()
        {
            record.seal(line);
            record.write_events();
        }
    }
    record.chain.write(&Entry::Result(record.replay.result()), &Meta::default(), &mut record.written);
}
