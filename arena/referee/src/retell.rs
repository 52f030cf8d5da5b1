//! A recorded game from one seat's side: what it was asked, made again from the record, and what it answered.
//!
//! A record holds what was taken up, so an ask that was answered with `wait`, or not at all where nothing had to be done,
//! is not made again; its events come with the next one. The ids of asks are new.

use std::sync::Arc;

use maumau_engine::{Phase, agent_seed};
use maumau_protocol::message::{ArenaMessage, AskId, Over, Ready, Start, Want, What};
use maumau_protocol::record::{Entry, Meta, MoveCount, MoveNumber};
use maumau_protocol::seed::commitment;
use maumau_protocol::{Action, Event, EventNumber, Seat};

use crate::lines::{AskLine, LegalList, SeenBy, name_json, write_message};
use crate::log::{GameLog, Replay, ReplayError};

/// An ask of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retold {
    /// The number of the move that came of it (SPEC 9.11).
    pub number: MoveNumber,
    /// The line that asks, newline included.
    pub line: Vec<u8>,
    /// The id in it.
    pub id: AskId,
    /// What was asked.
    pub what: What,
    /// The last event before it.
    pub as_of: EventNumber,
    /// What the seat did; `None` where it let its time pass.
    pub answer: Option<Action>,
    /// Microseconds that it took, where the record says so.
    pub took_us: Option<u64>,
}

/// A recorded game from one seat's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The line that begins it.
    pub start: Vec<u8>,
    /// The asks in order.
    pub asks: Vec<Retold>,
    /// The line that ends it.
    pub over: Vec<u8>,
}

/// Makes the lines of `seat` again, as an agent wants them that is `ready`.
///
/// # Errors
/// The log does not lead where it says, or has no such seat.
pub fn retell(log: &GameLog, seat: Seat, ready: &Ready) -> Result<Story, ReplayError> {
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
            let told = if wants(Want::Events) { events.as_slice() } else { &[] };
            let id = AskId(asks.len() as u64 + 1);
            let game = replay.game();
            let what = match game.phase() {
                _ if game.waits_for() != Some(seat) || game.is_closing() => What::React,
                Phase::Deal | Phase::TurnUp => What::Deal,
                _ if game.waits_for_name().is_some() => What::Choose,
                _ => What::Turn,
            };
            let view = wants(Want::View).then(|| game.view(seat));
            let legal = wants(Want::Legal).then(|| LegalList {
                game,
                seat,
                legal: game.legal(seat),
                may_wait: what == What::React,
            });
            let mut line = Vec::new();
            AskLine {
                game: &name,
                id,
                seat,
                what,
                time_ms: header.time.move_ms,
                as_of: game.last_event(),
                events: SeenBy { seat, events: told },
                view: view.as_ref(),
                legal,
            }
            .write(&mut line);
            let as_of = game.last_event();
            let Decision { number, answer, took_us, .. } = decision;
            asks.push(Retold { number, line, id, what, as_of, answer, took_us });
            events.clear();
        }
        if let Some(logged) = log.inputs.get(place) {
            replay.take(&logged.entry)?;
        }
    }
    events.extend(replay.drain_events().map(|(_, event)| event));
    let told = if wants(Want::Events) { events.as_slice() } else { &[] };
    let over = ArenaMessage::Over(Over {
        game: header.game.clone(),
        events: told.iter().map(|event| event.seen_by(seat)).collect(),
        result: log.result.clone(),
        seed: Some(header.seed.to_string()),
    });
    let start = ArenaMessage::Start(Box::new(Start {
        game: header.game.clone(),
        seat,
        names: header.names.clone(),
        rule_set: header.rules.name.clone(),
        rules: wants(Want::Rules).then(|| Arc::clone(&header.rules)),
        rounds: header.rounds,
        time: header.time,
        max_strikes: header.rules.turn.max_strikes,
        commitment: commitment(&header.game.0, &header.seed),
        seed: agent_seed(&header.seed, &header.game.0, seat),
    }));
    let line = |message| {
        let mut line = Vec::new();
        write_message(&mut line, message);
        line
    };
    Ok(Story { start: line(&start), asks, over: line(&over) })
}

/// Something that a seat did, or let pass.
struct Decision {
    /// The input before which it was asked.
    place: usize,
    number: MoveNumber,
    answer: Option<Action>,
    took_us: Option<u64>,
}

fn decisions(log: &GameLog, seat: Seat) -> Result<Vec<Decision>, ReplayError> {
    let mut replay = Replay::new(&log.header)?;
    // By input: the last event before it.
    let mut seen = Vec::new();
    let mut decisions: Vec<Decision> = Vec::new();
    let mut moves = MoveCount::default();
    for (place, logged) in log.inputs.iter().enumerate() {
        let number = moves.next();
        moves.take(&logged.entry);
        seen.push(replay.game().last_event());
        let Meta { took_us, .. } = logged.meta;
        match &logged.entry {
            Entry::Act(act) if act.seat == seat => {
                // It was asked when it had seen `as_of`; others of the same tick may have been taken up before it.
                let asked = seen.iter().rposition(|event| *event == act.as_of).unwrap_or(place);
                let place = decisions.last().map_or(asked, |before| asked.max(before.place));
                decisions.push(Decision { place, number, answer: Some(act.action.clone()), took_us });
            }
            Entry::Stand(stand) if stand.seat == seat && stand.why == maumau_protocol::Stand::Slow => {
                decisions.push(Decision { place, number, answer: None, took_us });
            }
            _ => {}
        }
        replay.take(&logged.entry)?;
    }
    Ok(decisions)
}
