//! Free cards, cards that are particular about what they lie on, and suits that are named later (N-51 to N-65).

use maumau_protocol::ruleset::{Illegal, Notice};
use maumau_protocol::{Card, Choice, Event, Reason, RuleFault, Say, Seat, Suit};

use crate::game::calls::Until;
use crate::game::{Facing, Game, Verdict, Witness};

impl Game {
    /// Whether any seat may lay `card` now, without taking a turn by it (N-58, N-59, N-63, N-65).
    #[inline]
    pub(in crate::game) fn is_free(&self, card: Card) -> bool {
        self.rules.free.contains(card)
            && self.visible_top().is_some_and(|top| self.rules.faces[card.index()].free_on.contains(top))
    }

    /// Whether `card` may not lie on what lies there (N-51, N-52).
    #[inline]
    pub(in crate::game) fn is_barred_here(&self, card: Card) -> bool {
        self.rules.choosy.contains(card)
            && self.visible_top().is_some_and(|top| self.rules.faces[card.index()].not_on.contains(top))
    }

    /// Whether `seat` is answering a threat or a debt, which the closing time allows (N-90, N-91, N-97).
    pub(in crate::game) fn is_answer(&self, seat: Seat) -> bool {
        let owed = seat == self.table.turn && matches!(self.table.facing, Facing::Owed(_));
        owed || self.table.orders.threat.is_some_and(|threat| threat.victim == seat)
    }

    /// A free card is laid: it has no effect, and the turn stays where it is (N-60, N-61, N-64).
    pub(in crate::game) fn place_free_card<W: Witness>(&mut self, witness: &mut W, seat: Seat, card: Card, say: &Say) {
        let under = self.visible_top();
        self.table.hands[seat.index()].remove(card);
        self.table.pile.lay_free(card, &self.rules);
        self.table.progress += 1;
        self.count_laid();
        self.note_identical(card, under);
        let (mau, mau_mau) = (self.says_mau(say), self.says_mau_mau(say));
        self.announce_with_card(seat, mau, mau_mau);
        self.tell(witness, Event::Free { seat });
        self.refill(witness);
        self.table.owed_turn |= seat == self.table.turn;
        self.table.last_change = self.events;
    }

    pub(in crate::game) fn says_mau_mau(&self, say: &Say) -> bool {
        let duty = self.rules.set.duties.mau_mau.is_some();
        duty && say.texts().iter().any(|text| self.warnings_in(text.as_str()).mau_mau)
    }

    /// Looking at sealed cards is a mistake (N-103).
    pub(in crate::game) fn look_at_sealed<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        self.mistake(witness, seat, RuleFault::Sealed, 1);
        self.refuse(witness, seat, None, Reason::Sealed)
    }

    /// Before a turn action of `seat`: what is overdue is settled (B-14, N-42, N-106). A free card is no turn action.
    #[inline(always)]
    pub(in crate::game) fn settle_turn<const PLAIN: bool, W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        self.settle_mau(witness);
        self.settle_orders::<PLAIN, _>(witness, seat);
    }

    /// Takes of others that are overdue are carried out, and a threat that was not answered comes true.
    #[inline(always)]
    pub(in crate::game) fn settle_orders<const PLAIN: bool, W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        self.table.limits_passed = 0;
        if self.features::<PLAIN>().orders
            && (!self.table.orders.takes.is_empty() || self.table.orders.threat.is_some())
        {
            self.settle_overdue(witness, seat);
        }
    }

    #[cold]
    fn settle_overdue<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        self.settle_takes(witness, seat);
        self.settle_threat(witness, seat);
    }

    fn settle_threat<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let Some(threat) = self.table.orders.threat else { return };
        match threat.victim == seat && seat != self.table.turn {
            true => self.table.orders.threat = None,
            false => self.suffer_threat(witness),
        }
    }

    /// Whether a wrong card lies like a right one unless it is called: in turn, and out of turn where both are called
    /// mistakes (option `illegal=stands`; N-68, N-69, P-103).
    pub(in crate::game) fn may_stand(&self, reason: Reason) -> bool {
        let prices = &self.rules.set.prices;
        let kind = reason == Reason::DoesNotFit || (reason == Reason::NotYourTurn && prices.misplay.called);
        prices.illegal == Illegal::Stands && kind && self.rules.set.calls.notice == Notice::Seats
    }

    /// A wrong card lies; it can be called until the next card is laid.
    pub(in crate::game) fn let_stand<W: Witness>(&mut self, witness: &mut W, seat: Seat, reason: Reason) {
        self.forget_wrong_card();
        let before = self.clone();
        self.before_wrong_card = Some(Box::new(before));
        let fault = if reason == Reason::NotYourTurn { RuleFault::OutOfTurn } else { RuleFault::WrongCard };
        self.offend(witness, seat, fault, Until::RoundEnd);
    }

    /// The next card has been laid, and the wrong one was not called.
    #[inline]
    pub(in crate::game) fn forget_wrong_card(&mut self) {
        if self.before_wrong_card.is_some() {
            self.before_wrong_card = None;
            self.ledger.forget(RuleFault::WrongCard);
            self.ledger.forget(RuleFault::OutOfTurn);
        }
    }

    /// A wrong card that was called goes back, and everything that followed from it (N-68).
    pub(in crate::game) fn take_back<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let Some(before) = self.before_wrong_card.take() else { return };
        let events = self.events;
        *self = *before;
        self.events = events;
        self.table.last_change = events;
        self.tell(witness, Event::TakenBack { seat });
    }
}
