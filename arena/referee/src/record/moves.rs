//! Numbers the moves of a game (SPEC 9.11): everything that names a move uses this numbering. It counts entries and
//! knows neither rules nor how lines are written.

use std::fmt;

use super::Entry;
use maumau_protocol::fault::ConductFault;

use crate::faults::{FoundAt, sentence};

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
