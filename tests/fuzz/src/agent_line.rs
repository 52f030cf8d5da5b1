//! One line of an agent.

use maumau_protocol::wire::read_agent_line;

/// A line is a message, a fault with its reason, or blank. A message that is written reads back as the same message.
pub fn agent_line(data: &[u8]) {
    match read_agent_line(data) {
        None => assert!(data.trim_ascii().is_empty(), "only a blank line means nothing"),
        Some(Err(error)) => {
            assert!(!error.message.is_empty(), "a fault has a reason");
            assert!(!error.message.contains(|c: char| c.is_control()), "a reason can be shown: {:?}", error.message);
        }
        Some(Ok(message)) => {
            let written = serde_json::to_vec(&message).expect("a message has a JSON form");
            let again = read_agent_line(&written).expect("a message is no blank line");
            assert_eq!(again.as_ref(), Ok(&message), "{}", String::from_utf8_lossy(&written));
        }
    }
}
