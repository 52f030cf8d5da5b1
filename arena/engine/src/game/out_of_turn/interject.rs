//! Interjections: the twin of the top card, laid at any time (P-40 to P-55).

use maumau_protocol::{Card, EventNumber, Say, Seat};

use crate::game::Game;
use crate::speech;

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

impl Game {
    /// In which way `seat` lays `card` now, rightly or wrongly (P-41, P-53, P-55).
    #[inline]
    pub(in crate::game) fn way(&self, seat: Seat, card: Card, say: &Say, as_of: EventNumber) -> Way {
        let racing = self.is_racing(seat);
        let may_move = seat == self.table.turn || racing;
        let twin = self.rules.interject.contains(card) && self.top() == Some(card);
        if twin && (!may_move || self.says_interjection(say)) {
            // P-54: of two at once the second one is overtaken.
            return if as_of < self.table.last_change { Way::Overtaken } else { Way::Interjection };
        }
        if racing { Way::Race } else { Way::Turn }
    }

    fn says_interjection(&self, say: &Say) -> bool {
        let Some(interject) = &self.rules.set.interject else { return false };
        say.texts().iter().any(|text| interject.say.iter().any(|phrase| speech::contains(text.as_str(), phrase)))
    }

    /// The twins that `seat` may lay without being on turn.
    #[inline]
    pub(in crate::game) fn twin(&self) -> Option<Card> {
        self.top().filter(|card| self.rules.interject.contains(*card))
    }
}
