//! Points of order: pauses in which seats may ask questions (P-91, P-92, P-95, P-96) and see no cards (P-83). Keeps the
//! pause; how long it lasts is measured by the referee.

use maumau_protocol::{Event, MAX_SEATS, Reason, RuleFault, Say, Seat, SeatSet};

use crate::game::{Facing, Game, Phase, Verdict, Witness};

/// The points of order of a round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pauses {
    /// The current one.
    now: Option<Pause>,
    called: [u8; MAX_SEATS],
}

/// A current point of order.
#[derive(Clone, Copy, Debug)]
struct Pause {
    by: Seat,
    /// Whether its caller has spoken in it, and whether everything it said was swearing without a question (P-82).
    spoke: bool,
    only_swore: bool,
    /// Seats that were given cards during it and have not seen them.
    covered: SeatSet,
}

impl Game {
    /// Whether a point of order is in progress.
    #[inline]
    pub(in crate::game) fn is_paused(&self) -> bool {
        self.pauses.as_ref().is_some_and(|pauses| pauses.now.is_some())
    }

    /// The seat that called the current point of order.
    pub fn point_of_order(&self) -> Option<Seat> {
        self.pauses.as_ref()?.now.map(|pause| pause.by)
    }

    fn pause_now(&mut self) -> Option<&mut Pause> {
        self.pauses.as_mut()?.now.as_mut()
    }

    /// `seat` speaks in a point of order; notes whether its caller only swears (P-82).
    pub(in crate::game) fn speak_in_pause(&mut self, seat: Seat, swears: bool) {
        if let Some(pause) = self.pause_now().filter(|pause| pause.by == seat) {
            pause.spoke = true;
            pause.only_swore &= swears;
        }
    }

    /// `seat` is given cards; in a point of order it sees them afterwards (P-83).
    #[inline]
    pub(in crate::game) fn cover_in_pause(&mut self, seat: Seat) {
        if let Some(pause) = self.pause_now() {
            pause.covered.insert(seat);
        }
    }

    /// `seat` calls for a point of order. They do not nest, a seat has a fixed number of them in a round, and while owed
    /// cards are drawn only the drawer may call one (P-91, P-92, P-95).
    pub(in crate::game) fn pause<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        let Some(rule) = &self.rules.set.point_of_order else {
            return self.refuse(witness, seat, None, Reason::NotNow);
        };
        let (max, drawer_only) = (rule.max, rule.drawer_only);
        let begun = matches!(self.table.facing, Facing::Owed(owed) if owed.is_begun());
        let drawing = begun && self.table.seating.turn() != seat;
        let in_round = matches!(self.phase, Phase::Deal | Phase::TurnUp | Phase::Play);
        let Some(pauses) = self.pauses.as_mut().filter(|pauses| in_round && pauses.now.is_none()) else {
            return self.refuse(witness, seat, None, Reason::Rests);
        };
        let called = &mut pauses.called[seat.index()];
        if *called >= max || (drawer_only && drawing && self.phase == Phase::Play) {
            let verdict = self.refuse(witness, seat, None, Reason::PauseBarred);
            self.note(witness, seat, RuleFault::IllegalPo);
            return verdict;
        }
        *called += 1;
        self.speak(witness, seat, say);
        if let Some(pauses) = &mut self.pauses {
            pauses.now = Some(Pause { by: seat, spoke: false, only_swore: true, covered: SeatSet::EMPTY });
        }
        self.emit(witness, Event::PointOfOrder { seat });
        Verdict::Accepted
    }

    /// `seat` ends the point of order that it called; no other seat can (P-95).
    pub(in crate::game) fn unpause<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        if self.point_of_order() != Some(seat) {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.speak(witness, seat, say);
        self.end_pause(witness);
        Verdict::Accepted
    }

    /// The point of order is over, ended by its caller or by the time limit (P-82, P-95).
    pub(super) fn end_pause<W: Witness>(&mut self, witness: &mut W) {
        let Some(pause) = self.pauses.as_mut().and_then(|pauses| pauses.now.take()) else { return };
        self.emit(witness, Event::PointOfOrderOver);
        for seat in pause.covered.iter() {
            if self.has_looked(seat) {
                self.show_hand(witness, seat);
            }
        }
        if pause.spoke && pause.only_swore {
            self.note(witness, pause.by, RuleFault::PoToSwear);
        }
    }
}
