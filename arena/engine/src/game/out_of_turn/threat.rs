//! A skip that its victim may answer until the next player acts (N-41 to N-45). Keeps the threat; the card that makes
//! it, and one that answers it, are played in `turn`.

use maumau_protocol::{CardSet, Event, Reason, Say, Seat};

use crate::game::{Game, Verdict, Witness};

/// The seat that loses its turn unless it answers, if any (N-41).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct Threat(Option<Threatened>);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Threatened {
    victim: Seat,
    /// Index into the rules' skips.
    skip: u8,
}

impl Threat {
    /// For positions that are set up.
    pub(in crate::game) fn set_up(victim: Seat, skip: u8) -> Threat {
        Threat(Some(Threatened { victim, skip }))
    }

    /// The seat that is threatened.
    #[inline]
    pub(in crate::game) fn victim(self) -> Option<Seat> {
        self.0.map(|threatened| threatened.victim)
    }
}

impl Game {
    /// `seat` has played a card that skips the next player unless it answers; the player after it is to move.
    pub(in crate::game) fn threaten<W: Witness>(&mut self, witness: &mut W, seat: Seat, skip: u8) {
        // Found by its place: an exchange may be undone at the end of the turn.
        let place = self.place_of(seat).step(self.table.seating.direction(), 1, self.seats());
        self.end_turn(witness, 2);
        let victim = self.seat_at(place);
        self.table.threat = Threat::set_up(victim, skip);
        self.table.changes.open_reaction();
    }

    /// The cards with which `seat` may answer, if it is the one threatened.
    pub(in crate::game) fn answers_of(&self, seat: Seat) -> CardSet {
        match self.table.threat.0 {
            Some(threat) if threat.victim == seat => self.rules.skips[threat.skip as usize].answers,
            _ => CardSet::EMPTY,
        }
    }

    /// The threat comes true: the victim has lost its turn. In any case the seat after it stays the one to move: an
    /// exchange that ends here changes its place, but not whose turn it is (N-32, N-45).
    pub(in crate::game) fn suffer_threat<W: Witness>(&mut self, witness: &mut W) {
        if let Some(threat) = self.table.threat.0.take() {
            self.emit(witness, Event::Skipped { seat: threat.victim });
            self.note_turn_of(threat.victim);
            self.unseal(witness, threat.victim);
            let mover = self.table.seating.turn();
            self.undo_swaps(witness);
            self.give_turn(mover);
        }
    }

    /// The victim declines to answer (G-18).
    pub(in crate::game) fn decline<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        if self.table.threat.victim() != Some(seat) {
            return self.refuse(witness, seat, None, Reason::NotYourTurn);
        }
        self.speak(witness, seat, say);
        self.emit(witness, Event::Passed { seat });
        self.suffer_threat(witness);
        Verdict::Accepted
    }

    /// `seat` acts: the threatened seat has thereby answered; if another seat acts, the threat comes true (N-41, N-42).
    pub(in crate::game) fn settle_threat<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        match self.table.threat.victim() == Some(seat) {
            true => self.table.threat = Threat::default(),
            false => self.suffer_threat(witness),
        }
    }
}
