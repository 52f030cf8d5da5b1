//! Lines from agents and deadlines that pass; on the live clock actions go through [`super::live`]. Keeps answers and
//! counts lines; `ticks` takes the answers up, and `conduct` gives strikes.

use crate::record::{AgentStderr, Crash, Entry, Meta, Missed, NoteEntry};
use maumau_protocol::fault::FreeFault;
use maumau_protocol::limits::{
    MAX_CRASHES_KEPT, MAX_NOTES_BYTES_PER_GAME, MAX_NOTES_PER_GAME, MAX_STDERR_BYTES_PER_GAME,
};
use maumau_protocol::message::{Act, AskId, Note, What};
use maumau_protocol::{EventNumber, Seat, Verb};

use super::offer;
use super::open_game::OpenGame;
use super::seat_state::{Answer, OpenAsk, remember};
use super::{Blame, Effects, RefereeEffect};
use crate::faults::{ActRuling, Flood, FoundAt, IdState, Misconduct, rule_act, sentence};
use crate::lockstep::Offer;

impl OpenGame {
    /// Counts a line; too many of them for one ask are a flood (SPEC 6.2).
    fn flooding(&mut self, effects: &mut Effects, seat: Seat) -> bool {
        let state = self.seat_mut(seat);
        let is_flood = state.lines.add();
        if state.dismissed {
            return true;
        }
        if is_flood {
            self.wrong(effects, seat, Flood::Lines.into());
        }
        is_flood
    }

    pub(super) fn note(&mut self, effects: &mut Effects, seat: Seat, note: Note) {
        if self.flooding(effects, seat) {
            return;
        }
        let state = self.seat_mut(seat);
        let bytes = state.notes_bytes + note.note.to_string().len();
        if state.notes >= MAX_NOTES_PER_GAME || bytes > MAX_NOTES_BYTES_PER_GAME {
            state.tally.notes_dropped += 1;
            return;
        }
        state.notes += 1;
        state.notes_bytes = bytes;
        self.keep(Entry::Note(NoteEntry { seat, note: note.note }), Meta::default());
    }

    /// Handles a fault that the host has found; `line` is the beginning of the line, if there was one.
    pub(super) fn found(&mut self, effects: &mut Effects, seat: Seat, wrong: Misconduct, line: Option<Box<str>>) {
        let is_line = sentence(wrong.fault).found == FoundAt::OnArrival;
        if is_line && self.flooding(effects, seat) {
            return;
        }
        let entry = self.log.len();
        self.wrong(effects, seat, wrong);
        if let Some(logged) = self.log.get_mut(entry) {
            logged.meta.line = line;
        }
    }

    /// The deadline of `seat` has passed without an entry of its own.
    pub(super) fn note_missed(&mut self, seat: Seat, meta: &Meta, void: bool) {
        let Meta { took_us, cpu_us, waited_us, stalled_us, frozen, .. } = *meta;
        self.missed.push(Missed { seat, took_us, cpu_us, waited_us, stalled_us, frozen, void });
    }

    /// The code of the author of `seat` failed at an ask made after the event `as_of` (SPEC 6.16).
    pub(super) fn note_crash(&mut self, seat: Seat, as_of: Option<EventNumber>, crash: Box<str>) {
        let count = self.seat_mut(seat).tally.faults.add(FreeFault::Crash);
        if let Some(as_of) = as_of {
            let crash = if count <= MAX_CRASHES_KEPT.into() { crash } else { "".into() };
            self.crashes.push(Crash { seat, as_of, crash });
        }
    }

    /// The agent at `seat` has written `text` to stderr. What exceeds the limit of a game is left out, which a sentence says once.
    pub(super) fn note_stderr(&mut self, seat: Seat, mut text: String) {
        let room = &mut self.seat_mut(seat).stderr_room;
        let Some(left) = *room else { return };
        *room = left.checked_sub(text.len());
        if room.is_none() {
            let end = (0..=left).rev().find(|end| text.is_char_boundary(*end));
            text.truncate(end.unwrap_or_default());
            text += &format!(
                "\n[... the rest is left out: only {MAX_STDERR_BYTES_PER_GAME} bytes of a game are kept ...]\n"
            );
        }
        match self.stderr.iter_mut().find(|known| known.seat == seat) {
            Some(known) => known.text = format!("{}{text}", known.text).into(),
            None => self.stderr.push(AgentStderr { seat, text: text.into() }),
        }
    }
}

pub(super) fn act(offer: &Offer, open: &mut OpenGame, effects: &mut Effects, seat: Seat, act: Act, meta: Meta) {
    if open.flooding(effects, seat) {
        return;
    }
    let state = open.seat(seat);
    let ask = state.ask.as_ref().filter(|ask| ask.answer.is_none());
    let id = match ask {
        Some(ask) if ask.id == act.id || ask.void.contains(&act.id) => IdState::Open,
        _ if state.expired.contains(&act.id) => IdState::Expired,
        _ if state.replaced.contains(&act.id) => IdState::Replaced,
        _ if state.has_answered(act.id) => IdState::Answered,
        _ => IdState::Never,
    };
    let must_move = ask.is_some_and(|ask| ask.what != What::React);
    let ruling = rule_act(id, act.action.verb == Verb::Wait, must_move);
    if let Some(crash) = act.crash.filter(|_| !matches!(ruling, ActRuling::Fault(_))) {
        // For a late answer the events before its ask are no longer known.
        let as_of = (ruling == ActRuling::Answer).then_some(offer.as_of());
        open.note_crash(seat, as_of, crash);
    }
    let time = open.setup.time;
    let state = open.seat_mut(seat);
    match ruling {
        ActRuling::Answer => {
            state.charge_time(&time, &meta);
            if must_move {
                state.missed_in_a_row = 0;
            }
            if let Some(ask) = &mut state.ask {
                ask.answer = Some(Answer::Act(act.action, meta));
                let replacing = std::mem::replace(&mut ask.id, act.id);
                let others = ask.void.drain(..).chain([replacing]).filter(|id| *id != act.id);
                remember(&mut state.replaced, others);
            }
            effects.list.push(RefereeEffect::StopDeadline { seat });
        }
        ActRuling::Late => {
            state.expired.retain(|id| *id != act.id);
            state.remember(act.id);
            state.tally.late += 1;
        }
        ActRuling::Dropped => {
            state.replaced.retain(|id| *id != act.id);
            state.remember(act.id);
        }
        ActRuling::Fault(fault) => open.wrong(effects, seat, Misconduct::of_answer(fault, act.id)),
    }
}

pub(super) fn deadline(
    open: &mut OpenGame,
    effects: &mut Effects,
    (seat, id): (Seat, AskId),
    meta: Meta,
    blame: Blame,
) {
    let state = open.seat_mut(seat);
    let Some(ask) = state.ask.as_mut().filter(|ask| ask.id == id && ask.answer.is_none()) else { return };
    if blame == Blame::Host && state.tally.may_be_void(ask.void.len()) {
        state.tally.void += 1;
        open.note_missed(seat, &meta, true);
        return ask_again(open, effects, seat);
    }
    ask.answer = Some(Answer::Expired(meta.clone()));
    state.missed_in_a_row += u32::from(ask.what != What::React && blame == Blame::Agent);
    remember(&mut state.replaced, ask.void.drain(..));
    remember(&mut state.expired, [id]);
    state.bank_ms = 0;
    state.tally.took_us += meta.took_us.unwrap_or(0);
}

/// The open ask of `seat` was void: it is repeated under a new id. Nothing has changed since, so an answer to the old id is as
/// good (SPEC 5.9).
fn ask_again(open: &mut OpenGame, effects: &mut Effects, seat: Seat) {
    let state = open.seat_mut(seat);
    let lines = state.lines;
    let Some(OpenAsk { id, mut void, what, .. }) = state.ask.take() else { return };
    void.push(id);
    offer::ask(open, effects, seat, what);
    let state = open.seat_mut(seat);
    state.lines = lines;
    if let Some(ask) = &mut state.ask {
        ask.void = void;
    }
}
