//! The finished games, each a row with two checksums, and a sum over all rows. It reads, adds and removes rows within a
//! transaction of its caller; how logs are packed is not known here.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Result, anyhow};
use maumau_tournament::statistics::ratings::RatedGames;
use maumau_tournament::{AgentId, Finished, Plan, PlannedGame, Scheduler, Tally};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::checksum::{self, Checksum, Total};
use super::form::{damaged, explain};
use super::outcome::{GAME_COLUMNS, GameOutcome, OUTCOME_COLUMNS};
use super::rounds::{DerivedRounds, KnownRounds, follow, known_rounds, read_rounds};
use super::settings::{json, read_total, write_total};
use super::subtotal::{GameCount, Subtotal};
use crate::run_store::result_codec;
use crate::run_store::settings::RunPlan;
use crate::run_store::store::StoredGame;
use crate::run_store::times::TimeTotals;

/// Writes games, and the `total` with them.
pub(super) fn insert(transaction: &Transaction<'_>, games: &[StoredGame], total: &mut Total) -> rusqlite::Result<()> {
    let insert = format!("INSERT INTO games ({GAME_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    let mut insert = transaction.prepare_cached(&insert)?;
    for game in games {
        let number = game.number() as i64;
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

/// Removes the games of these agents and those with these names, also from `total`.
pub(super) fn take_out(
    transaction: &Transaction<'_>,
    plan: &Plan,
    agents: &[AgentId],
    names: &[String],
    total: &mut Total,
) -> rusqlite::Result<()> {
    if agents.is_empty() && names.is_empty() {
        return Ok(());
    }
    let named = names.iter().filter_map(|name| plan.game_called(name)).map(|game| game.index);
    let all = if agents.is_empty() { 0 } else { plan.len() };
    let of_agents = (0..all).filter(|number| plan.game(*number).is_of_any(agents));
    let mut delete = transaction.prepare("DELETE FROM games WHERE number = ?1 RETURNING checksum")?;
    for number in named.chain(of_agents) {
        let gone = delete.query_row(params![number as i64], |row| row.get(0)).optional()?;
        gone.into_iter().for_each(|checksum| total.remove(checksum));
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
    let start = |moment: &Connection, KnownRounds { plan, is_whole }: &KnownRounds| {
        // After agents have joined it is one of more agents.
        let subtotal = if *is_whole { Subtotal::read(moment, plan.agents().len())? } else { None };
        if extent == Extent::Subtotal { GameCount::resume(plan, subtotal) } else { GameCount::all(plan, subtotal) }
    };
    let count = for_each_row(path, connection, plan, columns, start, |row, plan, count| {
        let outcome = GameOutcome::read(row, plan)?;
        if extent == Extent::Logs {
            outcome.check_log(row, plan)?;
        }
        count.add(&outcome)
    })?;
    Ok((count.tally, count.times))
}

/// Passes the result of every game to `each`, in the order of the plan, without its log.
pub(super) fn for_each_result(
    path: &Path,
    connection: &Connection,
    plan: &Plan,
    mut each: impl FnMut(&Plan, Finished),
) -> Result<()> {
    for_each_row(
        path,
        connection,
        plan,
        OUTCOME_COLUMNS,
        |_, _| Ok(Total::default()),
        |row, plan, found| {
            let GameOutcome { finished, checksum, .. } = GameOutcome::read(row, plan)?;
            found.add(checksum);
            each(plan, finished);
            Ok(())
        },
    )
    .map(drop)
}

/// The scheduler after all rounds, of which `derived` are derived again, and the places of the games that it cannot take yet.
pub(super) fn read_scheduler(
    path: &Path,
    connection: &Connection,
    plan: &RunPlan,
    derived: DerivedRounds,
) -> Result<(Scheduler, BTreeMap<u64, Vec<u8>>)> {
    let mut rounds = Vec::new();
    let mut results = BTreeMap::new();
    let scheduler = Scheduler::new(plan.settings.league.for_schedule(), plan.lot())?;
    let takes_results = scheduler.takes_results();
    for_each_row(
        path,
        connection,
        &plan.pairings,
        OUTCOME_COLUMNS,
        |moment, known| {
            rounds = read_rounds(moment)?;
            rounds.truncate(known.plan.rounds());
            Ok(Total::default())
        },
        |row, plan, found| {
            let GameOutcome { finished, checksum, .. } = GameOutcome::read(row, plan)?;
            found.add(checksum);
            if takes_results {
                results.insert(finished.index, finished.result.places);
            }
            Ok(())
        },
    )?;
    follow(scheduler, &rounds, results, derived).map_err(|error| damaged(path, &error))
}

/// The results of all games, for estimates.
pub(super) fn read_results(path: &Path, connection: &Connection, plan: &Plan) -> Result<RatedGames> {
    let mut games = RatedGames::new(plan.agents().len());
    for_each_result(path, connection, plan, |plan, finished| {
        games.add_planned(plan, finished.index, &finished.result.places);
    })?;
    Ok(games)
}

pub(super) fn for_each_game(
    path: &Path,
    connection: &Connection,
    plan: &Plan,
    each: impl FnMut(StoredGame) -> Result<()>,
) -> Result<()> {
    read_games(path, connection, plan, read_game, each)
}

/// As [`for_each_game`], but continues after a damaged game, and reports the damage to `each`.
pub(super) fn check_each_game(
    path: &Path,
    connection: &Connection,
    plan: &Plan,
    each: impl FnMut(Result<StoredGame>) -> Result<()>,
) -> Result<()> {
    let read = |row: &Row<'_>, plan: &Plan| match read_game(row, plan) {
        Ok((game, checksum)) => Ok((Ok(game), checksum)),
        // The stored checksum is the one that was counted, unless it is what was damaged.
        Err(error) => Ok((Err(error), row.get(4).unwrap_or_default())),
    };
    read_games(path, connection, plan, read, each)
}

/// Passes every game to `each`, as `read` reads it, with its checksum, from a row of [`GAME_COLUMNS`].
fn read_games<G>(
    path: &Path,
    connection: &Connection,
    plan: &Plan,
    read: impl Fn(&Row<'_>, &Plan) -> Result<(G, Checksum)>,
    mut each: impl FnMut(G) -> Result<()>,
) -> Result<()> {
    let mut outcome = Ok(());
    for_each_row(
        path,
        connection,
        plan,
        GAME_COLUMNS,
        |_, _| Ok(Total::default()),
        |row, plan, found| {
            let (game, checksum) = read(row, plan)?;
            found.add(checksum);
            if outcome.is_ok() {
                outcome = each(game);
            }
            Ok(())
        },
    )?;
    outcome
}

/// Passes each game from number `first` on, and its result, to `each`, until that breaks off.
pub(super) fn results_from(
    path: &Path,
    connection: &Connection,
    plan: &Plan,
    first: u64,
    mut each: impl FnMut(&PlannedGame, &Finished) -> ControlFlow<()>,
) -> Result<()> {
    let failed = |error| explain(path, error);
    let moment = connection.unchecked_transaction().map_err(failed)?;
    // Another process may have added rounds since.
    let KnownRounds { plan, is_whole } = &known_rounds(&moment, plan).map_err(|error| damaged(path, &error))?;
    let query = format!("SELECT {OUTCOME_COLUMNS} FROM games WHERE number >= ?1 ORDER BY number");
    let mut query = moment.prepare_cached(&query).map_err(failed)?;
    let mut rows = query.query(params![i64::try_from(first).unwrap_or(i64::MAX)]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        if !is_whole && is_later(row, plan) {
            break;
        }
        let GameOutcome { finished, .. } = GameOutcome::read(row, plan).map_err(|error| damaged(path, &error))?;
        if each(&plan.game(finished.index), &finished).is_break() {
            break;
        }
    }
    Ok(())
}

/// Passes the rows of the games that `start` has not counted to `each`, in the order of the plan with all its rounds, and checks that together with
/// them all games are there. Games of rounds that are left out ([`KnownRounds`]) are checked alone.
fn for_each_row<T: AsRef<Total>>(
    path: &Path,
    connection: &Connection,
    plan: &Plan,
    columns: &str,
    start: impl FnOnce(&Connection, &KnownRounds) -> Result<T>,
    mut each: impl FnMut(&Row<'_>, &Plan, &mut T) -> Result<()>,
) -> Result<T> {
    let failed = |error| explain(path, error);
    let spoilt = |error: anyhow::Error| damaged(path, &error);
    // One transaction, so that everything is read at the same moment even if another process writes meanwhile.
    let moment = connection.unchecked_transaction().map_err(failed)?;
    let mut expected = read_total(&moment).map_err(spoilt)?;
    // Another process may have added rounds since.
    let known = known_rounds(&moment, plan).map_err(spoilt)?;
    let mut found = start(&moment, &known).map_err(spoilt)?;
    let KnownRounds { plan, is_whole } = known;
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
        if !is_whole && is_later(row, &plan) {
            expected.remove(row.get(4).map_err(failed)?);
            continue;
        }
        each(row, &plan, &mut found).map_err(spoilt)?;
    }
    let (there, all) = (found.as_ref().games, expected.games);
    if *found.as_ref() != expected {
        return Err(spoilt(anyhow!("it holds {there} games, and not just those {all} that were written")));
    }
    Ok(found)
}

/// True for the game of a round that `plan` lacks.
fn is_later(row: &Row<'_>, plan: &Plan) -> bool {
    row.get::<_, i64>(0).is_ok_and(|number| u64::try_from(number).is_ok_and(|number| number >= plan.len()))
}

/// Reads [`GAME_COLUMNS`]; returns the game's checksum with it.
pub(super) fn read_game(row: &Row<'_>, plan: &Plan) -> Result<(StoredGame, Checksum)> {
    let outcome = GameOutcome::read(row, plan)?;
    let log = outcome.check_log(row, plan)?.to_vec();
    let GameOutcome { finished: Finished { index, result, faults }, times, digest, checksum, .. } = outcome;
    Ok((StoredGame { planned: plan.game(index), result, faults, times, digest, log }, checksum))
}
