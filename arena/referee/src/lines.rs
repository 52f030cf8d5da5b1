//! The lines that the referee writes, straight into the outgoing buffer.

use maumau_engine::{Game, Legal};
use maumau_protocol::message::{ArenaMessage, AskId, GameId, What};
use maumau_protocol::{Action, Event, EventNumber, Seat, Verb, View, write_json};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// An `ask` whose parts are borrowed from the game; the same JSON as [`maumau_protocol::message::Ask`].
#[derive(Serialize)]
#[serde(tag = "type", rename = "ask")]
pub(crate) struct AskLine<'a> {
    pub(crate) game: &'a GameId,
    pub(crate) id: AskId,
    pub(crate) seat: Seat,
    pub(crate) what: What,
    pub(crate) time_ms: u64,
    pub(crate) as_of: EventNumber,
    #[serde(skip_serializing_if = "SeenBy::is_empty")]
    pub(crate) events: SeenBy<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) view: Option<&'a View>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) legal: Option<LegalList<'a>>,
}

/// Events as one seat may see them.
#[derive(Clone, Copy)]
pub(crate) struct SeenBy<'a> {
    pub(crate) seat: Seat,
    pub(crate) events: &'a [Event],
}

impl SeenBy<'_> {
    fn is_empty(&self) -> bool {
        self.events.is_empty()
    }
}

impl Serialize for SeenBy<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.events.iter().map(|event| event.seen_by(self.seat)))
    }
}

/// The legal actions as a list, each with the words that are due with it; `wait` comes first where nothing must be done.
pub(crate) struct LegalList<'a> {
    pub(crate) game: &'a Game,
    pub(crate) seat: Seat,
    pub(crate) legal: Legal,
    pub(crate) may_wait: bool,
}

impl Serialize for LegalList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut add = |verb: Verb| {
            let say = self.game.words_due(self.seat, &verb);
            list.serialize_element(&Action { verb, say })
        };
        // What must be done or said and what others can be called for come before doing nothing.
        let musts = self.legal.musts();
        if musts > 0 {
            self.legal.iter().take(musts).try_for_each(&mut add)?;
        }
        if self.may_wait
            && let Some(text) = self.game.word_owed(self.seat)
        {
            add(Verb::Say { text })?;
        }
        for (against, fault) in self.game.calls(self.seat) {
            if let Ok(fault) = fault.name().try_into() {
                add(Verb::Call { against, fault })?;
            }
        }
        if self.may_wait {
            add(Verb::Wait)?;
        }
        match musts {
            0 => self.legal.try_for_each(add)?,
            _ => self.legal.iter().skip(musts).try_for_each(add)?,
        }
        list.end()
    }
}

/// Adds a line to `out`.
pub(crate) fn write_line<T: Serialize>(out: &mut Vec<u8>, line: &T) {
    // Serialising these types into memory cannot fail: their maps have text keys and nothing is written elsewhere.
    #[allow(clippy::expect_used)]
    write_json(out, line).expect("messages have a JSON form");
    out.push(b'\n');
}

/// Adds the line of `message` to `out`.
pub fn write_message(out: &mut Vec<u8>, message: &ArenaMessage) {
    write_line(out, message);
}
