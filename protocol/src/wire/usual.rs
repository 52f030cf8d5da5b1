//! The lines that make up nearly all traffic, in the form in which they nearly always come, read without detours. What is
//! read here is read the same way by the readers that take every form; everything else is left to them.

use crate::action::{Action, Choice, Verb};
use crate::card::{Card, Rank, Suit};
use crate::event::EventNumber;
use crate::limits::MAX_LINE_BYTES;
use crate::message::{Act, Ask, AskId, GameId, What};
use crate::scan::Scan;
use crate::seat::Seat;
use crate::speech::{Say, Text};

/// An `act` that is silent and names nothing, its members in any order. `known` knows the name of a game from its text.
pub(super) fn read_act(line: &[u8], known: impl FnOnce(&str) -> Option<GameId>) -> Option<Act> {
    if line.len() >= MAX_LINE_BYTES {
        return None;
    }
    let mut scan = Scan(line);
    let (mut kind, mut game, mut id, mut verb, mut card) = (None, None, None, None, None);
    scan.pass(b"{")?;
    loop {
        let slot = match scan.word()? {
            b"type" => &mut kind,
            b"game" => &mut game,
            b"id" => &mut id,
            b"do" => &mut verb,
            b"card" => &mut card,
            _ => return None,
        };
        scan.pass(b":")?;
        scan.passes(b" ");
        if slot.replace(scan.word()?).is_some() {
            return None;
        }
        if !scan.passes(b",") {
            break;
        }
        scan.passes(b" ");
    }
    if scan.0 != b"}" || kind? != b"act" {
        return None;
    }
    let verb = match (verb?, card) {
        (b"play", Some(card)) => Verb::Play { card: Card::from_bytes(card)?, choose: None },
        (b"draw", None) => Verb::Draw,
        (b"pass", None) => Verb::Pass,
        (b"wait", None) => Verb::Wait,
        _ => return None,
    };
    let (game, id) = (std::str::from_utf8(game?).ok()?, std::str::from_utf8(id?).ok()?);
    let game = known(game).unwrap_or_else(|| GameId(game.into()));
    Some(Act { game, id: AskId::parse(id)?, action: verb.into() })
}

/// An `ask` as the arena writes it, without events and view.
pub(super) fn read_ask(line: &[u8]) -> Option<Ask> {
    let mut scan = Scan(line);
    scan.pass(br#"{"type":"ask","game":"#)?;
    let game = scan.text()?;
    scan.pass(br#","id":"#)?;
    let id = AskId::parse(scan.text()?)?;
    scan.pass(br#","seat":"#)?;
    let seat = Seat::new(usize::try_from(scan.number()?).ok()?)?;
    scan.pass(br#","what":"#)?;
    let what = match scan.text()? {
        "turn" => What::Turn,
        "react" => What::React,
        "choose" => What::Choose,
        "deal" => What::Deal,
        _ => return None,
    };
    scan.pass(br#","time_ms":"#)?;
    let time_ms = scan.number()?;
    scan.pass(br#","as_of":"#)?;
    let as_of = EventNumber(u32::try_from(scan.number()?).ok()?);
    let mut legal = Vec::new();
    if scan.passes(br#","legal":["#) {
        legal.reserve(8);
        loop {
            legal.push(scan_action(&mut scan)?);
            if !scan.passes(b",") {
                break;
            }
        }
        scan.pass(b"]")?;
    }
    let game = GameId(game.into());
    (scan.0 == b"}").then_some(Ask { game, id, seat, what, time_ms, as_of, events: Vec::new(), view: None, legal })
}

/// An action as it is written here: a card laid, one drawn, or the like, with one word at most.
pub(crate) fn scan_action(scan: &mut Scan<'_>) -> Option<Action> {
    scan.pass(br#"{"do":"#)?;
    let verb = match scan.word()? {
        b"play" => {
            scan.pass(br#","card":"#)?;
            Verb::Play { card: Card::from_bytes(scan.word()?)?, choose: scan_choice(scan)? }
        }
        b"draw" => Verb::Draw,
        b"pass" => Verb::Pass,
        b"wait" => Verb::Wait,
        _ => return None,
    };
    let say = match scan.passes(br#","say":["#) {
        true => {
            let word = Text::try_from(scan.text()?).ok()?;
            scan.pass(b"]")?;
            Say::One(word)
        }
        false => Say::Nothing,
    };
    scan.pass(b"}")?;
    Some(Action { verb, say })
}

/// What is named with a card; the outer `None` for a form that is not read here.
fn scan_choice(scan: &mut Scan<'_>) -> Option<Option<Choice>> {
    if !scan.passes(br#","choose":{"#) {
        return Some(None);
    }
    let kind = scan.text()?;
    scan.pass(b":")?;
    let letter = scan.text()?;
    scan.pass(b"}")?;
    match kind {
        "suit" => Some(Some(Choice::Suit(letter.parse::<Suit>().ok()?))),
        "rank" => Some(Some(Choice::Rank(letter.parse::<Rank>().ok()?))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AnyMessage, read_arena_message};
    use super::*;
    use crate::message::{AgentMessage, ArenaMessage};

    #[test]
    fn an_act_is_read_as_the_other_reader_reads_it_or_left_to_it() {
        let id = "00000000000000ff";
        for (line, is_usual) in [
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7H"}}"#), true),
            (format!(r#"{{"type": "act", "game": "g", "id": "{id}", "do": "draw"}}"#), true),
            (format!(r#"{{"do":"pass","id":"{id}","game":"","type":"act"}}"#), true),
            (format!(r#"{{"type":"act","game":"other","id":"{id}","do":"wait"}}"#), true),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"wait"}} "#), false),
            (format!(r#" {{"type":"act","game":"g","id":"{id}","do":"wait"}}"#), false),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","card":"7H"}}"#), false),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7H","say":["mau"]}}"#), false),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7H","x":"y"}}"#), false),
            (format!(r#"{{"type":"act","game":"\u0067","id":"{id}","do":"draw"}}"#), false),
            (format!(r#"{{"type":"act","game":"ü","id":"{id}","do":"draw"}}"#), false),
        ] {
            let full = serde_json::from_str::<AnyMessage>(&line).expect("an act").0;
            let known = |text: &str| (text == "g").then(|| GameId("g".into()));
            let usual = read_act(line.as_bytes(), known).map(AgentMessage::Act);
            assert_eq!(usual, is_usual.then_some(full), "{line}");
        }
        for wrong in [
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"dance"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","id":"{id}","do":"draw"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw",}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw"}}}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw""#),
            format!(r#"{{"type":"act","game":"g","id":"{id}"}}"#),
            r#"{"type":"act","game":"g","do":"draw"}"#.to_owned(),
            format!(r#"{{"type":"act","id":"{id}","do":"draw"}}"#),
            format!(r#"{{"game":"g","id":"{id}","do":"draw"}}"#),
            format!(r#"{{"type":"act","game":"{}","id":"{id}","do":"draw"}}"#, "g".repeat(MAX_LINE_BYTES)),
            r#"{"type":"act","game":"g","id":"00000000000000FF","do":"draw"}"#.to_owned(),
            "{}".to_owned(),
        ] {
            assert_eq!(read_act(wrong.as_bytes(), |_| None), None, "{wrong}");
        }
    }

    #[test]
    fn an_ask_is_read_as_the_other_reader_reads_it_or_left_to_it() {
        let head =
            r#"{"type":"ask","game":"g-1","id":"00000000000000ff","seat":3,"what":"turn","time_ms":5000,"as_of":17"#;
        for (rest, is_usual) in [
            ("}", true),
            (r#","legal":[{"do":"play","card":"7H"},{"do":"draw"},{"do":"pass","say":["done"]}]}"#, true),
            (r#","legal":[{"do":"wait"},{"do":"play","card":"JS","choose":{"suit":"C"},"say":["mau"]}]}"#, true),
            (r#","legal":[{"do":"play","card":"XX","choose":{"rank":"7"}}]}"#, true),
            (r#","legal":[{"do":"look"}]}"#, false),
            (r#","legal":[]}"#, false),
            (r#","legal":[{"do":"draw","say":["a","b"]}]}"#, false),
            (r#","legal":[{"do":"draw"}],"new":1}"#, false),
            (r#","events":[{"event":"request_over"}],"legal":[{"do":"draw"}]}"#, false),
        ] {
            let line = format!("{head}{rest}");
            let full = read_arena_message("ask", &line).expect("an ask").expect("a known type");
            let usual = read_ask(line.as_bytes()).map(|ask| ArenaMessage::Ask(Box::new(ask)));
            assert_eq!(usual, is_usual.then_some(full), "{line}");
        }
        let line = format!("{head}}}");
        for end in 0..line.len() {
            assert_eq!(read_ask(&line.as_bytes()[..end]), None);
        }
    }
}
