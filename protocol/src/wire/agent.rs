//! Lines of an agent: read into messages, or refused with what is wrong; and the one writer, of `act`.
//!
//! They are read strictly where they could be misunderstood and leniently where they could grow: unknown members are
//! skipped, but a duplicate member, an array in place of an object, a wrong type or a missing member is refused with the
//! path of the problem (SPEC §4). This module does not know which games and asks are open.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::diagnosis::{LineError, LineProblem, is_too_deep};
use super::quick;
use crate::action::{Action, ActionFields, NoAction, read_member};
use crate::json::write_json;
use crate::limits::{MAX_CRASH_CHARS, MAX_LINE_BYTES, MAX_NAME_CHARS, MAX_NESTING, MAX_NOTE_BYTES};
use crate::message::{Act, AgentMessage, AskId, GameId, Note, Plays, Ready, Want, one_game, usual_wants};

/// Reads one line of an agent, without its newline. `None` for a blank line, which means nothing.
///
/// # Errors
/// The line is no message; the error says what is wrong, and where.
pub fn read_agent_line(line: &[u8]) -> Option<Result<AgentMessage, LineError>> {
    read_agent_line_among(line, |_| None)
}

/// As [`read_agent_line`]; `known` may recognise a game by the bytes of its name, so that its [`GameId`] need not be made.
///
/// # Errors
/// As [`read_agent_line`].
pub fn read_agent_line_among(
    line: &[u8],
    known: impl FnOnce(&[u8]) -> Option<GameId>,
) -> Option<Result<AgentMessage, LineError>> {
    match quick::read_act(line, known) {
        Some(act) => Some(Ok(AgentMessage::Act(act))),
        None => read_any_form(line),
    }
}

/// Reads a line in any form, by serde.
fn read_any_form(line: &[u8]) -> Option<Result<AgentMessage, LineError>> {
    if line.len() >= MAX_LINE_BYTES {
        return Some(Err(LineError::too_long(Some(line.len()))));
    }
    if line.trim_ascii().is_empty() {
        return None;
    }
    // serde_json does not check the texts of skipped members.
    let line = match std::str::from_utf8(line) {
        Ok(line) => line,
        Err(error) => return Some(Err(LineError::not_utf8(line, error))),
    };
    let message = match serde_json::from_str::<Members<'_>>(line) {
        Ok(members) => members.finish().map_err(|error| LineError::in_json(error.problem(), line, &error.to_string())),
        Err(error) => Err(LineError::unreadable(line, &error)),
    };
    Some(message)
}

/// Every member that any message of an agent has; once the type is known, it decides which of them count.
#[derive(Default)]
struct Members<'de> {
    kind: Option<Cow<'de, str>>,
    game: Option<GameId>,
    id: Option<AskId>,
    action: ActionFields,
    protocol: Option<String>,
    name: Option<String>,
    version: Option<String>,
    wants: Option<Vec<Want>>,
    ticks: Option<bool>,
    games: Option<u32>,
    note: Option<AnyNote>,
    crash: Option<Box<str>>,
    /// Judged once it is known that the message is one that has it.
    plays: Vec<Box<RawValue>>,
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'de>, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a message as a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Members::default();
                while let Some(name) = map.next_key::<Cow<'de, str>>()? {
                    members.read(&name, &mut map)?;
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

impl<'de> Members<'de> {
    fn read<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "type" => read_member(map, &mut self.kind, name),
            "game" => read_member(map, &mut self.game, name),
            "id" => read_member(map, &mut self.id, name),
            "protocol" => read_member(map, &mut self.protocol, name),
            "name" => read_member(map, &mut self.name, name),
            "version" => read_member(map, &mut self.version, name),
            "wants" => read_member(map, &mut self.wants, name),
            "ticks" => read_member(map, &mut self.ticks, name),
            "games" => read_member(map, &mut self.games, name),
            "note" => read_member(map, &mut self.note, name),
            "crash" => read_member(map, &mut self.crash, name),
            "plays" => {
                self.plays.push(map.next_value()?);
                Ok(())
            }
            _ => {
                if !self.action.read(name, map)? {
                    map.next_value::<IgnoredAny>()?;
                }
                Ok(())
            }
        }
    }

    fn finish(self) -> Result<AgentMessage, NoMessage> {
        match &*need(self.kind, "type")? {
            "act" => {
                let (game, id) = (need(self.game, "game")?, need(self.id, "id")?);
                let crash = self.crash.map(|text| bounded(text, "crash", MAX_CRASH_CHARS)).transpose()?;
                Ok(AgentMessage::Act(Act { game, id, crash, action: self.action.finish()? }))
            }
            "ready" => Ok(AgentMessage::Ready(Ready {
                protocol: need(self.protocol, "protocol")?,
                name: bounded(self.name.unwrap_or_default(), "name", MAX_NAME_CHARS)?,
                version: bounded(self.version.unwrap_or_default(), "version", MAX_NAME_CHARS)?,
                wants: self.wants.unwrap_or_else(usual_wants),
                ticks: self.ticks.unwrap_or(false),
                games: match self.games.unwrap_or_else(one_game) {
                    0 => return Err(NoMessage::NoGames),
                    games => games,
                },
                plays: read_plays(&self.plays)?,
            })),
            "note" => {
                let AnyNote(note) = need(self.note, "note")?;
                match serde_json::to_string(&note).map_or(usize::MAX, |text| text.len()) {
                    bytes if bytes > MAX_NOTE_BYTES => Err(NoMessage::LongNote(bytes)),
                    _ => Ok(AgentMessage::Note(Note { game: need(self.game, "game")?, note })),
                }
            }
            other => Err(NoMessage::UnknownType(other.chars().take(30).collect())),
        }
    }
}

/// The contents of a `note`. Their nesting depth is a limit of the protocol, so it is not left to serde_json.
struct AnyNote(serde_json::Value);

impl<'de> Deserialize<'de> for AnyNote {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyNote, D::Error> {
        let note = Box::<RawValue>::deserialize(deserializer)?;
        if is_too_deep(&note) {
            return Err(de::Error::custom(format_args!("nested deeper than {MAX_NESTING} levels")));
        }
        serde_json::from_str(note.get()).map(AnyNote).map_err(de::Error::custom)
    }
}

fn need<T>(value: Option<T>, member: &'static str) -> Result<T, NoMessage> {
    value.ok_or(NoMessage::Missing(member))
}

fn bounded<T: AsRef<str>>(text: T, member: &'static str, most: usize) -> Result<T, NoMessage> {
    match text.as_ref().chars().count() {
        count if count > most => Err(NoMessage::LongText { member, count, most }),
        _ => Ok(text),
    }
}

/// Reads `plays` as often as it stands in a `ready`.
fn read_plays(values: &[Box<RawValue>]) -> Result<Option<Plays>, NoMessage> {
    let wrong = |what: &str| Err(NoMessage::Plays(what.to_owned()));
    match values {
        [] => Ok(None),
        // serde also reads a struct from an array.
        [plays] if !plays.get().starts_with('{') => wrong("expected an object such as {\"rules\":[\"skat\"]}"),
        [plays] => serde_json::from_str(plays.get()).map(Some).or_else(|error| wrong(&error.to_string())),
        _ => wrong("the member stands twice"),
    }
}

/// Why members that are each valid make no message.
#[derive(Debug, thiserror::Error)]
enum NoMessage {
    #[error("/{0}: missing")]
    Missing(&'static str),
    #[error("/type: unknown type {0:?}; an agent sends ready, act or note")]
    UnknownType(String),
    #[error("/{member}: {count} characters; at most {most}")]
    LongText { member: &'static str, count: usize, most: usize },
    #[error("/games: at least 1")]
    NoGames,
    #[error("/plays: {0}")]
    Plays(String),
    #[error("/note: {0} bytes of JSON; at most {MAX_NOTE_BYTES}")]
    LongNote(usize),
    #[error(transparent)]
    Action(#[from] NoAction),
}

impl NoMessage {
    fn problem(&self) -> LineProblem {
        match self {
            NoMessage::Action(NoAction::UnknownVerb(_)) => LineProblem::UnknownVerb,
            _ => LineProblem::NotAMessage,
        }
    }
}

impl<'de> Deserialize<'de> for AgentMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AgentMessage, D::Error> {
        Members::deserialize(deserializer)?.finish().map_err(de::Error::custom)
    }
}

/// Adds the line of an `act` to `out`.
///
/// # Errors
/// As [`write_json`], so never: an action always has a JSON form.
pub fn write_act(out: &mut Vec<u8>, game: &GameId, id: AskId, action: &Action) -> Result<(), serde_json::Error> {
    out.extend_from_slice(br#"{"type":"act","game":"#);
    write_json(out, game)?;
    out.extend_from_slice(br#","id":""#);
    out.extend_from_slice(id.digits().as_flattened());
    out.push(b'"');
    let bracket = out.len();
    write_json(out, action)?;
    out[bracket] = b',';
    out.push(b'\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::Verb;
    use crate::card::Card;
    use crate::speech::Say;

    #[test]
    fn an_act_reads_in_any_order_with_unknown_members() {
        let line = br#" {"card":"7H","x":{"do":[1]},"do":"play","say":["mau"],"id":"00000000000000ff","game":"g","type":"act"}"#;
        let message = read_agent_line(line).expect("not blank").expect("an act");
        let verb = Verb::Play { card: Card::from_code("7H").expect("a card"), choose: None };
        let action = Action { verb, say: Say::word("mau") };
        assert_eq!(message, AgentMessage::Act(Act { game: GameId("g".into()), id: AskId(255), crash: None, action }));
    }

    #[test]
    fn the_line_of_an_act_is_its_json() {
        for json in [
            r#"{"do":"play","card":"7H"}"#,
            r#"{"do":"play","card":"JH","choose":{"suit":"S"},"say":["mau","mau mau"]}"#,
            r#"{"do":"pass","say":["\"\n"]}"#,
            r#"{"do":"call","against":3,"fault":"no_mau"}"#,
            r#"{"do":"choose","rank":"7"}"#,
            r#"{"do":"count"}"#,
        ] {
            let action: Action = serde_json::from_str(json).expect("an action");
            let (game, id) = (GameId("g\"".into()), AskId(255));
            let mut line = Vec::new();
            write_act(&mut line, &game, id, &action).expect("a JSON form");
            let message = AgentMessage::Act(Act { game, id, crash: None, action });
            let expected = serde_json::to_string(&message).expect("a JSON form") + "\n";
            assert_eq!(String::from_utf8(line).expect("UTF-8"), expected);
            assert!(expected.ends_with(&format!(",{}\n", &json[1..])), "{expected}");
        }
    }

    #[test]
    fn the_longest_line_is_one_byte_short_of_the_limit() {
        let pad = |bytes: usize| format!(r#"{{"type":"note","game":"g","note":1,"x":"{}"}}"#, "y".repeat(bytes));
        let fits = pad(MAX_LINE_BYTES - 1 - pad(0).len());
        assert_eq!(fits.len() + 1, MAX_LINE_BYTES);
        assert!(read_agent_line(fits.as_bytes()).expect("not blank").is_ok());
        let error = read_agent_line((fits + " ").as_bytes()).expect("not blank").expect_err("one byte more");
        assert_eq!(error.problem, LineProblem::TooLong);
    }

    #[test]
    fn blank_lines_mean_nothing() {
        assert_eq!(read_agent_line(b""), None);
        assert_eq!(read_agent_line(b" \t\r"), None);
    }

    #[test]
    fn numbers_in_notes_are_kept_to_the_last_digit() {
        for number in
            ["99e91", "9.900000000000001e92", "0.1", "-1.7976931348623157e308", "5e-324", "2.2250738585072011e-308"]
        {
            let line = format!(r#"{{"type":"note","game":"g","note":{number}}}"#);
            let note = read_agent_line(line.as_bytes()).expect("not blank").expect("a note");
            let written = serde_json::to_vec(&note).expect("JSON");
            assert_eq!(read_agent_line(&written), Some(Ok(note)), "{number}");
        }
    }
}
