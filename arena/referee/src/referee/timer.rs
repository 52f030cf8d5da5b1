//! The kinds of timers in a live game. Names only: [`super::times`] says which of them run, the caller measures them.

/// A time that runs in a live game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// The time of the seat to move.
    Turn,
    /// The time for words that are due.
    Grace,
    /// The time that others have before the seat to move may act.
    Reaction,
    /// The time after a last card.
    Closing,
    /// A count of ten.
    CountOfTen,
    /// The longest time of a point of order.
    PointOfOrder,
}

impl Timer {
    /// Every timer.
    pub const ALL: [Timer; 6] =
        [Timer::Turn, Timer::Grace, Timer::Reaction, Timer::Closing, Timer::CountOfTen, Timer::PointOfOrder];
}
