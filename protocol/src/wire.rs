//! Lines: the one place that reads what an agent sends.
//!
//! An agent's line is read strictly where it could be misunderstood and leniently where it could grow: members that are
//! not known are passed over, but a member that stands twice, an array in place of an object, a wrong type and a missing
//! member are refused with the path of what is wrong (SPEC §4).

mod usual;

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::action::{Action, ActionFields, read_member};
use crate::fault::ConductFault;
use crate::json::write_json;
use crate::limits::{MAX_CRASH_CHARS, MAX_LINE_BYTES, MAX_NAME_CHARS, MAX_NOTE_BYTES};
use crate::message::{Act, AgentMessage, ArenaMessage, AskId, GameId, Note, Ready, Want, one_game, usual_wants};

pub use usual::{UsualAsk, scan_action_into, write_action};

/// A line that is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The fault that it is.
    pub fault: ConductFault,
    /// What is wrong and where, for the author of the agent.
    pub message: String,
    /// The game the line names, as far as it could be read.
    pub game: Option<GameId>,
}

/// Reads one line of an agent, without its newline. `None` for a blank line, which means nothing.
///
/// # Errors
/// Says which conduct fault the line is, and the path of what is wrong.
pub fn read_agent_line(line: &[u8]) -> Option<Result<AgentMessage, LineError>> {
    read_agent_line_among(line, |_| None)
}

/// As [`read_agent_line`]; `known` may know a game from the bytes of its name, so that it needs not be made anew.
///
/// # Errors
/// As [`read_agent_line`].
pub fn read_agent_line_among(
    line: &[u8],
    known: impl FnOnce(&[u8]) -> Option<GameId>,
) -> Option<Result<AgentMessage, LineError>> {
    if let Some(act) = usual::read_act(line, known) {
        return Some(Ok(AgentMessage::Act(act)));
    }
    if line.len() >= MAX_LINE_BYTES {
        let message = format!("the line has {} bytes; at most {MAX_LINE_BYTES} with its newline", line.len());
        return Some(Err(LineError { fault: ConductFault::LineTooLong, message, game: None }));
    }
    if line.trim_ascii().is_empty() {
        return None;
    }
    // The whole line is looked at first: serde_json does not read the texts of members that are passed over.
    let line = match std::str::from_utf8(line) {
        Ok(line) => line,
        Err(error) => {
            let message = format!("not UTF-8 at byte {}", error.valid_up_to() + 1);
            return Some(Err(LineError { fault: ConductFault::NotJson, message, game: None }));
        }
    };
    Some(serde_json::from_str::<AnyMessage>(line).map(|any| any.0).map_err(|error| judge(line, &error)))
}

/// Which fault a line is that is no message. What stands first in the fault table comes first, wherever in the line it
/// is: a line that breaks off behind a wrong member is no JSON.
fn judge(line: &str, error: &serde_json::Error) -> LineError {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(line) {
        let message = tidy(&error) + likely_cause(line, &error);
        return LineError { fault: ConductFault::NotJson, message, game: None };
    }
    let message = tidy(error);
    let fault = if message.ends_with("recursion limit exceeded") {
        // Nested too deep in a member that counts.
        ConductFault::NotJson
    } else if message.starts_with("/do: unknown verb") {
        ConductFault::UnknownVerb
    } else {
        ConductFault::WrongShape
    };
    LineError { fault, message, game: game_of(line) }
}

/// What mostly makes a line that is no JSON.
fn likely_cause(line: &str, error: &serde_json::Error) -> &'static str {
    let line = line.trim();
    match line.starts_with('{') {
        true if error.is_eof() => SPREAD,
        true => "",
        false if is_piece_of_message(line) => SPREAD,
        false => "; is it debug output? Write that to standard error: standard output is for messages",
    }
}

const SPREAD: &str = "; a message is one line: is this one spread over several?";

/// Whether a line looks like one of the later lines of a message that is spread over several: a member, or brackets.
fn is_piece_of_message(line: &str) -> bool {
    line.starts_with('"') && (line.contains("\":") || line.ends_with(','))
        || line.chars().all(|c| matches!(c, '{' | '}' | '[' | ']' | ',' | ' '))
}

/// The game that a faulty line names, if it can be read at all.
fn game_of(line: &str) -> Option<GameId> {
    #[derive(Deserialize)]
    struct Head {
        game: GameId,
    }
    // A struct would also be read from an array.
    line.trim_start().starts_with('{').then(|| serde_json::from_str::<Head>(line).ok()).flatten().map(|head| head.game)
}

/// serde's message with bot text cut short. The line number is always 1; the byte is told only where there is no path.
fn tidy(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = match text.split_once(" at line 1 column ") {
        Some((text, _)) if text.starts_with('/') => text.to_owned(),
        _ => text.replace(" at line 1 column", " at byte"),
    };
    text.chars().filter(|c| !c.is_control()).take(300).collect()
}

struct AnyMessage(AgentMessage);

impl<'de> Deserialize<'de> for AnyMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyMessage, D::Error> {
        deserializer.deserialize_map(MessageVisitor).map(AnyMessage)
    }
}

struct MessageVisitor;

/// Every member that any agent message has; which of them count is decided when the type is known.
#[derive(Default)]
struct Fields<'de> {
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
    note: Option<serde_json::Value>,
    crash: Option<Box<str>>,
}

impl<'de> Visitor<'de> for MessageVisitor {
    type Value = AgentMessage;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message as a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AgentMessage, A::Error> {
        let mut fields = Fields::default();
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            let name = &*name;
            match name {
                "type" => read_member(&mut map, &mut fields.kind, name)?,
                "game" => read_member(&mut map, &mut fields.game, name)?,
                "id" => read_member(&mut map, &mut fields.id, name)?,
                "protocol" => read_member(&mut map, &mut fields.protocol, name)?,
                "name" => read_member(&mut map, &mut fields.name, name)?,
                "version" => read_member(&mut map, &mut fields.version, name)?,
                "wants" => read_member(&mut map, &mut fields.wants, name)?,
                "ticks" => read_member(&mut map, &mut fields.ticks, name)?,
                "games" => read_member(&mut map, &mut fields.games, name)?,
                "note" => read_member(&mut map, &mut fields.note, name)?,
                "crash" => read_member(&mut map, &mut fields.crash, name)?,
                _ => {
                    if !fields.action.read(name, &mut map)? {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
            }
        }
        fields.finish()
    }
}

impl Fields<'_> {
    fn finish<E: de::Error>(self) -> Result<AgentMessage, E> {
        fn need<T, E: de::Error>(value: Option<T>, name: &str) -> Result<T, E> {
            value.ok_or_else(|| E::custom(format_args!("/{name}: missing")))
        }
        fn bounded<T: AsRef<str> + Default, E: de::Error>(value: Option<T>, name: &str, most: usize) -> Result<T, E> {
            let text = value.unwrap_or_default();
            match text.as_ref().chars().count() {
                count if count > most => Err(E::custom(format_args!("/{name}: {count} characters; at most {most}"))),
                _ => Ok(text),
            }
        }
        match &*need(self.kind, "type")? {
            "act" => {
                let (game, id) = (need(self.game, "game")?, need(self.id, "id")?);
                let crash = self.crash.map(|text| bounded(Some(text), "crash", MAX_CRASH_CHARS)).transpose()?;
                Ok(AgentMessage::Act(Act { game, id, crash, action: self.action.finish()? }))
            }
            "ready" => Ok(AgentMessage::Ready(Ready {
                protocol: need(self.protocol, "protocol")?,
                name: bounded(self.name, "name", MAX_NAME_CHARS)?,
                version: bounded(self.version, "version", MAX_NAME_CHARS)?,
                wants: self.wants.unwrap_or_else(usual_wants),
                ticks: self.ticks.unwrap_or(false),
                games: match self.games.unwrap_or_else(one_game) {
                    0 => return Err(E::custom("/games: at least 1")),
                    games => games,
                },
            })),
            "note" => {
                let note = need(self.note, "note")?;
                let bytes = serde_json::to_string(&note).map_or(usize::MAX, |text| text.len());
                if bytes > MAX_NOTE_BYTES {
                    return Err(E::custom(format_args!("/note: {bytes} bytes of JSON; at most {MAX_NOTE_BYTES}")));
                }
                Ok(AgentMessage::Note(Note { game: need(self.game, "game")?, note }))
            }
            other => {
                let other: String = other.chars().take(30).collect();
                Err(E::custom(format_args!("/type: unknown type {other:?}; an agent sends ready, act or note")))
            }
        }
    }
}

impl<'de> Deserialize<'de> for AgentMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AgentMessage, D::Error> {
        AnyMessage::deserialize(deserializer).map(|any| any.0)
    }
}

/// Adds the line of an `act` to `out`.
///
/// # Errors
/// As [`write_json`], which is never: an action always has a JSON form.
pub fn write_act(out: &mut Vec<u8>, game: &GameId, id: AskId, action: &Action) -> Result<(), serde_json::Error> {
    out.extend_from_slice(br#"{"type":"act","game":"#);
    write_json(out, game)?;
    out.extend_from_slice(br#","id":""#);
    out.extend_from_slice(id.digits().as_flattened());
    out.push(b'"');
    let bracket = out.len();
    write_action(out, action)?;
    out[bracket] = b',';
    out.push(b'\n');
    Ok(())
}

/// Reads one line of the arena, for agents. Unknown members are passed over; `None` for a type that is not known, which
/// an agent passes over too.
///
/// # Errors
/// The line is no JSON object or a member of a known type is wrong.
pub fn read_arena_line(line: &str) -> Result<Option<ArenaMessage>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(borrow, rename = "type")]
        kind: Cow<'a, str>,
    }
    if let Some(ask) = usual::read_ask(line.as_bytes()) {
        return Ok(Some(ArenaMessage::Ask(Box::new(ask))));
    }
    // The arena writes the type first; any other order is read in two passes.
    let kind = match line.strip_prefix(r#"{"type":""#).and_then(|rest| rest.split_once('"')) {
        Some((kind, _)) => Cow::Borrowed(kind),
        None => serde_json::from_str::<Head<'_>>(line)?.kind,
    };
    read_arena_message(&kind, line)
}

fn read_arena_message(kind: &str, line: &str) -> Result<Option<ArenaMessage>, serde_json::Error> {
    Ok(Some(match kind {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::Verb;
    use crate::card::Card;
    use crate::speech::Say;

    fn fault_of(line: &str) -> (ConductFault, String) {
        let error = read_agent_line(line.as_bytes()).expect("not blank").expect_err(line);
        (error.fault, error.message)
    }

    #[test]
    fn an_act_reads_in_any_order_with_unknown_members() {
        let line = br#" {"card":"7H","x":{"do":[1]},"do":"play","say":["mau"],"id":"00000000000000ff","game":"g","type":"act"}"#;
        let message = read_agent_line(line).expect("not blank").expect("an act");
        let verb = Verb::Play { card: Card::from_code("7H").expect("a card"), choose: None };
        let action = Action { verb, say: Say::word("mau") };
        assert_eq!(message, AgentMessage::Act(Act { game: GameId("g".into()), id: AskId(255), crash: None, action }));
    }

    #[test]
    fn the_likely_cause_of_a_line_that_is_no_json_is_told() {
        for (line, cause) in [
            ("{", "spread over several"),
            ("  \"type\": \"act\",", "spread over several"),
            ("  \"choose\": {", "spread over several"),
            ("  \"view\",", "spread over several"),
            ("  },", "spread over several"),
            ("}", "spread over several"),
            ("my hand: 7H", "debug output"),
            ("[1, 2", "debug output"),
            ("{\"type\":\"act\",}", ""),
        ] {
            let (fault, message) = fault_of(line);
            assert_eq!(fault, ConductFault::NotJson, "{line}");
            let told = ["spread over several", "debug output"].into_iter().find(|cause| message.contains(cause));
            assert_eq!(told.unwrap_or_default(), cause, "{line}: {message}");
        }
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
    fn what_is_wrong_is_named_with_its_path() {
        use ConductFault::*;
        for (line, fault, words) in [
            (r#"nonsense"#, NotJson, "byte 2; is it debug output?"),
            (r#"["act","g""#, NotJson, "standard error"),
            (r#"{"#, NotJson, "EOF while parsing an object at byte 1; a message is one line:"),
            (r#"{"type":"act""#, NotJson, "EOF"),
            (r#"{'type': 'act'}"#, NotJson, "key must be a string at byte 2"),
            (r#"{"type":"act","game":"g"}{"#, NotJson, "trailing characters"),
            (r#"{"type":"act","game":7,"id""#, NotJson, "EOF"),
            (r#"{"do":"dance","type":"act","game":"g","id":"00000000000000ff","card":5}"#, WrongShape, "/card:"),
            (r#"{"do":"dance","type":"act","game":"g"}"#, WrongShape, "/id: missing"),
            (r#"["act","g"]"#, WrongShape, "a message as a JSON object"),
            (r#"7"#, WrongShape, "a message as a JSON object"),
            (r#"{}"#, WrongShape, "/type: missing"),
            (r#"{"type":"dance"}"#, WrongShape, "/type: unknown type \"dance\""),
            (r#"{"type":"act","game":"g","id":"00000000000000ff"}"#, WrongShape, "/do: missing"),
            (r#"{"type":"act","game":"g","id":"ff","do":"draw"}"#, WrongShape, "/id:"),
            (r#"{"type":"act","game":"g","id":7,"do":"draw"}"#, WrongShape, "/id:"),
            (
                r#"{"type":"act","game":"g","id":"00000000000000ff","do":"dance"}"#,
                UnknownVerb,
                "unknown verb \"dance\"",
            ),
            (r#"{"type":"act","game":"g","id":"00000000000000ff","do":"play"}"#, WrongShape, "/card: missing"),
            (r#"{"type":"act","game":"g","id":"00000000000000ff","do":"play","card":"1H"}"#, WrongShape, "/card:"),
            (
                r#"{"type":"act","game":"g","id":"00000000000000ff","do":"play","card":"7H","choose":{"suit":"X"}}"#,
                WrongShape,
                "/choose:",
            ),
            (r#"{"type":"act","game":"g","game":"g"}"#, WrongShape, "/game: the member stands twice"),
            (r#"{"type":"ready","protocol":"maumau/1","games":0}"#, WrongShape, "/games: at least 1"),
            (r#"{"type":"ready","protocol":"maumau/1","games":-1}"#, WrongShape, "/games:"),
            (r#"{"type":"ready"}"#, WrongShape, "/protocol: missing"),
        ] {
            let (found, message) = fault_of(line);
            assert_eq!(found, fault, "{line}: {message}");
            assert!(message.contains(words), "{line}: {message}");
        }
    }

    #[test]
    fn the_longest_line_is_one_byte_short_of_the_limit() {
        let pad = |bytes: usize| format!(r#"{{"type":"note","game":"g","note":1,"x":"{}"}}"#, "y".repeat(bytes));
        let fits = pad(MAX_LINE_BYTES - 1 - pad(0).len());
        assert_eq!(fits.len() + 1, MAX_LINE_BYTES);
        assert!(read_agent_line(fits.as_bytes()).expect("not blank").is_ok());
        assert_eq!(fault_of(&(fits + " ")).0, ConductFault::LineTooLong);
    }

    #[test]
    fn blank_lines_mean_nothing() {
        assert_eq!(read_agent_line(b""), None);
        assert_eq!(read_agent_line(b" \t\r"), None);
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_noticed_in_members_that_are_passed_over_too() {
        let line = b"{\"type\":\"note\",\"game\":\"g\",\"note\":1,\"x\":\"\xff\"}";
        let error = read_agent_line(line).expect("not blank").expect_err("not UTF-8");
        assert_eq!(error.fault, ConductFault::NotJson);
        assert!(error.message.contains("UTF-8 at byte 41"), "{}", error.message);
    }

    #[test]
    fn a_message_with_a_path_needs_no_byte() {
        let message = |line: &str| read_agent_line(line.as_bytes()).expect("not blank").expect_err(line).message;
        assert_eq!(message(r#"{"type":"ready"}"#), "/protocol: missing");
        assert_eq!(message(r#"{"type":"ready","games":"1"}"#), "/games: invalid type: string \"1\", expected u32");
        assert_eq!(message(r#"{"type":}"#), "expected value at byte 9");
    }

    #[test]
    fn a_note_that_is_nested_too_deep_is_no_json() {
        let note = |levels: usize| {
            format!(r#"{{"type":"note","game":"g","note":{}{}}}"#, "[".repeat(levels), "]".repeat(levels))
        };
        assert!(read_agent_line(note(126).as_bytes()).expect("not blank").is_ok());
        let (fault, message) = fault_of(&note(127));
        assert_eq!((fault, message.as_str()), (ConductFault::NotJson, "/note: recursion limit exceeded"));
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

    #[test]
    fn only_an_object_tells_a_game() {
        let error = read_agent_line(br#"["g7"]"#).expect("not blank").expect_err("no object");
        assert_eq!(error.game, None);
    }

    #[test]
    fn a_faulty_line_still_tells_its_game() {
        let error = read_agent_line(br#"{"type":"act","game":"g7","id":"x"}"#).expect("not blank").expect_err("bad id");
        assert_eq!(error.game, Some(GameId("g7".into())));
    }
}
