//! The ways to play a card, and how many twins lie in a row.

/// In which way a card is laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// In turn, or between turns where an effect allows it.
    Turn,
    /// By a neighbour, as the answer to a card that opened a race.
    Race,
    /// As the twin of the top card.
    Interjection,
    /// As the twin of a card that has been laid meanwhile: no fault, but no interjection (P-43, P-54).
    Overtaken,
}

/// Cards of one kind laid one after another as interjections, the first one included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) cards: u8,
    pub(crate) interjections: u8,
}

impl Run {
    pub(crate) fn extend(&mut self, way: Way) {
        *self = match way {
            Way::Interjection => {
                Run { cards: self.cards.saturating_add(1), interjections: self.interjections.saturating_add(1) }
            }
            _ => Run { cards: 1, interjections: 0 },
        };
    }
}
