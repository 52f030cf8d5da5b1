//! The fault table (SPEC §6): which fault something is, whom it is charged to, what it costs, what happens to the ask, what is
//! counted, and the words for the author of the agent.
//!
//! Everything here is a value or a pure function; the referee, the connections, the reports and the commands carry the values
//! and decide nothing of their own. What a rule fault costs in cards is the rule set's business and is carried out by the
//! engine. Tests compare the tables with those of SPEC.

mod refusal;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::fmt;

use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::{
    BYTES_ADDED_BY_ASK, MAX_BYTES_PER_ASK, MAX_BYTES_PER_ROUND, MAX_LINES_PER_ASK, MAX_SKIPPED_BYTES,
};
use maumau_protocol::message::{AskId, GameId};
use maumau_protocol::wire::{LineError, LineProblem};

pub(crate) use refusal::rule_faults;
pub use refusal::{Cost, Refusal, refusal};

/// One of the games that an agent plays: what is needed to charge a faulty line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// True if it is the game that the line names.
    pub is_named: bool,
    /// The position of its open ask among all asks of the agent; `None` if it has no open ask.
    pub asked: Option<u64>,
    /// Its position among the agent's games, in the order in which they began.
    pub begun: u64,
}

/// The index in `games` of the game that a faulty line is charged to: the one it names; else the one whose ask has been open
/// longest; else the one that began last. `None` if there is no game: then the line is only counted.
pub fn charged(games: impl IntoIterator<Item = Candidate>) -> Option<usize> {
    let precedence = |game: &Candidate| (!game.is_named, game.asked.unwrap_or(u64::MAX), Reverse(game.begun));
    let (place, _) = games.into_iter().enumerate().min_by_key(|(_, game)| precedence(game))?;
    Some(place)
}

/// How an id in an answer relates to the seat's asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdState {
    /// The open ask.
    Open,
    /// The ask whose deadline passed last and that has not been answered.
    Expired,
    /// An earlier id of a void ask that has been answered under a later one (SPEC 5.9); not yet answered itself.
    Replaced,
    /// An ask that has been answered.
    Answered,
    /// An id that was never issued.
    Never,
}

/// What happens to a well-formed `act` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActRuling {
    /// It is the answer.
    Answer,
    /// It came after its deadline, which has already been charged: dropped.
    Late,
    /// It is a second answer to an ask that the host repeated: dropped.
    Dropped,
    /// A conduct fault.
    Fault(ConductFault),
}

/// Rules on a well-formed `act`: by its id, then by whether it is an answer to the ask at all.
pub const fn rule_act(id: IdState, is_wait: bool, must_move: bool) -> ActRuling {
    match id {
        IdState::Open if is_wait && must_move => ActRuling::Fault(ConductFault::NotAnAnswer),
        IdState::Open => ActRuling::Answer,
        IdState::Expired => ActRuling::Late,
        IdState::Replaced => ActRuling::Dropped,
        IdState::Answered => ActRuling::Fault(ConductFault::StaleId),
        IdState::Never => ActRuling::Fault(ConductFault::UnknownId),
    }
}

/// When a conduct fault is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundAt {
    /// When a line arrives.
    OnArrival,
    /// When an action is taken up: only then are the seat's cards known.
    WhenTakenUp,
    /// When a deadline has passed.
    AtDeadline,
    /// When the agent is lost.
    AtLoss,
    /// Before the game begins.
    AtStart,
}

/// What a conduct fault leads to, besides its strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Nothing: an open ask stays open until its own deadline, so that the agent may still answer it.
    AskStaysOpen,
    /// The action is refused; the seat is asked again if it is still to move.
    AskedAnew,
    /// The agent is dismissed from the game, whatever its strikes.
    Dismissed,
    /// The agent is dismissed from all games that its process plays, and the process is killed.
    ProcessEnds,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConductRow {
    /// The clause that a `fault` line cites.
    pub clause: &'static str,
    /// When the fault is found.
    pub found: FoundAt,
    /// What it leads to.
    pub consequence: Consequence,
}

impl ConductRow {
    /// True if this fault alone dismisses the agent from its game.
    pub const fn dismisses(self) -> bool {
        matches!(self.consequence, Consequence::Dismissed | Consequence::ProcessEnds)
    }

    /// True if the agent's process plays no further part in any game.
    pub const fn ends_process(self) -> bool {
        matches!(self.consequence, Consequence::ProcessEnds)
    }

    /// True if an open ask may still be answered, provided that the strike was not the last.
    pub const fn ask_stays_open(self) -> bool {
        matches!(self.consequence, Consequence::AskStaysOpen)
    }

    /// True if the agent gets a message about the fault. One that has ended can get none.
    pub const fn is_reported(self) -> bool {
        !matches!(self.found, FoundAt::AtLoss | FoundAt::AtStart)
    }
}

/// The row of `fault`.
pub const fn sentence(fault: ConductFault) -> ConductRow {
    use Consequence::{AskStaysOpen, AskedAnew, Dismissed, ProcessEnds};
    use FoundAt::{AtDeadline, AtLoss, AtStart, OnArrival, WhenTakenUp};
    let (clause, found, consequence) = match fault {
        ConductFault::LineTooLong => ("SPEC 6.1", OnArrival, AskStaysOpen),
        ConductFault::Flood => ("SPEC 6.2", OnArrival, ProcessEnds),
        ConductFault::NotJson => ("SPEC 6.3", OnArrival, AskStaysOpen),
        ConductFault::WrongShape => ("SPEC 6.4", OnArrival, AskStaysOpen),
        ConductFault::UnknownVerb => ("G-04", OnArrival, AskStaysOpen),
        ConductFault::OutOfPlace => ("SPEC 6.6", OnArrival, AskStaysOpen),
        ConductFault::UnknownGame => ("SPEC 6.7", OnArrival, AskStaysOpen),
        ConductFault::StaleId => ("SPEC 6.8", OnArrival, AskStaysOpen),
        ConductFault::UnknownId => ("SPEC 6.9", OnArrival, AskStaysOpen),
        ConductFault::NotInHand => ("G-04", WhenTakenUp, AskedAnew),
        ConductFault::WrongChoice => ("G-04", WhenTakenUp, AskedAnew),
        ConductFault::NotAnAnswer => ("SPEC 6.12", OnArrival, AskStaysOpen),
        ConductFault::Gone => ("SPEC 6.13", AtLoss, ProcessEnds),
        ConductFault::NotStarted => ("SPEC 6.14", AtStart, ProcessEnds),
        ConductFault::Silent => ("SPEC 6.15", AtDeadline, Dismissed),
    };
    ConductRow { clause, found, consequence }
}

/// How many characters of an unknown game's name are quoted.
const QUOTED_CHARS: usize = 60;

/// What an agent did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misconduct {
    /// Which fault it is.
    pub fault: ConductFault,
    /// What was expected, what was found, and where.
    pub message: String,
}

impl Misconduct {
    /// The agent is lost.
    pub fn gone(message: String) -> Misconduct {
        Misconduct { fault: ConductFault::Gone, message }
    }

    /// A second `ready`.
    pub fn second_ready() -> Misconduct {
        Misconduct { fault: ConductFault::OutOfPlace, message: "\"ready\" was sent a second time".to_owned() }
    }

    /// A message of a game that is not open.
    pub fn unknown_game(game: &GameId) -> Misconduct {
        let name: String = game.0.chars().take(QUOTED_CHARS).collect();
        let message = format!("/game: no game {name:?} is open here");
        Misconduct { fault: ConductFault::UnknownGame, message }
    }

    /// An answer to the ask `id` that is the fault `fault` (SPEC 6.8, 6.9, 6.12).
    pub fn of_answer(fault: ConductFault, id: AskId) -> Misconduct {
        let message = match fault {
            ConductFault::NotAnAnswer => "\"wait\" is no answer when a move is due".to_owned(),
            ConductFault::StaleId => format!("ask {id} has been answered"),
            _ => format!("no ask has the id {id}"),
        };
        Misconduct { fault, message }
    }
}

impl From<Flood> for Misconduct {
    fn from(flood: Flood) -> Misconduct {
        Misconduct { fault: ConductFault::Flood, message: flood.to_string() }
    }
}

impl From<LineError> for Misconduct {
    fn from(error: LineError) -> Misconduct {
        let fault = match error.problem {
            LineProblem::TooLong => ConductFault::LineTooLong,
            LineProblem::NotUtf8 | LineProblem::NotJson | LineProblem::TooDeep => ConductFault::NotJson,
            LineProblem::NotAMessage => ConductFault::WrongShape,
            LineProblem::UnknownVerb => ConductFault::UnknownVerb,
        };
        Misconduct { fault, message: error.message }
    }
}

/// Which limit was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flood {
    /// Lines of a game since its last ask.
    Lines,
    /// Answers of a seat since something moved, on the live clock (SPEC 7.15).
    Answers,
    /// Lines of a process that belong to no game, between two of its asks.
    IdleLines,
    /// Bytes of a line that does not end.
    EndlessLine,
    /// Bytes of a game's lines since its last ask.
    BytesForAsk,
    /// Bytes of all lines of a game.
    BytesInGame {
        /// The limit.
        limit: u64,
    },
}

impl fmt::Display for Flood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flood::Lines => write!(f, "more than {MAX_LINES_PER_ASK} lines for one ask"),
            Flood::Answers => write!(f, "more than {MAX_LINES_PER_ASK} answers while nothing moved"),
            Flood::IdleLines => write!(f, "more than {MAX_LINES_PER_ASK} lines that belong to no ask"),
            Flood::EndlessLine => write!(f, "a line of more than {MAX_SKIPPED_BYTES} bytes, and no end of it"),
            Flood::BytesForAsk => write!(f, "more than {MAX_BYTES_PER_ASK} bytes for one ask"),
            Flood::BytesInGame { limit } => write!(f, "more than {limit} bytes in one game"),
        }
    }
}

/// Lines since the allowance was last renewed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCount(u32);

impl LineCount {
    /// Adds a line. True if there are too many now.
    pub fn add(&mut self) -> bool {
        self.0 = self.0.saturating_add(1);
        self.0 > MAX_LINES_PER_ASK
    }
}

/// The bytes of the lines of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteCount {
    since_ask: u64,
    in_all: u64,
    limit: u64,
}

impl ByteCount {
    /// The counters at the start of a match of `rounds` rounds.
    pub fn new(rounds: u32) -> ByteCount {
        ByteCount { since_ask: 0, in_all: 0, limit: MAX_BYTES_PER_ROUND.saturating_mul(rounds.into()) }
    }

    /// Renews the allowance when an ask is sent, on either clock: its answer never exceeds a limit of the game, however many
    /// asks other seats cause.
    pub fn invite(&mut self) {
        self.limit = self.limit.saturating_add(BYTES_ADDED_BY_ASK);
    }

    /// As much may come as for a new ask.
    pub fn renew(&mut self) {
        self.since_ask = 0;
    }

    /// Adds a line of `bytes` bytes; returns the exceeded limit, if any.
    pub fn add(&mut self, bytes: usize) -> Option<Flood> {
        self.since_ask += bytes as u64;
        self.in_all += bytes as u64;
        match () {
            () if self.since_ask > MAX_BYTES_PER_ASK => Some(Flood::BytesForAsk),
            () if self.in_all > self.limit => Some(Flood::BytesInGame { limit: self.limit }),
            () => None,
        }
    }
}
