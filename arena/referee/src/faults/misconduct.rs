//! A conduct fault together with the words for the author of the agent. Every line that is not an answer becomes one
//! here. It only joins them; what the fault costs is in `conduct`.

use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{AskId, GameId};
use maumau_protocol::wire::{LineError, LineProblem};

use super::Flood;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn fault_of(problem: LineProblem) -> ConductFault {
        Misconduct::from(LineError { problem, message: "words".to_owned(), game: None }).fault
    }

    #[test]
    fn the_problems_of_a_line_are_looked_for_in_the_order_of_the_table() {
        let precedence = |fault| ConductFault::ALL.iter().position(|row| *row == fault);
        let rows = LineProblem::ALL.map(|problem| precedence(fault_of(problem)));
        assert!(rows.is_sorted(), "{rows:?}");
    }

    #[test]
    fn the_name_of_an_unknown_game_is_cut_short() {
        let found = Misconduct::unknown_game(&GameId("g".repeat(1_000).into()));
        assert_eq!(found.fault, ConductFault::UnknownGame);
        assert_eq!(found.message, format!("/game: no game {:?} is open here", "g".repeat(60)));
    }
}
