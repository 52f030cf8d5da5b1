//! The rounds of a run, each a row with a checksum: what was decided while it was played.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use maumau_tournament::{Plan, Round, Scheduler};
use rusqlite::{Connection, params};

use super::checksum::{self, Checksum};
use super::settings::json;

/// Writes the round that follows the first `number` ones.
pub(super) fn write_round(connection: &Connection, number: u64, round: &Round) -> rusqlite::Result<()> {
    let round = json(round)?;
    let checksum = checksum::of_setting(&key(number), &round);
    let mut insert = connection.prepare_cached("INSERT INTO rounds (number, round, checksum) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![number as i64, round, checksum]).map(drop)
}

/// All rounds in their order.
pub(super) fn read_rounds(connection: &Connection) -> Result<Vec<Round>> {
    read_rounds_from(connection, 0)
}

/// The rounds after the first `known` ones.
pub(super) fn read_rounds_from(connection: &Connection, known: usize) -> Result<Vec<Round>> {
    let query = "SELECT number, round, checksum FROM rounds WHERE number >= ?1 ORDER BY number";
    let mut query = connection.prepare_cached(query)?;
    let mut rows = query.query(params![known as i64])?;
    let mut rounds = Vec::new();
    while let Some(row) = rows.next()? {
        let (number, round, checksum): (i64, String, Checksum) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let expected = (known + rounds.len()) as u64;
        ensure!(number == expected as i64, "it holds round {number} where round {expected} should be");
        ensure!(
            checksum == checksum::of_setting(&key(expected), &round),
            "the checksum of round {number} does not fit"
        );
        rounds.push(serde_json::from_str(&round).with_context(|| format!("round {number} cannot be read"))?);
    }
    Ok(rounds)
}

fn key(number: u64) -> String {
    format!("round {number}")
}

/// `plan` with those of `rounds` that it lacks.
pub(super) fn with_rounds(plan: &Plan, rounds: &[Round]) -> Result<Plan> {
    let mut whole = plan.clone();
    for round in rounds.get(whole.rounds()..).unwrap_or_default() {
        whole.try_extend(round)?;
    }
    Ok(whole)
}

/// A new `scheduler` after `rounds`, each of which must be the one that follows, and the places of those games that it cannot take
/// yet; `results` are all there are, by number.
pub(super) fn follow(
    mut scheduler: Scheduler,
    rounds: &[Round],
    mut results: BTreeMap<u64, Vec<u8>>,
) -> Result<(Scheduler, BTreeMap<u64, Vec<u8>>)> {
    let first = rounds.iter().find_map(|round| match round {
        Round::Pool { before, .. } => Some(*before),
        Round::Games(_) | Round::Tables { .. } => None,
    });
    first.into_iter().for_each(|agents| scheduler.begin_with(agents));
    for round in rounds {
        scheduler.adopt(round)?;
        // The results of later rounds are there too, but these rounds are not known yet.
        while scheduler.takes_results()
            && scheduler.taken() < scheduler.plan().len()
            && let Some(places) = results.remove(&scheduler.taken())
        {
            scheduler.take(&places);
        }
    }
    Ok((scheduler, results))
}

#[cfg(test)]
mod tests {
    use maumau_tournament::{Format, StopRules};
    use tempfile::TempDir;

    use super::super::{RunFile, RunWriter};
    use crate::run_store::settings::RunSettings;
    use crate::trial::settings;

    /// A run of the format `sample` of which two rounds are known, after `edit` of its file.
    fn opened_after(edit: &str) -> Result<RunFile, String> {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("run");
        let mut wanted: RunSettings = settings();
        wanted.league.format = Format::Sample;
        wanted.league.games_per_pairing = 2;
        wanted.league.stop = StopRules { games: Some(1_000), ..StopRules::default() };
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(wanted)).expect("a run file");
        let (mut scheduler, _) = writer.scheduler().expect("a scheduler");
        for _ in 0..2 {
            let maumau_tournament::NextRound::Round(round) = scheduler.advance() else { panic!("a round") };
            writer.add_rounds(&[round]).expect("room");
        }
        drop(writer);
        let connection = rusqlite::Connection::open(&path).expect("a database");
        connection.execute_batch(edit).expect("an edit");
        RunFile::open(&path).map_err(|error| format!("{error:#}")).inspect(|run| {
            assert_eq!(run.plan.pairings.rounds(), 2);
            run.scheduler().expect("the rounds that follow");
        })
    }

    #[test]
    fn rounds_come_back_and_damage_to_any_is_named() {
        assert!(opened_after("").is_ok());
        for (edit, expected) in [
            (
                "UPDATE rounds SET round = replace(round, '0', '1') WHERE number = 1",
                "the checksum of round 1 does not fit",
            ),
            (
                "UPDATE rounds SET checksum = x'0011223344556677' WHERE number = 0",
                "the checksum of round 0 does not fit",
            ),
            ("DELETE FROM rounds WHERE number = 0", "it holds round 1 where round 0 should be"),
            ("UPDATE rounds SET number = 5 WHERE number = 1", "it holds round 5 where round 1 should be"),
        ] {
            let said = opened_after(edit).err().unwrap_or_else(|| panic!("{edit} goes unnoticed"));
            assert!(said.contains(expected) && said.contains("is damaged"), "{edit}: {said}");
        }
    }
}
