//! The warning of the last card: when it is due, when it counts, and what it costs to leave it out. Keeps who owes it
//! and who has said it; the penalty cards are drawn in `turn`, and mistakes that must be called are kept in `calls`.

use crate::reuse::clone_in_place;
use maumau_protocol::ruleset::{CallableUntil, Mau, MauMissing};
use maumau_protocol::{RuleFault, Seat, SeatSet};

use crate::game::{Facing, Game, Phase, Witness, reset};

/// How a seat stands with the warning of its last card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MauState {
    /// The turn in which the seat came down to the one card that it holds by playing another, plus one; 0 if it did not.
    one_since: u32,
    /// The turn in which it said the word that counts for the present hand, if it did.
    said: Option<u32>,
    /// The turn in which it said the word ahead of a play, while it was to move.
    said_ahead: Option<u32>,
    duty: MauDuty,
}

/// Whether a seat owes the word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MauDuty {
    #[default]
    None,
    /// It may still be said.
    Due,
    /// The deadline has passed, with a move in this turn; a call is upheld.
    Overdue { since: u32 },
}

/// How all seats stand with it.
#[derive(Debug, Default, PartialEq)]
pub(in crate::game) struct MauDuties {
    seats: Vec<MauState>,
    /// Seats whose duty is not [`MauDuty::None`].
    open: SeatSet,
}

clone_in_place!(MauDuties { seats, open });

impl MauDuties {
    /// Makes it ready for a round of `seats`.
    pub(in crate::game) fn clear(&mut self, seats: usize) {
        reset(&mut self.seats, seats, MauState::default());
        self.open = SeatSet::EMPTY;
    }

    /// For positions that are set up: `seat` said the word in time.
    pub(in crate::game) fn set_up_said(&mut self, seat: Seat) {
        self.seats[seat.index()] = MauState { one_since: 2, said: Some(1), ..MauState::default() };
    }

    /// Seats that owe the word, whether the deadline has passed or not.
    #[inline(always)]
    pub(in crate::game) fn owing(&self) -> SeatSet {
        self.open
    }

    /// Clears whether `seat` may be called and what it said.
    pub(in crate::game) fn forget(&mut self, seat: Seat) {
        self.seats[seat.index()] = MauState::default();
        self.open.remove(seat);
    }

    /// A call against `seat` is known to be upheld now, or not to be.
    pub(in crate::game) fn know_overdue(&mut self, seat: Seat, overdue: bool, since: u32) {
        match overdue {
            true => {
                self.seats[seat.index()].duty = MauDuty::Overdue { since };
                self.open.insert(seat);
            }
            false => self.settle(seat),
        }
    }

    /// `seat` no longer owes the word.
    fn settle(&mut self, seat: Seat) {
        self.seats[seat.index()].duty = MauDuty::None;
        self.open.remove(seat);
    }
}

impl Game {
    /// `seat` says something that may be the warning (B-12, K-40).
    pub(in crate::game) fn hear_mau(&mut self, seat: Seat, text: &str) {
        if self.rules.mau.is_none() || !self.warnings_in(text).mau {
            return;
        }
        let turns = self.table.turns;
        let state = &mut self.table.mau.seats[seat.index()];
        if self.table.hands[seat.index()].len() == 1 {
            state.said.get_or_insert(turns);
            if state.duty == MauDuty::Due {
                self.table.mau.settle(seat);
            }
        } else if self.table.seating.turn() == seat {
            self.say_mau_ahead(seat);
        }
    }

    /// `seat` says the warning before it holds one card, which counts for nothing (G-24) but the last card of a chain played in
    /// this turn (D-66).
    pub(in crate::game) fn say_mau_ahead(&mut self, seat: Seat) {
        if self.rules.mau.as_ref().is_some_and(|mau| mau.before_last_of_chain) {
            self.table.mau.seats[seat.index()].said_ahead = Some(self.table.turns);
        }
    }

    /// `seat` has said the warning: with two or more cards in hand it costs what the rules say (G-47).
    pub(in crate::game) fn charge_false_mau<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        if self.rules.false_mau_costs && self.phase == Phase::Play && self.hand(seat).len() > 1 {
            let cards = self.rules.mau.as_ref().map_or(0, |mau| mau.false_costs);
            self.penalise(witness, seat, cards.into(), RuleFault::FalseCall);
        }
    }

    /// `seat` has just played a card and holds one more: from now on the warning is possible (K-41, K-43).
    #[inline]
    pub(in crate::game) fn one_card_left(&mut self, seat: Seat, said_with_it: bool) {
        let turns = self.table.turns;
        let state = &mut self.table.mau.seats[seat.index()];
        state.one_since = turns + 1;
        state.said = said_with_it.then_some(turns);
    }

    /// At the end of its turn a silent seat with one card owes the warning (B-12, B-32).
    #[inline(always)]
    pub(in crate::game) fn mau_at_turn_end(&mut self, seat: Seat) {
        if self.table.hands[seat.index()].len() == 1 && self.rules.mau_at_turn_end {
            self.owe_mau(seat);
        }
    }

    /// The turn of `seat` ends, and it holds one card.
    fn owe_mau(&mut self, seat: Seat) {
        let state = &mut self.table.mau.seats[seat.index()];
        if state.said.is_none() && state.one_since == self.table.turns + 1 {
            state.duty = MauDuty::Due;
            self.table.mau.open.insert(seat);
        }
    }

    /// Before a turn action in a later turn: a warning that is due and unsaid is charged, or can be called from now on
    /// (B-13, B-14).
    #[inline(always)]
    pub(in crate::game) fn settle_mau<W: Witness>(&mut self, witness: &mut W) {
        if !self.table.mau.open.is_empty() {
            self.settle_open_mau(witness);
        }
    }

    #[cold]
    fn settle_open_mau<W: Witness>(&mut self, witness: &mut W) {
        let Some(mau) = &self.rules.mau else { return };
        let (if_missing, cards, until) = (mau.if_missing, mau.cards, mau.callable_until);
        let (turns, mover) = (self.table.turns, self.table.seating.turn());
        let is_closed = |since: u32, seat: Seat| match until {
            CallableUntil::OwnTurn => mover == seat,
            CallableUntil::NextButOne => turns > since,
            CallableUntil::NextAction => true,
        };
        for seat in self.table.mau.open.iter() {
            let state = &mut self.table.mau.seats[seat.index()];
            match (state.duty, if_missing) {
                (MauDuty::Due, MauMissing::Charged) => {
                    self.table.mau.settle(seat);
                    self.penalise(witness, seat, cards.into(), RuleFault::NoMau);
                }
                (MauDuty::Due, _) if until == CallableUntil::NextAction => self.table.mau.settle(seat),
                (MauDuty::Due, _) => state.duty = MauDuty::Overdue { since: turns },
                // A move closes the window of a call: that of the next-but-one player (D-28) or the offender's own.
                (MauDuty::Overdue { since }, _) if is_closed(since, seat) => self.table.mau.settle(seat),
                _ => {}
            }
        }
    }

    /// Whether `seat` must pay for a missing warning before it can play anything, so that no card it plays is its last
    /// (B-14).
    pub(in crate::game) fn mau_is_charged_first(&self, seat: Seat) -> bool {
        let costs = |mau: &Mau| mau.if_missing == MauMissing::Charged && mau.cards > 0;
        self.mau_is_due(seat) && self.rules.mau.as_ref().is_some_and(costs) && !self.draw_pile.is_empty()
    }

    /// Whether `seat` ended a turn with one card and without the warning, which has not been charged and can mostly not be called
    /// yet (B-13).
    pub(in crate::game) fn mau_is_due(&self, seat: Seat) -> bool {
        self.table.mau.open.contains(seat) && self.table.mau.seats[seat.index()].duty == MauDuty::Due
    }

    /// Whether a call of a missing warning against `seat` is upheld (B-14, G-48).
    pub(in crate::game) fn mau_is_overdue(&self, seat: Seat) -> bool {
        let at_once = || self.rules.mau.as_ref().is_some_and(|mau| mau.callable_until == CallableUntil::NextAction);
        match self.table.mau.seats[seat.index()].duty {
            MauDuty::None => false,
            MauDuty::Due => at_once(),
            MauDuty::Overdue { .. } => true,
        }
    }

    /// Charges a missing warning that was called.
    pub(in crate::game) fn charge_mau<W: Witness>(&mut self, witness: &mut W, against: Seat) {
        self.table.mau.settle(against);
        let cards = self.rules.mau.as_ref().map_or(0, |mau| mau.cards);
        self.penalise(witness, against, cards.into(), RuleFault::NoMau);
    }

    /// A card came into the hand: a warning, and a duty that is not yet overdue, are void (K-64, B-47, D-84).
    #[inline(always)]
    pub(in crate::game) fn forget_mau(&mut self, seat: Seat) {
        let state = &mut self.table.mau.seats[seat.index()];
        state.said = None;
        state.said_ahead = None;
        state.one_since = 0;
        if state.duty == MauDuty::Due {
            self.table.mau.settle(seat);
        }
    }

    /// Whether `seat` has said the word for the hand that it holds, so that it may play its last card now, or in its next turn.
    pub(in crate::game) fn has_said_mau(&self, seat: Seat) -> bool {
        let state = &self.table.mau.seats[seat.index()];
        match self.turn() == Some(seat) {
            true => {
                (state.said.is_some() || state.said_ahead == Some(self.table.turns)) && self.may_finish(seat, false)
            }
            false => state.said.is_some(),
        }
    }

    /// Whether the warning allows `seat` to play its last card (K-42, K-43).
    pub(in crate::game) fn may_finish(&self, seat: Seat, said_with_it: bool) -> bool {
        let Some(mau) = &self.rules.mau else { return true };
        if mau.before_last_of_chain && matches!(self.table.facing, Facing::Again(_)) {
            // D-66: saying the word with the card itself is too late.
            let state = &self.table.mau.seats[seat.index()];
            return state.said.is_some() || state.said_ahead == Some(self.table.turns);
        }
        if mau.if_missing != MauMissing::BarsLastCard {
            return true;
        }
        let state = &self.table.mau.seats[seat.index()];
        if mau.any_time {
            return said_with_it || state.said.is_some();
        }
        let this_turn = self.table.turns;
        state.said.is_some_and(|said| said < this_turn || state.one_since == this_turn + 1)
    }
}
