//! Interjections: the twin of the top card, laid at any time (P-40 to P-55), and cards that lie although they are wrong.

use maumau_protocol::{Card, Direction, Event, EventNumber, RuleFault, Say, Seat, Suit};

use super::{Facing, Game, Witness};
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

/// What the table was before a card that lies wrongly, until it is covered or called (P-103, option `illegal=stands`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undo {
    pub(crate) seat: Seat,
    pub(crate) fault: RuleFault,
    /// The event after which the mistake stands in the ledger.
    pub(crate) event: EventNumber,
    pub(crate) turn: Seat,
    pub(crate) facing: Facing,
    pub(crate) direction: Direction,
    pub(crate) suit: Option<Suit>,
    pub(crate) suit_open: bool,
    pub(crate) run: Run,
    /// The last change of top card or turn that the card itself made.
    pub(crate) change: EventNumber,
}

impl Game {
    /// In which way `seat` lays `card` now, rightly or wrongly (P-41, P-53, P-55).
    pub(super) fn way(&self, seat: Seat, card: Card, say: &Say, as_of: EventNumber) -> Way {
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
    pub(super) fn twin(&self) -> Option<Card> {
        self.top().filter(|card| self.rules.interject.contains(*card))
    }

    /// A card is laid on a card that lay wrongly: it is good from now on (P-103).
    pub(super) fn settle_wrong_card(&mut self) {
        if let (Some(undo), Some(ledger)) = (self.undo.take(), &mut self.ledger) {
            ledger.forget(undo.seat, undo.fault, undo.event);
        }
    }

    /// A wrong card that lies is called: it goes back, and play to where it was, unless somebody has moved since (P-103).
    pub(super) fn take_back<W: Witness>(&mut self, witness: &mut W, seat: Seat, event: EventNumber) {
        let Some(undo) = self.undo.take_if(|undo| undo.seat == seat && undo.event == event) else { return };
        let Some(card) = self.table.pile.pop() else { return };
        self.table.hands[seat.index()].add(card);
        self.tell(witness, Event::TookBack { seat, card });
        self.table.suit = undo.suit;
        self.table.suit_open = undo.suit_open;
        self.table.run = undo.run;
        if self.table.last_change == undo.change {
            self.table.turn = undo.turn;
            self.table.facing = undo.facing;
            self.table.direction = undo.direction;
        } else if matches!(self.table.facing, Facing::Owed { .. } | Facing::Race { .. }) {
            self.table.facing = Facing::FRESH;
        }
        self.table.last_change = self.events;
    }
}
