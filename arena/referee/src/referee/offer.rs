//! Offers of a game in lockstep: which seats are asked, what an ask holds, and the logical time that an offer carries.
//! How its answers are taken up is in [`super::ticks`]. Changes what the seats are asked; how the answers are taken up
//! is in [`super::ticks`].

use std::ops::ControlFlow;

use crate::record::Meta;
use maumau_engine::Phase;
use maumau_protocol::limits::{CLOSING_TICKS, MAX_IDLE_REACTIONS, POINT_OF_ORDER_TICKS};
use maumau_protocol::message::{AskId, What};
use maumau_protocol::{Elapse, EventNumber, Seat, Stand};

use super::open_game::OpenGame;
use super::seat_state::{OpenAsk, SeatState};
use super::{Effect, Effects, Ended, Input};
use crate::faults::{LineCount, Misconduct};
use crate::lines::{AskLine, LegalList, SeenBy};

/// An open offer, and the ticks that have led to it.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    pub(super) play: Play,
    /// The last event before it.
    pub(super) as_of: EventNumber,
    pub(super) round: u32,
    /// Its number in the round, from 0.
    pub(super) tick: u32,
    /// The last reaction that was offered.
    reaction: u32,
    /// Ticks of a count of ten, including the one in which it began.
    pub(super) count_ticks: u32,
    /// Ticks in which nothing moved.
    pub(super) idle_ticks: u32,
}

/// The phase of play when an offer is made.
#[derive(Clone, Copy)]
pub(super) enum Play {
    /// Play goes on: a seat is to move, or others may react first.
    GoesOn,
    /// It closes.
    Closes {
        /// Ticks of the closing time in which nobody acted.
        quiet_ticks: u32,
    },
    /// It rests in a point of order.
    Rests {
        /// Ticks of it, this one included.
        ticks: u32,
        /// In a closing time, its ticks in which nobody acted.
        quiet_ticks: Option<u32>,
    },
}

impl Offer {
    /// The first offer of a game.
    pub(super) fn first(open: &mut OpenGame, effects: &mut Effects) -> ControlFlow<Ended, Offer> {
        let before = Offer {
            play: Play::GoesOn,
            as_of: EventNumber(0),
            round: 0,
            tick: 0,
            reaction: 0,
            count_ticks: 0,
            idle_ticks: 0,
        };
        before.next(open, effects)
    }

    /// Takes one input; when that was the last answer, takes up all answers and makes the next offer.
    pub(super) fn take(&mut self, open: &mut OpenGame, effects: &mut Effects, input: Input) -> ControlFlow<Ended> {
        match input {
            Input::Act { seat, act, meta } => self.act(open, effects, seat, act, meta),
            Input::Note { seat, note } => open.note(effects, seat, note),
            Input::Wrong { seat, fault, message, line } => {
                open.found(effects, seat, Misconduct { fault, message }, line);
            }
            Input::Deadline { seat, id, meta, blame } => self.deadline(open, effects, (seat, id), meta, blame),
            // Lockstep runs no such time.
            Input::Timer { .. } => {}
        }
        if open.seats.iter().filter_map(|state| state.ask.as_ref()).all(|ask| ask.answer.is_some()) {
            *self = self.take_up_answers(open, effects).next(open, effects)?;
        }
        ControlFlow::Continue(())
    }

    /// The next offer: asks the seat that must move and every other seat that can act, all at the same moment; plays on for
    /// dismissed seats until somebody is asked or the game ends.
    fn next(self, open: &mut OpenGame, effects: &mut Effects) -> ControlFlow<Ended, Offer> {
        let (mut quiet, mut rested) = match self.play {
            Play::GoesOn => (0, 0),
            Play::Closes { quiet_ticks } => (quiet_ticks, 0),
            Play::Rests { ticks, quiet_ticks } => (quiet_ticks.unwrap_or(0), ticks),
        };
        let mut reaction = self.reaction;
        let play = loop {
            let waits_for = open.game.waits_for().filter(|_| !open.is_deserted() && !open.game.is_over());
            let Some(mover) = waits_for else { return ControlFlow::Break(Ended) };
            let as_of = open.game.last_event();
            if open.is_paused() {
                // Play rests until the caller ends it, or for this long at most (P-95, P-96).
                rested += 1;
                if rested <= POINT_OF_ORDER_TICKS && ask_others(open, effects, None) {
                    break Play::Rests { ticks: rested, quiet_ticks: open.game.is_closing().then_some(quiet) };
                }
                rested = 0;
                open.elapse(Elapse::PointOfOrder, as_of, Meta::default());
                continue;
            }
            rested = 0;
            if open.game.is_closing() {
                // Only optional actions of others are waited for, and not for long.
                if quiet < CLOSING_TICKS && ask_others(open, effects, None) {
                    break Play::Closes { quiet_ticks: quiet };
                }
                quiet = 0;
                open.elapse(Elapse::Closing, as_of, Meta::default());
                continue;
            }
            if std::mem::replace(&mut reaction, open.game.reaction()) != open.game.reaction()
                && ask_others(open, effects, Some(mover))
            {
                // Seats that may react are asked before the seat to move (N-44, N-106).
                break Play::GoesOn;
            }
            if open.seat(mover).dismissed {
                open.stand_in(mover, Stand::Dismissed, Meta::default());
                open.settle();
                open.forget_sent_events();
                continue;
            }
            ask(open, effects, mover, open.must_do());
            ask_others(open, effects, Some(mover));
            break Play::GoesOn;
        };
        open.forget_sent_events();
        let round = open.game.round();
        let tick = if round == self.round { self.tick + 1 } else { 0 };
        ControlFlow::Continue(Offer { play, as_of: open.game.last_event(), round, tick, reaction, ..self })
    }
}

/// Asks every seat except `mover` that can act or subscribes to every tick; `false` if there is none.
fn ask_others(open: &mut OpenGame, effects: &mut Effects, mover: Option<Seat>) -> bool {
    let mut asked = false;
    for seat in Seat::all(open.seats.len()).filter(|seat| Some(*seat) != mover) {
        let state = open.seat(seat);
        // A seat that only disturbs is heard again once something has moved (SPEC 7.2).
        let heard = !state.dismissed && state.idle_reactions < MAX_IDLE_REACTIONS;
        if heard && open.may_react(seat) {
            ask(open, effects, seat, What::React);
            asked = true;
        }
    }
    asked
}

/// Asks `seat`, with a deadline.
pub(super) fn ask(open: &mut OpenGame, effects: &mut Effects, seat: Seat, what: What) {
    let ms = open.setup.time.move_ms + open.seat(seat).bank_ms;
    let id = open.ask(effects, seat, what, ms);
    effects.list.push(Effect::StartDeadline { seat, id, ms });
}

impl OpenGame {
    /// What the seat to move is asked for.
    pub(super) fn must_do(&self) -> What {
        match self.game.phase() {
            Phase::Deal | Phase::TurnUp => What::Deal,
            _ if self.game.waits_for_name().is_some() => What::Choose,
            _ => What::Turn,
        }
    }

    /// True if `seat` can act out of turn, or subscribes to every tick.
    pub(super) fn may_react(&self, seat: Seat) -> bool {
        self.seat(seat).wants.ticks || !self.game.legal(seat).is_empty() || self.game.word_owed(seat).is_some()
    }

    /// Sends an ask, together with everything that `seat` has not been told yet.
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
        effects.send(seat, |out| line.write(out));
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
