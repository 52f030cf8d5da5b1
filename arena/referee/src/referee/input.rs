//! What can happen to a game from outside. Knows nothing of how it is noticed. Data only; the referee changes the game
//! by it.

use crate::record::Meta;
use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{Act, AskId, Note};

use super::Timer;

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

/// Who is to blame for a missed deadline, as far as can be told from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The agent: it had its time.
    Agent,
    /// The host, which did not let it run or was late itself. The ask is void (SPEC 5.9): the seat is asked again with a fresh
    /// deadline, at no cost, up to [`MAX_VOIDS_PER_ASK`](maumau_protocol::limits::MAX_VOIDS_PER_ASK) times in a row and
    /// [`MAX_VOIDS_PER_GAME`](maumau_protocol::limits::MAX_VOIDS_PER_GAME) in all.
    Host,
}
