//! The referee at one tick of a game in lockstep: what an input, an ask, an answer and a time that has passed mean for its
//! seats and its log. It carries out what [`crate::lockstep`] decides.

use std::ops::ControlFlow;

use crate::record::Meta;
use maumau_engine::Game;
use maumau_protocol::message::What;
use maumau_protocol::{Elapse, EventNumber, Reason, Seat, SeatSet, Stand, Verb};

use super::open_game::OpenGame;
use super::seat_state::{Answer, OpenAsk};
use super::{Effects, Input, answers, offer};
use crate::faults::{LineCount, Misconduct};
use crate::lockstep::{ActionOutcome, LockstepTable, MatchOver, Offer};

/// Takes one input; when that was the last answer, takes up all answers and makes the next offer.
pub(super) fn take(
    offer: &mut Offer,
    open: &mut OpenGame,
    effects: &mut Effects,
    input: Input,
) -> ControlFlow<MatchOver> {
    match input {
        Input::Act { seat, act, meta } => answers::act(offer, open, effects, seat, act, meta),
        Input::Note { seat, note } => open.note(effects, seat, note),
        Input::Wrong { seat, fault, message, line } => {
            open.found(effects, seat, Misconduct { fault, message }, line);
        }
        Input::Deadline { seat, id, meta, blame } => answers::deadline(open, effects, (seat, id), meta, blame),
        // Lockstep runs no such time.
        Input::Timer { .. } => {}
    }
    if open.seats.iter().filter_map(|state| state.ask.as_ref()).all(|ask| ask.answer.is_some()) {
        *offer = offer.answered(&mut Asking { open, effects })?;
    }
    ControlFlow::Continue(())
}

/// A game in lockstep together with the effects of the present input.
pub(super) struct Asking<'a> {
    pub(super) open: &'a mut OpenGame,
    pub(super) effects: &'a mut Effects,
}

impl LockstepTable for Asking<'_> {
    fn game(&self) -> &Game {
        &self.open.game
    }

    fn game_mut(&mut self) -> &mut Game {
        &mut self.open.game
    }

    fn is_dismissed(&self, seat: Seat) -> bool {
        self.open.seat(seat).dismissed
    }

    fn wants_ticks(&self, seat: Seat) -> bool {
        self.open.seat(seat).wants.ticks
    }

    fn idle_reactions(&mut self, seat: Seat) -> &mut u8 {
        &mut self.open.seat_mut(seat).idle_reactions
    }

    fn asked(&self) -> SeatSet {
        Seat::all(self.open.seats.len()).filter(|seat| self.open.seat(*seat).ask.is_some()).collect()
    }

    fn ask(&mut self, seat: Seat, what: What) {
        offer::ask(self.open, self.effects, seat, what);
    }

    fn process_answer(&mut self, offer: &Offer, seat: Seat, in_round: bool) -> ActionOutcome {
        let state = self.open.seat_mut(seat);
        state.lines = LineCount::default();
        let Some(OpenAsk { id, what, answer: Some(answer), .. }) = state.ask.take() else {
            return ActionOutcome::default();
        };
        if matches!(answer, Answer::Act(..)) {
            state.remember(id);
        }
        let mut outcome = ActionOutcome::default();
        if in_round {
            outcome = self.judge(offer, seat, what, answer);
            self.open.settle();
        } else {
            pass_over(self.open, self.effects, seat, answer);
        }
        self.open.end_silence(self.effects, seat);
        outcome
    }

    fn settle(&mut self) {
        self.open.settle();
    }

    fn elapse(&mut self, what: Elapse, as_of: EventNumber) {
        self.open.elapse(what, as_of, Meta::default());
    }

    fn act_for(&mut self, seat: Seat, why: Stand) {
        self.open.act_for(seat, why, Meta::default());
    }

    fn be_too_slow(&mut self, seat: Seat) {
        self.open.be_too_slow(seat, Meta::default());
    }

    fn all_informed(&mut self) {
        self.open.forget_sent_events();
    }
}

impl Asking<'_> {
    fn judge(&mut self, offer: &Offer, seat: Seat, what: What, answer: Answer) -> ActionOutcome {
        let Asking { open, effects } = self;
        match answer {
            Answer::Act(action, _) if action.verb == Verb::Wait => {}
            Answer::Act(action, meta) => {
                open.seat_mut(seat).idle_reactions += u8::from(what == What::React);
                return open.apply(effects, seat, action, offer.as_of(), meta);
            }
            // A silent seat that does not have to act has declined.
            Answer::Expired(meta) if what == What::React => open.note_missed(seat, &meta, false),
            Answer::Dismissed if what == What::React => {}
            Answer::Expired(meta) if open.game.waits_for() != Some(seat) => open.note_missed(seat, &meta, false),
            Answer::Expired(meta) => open.be_too_slow(seat, meta),
            Answer::Dismissed => open.act_for(seat, Stand::Dismissed, Meta::default()),
        }
        ActionOutcome::default()
    }
}

/// The round that `answer` was meant for is over.
fn pass_over(open: &mut OpenGame, effects: &mut Effects, seat: Seat, answer: Answer) {
    match answer {
        Answer::Act(action, _) if action.verb != Verb::Wait => {
            open.report_refusal(effects, seat, Reason::Interrupted, 0);
        }
        Answer::Act(..) | Answer::Dismissed => {}
        Answer::Expired(meta) => open.note_missed(seat, &meta, false),
    }
}
