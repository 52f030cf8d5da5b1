//! Asks of a game: what one holds, and its deadline. Whom an offer asks is decided by [`crate::lockstep`]; how its answers
//! are taken up is in `ticks`.

use maumau_protocol::Seat;
use maumau_protocol::message::{AskId, What};

use super::open_game::OpenGame;
use super::seat_state::{OpenAsk, SeatState};
use super::{Effects, RefereeEffect};
use crate::faults::LineCount;
use crate::lines::{AskLine, LegalList, SeenBy};
use crate::lockstep::can_react;

/// Asks `seat`, with a deadline.
pub(super) fn ask(open: &mut OpenGame, effects: &mut Effects, seat: Seat, what: What) {
    let ms = open.setup.time.move_ms + open.seat(seat).bank_ms;
    let id = open.ask(effects, seat, what, ms);
    effects.list.push(RefereeEffect::StartDeadline { seat, id, ms });
}

impl OpenGame {
    /// True if `seat` can act out of turn, or subscribes to every tick.
    pub(super) fn may_react(&self, seat: Seat) -> bool {
        self.seat(seat).wants.ticks || can_react(&self.game, seat)
    }

    /// Sends an ask, together with everything that `seat` has not been sent yet.
    pub(super) fn ask(&mut self, effects: &mut Effects, seat: Seat, what: What, time_ms: u64) -> AskId {
        let id = self.ids.next();
        let state = &mut self.seats[seat.index()];
        if state.wants.view {
            self.game.view_into(seat, &mut self.view);
        }
        let events = if state.wants.events { &self.events[state.cursor..] } else { &[] };
        let line = AskLine {
            game: &self.name_json,
            id,
            seat,
            what,
            time_ms,
            as_of: self.game.last_event(),
            events: SeenBy { seat, events },
            view: state.wants.view.then_some(&self.view),
            legal: state.wants.legal.then(|| LegalList::new(&self.game, seat, what)),
        };
        effects.ask(seat, id, |out, before| line.write(out, before));
        state.cursor = self.events.len();
        state.lines = LineCount::default();
        state.ask = Some(OpenAsk { id, void: Vec::new(), what, answer: None });
        id
    }

    /// Drops events that have been sent to every seat still playing.
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
