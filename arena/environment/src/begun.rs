//! A play of several cards that a learner puts together step by step: it is one decision, and one action at the table. What may come
//! next is the engine's business.

use maumau_protocol::{Card, Verb};

/// The part of a play of several cards that its seat has chosen; nothing of it is known to anybody else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BegunPlay {
    /// The cards so far, in order.
    pub cards: Vec<Card>,
    /// Whether the play is to leave a run open (G-73).
    pub open: bool,
}

/// What an action does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The answer of the seat.
    Answer(Verb),
    /// A further part of a play of several cards, which is then this one; the seat is still asked.
    Begin(BegunPlay),
}

impl BegunPlay {
    /// A play of which nothing was chosen.
    pub const NOTHING: BegunPlay = BegunPlay { cards: Vec::new(), open: false };

    /// Whether nothing was chosen.
    #[inline]
    pub fn is_nothing(&self) -> bool {
        self.cards.is_empty() && !self.open
    }

    /// It with `card` as its next one.
    pub(crate) fn with(&self, card: Card) -> BegunPlay {
        BegunPlay { cards: self.cards.iter().copied().chain([card]).collect(), open: self.open }
    }

    /// The whole play, if `verb` plays its last card by itself; any other action as it is.
    pub(crate) fn ended_by(&self, verb: Verb) -> Verb {
        match verb {
            Verb::Play { card, choose } if !self.is_nothing() => {
                Verb::PlayTogether { cards: self.with(card).cards, choose, close: !self.open }
            }
            verb => verb,
        }
    }

    /// It as a play that is over, if it has cards.
    pub(crate) fn as_it_is(&self) -> Option<Verb> {
        let (cards, close) = (self.cards.clone(), !self.open);
        (!cards.is_empty()).then_some(Verb::PlayTogether { cards, choose: None, close })
    }
}
