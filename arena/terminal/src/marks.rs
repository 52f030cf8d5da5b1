//! What a spectator may jump to: frames with faults, interjections and ends of rounds. It reads frames and shows nothing.

use maumau_protocol::{Event, Knowledge};
use maumau_referee::story::{Frame, KnownEvent};

/// Something that a frame may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A mistake by the rules or a fault of conduct.
    Fault,
    /// A card played out of turn as the twin of the top card.
    Interjection,
    /// The end of a round or of the match.
    RoundEnd,
}

impl Mark {
    /// Whether `frame` holds it.
    pub(crate) fn is_in(self, frame: &Frame) -> bool {
        fn of<K: Knowledge>(event: &Event<K>) -> Option<Mark> {
            match event {
                Event::Interjected { .. } => Some(Mark::Interjection),
                Event::RoundOver { .. } | Event::MatchOver { .. } => Some(Mark::RoundEnd),
                _ => None,
            }
        }
        let known = |event: &KnownEvent| match event {
            KnownEvent::Everything(event) => of(event),
            KnownEvent::Seen(event) => of(event),
        };
        match self {
            Mark::Fault => frame.has_fault(),
            mark => frame.events.iter().any(|event| known(&event.event) == Some(mark)),
        }
    }

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mark::Fault => "fault",
            Mark::Interjection => "interjection",
            Mark::RoundEnd => "end of a round",
        }
    }
}
