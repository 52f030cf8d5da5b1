//! Turns that are lost: by several players one after another, or by one player several times. Keeps what a seat has still to
//! miss; the card that makes others miss turns, and one that answers it, are played in `effects`.

use maumau_protocol::ruleset::LostBy;
use maumau_protocol::{Event, MAX_SEATS, Seat};

use crate::game::{Facing, Game, Phase, Witness};

/// The turns that each seat has still to miss (G-37).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct TurnsLost([u16; MAX_SEATS]);

impl TurnsLost {
    /// For positions that are set up: `seat` has `lost` turns to miss.
    pub(in crate::game) fn set_up(&mut self, seat: Seat, lost: u16) {
        self.0[seat.index()] = lost;
    }
}

impl Game {
    /// The ordinary turns that `seat` has still to miss (G-37).
    pub fn turns_lost(&self, seat: Seat) -> u16 {
        self.table.turns_lost.0[seat.index()]
    }

    /// The players that did not answer lose their turns (K-22, K-26, K-27), or the first of them as many of its own (G-37).
    pub(in crate::game) fn suffer_skip<W: Witness>(&mut self, witness: &mut W, skip: u8, count: u16) {
        let rule = &self.rules.skips[skip as usize];
        let (one_by_one, by_one) = (rule.every_victim_may_answer, rule.of == LostBy::Turns);
        let suffered = if one_by_one || by_one { 1 } else { count };
        let mut victim = self.table.seating.turn();
        if by_one {
            self.table.turns_lost.0[victim.index()] += count - 1;
        }
        self.table.places.lose_turn(self.table.turns);
        for _ in 0..suffered {
            self.emit_with(witness, || Event::Skipped { seat: victim });
            victim = self.after(victim, 1);
        }
        self.end_turn(witness, suffered as usize);
        if one_by_one && count > 1 && self.phase == Phase::Play {
            self.table.facing = Facing::Skipped { skip, count: count - 1 };
        }
    }

    /// How far the turn moves that would pass on by `steps`: seats that have turns to miss are passed over, and have missed
    /// one by it (G-37).
    #[cold]
    pub(super) fn past_lost_turns<W: Witness>(&mut self, witness: &mut W, mut steps: usize) -> usize {
        loop {
            let seat = self.after(self.table.seating.turn(), steps);
            let left = &mut self.table.turns_lost.0[seat.index()];
            if *left == 0 {
                return steps;
            }
            *left -= 1;
            self.emit(witness, Event::Skipped { seat });
            self.lose_turn_of_request(witness, seat);
            steps += 1;
        }
    }
}
