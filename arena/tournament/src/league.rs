//! An organiser's decisions about a league, as written and before they are checked. It lists what is wrong with them;
//! [`Plan`](crate::Plan) makes the games, and files are read by the arena.

use std::collections::BTreeSet;
use std::fmt;

use maumau_protocol::limits::MAX_NAME_CHARS;
use maumau_protocol::{MAX_SEATS, steers};
use serde::{Deserialize, Serialize};

use crate::combinations::choose;

/// The maximum number of agents in one league. The cross-table has the square of it in cells.
pub const MAX_AGENTS: usize = 1_024;

/// The maximum number of games in one league.
pub const MAX_GAMES: u64 = 10_000_000;

/// An agent's place in the list of its league, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AgentId(pub u16);

impl AgentId {
    /// The place as an index into the league's list.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A round-robin league as an organiser writes it: every group of `seats` agents meets.
///
/// A draft; [`crate::Plan::new`] checks it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct League {
    /// The names of the agents, no two alike.
    pub agents: Vec<String>,
    /// Seats at a table, from 2 to [`MAX_SEATS`].
    pub seats: usize,
    /// Games that every group of agents plays. A deal is played once in every rotation, so this is a multiple of
    /// `seats`.
    pub games_per_pairing: u64,
}

impl League {
    /// Every problem of the league.
    pub(crate) fn problems(&self) -> Vec<LeagueProblem> {
        let mut problems = self.name_problems();
        let (agents, seats) = (self.agents.len(), self.seats);
        if agents > MAX_AGENTS {
            problems.push(LeagueProblem::TooManyAgents { agents });
        }
        if !(2..=MAX_SEATS).contains(&seats) {
            problems.push(LeagueProblem::Seats { seats });
            return problems;
        }
        if seats > agents {
            problems.push(LeagueProblem::TooFewAgents { agents, seats });
        }
        let games = self.games_per_pairing;
        if games == 0 {
            problems.push(LeagueProblem::NoGames { seats });
        } else if !games.is_multiple_of(seats as u64) {
            problems.push(LeagueProblem::NotEveryRotation { games, seats });
        }
        let all = choose(agents as u64, seats as u64).saturating_mul(games);
        if all > MAX_GAMES {
            problems.push(LeagueProblem::TooManyGames { games, all, agents, seats });
        }
        problems
    }

    fn name_problems(&self) -> Vec<LeagueProblem> {
        let mut problems = Vec::new();
        let mut seen = BTreeSet::new();
        for (place, name) in self.agents.iter().enumerate() {
            if name.trim().is_empty() {
                problems.push(LeagueProblem::NoName { place });
            } else if name.chars().count() > MAX_NAME_CHARS {
                problems.push(LeagueProblem::LongName { place });
            } else if name.chars().any(steers) {
                problems.push(LeagueProblem::ControlInName { place });
            } else if !seen.insert(name) {
                problems.push(LeagueProblem::NameTwice { place, name: name.clone() });
            }
        }
        problems
    }
}

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
    /// No table can be filled.
    #[error("seats = {seats}: there are only {agents} agents, and an agent takes one seat at a table")]
    TooFewAgents {
        /// How many there are.
        agents: usize,
        /// How many a table needs.
        seats: usize,
    },
    /// Nothing would be played.
    #[error("games_per_pairing = 0: nothing would be played; write {seats} or a multiple of it")]
    NoGames {
        /// Seats at a table.
        seats: usize,
    },
    /// The last deal of a group would not be played in every rotation.
    #[error(
        "games_per_pairing = {games}: not a multiple of seats = {seats}. A deal is played {seats} times, so that every \
         agent plays every seat of it; write {}",
        neighbours(*games, *seats as u64)
    )]
    NotEveryRotation {
        /// As written.
        games: u64,
        /// Seats at a table.
        seats: usize,
    },
    /// More than [`MAX_GAMES`].
    #[error(
        "games_per_pairing = {games}: for every {seats} out of {agents} agents that makes {} games in all, and the limit \
         is {MAX_GAMES}; have fewer games for a pairing, fewer agents or several leagues",
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(agents: &[&str], seats: usize, games_per_pairing: u64, expected: &[&str]) {
        let agents = agents.iter().map(ToString::to_string).collect();
        let league = League { agents, seats, games_per_pairing };
        let said: Vec<String> = league.problems().iter().map(ToString::to_string).collect();
        assert_eq!(said, expected, "{league:?}");
    }

    #[test]
    fn a_league_that_can_be_planned_has_no_problems() {
        check(&["a", "b"], 2, 2, &[]);
        check(&["a", "b", "c", "d"], 3, 300, &[]);
    }

    #[test]
    fn a_problem_says_what_to_write_instead() {
        check(
            &["a", "b", "c"],
            3,
            10,
            &[
                "games_per_pairing = 10: not a multiple of seats = 3. A deal is played 3 times, so that every agent plays \
               every seat of it; write 9 or 12",
            ],
        );
        check(&["a", "b"], 2, 0, &["games_per_pairing = 0: nothing would be played; write 2 or a multiple of it"]);
        check(&["a", "b"], 17, 2, &["seats = 17: a table has from 2 to 16 seats"]);
        check(
            &["a", "b"],
            2,
            10_000_002,
            &[
                "games_per_pairing = 10000002: for every 2 out of 2 agents that makes 10000002 games in all, and the limit is \
               10000000; have fewer games for a pairing, fewer agents or several leagues",
            ],
        );
    }

    #[test]
    fn every_problem_is_listed_at_once() {
        check(
            &["a", " ", "a", "b\u{2028}", &"x".repeat(65)],
            16,
            1,
            &[
                "agent[1]: the name is empty",
                "agent[2]: the name \"a\" is taken by an agent before it; give each agent a name of its own",
                "agent[3]: the name holds a control character, or one that breaks a line or turns its direction",
                "agent[4]: the name has more than 64 characters",
                "seats = 16: there are only 5 agents, and an agent takes one seat at a table",
                "games_per_pairing = 1: not a multiple of seats = 16. A deal is played 16 times, so that every agent \
                 plays every seat of it; write 16",
            ],
        );
    }

    #[test]
    fn an_absurd_league_is_refused_without_counting_its_games() {
        let agents = (0..1_024).map(|number| format!("a{number}")).collect();
        let league = League { agents, seats: 16, games_per_pairing: u64::MAX - 15 };
        assert!(matches!(league.problems()[..], [LeagueProblem::TooManyGames { all: u64::MAX, .. }]));
    }

    #[test]
    fn a_league_file_with_an_unknown_key_is_refused() {
        let file = "agents = [\"a\", \"b\"]\nseats = 2\ngames_per_pairing = 4\n";
        assert!(toml::from_str::<League>(file).is_ok());
        assert!(toml::from_str::<League>(&format!("{file}games = 4\n")).is_err());
    }
}
