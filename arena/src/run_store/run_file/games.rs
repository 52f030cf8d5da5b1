//! The finished games, each a row with two checksums, and a sum over all rows.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use maumau_referee::record::Digest;
use maumau_tournament::{AgentId, Finished, Plan, Tally};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::checksum::{self, Checksum, Total};
use super::form::{damaged, explain};
use super::settings::{json, read_total, write_total};
use crate::run_store::result_codec;
use crate::run_store::settings::RunPlan;
use crate::run_store::store::{SeatTimes, StoredGame};
use crate::run_store::times::TimeTotals;

/// The columns of a game but its log.
const OUTCOME_COLUMNS: &str = "number, outcome, faults, digest, checksum, log_checksum";
/// All columns.
pub(super) const GAME_COLUMNS: &str = "number, outcome, faults, digest, checksum, log_checksum, log";

/// Writes games, and the `total` with them.
pub(super) fn insert(transaction: &Transaction<'_>, games: &[StoredGame], total: &mut Total) -> rusqlite::Result<()> {
    let insert = format!("INSERT INTO games ({GAME_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    let mut insert = transaction.prepare_cached(&insert)?;
    for game in games {
        let number = game.number as i64;
        let outcome = result_codec::pack(&game.result, &game.times);
        let faults = game.faults.iter().any(|faults| !faults.is_empty());
        let faults = faults.then(|| json(&game.faults)).transpose()?;
        let log = checksum::of_log(number, &game.log);
        let checksum = checksum::of_game(number, &outcome, faults.as_deref(), &game.digest.0, &log);
        total.add(checksum);
        insert.execute(params![number, outcome, faults, game.digest.0, checksum, log, game.log])?;
    }
    write_total(transaction, total)
}

/// Takes out the games of these agents, of which `total` then knows nothing.
pub(super) fn take_out(
    transaction: &Transaction<'_>,
    plan: &Plan,
    agents: &[AgentId],
    total: &mut Total,
) -> rusqlite::Result<()> {
    if agents.is_empty() {
        return Ok(());
    }
    let mut delete = transaction.prepare("DELETE FROM games WHERE number = ?1 RETURNING checksum")?;
    for number in 0..plan.len() {
        if plan.game(number).is_of_any(agents) {
            let gone = delete.query_row(params![number as i64], |row| row.get(0)).optional()?;
            gone.into_iter().for_each(|checksum| total.remove(checksum));
        }
    }
    write_total(transaction, total)
}

/// What becomes of the logs where games are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Logs {
    Unread,
    Checked,
}

pub(super) fn read_tally(
    path: &Path,
    connection: &Connection,
    plan: &RunPlan,
    logs: Logs,
) -> Result<(Tally, TimeTotals)> {
    let mut tally = Tally::new(plan.pairings.clone());
    let mut times = TimeTotals::new(&plan.pairings);
    let columns = match logs {
        Logs::Unread => OUTCOME_COLUMNS,
        Logs::Checked => GAME_COLUMNS,
    };
    for_each_row(path, connection, columns, |row| {
        let outcome = read_outcome(row, plan)?;
        if logs == Logs::Checked {
            outcome.check_log(row)?;
        }
        let Outcome { finished, times: used, checksum, .. } = outcome;
        times.add(&plan.pairings.game(finished.index), &used);
        tally.add(&finished)?;
        Ok(checksum)
    })?;
    Ok((tally, times))
}

pub(super) fn for_each_game(
    path: &Path,
    connection: &Connection,
    plan: &RunPlan,
    mut each: impl FnMut(StoredGame) -> Result<()>,
) -> Result<()> {
    let mut outcome = Ok(());
    for_each_row(path, connection, GAME_COLUMNS, |row| {
        let (game, checksum) = read_game(row, plan)?;
        if outcome.is_ok() {
            outcome = each(game);
        }
        Ok(checksum)
    })?;
    outcome
}

/// As [`for_each_game`], but goes on after a game that is damaged, and tells `each` so.
pub(super) fn check_each_game(
    path: &Path,
    connection: &Connection,
    plan: &RunPlan,
    mut each: impl FnMut(Result<StoredGame>) -> Result<()>,
) -> Result<()> {
    let mut outcome = Ok(());
    for_each_row(path, connection, GAME_COLUMNS, |row| {
        let (game, checksum) = match read_game(row, plan) {
            Ok((game, checksum)) => (Ok(game), checksum),
            // The checksum that stands there is the one that was counted, if it is not what was damaged.
            Err(error) => (Err(error), row.get(4).unwrap_or_default()),
        };
        if outcome.is_ok() {
            outcome = each(game);
        }
        Ok(checksum)
    })?;
    outcome
}

/// Hands the rows of all games to `each`, in the order of the plan, and checks that they are all there: `each` gives their
/// checksums.
fn for_each_row(
    path: &Path,
    connection: &Connection,
    columns: &str,
    mut each: impl FnMut(&Row<'_>) -> Result<Checksum>,
) -> Result<()> {
    let failed = |error| explain(path, error);
    let spoilt = |error: anyhow::Error| damaged(path, &error);
    // So that both are of one moment, should somebody write meanwhile.
    let moment = connection.unchecked_transaction().map_err(failed)?;
    let expected = read_total(&moment).map_err(spoilt)?;
    let mut query = moment.prepare(&format!("SELECT {columns} FROM games ORDER BY number")).map_err(failed)?;
    let mut rows = query.query([]).map_err(failed)?;
    let mut found = Total::default();
    while let Some(row) = rows.next().map_err(failed)? {
        found.add(each(row).map_err(spoilt)?);
    }
    let (there, all) = (found.games, expected.games);
    if found != expected {
        return Err(spoilt(anyhow!("it holds {there} games, and not just those {all} that were written")));
    }
    Ok(())
}

/// A game but its log.
struct Outcome {
    finished: Finished,
    id: String,
    times: Vec<SeatTimes>,
    digest: Digest,
    checksum: Checksum,
    log_checksum: Checksum,
}

/// Reads [`OUTCOME_COLUMNS`].
fn read_outcome(row: &Row<'_>, plan: &RunPlan) -> Result<Outcome> {
    let number: i64 = row.get(0)?;
    let index = u64::try_from(number).context("a game has a negative number")?;
    ensure!(index < plan.pairings.len(), "it holds the game number {index}, which its plan does not");
    let id = plan.pairings.game(index).id().0.to_string();
    let in_game = || format!("the game {id}");
    let read = || -> rusqlite::Result<_> {
        Ok((
            row.get_ref(1)?.as_blob()?,
            row.get::<_, Option<String>>(2)?,
            Digest(row.get(3)?),
            row.get(4)?,
            row.get(5)?,
        ))
    };
    let (outcome, faults, digest, checksum, log_checksum): (_, _, _, _, Checksum) = read().with_context(in_game)?;
    let expected = checksum::of_game(number, outcome, faults.as_deref(), &digest.0, &log_checksum);
    ensure!(checksum == expected, "the checksum of the game {id} does not fit");
    let (result, times) = result_codec::unpack(outcome).with_context(in_game)?;
    let faults = match faults {
        Some(faults) => serde_json::from_str(&faults).with_context(in_game)?,
        None => vec![Default::default(); result.places.len()],
    };
    Ok(Outcome { finished: Finished { index, result, faults }, id, times, digest, checksum, log_checksum })
}

impl Outcome {
    /// The log that belongs to it, of a row of [`GAME_COLUMNS`].
    fn check_log<'a>(&self, row: &'a Row<'_>) -> Result<&'a [u8]> {
        let log = row.get_ref(6).map(|log| log.as_blob());
        let log = log.with_context(|| format!("the log of the game {}", self.id))??;
        let expected = checksum::of_log(self.finished.index as i64, log);
        ensure!(self.log_checksum == expected, "the checksum of the log of the game {} does not fit", self.id);
        Ok(log)
    }
}

/// Reads [`GAME_COLUMNS`]; gives the game's checksum with it.
pub(super) fn read_game(row: &Row<'_>, plan: &RunPlan) -> Result<(StoredGame, Checksum)> {
    let outcome = read_outcome(row, plan)?;
    let log = outcome.check_log(row)?.to_vec();
    let Outcome { finished: Finished { index, result, faults }, id, times, digest, checksum, .. } = outcome;
    Ok((StoredGame { number: index, id, result, faults, times, digest, log }, checksum))
}
