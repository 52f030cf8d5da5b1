//! The pool of a run whose agents come and go between rounds. It is written in one transaction with the settings, so that the
//! rounds can be derived again from the agents that could play in each.

use maumau_tournament::{AgentId, Plan, PlannedGame, Round};
use rusqlite::{OptionalExtension, Transaction, params};

use super::rounds::write_round;

/// Writes the pool `playing` after `rounds`, unless it is that of the latest round; the run had `before` agents. Games of agents
/// that have left, and that were not played, are dropped. Returns what was written.
///
/// # Errors
/// The file cannot be read or written.
pub(super) fn change_pool(
    transaction: &Transaction<'_>,
    plan: &Plan,
    rounds: &[Round],
    before: usize,
    playing: Vec<AgentId>,
) -> rusqlite::Result<Option<Round>> {
    let latest = rounds.iter().rev().find_map(|round| match round {
        Round::Pool { playing, .. } => Some(playing.clone()),
        Round::Games(_) | Round::Tables { .. } => None,
    });
    let latest = latest.unwrap_or_else(|| (0..before as u16).map(AgentId).collect());
    if !plan.league().has_open_pool() || latest == playing {
        return Ok(None);
    }
    let mut is_played = transaction.prepare("SELECT 1 FROM games WHERE number = ?1")?;
    let has_left = |game: &PlannedGame| game.agents.iter().any(|agent| !playing.contains(agent));
    let mut dropped = Vec::new();
    for number in (0..plan.len()).filter(|number| !plan.is_dropped(*number) && has_left(&plan.game(*number))) {
        if is_played.query_row(params![number as i64], |_| Ok(())).optional()?.is_none() {
            dropped.push(number);
        }
    }
    let pool = Round::Pool { before, playing, dropped };
    write_round(transaction, plan.rounds() as u64, &pool)?;
    Ok(Some(pool))
}
