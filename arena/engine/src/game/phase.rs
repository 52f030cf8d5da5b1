//! The stages of a match. Names only; `dealing` moves a match from one stage to the next.

/// The stage of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The next round has not been dealt.
    BetweenRounds,
    /// The dealer deals by its own actions.
    Deal,
    /// Hands are dealt; the dealer turns up the first card.
    TurnUp,
    /// Cards are played.
    Play,
    /// The last round is over.
    MatchOver,
}
