//! The tables that follow from the finished games of a league. Formatting is not known here. Data only: `tally` fills
//! it, and the arena's reports format it.

use maumau_protocol::fault::FaultCounts;
use serde::Serialize;

use crate::format::RankedBy;
use crate::statistics::Interval;

/// The standings after some games of a league.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// Finished games.
    pub games: u64,
    /// Games that are planned, as far as that is known.
    pub planned: u64,
    /// Deals with a finished game.
    pub deals: u64,
    /// Rounds that no seat has won (G-23).
    pub rounds_unwon: u64,
    /// What the order of the rows follows from.
    pub ranked_by: RankedBy,
    /// Agents, the best first; by mean score, equal ones by name and those without a game at the end, unless
    /// [`Standings::ranked`] says otherwise.
    pub rows: Vec<Row>,
    /// The score of the agent of one row against the agent of another, `cross[row][column]` in the order of `rows`; absent for
    /// an agent against itself and for two that have not met.
    pub cross: Vec<Vec<Option<Encounter>>>,
}

impl Standings {
    /// The same in another order: each place has the row whose number is there.
    ///
    /// # Panics
    /// A row is missing.
    #[must_use]
    pub fn ranked(self, by: RankedBy, order: &[usize]) -> Standings {
        assert_eq!(order.len(), self.rows.len(), "a place for every row");
        let rows = order.iter().map(|row| self.rows[*row].clone()).collect();
        let cross = order.iter().map(|row| order.iter().map(|column| self.cross[*row][*column]).collect()).collect();
        Standings { ranked_by: by, rows, cross, ..self }
    }
}

/// One agent's results. Means are per game and absent without games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The agent.
    pub name: String,
    /// Finished games.
    pub games: u64,
    /// Deals in which the agent finished a game.
    pub deals: u64,
    /// First places in games of which a seat has won a round; a place shared by `k` seats counts `1/k` for each.
    pub wins: f64,
    /// Mean score: the share of the other seats that it beat, a tie counting half, from 0 to 1.
    pub mean_score: Option<f64>,
    /// Standard error of the mean score, clustered by deal; absent with fewer than two deals.
    pub std_error: Option<f64>,
    /// 95 % interval of the mean score, clustered by deal; absent with fewer than two deals.
    pub interval: Option<Interval>,
    /// Mean points, as the rule set counts them.
    pub mean_points: Option<f64>,
    /// Mean number of rounds won.
    pub mean_rounds_won: Option<f64>,
    /// Rounds played.
    pub rounds: u64,
    /// Rounds won.
    pub rounds_won: u64,
    /// Rounds that no seat of their table has won (G-23).
    pub rounds_unwon: u64,
    /// Faults; those that did not occur are left out.
    pub faults: FaultCounts,
    /// Games in which the agent was dismissed.
    pub dismissals: u64,
}

/// One agent against another, over the games in which both played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Encounter {
    /// Comparisons of a seat of the one with a seat of the other: games in which both played, unless copies fill the table.
    pub compared: u64,
    /// Mean of 1 for a better place, 0.5 for the same, 0 for a worse one.
    pub mean_score: f64,
}
