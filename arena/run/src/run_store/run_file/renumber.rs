//! Gives the games of a run the numbers that they have in another plan: when agents join, other games come between them. A game
//! is known by its name, which stays.

use anyhow::{Context, Result, ensure};
use maumau_tournament::Plan;
use rusqlite::{Transaction, params};

use super::checksum::{self, Total};
use super::outcome::{GAME_COLUMNS, GameOutcome};
use super::settings::write_total;
use super::subtotal::Subtotal;

/// Renumbers the games of the plan `before` as those of the plan `now`. Their checksums, in which the numbers are, are verified
/// and made again, also in `total`.
///
/// # Errors
/// A game is damaged, or is not the same in both plans; or the file cannot be written.
pub(super) fn renumber(transaction: &Transaction<'_>, before: &Plan, now: &Plan, total: &mut Total) -> Result<()> {
    if before.agents().len() == now.agents().len() {
        return Ok(());
    }
    if now.league().has_open_pool() {
        // Its games are those of its tables, whose numbers stay; but sums are by agent.
        return Subtotal::grow(transaction, now.agents().len());
    }
    let mut numbers = transaction.prepare("SELECT number FROM games ORDER BY number")?;
    let numbers = numbers.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
    let mut read = transaction.prepare(&format!("SELECT {GAME_COLUMNS} FROM games WHERE number = ?1"))?;
    let mut write =
        transaction.prepare("UPDATE games SET number = ?2, checksum = ?3, log_checksum = ?4 WHERE number = ?1")?;
    for number in numbers {
        let (new, old_checksum, checksum, log) = read.query_row(params![number], |row| {
            Ok((|| -> Result<_> {
                let outcome = GameOutcome::read(row, before)?;
                let log = outcome.check_log(row, before)?;
                let game = before.game(outcome.finished.index);
                let same = now.game_called(&game.id().0).filter(|same| same.agents == game.agents);
                let new = same.with_context(|| format!("the game {} is another one now", game.id().0))?.index as i64;
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

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::super::{RunFile, RunWriter};
    use crate::run_store::settings::RunSettings;
    use crate::run_store::store::{RunStore, StoredGame};
    use crate::trial::{games, settings};

    /// The settings with more agents at the end.
    fn with_agents(count: usize) -> RunSettings {
        let mut settings = settings();
        let last = settings.league.agents[0].clone();
        for number in settings.league.agents.len()..count {
            let mut agent = last.clone();
            agent.name = format!("agent {number}");
            settings.league.agents.push(agent);
        }
        settings
    }

    fn all_games(run: &RunFile) -> Vec<StoredGame> {
        let mut all = Vec::new();
        run.for_each_game(|game| {
            let planned = maumau_tournament::PlannedGame { index: 0, ..game.planned };
            all.push(StoredGame { planned, ..game });
            Ok(())
        })
        .expect("games");
        all
    }

    #[test]
    fn games_keep_everything_but_their_numbers_when_agents_join() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let open = |agents| RunWriter::open(&path, |_| Ok(with_agents(agents))).map(|(writer, _)| writer);
        // Not all of them, so that there are gaps.
        let some: Vec<StoredGame> = games(60).into_iter().filter(|game| game.number() % 7 != 3).collect();
        open(2).expect("a new run").add(&some).expect("games");
        let before = all_games(&RunFile::open(&path).expect("a run file"));
        for agents in [3, 5, 6] {
            drop(open(agents).expect("a larger run"));
            let run = RunFile::open(&path).expect("a run file");
            assert_eq!(all_games(&run), before, "{agents} agents");
            run.check_tally().expect("a sound file");
            let counted = |name: &str| {
                run.plan.pairings.game_called(name).map(|game| run.game(game.index).expect("readable").is_some())
            };
            assert_eq!(counted("g000-d0001-r0"), Some(true));
            assert_eq!(counted("g000-d0001-r1"), Some(false), "a game that was not played");
            assert_eq!(counted("g001-d0000-r0"), Some(false), "a game of an agent that joined");
        }
    }

    #[test]
    fn damage_is_not_covered_up_by_new_checksums() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let open =
            |agents| RunWriter::open(&path, |_| Ok(with_agents(agents))).map(drop).map_err(|error| error.to_string());
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(with_agents(2))).expect("a new run");
        writer.add(&games(10)).expect("games");
        drop(writer);
        let database = Connection::open(&path).expect("a database");
        database.execute("UPDATE games SET log = zeroblob(9) WHERE number = 5", []).expect("another log");
        drop(database);
        let error = open(3).expect_err("a game is damaged");
        assert!(error.contains("the checksum of the log of the game g000-d0002-r1 does not fit"), "{error}");
        assert_eq!(open(2), Ok(()), "it is the run that it was");
    }
}
