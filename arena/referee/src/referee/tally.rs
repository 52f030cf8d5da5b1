//! The counts of a seat. It only counts; it decides nothing but whether a seat still has void deadlines left.

use maumau_protocol::fault::FaultCounts;
use maumau_protocol::limits::{MAX_VOIDS_PER_ASK, MAX_VOIDS_PER_GAME};

/// The counts of one seat in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatTally {
    /// Conduct and rule faults, and failures of the author's code, which cost nothing.
    pub faults: FaultCounts,
    /// Asks answered in time.
    pub answers: u64,
    /// Answers that came after their deadline and were dropped.
    pub late: u64,
    /// Deadlines that did not count because the host was to blame.
    pub void: u64,
    /// Notes dropped because there were too many.
    pub notes_dropped: u32,
    /// Microseconds from asks to answers or deadlines, all together.
    pub took_us: u64,
}

impl SeatTally {
    /// True if one more deadline may be void, after `in_a_row` void ones of the same ask.
    pub(super) fn may_be_void(&self, in_a_row: usize) -> bool {
        in_a_row < MAX_VOIDS_PER_ASK as usize && self.void < u64::from(MAX_VOIDS_PER_GAME)
    }
}
