//! The state machine of one game. What it takes and gives are [`Input`] and [`Effect`]; each part of it is a file.

mod answers;
mod conduct;
mod effects;
mod ids;
mod input;
mod live;
mod offer;
mod play;
mod seat_state;
mod setup;
mod tally;
mod ticks;
mod timer;
mod times;

use std::sync::Arc;

use crate::record::{Crash, Header, Missed, RECORD_FORMAT};
use maumau_engine::{Game, agent_seed, commitment};
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{ArenaMessage, ClockMode, GameId, GameResult, Over, Start};
use maumau_protocol::{Event, EventNumber, Seat, SeatSet, View};

pub use effects::{Effect, Effects};
use ids::AskIds;
pub use input::{Blame, Input};
use live::Live;
use seat_state::SeatState;
pub use setup::{GameSetup, Player};
pub use tally::Tally;
pub use timer::Timer;
pub(crate) use times::Times;

use crate::faults::{Found, Misconduct, sentence};
use crate::lines::{name_json, write_message};
use crate::log::{GameLog, Logged};
use crate::places::result_of;

/// Inputs for which a log has room from the beginning.
const USUAL_LOG: usize = 32;

/// The judge of one game.
#[derive(Clone)]
pub struct Referee {
    setup: GameSetup,
    name_json: Box<[u8]>,
    game: Game,
    seats: Vec<SeatState>,
    /// Events that some seat has not been sent yet; the first has the number `events_from`.
    events: Vec<Event>,
    tick: u32,
    as_of: EventNumber,
    ids: AskIds,
    log: Vec<Logged>,
    /// Deadlines that have passed since the newest entry of the log, and are told with the next.
    missed: Vec<Missed>,
    /// Failures of agents' own code since then, told with the next entry too.
    crashes: Vec<Crash>,
    view: View,
    order: Vec<Seat>,
    finished: bool,
    /// The last reaction that was offered.
    reaction: u32,
    /// Ticks of the closing time in which nobody acted.
    quiet_ticks: u32,
    /// Ticks of a point of order.
    paused_ticks: u32,
    /// Ticks of a count of ten, the one in which it began included.
    count_ticks: u32,
    /// Ticks in which nothing moved.
    idle_answers: u32,
    /// Whether somebody has acted in this tick, speech and calls aside.
    acted: bool,
    /// Whether a call was upheld in this tick.
    upheld: bool,
    live: Live,
}

impl Referee {
    /// A game that has not begun; [`Referee::begin`] sends the first lines.
    pub fn new(setup: GameSetup) -> Referee {
        let seats = setup.players.iter().map(|player| SeatState::new(player, &setup.time)).collect();
        Referee {
            game: Game::new(Arc::clone(&setup.rules), &setup.seed),
            seats,
            events: Vec::new(),
            tick: 0,
            as_of: EventNumber(0),
            ids: AskIds::new(setup.id_key),
            log: Vec::with_capacity(USUAL_LOG),
            missed: Vec::new(),
            crashes: Vec::new(),
            view: View::default(),
            order: Vec::new(),
            finished: false,
            reaction: 0,
            quiet_ticks: 0,
            paused_ticks: 0,
            count_ticks: 0,
            idle_answers: 0,
            acted: false,
            upheld: false,
            live: Live::default(),
            name_json: name_json(&setup.id),
            setup,
        }
    }

    /// The same judge of another position.
    pub(crate) fn at(self, game: Game) -> Referee {
        Referee { game, ..self }
    }

    /// The game's name.
    pub fn id(&self) -> &GameId {
        &self.setup.id
    }

    /// The position, for whoever watches.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The head of its record.
    pub fn header(&self) -> Header {
        Header {
            format: RECORD_FORMAT.to_owned(),
            engine: maumau_engine::VERSION.to_owned(),
            game: self.setup.id.clone(),
            names: self.setup.players.iter().map(|player| player.name.clone()).collect(),
            rules: Arc::clone(self.setup.rules.set()),
            rounds: self.setup.rules.rounds(),
            seed: self.setup.seed,
            clock: self.setup.clock,
            time: self.setup.time,
        }
    }

    /// What has been logged so far, without deadlines that have passed since the newest entry.
    pub fn logged(&self) -> &[Logged] {
        &self.log
    }

    /// Whether the game is over.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Whether `seat` has been dismissed.
    pub fn is_dismissed(&self, seat: Seat) -> bool {
        self.seats[seat.index()].dismissed
    }

    /// What has been counted of `seat` so far.
    pub fn tally(&self, seat: Seat) -> &Tally {
        &self.seats[seat.index()].tally
    }

    /// Whether an answer of `seat` is waited for.
    pub fn is_asked(&self, seat: Seat) -> bool {
        self.seats[seat.index()].open.as_ref().is_some_and(|open| open.answer.is_none())
    }

    /// Sends `start` to every seat and makes the first offer. Seats without a handshake are dismissed at once.
    pub fn begin(&mut self, effects: &mut Effects) {
        self.settle();
        let mut start = ArenaMessage::Start(Box::new(self.start_message()));
        for seat in Seat::all(self.seats.len()) {
            match self.setup.players[seat.index()].ready.as_ref().err().cloned() {
                Some(message) => self.wrong(effects, seat, Misconduct { fault: ConductFault::NotStarted, message }),
                None => {
                    if let ArenaMessage::Start(start) = &mut start {
                        start.seat = seat;
                        start.rules = self.seats[seat.index()].wants.rules.then(|| Arc::clone(self.setup.rules.set()));
                        start.seed = agent_seed(&self.setup.seed, &self.setup.id.0, seat);
                    }
                    effects.send(seat, |out| write_message(out, &start));
                }
            }
        }
        match self.setup.clock {
            ClockMode::Lockstep => self.offer(effects),
            ClockMode::Live => self.live_begin(effects),
        }
    }

    /// What all seats are told alike.
    fn start_message(&self) -> Start {
        let setup = &self.setup;
        Start {
            game: setup.id.clone(),
            seat: Seat::FIRST,
            names: setup.players.iter().map(|player| player.name.clone()).collect(),
            rule_set: setup.rules.set().name.clone(),
            rules: None,
            rounds: setup.rules.rounds(),
            time: setup.time,
            max_strikes: setup.rules.max_strikes(),
            commitment: commitment(&setup.id.0, &setup.seed),
            seed: String::new(),
        }
    }

    /// Takes one input.
    pub fn handle(&mut self, input: Input, effects: &mut Effects) {
        if self.finished {
            return;
        }
        match input {
            Input::Act { seat, act, meta } if self.setup.clock == ClockMode::Live => {
                self.live_act(effects, seat, act, meta);
            }
            Input::Act { seat, act, meta } => self.act(effects, seat, act, meta),
            Input::Note { seat, note } => self.note(effects, seat, note),
            Input::Wrong { seat, fault, message, line } => {
                let is_line = sentence(fault).found == Found::OnArrival;
                if !is_line || !self.flooding(effects, seat) {
                    let entry = self.log.len();
                    self.wrong(effects, seat, Misconduct { fault, message });
                    if let Some(logged) = self.log.get_mut(entry) {
                        logged.meta.line = line;
                    }
                }
            }
            Input::Timer { timer, meta, blame } => self.live_timer(effects, timer, meta, blame),
            Input::Deadline { seat, id, meta, blame } => self.deadline(effects, seat, id, meta, blame),
        }
        match self.setup.clock {
            ClockMode::Lockstep => self.take_up_answers(effects),
            ClockMode::Live => self.live_step(effects),
        }
    }

    pub(super) fn end(&mut self, effects: &mut Effects) {
        let mut message = ArenaMessage::Over(Over {
            game: self.setup.id.clone(),
            events: Vec::new(),
            result: self.result(),
            seed: self.setup.reveal_seed.then(|| self.setup.seed.to_string()),
        });
        for seat in Seat::all(self.seats.len()) {
            let state = &mut self.seats[seat.index()];
            if state.dismissed {
                continue;
            }
            let events = if state.wants.events { &self.events[state.cursor..] } else { &[] };
            if let ArenaMessage::Over(over) = &mut message {
                over.events = events.iter().map(|event| event.seen_by(seat)).collect();
            }
            effects.send(seat, |out| write_message(out, &message));
        }
        self.finished = true;
        effects.list.push(Effect::Finished);
    }

    fn result(&self) -> GameResult {
        let dismissed = Seat::all(self.seats.len()).filter(|seat| self.seats[seat.index()].dismissed);
        result_of(&self.game, dismissed.collect::<SeatSet>())
    }

    /// The log and the counts of a finished game.
    ///
    /// # Panics
    /// If the game is not finished.
    pub fn finish(mut self) -> (GameLog, Vec<Tally>) {
        assert!(self.finished, "the game {} is not over", self.setup.id.0);
        if let Some(last) = self.log.last_mut() {
            last.meta.missed.append(&mut self.missed);
            last.meta.crashes.append(&mut self.crashes);
        }
        let header = self.header();
        let result = self.result();
        let log = GameLog { header, inputs: self.log, result, sandbox: None, permits: Vec::new() };
        (log, self.seats.into_iter().map(|state| state.tally).collect())
    }
}
