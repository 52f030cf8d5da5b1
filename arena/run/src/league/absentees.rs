//! Finds agents that did not start, from the games in a run file. It reads results and first faults; whether their
//! games are played again is decided in `cli`.

use anyhow::Result;
use maumau_protocol::fault::ConductFault;
use maumau_tournament::{Row, Standings};

use crate::run_store::RunFile;

/// An agent that did not start in some of its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absentee {
    /// Its name.
    pub name: String,
    /// Its games that are in the run file.
    pub games: u64,
    /// The number of them in which it did not start.
    pub absent: u64,
    /// Why it did not start in the first of them.
    pub reason: String,
}

impl Absentee {
    /// True if it never started.
    pub fn never_started(&self) -> bool {
        self.absent == self.games
    }
}

/// The agents of `run` that did not start in some game, in the order of `standings`, which must be those of its games.
///
/// # Errors
/// The run file cannot be read, or is damaged.
pub fn absentees(run: &RunFile, standings: &Standings) -> Result<Vec<Absentee>> {
    let absent = |row: &Row| row.faults.get(ConductFault::NotStarted);
    let absentee = |row: &Row| {
        let reason = reason(run, &row.name)?.unwrap_or_default();
        Ok(Absentee { name: row.name.clone(), games: row.games, absent: absent(row), reason })
    };
    standings.rows.iter().filter(|row| absent(row) > 0).map(absentee).collect()
}

/// Why `agent` did not start, from the first such game.
fn reason(run: &RunFile, agent: &str) -> Result<Option<String>> {
    let plan = &run.plan.pairings;
    for number in 0..plan.len() {
        let planned = plan.game(number);
        let Some((seat, _)) = planned.seating().find(|(_, id)| plan.name(*id) == agent) else { continue };
        let dismissal = run.game(number)?.map(|game| game.dismissal(seat)).transpose()?.flatten();
        if let Some(dismissal) = dismissal.filter(|dismissal| dismissal.fault == ConductFault::NotStarted) {
            return Ok(Some(dismissal.message));
        }
    }
    Ok(None)
}
