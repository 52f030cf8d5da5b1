//! Gives the games of a run the numbers that they have in another plan: when agents join, other games come between them. A game
//! is known by its name, which stays.

use anyhow::{Context, Result, ensure};
use maumau_tournament::Plan;
use rusqlite::{Transaction, params};

use super::checksum::{self, Total};
use super::outcome::{GAME_COLUMNS, Outcome};
use super::settings::write_total;
use super::subtotal::Subtotal;

/// Renumbers the games of the plan `before` as those of the plan `now`. Their checksums, in which the numbers are, are verified
/// and made anew, also in `total`.
///
/// # Errors
/// A game is damaged, or is not the same in both plans; or the file cannot be written.
pub(super) fn renumber(transaction: &Transaction<'_>, before: &Plan, now: &Plan, total: &mut Total) -> Result<()> {
    if before.agents().len() == now.agents().len() {
        return Ok(());
    }
    let mut numbers = transaction.prepare("SELECT number FROM games ORDER BY number")?;
    let numbers = numbers.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
    let mut read = transaction.prepare(&format!("SELECT {GAME_COLUMNS} FROM games WHERE number = ?1"))?;
    let mut write =
        transaction.prepare("UPDATE games SET number = ?2, checksum = ?3, log_checksum = ?4 WHERE number = ?1")?;
    for number in numbers {
        let (new, old_checksum, checksum, log) = read.query_row(params![number], |row| {
            Ok((|| -> Result<_> {
                let outcome = Outcome::read(row, before)?;
                let log = outcome.check_log(row, before)?;
                let game = before.game(outcome.finished.index);
                let id = game.id().0;
                let same = now.game_called(&id).filter(|same| same.agents == game.agents);
                let new = same.with_context(|| format!("the game {id} is another one now"))?.index as i64;
                let log = checksum::of_log(new, log);
                let (bytes, faults): (Vec<u8>, Option<String>) = (row.get(1)?, row.get(2)?);
                let checksum = checksum::of_game(new, &bytes, faults.as_deref(), &outcome.digest.0, &log);
                Ok((new, outcome.checksum, checksum, log))
            })())
        })??;
        total.remove(old_checksum);
        total.add(checksum);
        // Negative for now, since the new number may still be that of another game.
        write.execute(params![number, -1 - new, checksum, log])?;
    }
    let flipped = transaction.execute("UPDATE games SET number = -1 - number", [])?;
    ensure!(
        flipped as u64 == total.games,
        "it holds {flipped} games, and not just those {} that were written",
        total.games
    );
    Subtotal::remove(transaction)?;
    write_total(transaction, total)?;
    Ok(())
}
