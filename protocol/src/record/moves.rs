//! The numbers of moves (SPEC 9.11): one numbering for whoever names a move of a game.

use std::fmt;

use super::Entry;

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
pub struct MoveCount(u32);

impl MoveCount {
    /// The number of `entry`, if it is a move.
    pub fn take(&mut self, entry: &Entry) -> Option<MoveNumber> {
        if !entry.is_move() {
            return None;
        }
        self.0 += 1;
        Some(MoveNumber(self.0))
    }

    /// The number of the move that comes next, with which everything is told that precedes it.
    pub fn next(self) -> MoveNumber {
        MoveNumber(self.0 + 1)
    }
}

impl Entry {
    /// Whether it is a move: a seat acted, or the referee in its place.
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
