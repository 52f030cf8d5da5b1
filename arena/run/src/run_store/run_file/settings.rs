//! The settings of a run, each a row with a checksum. It reads and writes rows; what the settings mean is known by
//! `run_store::settings`.

use anyhow::{Context, Result, ensure};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{FromJson, Seed};
use rusqlite::{Connection, Transaction, params};
use sha2::{Digest, Sha256};

use super::checksum::{self, Checksum, Total};
use super::form::create_tables;
use crate::run_store::settings::{LeagueSettings, RunSettings};

/// The setting that counts the games.
const TOTAL: &str = "games";

pub(super) fn json<T: serde::Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

pub(super) fn write_settings(transaction: &Transaction<'_>, settings: &RunSettings, new: bool) -> rusqlite::Result<()> {
    if new {
        create_tables(transaction)?;
    }
    for (key, value) in
        [("league", json(&settings.league)?), ("seed", settings.seed.to_string()), ("engine", settings.engine.clone())]
    {
        write_setting(transaction, key, &value)?;
    }
    for (number, rules) in settings.rules.iter().enumerate() {
        write_setting(transaction, &rules_key(number), &json(rules)?)?;
    }
    if new {
        write_total(transaction, &Total::default())?;
    }
    Ok(())
}

/// Where a rule set stands; the first one under a key without a number.
fn rules_key(number: usize) -> String {
    if number == 0 { "rules".to_owned() } else { format!("rules {number}") }
}

pub(super) fn write_setting(connection: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    let mut write =
        connection.prepare_cached("INSERT OR REPLACE INTO meta (key, value, checksum) VALUES (?1, ?2, ?3)")?;
    write.execute(params![key, value, checksum::of_setting(key, value)]).map(drop)
}

/// One text for all settings, the number and the sum of the games among them: equal texts stand for equal runs.
pub(super) fn read_state(connection: &Connection) -> rusqlite::Result<String> {
    let mut query = connection.prepare_cached("SELECT key, checksum FROM meta ORDER BY key")?;
    let mut rows = query.query([])?;
    let mut hash = Sha256::new();
    while let Some(row) = rows.next()? {
        hash.update(row.get::<_, String>(0)?.as_bytes());
        hash.update([0]);
        hash.update(row.get::<_, Checksum>(1)?);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A setting, as text.
pub(super) fn read_setting(connection: &Connection, key: &str) -> Result<String> {
    let query = "SELECT value, checksum FROM meta WHERE key = ?1";
    let row = connection.query_row(query, params![key], |row| Ok((row.get(0)?, row.get::<_, Checksum>(1)?)));
    let (value, checksum): (String, _) = row.with_context(|| format!("its {key} cannot be read"))?;
    ensure!(checksum == checksum::of_setting(key, &value), "the checksum of its {key} does not fit");
    Ok(value)
}

pub(super) fn write_total(connection: &Connection, total: &Total) -> rusqlite::Result<()> {
    write_setting(connection, TOTAL, &total.to_string())
}

pub(super) fn read_total(connection: &Connection) -> Result<Total> {
    read_setting(connection, TOTAL)?.parse().context("the number of its games cannot be read")
}

/// How many agents the run has.
pub(super) fn read_agents(connection: &Connection) -> Result<usize> {
    #[derive(serde::Deserialize)]
    struct Roster {
        agents: Vec<serde::de::IgnoredAny>,
    }
    let roster: Roster =
        serde_json::from_str(&read_setting(connection, "league")?).context("its league cannot be read")?;
    Ok(roster.agents.len())
}

pub(super) fn read_settings(connection: &Connection) -> Result<RunSettings> {
    let value = |key: &str| read_setting(connection, key);
    let league: LeagueSettings = serde_json::from_str(&value("league")?).context("its league cannot be read")?;
    let rules = |number| RuleSet::from_json(&value(&rules_key(number))?).context("its rules cannot be read");
    Ok(RunSettings {
        rules: (0..league.rounds.len()).map(rules).collect::<Result<_>>()?,
        league,
        seed: value("seed")?.parse::<Seed>().context("its seed cannot be read")?,
        engine: value("engine")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_store::{RunFile, RunWriter};
    use crate::trial;

    /// Only lengths are read of them: the file is refused before anything takes room or time.
    #[test]
    fn settings_that_no_run_has_are_refused_by_their_lengths() {
        for (change, limit) in [
            // 100 MB of text, with what little can be said of it in SQL.
            ("UPDATE meta SET value = hex(zeroblob(50000000)) WHERE key = 'league'", "settings of 1000"),
            ("INSERT INTO meta VALUES ('more', hex(zeroblob(50000000)), x'00')", "settings of 1000"),
            ("INSERT INTO meta VALUES (hex(zeroblob(50000000)), '', x'00')", "settings of 1000"),
            ("INSERT INTO meta VALUES ('more', '', zeroblob(100000000))", "settings of 1000"),
            (
                "INSERT INTO meta VALUES ('subtotal', hex(zeroblob(50000000)), x'00')",
                "its subtotal has 100000000 bytes",
            ),
            (
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)
                 INSERT INTO meta SELECT 'more ' || i, '', x'00' FROM n",
                "too many settings",
            ),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("trial.maumau");
            drop(RunWriter::open(&path, |_| Ok(trial::settings())).expect("a run"));
            assert!(RunFile::open(&path).is_ok());
            let connection = Connection::open(&path).expect("a database");
            connection.execute(change, []).expect("a change");
            drop(connection);
            let said = [
                RunFile::open(&path).and_then(|run| run.tally().map(drop)).expect_err("huge settings"),
                RunWriter::open(&path, |_| Ok(trial::settings()))
                    .and_then(|(run, plan)| run.tally(&plan).map(drop))
                    .expect_err("huge settings"),
            ];
            for said in said.map(|error| format!("{error:#}")) {
                assert!(said.contains(limit) && said.contains("at most"), "{change}: {said}");
            }
        }
    }
}
