//! The live clock: actions are taken up as they arrive, and time passes for real
//! (ARCHITECTURE.md#order-and-time, G-13). It measures no time itself; seats and log are those of [`super::open_game`].
//!
//! Seats that can act are asked, once for each state of play and again after an action of their own that changed nothing; the
//! others are informed. An answer may carry the id of any ask of its seat, old ones too; the id says what the seat had seen. Timers
//! are effects like deadlines, and what they cause is in the log, so a replay needs no clock.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::record::Meta;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{Act, AskId, What};
use maumau_protocol::{Action, Elapse, EventNumber, Seat, Stand, Verb};

use super::open_game::OpenGame;
use super::times::{RunningTimes, TimeChange};
use super::{Blame, Effects, Input, Timer};
use crate::faults::{Flood, LineCount, Misconduct};
use crate::lines::{LegalList, SeenBy, write_tells};
use crate::lockstep::{MatchOver, asked_for};

/// How many ids of a seat's asks are remembered.
const REMEMBERED_ASKS: usize = 256;

/// The state that only a game on the live clock has.
#[derive(Clone)]
pub(super) struct LiveClock {
    seats: Vec<LiveSeat>,
    /// An action of the seat to move that waits for the reaction time.
    held: Option<Held>,
    times: RunningTimes,
    void: VoidTurns,
}

#[derive(Clone, Default)]
struct LiveSeat {
    /// The asks so far, the newest last.
    asks: VecDeque<Asked>,
    /// The last question to it, and the state of play it was asked in.
    asked_in: Option<(StateOfPlay, What)>,
    /// True if it has acted since.
    acted: bool,
    /// Answers since a card moved or a turn passed, except those that its asks invited.
    chatter: LineCount,
}

/// An ask of a live game.
#[derive(Clone)]
struct Asked {
    id: AskId,
    /// The last event that the seat had been sent by then.
    as_of: EventNumber,
    /// The entries of its `legal`, until one of them has been the answer.
    legal: Vec<Verb>,
}

#[derive(Clone)]
struct Held {
    seat: Seat,
    action: Action,
    as_of: EventNumber,
    meta: Meta,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct StateOfPlay {
    progress: u64,
    is_closing: bool,
    is_paused: bool,
}

/// How many times the time of a turn was void.
#[derive(Clone, Copy, Default)]
struct VoidTurns {
    /// The state of play that is meant.
    progress: u64,
    in_a_row: usize,
}

impl LiveClock {
    /// Asks or informs every seat that can act.
    pub(super) fn begin(open: &mut OpenGame, effects: &mut Effects) -> ControlFlow<MatchOver, LiveClock> {
        let seats = vec![LiveSeat::default(); open.seats.len()];
        let mut live = LiveClock { seats, held: None, times: RunningTimes::default(), void: VoidTurns::default() };
        live.step(open, effects)?;
        ControlFlow::Continue(live)
    }

    /// Takes one input, and sends every seat the result.
    pub(super) fn take(&mut self, open: &mut OpenGame, effects: &mut Effects, input: Input) -> ControlFlow<MatchOver> {
        match input {
            Input::Act { seat, act, meta } => self.act(open, effects, seat, act, meta),
            Input::Note { seat, note } => open.note(effects, seat, note),
            Input::Wrong { seat, fault, message, line } => {
                open.found(effects, seat, Misconduct { fault, message }, line);
            }
            Input::Timer { timer, meta, blame } => self.timer(open, effects, timer, meta, blame),
            // Asks have no deadlines here.
            Input::Deadline { .. } => {}
        }
        self.step(open, effects)
    }

    fn act(&mut self, open: &mut OpenGame, effects: &mut Effects, seat: Seat, act: Act, meta: Meta) {
        if open.seat(seat).dismissed {
            return;
        }
        let live = &mut self.seats[seat.index()];
        let asked = live.asks.iter_mut().find(|asked| asked.id == act.id);
        let as_of = asked.as_ref().map(|asked| asked.as_of);
        // Answers that an ask invites never count as too many (SPEC 7.12): other seats can cause any number of asks.
        let invited = asked.filter(|asked| asked.legal.contains(&act.action.verb));
        match invited {
            Some(asked) => asked.legal = Vec::new(),
            None if live.chatter.add() => return open.wrong(effects, seat, Flood::Answers.into()),
            None => {}
        }
        let Some(as_of) = as_of else {
            return open.wrong(effects, seat, Misconduct::of_answer(ConductFault::UnknownId, act.id));
        };
        if let Some(crash) = act.crash {
            open.note_crash(seat, Some(as_of), crash);
        }
        let state = open.seat_mut(seat);
        state.tally.answers += 1;
        state.tally.took_us += meta.took_us.unwrap_or(0);
        if act.action.verb == Verb::Wait {
            // It is an answer, not an action: there is nothing to ask again.
            return;
        }
        let must_move = open.game.waits_for() == Some(seat);
        if must_move {
            open.seat_mut(seat).missed_in_a_row = 0;
        }
        let speaks = matches!(act.action.verb, Verb::Say { .. } | Verb::Call { .. });
        if !speaks && must_move && self.times.runs(Timer::Reaction) {
            // It is taken up a little later: until then nothing is asked again.
            self.held = Some(Held { seat, action: act.action, as_of, meta });
            return;
        }
        live.acted |= live.asks.back().is_some_and(|newest| newest.id == act.id);
        self.apply(open, effects, Held { seat, action: act.action, as_of, meta });
    }

    fn apply(&mut self, open: &mut OpenGame, effects: &mut Effects, heard: Held) {
        let Held { seat, action, as_of, meta } = heard;
        let verb = action.verb.clone();
        let outcome = open.apply(effects, seat, action, as_of, meta);
        open.settle();
        if outcome.acted {
            self.times.acted(&open.game, &verb, &mut |change| effects.list.push(change.into()));
        }
    }

    /// A time has run out.
    fn timer(&mut self, open: &mut OpenGame, effects: &mut Effects, timer: Timer, meta: Meta, blame: Blame) {
        let Some(since) = self.times.pass(timer) else { return };
        let what = match timer {
            Timer::Turn => return self.turn_over(open, effects, meta, blame),
            Timer::Grace => Elapse::Grace,
            Timer::Closing => Elapse::Closing,
            Timer::CountOfTen => Elapse::CountOfTen,
            Timer::PointOfOrder => Elapse::PointOfOrder,
            Timer::Reaction => Elapse::Reaction,
        };
        open.elapse(what, since, Meta::default());
    }

    /// The time of a turn has run out.
    fn turn_over(&mut self, open: &mut OpenGame, effects: &mut Effects, meta: Meta, blame: Blame) {
        let Some(mover) = open.game.waits_for() else { return };
        let progress = open.game.progress();
        let in_a_row = if self.void.progress == progress { self.void.in_a_row } else { 0 };
        let state = open.seat_mut(mover);
        if blame == Blame::Host && state.tally.may_be_void(in_a_row) {
            // It begins again (SPEC 5.9).
            state.tally.void += 1;
            self.void = VoidTurns { progress, in_a_row: in_a_row + 1 };
            open.note_missed(mover, &meta, true);
        } else {
            state.missed_in_a_row += u32::from(blame == Blame::Agent);
            open.be_too_slow(mover, meta);
            open.end_silence(effects, mover);
        }
    }

    /// Runs after every input: plays on for dismissed seats, sets timers by the position, informs every seat.
    fn step(&mut self, open: &mut OpenGame, effects: &mut Effects) -> ControlFlow<MatchOver> {
        open.settle();
        loop {
            let waits_for = open.game.waits_for().filter(|_| !open.is_deserted() && !open.game.is_over());
            let Some(mover) = waits_for else { return ControlFlow::Break(MatchOver) };
            self.set_timers(open, effects, mover);
            // While play rests the referee acts for no seat (P-96), nor before others have had their time to react (N-44).
            let waits = open.game.is_closing() || open.is_paused() || self.times.runs(Timer::Reaction);
            if open.seat(mover).dismissed && !waits {
                open.act_for(mover, Stand::Dismissed, Meta::default());
                open.settle();
                continue;
            }
            if self.times.runs(Timer::Reaction) || !self.hear_held(open, effects) {
                self.broadcast(open, effects);
                return ControlFlow::Continue(());
            }
        }
    }

    /// Takes up the action that has waited for the reaction time; `false` if there is none.
    fn hear_held(&mut self, open: &mut OpenGame, effects: &mut Effects) -> bool {
        let Some(held) = self.held.take().filter(|held| !open.seat(held.seat).dismissed) else { return false };
        // If it changes nothing its seat is asked again.
        self.seats[held.seat.index()].acted = true;
        self.apply(open, effects, held);
        true
    }

    fn set_timers(&mut self, open: &OpenGame, effects: &mut Effects, mover: Seat) {
        let mut report = |change: TimeChange| effects.list.push(change.into());
        if self.times.follow(&open.game, mover, &open.setup.time, &mut report) {
            self.seats.iter_mut().for_each(|live| live.chatter = LineCount::default());
        }
    }

    /// Asks the seats that can act in the present state of play, and informs the others of what has happened.
    fn broadcast(&mut self, open: &mut OpenGame, effects: &mut Effects) {
        let game = &open.game;
        let (is_closing, is_paused) = (game.is_closing(), open.is_paused());
        let play = StateOfPlay { progress: game.progress(), is_closing, is_paused };
        for (seat, live) in Seat::all(open.seats.len()).zip(&mut self.seats) {
            if open.seat(seat).dismissed {
                continue;
            }
            let what = asked_for(&open.game, seat);
            let can_act = what != What::React || open.may_react(seat);
            let asked_in = Some((play, what));
            if can_act && (live.asked_in != asked_in || live.acted) {
                live.asked_in = asked_in;
                live.acted = false;
                live.ask(open, effects, seat, what);
            } else {
                send_events(open, effects, seat);
            }
        }
        open.forget_sent_events();
    }
}

impl LiveSeat {
    /// Asks the seat, and remembers what it had been sent by then and its list of actions.
    fn ask(&mut self, open: &mut OpenGame, effects: &mut Effects, seat: Seat, what: What) {
        let id = open.ask(effects, seat, what, open.setup.time.move_ms);
        let mut legal = Vec::new();
        LegalList::new(&open.game, seat, what).for_each(|verb| legal.push(verb));
        self.asks.push_back(Asked { id, as_of: open.game.last_event(), legal });
        if self.asks.len() > REMEMBERED_ASKS {
            self.asks.pop_front();
        }
    }
}

/// Sends `seat` what has happened, if it subscribes to events and there are any.
fn send_events(open: &mut OpenGame, effects: &mut Effects, seat: Seat) {
    let state = &mut open.seats[seat.index()];
    if !state.wants.events || state.cursor == open.events.len() {
        return;
    }
    let seen = SeenBy { seat, events: &open.events[state.cursor..] };
    effects.send_lines(seat, |out, each| write_tells(out, &open.name_json, seen, each));
    state.cursor = open.events.len();
}
