//! The one form that nearly all lines have, read without detours. It never refuses a line: every other form is left to serde, which
//! reads these lines the same way. The fuzzing targets `agent_line` and `arena_line` compare the two.

mod action;

use action::{scan_action, scan_members};

use crate::event::EventNumber;
use crate::limits::MAX_LINE_BYTES;
use crate::message::{Act, Ask, AskId, GameId, What};
use crate::scan::Scan;
use crate::seat::Seat;

pub use action::scan_action_into;

/// Reads an `act` of a common action with one utterance at most, its members in the order in which they are written here
/// and without white space. `known` may recognise a game by the bytes of its name.
pub(in crate::wire) fn read_act(line: &[u8], known: impl FnOnce(&[u8]) -> Option<GameId>) -> Option<Act> {
    if line.len() >= MAX_LINE_BYTES {
        return None;
    }
    let mut scan = Scan(line);
    scan.pass(br#"{"type":"act","game":"#)?;
    let name = scan.word()?;
    scan.pass(br#","id":"#)?;
    let id = AskId::from_digits(scan.word()?)?;
    scan.pass(b",")?;
    let action = scan_members(&mut scan)?;
    if !scan.0.is_empty() {
        return None;
    }
    let game = match known(name) {
        Some(game) => game,
        None => GameId(std::str::from_utf8(name).ok()?.into()),
    };
    Some(Act { game, id, crash: None, action })
}

/// An `ask` whose game has been read. A process that plays many games reads the rest into memory that it already has.
#[derive(Clone, Copy)]
pub struct QuickAsk<'a> {
    /// The name of the game.
    pub game: &'a str,
    rest: Scan<'a>,
}

impl<'a> QuickAsk<'a> {
    /// `None` for a line that is no such ask; it may be an ask in another form.
    pub fn of(line: &'a [u8]) -> Option<QuickAsk<'a>> {
        let mut scan = Scan(line);
        scan.pass(br#"{"type":"ask","game":"#)?;
        Some(QuickAsk { game: scan.text()?, rest: scan })
    }

    /// Puts everything but the game into `ask`. `false` if the line has another form after all; the contents of `ask` are
    /// then meaningless.
    pub fn read_into(self, ask: &mut Ask) -> bool {
        self.read(ask).is_some()
    }

    fn read(self, ask: &mut Ask) -> Option<()> {
        let mut scan = self.rest;
        scan.pass(br#","id":"#)?;
        ask.id = AskId::from_digits(scan.word()?)?;
        scan.pass(br#","seat":"#)?;
        ask.seat = Seat::new(usize::try_from(scan.number()?).ok()?)?;
        scan.pass(br#","what":"#)?;
        ask.what = match scan.word()? {
            b"turn" => What::Turn,
            b"react" => What::React,
            b"choose" => What::Choose,
            b"deal" => What::Deal,
            _ => return None,
        };
        scan.pass(br#","time_ms":"#)?;
        ask.time_ms = scan.number()?;
        scan.pass(br#","as_of":"#)?;
        ask.as_of = EventNumber(u32::try_from(scan.number()?).ok()?);
        ask.events.clear();
        ask.view = None;
        ask.legal.clear();
        if scan.passes(br#","legal":["#) {
            ask.legal.reserve(8);
            loop {
                ask.legal.push(scan_action(&mut scan)?);
                if !scan.passes(b",") {
                    break;
                }
            }
            scan.pass(b"]")?;
        }
        (scan.0 == b"}").then_some(())
    }
}

/// Reads an `ask` of this form.
pub(in crate::wire) fn read_ask(line: &[u8]) -> Option<Ask> {
    let quick = QuickAsk::of(line)?;
    let mut ask = Ask::of(GameId(quick.game.into()));
    quick.read_into(&mut ask).then_some(ask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::AgentMessage;

    #[test]
    fn an_act_is_read_as_serde_reads_it_or_left_to_it() {
        let id = "00000000000000ff";
        for (line, is_quick) in [
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7H"}}"#), true),
            (format!(r#"{{"type": "act", "game": "g", "id": "{id}", "do": "draw"}}"#), false),
            (format!(r#"{{"do":"pass","id":"{id}","game":"","type":"act"}}"#), false),
            (format!(r#"{{"type":"act","game":"","id":"{id}","do":"pass"}}"#), true),
            (format!(r#"{{"type":"act","game":"other","id":"{id}","do":"wait"}}"#), true),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"wait"}} "#), false),
            (format!(r#" {{"type":"act","game":"g","id":"{id}","do":"wait"}}"#), false),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","card":"7H"}}"#), false),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7H","say":["mau"]}}"#), true),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","say":["mau"]}}"#), true),
            (format!(r#"{{"say":["mau"],"type":"act","game":"g","id":"{id}","do":"draw"}}"#), false),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","say":["a","b"]}}"#), false),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","say":[]}}"#), false),
            (
                format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"JH","choose":{{"suit":"S"}}}}"#),
                true,
            ),
            (
                format!(
                    r#"{{"type":"act","game":"g","id":"{id}","choose": {{"rank": "7"}}, "do":"play","card":"XX"}}"#
                ),
                false,
            ),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7H","x":"y"}}"#), false),
            (format!(r#"{{"type":"act","game":"\u0067","id":"{id}","do":"draw"}}"#), false),
            (format!(r#"{{"type":"act","game":"ü","id":"{id}","do":"draw"}}"#), false),
        ] {
            let full: AgentMessage = serde_json::from_str(&line).expect("an act");
            let known = |name: &[u8]| (name == b"g").then(|| GameId("g".into()));
            let quick = read_act(line.as_bytes(), known).map(AgentMessage::Act);
            assert_eq!(quick, is_quick.then_some(full), "{line}");
        }
        for wrong in [
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"dance"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","id":"{id}","do":"draw"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","say":["a"],"say":["a"]}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","choose":{{"suit":"S"}}}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"JH","choose":{{"suit":"X"}}}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","say":"mau"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"JH","choose":{{"suit":"S","x":1}}}}"#),
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
    fn an_ask_is_read_as_serde_reads_it_or_left_to_it() {
        let head =
            r#"{"type":"ask","game":"g-1","id":"00000000000000ff","seat":3,"what":"turn","time_ms":5000,"as_of":17"#;
        for (rest, is_quick) in [
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
            let full: Ask = serde_json::from_str(&line).expect("an ask");
            let quick = read_ask(line.as_bytes());
            assert_eq!(quick, is_quick.then_some(full), "{line}");
        }
        let line = format!("{head}}}");
        for end in 0..line.len() {
            assert_eq!(read_ask(&line.as_bytes()[..end]), None);
        }
    }
}
