//! Offers: who is asked, and what an ask holds.

use crate::record::Meta;
use maumau_engine::Phase;
use maumau_protocol::limits::{CLOSING_TICKS, MAX_IDLE_REACTIONS, POINT_OF_ORDER_TICKS};
use maumau_protocol::message::{ClockMode, What};
use maumau_protocol::{Elapse, Seat, Stand};

use super::seat_state::{Open, SeatState};
use super::{Effect, Effects, Referee};
use crate::faults::LineCount;
use crate::lines::{AskLine, LegalList, SeenBy};

impl Referee {
    /// Asks the seat that must move and every other seat that can act, all at the same moment; plays on for dismissed
    /// seats; ends the game when it is over.
    pub(super) fn offer(&mut self, effects: &mut Effects) {
        loop {
            if self.seats.iter().all(|state| state.dismissed) {
                // Nobody is left to play for: the match ends as it stands.
                return self.end(effects);
            }
            if self.game.is_over() {
                return self.end(effects);
            }
            let Some(mover) = self.game.waits_for() else { return self.end(effects) };
            self.as_of = self.game.last_event();
            if self.game.point_of_order().is_some() {
                // Play rests until its caller ends it, or for so long at most (P-95, P-96).
                self.paused_ticks += 1;
                if self.paused_ticks <= POINT_OF_ORDER_TICKS && self.ask_others(effects, None) {
                    return self.forget_sent_events();
                }
                self.paused_ticks = 0;
                self.elapse(Elapse::PointOfOrder, self.as_of, Meta::default());
                continue;
            }
            self.paused_ticks = 0;
            if self.game.is_closing() {
                // Only what others may still do is waited for, and not for long.
                if self.quiet_ticks < CLOSING_TICKS && self.ask_others(effects, None) {
                    return self.forget_sent_events();
                }
                self.quiet_ticks = 0;
                self.elapse(Elapse::Closing, self.as_of, Meta::default());
                continue;
            }
            if std::mem::replace(&mut self.reaction, self.game.reaction()) != self.game.reaction()
                && self.ask_others(effects, Some(mover))
            {
                // Whoever may answer is asked before the seat to move (N-44, N-106).
                return self.forget_sent_events();
            }
            if self.seats[mover.index()].dismissed {
                self.stand_in(mover, Stand::Dismissed, Meta::default());
                self.settle();
                self.forget_sent_events();
                continue;
            }
            let must = match self.game.phase() {
                Phase::Deal | Phase::TurnUp => What::Deal,
                _ if self.game.waits_for_name().is_some() => What::Choose,
                _ => What::Turn,
            };
            self.ask(effects, mover, must);
            self.ask_others(effects, Some(mover));
            return self.forget_sent_events();
        }
    }

    /// Asks every seat but `mover` that can act or wants every tick; `false` if there is none.
    fn ask_others(&mut self, effects: &mut Effects, mover: Option<Seat>) -> bool {
        let mut asked = false;
        for seat in Seat::all(self.seats.len()).filter(|seat| Some(*seat) != mover) {
            let state = &self.seats[seat.index()];
            let can_act = || !self.game.legal(seat).is_empty() || self.game.word_owed(seat).is_some();
            // Whoever only disturbs is heard again when something has moved (SPEC 7.2).
            let heard = !state.dismissed && state.idle_reactions < MAX_IDLE_REACTIONS;
            if heard && (state.wants.ticks || can_act()) {
                self.ask(effects, seat, What::React);
                asked = true;
            }
        }
        asked
    }

    pub(super) fn ask(&mut self, effects: &mut Effects, seat: Seat, what: What) {
        let id = self.ids.next();
        let state = &mut self.seats[seat.index()];
        if state.wants.view {
            self.game.view_into(seat, &mut self.view);
        }
        let time_ms = match self.setup.clock {
            ClockMode::Lockstep => self.setup.time.move_ms + state.bank_ms,
            ClockMode::Live => self.setup.time.move_ms,
        };
        let events = if state.wants.events { &self.events[state.cursor..] } else { &[] };
        let list = || LegalList { game: &self.game, seat, legal: self.game.legal(seat), may_wait: what == What::React };
        let mut entries = Vec::new();
        if self.setup.clock == ClockMode::Live {
            list().for_each(|verb| entries.push(verb));
        }
        let line = AskLine {
            game: &self.name_json,
            id,
            seat,
            what,
            time_ms,
            as_of: self.as_of,
            events: SeenBy { seat, events },
            view: state.wants.view.then_some(&self.view),
            legal: state.wants.legal.then(list),
        };
        effects.send(seat, |out| line.write(out));
        state.cursor = self.events.len();
        state.lines = LineCount::default();
        state.open = Some(Open { id, void: Vec::new(), what, answer: None });
        match self.setup.clock {
            ClockMode::Lockstep => effects.list.push(Effect::StartDeadline { seat, id, ms: time_ms }),
            ClockMode::Live => self.live_asked(seat, id, entries),
        }
    }

    /// Drops the events that every living seat has been sent.
    pub(super) fn forget_sent_events(&mut self) {
        let wanted = |state: &&mut SeatState| state.wants.events && !state.dismissed;
        let sent = self.seats.iter_mut().filter(wanted).map(|state| state.cursor).min().unwrap_or(self.events.len());
        if sent == self.events.len() {
            self.events.clear();
            self.seats.iter_mut().for_each(|state| state.cursor = 0);
        } else if sent >= 256 {
            self.events.drain(..sent);
            self.seats.iter_mut().for_each(|state| state.cursor = state.cursor.saturating_sub(sent));
        }
    }
}
