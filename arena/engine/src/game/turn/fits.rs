//! Which cards the seat to move may play, whatever its hand: cards that fit on the pile, answer, or serve a request. It
//! only reads the position; whether a seat holds such a card and may act is decided in `play` and `legal`.

use maumau_protocol::ruleset::AgainFits;
use maumau_protocol::{Card, CardSet, Suit};

use crate::game::{Facing, Game};

impl Game {
    /// Whether function cards may come in between: no seat owes cards, has to answer or is in the middle of a turn (B-33,
    /// B-18).
    pub(in crate::game) fn open_between_turns(&self) -> bool {
        matches!(self.table.facing, Facing::Ordinary { drawn: 0, .. })
    }

    /// The cards that the seat to move may play, whatever its hand: by suit or value, by a wished suit, at any time, or as
    /// an answer (B-05, B-17, B-18, B-23, K-13, K-18, K-28, K-32, K-60).
    #[inline(always)]
    pub(in crate::game) fn allowed_cards(&self) -> CardSet {
        // Most turns, and the most frequent question, first.
        match self.table.facing {
            Facing::Ordinary { drawn, .. } if drawn == 0 || !self.rules.plays_drawn_only => self.matching(),
            _ => self.answering(),
        }
    }

    /// As [`Game::allowed_cards`], when a card must be answered, or only the card just drawn may be played.
    fn answering(&self) -> CardSet {
        match self.table.facing {
            Facing::Owed(owed) => self.answers_to(owed),
            Facing::Skipped { skip, .. } => self.rules.skips[skip as usize].answers,
            Facing::Naming => CardSet::EMPTY,
            Facing::Race { .. } => CardSet::ALL,
            Facing::Ordinary { last, .. } => last.map_or(CardSet::EMPTY, CardSet::of).intersect(self.matching()),
            Facing::Again(again) => match again.fits {
                AgainFits::Card => self.matching(),
                AgainFits::Suit => self.of_suit_on_top(),
                AgainFits::Anything => CardSet::ALL,
            },
        }
    }

    /// The cards of the suit that lies on top, or was named for it; all if there is none.
    pub(super) fn of_suit_on_top(&self) -> CardSet {
        self.suit_on_top().map_or(CardSet::ALL, CardSet::suit)
    }

    /// The suit that lies on top, or was named for it.
    pub(super) fn suit_on_top(&self) -> Option<Suit> {
        self.table.pile.suit().or_else(|| self.visible_top().and_then(Card::suit))
    }

    /// The cards that fit on the pile or, under a request, the cards that serve or revoke it.
    #[inline(always)]
    pub(in crate::game) fn matching(&self) -> CardSet {
        let request = &self.table.request;
        if !request.stands() {
            self.table.pile.fits(&self.rules)
        } else if self.plays_anything() {
            CardSet::ALL
        } else {
            request.allowed_cards(self.table.seating.turn(), &self.rules)
        }
    }

    /// Whether anything may be played, whatever is requested (G-07).
    #[inline]
    pub(in crate::game) fn plays_anything(&self) -> bool {
        self.table.pile.takes_anything() || self.visible_top().is_none()
    }

    /// Whether the first of the owed cards has been drawn by itself, and only that card may answer now (G-34).
    pub fn is_rescue(&self) -> bool {
        matches!(self.table.facing, Facing::Owed(owed) if owed.is_rescue())
    }

    /// Whether there is a card that answers the debt or the lost turn that the seat to move faces, in any hand.
    pub fn can_be_answered(&self) -> bool {
        matches!(self.table.facing, Facing::Owed(_) | Facing::Skipped { .. }) && !self.answering().is_empty()
    }
}
