//! One line of an agent: read, written, and compared with what serde alone reads and writes. Which fault a bad line is,
//! is the referee's business.

use maumau_protocol::limits::MAX_LINE_BYTES;
use maumau_protocol::message::{Act, AgentMessage};
use maumau_protocol::wire::{read_agent_line, write_act};

use super::written::check_written;

/// A line is a message, a fault with its reason, or blank; serde, by which all forms can be read, reads the same message. A
/// message that is written reads back as the same message.
pub fn agent_line(data: &[u8]) {
    let read = read_agent_line(data);
    let by_serde = serde_json::from_slice::<AgentMessage>(data);
    match read {
        None => assert!(data.trim_ascii().is_empty(), "only a blank line means nothing"),
        Some(Err(error)) => {
            assert!(!error.message.is_empty(), "a fault has a reason");
            assert!(!error.message.contains(|c: char| c.is_control()), "a reason can be shown: {:?}", error.message);
            let is_refused_before = data.len() >= MAX_LINE_BYTES || std::str::from_utf8(data).is_err();
            assert!(by_serde.is_err() || is_refused_before, "serde reads a message, and it is {error:?}");
        }
        Some(Ok(message)) => {
            assert_eq!(by_serde.as_ref().ok(), Some(&message), "serde reads another message");
            let written = check_written(&message);
            let again = read_agent_line(&written).expect("a message is no blank line");
            assert_eq!(again.as_ref(), Ok(&message), "{}", String::from_utf8_lossy(&written));
            if let AgentMessage::Act(Act { game, id, crash: None, action }) = &message {
                let mut line = Vec::new();
                write_act(&mut line, game, *id, action).expect("an action has a JSON form");
                assert_eq!(line, [&*written, b"\n"].concat(), "the line of the act is its JSON");
            }
        }
    }
}
