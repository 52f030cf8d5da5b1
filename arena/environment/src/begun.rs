//! A play that a learner puts together step by step, of several cards or of one that stands for another: it is one decision, and one
//! action at the table. What may come next is the engine's business.

use maumau_protocol::{Card, Verb};

/// The part of such a play that its seat has chosen; nothing of it is known to anybody else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BegunPlay {
    /// The cards so far, in order.
    pub cards: Vec<Card>,
    /// Whether the play is to leave a run open (G-73).
    pub open: bool,
    /// The card that is to stand for the next one (G-79); nothing else is then chosen.
    pub stand_in: Option<Card>,
}

/// What an action does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionStep {
    /// The answer of the seat.
    Answer(Verb),
    /// A further part of a play, which is then this one; the seat is still asked.
    Begin(BegunPlay),
}

impl BegunPlay {
    /// A play of which nothing was chosen.
    pub const NOTHING: BegunPlay = BegunPlay { cards: Vec::new(), open: false, stand_in: None };

    /// Whether nothing was chosen.
    #[inline]
    pub fn is_nothing(&self) -> bool {
        self.cards.is_empty() && !self.open && self.stand_in.is_none()
    }

    /// The play of a card that is to stand for the next one.
    pub(crate) fn standing(card: Card) -> BegunPlay {
        BegunPlay { stand_in: Some(card), ..BegunPlay::NOTHING }
    }

    /// It with `card` as its next one.
    pub(crate) fn with(&self, card: Card) -> BegunPlay {
        BegunPlay { cards: self.cards.iter().copied().chain([card]).collect(), ..*self }
    }

    /// The whole play, if `verb` plays its last card, or the one that is named, by itself; any other action as it is.
    pub(crate) fn ended_by(&self, verb: Verb) -> Verb {
        match (verb, self.stand_in) {
            (Verb::Play { card: stands_for, choose }, Some(card)) => Verb::PlayAs { card, stands_for, choose },
            (Verb::Play { card, choose }, None) if !self.is_nothing() => {
                Verb::PlayTogether { cards: self.with(card).cards, choose, close: !self.open }
            }
            (verb, _) => verb,
        }
    }

    /// It as a play that is over, if it has cards.
    pub(crate) fn as_it_is(&self) -> Option<Verb> {
        let (cards, close) = (self.cards.clone(), !self.open);
        (!cards.is_empty()).then_some(Verb::PlayTogether { cards, choose: None, close })
    }
}
