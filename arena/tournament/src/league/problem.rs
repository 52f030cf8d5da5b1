//! What may be wrong with a league, each in a sentence that says what to write instead. It finds nothing itself.

use std::fmt;

use maumau_protocol::MAX_SEATS;
use maumau_protocol::limits::MAX_NAME_CHARS;

use super::{MAX_AGENTS, MAX_GAMES, MAX_RULE_SETS};

/// A problem of a league, which prevents planning it. Places in lists count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeagueProblem {
    /// An agent has no name.
    #[error("agent[{place}]: the name is empty")]
    NoName {
        /// The agent.
        place: usize,
    },
    /// A name is too long.
    #[error("agent[{place}]: the name has more than {MAX_NAME_CHARS} characters")]
    LongName {
        /// The agent.
        place: usize,
    },
    /// A name would break a table or a terminal.
    #[error("agent[{place}]: the name holds a control character, or one that breaks a line or turns its direction")]
    ControlInName {
        /// The agent.
        place: usize,
    },
    /// Two agents have the same name.
    #[error("agent[{place}]: the name \"{name}\" is taken by an agent before it; give each agent a name of its own")]
    NameTwice {
        /// The later agent.
        place: usize,
        /// The name.
        name: String,
    },
    /// More than [`MAX_AGENTS`].
    #[error("agents: {agents} are more than the limit of {MAX_AGENTS}")]
    TooManyAgents {
        /// How many.
        agents: usize,
    },
    /// A table of impossible size.
    #[error("seats = {seats}: a table has from 2 to {MAX_SEATS} seats")]
    Seats {
        /// As written.
        seats: usize,
    },
    /// No rule set, or too many.
    #[error("rules: {sets} rule sets; a league has from 1 to {MAX_RULE_SETS}")]
    RuleSets {
        /// How many.
        sets: usize,
    },
    /// No table can be filled.
    #[error("seats = {seats}: there {} only {}, and an agent takes one seat at a table", is_or_are(*agents), counted(*agents, "agent"))]
    TooFewAgents {
        /// How many there are.
        agents: usize,
        /// How many a table needs.
        seats: usize,
    },
    /// A format or a stop rule that does not fit the league.
    #[error("{key}: {message}")]
    Format {
        /// The key of the league file.
        key: &'static str,
        /// What is wrong, and what to write.
        message: String,
    },
    /// Nothing would be played.
    #[error("games_per_pairing = 0: nothing would be played; write {rotations} or a multiple of it")]
    NoGames {
        /// Games of a deal.
        rotations: u64,
    },
    /// The last deal of a group would not be played in every rotation.
    #[error(
        "games_per_pairing = {games}: not a multiple of {rotations}. A deal is played {rotations} times, so that every \
         agent plays every seat of it; write {}",
        neighbours(*games, *rotations)
    )]
    NotEveryRotation {
        /// As written.
        games: u64,
        /// Games of a deal.
        rotations: u64,
    },
    /// More than [`MAX_GAMES`].
    #[error(
        "games_per_pairing = {games}: with {agents} agents at tables of {seats} that makes {} games in all, and the limit \
         is {MAX_GAMES}; have fewer games for a pairing, fewer agents or another format",
        in_words(*all)
    )]
    TooManyGames {
        /// Games of each group.
        games: u64,
        /// Games of all groups; `u64::MAX` if the number does not fit.
        all: u64,
        /// Agents in the league.
        agents: usize,
        /// Seats at a table.
        seats: usize,
    },
}

fn is_or_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// So many of a noun, such as `1 agent` and `2 agents`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn neighbours(games: u64, seats: u64) -> String {
    let below = games / seats * seats;
    match (below, below.checked_add(seats)) {
        (0, Some(above)) => format!("{above}"),
        (_, Some(above)) => format!("{below} or {above}"),
        (_, None) => format!("{below}"),
    }
}

fn in_words(games: u64) -> String {
    match games {
        u64::MAX => "countless".to_owned(),
        _ => games.to_string(),
    }
}

/// Every problem of a league, never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueProblems(pub Vec<LeagueProblem>);

impl fmt::Display for LeagueProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.0.iter().enumerate() {
            if place > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LeagueProblems {}
