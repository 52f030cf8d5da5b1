//! A skip that its victim may answer until the next player acts (N-41 to N-45).

use maumau_protocol::{CardSet, Event, Reason, Seat, TakeOrder};

use crate::game::{Game, Verdict, Witness};

/// A seat that loses its turn unless it answers (N-41).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::game) struct Threat {
    pub(in crate::game) victim: Seat,
    /// Index into the rules' skips.
    pub(in crate::game) skip: u8,
}

/// Orders that cards have given to seats.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::game) struct Orders {
    /// The seat that is skipped unless it answers.
    pub(in crate::game) threat: Option<Threat>,
    /// Instructions to take a card, the oldest first.
    pub(in crate::game) takes: Vec<TakeOrder>,
    /// Takes of this round so far.
    pub(in crate::game) takes_made: u32,
}

impl Orders {
    /// Makes it ready for a round.
    pub(in crate::game) fn clear(&mut self) {
        self.threat = None;
        self.takes.clear();
        self.takes_made = 0;
    }
}

impl Game {
    /// `seat` has laid a card that skips the next player unless it answers; the player after it is to move.
    pub(in crate::game) fn threaten<W: Witness>(&mut self, witness: &mut W, seat: Seat, skip: u8) {
        // By its place: with the end of the turn an exchange may be undone.
        let place = self.place_of(seat).step(self.table.direction, 1, self.seats());
        self.end_turn(witness, 2);
        let victim = self.seat_at(place);
        self.table.orders.threat = Some(Threat { victim, skip });
        self.open_reaction();
    }

    /// The cards with which `seat` may answer, if it is the one threatened.
    pub(in crate::game) fn answers_of(&self, seat: Seat) -> CardSet {
        match self.table.orders.threat {
            Some(threat) if threat.victim == seat => self.rules.skips[threat.skip as usize].answers,
            _ => CardSet::EMPTY,
        }
    }

    /// The threat comes true: the victim has lost its turn. However that happens, the seat after it stays the one to move: an
    /// exchange that ends here changes its place, not whose turn it is (N-32, N-45).
    pub(super) fn suffer_threat<W: Witness>(&mut self, witness: &mut W) {
        if let Some(threat) = self.table.orders.threat.take() {
            self.tell(witness, Event::Skipped { seat: threat.victim });
            self.note_turn_of(threat.victim);
            self.unseal(witness, threat.victim);
            let mover = self.table.turn;
            self.undo_swaps(witness);
            self.give_turn(mover);
        }
    }

    /// The victim declines to answer (G-18).
    pub(in crate::game) fn decline<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        if self.table.orders.threat.is_none_or(|threat| threat.victim != seat) {
            return self.refuse(witness, seat, None, Reason::NotYourTurn);
        }
        self.tell(witness, Event::Passed { seat });
        self.suffer_threat(witness);
        Verdict::Accepted
    }
}
