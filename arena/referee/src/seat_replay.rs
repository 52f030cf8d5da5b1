//! A recorded game from one seat's side: its asks, rebuilt from the record, and its answers. It replays the log and
//! changes nothing; sending the lines to an agent is left to `maumau feed`.
//!
//! A record holds what was taken up. An ask that was answered with `wait`, or not at all when nothing had to be done, is
//! therefore not rebuilt unless the author's code failed at it or a faulty line came; its events come with the next one. The
//! ask at which an agent was lost is rebuilt. The ids of asks are new.

use std::sync::Arc;

use crate::record::{Crash, Entry, FaultEntry, Meta, MoveCount, MoveNumber, numbered};
use maumau_engine::{Game, agent_seed, commitment};
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{ArenaMessage, AskId, ClockMode, Over, Ready, Start, Want, What};
use maumau_protocol::{Action, Elapse, Event, EventNumber, Seat, Stand};

use crate::faults::{FoundAt, sentence};
use crate::lines::{AskLine, LegalList, SeenBy, name_json, write_over, write_start};
use crate::lockstep::asked_for;
use crate::log::{GameLog, Replay, ReplayError};

/// The outcome of an ask according to the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The seat did this.
    Act(Action),
    /// It did something that the record does not hold: it waited, or the round was over before its answer was taken up.
    Unknown,
    /// Its deadline passed.
    Silence,
    /// Its agent was lost or dismissed before it answered.
    Dismissed(ConductFault),
}

/// An ask of a recorded game.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayedAsk {
    /// The number of the move that resulted (SPEC 9.11).
    pub number: MoveNumber,
    /// The line of it, after `tell`s if one line could not hold all (SPEC 1.3).
    pub line: Vec<u8>,
    /// The id in it.
    pub id: AskId,
    /// What was asked.
    pub what: What,
    /// The last event before it.
    pub as_of: EventNumber,
    /// The outcome.
    pub answer: Recorded,
    /// The kit's message about its author's code, if that failed (SPEC 6.16).
    pub crash: Option<Box<str>>,
    /// Lines that came instead of an answer; each was a strike.
    pub faults: Vec<FaultEntry>,
    /// Microseconds that it took, if the record says so.
    pub took_us: Option<u64>,
}

/// A recorded game from one seat's side.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatReplay {
    /// The line that begins it.
    pub start: Vec<u8>,
    /// The asks in order.
    pub asks: Vec<ReplayedAsk>,
    /// The line that ends it, likewise; an agent that was dismissed is sent none.
    pub over: Option<Vec<u8>>,
}

/// Rebuilds the lines of `seat`, as they would be sent to an agent that answered `ready`.
///
/// # Errors
/// The inputs of the log do not lead to its result, or it has no such seat.
pub fn replay_seat(log: &GameLog, seat: Seat, ready: &Ready) -> Result<SeatReplay, ReplayError> {
    let header = &log.header;
    if seat.index() >= header.names.len() {
        return Err(ReplayError(format!("seat {seat} at a table of {}", header.names.len())));
    }
    let wants = |want| ready.wants.contains(&want);
    let mut due = decisions(log, seat)?.into_iter().peekable();
    let mut replay = Replay::new(header)?;
    let mut events: Vec<Event> = Vec::new();
    let mut asks = Vec::new();
    let name = name_json(&header.game);
    for place in 0..=log.inputs.len() {
        events.extend(replay.drain_events().map(|(_, event)| event));
        while let Some(decision) = due.next_if(|decision| decision.place == place) {
            let sent = if wants(Want::Events) { events.as_slice() } else { &[] };
            // Odd, so that no two are the same; and not small, since an agent that invents ids may send small ones.
            let id = AskId((asks.len() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let game = replay.game();
            let what = asked_for(game, seat);
            let view = wants(Want::View).then(|| game.view(seat));
            let legal = wants(Want::Legal).then(|| LegalList::new(game, seat, what));
            let mut line = Vec::new();
            AskLine {
                game: &name,
                id,
                seat,
                what,
                time_ms: header.time.move_ms,
                as_of: game.last_event(),
                events: SeenBy { seat, events: sent },
                view: view.as_ref(),
                legal,
            }
            .write(&mut line, |_| ());
            let as_of = game.last_event();
            let Decision { number, answer, crash, faults, took_us, .. } = decision;
            asks.push(ReplayedAsk { number, line, id, what, as_of, answer, crash, faults, took_us });
            events.clear();
        }
        if let Some(logged) = log.inputs.get(place) {
            replay.take(&logged.entry)?;
        }
    }
    events.extend(replay.drain_events().map(|(_, event)| event));
    let sent = if wants(Want::Events) { events.as_slice() } else { &[] };
    let mut message = ArenaMessage::Over(Over {
        game: header.game.clone(),
        events: Vec::new(),
        result: log.result.clone(),
        seed: Some(header.seed.to_string()),
    });
    let mut start = ArenaMessage::Start(Box::new(Start {
        game: header.game.clone(),
        seat,
        names: if log.hidden_names { numbered(header.names.len()) } else { header.names.clone() },
        rule_set: header.rules.name.clone(),
        rules: wants(Want::Rules).then(|| Arc::clone(&header.rules)),
        rounds: header.rounds,
        time: header.time,
        max_strikes: header.rules.turn.max_strikes,
        commitment: commitment(&header.game.0, &header.seed),
        seed: agent_seed(&header.seed, &header.game.0, seat),
        public_seed: log.public_seed,
    }));
    let mut start_line = Vec::new();
    write_start(&mut start_line, &mut start);
    let mut over = Vec::new();
    write_over(&mut over, &name, &mut message, SeenBy { seat, events: sent }, |_| ());
    let over = (!log.result.dismissed.contains(&seat)).then_some(over);
    Ok(SeatReplay { start: start_line, asks, over })
}

/// Something that a seat did, or a deadline that it let pass.
struct Decision {
    /// The input before which it was asked.
    place: usize,
    number: MoveNumber,
    answer: Recorded,
    crash: Option<Box<str>>,
    faults: Vec<FaultEntry>,
    took_us: Option<u64>,
}

fn decisions(log: &GameLog, seat: Seat) -> Result<Vec<Decision>, ReplayError> {
    let mut replay = Replay::new(&log.header)?;
    let all_crashes = log.inputs.iter().flat_map(|logged| &logged.meta.crashes);
    let mut crashes: Vec<&Crash> = all_crashes.filter(|crash| crash.seat == seat).collect();
    let last_act = log.inputs.iter().rposition(|logged| matches!(&logged.entry, Entry::Act(act) if act.seat == seat));
    // By input: the last event before it, and the number of the move that comes next.
    let (mut seen, mut numbers) = (Vec::new(), Vec::new());
    let mut moves = MoveCount::default();
    let mut decisions: Vec<Decision> = Vec::new();
    let mut faults = FaultsSoFar::default();
    for (input, logged) in log.inputs.iter().enumerate() {
        let number = moves.next();
        numbers.push(number);
        moves.of(&logged.entry);
        seen.push(replay.game().last_event());
        let Meta { took_us, .. } = logged.meta;
        // A deadline without an entry of its own: nothing had to be done.
        for missed in logged.meta.missed.iter().filter(|missed| missed.seat == seat && !missed.void) {
            let mut unanswered = faults.without_answer(&seen, &numbers, None);
            if let Some(last) = unanswered.last_mut() {
                (last.answer, last.took_us) = (Recorded::Silence, missed.took_us);
            }
            decisions.append(&mut unanswered);
        }
        let mut decide = |place: usize, answer, crash| {
            decisions.extend(faults.without_answer(&seen, &numbers, Some(seen[place])));
            let faults = faults.take();
            decisions.push(Decision { place, number, answer, crash, faults, took_us });
        };
        match &logged.entry {
            Entry::Act(act) if act.seat == seat => {
                // It was asked when it had seen `as_of`; answers of other seats in the same tick may have been taken up before
                // it.
                let asked = seen.iter().rposition(|event| *event == act.as_of).unwrap_or(input);
                let crash = crashes.iter().position(|crash| crash.as_of == act.as_of);
                let crash = crash.map(|index| crashes.remove(index).crash.clone());
                decide(asked, Recorded::Act(act.action.clone()), crash);
            }
            Entry::Stand(stand) if stand.seat == seat && stand.why == Stand::Slow => {
                decide(input, Recorded::Silence, None);
            }
            Entry::Elapse(elapse)
                if elapse.what == Elapse::TurnLimit && took_us.is_some() && replay.game().waits_for() == Some(seat) =>
            {
                decide(input, Recorded::Silence, None);
            }
            Entry::Fault(fault) if fault.seat == seat && is_in_place_of_an_answer(fault.fault) => {
                // On the live clock an ask is never closed, so a line belongs to the next thing the seat does.
                let asked = log.header.clock == ClockMode::Lockstep && may_be_asked(replay.game(), seat);
                faults.0.push((asked.then_some(input), fault.clone()));
            }
            // A seat that had answered already can still be heard afterwards.
            Entry::Dismissed(dismissed)
                if dismissed.seat == seat
                    && is_in_place_of_an_answer(dismissed.fault)
                    && last_act.is_none_or(|last| last < input)
                    && may_be_asked(replay.game(), seat) =>
            {
                decide(input, Recorded::Dismissed(dismissed.fault), None);
            }
            _ => {}
        }
        replay.take(&logged.entry)?;
    }
    if !replay.result().dismissed.contains(&seat) {
        decisions.append(&mut faults.without_answer(&seen, &numbers, None));
    }
    // A crash without an action: the kit waited.
    for crash in crashes {
        let Some(place) = seen.iter().rposition(|event| *event == crash.as_of) else { continue };
        let index = decisions.partition_point(|decision| decision.place < place);
        let (number, answer, crash) = (numbers[place], Recorded::Unknown, Some(crash.crash.clone()));
        decisions.insert(index, Decision { place, number, answer, crash, faults: Vec::new(), took_us: None });
    }
    // Later actions of a seat belong to later asks.
    let mut earliest = 0;
    for decision in &mut decisions {
        earliest = earliest.max(decision.place);
        decision.place = earliest;
    }
    Ok(decisions)
}

/// Faulty lines that no answer has followed yet, each with its input if an ask was open then.
#[derive(Default)]
struct FaultsSoFar(Vec<(Option<usize>, FaultEntry)>);

impl FaultsSoFar {
    fn take(&mut self) -> Vec<FaultEntry> {
        self.0.drain(..).map(|(_, fault)| fault).collect()
    }

    /// Takes those of asks whose answers are not in the record, up to the ask made after the event `next`.
    fn without_answer(
        &mut self,
        seen: &[EventNumber],
        numbers: &[MoveNumber],
        next: Option<EventNumber>,
    ) -> Vec<Decision> {
        let earlier = |input: Option<usize>| input.filter(|input| next.is_none_or(|next| seen[*input] < next));
        let mut decisions = Vec::new();
        while let Some(place) = self.0.iter().find_map(|(input, _)| earlier(*input)) {
            let of_it = |(input, _): &(Option<usize>, _)| input.is_some_and(|input| seen[input] == seen[place]);
            let count = self.0.iter().rposition(of_it).map_or(0, |last| last + 1);
            let faults = self.0.drain(..count).map(|(_, fault)| fault).collect();
            let (number, answer) = (numbers[place], Recorded::Unknown);
            decisions.push(Decision { place, number, answer, crash: None, faults, took_us: None });
        }
        decisions
    }
}

/// True if `fault` is found while an ask is open, and not when an answer is taken up or a deadline has passed.
fn is_in_place_of_an_answer(fault: ConductFault) -> bool {
    match sentence(fault).found {
        FoundAt::OnArrival | FoundAt::AtLoss => true,
        FoundAt::WhenTakenUp | FoundAt::AtDeadline | FoundAt::AtStart => false,
    }
}

/// True if `seat` is asked in this position, as far as the rules decide it.
fn may_be_asked(game: &Game, seat: Seat) -> bool {
    game.waits_for() == Some(seat) || !game.legal(seat).is_empty() || game.word_owed(seat).is_some()
}
