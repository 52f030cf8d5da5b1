//! What has changed, and how much of it a seat had seen: whether an action was overtaken (G-03), whether a seat moves the
//! game on, and whether others may answer before the seat to move is asked (G-13, N-44, N-106).
//!
//! The numbers are kept only here; the rules and the referee decide what follows from them.

use maumau_protocol::{EventNumber, Seat};

use super::Game;
use super::speech::Lateness;

/// The changes of a match so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Changes {
    /// The last event that changed the top card or whose turn it is.
    last: EventNumber,
    /// The last event that the acting seat had seen.
    seen: EventNumber,
    /// Counts moves of cards and passes of the turn.
    progress: u64,
    /// Counts things that others may answer before the seat to move is asked.
    reactions: u32,
}

impl Changes {
    /// A seat acts, having seen events up to `as_of`.
    #[inline(always)]
    pub(super) fn act_as_of(&mut self, as_of: EventNumber) {
        self.seen = as_of;
    }

    /// The last event that the acting seat had seen.
    pub(super) fn seen(&self) -> EventNumber {
        self.seen
    }

    /// Whether the top card or the turn has changed since `as_of`.
    #[inline]
    pub(super) fn overtake(&self, as_of: EventNumber) -> bool {
        as_of < self.last
    }

    /// Whether the acting seat had not seen the last change.
    pub(super) fn overtake_action(&self) -> bool {
        self.overtake(self.seen)
    }

    /// A card has moved, or a turn has passed.
    #[inline(always)]
    pub(super) fn progress(&mut self) {
        self.progress += 1;
    }

    /// Something has happened that others may answer first.
    pub(super) fn open_reaction(&mut self) {
        self.reactions += 1;
    }

    /// Clears what is no part of the position: what the acting seat had seen.
    pub(super) fn forget_seen(&mut self) {
        self.seen = EventNumber::default();
    }
}

impl Game {
    /// The top card or the turn has changed with the last event.
    #[inline(always)]
    pub(in crate::game) fn note_change(&mut self) {
        self.table.changes.last = self.events;
    }

    /// Changes with everything that other seats may answer before the seat to move is asked.
    pub fn reaction(&self) -> u32 {
        self.table.changes.reactions
    }

    /// Changes whenever a card moves or a turn passes: a seat whose answers do not change it holds up the game.
    pub fn progress(&self) -> u64 {
        self.table.changes.progress
    }

    /// The event since which words are due that the end of the grace time would make late; `None` if it would change
    /// nothing.
    pub fn words_waited_for(&self) -> Option<EventNumber> {
        let owes = |seat| self.owes_mau_mau(seat, Lateness::NotQuick);
        let waits = self.is_closing() && Seat::all(self.seats()).any(owes);
        self.ledger.words_waited_for().into_iter().chain(waits.then_some(self.table.changes.last)).min()
    }
}
