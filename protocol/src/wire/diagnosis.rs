//! What is wrong with a line that is no message, as types for the arena and in words for the author of the agent. It
//! looks at a refused line once more and changes nothing.
//!
//! This module does not know what a problem costs: the fault table of the referee does (SPEC §6).

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::limits::{MAX_LINE_BYTES, MAX_NESTING};
use crate::message::GameId;

/// What is wrong with a line, in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineProblem {
    /// It has more than [`MAX_LINE_BYTES`] (SPEC 1.3).
    TooLong,
    /// It is not UTF-8 (SPEC 1.2).
    NotUtf8,
    /// It is not JSON, or something follows the JSON.
    NotJson,
    /// It holds a note that is nested deeper than [`MAX_NESTING`].
    TooDeep,
    /// It is JSON, but no message: no object, or a member is missing, doubled, of a wrong type or beyond a limit.
    NotAMessage,
    /// It would be an `act`, but there is no such action.
    UnknownVerb,
}

impl LineProblem {
    /// Every problem, in the order of the checks: a line with several has the first.
    pub const ALL: [LineProblem; 6] = [
        LineProblem::TooLong,
        LineProblem::NotUtf8,
        LineProblem::NotJson,
        LineProblem::TooDeep,
        LineProblem::NotAMessage,
        LineProblem::UnknownVerb,
    ];
}

/// A line that is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// What is wrong.
    pub problem: LineProblem,
    /// The same for the author of the agent: what is wrong and where, at most 300 characters, none of which is a control
    /// character.
    pub message: String,
    /// The game that the line names, if it can be read.
    pub game: Option<GameId>,
}

impl LineError {
    /// A line of `bytes` bytes without its newline; `None` if only a part of them was kept.
    pub fn too_long(bytes: Option<usize>) -> LineError {
        let message = match bytes {
            Some(bytes) => format!("the line has {bytes} bytes; at most {MAX_LINE_BYTES} with its newline"),
            None => format!("a line over {MAX_LINE_BYTES} bytes"),
        };
        LineError { problem: LineProblem::TooLong, message, game: None }
    }

    pub(super) fn not_utf8(line: &[u8], error: std::str::Utf8Error) -> LineError {
        let message = format!("not UTF-8 at byte {}{}", error.valid_up_to() + 1, likely_encoding(line));
        LineError { problem: LineProblem::NotUtf8, message, game: None }
    }

    /// A line that serde could not read: it is not JSON, or some member is wrong. An earlier check takes precedence
    /// wherever in the line its problem is: a line that breaks off after a wrong member is not JSON (SPEC 4.8).
    pub(super) fn unreadable(line: &str, error: &serde_json::Error) -> LineError {
        if let Err(error) = serde_json::from_str::<IgnoredAny>(line) {
            let message = tidy(&error.to_string()) + likely_cause(line, &error);
            return LineError { problem: LineProblem::NotJson, message, game: None };
        }
        let problem = if has_deep_note(line) { LineProblem::TooDeep } else { LineProblem::NotAMessage };
        LineError::in_json(problem, line, &error.to_string())
    }

    /// A line of JSON that is no message.
    pub(super) fn in_json(problem: LineProblem, line: &str, message: &str) -> LineError {
        LineError { problem, message: tidy(message), game: game_of(line) }
    }
}

/// True if `note` is nested too deeply for a message, which is the first level.
pub(super) fn is_too_deep(note: &RawValue) -> bool {
    let (mut depth, mut deepest) = (1, 1);
    let (mut in_text, mut is_escaped) = (false, false);
    for byte in note.get().bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    deepest > MAX_NESTING
}

fn has_deep_note(line: &str) -> bool {
    #[derive(Deserialize)]
    struct Noted<'a> {
        #[serde(borrow)]
        note: &'a RawValue,
    }
    is_object(line) && serde_json::from_str::<Noted<'_>>(line).is_ok_and(|noted| is_too_deep(noted.note))
}

fn game_of(line: &str) -> Option<GameId> {
    #[derive(Deserialize)]
    struct Named {
        game: GameId,
    }
    is_object(line).then(|| serde_json::from_str::<Named>(line).ok()).flatten().map(|named| named.game)
}

/// serde also reads a struct from an array.
fn is_object(line: &str) -> bool {
    line.trim_start().starts_with('{')
}

/// Whether a line shows a cause, and what is said of it.
type Cause = (fn(&str, &serde_json::Error) -> bool, &'static str);

/// The usual causes of a line that is not JSON: what shows each of them, and what to do. The first row that matches counts.
/// SPEC 1.2 forbids the byte order mark, SPEC 1.1 lines that are spread over several.
const LIKELY_CAUSES: [Cause; 7] = [
    (
        |line, _| line.starts_with('\u{feff}'),
        "; it begins with a byte order mark, which no line may have (SPEC 1.2): write UTF-8 without one (\"utf-8\" and not \
         \"utf-8-sig\" in Python, new UTF8Encoding(false) in .NET)",
    ),
    (|line, _| line.starts_with("{\0") || line.starts_with("\0{"), UTF_16),
    // What Java prints on stdout when it cannot start; the next line says why.
    (
        |line, _| line == "#" || line.starts_with("Error occurred during initialization of VM"),
        "; Java writes this when it cannot run",
    ),
    (
        |line, _| line.starts_with("{'"),
        "; JSON has double quotes: print json.dumps(message), and not the dict itself (JSON.stringify, to_json in other languages)",
    ),
    (
        |line, error| line.starts_with('{') && error.is_eof() || !line.starts_with('{') && is_piece_of_message(line),
        SPREAD,
    ),
    (|line, _| line.starts_with('{'), ""),
    (|_, _| true, "; is it debug output? Write that to standard error: standard output is for messages"),
];

/// The usual cause of a line that is not JSON.
fn likely_cause(line: &str, error: &serde_json::Error) -> &'static str {
    let line = line.trim();
    LIKELY_CAUSES.iter().find(|(shows, _)| shows(line, error)).map_or("", |(_, what_to_do)| what_to_do)
}

/// The usual cause of bytes that are not UTF-8.
fn likely_encoding(line: &[u8]) -> &'static str {
    let has_mark = line.starts_with(b"\xff\xfe") || line.starts_with(b"\xfe\xff");
    let (even, odd) = (line.iter().step_by(2).take(8), line.iter().skip(1).step_by(2).take(8));
    match has_mark || line.len() > 8 && (even.clone().all(|byte| *byte == 0) || odd.clone().all(|byte| *byte == 0)) {
        true => UTF_16,
        false => "",
    }
}

const UTF_16: &str = "; it looks like UTF-16, as some systems write by default: lines are UTF-8 (SPEC 1.2)";

const SPREAD: &str = "; a message is one line: is this one spread over several?";

/// True if a line looks like a later line of a message that is spread over several: a member, or brackets.
fn is_piece_of_message(line: &str) -> bool {
    line.starts_with('"') && (line.contains("\":") || line.ends_with(','))
        || line.chars().all(|c| matches!(c, '{' | '}' | '[' | ']' | ',' | ' '))
}

/// A message of serde, cut short, since it may quote the agent. The line number is always 1; the byte is given only if
/// there is no path.
fn tidy(message: &str) -> String {
    let text = match message.split_once(" at line 1 column ") {
        Some((text, _)) if text.starts_with('/') => text.to_owned(),
        _ => message.replace(" at line 1 column", " at byte"),
    };
    text.chars().filter(|c| !c.is_control()).take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::super::read_agent_line;
    use super::*;

    fn problem_of(line: &str) -> (LineProblem, String) {
        let error = read_agent_line(line.as_bytes()).expect("not blank").expect_err(line);
        (error.problem, error.message)
    }

    #[test]
    fn the_likely_cause_of_a_line_that_is_no_json_is_named() {
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
            ("\u{feff}{\"type\":\"ready\",\"protocol\":\"maumau/1\"}", "byte order mark"),
            ("\u{feff}my hand", "byte order mark"),
            ("{\"type\":\"\u{feff}\",}", ""),
            ("{'type': 'act'}", "json.dumps"),
            ("{'type': 'act', 'say': \"it's\"}", "json.dumps"),
            ("{type: 'act'}", ""),
            ("my {'hand': 1}", "debug output"),
            ("#", "Java"),
            ("Error occurred during initialization of VM", "Java"),
            ("# my hand", "debug output"),
        ] {
            let (problem, message) = problem_of(line);
            assert_eq!(problem, LineProblem::NotJson, "{line}");
            let causes = ["spread over several", "debug output", "byte order mark", "json.dumps", "Java"];
            let found = causes.into_iter().find(|cause| message.contains(cause));
            assert_eq!(found.unwrap_or_default(), cause, "{line}: {message}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_path() {
        use LineProblem::*;
        for (line, problem, words) in [
            (r#"nonsense"#, NotJson, "byte 2; is it debug output?"),
            (r#"["act","g""#, NotJson, "standard error"),
            (r#"{"#, NotJson, "EOF while parsing an object at byte 1; a message is one line:"),
            (r#"{"type":"act""#, NotJson, "EOF"),
            (r#"{'type': 'act'}"#, NotJson, "key must be a string at byte 2"),
            (r#"{"type":"act","game":"g"}{"#, NotJson, "trailing characters"),
            (r#"{"type":"act","game":7,"id""#, NotJson, "EOF"),
            (r#"{"do":"dance","type":"act","game":"g","id":"00000000000000ff","card":5}"#, NotAMessage, "/card:"),
            (r#"{"do":"dance","type":"act","game":"g"}"#, NotAMessage, "/id: missing"),
            (r#"["act","g"]"#, NotAMessage, "a message as a JSON object"),
            (r#"7"#, NotAMessage, "a message as a JSON object"),
            (r#"{}"#, NotAMessage, "/type: missing"),
            (r#"{"type":"dance"}"#, NotAMessage, "/type: unknown type \"dance\""),
            (r#"{"type":"act","game":"g","id":"00000000000000ff"}"#, NotAMessage, "/do: missing"),
            (r#"{"type":"act","game":"g","id":"ff","do":"draw"}"#, NotAMessage, "/id:"),
            (r#"{"type":"act","game":"g","id":7,"do":"draw"}"#, NotAMessage, "/id:"),
            (
                r#"{"type":"act","game":"g","id":"00000000000000ff","do":"dance"}"#,
                UnknownVerb,
                "unknown verb \"dance\"",
            ),
            (r#"{"type":"act","game":"g","id":"00000000000000ff","do":"play"}"#, NotAMessage, "/card: missing"),
            (r#"{"type":"act","game":"g","id":"00000000000000ff","do":"play","card":"1H"}"#, NotAMessage, "/card:"),
            (
                r#"{"type":"act","game":"g","id":"00000000000000ff","do":"play","card":"7H","choose":{"suit":"X"}}"#,
                NotAMessage,
                "/choose:",
            ),
            (r#"{"type":"act","game":"g","game":"g"}"#, NotAMessage, "/game: the member stands twice"),
            (r#"{"type":"ready","protocol":"maumau/1","games":0}"#, NotAMessage, "/games: at least 1"),
            (r#"{"type":"ready","protocol":"maumau/1","games":-1}"#, NotAMessage, "/games:"),
            (r#"{"type":"ready"}"#, NotAMessage, "/protocol: missing"),
        ] {
            let (found, message) = problem_of(line);
            assert_eq!(found, problem, "{line}: {message}");
            assert!(message.contains(words), "{line}: {message}");
        }
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_noticed_in_members_that_are_passed_over_too() {
        let line = b"{\"type\":\"note\",\"game\":\"g\",\"note\":1,\"x\":\"\xff\"}";
        let error = read_agent_line(line).expect("not blank").expect_err("not UTF-8");
        assert_eq!(error.problem, LineProblem::NotUtf8);
        assert!(error.message.contains("UTF-8 at byte 41"), "{}", error.message);
    }

    #[test]
    fn utf_16_is_named_and_other_bytes_that_are_no_utf_8_are_not() {
        let wide = |line: &str| line.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        for (line, is_named) in [
            (wide("\u{feff}{\"type\":\"ready\"}"), true),
            (wide("{\"type\":\"note\",\"x\":\"\u{e9}\"}"), true),
            (wide("{\"type\":\"ready\"}"), true),
            (b"{\"type\":\"note\",\"x\":\"\xe9\"}".to_vec(), false),
            (b"\xff".to_vec(), false),
        ] {
            let error = read_agent_line(&line).expect("not blank").expect_err("not UTF-8");
            assert_eq!(error.message.contains("UTF-16"), is_named, "{}", error.message);
        }
    }

    #[test]
    fn a_message_with_a_path_needs_no_byte() {
        let message = |line: &str| read_agent_line(line.as_bytes()).expect("not blank").expect_err(line).message;
        assert_eq!(message(r#"{"type":"ready"}"#), "/protocol: missing");
        assert_eq!(message(r#"{"type":"ready","games":"1"}"#), "/games: invalid type: string \"1\", expected u32");
        assert_eq!(message(r#"{"type":}"#), "expected value at byte 9");
    }

    #[test]
    fn a_note_is_nested_127_levels_deep_at_most() {
        let note = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let line = |note: &str| format!(r#"{{"type":"note","game":"g","note":{note}}}"#);
        assert!(read_agent_line(line(&note(126)).as_bytes()).expect("not blank").is_ok());
        let (problem, message) = problem_of(&line(&note(127)));
        assert_eq!((problem, message.as_str()), (LineProblem::TooDeep, "/note: nested deeper than 127 levels"));
        let text = format!(r#"["\"{}\\", {{"[[": 1}}]"#, note(200));
        assert!(read_agent_line(line(&text).as_bytes()).expect("not blank").is_ok(), "brackets in a text");
    }

    #[test]
    fn the_order_of_members_does_not_decide_which_problem_a_line_has() {
        let note = format!(r#""note":{}{}"#, "[".repeat(127), "]".repeat(127));
        for other in [r#""game":7"#, r#""type":"dance""#, r#""do":"dance""#] {
            for line in [format!("{{{note},{other}}}"), format!("{{{other},{note}}}")] {
                assert_eq!(problem_of(&line).0, LineProblem::TooDeep, "{other}");
            }
        }
    }

    #[test]
    fn only_an_object_names_a_game() {
        let error = read_agent_line(br#"["g7"]"#).expect("not blank").expect_err("no object");
        assert_eq!(error.game, None);
    }

    #[test]
    fn a_faulty_line_still_names_its_game() {
        let error = read_agent_line(br#"{"type":"act","game":"g7","id":"x"}"#).expect("not blank").expect_err("bad id");
        assert_eq!(error.game, Some(GameId("g7".into())));
    }
}
