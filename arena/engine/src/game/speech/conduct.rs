//! Conduct that other seats see: glares at a seat that is too loud, and movements that were begun (P-78, P-84, P-88).
//! Speech has its own files. Keeps who may be glared at and which movements were begun. Speech has its own files.

use maumau_protocol::ruleset::Loud;
use maumau_protocol::{Event, MAX_SEATS, Reach, Reason, RuleFault, Say, Seat, SeatSet};

use crate::game::{Game, Phase, Verdict, Witness};

/// The conduct of the seats: movements begun, glares received.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conduct {
    reached: [Option<Reach>; MAX_SEATS],
    /// The seats that have glared at each seat since it last spoke.
    glares: [SeatSet; MAX_SEATS],
    spoken: SeatSet,
}

impl Game {
    /// `seat` says something: glares at it count from now on (P-84).
    pub(super) fn begin_utterance(&mut self, seat: Seat) {
        if let Some(conduct) = &mut self.conduct {
            conduct.spoken.insert(seat);
            conduct.glares[seat.index()] = SeatSet::EMPTY;
        }
    }

    /// `seat` signals to `at` that it is too loud; two glares since its last words are enough, one at a table of two
    /// (P-84).
    pub(in crate::game) fn glare<W: Witness>(&mut self, witness: &mut W, seat: Seat, at: Seat, say: &Say) -> Verdict {
        let seats = self.seats();
        let by_glares = self.rules.set.talk.as_ref().is_some_and(|talk| talk.loud == Loud::Glares);
        if at == seat || at.index() >= seats {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.speak(witness, seat, say);
        let Some(conduct) = &mut self.conduct else { return Verdict::Accepted };
        let glares = &mut conduct.glares[at.index()];
        let fresh = !glares.contains(seat);
        glares.insert(seat);
        let loud = by_glares && fresh && conduct.spoken.contains(at) && glares.len() == (seats - 1).min(2);
        self.emit(witness, Event::Glared { seat, at });
        if loud {
            self.note(witness, at, RuleFault::TooLoud);
        }
        Verdict::Accepted
    }

    /// `seat` begins a movement (P-78, P-96).
    pub(in crate::game) fn reach<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        towards: Reach,
        say: &Say,
    ) -> Verdict {
        if self.phase != Phase::Play || self.conduct.is_none() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        if self.rests() {
            return self.refuse(witness, seat, None, Reason::Rests);
        }
        self.speak(witness, seat, say);
        // Where movements are no mistake, nothing follows from one.
        if let Some(conduct) = self.conduct.as_mut().filter(|_| self.rules.set.calls.movements) {
            conduct.reached[seat.index()] = Some(towards);
        }
        self.emit(witness, Event::Reached { seat, r#for: towards });
        Verdict::Accepted
    }

    /// The movement that `seat` has begun, if its next action in turn is to end it.
    #[inline]
    pub(in crate::game) fn reached(&self, seat: Seat) -> Option<Reach> {
        self.conduct.as_ref().and_then(|conduct| conduct.reached[seat.index()])
    }

    /// `seat` acts in turn: if it had reached for the other thing, that was a flinch (P-78).
    #[inline]
    pub(in crate::game) fn finish_movement<W: Witness>(&mut self, witness: &mut W, seat: Seat, did: Reach) {
        let reached = self.conduct.as_mut().and_then(|conduct| conduct.reached[seat.index()].take());
        if reached.is_some_and(|reached| reached != did) {
            self.note(witness, seat, RuleFault::Flinch);
        }
    }

    /// A card played out of turn cuts all movements short (P-88).
    pub(in crate::game) fn forget_movements(&mut self) {
        if let Some(conduct) = &mut self.conduct {
            conduct.reached = [None; MAX_SEATS];
        }
    }
}
