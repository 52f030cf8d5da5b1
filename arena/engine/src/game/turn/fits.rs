//! Which cards fit on the pile.

use maumau_protocol::CardSet;

use crate::game::{Facing, Game};

impl Game {
    /// Whether function cards may come in between: no seat owes, answers or is in the middle of a turn (B-33, B-18).
    pub(in crate::game) fn open_between_turns(&self) -> bool {
        matches!(self.table.facing, Facing::Ordinary { drawn: 0, .. })
    }

    /// The cards that the seat to move may lay, whatever it holds: by suit or value, a wished suit, at any time, or as an
    /// answer (B-05, B-17, B-18, B-23, K-13, K-18, K-28, K-32, K-60).
    #[inline(always)]
    pub(in crate::game) fn layable(&self) -> CardSet {
        // Most turns; and what is asked most often is asked first.
        match self.table.facing {
            Facing::Ordinary { drawn, .. } if drawn == 0 || !self.rules.lays_drawn_only => self.matching(),
            _ => self.answering(),
        }
    }

    /// As [`Game::layable`], where a card is to be answered, or only the one just drawn may be laid.
    fn answering(&self) -> CardSet {
        match self.table.facing {
            Facing::Owed(owed) => owed.answers(&self.rules),
            Facing::Skipped { skip, .. } => self.rules.skips[skip as usize].answers,
            Facing::Naming => CardSet::EMPTY,
            Facing::Race { .. } => CardSet::ALL,
            Facing::Ordinary { last, .. } => last.map_or(CardSet::EMPTY, CardSet::of).intersect(self.matching()),
            Facing::Again { .. } => self.matching(),
        }
    }

    #[inline(always)]
    pub(in crate::game) fn matching(&self) -> CardSet {
        debug_assert_eq!(self.table.fits, self.fits_on_top(), "what fits was not kept up to date");
        match &self.table.request.standing {
            None => self.table.fits,
            Some(_) if self.table.anything || self.visible_top().is_none() => CardSet::ALL,
            Some(standing) => self.layable_under(standing, self.table.turn),
        }
    }

    /// Brings the cards that fit up to date, after a change of the pile, the suit to be served or whether
    /// anything may be laid.
    pub(in crate::game) fn refit(&mut self) {
        self.table.fits = self.fits_on_top();
    }

    /// The cards that fit on the pile, requests aside.
    fn fits_on_top(&self) -> CardSet {
        let Some(top) = self.visible_top().filter(|_| !self.table.anything) else { return CardSet::ALL };
        match self.table.suit {
            Some(suit) => CardSet::suit(suit).union(self.rules.any_time),
            // P-30: until a suit is stated nothing fits.
            None if self.table.suit_open => self.rules.any_time,
            None => self.rules.fits[top.index()],
        }
    }
}
