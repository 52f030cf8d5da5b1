//! An `act` as this project's own agents write it. Any other spelling yields `None` and is read by `wire::agent`, which
//! also says what is wrong with it.

use super::action::scan_members;
use crate::limits::MAX_LINE_BYTES;
use crate::message::{Act, AskId, GameId};
use crate::scan::Scan;

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
}
