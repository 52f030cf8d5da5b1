//! What is counted of a seat.

use std::collections::BTreeMap;

use maumau_protocol::limits::{MAX_VOIDS_PER_ASK, MAX_VOIDS_PER_GAME};
use maumau_protocol::{Event, Reason, RuleFault, Seat};

/// The name under which failures of the author's code are counted beside the faults (SPEC 6.16).
pub const CRASH: &str = "crash";

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

/// The rule faults among the `events` of one input, by what the engine charged or refused, each with the seat whose it is.
pub(crate) fn rule_faults(events: &[Event]) -> impl Iterator<Item = (Seat, &'static str)> + '_ {
    let missing_mau = |event: &Event| match event {
        Event::Penalty { seat, fault: RuleFault::NoMau, .. } => Some(*seat),
        _ => None,
    };
    events.iter().enumerate().filter_map(move |(index, event)| match event {
        Event::Refused { seat, reason, card, .. } => match reason {
            Reason::DoesNotFit | Reason::MayNotBeLast => Some((*seat, RuleFault::WrongCard.name())),
            Reason::NotYourTurn if card.is_some() => Some((*seat, RuleFault::OutOfTurn.name())),
            Reason::NotNow | Reason::NotYourTurn => Some((*seat, "not_now")),
            _ => None,
        },
        event => {
            // Each card of the penalty is an event.
            let seat = missing_mau(event)?;
            let is_first = index == 0 || missing_mau(&events[index - 1]) != Some(seat);
            is_first.then_some((seat, RuleFault::NoMau.name()))
        }
    })
}
