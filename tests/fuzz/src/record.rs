//! A record that somebody else wrote.

use std::sync::LazyLock;

use maumau_protocol::Seed;
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_protocol::record::{Chain, Entry, EventEntry, Header, Meta, RECORD_FORMAT};
use maumau_referee::{Replay, verify};

use super::bytes::Bytes;
use super::game::TABLES;

/// The beginning of a record: its header as a value and as its line, with the chain behind it.
struct Begun {
    header: Header,
    line: Vec<u8>,
    chain: Chain,
}

/// Headers of small games, one of each built-in set and some more.
static BEGUN: LazyLock<Vec<Begun>> = LazyLock::new(|| {
    let tables = TABLES.iter().step_by(6).enumerate();
    let begun = tables.map(|(number, rules)| {
        let header = Header {
            format: RECORD_FORMAT.to_owned(),
            engine: maumau_engine::VERSION.to_owned(),
            game: GameId("g".into()),
            names: (0..rules.seats()).map(|seat| format!("bot {seat}")).collect(),
            rules: (**rules.set()).clone(),
            rounds: rules.rounds(),
            seed: Seed::from_number(number as u64),
            clock: ClockMode::Lockstep,
            time: TimeControl::default(),
        };
        let (mut chain, mut line) = (Chain::default(), Vec::new());
        chain.write(&Entry::Header(Box::new(header.clone())), &Meta::default(), &mut line);
        Begun { header, line, chain }
    });
    begun.collect()
});

/// The first byte says how much of the record is the input: everything; or the entries, to which the chain is made; or the
/// inputs of a game, to which the events are made too. A record that is found sound is the one that its log is written as.
pub fn record(data: &[u8]) {
    let mut bytes = Bytes(data);
    let record = match bytes.byte() % 4 {
        0 => bytes.0.to_vec(),
        1 => sealed(&mut bytes),
        _ => played(&mut bytes),
    };
    if let Ok(verified) = verify(&record) {
        let (written, digest) = verified.log.to_record().expect("a sound record can be written again");
        assert_eq!(digest, verified.digest);
        assert!(written == record, "{}\nis also\n{}", text(&record), text(&written));
    }
}

fn text(record: &[u8]) -> String {
    String::from_utf8_lossy(record).into_owned()
}

fn begun(bytes: &mut Bytes<'_>) -> &'static Begun {
    &BEGUN[usize::from(bytes.byte()) % BEGUN.len()]
}

/// Every line of the input as an entry behind a header.
fn sealed(bytes: &mut Bytes<'_>) -> Vec<u8> {
    let begun = begun(bytes);
    let (mut chain, mut out) = (begun.chain.clone(), begun.line.clone());
    while !bytes.is_spent() {
        let start = out.len();
        out.extend_from_slice(bytes.line());
        if out.len() > start {
            chain.seal(start, &Meta::default(), &mut out);
        }
    }
    chain.write_end(&mut out);
    out
}

/// Every line of the input as an input of the game, with the events that come of it.
fn played(bytes: &mut Bytes<'_>) -> Vec<u8> {
    let begun = begun(bytes);
    let (mut chain, mut out) = (begun.chain.clone(), begun.line.clone());
    let mut replay = Replay::new(&begun.header).expect("a table that can play");
    let write_events = |replay: &mut Replay, chain: &mut Chain, out: &mut Vec<u8>| {
        for (n, event) in replay.drain_events() {
            chain.write(&Entry::Event(EventEntry { n, event }), &Meta::default(), out);
        }
    };
    write_events(&mut replay, &mut chain, &mut out);
    while !bytes.is_spent() {
        let line = bytes.line();
        if let Ok(entry) = serde_json::from_slice::<Entry>(line)
            && replay.take(&entry).is_ok()
        {
            let start = out.len();
            out.extend_from_slice(line);
            chain.seal(start, &Meta::default(), &mut out);
            write_events(&mut replay, &mut chain, &mut out);
        }
    }
    chain.write(&Entry::Result(replay.result()), &Meta::default(), &mut out);
    chain.write_end(&mut out);
    out
}
