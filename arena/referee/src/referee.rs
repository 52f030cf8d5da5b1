//! The state machine of one game. It takes [`Input`]s and gives [`RefereeEffect`]s; each part of it is a file. It holds the
//! stage and hands each input to it; it sends nothing itself and knows no clock and no process.

mod answers;
mod conduct;
mod live;
mod offer;
mod open_game;
mod play;
mod seat_state;
mod ticks;
mod times;

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use live::LiveClock;
use maumau_engine::{Game, Rules, agent_seed};
use maumau_protocol::fault::{ConductFault, FaultCounts};
use maumau_protocol::limits::{MAX_VOIDS_PER_ASK, MAX_VOIDS_PER_GAME};
use maumau_protocol::message::{Act, ArenaMessage, AskId, ClockMode, GameId, GameResult, Note, Ready, TimeControl};
use maumau_protocol::{Seat, SeatSet, Seed};
use open_game::OpenGame;
use ticks::Asking;
use times::TimeChange;

use crate::faults::Misconduct;
use crate::lines::write_start;
use crate::lockstep::{MatchOver, Offer};
use crate::log::{GameLog, Logged};
use crate::record::{Header, Meta};

pub(crate) use times::RunningTimes;

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

    /// Keeps what the agent at `seat` has written to stderr, for the record; it changes nothing in the game.
    pub fn hear_stderr(&mut self, seat: Seat, text: String) {
        self.open.note_stderr(seat, text);
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
            last.meta.stderr.append(&mut open.stderr);
        }
        debug_assert!(open.crashes.is_empty(), "an answer is heard before the input that ends the game");
        let log = GameLog {
            header: open.header(),
            inputs: open.log,
            result,
            sandbox: None,
            permits: Vec::new(),
            public_seed: open.setup.public_seed,
            hidden_names: open.setup.hidden_names,
            human_pace: SeatSet::EMPTY,
        };
        (log, open.seats.into_iter().map(|state| state.tally).collect())
    }
}

/// The stage of a game.
#[derive(Clone)]
enum Stage {
    /// No seat has been sent anything.
    Starting,
    /// In lockstep: an offer is open, and the answers to it are waited for.
    Asking(Offer),
    /// On the live clock: actions are taken up as they arrive.
    Live(Box<LiveClock>),
    /// It is over, with this result.
    Over(GameResult),
}

/// A time that runs in a live game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// The time of the seat to move.
    Turn,
    /// The time for words that are due.
    Grace,
    /// The time that others have before the seat to move may act.
    Reaction,
    /// The time after a last card.
    Closing,
    /// A count of ten.
    CountOfTen,
    /// The longest time of a point of order.
    PointOfOrder,
}

impl Timer {
    /// Every timer.
    pub const ALL: [Timer; 6] =
        [Timer::Turn, Timer::Grace, Timer::Reaction, Timer::Closing, Timer::CountOfTen, Timer::PointOfOrder];
}

/// The counts of one seat in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatTally {
    /// Conduct and rule faults, and failures of the author's code, which cost nothing.
    pub faults: FaultCounts,
    /// Asks answered in time.
    pub answers: u64,
    /// Answers that came after their deadline and were dropped.
    pub late: u64,
    /// Deadlines that did not count because the host was to blame.
    pub void: u64,
    /// Notes dropped because there were too many.
    pub notes_dropped: u32,
    /// Microseconds from asks to answers or deadlines, all together.
    pub took_us: u64,
}

impl SeatTally {
    /// True if one more deadline may be void, after `in_a_row` void ones of the same ask.
    fn may_be_void(&self, in_a_row: usize) -> bool {
        in_a_row < MAX_VOIDS_PER_ASK as usize && self.void < u64::from(MAX_VOIDS_PER_GAME)
    }
}

/// Who sits at a seat.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name shown to the other seats, unless names are hidden from them, and in the record.
    pub name: String,
    /// The handshake, or why there was none.
    pub ready: Result<Arc<Ready>, String>,
}

/// Everything that defines one game.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The name of the game.
    pub id: GameId,
    /// The rules, compiled for the number of players.
    pub rules: Arc<Rules>,
    /// The game's seed.
    pub seed: Seed,
    /// Who plays, by seat.
    pub players: Vec<Player>,
    /// The time each seat has.
    pub time: TimeControl,
    /// How actions are put in order.
    pub clock: ClockMode,
    /// True if the seed may be published when the game is over.
    pub reveal_seed: bool,
    /// True if `start` says that the seed is public, so that they may know every card.
    pub public_seed: bool,
    /// True if `start` does not say who plays: seats are called by their numbers.
    pub hidden_names: bool,
    /// 32 bytes that no agent can know; the ids of asks are derived from them.
    pub id_key: [u8; 32],
}

/// Something that happened to the game from outside.
#[derive(Clone, Debug)]
pub enum Input {
    /// A seat answered.
    Act {
        /// Who.
        seat: Seat,
        /// The message.
        act: Act,
        /// Times of the answer.
        meta: Meta,
    },
    /// A seat wants a note in the record.
    Note {
        /// Who.
        seat: Seat,
        /// The message.
        note: Note,
    },
    /// A seat sent something that is not an answer.
    Wrong {
        /// Who.
        seat: Seat,
        /// What it is; [`ConductFault::Gone`] and [`ConductFault::NotStarted`] where the agent is lost.
        fault: ConductFault,
        /// In words.
        message: String,
        /// The beginning of the line, for the record; absent if the fault is not a line.
        line: Option<Box<str>>,
    },
    /// A time of a live game has run out.
    Timer {
        /// Which.
        timer: Timer,
        /// Times of the turn, if it is the turn's.
        meta: Meta,
        /// Who made it run out, if it is the turn's.
        blame: Blame,
    },
    /// The deadline of an ask has passed.
    Deadline {
        /// Whose.
        seat: Seat,
        /// Which ask; an old one has no effect.
        id: AskId,
        /// Times of the ask.
        meta: Meta,
        /// Who made it pass.
        blame: Blame,
    },
}

/// Who is to blame for a missed deadline, as far as it can be seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The agent: it had its time.
    Agent,
    /// The host, which did not let it run or was late itself. The ask is void (SPEC 5.9): the seat is asked again with a fresh
    /// deadline, at no cost, up to [`MAX_VOIDS_PER_ASK`](maumau_protocol::limits::MAX_VOIDS_PER_ASK) times in a row and
    /// [`MAX_VOIDS_PER_GAME`](maumau_protocol::limits::MAX_VOIDS_PER_GAME) in all.
    Host,
}

/// Something for the caller, which moves bytes and arms timers, to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefereeEffect {
    /// Send a line, newline included: this part of [`Effects::bytes`].
    Send {
        /// The recipient.
        seat: Seat,
        /// The range of the line in the bytes.
        line: Range<usize>,
        /// The id of the ask that it is; `None` for any other line.
        ask: Option<AskId>,
    },
    /// Start the one deadline of a seat, counted from when its line has been written.
    StartDeadline {
        /// Whose.
        seat: Seat,
        /// Of which ask.
        id: AskId,
        /// Milliseconds.
        ms: u64,
    },
    /// Stop a seat's deadline.
    StopDeadline {
        /// Whose.
        seat: Seat,
    },
    /// Start a time of a live game; replaces a running one of the same kind.
    StartTimer {
        /// Which.
        timer: Timer,
        /// Milliseconds.
        ms: u64,
    },
    /// Stop a time of a live game.
    StopTimer {
        /// Which.
        timer: Timer,
    },
    /// The agent plays no further part in this game.
    Dismiss {
        /// Whose.
        seat: Seat,
        /// Why.
        fault: ConductFault,
    },
    /// The game is over; take it with [`Referee::finish`](Referee::finish).
    Finished,
}

impl From<TimeChange> for RefereeEffect {
    fn from(change: TimeChange) -> RefereeEffect {
        match change {
            TimeChange::Start(timer, ms) => RefereeEffect::StartTimer { timer, ms },
            TimeChange::Stop(timer) => RefereeEffect::StopTimer { timer },
        }
    }
}

/// What is to be done, in order. Reused from call to call, so that a move allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// What to do.
    pub list: Vec<RefereeEffect>,
    /// The bytes of the lines.
    pub bytes: Vec<u8>,
}

impl Effects {
    /// Forgets what has been done.
    pub fn clear(&mut self) {
        self.list.clear();
        self.bytes.clear();
    }

    /// Sends the ask `id`: `write` adds the line and returns it, and names the lines that come before it.
    #[inline]
    fn ask(
        &mut self,
        seat: Seat,
        id: AskId,
        write: impl FnOnce(&mut Vec<u8>, &mut dyn FnMut(Range<usize>)) -> Range<usize>,
    ) {
        let Effects { list, bytes } = self;
        let line = write(bytes, &mut |line| list.push(RefereeEffect::Send { seat, line, ask: None }));
        list.push(RefereeEffect::Send { seat, line, ask: Some(id) });
    }

    /// Sends each of the lines that `write` adds and names.
    #[inline]
    fn send_lines(&mut self, seat: Seat, write: impl FnOnce(&mut Vec<u8>, &mut dyn FnMut(Range<usize>))) {
        let Effects { list, bytes } = self;
        write(bytes, &mut |line| list.push(RefereeEffect::Send { seat, line, ask: None }));
    }

    fn send(&mut self, seat: Seat, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.list.push(RefereeEffect::Send { seat, line: start..self.bytes.len(), ask: None });
    }
}
