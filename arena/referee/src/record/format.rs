//! The contents of a record's lines (SPEC 9.4, 9.6). Knows neither how lines are sealed nor what a game makes of them.
//! Data and its JSON only.

use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::GameResult;
use maumau_protocol::{Action, Elapse, Event, EventNumber, Permits, SandboxLevel, Seat, SeatSet, Stand};
use serde::{Deserialize, Serialize};

use super::digest::Digest;
use super::header::Header;

/// One line's content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// The first line: everything a replay needs.
    Header(Box<Header>),
    /// An input: a seat's action as it was taken up.
    Act(ActEntry),
    /// An input: the referee acted in a seat's place.
    Stand(StandEntry),
    /// An input: time passed with nobody acting.
    Elapse(ElapseEntry),
    /// An output of the engine.
    Event(EventEntry),
    /// A conduct fault.
    Fault(FaultEntry),
    /// An agent was dismissed; the referee plays its seat from here on.
    Dismissed(DismissedEntry),
    /// A note that an agent wants in the record.
    Note(NoteEntry),
    /// The result of the game.
    Result(GameResult),
    /// The last line.
    End(EndEntry),
}

/// A seat's action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActEntry {
    /// Whose.
    pub seat: Seat,
    /// The last event the seat had seen.
    pub as_of: EventNumber,
    /// What it did.
    pub action: Action,
}

/// The referee acted in a seat's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandEntry {
    /// Whose.
    pub seat: Seat,
    /// Why.
    pub why: Stand,
}

/// Time passed with nobody acting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElapseEntry {
    /// Which time.
    pub what: Elapse,
    /// The last event before the time began to run; duties from later events still have time.
    pub as_of: EventNumber,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventEntry {
    /// Its number.
    pub n: EventNumber,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// A conduct fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultEntry {
    /// Whose.
    pub seat: Seat,
    /// Which.
    pub fault: ConductFault,
    /// What was wrong and where.
    pub message: String,
    /// The seat's strikes with this one.
    pub strikes: u8,
}

/// An agent was dismissed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DismissedEntry {
    /// Whose.
    pub seat: Seat,
    /// For what.
    pub fault: ConductFault,
    /// In a sentence.
    pub message: String,
}

/// A note that an agent wants in the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteEntry {
    /// Whose.
    pub seat: Seat,
    /// What.
    pub note: serde_json::Value,
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndEntry {
    /// The number of lines, this one included.
    pub lines: u64,
    /// The digest of the game: of all lines before this one.
    pub digest: Digest,
}

/// What may differ between two runs of the same game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Meta {
    /// Microseconds from the ask to its answer or deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took_us: Option<u64>,
    /// Microseconds of processor time that the agent used meanwhile, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// Microseconds that the agent was ready to run but had to wait for a processor, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_us: Option<u64>,
    /// Microseconds in which the arena itself was stalled, which are given back (SPEC 5.10); not in `took_us`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stalled_us: Option<u64>,
    /// When the agent was stopped last, if that was since its ask before or later (SPEC 5.11).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frozen: Option<Frozen>,
    /// What an agent whose time has run out was doing, if it was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence: Option<Silence>,
    /// Deadlines that have passed since the previous entry (in the last entry also after it) and have no entry of their own:
    /// void ones, and those of seats that did not have to act.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<Missed>,
    /// Failures of agents' own code (SPEC 6.16) that were reported since the previous entry (in the last entry also after it).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crashes: Vec<Crash>,
    /// What agents have written to stderr since the previous entry (in the last entry also after it), where it is kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<AgentStderr>,
    /// In a fault: the beginning of the faulty line, in printable form; absent if the fault is not a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Box<str>>,
    /// In the header: the sandbox level at which the agents ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxLevel>,
    /// In the header: the permissions of each seat's agent; absent if no agent had any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permits: Vec<Permits>,
    /// In the header: true if `start` said that agents may know the seed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub public_seed: bool,
    /// In the header: true if `start` did not say who plays.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden_names: bool,
    /// In the header: the seats whose bots were slowed to the pace of a person.
    #[serde(skip_serializing_if = "is_nobody")]
    pub human_pace: SeatSet,
}

fn is_nobody(seats: &SeatSet) -> bool {
    seats.is_empty()
}

/// What an agent whose time has run out was seen to do, besides computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Silence {
    /// It has sent a whole JSON object, and no newline after it.
    NoNewline,
    /// It has sent a part of a line.
    PartOfLine,
    /// It has not read what was sent to it.
    Unread,
    /// It has read everything, and reads on.
    Reads,
    /// It has read everything; what it does now is not known.
    HasRead,
}

/// When an agent was stopped because it computes while it is not asked (SPEC 5.11), in microseconds after its ask; moments before
/// the ask are negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frozen {
    /// When it was stopped.
    pub from_us: i64,
    /// When it went on; absent if it was still stopped when the ask was over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_us: Option<i64>,
}

impl Frozen {
    /// True if it was stopped at some moment of the ask, which no agent ever is.
    pub fn while_asked(&self) -> bool {
        self.to_us.is_none_or(|to| to > 0)
    }
}

/// A deadline that has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// Whose.
    pub seat: Seat,
    /// As in [`Meta`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_us: Option<u64>,
    /// As in [`Meta`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// As in [`Meta`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_us: Option<u64>,
    /// As in [`Meta`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled_us: Option<u64>,
    /// As in [`Meta`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frozen: Option<Frozen>,
    /// True if the host was to blame, so that the seat was asked again at no cost (SPEC 5.9).
    pub void: bool,
}

/// The code of an agent's author failed, and the kit beneath it answered instead (SPEC 6.16).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// Whose.
    pub seat: Seat,
    /// The last event before the ask that the kit answered.
    pub as_of: EventNumber,
    /// The kit's message; only for the first failures of a seat in a game.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub crash: Box<str>,
}

/// What an agent wrote to stderr, for the eyes of its seat and of the referee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentStderr {
    /// Whose.
    pub seat: Seat,
    /// As it was written, bounded (SPEC 1.6), without the secrets that the agent was granted; to be escaped where it is shown.
    pub text: Box<str>,
}

impl Meta {
    /// True if there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Meta::default()
    }
}
