//! The live clock: actions are taken up as they arrive, and time passes for real (DESIGN §3, G-13).
//!
//! Whoever can act is asked, once for each state of play and again after an action of its own that changed nothing; the
//! others are told. An answer may carry the id
//! of any ask of its seat, old ones too; the id says what the seat had seen. Timers are effects like deadlines, and what
//! they bring about is in the log, so a replay needs no clock.

use std::collections::VecDeque;

use maumau_engine::Phase;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::MAX_LINES_PER_ASK;
use maumau_protocol::message::{Act, ArenaMessage, AskId, Tell, What};
use maumau_protocol::record::Meta;
use maumau_protocol::{Action, Elapse, EventNumber, Seat, Stand, Verb};

use super::{Blame, Effect, Effects, Referee};
use crate::lines::write_message;

/// A time that runs in a live game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// The time of the seat to move.
    Turn,
    /// The time for words that are due.
    Grace,
    /// The time that others have before the seat to move is heard.
    Reaction,
    /// The time after a last card.
    Closing,
    /// A count of ten.
    CountOfTen,
    /// The longest time of a point of order.
    PointOfOrder,
}

impl Timer {
    /// Every timer.
    pub const ALL: [Timer; 6] =
        [Timer::Turn, Timer::Grace, Timer::Reaction, Timer::Closing, Timer::CountOfTen, Timer::PointOfOrder];
}

/// Ids of a seat's asks that are remembered.
const REMEMBERED_ASKS: usize = 256;

/// The longest time of a point of order (P-95).
const POINT_OF_ORDER_MS: u64 = 60_000;

/// What a live game keeps beside the rest.
#[derive(Clone, Default)]
pub(super) struct Live {
    /// By seat: the asks so far with what had been told by then, the newest last.
    asks: Vec<VecDeque<(AskId, EventNumber)>>,
    /// By seat: the state of play it was asked in last, and whether it has acted since.
    asked_in: Vec<Option<(u64, bool, bool, What)>>,
    acted: Vec<bool>,
    /// By seat: lines since a card moved or a turn passed.
    chatter: Vec<u32>,
    /// An action of the seat to move that waits for the reaction time.
    held: Option<(Seat, Action, EventNumber, Meta)>,
    /// The times that run, each with the last event before it began.
    running: Vec<(Timer, EventNumber)>,
    /// The last reaction that time was given for, and the state of play for which the turn's time runs.
    reaction: u32,
    progress: Option<u64>,
    /// A state of play, and how often its turn's time was void.
    void: (u64, usize),
}

impl Referee {
    pub(super) fn live_begin(&mut self, effects: &mut Effects) {
        self.live.asks = vec![VecDeque::new(); self.seats.len()];
        self.live.chatter = vec![0; self.seats.len()];
        self.live.asked_in = vec![None; self.seats.len()];
        self.live.acted = vec![false; self.seats.len()];
        self.live_step(effects);
    }

    pub(super) fn live_act(&mut self, effects: &mut Effects, seat: Seat, act: Act, meta: Meta) {
        let index = seat.index();
        if self.seats[index].dismissed {
            return;
        }
        self.live.chatter[index] += 1;
        if self.live.chatter[index] > MAX_LINES_PER_ASK {
            let message = format!("more than {MAX_LINES_PER_ASK} lines while nothing moved");
            return self.wrong(effects, seat, ConductFault::Flood, &message);
        }
        let Some((_, as_of)) = self.live.asks[index].iter().find(|(id, _)| *id == act.id).copied() else {
            return self.wrong(effects, seat, ConductFault::UnknownId, &format!("no ask has the id {}", act.id));
        };
        self.seats[index].tally.answers += 1;
        self.seats[index].tally.took_us += meta.took_us.unwrap_or(0);
        if act.action.verb == Verb::Wait {
            // An answer, not an action: there is nothing to ask again.
            return;
        }
        if self.game.waits_for() == Some(seat) {
            self.seats[index].missed_in_a_row = 0;
        }
        let speaks = matches!(act.action.verb, Verb::Say { .. } | Verb::Call { .. });
        if !speaks && self.live_runs(Timer::Reaction) && self.game.waits_for() == Some(seat) {
            // Heard a little later: until then nothing is to be asked again.
            self.live.held = Some((seat, act.action, as_of, meta));
            return;
        }
        self.live.acted[index] |= self.live.asks[index].back().is_some_and(|(id, _)| *id == act.id);
        self.live_apply(effects, seat, act.action, as_of, meta);
    }

    fn live_apply(&mut self, effects: &mut Effects, seat: Seat, action: Action, as_of: EventNumber, meta: Meta) {
        self.as_of = as_of;
        self.acted = false;
        let counts = matches!(action.verb, Verb::Count);
        self.apply(effects, seat, action, meta);
        self.settle();
        if self.acted && self.game.is_closing() {
            self.stop_timer(effects, Timer::Closing);
        }
        if counts && self.acted {
            // A new count begins at ten.
            self.stop_timer(effects, Timer::CountOfTen);
        }
    }

    /// A time has run out.
    pub(super) fn live_timer(&mut self, effects: &mut Effects, timer: Timer, meta: Meta, blame: Blame) {
        let Some(index) = self.live.running.iter().position(|(running, _)| *running == timer) else { return };
        let (_, since) = self.live.running.remove(index);
        match timer {
            Timer::Turn => {
                self.live.progress = None;
                let Some(mover) = self.game.waits_for() else { return };
                let play = self.game.progress();
                let in_a_row = if self.live.void.0 == play { self.live.void.1 } else { 0 };
                let tally = &mut self.seats[mover.index()].tally;
                if blame == Blame::Host && tally.may_be_void(in_a_row) {
                    // The time of the turn begins anew (SPEC 5.9).
                    tally.void += 1;
                    self.live.void = (play, in_a_row + 1);
                    self.note_missed(mover, &meta, true);
                } else {
                    self.seats[mover.index()].missed_in_a_row += u32::from(blame == Blame::Agent);
                    self.be_too_slow(mover, meta);
                    self.end_silence(effects, mover);
                }
            }
            Timer::Grace => self.elapse(Elapse::Grace, since, Meta::default()),
            Timer::Closing => self.elapse(Elapse::Closing, since, Meta::default()),
            Timer::CountOfTen => self.elapse(Elapse::CountOfTen, since, Meta::default()),
            Timer::PointOfOrder => self.elapse(Elapse::PointOfOrder, since, Meta::default()),
            Timer::Reaction => self.elapse(Elapse::Reaction, since, Meta::default()),
        }
    }

    /// After every input: dismissed seats are played on, timers follow the position, everybody is told.
    pub(super) fn live_step(&mut self, effects: &mut Effects) {
        self.settle();
        loop {
            if self.game.is_over() || self.seats.iter().all(|state| state.dismissed) {
                return self.end(effects);
            }
            match self.game.waits_for() {
                None => return self.end(effects),
                // While play rests nobody is played on (P-96).
                Some(mover) if self.seats[mover.index()].dismissed && !self.game.is_closing() && !self.is_paused() => {
                    self.stand_in(mover, Stand::Dismissed, Meta::default());
                    self.settle();
                }
                Some(mover) => {
                    self.set_timers(effects, mover);
                    if self.live_runs(Timer::Reaction) || !self.hear_held(effects) {
                        return self.broadcast(effects, mover);
                    }
                }
            }
        }
    }

    /// Takes up the action that has waited for the reaction time; `false` where there is none.
    fn hear_held(&mut self, effects: &mut Effects) -> bool {
        let held = self.live.held.take().filter(|(seat, ..)| !self.seats[seat.index()].dismissed);
        let Some((seat, action, as_of, meta)) = held else { return false };
        // Where it changes nothing its seat is asked again.
        self.live.acted[seat.index()] = true;
        self.live_apply(effects, seat, action, as_of, meta);
        true
    }

    fn is_paused(&self) -> bool {
        self.game.point_of_order().is_some()
    }

    fn set_timers(&mut self, effects: &mut Effects, mover: Seat) {
        let time = self.setup.time;
        let paused = self.is_paused();
        self.run_while(effects, paused, Timer::PointOfOrder, POINT_OF_ORDER_MS);
        if paused {
            // Every other clock stands still (P-97).
            self.live.progress = None;
            [Timer::Turn, Timer::Grace, Timer::Closing].into_iter().for_each(|timer| self.stop_timer(effects, timer));
            return;
        }
        let progress = Some(self.game.progress());
        if self.game.is_closing() {
            // Nobody has to move any more.
            self.live.progress = None;
            self.stop_timer(effects, Timer::Turn);
        } else if self.live.progress != progress {
            self.live.progress = progress;
            self.live.chatter.fill(0);
            self.start_timer(effects, Timer::Turn, time.move_ms);
        }
        self.run_while(effects, self.game.words_waited_for().is_some(), Timer::Grace, time.grace_ms);
        self.run_while(effects, self.game.is_closing(), Timer::Closing, time.closing_ms);
        self.run_while(effects, self.game.is_counting(), Timer::CountOfTen, time.count_ms);
        if self.live.reaction != self.game.reaction() {
            self.live.reaction = self.game.reaction();
            let answerable = Seat::all(self.seats.len()).any(|seat| seat != mover && !self.game.legal(seat).is_empty());
            if answerable {
                self.start_timer(effects, Timer::Reaction, time.reaction_ms);
                // The seat to move is not heard before that, so it has as much longer.
                self.start_timer(effects, Timer::Turn, time.move_ms + time.reaction_ms);
            } else {
                self.stop_timer(effects, Timer::Reaction);
            }
        }
    }

    fn run_while(&mut self, effects: &mut Effects, wanted: bool, timer: Timer, ms: u64) {
        match (wanted, self.live_runs(timer)) {
            (true, false) => self.start_timer(effects, timer, ms),
            (false, true) => self.stop_timer(effects, timer),
            _ => {}
        }
    }

    fn live_runs(&self, timer: Timer) -> bool {
        self.live.running.iter().any(|(running, _)| *running == timer)
    }

    fn start_timer(&mut self, effects: &mut Effects, timer: Timer, ms: u64) {
        self.stop_timer(effects, timer);
        self.live.running.push((timer, self.game.last_event()));
        effects.list.push(Effect::StartTimer { timer, ms });
    }

    fn stop_timer(&mut self, effects: &mut Effects, timer: Timer) {
        if self.live_runs(timer) {
            self.live.running.retain(|(running, _)| *running != timer);
            effects.list.push(Effect::StopTimer { timer });
        }
    }

    /// Whoever can act in the present state of play is asked, the others are told what has happened.
    fn broadcast(&mut self, effects: &mut Effects, mover: Seat) {
        self.as_of = self.game.last_event();
        let play = (self.game.progress(), self.game.is_closing(), self.is_paused());
        for seat in Seat::all(self.seats.len()) {
            let index = seat.index();
            if self.seats[index].dismissed {
                continue;
            }
            let what = match self.game.phase() {
                // While play rests nobody has to move (P-96).
                _ if seat != mover || play.1 || play.2 => What::React,
                Phase::Deal | Phase::TurnUp => What::Deal,
                _ if self.game.waits_for_name().is_some() => What::Choose,
                _ => What::Turn,
            };
            let can_act = what != What::React
                || self.seats[index].wants.ticks
                || !self.game.legal(seat).is_empty()
                || self.game.word_owed(seat).is_some();
            let state = Some((play.0, play.1, play.2, what));
            if can_act && (self.live.asked_in[index] != state || self.live.acted[index]) {
                self.live.asked_in[index] = state;
                self.live.acted[index] = false;
                self.ask(effects, seat, what);
            } else if self.seats[index].wants.events && self.seats[index].cursor < self.events.len() {
                let events = self.events[self.seats[index].cursor..].iter().map(|event| event.seen_by(seat)).collect();
                let tell = Tell { game: self.setup.id.clone(), events };
                effects.send(seat, |out| write_message(out, &ArenaMessage::Tell(tell)));
                self.seats[index].cursor = self.events.len();
            }
        }
        self.forget_sent_events();
    }

    /// Remembers an ask of a live game and what had been told with it.
    pub(super) fn live_asked(&mut self, seat: Seat, id: AskId) {
        let asks = &mut self.live.asks[seat.index()];
        asks.push_back((id, self.as_of));
        if asks.len() > REMEMBERED_ASKS {
            asks.pop_front();
        }
    }
}
