//! Lines of a record, read on trust: what a line in the usual form says, without checking anything of it.
//!
//! Whoever then writes a line of what was read and finds the very same bytes has checked all there is to check, form,
//! chain and checksum, and has read the line once. Everything else is for [`read_line`](super::read_line).

use std::sync::Arc;

use serde::Deserialize;

use super::{ActEntry, HASH_BYTES, Header, Meta, RULES_MEMBER};
use crate::event::EventNumber;
use crate::message::{ClockMode, GameId, TimeControl};
use crate::ruleset::RuleSet;
use crate::scan::Scan;
use crate::seat::Seat;
use crate::seed::Seed;
use crate::wire::scan_action;

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

/// The header in `line`, if the JSON of its rules is `known`, that of `rules`.
pub fn skim_header(line: &[u8], known: &[u8], rules: &Arc<RuleSet>) -> Option<(Header, Meta)> {
    #[derive(Deserialize)]
    struct Rest {
        format: String,
        engine: String,
        game: GameId,
        names: Vec<String>,
        rounds: u32,
        seed: Seed,
        clock: ClockMode,
        time: TimeControl,
        #[serde(default)]
        meta: Meta,
    }
    let place = line.windows(RULES_MEMBER.len()).position(|window| window == RULES_MEMBER)?;
    let (before, behind) = line.split_at(place);
    let behind = behind[RULES_MEMBER.len()..].strip_prefix(known)?;
    let rest = serde_json::from_slice::<Rest>(&[before, behind].concat()).ok()?;
    let Rest { format, engine, game, names, rounds, seed, clock, time, meta } = rest;
    Some((Header { format, engine, game, names, rules: Arc::clone(rules), rounds, seed, clock, time }, meta))
}

#[cfg(test)]
mod tests {
    use super::super::{Chain, Entry};
    use super::*;
    use crate::action::{Action, Choice, Verb};
    use crate::card::{Card, Suit};
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
}
