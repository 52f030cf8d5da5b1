//! Wrong cards that lie like right ones until a seat calls them; then they are taken back with everything that followed
//! (option `illegal=stands`; N-68, N-69, P-103). The price of the call is the business of `ledger`. It keeps the game
//! as it was before the card and puts it back.

use maumau_protocol::ruleset::{Illegal, Notice};
use maumau_protocol::{Event, EventNumber, Reason, RuleFault, Seat};

use super::Until;
use crate::game::{Game, Witness};

/// The game before the wrong card that lies, if there is one.
#[derive(Clone, Debug, Default)]
pub(in crate::game) struct WrongCard(Option<Box<Game>>);

impl WrongCard {
    /// Whether a wrong card lies that can still be called.
    pub(in crate::game) fn lies(&self) -> bool {
        self.0.is_some()
    }

    /// The last event before it.
    pub(in crate::game) fn since(&self) -> Option<EventNumber> {
        self.0.as_ref().map(|before| before.events)
    }
}

impl Game {
    /// Whether a wrong card lies like a right one until it is called: in turn, and also out of turn if both are called
    /// mistakes.
    pub(in crate::game) fn may_stand(&self, reason: Reason) -> bool {
        let prices = &self.rules.set.prices;
        let kind = reason == Reason::DoesNotFit || (reason == Reason::NotYourTurn && prices.misplay.called);
        prices.illegal == Illegal::Stands && kind && self.rules.set.calls.notice == Notice::Seats
    }

    /// A wrong card lies; it can be called until the next card is played.
    pub(in crate::game) fn let_stand<W: Witness>(&mut self, witness: &mut W, seat: Seat, reason: Reason) {
        self.forget_wrong_card();
        let before = self.clone();
        self.wrong_card = WrongCard(Some(Box::new(before)));
        let fault = if reason == Reason::NotYourTurn { RuleFault::OutOfTurn } else { RuleFault::WrongCard };
        self.offend(witness, seat, fault, Until::RoundEnd);
    }

    /// The next card has been played, and the wrong one was not called.
    #[inline]
    pub(in crate::game) fn forget_wrong_card(&mut self) {
        if self.wrong_card.lies() {
            self.wrong_card = WrongCard::default();
            self.ledger.forget(RuleFault::WrongCard);
            self.ledger.forget(RuleFault::OutOfTurn);
        }
    }

    /// Takes back a wrong card that was called, and everything that followed from it (N-68).
    pub(in crate::game) fn take_back<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let Some(before) = self.wrong_card.0.take() else { return };
        let events = self.events;
        *self = *before;
        self.events = events;
        self.foreseen = None;
        self.note_restored();
        self.emit(witness, Event::TakenBack { seat });
    }
}
