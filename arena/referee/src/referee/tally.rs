//! What is counted of a seat.

use std::collections::BTreeMap;

use maumau_protocol::limits::{MAX_VOIDS_PER_ASK, MAX_VOIDS_PER_GAME};

/// What is counted of one seat in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Faults by name, conduct and rule faults alike, and failures of the author's code, which cost nothing, as `crash`.
    pub faults: BTreeMap<&'static str, u32>,
    /// Asks answered in time.
    pub answers: u64,
    /// Answers that came after their deadline and were dropped.
    pub late: u64,
    /// Deadlines that did not count, because the host was to blame.
    pub void: u64,
    /// Notes dropped because there were too many.
    pub notes_dropped: u32,
    /// Microseconds from asks to answers or deadlines, all together.
    pub took_us: u64,
}

impl Tally {
    /// Whether one more deadline may be void, `in_a_row` of the same ask having been.
    pub(super) fn may_be_void(&self, in_a_row: usize) -> bool {
        in_a_row < MAX_VOIDS_PER_ASK as usize && self.void < u64::from(MAX_VOIDS_PER_GAME)
    }

    /// Counts one more `fault`; gives how many there are.
    pub(super) fn count(&mut self, fault: &'static str) -> u32 {
        let count = self.faults.entry(fault).or_default();
        *count += 1;
        *count
    }
}
