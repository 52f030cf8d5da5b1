//! The receiver of events. The game does not know what becomes of them. It says who is told, and changes nothing.

use maumau_protocol::Event;

/// A receiver of every event as it happens.
pub trait Witness {
    /// Told once per event, in order.
    fn see(&mut self, event: Event);

    /// Whether it looks at what it is told; if not, it may be told nothing, or events without the cards that would have to
    /// be listed for them.
    fn looks(&self) -> bool {
        true
    }
}

impl Witness for Vec<Event> {
    fn see(&mut self, event: Event) {
        self.push(event);
    }
}

/// Receives nothing: for searches and playouts, where events would only be thrown away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unseen;

impl Witness for Unseen {
    #[inline(always)]
    fn see(&mut self, _: Event) {}

    #[inline(always)]
    fn looks(&self) -> bool {
        false
    }
}
