//! The state machine of one game. It takes [`Input`]s and gives [`RefereeEffect`]s; each part of it is a file. It holds the
//! stage and hands each input to it; it sends nothing itself and knows no clock and no process.

mod answers;
mod conduct;
mod effects;
mod ids;
mod input;
mod live;
mod offer;
mod open_game;
mod play;
mod seat_state;
mod setup;
mod stage;
mod tally;
mod ticks;
mod timer;
mod times;

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::record::Header;
use maumau_engine::{Game, agent_seed};
use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{ArenaMessage, ClockMode, GameId};

pub use effects::{Effects, RefereeEffect};
pub use input::{Blame, Input};
use live::LiveClock;
use open_game::OpenGame;
pub use setup::{GameSetup, Player};
use stage::Stage;
pub use tally::SeatTally;
use ticks::Asking;
pub use timer::Timer;
pub(crate) use times::RunningTimes;

use crate::faults::Misconduct;
use crate::lines::write_start;
use crate::lockstep::{MatchOver, Offer};
use crate::log::{GameLog, Logged};

/// The judge of one game.
#[derive(Clone)]
pub struct Referee {
    stage: Stage,
    open: OpenGame,
}

impl Referee {
    /// A game that has not begun; [`Referee::begin`] sends the first lines.
    pub fn new(setup: GameSetup) -> Referee {
        Referee { stage: Stage::Starting, open: OpenGame::new(setup) }
    }

    /// The same judge with another position.
    pub(crate) fn at(mut self, game: Game) -> Referee {
        self.open.game = game;
        self
    }

    /// The game's name.
    pub fn id(&self) -> &GameId {
        &self.open.setup.id
    }

    /// The position, for observers.
    pub fn game(&self) -> &Game {
        &self.open.game
    }

    /// The header of its record.
    pub fn header(&self) -> Header {
        self.open.header()
    }

    /// The log so far, without deadlines that have passed since the newest entry.
    pub fn logged(&self) -> &[Logged] {
        &self.open.log
    }

    /// Whether the game is over.
    pub fn is_finished(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// Whether `seat` has been dismissed.
    pub fn is_dismissed(&self, seat: Seat) -> bool {
        self.open.seat(seat).dismissed
    }

    /// The counts of `seat` so far.
    pub fn tally(&self, seat: Seat) -> &SeatTally {
        &self.open.seat(seat).tally
    }

    /// True if the referee is waiting for an answer of `seat`.
    pub fn is_asked(&self, seat: Seat) -> bool {
        self.open.seat(seat).ask.as_ref().is_some_and(|ask| ask.answer.is_none())
    }

    /// Sends `start` to every seat and makes the first offer. Seats without a handshake are dismissed at once.
    pub fn begin(&mut self, effects: &mut Effects) {
        let open = &mut self.open;
        open.settle();
        let mut start = ArenaMessage::Start(Box::new(open.start_message()));
        for seat in Seat::all(open.seats.len()) {
            match open.setup.players[seat.index()].ready.as_ref().err().cloned() {
                Some(message) => open.wrong(effects, seat, Misconduct { fault: ConductFault::NotStarted, message }),
                None => {
                    if let ArenaMessage::Start(start) = &mut start {
                        start.seat = seat;
                        start.rules = open.seat(seat).wants.rules.then(|| Arc::clone(open.setup.rules.set()));
                        start.seed = agent_seed(&open.setup.seed, &open.setup.id.0, seat);
                    }
                    effects.send(seat, |out| write_start(out, &mut start));
                }
            }
        }
        let begun = match open.setup.clock {
            ClockMode::Lockstep => Offer::first(&mut Asking { open, effects }).map_continue(Stage::Asking),
            ClockMode::Live => LiveClock::begin(open, effects).map_continue(|live| Stage::Live(Box::new(live))),
        };
        self.stage = match begun {
            ControlFlow::Continue(stage) => stage,
            ControlFlow::Break(MatchOver) => Stage::Over(open.end(effects)),
        };
    }

    /// Takes one input; does nothing before the beginning and after the end.
    pub fn handle(&mut self, input: Input, effects: &mut Effects) {
        let Referee { stage, open } = self;
        let course = match stage {
            Stage::Starting | Stage::Over(_) => return,
            Stage::Asking(offer) => ticks::take(offer, open, effects, input),
            Stage::Live(live) => live.take(open, effects, input),
        };
        if course == ControlFlow::Break(MatchOver) {
            *stage = Stage::Over(open.end(effects));
        }
    }

    /// The log and the counts of a finished game.
    ///
    /// # Panics
    /// If the game is not finished.
    pub fn finish(self) -> (GameLog, Vec<SeatTally>) {
        let mut open = self.open;
        let Stage::Over(result) = self.stage else { panic!("the game {} is not over", open.setup.id.0) };
        if let Some(last) = open.log.last_mut() {
            last.meta.missed.append(&mut open.missed);
        }
        debug_assert!(open.crashes.is_empty(), "an answer is heard before the input that ends the game");
        let log = GameLog {
            header: open.header(),
            inputs: open.log,
            result,
            sandbox: None,
            permits: Vec::new(),
            public_seed: open.setup.public_seed,
        };
        (log, open.seats.into_iter().map(|state| state.tally).collect())
    }
}
