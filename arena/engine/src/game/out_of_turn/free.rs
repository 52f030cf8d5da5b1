//! Free cards, which take no turn, and cards that may not lie on every card (N-51, N-52, N-58 to N-65, N-96). Says
//! which cards these are and places them; the ordinary play of a card is in `turn`.

use maumau_protocol::{Card, Event, Say, Seat};

use crate::game::{Facing, Game, Witness};

/// Whether the seat to move has played a free card in this turn, so that it still owes the turn (N-96).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct OwedTurn(bool);

impl OwedTurn {
    /// For positions that are set up.
    pub(in crate::game) fn set_up(owed: bool) -> OwedTurn {
        OwedTurn(owed)
    }

    #[inline]
    pub(in crate::game) fn is_owed(self) -> bool {
        self.0
    }
}

impl Game {
    /// Whether any seat may play `card` now without using up a turn (N-58, N-59, N-63, N-65).
    #[inline]
    pub(in crate::game) fn is_free(&self, card: Card) -> bool {
        self.rules.free.contains(card)
            && self.visible_top().is_some_and(|top| self.rules.faces[card.index()].free_on.contains(top))
    }

    /// Whether the seat to move may not play `card` on the present top card (N-51, N-52), or beside what it holds (G-67).
    #[inline]
    pub(in crate::game) fn is_barred_here(&self, card: Card) -> bool {
        self.rules.choosy.contains(card) && (self.is_barred_on_top(card) || self.is_barred_by_hand(card))
    }

    /// Whether `card` may not lie on the present top card (N-51, N-52).
    #[inline]
    pub(in crate::game) fn is_barred_on_top(&self, card: Card) -> bool {
        self.visible_top().is_some_and(|top| self.rules.faces[card.index()].not_on.contains(top))
    }

    /// Whether `seat` is answering a threat or a debt, which the closing time allows (N-90, N-91, N-97).
    pub(in crate::game) fn is_answer(&self, seat: Seat) -> bool {
        let owed = seat == self.table.seating.turn() && matches!(self.table.facing, Facing::Owed(_));
        owed || self.table.threat.victim() == Some(seat)
    }

    /// A free card is played: it has no effect, and the turn stays where it is (N-60, N-61, N-64).
    pub(in crate::game) fn place_free_card<W: Witness>(&mut self, witness: &mut W, seat: Seat, card: Card, say: &Say) {
        let under = self.visible_top();
        self.table.hands[seat.index()].remove(card);
        self.note_departure(seat, card);
        self.table.pile.play_free(card, &self.rules);
        self.table.changes.progress();
        self.count_played();
        self.note_identical(card, under);
        self.announce(seat, say);
        self.emit(witness, Event::Free { seat });
        self.refill(witness);
        self.table.owed_turn.0 |= seat == self.table.seating.turn();
        self.note_top();
    }

    pub(in crate::game) fn says_mau_mau(&self, say: &Say) -> bool {
        let duty = self.rules.set.duties.mau_mau.is_some();
        duty && say.texts().iter().any(|text| self.warnings_in(text.as_str()).mau_mau)
    }
}
