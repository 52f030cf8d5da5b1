//! How a round begins and ends: deals, the first card, hands that are covered or sealed, and the score.

mod by_dealer;
mod looking;
mod round;
mod sealed;

pub(in crate::game) use by_dealer::Dealing;
