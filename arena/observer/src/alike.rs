//! Whether an event of the game that an observer keeps can be the one that its seat has seen: everything public in it is
//! equal. Cards are compared only where they are public before the event; it changes nothing.

use maumau_protocol::{Event, Seat, SeenEvent};

/// Whether `made` looks to `viewer` like `seen`, hidden cards and the count of a round's points aside.
pub(super) fn are_alike(made: &Event, seen: &SeenEvent, viewer: Seat) -> bool {
    match (made, seen) {
        (
            Event::Dealt { seat, count, sealed, .. },
            Event::Dealt { seat: other_seat, count: other_count, sealed: other_sealed, .. },
        ) => (seat, count, sealed) == (other_seat, other_count, other_sealed),
        (
            Event::Drew { seat, why, sealed, .. },
            Event::Drew { seat: other_seat, why: other_why, sealed: other_sealed, .. },
        ) => (seat, why, sealed) == (other_seat, other_why, other_sealed),
        (
            Event::Penalty { seat, fault, sealed, .. },
            Event::Penalty { seat: other_seat, fault: other_fault, sealed: other_sealed, .. },
        ) => (seat, fault, sealed) == (other_seat, other_fault, other_sealed),
        (
            Event::Refused { seat, reason, shown, .. },
            Event::Refused { seat: other_seat, reason: other_reason, shown: other_shown, .. },
        ) => (seat, reason, shown) == (other_seat, other_reason, other_shown),
        (
            Event::Taken { by, from, sealed, overdue, .. },
            Event::Taken { by: other_by, from: other_from, sealed: other_sealed, overdue: other_overdue, .. },
        ) => (by, from, sealed, overdue) == (other_by, other_from, other_sealed, other_overdue),
        (Event::Unsealed { seat, count, .. }, Event::Unsealed { seat: other_seat, count: other_count, .. }) => {
            (seat, count) == (other_seat, other_count)
        }
        (Event::Returned { seat, sealed, .. }, Event::Returned { seat: other_seat, sealed: other_sealed, .. }) => {
            (seat, sealed) == (other_seat, other_sealed)
        }
        (Event::Shown { seat, to, .. }, Event::Shown { seat: other, to: others, .. }) => (seat, to) == (other, others),
        (Event::HandShown { seat, .. }, Event::HandShown { seat: other, .. })
        | (Event::Scored { seat, .. }, Event::Scored { seat: other, .. }) => seat == other,
        (Event::MatchOver { .. }, Event::MatchOver { .. }) => true,
        _ => made.seen_by(viewer) == *seen,
    }
}
