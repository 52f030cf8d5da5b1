//! Conduct faults: when each is found and what it costs. Each is a strike; the last strike dismisses (G-04). Only the
//! table and its look-up: the referee counts strikes, and `misconduct` has the words for the author.

use maumau_protocol::fault::ConductFault;

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

    /// True if the agent is told of the fault, which it can be only while it is still there.
    pub const fn is_told(self) -> bool {
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
