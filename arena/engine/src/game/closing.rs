//! The time after a last card, and other time that passes with nobody acting (G-13, G-22, P-97 to P-99).

use maumau_protocol::{Elapse, Event, RoundEnd, RuleFault, Seat, SeatSet, Stand};

use super::{Game, Phase, Witness};

impl Game {
    /// Time passes with nobody acting. During a point of order every clock but its own stands still (P-97).
    pub fn elapse<W: Witness>(&mut self, what: Elapse, witness: &mut W) {
        match what {
            Elapse::PointOfOrder => self.end_pause(witness),
            _ if self.is_paused() => {}
            Elapse::Grace => self.mature(witness),
            Elapse::Closing => {
                self.mature(witness);
                self.close_round(witness);
            }
            Elapse::TurnLimit => {
                self.mature(witness);
                self.pass_limit(witness);
            }
            Elapse::Reaction | Elapse::CountOfTen => {}
        }
    }

    /// Nobody did what the game waits for within the turn limit (G-05, G-22, P-77).
    fn pass_limit<W: Witness>(&mut self, witness: &mut W) {
        let Some(seat) = self.waits_for().filter(|_| self.table.closing.is_none()) else { return };
        if self.phase == Phase::Play {
            // P-109: in a race only the neighbour in the flow is too slow.
            self.note(witness, seat, RuleFault::TooLong);
        }
        self.table.limits = self.table.limits.saturating_add(1);
        if self.table.limits >= self.rules.set.turn.absent_limits {
            let why = if self.rules.set.turn.absent_limits > 1 { Stand::Absent } else { Stand::Slow };
            self.stand_in(seat, why, witness);
        }
    }

    /// The hand of `seat` is empty: from here nothing can be laid until the closing time is over (P-98).
    pub(super) fn open_closing<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        if self.phase == Phase::Play && self.table.closing.is_none() && self.hand(seat).is_empty() {
            self.table.closing = Some(seat);
            self.tell(witness, Event::Closing { seat });
        }
    }

    /// A seat was charged: if it had finished and has a card now, play goes on where it was (P-99).
    pub(super) fn reopen(&mut self, seat: Seat) {
        if self.table.closing == Some(seat) && !self.hand(seat).is_empty() {
            self.table.closing = None;
            self.table.limits = 0;
        }
    }

    fn close_round<W: Witness>(&mut self, witness: &mut W) {
        let Some(seat) = self.table.closing.take() else { return };
        if self.phase == Phase::Play && self.hand(seat).is_empty() {
            let times = self.top().map_or(1, |card| self.rules.faces[card.index()].multiplies);
            self.finish_round(witness, SeatSet::of(seat), RoundEnd::Won, i32::from(times));
        }
    }

    /// Whether play rests: in a point of order (P-96), and in the closing time (P-98).
    pub(super) fn rests(&self) -> bool {
        self.table.closing.is_some() || self.is_paused()
    }

    /// The seat whose hand is empty while the closing time runs.
    pub fn closing(&self) -> Option<Seat> {
        self.table.closing
    }
}
