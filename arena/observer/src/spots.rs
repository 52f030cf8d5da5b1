//! The places of hidden cards, as `places` lists them for `sampler`. Data only: neither cards nor how likely they are.

use maumau_protocol::Seat;

/// A place of a hidden card.
#[derive(Clone, Copy, Debug)]
pub(super) struct HiddenPlace {
    pub(super) home: Home,
    /// The number of its odds among those of the sampler, if some kinds are more likely there than others.
    pub(super) odds: Option<u16>,
}

/// Where a card is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// In the open hand of a seat.
    Open(Seat),
    /// Among the sealed cards of a seat.
    Sealed(Seat),
    /// In the draw pile.
    Pile,
}
