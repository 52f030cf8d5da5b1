//! The offers of a game in lockstep, as far as its inputs show them: an answer is stamped with the last event before
//! the offer that it answers, and is taken up with the others of its tick (SPEC 7.4, 7.5, 7.8). It keeps stamps and
//! seats, and no rules.
//!
//! Offers that were answered only by `wait` leave no trace, so the number of a tick stays unknown, and with it the order in
//! which its answers are taken up.

use maumau_engine::Game;
use maumau_protocol::{Elapse, EventNumber, Seat, SeatSet};

use super::hold;
use crate::log::ReplayError;

/// The newest offer and its answers so far.
#[derive(Clone, Default)]
pub(super) struct Offers {
    /// The last event before it, if known.
    stamp: Option<EventNumber>,
    /// Seats whose answers to it have been taken up.
    acted: SeatSet,
    /// True if no further answer to it can be taken up.
    is_over: bool,
    /// The last events before the referee's own acts since then: each may be the stamp of a later tick.
    later: Vec<EventNumber>,
    /// The stamp of the tick at which a grace time last ended.
    grace: Option<EventNumber>,
    /// The round and the reaction of the newest offer that the seat to move waited for.
    reaction: (u32, u32),
}

impl Offers {
    /// An answer of `seat` is taken up, before it changes the game.
    ///
    /// # Errors
    /// There was no offer that it could answer.
    #[inline]
    pub(super) fn act(
        &mut self,
        game: &Game,
        seat: Seat,
        as_of: EventNumber,
        dismissed: SeatSet,
    ) -> Result<(), ReplayError> {
        // A turn limit may leave no event, so answers of its tick still have the last event as their stamp.
        if self.later.contains(&as_of) {
            *self = Offers { stamp: Some(as_of), acted: SeatSet::EMPTY, is_over: false, ..std::mem::take(self) };
            self.later.retain(|later| *later > as_of);
        } else if as_of == game.last_event() {
            self.wait(game, dismissed)?;
        } else {
            let answers = self.stamp == Some(as_of) && !self.is_over && !self.acted.contains(seat);
            hold!(answers, "seat {seat} acts as of event {}, and was not offered to act then", as_of.0);
        }
        self.acted.insert(seat);
        Ok(())
    }

    /// An offer is open: its answers are waited for.
    ///
    /// # Errors
    /// Something else had to happen first.
    #[inline]
    pub(super) fn wait(&mut self, game: &Game, dismissed: SeatSet) -> Result<(), ReplayError> {
        let now = game.last_event();
        if self.stamp != Some(now) {
            self.end_tick(game)?;
            let rests = game.is_closing() || game.point_of_order().is_some();
            if !rests {
                let reaction = (game.round(), game.reaction());
                let lost = game.waits_for().filter(|mover| dismissed.contains(*mover) && self.reaction == reaction);
                if let Some(mover) = lost {
                    hold!(false, "seat {mover} is to move and was dismissed: the referee acts for it first");
                }
                self.reaction = reaction;
            }
            self.stamp = Some(now);
            self.later.clear();
        }
        self.acted = SeatSet::EMPTY;
        self.is_over = false;
        Ok(())
    }

    /// The referee acts for a seat, after the event `now`.
    pub(super) fn stand(&mut self, now: EventNumber) {
        self.later.push(now);
    }

    /// A time that began with the event `as_of` has passed.
    ///
    /// # Errors
    /// It did not begin at that event.
    pub(super) fn elapse(&mut self, game: &Game, what: Elapse, as_of: EventNumber) -> Result<(), ReplayError> {
        let now = game.last_event();
        match what {
            Elapse::Reaction => hold!(false, "the reaction tick leaves no entry"),
            Elapse::TurnLimit => {
                hold!(as_of == now, "a turn limit passes as of the last event");
                self.later.push(now);
            }
            Elapse::Closing | Elapse::PointOfOrder => {
                hold!(as_of == now, "this time is over before an offer, as of the last event");
                self.end_tick(game)?;
                self.stamp = None;
                self.later.clear();
            }
            Elapse::Grace | Elapse::CountOfTen => {
                let known = as_of == now || self.stamp == Some(as_of) || self.later.contains(&as_of);
                hold!(known, "no offer was made as of event {}", as_of.0);
                if what == Elapse::Grace {
                    self.grace = Some(as_of);
                }
                self.stamp = Some(as_of);
                self.is_over = true;
                self.later.clear();
            }
        }
        Ok(())
    }

    /// Another offer follows: words that were due before the newest one have used up their grace time.
    fn end_tick(&self, game: &Game) -> Result<(), ReplayError> {
        let Some(stamp) = self.stamp.filter(|stamp| *stamp < game.last_event()) else { return Ok(()) };
        let due = game.words_waited_for().is_some_and(|since| since <= stamp);
        hold!(
            !due || self.grace.is_some_and(|grace| grace >= stamp),
            "the grace time for words that are due is not over"
        );
        Ok(())
    }
}
