//! The ways to play a card. Names only: `out_of_turn` decides which one applies.

/// In which way a card is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlayWay {
    /// In turn, or between turns where an effect allows it.
    Turn,
    /// By a neighbour, as the answer to a card that opened a race.
    Race,
    /// As the twin of the top card.
    Interjection,
    /// As the twin of a card played meanwhile: no fault, but no interjection (P-43, P-54).
    Overtaken,
}
