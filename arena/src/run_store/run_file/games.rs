//! The finished games, each a row with two checksums, and a sum over all rows.

use std::path::Path;

use anyhow::{Result, anyhow};
use maumau_tournament::statistics::ratings::{Games, Options, Ratings, rate};
use maumau_tournament::{AgentId, Finished, Plan, Tally};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::checksum::{self, Checksum, Total};
use super::form::{damaged, explain};
use super::outcome::{GAME_COLUMNS, OUTCOME_COLUMNS, Outcome, id_of};
use super::settings::{json, read_total, write_total};
use super::subtotal::{Count, Subtotal};
use crate::run_store::result_codec;
use crate::run_store::store::StoredGame;
use crate::run_store::times::TimeTotals;

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

/// Removes the games of these agents, also from `total`.
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
    Subtotal::remove(transaction)?;
    write_total(transaction, total)
}

/// How much is read to count games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The subtotal, and the games that are not in it.
    Subtotal,
    /// All games, against which the subtotal is checked.
    Outcomes,
    /// The same, and the logs.
    Logs,
}

pub(super) fn read_tally(
    path: &Path,
    connection: &Connection,
    plan: &Plan,
    extent: Extent,
) -> Result<(Tally, TimeTotals)> {
    let columns = match extent {
        Extent::Subtotal | Extent::Outcomes => OUTCOME_COLUMNS,
        Extent::Logs => GAME_COLUMNS,
    };
    let start = |moment: &Connection| {
        let subtotal = Subtotal::read(moment)?;
        if extent == Extent::Subtotal { Count::resume(plan, subtotal) } else { Count::all(plan, subtotal) }
    };
    let count = for_each_row(path, connection, columns, start, |row, count| {
        let outcome = Outcome::read(row, plan)?;
        if extent == Extent::Logs {
            outcome.check_log(row, plan)?;
        }
        count.add(&outcome)
    })?;
    Ok((count.tally, count.times))
}

/// Joint ratings from all games.
pub(super) fn read_ratings(path: &Path, connection: &Connection, plan: &Plan) -> Result<Ratings> {
    let mut games = Games::new(plan.agents().len());
    for_each_row(
        path,
        connection,
        OUTCOME_COLUMNS,
        |_| Ok(Total::default()),
        |row, found| {
            let Outcome { finished, checksum, .. } = Outcome::read(row, plan)?;
            found.add(checksum);
            games.add_planned(plan, finished.index, &finished.result.places);
            Ok(())
        },
    )?;
    Ok(rate(&games, &Options::default()))
}

pub(super) fn for_each_game(
    path: &Path,
    connection: &Connection,
    plan: &Plan,
    each: impl FnMut(StoredGame) -> Result<()>,
) -> Result<()> {
    read_games(path, connection, |row| read_game(row, plan), each)
}

/// As [`for_each_game`], but continues after a damaged game, and reports the damage to `each`.
pub(super) fn check_each_game(
    path: &Path,
    connection: &Connection,
    plan: &Plan,
    each: impl FnMut(Result<StoredGame>) -> Result<()>,
) -> Result<()> {
    let read = |row: &Row<'_>| match read_game(row, plan) {
        Ok((game, checksum)) => Ok((Ok(game), checksum)),
        // The stored checksum is the one that was counted, unless it is what was damaged.
        Err(error) => Ok((Err(error), row.get(4).unwrap_or_default())),
    };
    read_games(path, connection, read, each)
}

/// Passes every game to `each`, as `read` reads it, with its checksum, from a row of [`GAME_COLUMNS`].
fn read_games<G>(
    path: &Path,
    connection: &Connection,
    read: impl Fn(&Row<'_>) -> Result<(G, Checksum)>,
    mut each: impl FnMut(G) -> Result<()>,
) -> Result<()> {
    let mut outcome = Ok(());
    for_each_row(
        path,
        connection,
        GAME_COLUMNS,
        |_| Ok(Total::default()),
        |row, found| {
            let (game, checksum) = read(row)?;
            found.add(checksum);
            if outcome.is_ok() {
                outcome = each(game);
            }
            Ok(())
        },
    )?;
    outcome
}

/// Passes the rows of the games that `start` has not counted to `each`, in the order of the plan, and checks that together with
/// them all games are there.
fn for_each_row<T: AsRef<Total>>(
    path: &Path,
    connection: &Connection,
    columns: &str,
    start: impl FnOnce(&Connection) -> Result<T>,
    mut each: impl FnMut(&Row<'_>, &mut T) -> Result<()>,
) -> Result<T> {
    let failed = |error| explain(path, error);
    let spoilt = |error: anyhow::Error| damaged(path, &error);
    // One transaction, so that everything is read at the same moment even if another process writes meanwhile.
    let moment = connection.unchecked_transaction().map_err(failed)?;
    let expected = read_total(&moment).map_err(spoilt)?;
    let mut found = start(&moment).map_err(spoilt)?;
    let query = format!("SELECT {columns} FROM games WHERE number >= ?1 ORDER BY number");
    let mut query = moment.prepare(&query).map_err(failed)?;
    let first = found.as_ref().games;
    let mut rows = match first {
        // Negative numbers are damage.
        0 => query.query(params![i64::MIN]),
        first => query.query(params![first as i64]),
    }
    .map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        each(row, &mut found).map_err(spoilt)?;
    }
    let (there, all) = (found.as_ref().games, expected.games);
    if *found.as_ref() != expected {
        return Err(spoilt(anyhow!("it holds {there} games, and not just those {all} that were written")));
    }
    Ok(found)
}

/// Reads [`GAME_COLUMNS`]; returns the game's checksum with it.
pub(super) fn read_game(row: &Row<'_>, plan: &Plan) -> Result<(StoredGame, Checksum)> {
    let outcome = Outcome::read(row, plan)?;
    let log = outcome.check_log(row, plan)?.to_vec();
    let Outcome { finished: Finished { index, result, faults }, times, digest, checksum, .. } = outcome;
    Ok((StoredGame { number: index, id: id_of(plan, index), result, faults, times, digest, log }, checksum))
}
