//! Interjections: the twin of the top card, played at any time (P-40 to P-55). It only reads the position: it names the
//! way in which a card is played, and `turn` plays it.

use maumau_protocol::ruleset::InDebt;
use maumau_protocol::{Card, Say, Seat};

use crate::game::way::PlayWay;
use crate::game::{Facing, Game};
use crate::speech;

impl Game {
    /// In which way `seat` plays `card` now, legally or not (P-41, P-53, P-55).
    #[inline]
    pub(in crate::game) fn way(&self, seat: Seat, card: Card, say: &Say) -> PlayWay {
        let racing = self.is_racing(seat);
        let may_move = seat == self.table.seating.turn() || racing;
        if self.is_twin(card) && (!may_move || self.says_interjection(say)) {
            // P-41, P-54: only another top card comes before it, also one of its own kind.
            return if self.table.changes.has_new_top() { PlayWay::Overtaken } else { PlayWay::Interjection };
        }
        if racing { PlayWay::Race } else { PlayWay::Turn }
    }

    /// Whether `say` makes an interjection of a twin that the seat to move plays (P-55).
    pub(in crate::game) fn says_interjection(&self, say: &Say) -> bool {
        let Some(interject) = &self.rules.set.interject else { return false };
        say.texts().iter().any(|text| interject.say.iter().any(|phrase| speech::contains(text.as_str(), phrase)))
    }

    /// Whether `card` is the twin of the top card, which a seat may play although it is not on turn.
    #[inline]
    pub(in crate::game) fn is_twin(&self, card: Card) -> bool {
        self.top() == Some(card) && self.rules.interject.contains(card) && self.suits_debt(card)
    }

    /// Whether the twin `card` may be played as far as owed cards are concerned (G-65).
    #[inline]
    fn suits_debt(&self, card: Card) -> bool {
        match self.table.facing {
            Facing::Owed(owed) if self.twins_answer_debts() => self.answers_to(owed).contains(card),
            _ => true,
        }
    }

    #[cold]
    fn twins_answer_debts(&self) -> bool {
        self.rules.set.interject.as_ref().is_some_and(|twins| twins.in_debt == InDebt::Answers)
    }

    /// Whether there are words that make an interjection of a twin that the seat to move plays (G-65).
    #[inline]
    pub(in crate::game) fn interjects_with_words(&self) -> bool {
        self.rules.set.interject.as_ref().is_some_and(|twins| !twins.say.is_empty())
    }

    /// The cards that lie in a row as interjections, the first one included, if together they make turns to miss (P-49, G-65).
    pub(in crate::game) fn twins_that_skip(&self) -> usize {
        if self.interjects_with_words() { usize::from(self.table.pile.twins()) } else { 1 }
    }
}
