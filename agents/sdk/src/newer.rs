//! Lines of an arena that is newer than this crate. Within a major version there are only additions, but an added verb,
//! event or rule can be inside a message that this crate knows: the additions are left out and the rest is used. It
//! only reads; what to answer is decided in `session`.

use maumau_protocol::message::{ArenaMessage, Ask, Over, PROTOCOL, Start, Tell};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Action, FromJson, SeenEvent, View};
use serde_json::Value;

/// A line that could not be read as it stands.
pub(crate) enum Newer {
    /// The rest of it, without the additions.
    Message(ArenaMessage),
    /// A `hello` that announces unknown things: the protocol that it names, and the games that it allows at once.
    Hello(String, u32),
    /// An ask with no legal action that this crate knows; the first one, as a complete answer.
    Answer(Value),
}

/// Reads a line that [`maumau_protocol::wire::read_arena_line`] could not. `None` if this fails too.
pub(crate) fn read(line: &str) -> Option<Newer> {
    let mut value: Value = serde_json::from_str(line).ok()?;
    match value.get("type")?.as_str()? {
        "hello" => {
            let allowed = value.pointer("/limits/games").and_then(Value::as_u64);
            let games = allowed.and_then(|games| games.try_into().ok()).unwrap_or(1);
            Some(Newer::Hello(value.get("protocol")?.as_str()?.to_owned(), games))
        }
        "start" => {
            leave_out_unless::<RuleSet>(&mut value, "rules");
            Some(Newer::Message(ArenaMessage::Start(Box::new(read_as::<Start>(&value)?))))
        }
        "ask" => read_ask(value),
        "tell" => {
            keep_known::<SeenEvent>(&mut value, "events");
            Some(Newer::Message(ArenaMessage::Tell(read_as::<Tell>(&value)?)))
        }
        "over" => {
            keep_known::<SeenEvent>(&mut value, "events");
            Some(Newer::Message(ArenaMessage::Over(read_as::<Over>(&value)?)))
        }
        _ => None,
    }
}

fn read_ask(mut value: Value) -> Option<Newer> {
    let first = value.get("legal").and_then(|legal| legal.get(0)).cloned();
    keep_known::<SeenEvent>(&mut value, "events");
    keep_known::<Action>(&mut value, "legal");
    leave_out_unless::<View>(&mut value, "view");
    match (read_as::<Ask>(&value), first) {
        (Some(ask), Some(_)) if !ask.legal.is_empty() => Some(Newer::Message(ArenaMessage::Ask(Box::new(ask)))),
        (Some(ask), None) => Some(Newer::Message(ArenaMessage::Ask(Box::new(ask)))),
        (_, Some(mut answer)) => {
            let members = answer.as_object_mut()?;
            members.insert("type".into(), "act".into());
            for name in ["game", "id"] {
                members.insert(name.into(), value.get_mut(name)?.take());
            }
            Some(Newer::Answer(answer))
        }
        (None, None) => None,
    }
}

fn read_as<T: FromJson>(value: &Value) -> Option<T> {
    T::from_json(&value.to_string()).ok()
}

fn keep_known<T: FromJson>(value: &mut Value, list: &str) {
    if let Some(items) = value.get_mut(list).and_then(Value::as_array_mut) {
        items.retain(|item| read_as::<T>(item).is_some());
    }
}

fn leave_out_unless<T: FromJson>(value: &mut Value, name: &str) {
    if let Some(members) = value.as_object_mut()
        && members.get(name).is_some_and(|member| read_as::<T>(member).is_none())
    {
        members.remove(name);
    }
}

/// Whether this crate can talk to an arena with protocol `theirs`: the same major version, with any minor one.
pub(crate) fn is_same_major(theirs: &str) -> bool {
    theirs.split('.').next() == Some(PROTOCOL)
}
