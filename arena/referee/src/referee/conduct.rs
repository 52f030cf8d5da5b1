//! Conduct faults: strikes, dismissals, and what a seat is sent about a refused action. Decides from the tables of
//! `faults` and carries the decision out on a seat and the log; how the fault was found is known by the callers.

use crate::record::{DismissedEntry, Entry, FaultEntry, Meta};
use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::MAX_MISSED_IN_A_ROW;
use maumau_protocol::message::{ArenaMessage, ClockMode, Fault};
use maumau_protocol::{Reason, Seat};

use super::open_game::OpenGame;
use super::seat_state::Answer;
use super::{Effects, RefereeEffect};
use crate::faults::{Misconduct, refusal, sentence};
use crate::lines::write_message;

impl OpenGame {
    /// A conduct fault: a strike, and dismissal at the last strike or if the fault alone suffices (G-04).
    pub(super) fn wrong(&mut self, effects: &mut Effects, seat: Seat, wrong: Misconduct) {
        let Misconduct { fault, message } = wrong;
        let state = self.seat_mut(seat);
        if state.dismissed {
            return;
        }
        let sentence = sentence(fault);
        state.strikes += 1;
        state.tally.faults.add(fault);
        let strikes = state.strikes;
        self.keep(Entry::Fault(FaultEntry { seat, fault, message: message.clone(), strikes }), Meta::default());
        let last = strikes >= self.setup.rules.max_strikes();
        let open = self.seat(seat).ask.as_ref().filter(|ask| ask.answer.is_none()).map(|ask| ask.id);
        if sentence.is_reported() {
            let line = Fault {
                game: Some(self.setup.id.clone()),
                id: open,
                fault: fault.name().to_owned(),
                message: message.clone(),
                clause: sentence.clause.to_owned(),
                cards: 0,
                strikes,
                open: open.is_some() && sentence.ask_stays_open() && !last,
            };
            effects.send(seat, |out| write_message(out, &ArenaMessage::Fault(line)));
        }
        if last || sentence.dismisses() {
            self.dismiss(effects, seat, fault, message);
        }
    }

    /// A deadline of `seat` has been judged; too many missed in a row make the seat silent (SPEC 6.15).
    pub(super) fn end_silence(&mut self, effects: &mut Effects, seat: Seat) {
        if self.seat(seat).missed_in_a_row >= MAX_MISSED_IN_A_ROW {
            let message = format!("no answer to {MAX_MISSED_IN_A_ROW} asks in a row that the game waited for");
            self.wrong(effects, seat, Misconduct { fault: ConductFault::Silent, message });
        }
    }

    fn dismiss(&mut self, effects: &mut Effects, seat: Seat, fault: ConductFault, message: String) {
        let state = self.seat_mut(seat);
        state.dismissed = true;
        if let Some(ask) = &mut state.ask
            && ask.answer.is_none()
        {
            ask.answer = Some(Answer::Dismissed);
            if self.setup.clock == ClockMode::Lockstep {
                effects.list.push(RefereeEffect::StopDeadline { seat });
            }
        }
        self.keep(Entry::Dismissed(DismissedEntry { seat, fault, message }), Meta::default());
        effects.list.push(RefereeEffect::Dismiss { seat, fault });
    }

    pub(super) fn report_refusal(&mut self, effects: &mut Effects, seat: Seat, reason: Reason, cards: u16) {
        let refusal = refusal(reason);
        if let Some(fault) = refusal.conduct() {
            return self.wrong(effects, seat, Misconduct { fault, message: refusal.words.to_owned() });
        }
        if self.seat(seat).dismissed {
            return;
        }
        let fault = Fault {
            game: Some(self.setup.id.clone()),
            id: None,
            fault: refusal.name.to_owned(),
            message: refusal.words.to_owned(),
            clause: refusal.clause.to_owned(),
            cards,
            strikes: self.seat(seat).strikes,
            open: false,
        };
        effects.send(seat, |out| write_message(out, &ArenaMessage::Fault(fault)));
    }
}
