//! One tick of a game in lockstep: the answers are taken up, and logical time passes.

use crate::record::Meta;
use maumau_protocol::limits::{COUNT_TICKS, MAX_IDLE_ANSWERS};
use maumau_protocol::message::What;
use maumau_protocol::{Elapse, Reason, Seat, Stand, Verb};

use super::seat_state::{Answer, Open};
use super::{Effects, Referee};
use crate::faults::LineCount;

impl Referee {
    /// As soon as every asked seat has answered, takes the answers up in the order drawn for this tick, each judged as of
    /// the offer, and makes the next offer (DESIGN §3).
    pub(super) fn take_up_answers(&mut self, effects: &mut Effects) {
        let mut asked = self.seats.iter().filter_map(|state| state.open.as_ref()).peekable();
        if asked.peek().is_none() || !asked.all(|open| open.answer.is_some()) {
            return;
        }
        let (round, progress, closing) = (self.game.round(), self.game.progress(), self.game.is_closing());
        let rested = self.game.point_of_order().is_some();
        self.acted = false;
        self.upheld = false;
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(Seat::all(self.seats.len()).filter(|seat| self.seats[seat.index()].open.is_some()));
        self.game.shuffle_answers(self.tick, &mut order);
        for seat in &order {
            let state = &mut self.seats[seat.index()];
            state.lines = LineCount::default();
            if let Some(Open { id, what, answer: Some(answer), .. }) = state.open.take() {
                if matches!(answer, Answer::Act(..)) {
                    state.remember(id);
                }
                if self.game.round() == round && !self.game.is_over() {
                    self.take_up(effects, *seat, what, answer);
                    self.settle();
                } else {
                    self.pass_over(effects, *seat, answer);
                }
                self.end_silence(effects, *seat);
            }
        }
        self.order = order;
        self.pass_time(progress, closing, rested);
        self.tick = if self.game.round() == round { self.tick + 1 } else { 0 };
        self.offer(effects);
    }

    fn take_up(&mut self, effects: &mut Effects, seat: Seat, what: What, answer: Answer) {
        match answer {
            Answer::Act(action, _) if action.verb == Verb::Wait => {}
            Answer::Act(action, meta) => {
                self.seats[seat.index()].idle_reactions += u32::from(what == What::React);
                self.apply(effects, seat, action, meta);
            }
            // A silent seat that need not act has declined.
            Answer::Expired(meta) if what == What::React => self.note_missed(seat, &meta, false),
            Answer::Dismissed if what == What::React => {}
            Answer::Expired(meta) if self.game.waits_for() != Some(seat) => self.note_missed(seat, &meta, false),
            Answer::Expired(meta) => self.be_too_slow(seat, meta),
            Answer::Dismissed => self.stand_in(seat, Stand::Dismissed, Meta::default()),
        }
    }

    /// The round that `answer` was meant for is over.
    fn pass_over(&mut self, effects: &mut Effects, seat: Seat, answer: Answer) {
        match answer {
            Answer::Act(action, _) if action.verb != Verb::Wait => {
                self.tell_refusal(effects, seat, Reason::Interrupted, 0);
            }
            Answer::Act(..) | Answer::Dismissed => {}
            Answer::Expired(meta) => self.note_missed(seat, &meta, false),
        }
    }

    /// At the end of a tick: what logical time does (G-13), and the patience with a seat that moves nothing.
    fn pass_time(&mut self, progress: u64, closing: bool, rested: bool) {
        let quiet = closing && !self.acted;
        self.quiet_ticks = if quiet { self.quiet_ticks + 1 } else { 0 };
        if self.game.words_waited_for().is_some_and(|since| since <= self.as_of) {
            self.elapse(Elapse::Grace, self.as_of, Meta::default());
        }
        self.count_ticks = if self.game.is_counting() { self.count_ticks + 1 } else { 0 };
        if self.count_ticks > COUNT_TICKS {
            self.elapse(Elapse::CountOfTen, self.as_of, Meta::default());
        }
        if self.game.progress() != progress {
            self.idle_answers = 0;
            self.seats.iter_mut().for_each(|state| state.idle_reactions = 0);
        } else if !self.upheld && !rested {
            self.idle_answers += 1;
        }
        if self.idle_answers > MAX_IDLE_ANSWERS
            && self.game.point_of_order().is_none()
            && let Some(mover) = self.game.waits_for()
        {
            self.idle_answers = 0;
            self.be_too_slow(mover, Meta::default());
        }
    }
}
