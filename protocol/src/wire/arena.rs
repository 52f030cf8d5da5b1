//! Lines of the arena, as agents read them. They are read leniently, since a newer arena may say more (SPEC 4.9); what
//! to answer is the agent's business.

use std::borrow::Cow;

use serde::Deserialize;

use super::quick;
use crate::message::ArenaMessage;

/// Reads one line of the arena, for agents. Unknown members are skipped; `None` for an unknown type, which an agent also
/// skips (SPEC 4.9).
///
/// # Errors
/// The line is no JSON object, or a member of a known type is wrong.
pub fn read_arena_line(line: &str) -> Result<Option<ArenaMessage>, serde_json::Error> {
    match quick::read_ask(line.as_bytes()) {
        Some(ask) => Ok(Some(ArenaMessage::Ask(Box::new(ask)))),
        None => read_any_form(line),
    }
}

/// Reads a line in any form, by serde.
fn read_any_form(line: &str) -> Result<Option<ArenaMessage>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(borrow, rename = "type")]
        kind: Cow<'a, str>,
    }
    // The arena writes the type first; any other order is read in two passes.
    let kind = match line.strip_prefix(r#"{"type":""#).and_then(|rest| rest.split_once('"')) {
        Some((kind, _)) => Cow::Borrowed(kind),
        None => serde_json::from_str::<Head<'_>>(line)?.kind,
    };
    Ok(Some(match &*kind {
        "ask" => ArenaMessage::Ask(serde_json::from_str(line)?),
        "tell" => ArenaMessage::Tell(serde_json::from_str(line)?),
        "start" => ArenaMessage::Start(serde_json::from_str(line)?),
        "over" => ArenaMessage::Over(serde_json::from_str(line)?),
        "fault" => ArenaMessage::Fault(serde_json::from_str(line)?),
        "hello" => ArenaMessage::Hello(serde_json::from_str(line)?),
        "bye" => ArenaMessage::Bye(serde_json::from_str(line)?),
        _ => return Ok(None),
    }))
}
