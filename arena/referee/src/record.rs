//! Records: what is written of a game so that it can be replayed, checked and watched (SPEC §9).
//!
//! A record is JSON lines. Each line is an [`Entry`]; then `meta`, if there is something to say that may differ between two
//! runs of the same game; then `check`, a CRC-32. The digest of the game covers the entries only, so the same seed and the same
//! answers give the same digest on every machine, while no byte of a line can change unnoticed. Knows neither files nor what
//! the game makes of an entry; [`verify`](crate::verify()) replays a record.

mod chain;
mod damage;
mod digest;
mod format;
mod header;
mod read;
mod write;

use std::fmt;

use maumau_protocol::fault::ConductFault;

use crate::faults::{FoundAt, sentence};

pub use chain::{Chain, read_line};
pub use damage::LineDamage;
pub use digest::Digest;
pub use format::{
    ActEntry, AgentStderr, Crash, DismissedEntry, ElapseEntry, EndEntry, Entry, EventEntry, FaultEntry, Frozen, Meta,
    Missed, NoteEntry, Silence, StandEntry,
};
pub use header::{Header, HeaderError, RECORD_FORMAT};
pub(crate) use header::{OwnMembers, numbered};
pub(crate) use read::{BEFORE_META, end_of_entry, read_act, read_body, read_meta};
pub(crate) use write::{expect_json, shown, shown_json};
pub use write::{write_entry, write_event};

/// The number of a move, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveNumber(pub u32);

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Counts the moves of a record as its entries pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveCount {
    moves: u32,
    /// The move of the last fault.
    of_fault: u32,
}

impl MoveCount {
    /// The number of the move that comes next.
    pub fn next(self) -> MoveNumber {
        MoveNumber(self.moves + 1)
    }

    /// The number of the move that came last; 0 before the first.
    pub fn last(self) -> MoveNumber {
        MoveNumber(self.moves)
    }

    /// The move that `entry`, the next one, belongs to: its own, the previous one or the next one; 0 for what belongs to the
    /// deal.
    pub fn of(&mut self, entry: &Entry) -> MoveNumber {
        let next = self.moves + 1;
        MoveNumber(match entry {
            Entry::Act(_) | Entry::Stand(_) => {
                self.moves = next;
                next
            }
            Entry::Fault(fault) => {
                self.of_fault = if follows_its_move(fault.fault) { self.moves } else { next };
                self.of_fault
            }
            Entry::Dismissed(_) => self.of_fault,
            Entry::Note(_) => next,
            Entry::Header(_) | Entry::Elapse(_) | Entry::Event(_) | Entry::Result(_) | Entry::End(_) => self.moves,
        })
    }
}

/// True if the fault is one of an action that was taken up and refused, or of a time that has passed; other faults are lines
/// that come before the action or instead of it.
fn follows_its_move(fault: ConductFault) -> bool {
    match sentence(fault).found {
        FoundAt::WhenTakenUp | FoundAt::AtDeadline => true,
        FoundAt::OnArrival | FoundAt::AtLoss | FoundAt::AtStart => false,
    }
}

impl Entry {
    /// True if it is a move: a seat acted, or the referee acted in its place.
    pub fn is_move(&self) -> bool {
        match self {
            Entry::Act(_) | Entry::Stand(_) => true,
            Entry::Header(_)
            | Entry::Elapse(_)
            | Entry::Event(_)
            | Entry::Fault(_)
            | Entry::Dismissed(_)
            | Entry::Note(_)
            | Entry::Result(_)
            | Entry::End(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{DismissedEntry, FaultEntry, NoteEntry, StandEntry};
    use maumau_protocol::Seat;
    use maumau_protocol::Stand;

    #[test]
    fn faults_of_actions_belong_to_them_and_others_and_notes_to_the_next_move() {
        let seat = Seat::FIRST;
        let stand = Entry::Stand(StandEntry { seat, why: Stand::Slow });
        let fault = |fault| Entry::Fault(FaultEntry { seat, fault, message: String::new(), strikes: 1 });
        let dismissed = |fault| Entry::Dismissed(DismissedEntry { seat, fault, message: String::new() });
        let note = Entry::Note(NoteEntry { seat, note: 1.into() });
        let mut moves = MoveCount::default();
        for (entry, number) in [
            (fault(ConductFault::NotStarted), 1),
            (dismissed(ConductFault::NotStarted), 1),
            (stand.clone(), 1),
            (note, 2),
            (fault(ConductFault::NotJson), 2),
            (stand.clone(), 2),
            (fault(ConductFault::NotInHand), 2),
            (dismissed(ConductFault::NotInHand), 2),
            (stand, 3),
            (fault(ConductFault::Gone), 4),
        ] {
            assert_eq!(moves.of(&entry), MoveNumber(number), "{entry:?}");
        }
    }
}
