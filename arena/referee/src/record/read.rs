//! Reads an entry from the text of a line without the checksum.
//!
//! Every line has one spelling, so whatever is read is written again and compared. Acts, which nearly all inputs are, have
//! their own reader: it accepts only the exact form in which they are written, so there is nothing left to compare. Knows
//! nothing of what the game makes of an entry.

use maumau_protocol::scan::Scan;
use maumau_protocol::wire::scan_action_into;
use maumau_protocol::{EventNumber, Seat, write_json};
use serde::Deserialize;

use super::damage::LineDamage;
use super::format::{ActEntry, Entry, Meta};
use super::write::{expect_json, write_entry};

/// The text before the part of a line that may differ between two runs.
pub(crate) const BEFORE_META: &[u8] = b",\"meta\":";
/// Maximum characters of a message about a line's form; it may quote the line.
const MAX_ERROR_CHARS: usize = 300;

/// Reads a line with any entry; `body` is its text without the checksum and the closing brace. Also returns where in it the
/// entry ends.
pub(crate) fn read_body(body: &[u8]) -> Result<(Entry, Meta, usize), LineDamage> {
    let text = std::str::from_utf8(body).map_err(|_| LineDamage::Form("it is not UTF-8".to_owned()))?;
    let text = format!("{text}}}");
    let form = |error: serde_json::Error| LineDamage::Form(error.to_string().chars().take(MAX_ERROR_CHARS).collect());
    let entry: Entry = serde_json::from_str(&text).map_err(form)?;
    let meta = read_meta(&text).map_err(form)?;
    let mut written = Vec::with_capacity(text.len());
    write_entry(&entry, &mut written);
    match end_of_entry(body, &written, &meta) {
        Some(end) => Ok((entry, meta, end)),
        None => Err(LineDamage::Form(
            "not in the form in which a record is written: other members, another order or spelling".to_owned(),
        )),
    }
}

/// The member `meta` of an object; empty if absent.
pub(crate) fn read_meta(object: &str) -> serde_json::Result<Meta> {
    #[derive(Deserialize)]
    struct Beside {
        #[serde(default)]
        meta: Meta,
    }
    Ok(serde_json::from_str::<Beside>(object)?.meta)
}

/// Where in `body` the entry ends, if `body` is byte for byte what is written for the entry, whose JSON is `entry`, and `meta`.
/// Other spellings would give one game several digests, and duplicate members could be read differently here and elsewhere.
pub(crate) fn end_of_entry(body: &[u8], entry: &[u8], meta: &Meta) -> Option<usize> {
    let entry = entry.strip_suffix(b"}")?;
    let rest = body.strip_prefix(entry)?;
    let is_written = if meta.is_empty() {
        rest.is_empty()
    } else {
        let mut written = Vec::new();
        expect_json(write_json(&mut written, meta));
        rest.strip_prefix(BEFORE_META)? == written
    };
    is_written.then_some(entry.len())
}

/// Reads an act in the form that nearly all have, with `meta` holding only how long it took; if it is anything else, the
/// contents of `act` are meaningless afterwards. Returns where in `body` the entry ends, and how long it took.
#[inline(always)]
pub(crate) fn read_act(body: &[u8], act: &mut ActEntry) -> Option<(usize, Option<u64>)> {
    let mut scan = Scan(body);
    scan.pass(br#"{"entry":"act","seat":"#)?;
    act.seat = Seat::new(usize::try_from(scan.number()?).ok()?)?;
    scan.pass(br#","as_of":"#)?;
    act.as_of = EventNumber(u32::try_from(scan.number()?).ok()?);
    scan.pass(br#","action":"#)?;
    scan_action_into(&mut scan, &mut act.action)?;
    let end = body.len() - scan.0.len();
    let mut took_us = None;
    if scan.passes(br#","meta":{"took_us":"#) {
        took_us = Some(scan.number()?);
        scan.pass(b"}")?;
    }
    scan.0.is_empty().then_some((end, took_us))
}

#[cfg(test)]
mod tests {
    use maumau_protocol::{Action, Card, Choice, Say, Suit, Text, Verb};
    use serde_json::json;

    use super::super::format::{Missed, NoteEntry};
    use super::*;

    /// The line of an entry without its closing brace.
    fn body(entry: &Entry, meta: &Meta) -> Vec<u8> {
        let mut body = Vec::new();
        write_entry(entry, &mut body);
        body.pop();
        if !meta.is_empty() {
            body.extend_from_slice(BEFORE_META);
            expect_json(write_json(&mut body, meta));
        }
        body
    }

    fn act(verb: Verb, say: Say) -> ActEntry {
        let seat = Seat::new(11).expect("a seat");
        ActEntry { seat, as_of: EventNumber(4_000_000_000), action: Action { verb, say } }
    }

    /// What [`read_act`] reads.
    fn read_one(body: &[u8]) -> Option<(ActEntry, Meta, usize)> {
        let mut act = ActEntry { seat: Seat::FIRST, as_of: EventNumber(0), action: Verb::Pass.into() };
        let (end, took_us) = read_act(body, &mut act)?;
        Some((act, Meta { took_us, ..Meta::default() }, end))
    }

    #[test]
    fn an_act_is_read_as_it_was_written_or_not_at_all() {
        let card = Card::from_code("7H").expect("a card");
        let play = |choose| Verb::Play { card, choose };
        let many = Say::Many(["a", "b"].map(|text| Text::try_from(text).expect("short")).into());
        let quoted = Say::One(Text::try_from("\"").expect("short"));
        for (act, is_usual) in [
            (act(play(None), Say::Nothing), true),
            (act(play(Some(Choice::Suit(Suit::Clubs))), Say::word("mau")), true),
            (act(play(Some(Choice::Rank(card.rank().expect("a rank")))), Say::Nothing), true),
            (act(Verb::Draw, Say::word("done")), true),
            (act(Verb::Pass, Say::Nothing), true),
            (act(Verb::Look, Say::Nothing), false),
            (act(Verb::Draw, many), false),
            (act(Verb::Draw, quoted), false),
        ] {
            for (meta, is_usual_meta) in [
                (Meta::default(), true),
                (Meta { took_us: Some(17), ..Meta::default() }, true),
                (Meta { took_us: Some(u64::MAX), ..Meta::default() }, false),
                (Meta { took_us: Some(17), cpu_us: Some(3), ..Meta::default() }, false),
            ] {
                let body = body(&Entry::Act(act.clone()), &meta);
                let expected = (is_usual && is_usual_meta).then(|| (act.clone(), meta.clone()));
                let found = read_one(&body);
                assert_eq!(found.map(|(act, meta, _)| (act, meta)), expected);
                for at in 0..body.len() {
                    // Cut between the entry and `meta`, the line still holds an act.
                    if let Some((act, meta, end)) = read_one(&body[..at]) {
                        assert!((end, meta) == (at, Meta::default()), "{act:?} cut at {at}");
                    }
                    for bit in 0..8 {
                        let mut changed = body.clone();
                        changed[at] ^= 1 << bit;
                        let Some((act, meta, end)) = read_one(&changed) else { continue };
                        let (entry, meta_read, end_read) = read_body(&changed).expect("an act");
                        assert_eq!(
                            (entry, meta_read, end_read),
                            (Entry::Act(act), meta, end),
                            "bit {bit} of byte {at}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn an_entry_is_known_from_what_stands_beside_it() {
        let seat = Seat::new(1).expect("a seat");
        let missed = Missed {
            seat,
            took_us: Some(1),
            cpu_us: None,
            waited_us: None,
            stalled_us: None,
            frozen: None,
            void: true,
        };
        let line = Some(",\"meta\":{\"took_us\":1}".into());
        for note in [json!(1), json!(",\"meta\":{\"took_us\":1}"), json!({"a": 1, "meta": {"took_us": 1}})] {
            for meta in [
                Meta::default(),
                Meta { took_us: Some(17), ..Meta::default() },
                Meta { missed: vec![missed], line: line.clone(), ..Meta::default() },
            ] {
                let entry = Entry::Note(NoteEntry { seat, note: note.clone() });
                let end = body(&entry, &Meta::default()).len();
                assert_eq!(read_body(&body(&entry, &meta)), Ok((entry, meta, end)));
            }
        }
    }

    #[test]
    fn what_stands_beside_an_entry_has_one_spelling_too() {
        let note = r#"{"entry":"note","seat":1,"note":1"#;
        assert!(read_body(note.as_bytes()).is_ok());
        for meta in [
            r#","meta":{}"#,
            r#","meta":{"took_us": 1}"#,
            r#","meta":{"cpu_us":1,"took_us":1}"#,
            r#","meta":{"took_us":1,"x":1}"#,
            r#","meta":{"took_us":1},"meta":{"took_us":1}"#,
            r#","meta":{"took_us":1},"x":1"#,
            r#", "meta":{"took_us":1}"#,
        ] {
            let found = read_body(format!("{note}{meta}").as_bytes());
            assert!(matches!(found, Err(LineDamage::Form(_))), "{meta}: {found:?}");
        }
    }
}
