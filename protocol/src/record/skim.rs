//! Lines of a record, read on trust: what a line in the usual form says, without checking anything of it.
//!
//! Whoever then writes a line of what was read and finds the very same bytes has checked all there is to check but the
//! hashes, and has read the line once. What differs is for [`read_line`](super::read_line), which says how.

use super::{ActEntry, BEFORE_HASH, BEFORE_META, Entry, HASH_BYTES, Header, Meta, write_entry};
use crate::event::EventNumber;
use crate::limits::MAX_NAME_CHARS;
use crate::message::GameId;
use crate::scan::Scan;
use crate::seat::Seat;
use crate::seed::{Seed, digits_of, unhex};
use crate::wire::scan_action;

/// What stands round the members of a header that differ from game to game.
const BEFORE_GAME: &[u8] = b",\"game\":";
const BEFORE_NAMES: &[u8] = b",\"names\":[";
const BEHIND_NAMES: &[u8] = b"],\"rules\":";
const BEFORE_SEED: &[u8] = b",\"seed\":\"";
const SEED_BYTES: usize = 32;

/// The act in the line that `record` begins with, if that is one in the usual form.
pub fn skim_act(record: &[u8]) -> Option<(ActEntry, Meta)> {
    let mut scan = Scan(record);
    scan.pass(br#"{"entry":"act","seat":"#)?;
    let seat = Seat::new(usize::try_from(scan.number()?).ok()?)?;
    scan.pass(br#","as_of":"#)?;
    let as_of = EventNumber(u32::try_from(scan.number()?).ok()?);
    scan.pass(br#","action":"#)?;
    let action = scan_action(&mut scan)?;
    scan.pass(br#","hash":""#)?;
    scan.skip(2 * HASH_BYTES)?;
    scan.pass(b"\"")?;
    let took_us = match scan.passes(br#","meta":{"took_us":"#) {
        true => {
            let took_us = scan.number()?;
            scan.pass(b"}")?;
            Some(took_us)
        }
        false => None,
    };
    scan.pass(br#","check":"#)?;
    let meta = Meta { took_us, ..Meta::default() };
    Some((ActEntry { seat, as_of, action }, meta))
}

/// What `line`, in any form, says.
pub fn skim_line(line: &[u8]) -> Option<(Entry, Meta)> {
    let line = std::str::from_utf8(line).ok()?;
    let (json, _) = line.rsplit_once(BEFORE_HASH)?;
    let meta = skim_meta(&line.as_bytes()[json.len()..])?;
    Some((serde_json::from_str(&format!("{json}}}")).ok()?, meta))
}

/// What may differ between two runs, in the line of whose entry all but the closing brace stands before `behind`.
pub fn skim_meta(behind: &[u8]) -> Option<Meta> {
    let behind = behind.get(BEFORE_HASH.len() + 2 * HASH_BYTES + 1..)?;
    let Some(meta) = behind.strip_prefix(BEFORE_META.as_bytes()) else { return Some(Meta::default()) };
    serde_json::Deserializer::from_slice(meta).into_iter().next()?.ok()
}

/// What headers have in common whose games have the same rules and times and the same engine.
#[derive(Clone, Debug)]
pub struct HeaderForm {
    /// Up to the name of the game.
    before: Vec<u8>,
    /// From behind the names of the seats to the digits of the seed.
    between: Vec<u8>,
    /// From there to the closing brace, which is left out.
    behind: Vec<u8>,
}

/// What a header says that has a known form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormedHeader<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// How many seats have names.
    pub seats: usize,
    /// The seed.
    pub seed: Seed,
    /// Bytes of the entry, without its closing brace.
    pub length: usize,
}

impl HeaderForm {
    /// The form of `header`, which [`Header::check`] has let pass.
    pub fn of(header: &Header) -> HeaderForm {
        let blank = Header { game: GameId("".into()), names: Vec::new(), ..header.clone() };
        let mut json = Vec::new();
        write_entry(&Entry::Header(Box::new(blank)), &mut json);
        let find = |from: usize, what: &[u8]| {
            let place = json[from..].windows(what.len()).position(|window| window == what);
            from + place.unwrap_or_default()
        };
        // Nothing in a text of the line reads like these: there the quotes have backslashes.
        let game = find(0, BEFORE_GAME) + BEFORE_GAME.len();
        let seed = find(game, &[BEFORE_SEED, header.seed.to_string().as_bytes()].concat()) + BEFORE_SEED.len();
        let between = find(game, BEHIND_NAMES);
        HeaderForm {
            before: json[..game].to_vec(),
            between: json[between..seed].to_vec(),
            behind: json[seed + 2 * SEED_BYTES..json.len() - 1].to_vec(),
        }
    }

    /// The header that `record` begins with, if it has this form, and its names are of a length that an arena writes and
    /// need no escapes.
    pub fn skim<'a>(&self, record: &'a [u8]) -> Option<FormedHeader<'a>> {
        let mut scan = Scan(record);
        scan.pass(&self.before)?;
        let short = |text: &&str| text.len() <= MAX_NAME_CHARS;
        let game = scan.text().filter(short)?;
        scan.pass(BEFORE_NAMES)?;
        let mut seats = 0;
        while seats == 0 || scan.passes(b",") {
            scan.text().filter(short)?;
            seats += 1;
        }
        scan.pass(&self.between)?;
        let (digits, rest) = scan.0.split_first_chunk::<{ 2 * SEED_BYTES }>()?;
        let seed = Seed(unhex(std::str::from_utf8(digits).ok()?)?);
        scan.0 = rest;
        scan.pass(&self.behind)?;
        let is_lower_case = digits_of(seed.0).as_flattened() == digits;
        is_lower_case.then_some(FormedHeader { game, seats, seed, length: record.len() - scan.0.len() })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Chain, NoteEntry, RECORD_FORMAT};
    use super::*;
    use crate::action::{Action, Choice, Verb};
    use crate::card::{Card, Suit};
    use crate::message::{ClockMode, TimeControl};
    use crate::ruleset::RuleSet;
    use crate::speech::{Say, Text};

    fn act(verb: Verb, say: Say) -> ActEntry {
        let seat = Seat::new(11).expect("a seat");
        ActEntry { seat, as_of: EventNumber(4_000_000_000), action: Action { verb, say } }
    }

    #[test]
    fn an_act_is_read_as_it_was_written_or_not_at_all() {
        let card = Card::from_code("7H").expect("a card");
        let play = |choose| Verb::Play { card, choose };
        let many = Say::Many(["a", "b"].map(|text| Text::try_from(text).expect("short")).into());
        let quoted = Say::One(Text::try_from("\"").expect("short"));
        for (entry, is_usual) in [
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
                let mut line = Vec::new();
                Chain::default().write(&Entry::Act(entry.clone()), &meta, &mut line);
                let expected = (is_usual && is_usual_meta).then(|| (entry.clone(), meta));
                assert_eq!(skim_act(&line), expected, "{entry:?}");
                for end in 0..line.len() {
                    // A beginning may be enough to read everything, but never something else.
                    assert!(skim_act(&line[..end]).is_none_or(|found| Some(found) == expected));
                }
            }
        }
    }

    #[test]
    fn a_header_of_a_known_form_is_read_as_it_was_written_or_not_at_all() {
        let rules =
            r#"{"format":1,"name":"x","title":"X","seats":{"min":2,"max":4},"deck":{"cards":"7"},"deal":{"cards":1}}"#;
        let rules: Arc<RuleSet> = Arc::new(serde_json::from_str(rules).expect("a rule set"));
        let header = |game: &str, names: &[&str], rounds| Header {
            format: RECORD_FORMAT.to_owned(),
            engine: "1\",\"game\":\"".to_owned(),
            game: GameId(game.into()),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            rules: Arc::clone(&rules),
            rounds,
            seed: Seed::from_number(rounds.into()),
            clock: ClockMode::Lockstep,
            time: TimeControl::default(),
        };
        let form = HeaderForm::of(&header("first", &["a", "b"], 1));
        let long = "x".repeat(MAX_NAME_CHARS + 1);
        for (header, is_known) in [
            (header("", &["", ""], 1), true),
            (header("g-1", &["b", "a"], 1), true),
            (header("g-1", &[&long[1..], "],\u{7e}{", "c"], 1), true),
            (header("g-1", &[], 1), false),
            (header("g-1", &["ü", "b"], 1), false),
            (header("g\"1", &["a", "b"], 1), false),
            (header(&long, &["a", "b"], 1), false),
            (header("g-1", &["a", &long], 1), false),
            (header("g-1", &["a", "b"], 2), false),
            (Header { clock: ClockMode::Live, ..header("g-1", &["a", "b"], 1) }, false),
        ] {
            let (game, seats, seed) = (header.game.clone(), header.names.len(), header.seed);
            let mut record = Vec::new();
            write_entry(&Entry::Header(Box::new(header)), &mut record);
            let length = record.len() - 1;
            let expected = is_known.then_some(FormedHeader { game: &game.0, seats, seed, length });
            assert_eq!(form.skim(&record), expected, "{game:?}");
            let digits = length - form.behind.len() - 2 * SEED_BYTES..length - form.behind.len();
            record[digits].make_ascii_uppercase();
            assert_eq!(form.skim(&record), None, "{game:?} with capital digits");
        }
    }

    #[test]
    fn a_line_of_any_entry_is_read() {
        let entry = Entry::Note(NoteEntry { seat: Seat::new(1).expect("a seat"), note: ",\"hash\":\"".into() });
        for meta in [Meta::default(), Meta { took_us: Some(17), cpu_us: Some(1), ..Meta::default() }] {
            let mut line = Vec::new();
            Chain::default().write(&entry, &meta, &mut line);
            line.pop();
            assert_eq!(skim_line(&line), Some((entry.clone(), meta)));
            assert_eq!(skim_line(&line[1..]), None);
        }
    }
}
