//! Lines of a record, taken apart without the detours of a reader that takes every form.
//!
//! Acts, headers of a known form and ends are read only in the very form in which they are written, so nothing of them is
//! left to check but the digits of their hashes. What [`skim_line`] reads in any form has to be written once more and
//! compared. What differs is for [`read_line`](super::read_line), which says how.

use super::{
    ActEntry, BEFORE_CHECK, BEFORE_HASH, BEFORE_META, CHECK_BYTES, End, Entry, HASH_BYTES, Header, Meta, write_entry,
};
use maumau_protocol::EventNumber;
use maumau_protocol::SandboxLevel;
use maumau_protocol::Seat;
use maumau_protocol::limits::MAX_NAME_CHARS;
use maumau_protocol::message::GameId;
use maumau_protocol::scan::Scan;
use maumau_protocol::seed::{Seed, digits_of, unhex};
use maumau_protocol::wire::scan_action_into;

/// What stands round the members of a header that differ from game to game.
const BEFORE_GAME: &str = ",\"game\":";
const BEFORE_NAMES: &str = ",\"names\":[";
const BEFORE_SEED: &str = ",\"seed\":\"";
const SEED_BYTES: usize = 32;

/// Where in a line its hash begins, its checksum, and what follows the line.
pub(super) type Seams = [usize; 3];

/// Puts the act in the line that `record` begins with in the place of `act`, if that is one in the very form in which it is
/// written, with no more to say than one thing; otherwise what `act` holds then means nothing. The digits of its hash and
/// its checksum may be any.
#[inline(always)]
pub(super) fn skim_act_into(record: &[u8], act: &mut ActEntry) -> Option<Seams> {
    let mut scan = Scan(record);
    scan.pass(br#"{"entry":"act","seat":"#)?;
    act.seat = Seat::new(usize::try_from(scan.number()?).ok()?)?;
    scan.pass(br#","as_of":"#)?;
    act.as_of = EventNumber(u32::try_from(scan.number()?).ok()?);
    scan.pass(br#","action":"#)?;
    scan_action_into(&mut scan, &mut act.action)?;
    scan_seams(record, scan)
}

/// The last line, in the same way.
pub(super) fn skim_end(record: &[u8]) -> Option<(End, Seams)> {
    let mut scan = Scan(record);
    scan.pass(br#"{"entry":"end","lines":"#)?;
    let lines = scan.number()?;
    scan.pass(br#","digest":"#)?;
    let digest = scan.text()?.to_owned();
    Some((End { lines, digest }, scan_seams(record, scan)?))
}

/// The rest of the line that `record` begins with.
#[inline(always)]
fn scan_seams(record: &[u8], mut scan: Scan<'_>) -> Option<Seams> {
    let place = |scan: &Scan<'_>| record.len() - scan.0.len();
    let hash = place(&scan);
    scan.pass(BEFORE_HASH.as_bytes())?;
    scan.skip(2 * HASH_BYTES)?;
    scan.pass(b"\"")?;
    if scan.passes(BEFORE_META.as_bytes()) {
        if scan.passes(br#"{"took_us":"#) {
            scan.number()?;
        } else {
            scan.pass(br#"{"sandbox":"#)?;
            scan.text()?.parse::<SandboxLevel>().ok()?;
        }
        scan.pass(b"}")?;
    }
    let check = place(&scan);
    scan.pass(BEFORE_CHECK.as_bytes())?;
    scan.skip(2 * CHECK_BYTES)?;
    scan.pass(b"\"}\n")?;
    Some([hash, check, place(&scan)])
}

/// What `line`, in any form, says; nothing of it has been checked.
pub(super) fn skim_line(line: &[u8]) -> Option<(Entry, Meta)> {
    let line = std::str::from_utf8(line).ok()?;
    let (json, _) = line.rsplit_once(BEFORE_HASH)?;
    let meta = skim_meta(&line.as_bytes()[json.len()..])?;
    Some((serde_json::from_str(&format!("{json}}}")).ok()?, meta))
}

/// What may differ between two runs, in the line of whose entry all but the closing brace stands before `behind`.
fn skim_meta(behind: &[u8]) -> Option<Meta> {
    let behind = behind.get(BEFORE_HASH.len() + 2 * HASH_BYTES + 1..)?;
    let Some(meta) = behind.strip_prefix(BEFORE_META.as_bytes()) else { return Some(Meta::default()) };
    serde_json::Deserializer::from_slice(meta).into_iter().next()?.ok()
}

/// What headers have in common whose games have the same rules, seats and times and the same engine.
#[derive(Clone, Debug)]
pub(super) struct HeaderForm {
    seats: usize,
    /// Up to the name of the game.
    before: String,
    /// From behind the names of the seats to the digits of the seed.
    between: String,
    /// From there to the closing brace, which is left out.
    behind: String,
}

/// What a header says that has a known form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FormedHeader<'a> {
    /// The name of the game.
    pub(super) game: &'a str,
    /// The seed.
    pub(super) seed: Seed,
}

impl HeaderForm {
    /// The form of `header`, which [`Header::check`] has let pass. Every header has one.
    pub(super) fn of(header: &Header) -> Option<HeaderForm> {
        let blank = Header { game: GameId("".into()), names: Vec::new(), ..header.clone() };
        let mut json = Vec::new();
        write_entry(&Entry::Header(Box::new(blank)), &mut json);
        let json = String::from_utf8(json).ok()?;
        // What stands before the name of the game is one text, in which quotes have backslashes, and behind the seed there is
        // none. The rules between them can hold members of any name.
        let (before, rest) = json.split_once(BEFORE_GAME)?;
        let (between, behind) = rest.strip_prefix("\"\"")?.strip_prefix(BEFORE_NAMES)?.rsplit_once(BEFORE_SEED)?;
        let seed = header.seed.to_string();
        let behind = behind.strip_prefix(&seed)?.strip_suffix('}')?;
        Some(HeaderForm {
            seats: header.names.len(),
            before: format!("{before}{BEFORE_GAME}"),
            between: format!("{between}{BEFORE_SEED}"),
            behind: behind.to_owned(),
        })
    }

    /// The header in the line that `record` begins with, if it has this form, and its names are of a length that an arena
    /// writes and need no escapes.
    pub(super) fn skim<'a>(&self, record: &'a [u8]) -> Option<(FormedHeader<'a>, Seams)> {
        let mut scan = Scan(record);
        scan.pass(self.before.as_bytes())?;
        let short = |text: &&str| text.len() <= MAX_NAME_CHARS;
        let game = scan.text().filter(short)?;
        scan.pass(BEFORE_NAMES.as_bytes())?;
        for seat in 0..self.seats {
            if seat > 0 {
                scan.pass(b",")?;
            }
            scan.text().filter(short)?;
        }
        scan.pass(self.between.as_bytes())?;
        let (digits, rest) = scan.0.split_first_chunk::<{ 2 * SEED_BYTES }>()?;
        let seed = Seed(unhex(std::str::from_utf8(digits).ok()?)?);
        scan.0 = rest;
        scan.pass(self.behind.as_bytes())?;
        let is_lower_case = digits_of(seed.0).as_flattened() == digits;
        is_lower_case.then_some((FormedHeader { game, seed }, scan_seams(record, scan)?))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Chain, NoteEntry, RECORD_FORMAT};
    use super::*;
    use maumau_protocol::message::{ClockMode, TimeControl};
    use maumau_protocol::ruleset::RuleSet;
    use maumau_protocol::{Action, Choice, Verb};
    use maumau_protocol::{Card, Suit};
    use maumau_protocol::{Say, Text};

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
                let expected = (is_usual && is_usual_meta).then(|| Entry::Act(entry.clone()));
                is_read_as_written(&line, expected, |line| {
                    let mut act = ActEntry { seat: Seat::FIRST, as_of: EventNumber(0), action: Verb::Pass.into() };
                    skim_act_into(line, &mut act).map(|seams| (Entry::Act(act), seams))
                });
            }
        }
    }

    #[test]
    fn an_end_is_read_as_it_was_written_or_not_at_all() {
        for digest in [Chain::default().digest(), String::new(), "\"".to_owned()] {
            let end = Entry::End(End { lines: 17, digest: digest.clone() });
            let mut line = Vec::new();
            Chain::default().write(&end, &Meta::default(), &mut line);
            is_read_as_written(&line, (digest != "\"").then_some(end), |line| {
                skim_end(line).map(|(end, seams)| (Entry::End(end), seams))
            });
        }
    }

    /// `expected` is found in `line`, nothing where it is cut, and where it is changed nothing or what stands there.
    fn is_read_as_written(line: &[u8], expected: Option<Entry>, skim: impl Fn(&[u8]) -> Option<(Entry, Seams)>) {
        let found = skim(&[line, b"{"].concat()).map(|(entry, [.., end])| (entry, end));
        assert_eq!(found, expected.map(|entry| (entry, line.len())));
        for at in 0..line.len() {
            assert_eq!(skim(&line[..at]), None, "cut at {at}");
            for bit in 0..8 {
                let mut changed = line.to_vec();
                changed[at] ^= 1 << bit;
                let Some((entry, [hash, check, end])) = skim(&changed) else { continue };
                let (mut json, mut told) = (Vec::new(), Vec::new());
                write_entry(&entry, &mut json);
                let meta = skim_meta(&changed[hash..]).expect("what may differ");
                if !meta.is_empty() {
                    told.extend_from_slice(BEFORE_META.as_bytes());
                    serde_json::to_writer(&mut told, &meta).expect("a JSON form");
                }
                let behind_hash = hash + BEFORE_HASH.len() + 2 * HASH_BYTES + 1;
                assert_eq!(changed[..hash], json[..json.len() - 1], "bit {bit} of byte {at}");
                assert_eq!((&changed[behind_hash..check], end), (&*told, line.len()), "bit {bit} of byte {at}");
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
        let form = HeaderForm::of(&header("first", &["a", "b"], 1)).expect("a form");
        let long = "x".repeat(MAX_NAME_CHARS + 1);
        for (header, is_known) in [
            (header("", &["", ""], 1), true),
            (header("g-1", &["b", "a"], 1), true),
            (header("g-1", &[&long[1..], "],\u{7e}{"], 1), true),
            (header("g-1", &["a", "b", "c"], 1), false),
            (header("g-1", &[], 1), false),
            (header("g-1", &["ü", "b"], 1), false),
            (header("g\"1", &["a", "b"], 1), false),
            (header(&long, &["a", "b"], 1), false),
            (header("g-1", &["a", &long], 1), false),
            (header("g-1", &["a", "b"], 2), false),
            (Header { clock: ClockMode::Live, ..header("g-1", &["a", "b"], 1) }, false),
        ] {
            let (game, seed) = (header.game.clone(), header.seed);
            let (header, mut line) = (Entry::Header(Box::new(header)), Vec::new());
            let meta =
                Meta { sandbox: (seed == Seed::from_number(1)).then_some(SandboxLevel::Strict), ..Meta::default() };
            Chain::default().write(&header, &meta, &mut line);
            let expected = is_known.then_some(FormedHeader { game: &game.0, seed });
            assert_eq!(form.skim(&line).map(|(found, _)| found), expected, "{game:?}");
            is_read_as_written(&line, is_known.then_some(header), |line| {
                let (_, seams) = form.skim(line)?;
                let (entry, _) = skim_line(&line[..seams[2] - 1])?;
                assert!(matches!(&entry, Entry::Header(header) if header.check() == Ok(())), "{entry:?}");
                Some((entry, seams))
            });
        }
    }

    /// A table option has any name, also that of a member of the header, and what it is set to is no seed.
    #[test]
    fn the_seed_of_a_header_is_not_looked_for_in_its_rules() {
        let seed = Seed::from_number(1);
        let header = |option: Seed| {
            let rules = format!(
                r#"{{"format":1,"name":"x","title":"X","seats":{{"min":2,"max":4}},"deck":{{"cards":"7"}},"deal":{{"cards":1}},"options":{{"a":1,"seed":"{option}"}}}}"#
            );
            Header {
                format: RECORD_FORMAT.to_owned(),
                engine: "1".to_owned(),
                game: GameId("g".into()),
                names: vec!["a".to_owned(), "b".to_owned()],
                rules: Arc::new(serde_json::from_str(&rules).expect("a rule set")),
                rounds: 1,
                seed,
                clock: ClockMode::Lockstep,
                time: TimeControl::default(),
            }
        };
        let form = HeaderForm::of(&header(seed)).expect("a form");
        for (option, expected) in [(seed, Some(seed)), (Seed::from_number(2), None)] {
            let mut line = Vec::new();
            Chain::default().write(&Entry::Header(Box::new(header(option))), &Meta::default(), &mut line);
            assert_eq!(form.skim(&line).map(|(found, _)| found.seed), expected);
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
