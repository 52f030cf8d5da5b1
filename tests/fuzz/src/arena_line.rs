//! One line of the arena, as an agent reads it: read, written, and compared with what serde alone reads and writes. No
//! agent is started.

use maumau_protocol::EventNumber;
use maumau_protocol::message::{ArenaMessage, Ask, AskId, GameId, What};
use maumau_protocol::wire::{QuickAsk, read_arena_line};

use super::written::check_written;

/// An ask is the one that serde reads, also where it is read over another one. What is read of any message is written as serde
/// writes it, and reads back as the same message.
pub fn arena_line(data: &[u8]) {
    let Ok(line) = std::str::from_utf8(data) else { return };
    if let Some(quick) = QuickAsk::of(data) {
        let mut ask = Ask { what: What::Deal, time_ms: 7, as_of: EventNumber(7), ..Ask::of(GameId(quick.game.into())) };
        ask.id = AskId(7);
        if quick.read_into(&mut ask) {
            let by_serde: Ask = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(ask, by_serde, "serde reads another ask: {line}");
        }
    }
    let Ok(Some(message)) = read_arena_line(line) else { return };
    if let ArenaMessage::Ask(ask) = &message {
        assert_eq!(serde_json::from_str::<Ask>(line).ok().as_ref(), Some(&**ask), "serde reads another ask: {line}");
    }
    let written = String::from_utf8(check_written(&message)).expect("JSON is UTF-8");
    let again = read_arena_line(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(again, Some(message), "{written}");
}
