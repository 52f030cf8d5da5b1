//! The live clock: actions are taken up as they arrive, and time passes for real (DESIGN §3, G-13).
//!
//! Whoever can act is asked, once for each state of play and again after an action of its own that changed nothing; the
//! others are told. An answer may carry the id
//! of any ask of its seat, old ones too; the id says what the seat had seen. Timers are effects like deadlines, and what
//! they bring about is in the log, so a replay needs no clock.

use std::collections::VecDeque;

use crate::record::Meta;
use maumau_engine::Phase;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{Act, ArenaMessage, AskId, Tell, What};
use maumau_protocol::{Action, Elapse, EventNumber, Seat, Stand, Verb};

use super::times::Times;
use super::{Blame, Effects, Referee, Timer};
use crate::faults::{Flood, LineCount, Misconduct};
use crate::lines::write_message;

/// Ids of a seat's asks that are remembered.
const REMEMBERED_ASKS: usize = 256;

/// What a live game keeps beside the rest.
#[derive(Clone, Default)]
pub(super) struct Live {
    /// By seat: the asks so far, the newest last.
    asks: Vec<VecDeque<Asked>>,
    /// By seat: the state of play it was asked in last, and whether it has acted since.
    asked_in: Vec<Option<(u64, bool, bool, What)>>,
    acted: Vec<bool>,
    /// By seat: answers since a card moved or a turn passed, but for those that its asks invited.
    chatter: Vec<LineCount>,
    /// An action of the seat to move that waits for the reaction time.
    held: Option<(Seat, Action, EventNumber, Meta)>,
    times: Times,
    /// A state of play, and how often its turn's time was void.
    void: (u64, usize),
}

/// An ask of a live game.
#[derive(Clone)]
struct Asked {
    id: AskId,
    /// The last event that had been told by then.
    as_of: EventNumber,
    /// The entries of its `legal`, until one of them has been the answer.
    legal: Vec<Verb>,
}

impl Referee {
    pub(super) fn live_begin(&mut self, effects: &mut Effects) {
        self.live.asks = vec![VecDeque::new(); self.seats.len()];
        self.live.chatter = vec![LineCount::default(); self.seats.len()];
        self.live.asked_in = vec![None; self.seats.len()];
        self.live.acted = vec![false; self.seats.len()];
        self.live_step(effects);
    }

    pub(super) fn live_act(&mut self, effects: &mut Effects, seat: Seat, act: Act, meta: Meta) {
        let index = seat.index();
        if self.seats[index].dismissed {
            return;
        }
        let asked = self.live.asks[index].iter_mut().find(|asked| asked.id == act.id);
        let as_of = asked.as_ref().map(|asked| asked.as_of);
        // What an ask invites is never too much (SPEC 7.12): others may bring about any number of asks.
        let invited = asked.filter(|asked| asked.legal.contains(&act.action.verb));
        match invited {
            Some(asked) => asked.legal = Vec::new(),
            None if self.live.chatter[index].add() => return self.wrong(effects, seat, Flood::Answers.into()),
            None => {}
        }
        let Some(as_of) = as_of else {
            return self.wrong(effects, seat, Misconduct::of_answer(ConductFault::UnknownId, act.id));
        };
        if let Some(crash) = act.crash {
            self.note_crash(seat, Some(as_of), crash);
        }
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
        self.live.acted[index] |= self.live.asks[index].back().is_some_and(|newest| newest.id == act.id);
        self.live_apply(effects, seat, act.action, as_of, meta);
    }

    fn live_apply(&mut self, effects: &mut Effects, seat: Seat, action: Action, as_of: EventNumber, meta: Meta) {
        self.as_of = as_of;
        self.acted = false;
        let verb = action.verb.clone();
        self.apply(effects, seat, action, meta);
        self.settle();
        if self.acted {
            self.live.times.acted(&self.game, &verb, &mut |change| effects.list.push(change.into()));
        }
    }

    /// A time has run out.
    pub(super) fn live_timer(&mut self, effects: &mut Effects, timer: Timer, meta: Meta, blame: Blame) {
        let Some(since) = self.live.times.pass(timer) else { return };
        match timer {
            Timer::Turn => {
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
        let time = &self.setup.time;
        if self.live.times.follow(&self.game, mover, time, &mut |change| effects.list.push(change.into())) {
            self.live.chatter.fill(LineCount::default());
        }
    }

    fn live_runs(&self, timer: Timer) -> bool {
        self.live.times.runs(timer)
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

    /// Remembers an ask of a live game, what had been told with it, and its list of actions.
    pub(super) fn live_asked(&mut self, seat: Seat, id: AskId, legal: Vec<Verb>) {
        let asks = &mut self.live.asks[seat.index()];
        asks.push_back(Asked { id, as_of: self.as_of, legal });
        if asks.len() > REMEMBERED_ASKS {
            asks.pop_front();
        }
    }
}
