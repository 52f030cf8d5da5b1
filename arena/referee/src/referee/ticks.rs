//! One tick of a game in lockstep: the answers to an offer are taken up, and logical time passes. Draws the order and
//! applies the answers through `play`; whom to ask next is decided in [`super::offer`].

use crate::record::Meta;
use maumau_protocol::limits::{COUNT_TICKS, MAX_IDLE_ANSWERS};
use maumau_protocol::message::What;
use maumau_protocol::{Elapse, MAX_SEATS, Reason, Seat, Stand, Verb};

use super::Effects;
use super::offer::{Offer, Play};
use super::open_game::OpenGame;
use super::play::Outcome;
use super::seat_state::{Answer, OpenAsk};
use crate::faults::LineCount;

impl Offer {
    /// Takes the answers up in the order drawn for this tick, each judged as of the offer (DESIGN §3); returns the offer with
    /// the time that has passed meanwhile.
    pub(super) fn take_up_answers(self, open: &mut OpenGame, effects: &mut Effects) -> Offer {
        let progress = open.game.progress();
        let mut seats = [Seat::FIRST; MAX_SEATS];
        let mut asked = 0;
        for seat in Seat::all(open.seats.len()).filter(|seat| open.seat(*seat).ask.is_some()) {
            seats[asked] = seat;
            asked += 1;
        }
        let order = &mut seats[..asked];
        open.game.shuffle_answers(self.tick, order);
        let mut outcome = Outcome::default();
        for seat in order.iter().copied() {
            let state = open.seat_mut(seat);
            state.lines = LineCount::default();
            if let Some(OpenAsk { id, what, answer: Some(answer), .. }) = state.ask.take() {
                if matches!(answer, Answer::Act(..)) {
                    state.remember(id);
                }
                if open.game.round() == self.round && !open.game.is_over() {
                    outcome |= self.take_up(open, effects, seat, what, answer);
                    open.settle();
                } else {
                    pass_over(open, effects, seat, answer);
                }
                open.end_silence(effects, seat);
            }
        }
        self.pass_time(open, progress, outcome)
    }

    fn take_up(&self, open: &mut OpenGame, effects: &mut Effects, seat: Seat, what: What, answer: Answer) -> Outcome {
        match answer {
            Answer::Act(action, _) if action.verb == Verb::Wait => {}
            Answer::Act(action, meta) => {
                open.seat_mut(seat).idle_reactions += u32::from(what == What::React);
                return open.apply(effects, seat, action, self.as_of, meta);
            }
            // A silent seat that does not have to act has declined.
            Answer::Expired(meta) if what == What::React => open.note_missed(seat, &meta, false),
            Answer::Dismissed if what == What::React => {}
            Answer::Expired(meta) if open.game.waits_for() != Some(seat) => open.note_missed(seat, &meta, false),
            Answer::Expired(meta) => open.be_too_slow(seat, meta),
            Answer::Dismissed => open.stand_in(seat, Stand::Dismissed, Meta::default()),
        }
        Outcome::default()
    }

    /// At the end of a tick: advances logical time (G-13), and counts down the patience with a seat that moves nothing.
    fn pass_time(mut self, open: &mut OpenGame, progress: u64, outcome: Outcome) -> Offer {
        let rested = matches!(self.play, Play::Rests { .. });
        if let Play::Closes { quiet_ticks } | Play::Rests { quiet_ticks: Some(quiet_ticks), .. } = &mut self.play {
            *quiet_ticks = if outcome.acted { 0 } else { *quiet_ticks + 1 };
        }
        if open.game.words_waited_for().is_some_and(|since| since <= self.as_of) {
            open.elapse(Elapse::Grace, self.as_of, Meta::default());
        }
        self.count_ticks = if open.game.is_counting() { self.count_ticks + 1 } else { 0 };
        if self.count_ticks > COUNT_TICKS {
            open.elapse(Elapse::CountOfTen, self.as_of, Meta::default());
        }
        if open.game.progress() != progress {
            self.idle_ticks = 0;
            open.seats.iter_mut().for_each(|state| state.idle_reactions = 0);
        } else if !outcome.upheld && !rested {
            self.idle_ticks += 1;
        }
        if self.idle_ticks > MAX_IDLE_ANSWERS
            && !open.is_paused()
            && let Some(mover) = open.game.waits_for()
        {
            self.idle_ticks = 0;
            open.be_too_slow(mover, Meta::default());
        }
        self
    }
}

/// The round that `answer` was meant for is over.
fn pass_over(open: &mut OpenGame, effects: &mut Effects, seat: Seat, answer: Answer) {
    match answer {
        Answer::Act(action, _) if action.verb != Verb::Wait => {
            open.tell_refusal(effects, seat, Reason::Interrupted, 0);
        }
        Answer::Act(..) | Answer::Dismissed => {}
        Answer::Expired(meta) => open.note_missed(seat, &meta, false),
    }
}
