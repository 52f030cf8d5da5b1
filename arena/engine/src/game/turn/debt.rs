//! Owed cards: how debts of one kind add up, what answers them, how they are drawn, and what follows once they are paid
//! (B-15 to B-17, K-29 to K-34, P-47, P-48, P-93, P-94). Keeps what is owed and passes the turn on; the cards
//! themselves are drawn in `draw`.

use maumau_protocol::ruleset::AfterOwed;
use maumau_protocol::{CardSet, DrawReason, MAX_SEATS, Reach, RuleFault, Say, Seat};

use crate::game::way::PlayWay;
use crate::game::{Facing, Game, Witness};
use crate::rules::{Debt, Rules};

/// The debt that the seat to move faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) struct Owed {
    /// Index into the rules' debts.
    debt: u8,
    cards: u16,
    /// Some of them have been drawn already, so no answer is possible any more.
    begun: bool,
    /// The cards on the pile that caused it.
    live: u16,
    /// Cards that all seats have already drawn for it.
    drawn: u16,
}

impl Owed {
    /// Debt number `debt`, with `cards` owed for the `live` cards on the pile.
    pub(in crate::game) fn new(debt: u8, cards: u16, live: u16) -> Owed {
        Owed { debt, cards, begun: false, live, drawn: 0 }
    }

    /// The cards still to be drawn.
    pub(in crate::game) fn cards(self) -> u16 {
        self.cards
    }

    /// The cards on the pile that caused it.
    pub(in crate::game) fn live(self) -> u16 {
        self.live
    }

    /// Whether some of the cards have been drawn.
    pub(in crate::game) fn is_begun(self) -> bool {
        self.begun
    }

    /// What is left of it for the next seat, which may answer it (D-74).
    pub(in crate::game) fn passed_on(self) -> Owed {
        Owed { begun: false, ..self }
    }

    /// The rule by which they are owed.
    pub(in crate::game) fn rule(self, rules: &Rules) -> &Debt {
        &rules.debts[self.debt as usize]
    }

    /// The cards that answer it: none after drawing has begun.
    #[inline]
    pub(in crate::game) fn answers(self, rules: &Rules) -> CardSet {
        if self.begun { CardSet::EMPTY } else { self.rule(rules).answers }
    }
}

/// Cards that each seat has drawn for the present debt, or the last one (P-94).
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::game) struct DrawnForDebt([u16; MAX_SEATS]);

impl Game {
    /// The debt that a card of debt number `debt` adds to when it is played facing `faced`: a debt of the same kind.
    pub(in crate::game) fn debt_answered(&self, faced: Facing, debt: u8) -> Option<Owed> {
        let kind = |debt: u8| &self.rules.debts[debt as usize].kind;
        match faced {
            Facing::Owed(owed) if kind(owed.debt) == kind(debt) => Some(owed),
            _ => None,
        }
    }

    /// The total number of cards owed after a card of debt number `debt` is played, which adds to the debt `answered`.
    pub(in crate::game) fn owed_with(&self, answered: Option<Owed>, debt: u8) -> u16 {
        answered.map_or(0, Owed::cards) + self.rules.debts[debt as usize].cards
    }

    /// A card of debt number `debt` was played facing `faced`, and the turn ends: the next player owes, and debts of one kind
    /// add up while they are answered (B-15, B-17, K-29, K-31).
    pub(super) fn owe<W: Witness>(&mut self, witness: &mut W, faced: Facing, debt: u8, way: PlayWay) {
        let answered = self.debt_answered(faced, debt);
        let mut cards = self.owed_with(answered, debt);
        if answered.is_none() {
            self.table.drawn_for_debt = DrawnForDebt::default();
        }
        let (live, mut drawn) = answered.map_or((0, 0), |owed| (owed.live, owed.drawn));
        if way == PlayWay::Interjection && self.rules.set.interject.as_ref().is_some_and(|twins| twins.redraw_full) {
            // P-48, option `redraw_full`: cards already drawn are owed again.
            cards += drawn;
            drawn = 0;
        }
        self.pass_turn_facing(witness, 1, Facing::Owed(Owed { debt, cards, begun: false, live: live + 1, drawn }));
    }

    /// `seat` draws the cards it owes, or one of them if they are drawn one by one.
    pub(super) fn draw_owed<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say, owed: Owed) {
        self.finish_movement(witness, seat, Reach::Draw);
        let (held, asked) = (self.hand(seat).len(), self.next_owed(owed));
        self.draw_cards(witness, seat, asked, DrawReason::Owed);
        self.table.drawn_for_debt.0[seat.index()] += self.hand(seat).len() - held;
        self.note_demand();
        if asked < owed.cards {
            let Owed { cards, drawn, .. } = owed;
            self.table.facing = Facing::Owed(Owed { cards: cards - 1, begun: true, drawn: drawn + 1, ..owed });
        } else {
            self.owe_done(seat);
            self.after_owed(witness, owed);
        }
        self.on_speech(witness, seat, say);
    }

    /// The cards that the next draw for `owed` asks for: where they are drawn one by one and none is left, all that then
    /// lapse (G-07).
    fn next_owed(&self, owed: Owed) -> u16 {
        if self.rules.set.turn.owed_one_by_one && !self.draw_pile.is_empty() { 1 } else { owed.cards }
    }

    /// Gives the seat to move all the cards that it still owes.
    pub(in crate::game) fn draw_all_owed<W: Witness>(&mut self, witness: &mut W, owed: Owed) {
        self.draw_cards(witness, self.table.seating.turn(), owed.cards, DrawReason::Owed);
    }

    /// Continues after owed cards were drawn (B-16, K-30, K-34, K-54).
    pub(in crate::game) fn after_owed<W: Witness>(&mut self, witness: &mut W, owed: Owed) {
        match owed.rule(&self.rules).then {
            AfterOwed::TurnOver => self.end_turn(witness, 1),
            AfterOwed::TurnStays => {
                let drawn = if self.rules.set.turn.owed_counts_as_draw { self.rules.set.turn.draws } else { 0 };
                self.table.facing = Facing::Ordinary { drawn, last: None };
            }
        }
    }

    /// The seat that draws the last owed card must say so, with the number of cards that it drew itself (P-93, P-94).
    fn owe_done(&mut self, seat: Seat) {
        let drawn = self.table.drawn_for_debt.0[seat.index()];
        let due = self.rules.set.duties.done.as_ref().is_some_and(|done| !done.off);
        if due && drawn > 0 {
            self.owe_words(seat, RuleFault::NoDone, drawn, self.table.turns);
        }
    }

    /// The number that `seat` must say if it draws now: the cards that it will have drawn itself for its debt, if this draw
    /// is the last for it and there are any.
    pub(in crate::game) fn number_if_done(&self, seat: Seat) -> Option<u16> {
        match self.table.facing {
            Facing::Owed(owed) if self.turn() == Some(seat) && self.next_owed(owed) == owed.cards => {
                let drawn = self.table.drawn_for_debt.0[seat.index()] + owed.cards.min(self.left_to_draw());
                (drawn > 0).then_some(drawn)
            }
            _ => None,
        }
    }
}
