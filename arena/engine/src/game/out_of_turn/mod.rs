//! Everything between turns: cards and takes that use up no turn, the closing time, points of order, and time that
//! passes. Shares the table with `turn`, which judges a seat's own move.

mod closing;
mod free;
mod interject;
mod overdue;
mod point_of_order;
mod race;
mod takes;
mod threat;

pub(in crate::game) use free::OwedTurn;
pub(in crate::game) use point_of_order::Pauses;
pub(in crate::game) use takes::Takes;
pub(in crate::game) use threat::Threat;
