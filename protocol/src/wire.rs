//! Lines: the only place that reads the lines of agents, and the arena's lines to agents. It reads and writes text, not
//! pipes.
//!
//! `agent` and `arena` read the lines of either side in every form that SPEC §4 allows; `diagnosis` names what is wrong
//! with a line; `quick` reads and writes the one form that nearly all lines have, and leaves every other form to the rest.
//! The fault table of the referee decides which conduct fault a faulty line is.

mod agent;
mod diagnosis;
mod quick;

use std::borrow::Cow;

use serde::Deserialize;

use crate::message::ArenaMessage;

pub use agent::{read_agent_line, read_agent_line_among, write_act};
pub use diagnosis::{LineError, LineProblem};
pub use quick::{QuickAsk, scan_action_into};

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
