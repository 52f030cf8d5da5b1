//! The closing time: a hand is empty, and the round is over unless that changes (N-88 to N-97, N-131, P-97 to P-99);
//! also time that otherwise passes without an action (G-13, G-22). Decides when a round is over; `dealing` scores it,
//! and how long a time lasts is measured by the referee.

use maumau_protocol::ruleset::Notice;
use maumau_protocol::{Elapse, Event, EventNumber, RoundEnd, RuleFault, Seat, SeatSet, Stand};

use crate::game::speech::Lateness;
use crate::game::{Facing, Game, Phase, Witness};
use crate::hand::Hand;

impl Game {
    /// Whether a hand is empty that wins if nothing changes.
    #[inline]
    pub fn is_closing(&self) -> bool {
        self.features.closing && self.phase == Phase::Play && self.some_hand_is_empty() && !self.finishers().is_empty()
    }

    /// Whether play rests completely: in a point of order (P-96), and in a closing time without answers (P-98).
    #[inline(always)]
    pub(in crate::game) fn rests(&self) -> bool {
        self.features.rests && (self.is_paused() || (self.rules.set.ending.rests && self.is_closing()))
    }

    /// Whether the closing time lets the seat to move draw: owed cards, or for an owed turn (N-96, N-97).
    #[inline]
    pub(in crate::game) fn may_draw_while_closing(&self) -> bool {
        !self.features.closing
            || self.table.owed_turn.is_owed()
            || matches!(self.table.facing, Facing::Owed(_))
            || !self.is_closing()
    }

    /// Whether the closing time lets `seat` play a card that is not free: as an answer (N-90, N-91, N-97).
    #[inline]
    pub(in crate::game) fn may_play_while_closing(&self, seat: Seat) -> bool {
        !self.is_closing() || self.is_answer(seat)
    }

    /// Whether some seat holds no open card.
    #[inline]
    pub(in crate::game) fn some_hand_is_empty(&self) -> bool {
        self.table.hands.iter().any(Hand::is_empty)
    }

    /// The seats without a card. A seat whose only move in its turn was a free card still owes that turn (N-96).
    fn finishers(&self) -> SeatSet {
        let owes = |seat: Seat| {
            self.table.owed_turn.is_owed()
                && self.table.seating.turn() == seat
                && !self.rules.set.ending.free_card_wins_in_turn
        };
        Seat::all(self.seats()).filter(|seat| self.held(*seat) == 0 && !owes(*seat)).collect()
    }

    /// Time passes without an action (G-13).
    pub fn elapse<W: Witness>(&mut self, what: Elapse, witness: &mut W) {
        self.elapse_as_of(what, self.events, witness);
    }

    /// As [`Game::elapse`], if the time began to run with the event `as_of`: words owed because of something later still
    /// have time. During a point of order every clock but its own stands still (P-97).
    pub fn elapse_as_of<W: Witness>(&mut self, what: Elapse, as_of: EventNumber, witness: &mut W) {
        match what {
            Elapse::PointOfOrder => self.end_pause(witness),
            _ if self.is_paused() => {}
            Elapse::Grace => self.grace_is_over(witness, as_of),
            Elapse::Reaction => {}
            Elapse::TurnLimit => self.turn_limit_passed(witness),
            Elapse::Closing => self.close(witness),
            Elapse::CountOfTen => self.count_is_over(witness),
        }
    }

    fn grace_is_over<W: Witness>(&mut self, witness: &mut W, as_of: EventNumber) {
        if as_of >= self.table.changes.last() {
            self.settle_mau_mau(witness, Lateness::NotQuick);
        }
        self.mature(witness, as_of);
    }

    /// A turn limit has passed: charges the price of slowness; after several in a row the referee acts (G-05, G-22, N-124,
    /// P-77; P-109: of two seats that race, only the one in the direction of flow is slow).
    fn turn_limit_passed<W: Witness>(&mut self, witness: &mut W) {
        let Some(seat) = self.waits_for().filter(|_| !self.rests()) else { return };
        let limits = self.rules.set.turn.absent_limits;
        if limits == 0 || self.phase == Phase::ChooseRule {
            return self.act_for(seat, Stand::Slow, witness);
        }
        // That is long enough for words that were owed.
        self.mature(witness, self.events);
        let passed = self.table.patience.pass_limit();
        match self.rules.set.calls.slow {
            // N-124, P-77: before the first card is turned up no turn has begun.
            _ if self.phase != Phase::Play => {}
            Notice::Referee => self.mistake(witness, seat, RuleFault::Slow, 1),
            Notice::Seats => self.note(witness, seat, RuleFault::Slow),
        }
        if passed >= limits {
            self.act_for(seat, Stand::Absent, witness);
        }
    }

    /// The closing time is over: outstanding duties are carried out, then the seats that still have no card win (N-131,
    /// P-98).
    fn close<W: Witness>(&mut self, witness: &mut W) {
        self.grace_is_over(witness, self.events);
        if !self.is_closing() {
            return;
        }
        self.emit(witness, Event::Closed);
        if !self.rules.set.ending.rests {
            self.carry_out_what_is_left(witness);
        }
        let winners = self.finishers();
        if !winners.is_empty() {
            self.finish_round(witness, winners, RoundEnd::Won, 1);
        }
    }

    fn carry_out_what_is_left<W: Witness>(&mut self, witness: &mut W) {
        self.carry_out_takes(witness);
        if self.table.facing == Facing::Naming {
            let choice = self.first_choice();
            self.emit(witness, Event::Named { seat: self.table.seating.turn(), choose: choice });
            self.name(witness, choice);
        }
        if let Facing::Owed(owed) = self.table.facing {
            self.draw_all_owed(witness, owed);
            self.after_owed(witness, owed);
        }
        self.suffer_threat(witness);
    }
}
