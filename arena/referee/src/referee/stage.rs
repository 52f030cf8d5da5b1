//! The stages of a game. Each holds only what exists in it, so that no count or flag of one can be read in another.
//! Data only; the inputs are handled by what it holds.

use maumau_protocol::message::GameResult;

use super::live::LiveClock;
use crate::lockstep::Offer;

/// The stage of a game.
#[derive(Clone)]
pub(super) enum Stage {
    /// No seat has been told anything.
    Starting,
    /// In lockstep: an offer is open, and the answers to it are waited for.
    Asking(Offer),
    /// On the live clock: actions are taken up as they arrive.
    Live(Box<LiveClock>),
    /// It is over, with this result.
    Over(GameResult),
}
