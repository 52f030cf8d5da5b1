//! An agent that is sent recorded lines of an arena without one, for tests of its author and for a debugger. It calls the
//! agent as `session` does, but lets a panic through.

use maumau_protocol::message::{ArenaMessage, Ask, Start};
use maumau_protocol::{Action, wire};

use crate::agent::Agent;

/// A recorded line that is none of an arena.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct RehearsalError {
    /// Counted from 1.
    line: usize,
    problem: String,
}

/// Sends an agent recorded lines of the arena: those that `maumau feed GAME --seat N --lines` prints. Returns each ask with its
/// answer.
///
/// # Errors
/// A line cannot be read, or belongs to no game that has begun.
///
/// # Panics
/// If the agent does, so that a test shows its line.
pub fn rehearse<A: Agent>(
    lines: &str,
    mut make: impl FnMut(&Start) -> A,
) -> Result<Vec<(Ask, Action)>, RehearsalError> {
    let mut agent: Option<A> = None;
    let mut answers = Vec::new();
    for (place, line) in lines.lines().enumerate() {
        let wrong = |problem: String| RehearsalError { line: place + 1, problem };
        let read = wire::read_arena_line(line).map_err(|error| wrong(error.to_string()))?;
        let unstarted = || wrong("no game has been started".to_owned());
        match read {
            Some(ArenaMessage::Start(start)) => {
                let mut made = make(&start);
                made.start(&start);
                agent = Some(made);
            }
            Some(ArenaMessage::Ask(ask)) => {
                let action = agent.as_mut().ok_or_else(unstarted)?.choose(&ask);
                answers.push((*ask, action));
            }
            Some(ArenaMessage::Tell(tell)) => agent.as_mut().ok_or_else(unstarted)?.tell(&tell),
            Some(ArenaMessage::Over(over)) => agent.take().ok_or_else(unstarted)?.over(&over),
            Some(ArenaMessage::Hello(_) | ArenaMessage::Fault(_) | ArenaMessage::Bye(_)) | None => {}
        }
    }
    Ok(answers)
}
