//! The run file: one SQLite file with the settings and the finished games of a run.
//!
//! Writing goes through a rollback journal with `synchronous = FULL`: a transaction is in the file wholly or not at all, and
//! durable once it is committed; between transactions the file is complete in itself and can be copied. (With a write-ahead
//! log the newest games would stand in a second file.) Several finished games share one transaction, see
//! [`super::recorder`]. Everything that is read has a checksum ([`checksum`]).

mod checksum;
#[cfg(test)]
mod durability;
#[cfg(test)]
mod faulty_disk;
#[cfg(test)]
mod flipped_bits;

use std::ffi::CStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{FromJson, Seed};
use maumau_tournament::{AgentId, Finished, Plan, Tally};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use self::checksum::{Checksum, Total};
use super::lock::RunLock;
use super::settings::{LeagueSettings, Season, Settings};
use super::store::{RunStore, SeatTimes, StoredGame};
use super::times::TimeTotals;
use super::{game_code, outcome_code};
use crate::cli::usage;
use crate::log;
use crate::untrusted::Untrusted;

/// How a file of SQLite begins.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// `MauM`: SQLite files with this number are run files.
const APPLICATION_ID: i32 = 0x4d61_754d;
/// What to do with a file that cannot be read.
const REMEDY: &str = "take a whole copy of it, or name another run file with --run to play its games anew";
/// The setting that counts the games.
const TOTAL: &str = "games";
/// The version of the tables below.
const VERSION: i32 = 3;
/// Bytes of one value: a packed log.
const MAX_VALUE_BYTES: i32 = game_code::MAX_BYTES as i32 + 1;
/// How long to wait for somebody who is reading or writing just now.
const PATIENCE: Duration = Duration::from_secs(60);

const TABLES: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        outcome BLOB NOT NULL,
        faults TEXT,
        digest BLOB NOT NULL,
        checksum BLOB NOT NULL,
        log_checksum BLOB NOT NULL,
        log BLOB NOT NULL
    ) STRICT;";

/// The columns of a game but its log.
const OUTCOME_COLUMNS: &str = "number, outcome, faults, digest, checksum, log_checksum";
/// All columns.
const GAME_COLUMNS: &str = "number, outcome, faults, digest, checksum, log_checksum, log";

/// Whether `file`, the bytes of a file, are a run file by what SQLite has at its beginning.
pub(crate) fn is_run_file(file: &[u8]) -> bool {
    file.starts_with(MAGIC) && file.get(68..72) == Some(&APPLICATION_ID.to_be_bytes()[..])
}

/// A run file that is open for reading.
pub(crate) struct RunFile {
    path: PathBuf,
    connection: Connection,
    /// What its games follow from.
    pub(crate) season: Season,
}

/// What a run is to be.
pub(crate) struct Wanted {
    /// What its games follow from.
    pub(crate) settings: Settings,
    /// Agents whose games are taken out, so that they are missing.
    pub(crate) again: Vec<AgentId>,
}

impl From<Settings> for Wanted {
    fn from(settings: Settings) -> Wanted {
        Wanted { settings, again: Vec::new() }
    }
}

/// A run file that this process alone may write.
pub(crate) struct RunWriter {
    path: PathBuf,
    connection: Connection,
    /// The games in it.
    total: Total,
    /// Whether a commit has failed: what is on the disk is known when the file is opened again, not before.
    failed: bool,
    _lock: RunLock,
}

impl RunFile {
    /// Opens the run file at `path` to read it; it may be written by another process meanwhile.
    ///
    /// # Errors
    /// There is no such file, it is no run file, or one of another version.
    pub(crate) fn open(path: &Path) -> Result<RunFile> {
        ensure!(path.is_file(), usage(format!("there is no run file {}", path.display())));
        check_length(path)?;
        // What a killed process left half written is taken back by the next one who may write.
        let writable = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        let connection = match writable {
            Ok(connection) => connection,
            Err(_) => {
                Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(|e| explain(path, e))?
            }
        };
        set_up(&connection).map_err(|error| explain(path, error))?;
        match identify(path, &connection)? {
            Kind::Run => {}
            Kind::Empty => return Err(usage(format!("{} is empty: no run has been started in it", path.display()))),
        }
        let season = Season::new(read_settings(&connection).map_err(|error| damaged(path, &error))?)?;
        Ok(RunFile { path: path.to_owned(), connection, season })
    }

    /// The tallies of all its games.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub(crate) fn tally(&self) -> Result<(Tally, TimeTotals)> {
        read_tally(&self.path, &self.connection, &self.season, Logs::Unread)
    }

    /// Hands every game to `each`, in the order of the plan.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged; or the first error of `each`.
    pub(crate) fn for_each_game(&self, each: impl FnMut(StoredGame) -> Result<()>) -> Result<()> {
        for_each_game(&self.path, &self.connection, &self.season, each)
    }

    /// Game number `number` of the plan, if it is finished.
    ///
    /// # Errors
    /// As [`RunFile::for_each_game`].
    pub(crate) fn game(&self, number: u64) -> Result<Option<StoredGame>> {
        let query = format!("SELECT {GAME_COLUMNS} FROM games WHERE number = ?1");
        let row = self
            .connection
            .query_row(&query, params![number as i64], |row| Ok(read_game(row, &self.season)))
            .optional();
        let game = row.map_err(|error| explain(&self.path, error))?.transpose();
        let game = game.map_err(|error| damaged(&self.path, &error))?;
        if game.is_none() {
            // Where the file is damaged, it may be there all the same.
            self.tally()?;
        }
        Ok(game.map(|(game, _)| game))
    }
}

impl RunWriter {
    /// Opens the run file at `path` for writing, or creates it, as `wanted` makes of the settings that are there: absent in
    /// a new file. New settings and the games taken out are one transaction.
    ///
    /// # Errors
    /// Another process has it; it is no run file, one of another version, or cannot be written; or the error of `wanted`.
    pub(crate) fn open<W: Into<Wanted>>(
        path: &Path,
        wanted: impl FnOnce(Option<&Settings>) -> Result<W>,
    ) -> Result<(RunWriter, Season)> {
        RunWriter::open_on(path, None, wanted)
    }

    /// As [`RunWriter::open`], through the disk that SQLite knows by the name `vfs`; absent = the one of this system.
    fn open_on<W: Into<Wanted>>(
        path: &Path,
        vfs: Option<&CStr>,
        wanted: impl FnOnce(Option<&Settings>) -> Result<W>,
    ) -> Result<(RunWriter, Season)> {
        let lock = RunLock::take(path)?;
        check_length(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let failed = |error| explain(path, error);
        let mut connection = match vfs {
            Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs),
            None => Connection::open_with_flags(path, flags),
        }
        .map_err(failed)?;
        set_up(&connection).map_err(failed)?;
        let kind = identify(path, &connection)?;
        connection.pragma_update_and_check(None, "journal_mode", "TRUNCATE", |_| Ok(())).map_err(failed)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
        let (stored, mut total) = match kind {
            Kind::Run => {
                check_structure(path, &connection)?;
                let read = read_settings(&connection).and_then(|stored| Ok((stored, read_total(&connection)?)));
                let (stored, total) = read.map_err(|error| damaged(path, &error))?;
                (Some(stored), total)
            }
            Kind::Empty => (None, Total::default()),
        };
        let Wanted { settings, again } = wanted(stored.as_ref())?.into();
        let season = Season::new(settings)?;
        if stored.as_ref() != Some(&season.settings) || !again.is_empty() {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
            write_settings(&transaction, &season.settings, stored.is_none()).map_err(failed)?;
            take_out(&transaction, &season.plan, &again, &mut total).map_err(failed)?;
            transaction.commit().map_err(failed)?;
        }
        Ok((RunWriter { path: path.to_owned(), connection, total, failed: false, _lock: lock }, season))
    }

    /// As [`RunFile::tally`]; logs are checked as well, so that nobody goes on with a file that has lost some.
    ///
    /// # Errors
    /// As [`RunFile::tally`].
    pub(crate) fn tally(&self, season: &Season) -> Result<(Tally, TimeTotals)> {
        read_tally(&self.path, &self.connection, season, Logs::Checked)
    }

    fn try_add(&mut self, games: &[StoredGame]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let insert = format!("INSERT INTO games ({GAME_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
            let mut insert = transaction.prepare_cached(&insert)?;
            for game in games {
                let number = game.number as i64;
                let outcome = outcome_code::pack(&game.result, &game.times);
                let faults = game.faults.iter().any(|faults| !faults.is_empty());
                let faults = faults.then(|| json(&game.faults)).transpose()?;
                let log = checksum::of_log(number, &game.log);
                let checksum = checksum::of_game(number, &outcome, faults.as_deref(), &game.digest, &log);
                self.total.add(checksum);
                insert.execute(params![number, outcome, faults, game.digest, checksum, log, game.log])?;
            }
            write_setting(&transaction, TOTAL, &self.total.to_string())?;
        }
        transaction.commit()
    }
}

impl RunStore for RunWriter {
    fn add(&mut self, games: &[StoredGame]) -> Result<()> {
        let shown = self.path.display();
        ensure!(!self.failed, "the run file {shown} could not be written before; give the same command again to go on");
        let added = self.try_add(games);
        self.failed = added.is_err();
        added.map_err(|error| explain(&self.path, error))
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        // A failure is final: the journal may be what the file is made sound from.
        if self.failed {
            return;
        }
        // Takes the empty journal away. Where that fails it stays and does no harm.
        let tidy = self.connection.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()));
        if let Err(error) = tidy {
            log::journal_left(Untrusted::new(&error.to_string()));
        }
    }
}

enum Kind {
    Run,
    /// A new file, or one whose first transaction was never committed.
    Empty,
}

/// Refuses a file that was cut off: SQLite calls that damage like any other. A commit that was broken off is no damage: its
/// journal is there, and SQLite takes it back.
fn check_length(path: &Path) -> Result<()> {
    let mut journal = path.as_os_str().to_owned();
    journal.push("-journal");
    let mut head = [0; 100];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head).and_then(|()| file.metadata()));
    let Ok(found) = read.map(|metadata| metadata.len()) else { return Ok(()) };
    let number = |at: usize| u64::from(u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
    // <https://sqlite.org/fileformat.html#the_database_header>: the page size, 1 for 65,536; the number of pages, which
    // counts if the change counter is that of the version.
    let page = match u64::from(u16::from_be_bytes([head[16], head[17]])) {
        1 => 65_536,
        bytes => bytes,
    };
    let expected = page * number(28);
    let known = head.starts_with(MAGIC) && number(24) == number(92);
    let is_open = std::fs::metadata(journal).is_ok_and(|journal| journal.len() > 0);
    ensure!(
        !known || is_open || found >= expected,
        "the run file {} was cut off: {found} bytes are there of {expected}; {REMEDY}",
        path.display()
    );
    Ok(())
}

/// Patience with others, and none with what somebody else may have put into the file: nothing in it is longer than what is
/// written there.
fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
    Ok(())
}

fn identify(path: &Path, connection: &Connection) -> Result<Kind> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let tables = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
    let read = tables.and_then(|tables| Ok((tables, number("application_id")?, number("user_version")?)));
    let shown = path.display();
    match read.map_err(|error| explain(path, error))? {
        (_, APPLICATION_ID, VERSION) => check_tables(path, connection).map(|()| Kind::Run),
        (_, APPLICATION_ID, version) => Err(usage(format!(
            "{shown} is a run file of version {version}, and this maumau reads version {VERSION}; use the maumau that wrote it"
        ))),
        (0, 0, 0) => Ok(Kind::Empty),
        _ => Err(usage(format!("{shown} is a database, but not a run file of maumau"))),
    }
}

/// Refuses a file whose tables are not those of [`TABLES`]: what a view in their place gives may never end.
fn check_tables(path: &Path, connection: &Connection) -> Result<()> {
    let failed = |error| explain(path, error);
    let mut query = connection.prepare("SELECT sql FROM sqlite_schema ORDER BY rowid").map_err(failed)?;
    let found = query.query_map([], |row| row.get::<_, Option<String>>(0)).map_err(failed)?;
    let found: Vec<_> = found.collect::<rusqlite::Result<_>>().map_err(failed)?;
    let expected = TABLES.split_terminator(';').map(|table| Some(table.trim().to_owned()));
    ensure!(expected.eq(found), usage(format!("{} has other tables than a run file of maumau", path.display())));
    Ok(())
}

fn json<T: serde::Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn write_settings(transaction: &Transaction<'_>, settings: &Settings, new: bool) -> rusqlite::Result<()> {
    if new {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    for (key, value) in [
        ("league", json(&settings.league)?),
        ("rules", json(&settings.rules)?),
        ("seed", settings.seed.to_string()),
        ("engine", settings.engine.clone()),
    ] {
        write_setting(transaction, key, &value)?;
    }
    if new {
        write_setting(transaction, TOTAL, &Total::default().to_string())?;
    }
    Ok(())
}

/// Takes out the games of these agents, of which `total` then knows nothing.
fn take_out(transaction: &Transaction<'_>, plan: &Plan, agents: &[AgentId], total: &mut Total) -> rusqlite::Result<()> {
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
    write_setting(transaction, TOTAL, &total.to_string())
}

fn write_setting(connection: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    let mut write =
        connection.prepare_cached("INSERT OR REPLACE INTO meta (key, value, checksum) VALUES (?1, ?2, ?3)")?;
    write.execute(params![key, value, checksum::of_setting(key, value)]).map(drop)
}

/// A setting, as text.
fn read_setting(connection: &Connection, key: &str) -> Result<String> {
    let query = "SELECT value, checksum FROM meta WHERE key = ?1";
    let row = connection.query_row(query, params![key], |row| Ok((row.get(0)?, row.get::<_, Checksum>(1)?)));
    let (value, checksum): (String, _) = row.with_context(|| format!("its {key} cannot be read"))?;
    ensure!(checksum == checksum::of_setting(key, &value), "the checksum of its {key} does not fit");
    Ok(value)
}

fn read_total(connection: &Connection) -> Result<Total> {
    read_setting(connection, TOTAL)?.parse().context("the number of its games cannot be read")
}

fn read_settings(connection: &Connection) -> Result<Settings> {
    let value = |key: &str| read_setting(connection, key);
    let league: LeagueSettings = serde_json::from_str(&value("league")?).context("its league cannot be read")?;
    Ok(Settings {
        league,
        rules: RuleSet::from_json(&value("rules")?).context("its rules cannot be read")?,
        seed: value("seed")?.parse::<Seed>().context("its seed cannot be read")?,
        engine: value("engine")?,
    })
}

/// What becomes of the logs where games are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Logs {
    Unread,
    Checked,
}

fn read_tally(path: &Path, connection: &Connection, season: &Season, logs: Logs) -> Result<(Tally, TimeTotals)> {
    let mut tally = Tally::new(season.plan.clone());
    let mut times = TimeTotals::new(&season.plan);
    let columns = match logs {
        Logs::Unread => OUTCOME_COLUMNS,
        Logs::Checked => GAME_COLUMNS,
    };
    for_each_row(path, connection, columns, |row| {
        let outcome = read_outcome(row, season)?;
        if logs == Logs::Checked {
            outcome.check_log(row)?;
        }
        let Outcome { finished, times: used, checksum, .. } = outcome;
        times.add(&season.plan.game(finished.index), &used);
        tally.add(&finished)?;
        Ok(checksum)
    })?;
    Ok((tally, times))
}

fn for_each_game(
    path: &Path,
    connection: &Connection,
    season: &Season,
    mut each: impl FnMut(StoredGame) -> Result<()>,
) -> Result<()> {
    let mut outcome = Ok(());
    for_each_row(path, connection, GAME_COLUMNS, |row| {
        let (game, checksum) = read_game(row, season)?;
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
    digest: [u8; 32],
    checksum: Checksum,
    log_checksum: Checksum,
}

/// Reads [`OUTCOME_COLUMNS`].
fn read_outcome(row: &Row<'_>, season: &Season) -> Result<Outcome> {
    let number: i64 = row.get(0)?;
    let index = u64::try_from(number).context("a game has a negative number")?;
    ensure!(index < season.plan.len(), "it holds the game number {index}, which its plan does not");
    let id = season.plan.game(index).id().0.to_string();
    let in_game = || format!("the game {id}");
    let read = || -> rusqlite::Result<_> {
        Ok((row.get_ref(1)?.as_blob()?, row.get::<_, Option<String>>(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
    };
    let (outcome, faults, digest, checksum, log_checksum): (_, _, [u8; 32], _, Checksum) =
        read().with_context(in_game)?;
    let expected = checksum::of_game(number, outcome, faults.as_deref(), &digest, &log_checksum);
    ensure!(checksum == expected, "the checksum of the game {id} does not fit");
    let (result, times) = outcome_code::unpack(outcome).with_context(in_game)?;
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
fn read_game(row: &Row<'_>, season: &Season) -> Result<(StoredGame, Checksum)> {
    let outcome = read_outcome(row, season)?;
    let log = outcome.check_log(row)?.to_vec();
    let Outcome { finished: Finished { index, result, faults }, id, times, digest, checksum, .. } = outcome;
    Ok((StoredGame { number: index, id, result, faults, times, digest, log }, checksum))
}

/// Refuses a file that SQLite would write into wrongly: whose pages are not where they should be.
fn check_structure(path: &Path, connection: &Connection) -> Result<()> {
    let found: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(|error| explain(path, error))?;
    if found == "ok" {
        return Ok(());
    }
    Err(damaged(path, &anyhow!(found.replace('\n', " "))))
}

fn damaged(path: &Path, error: &anyhow::Error) -> anyhow::Error {
    anyhow!("the run file {} is damaged: {error:#}; {REMEDY}", path.display())
}

/// What SQLite says, for people.
fn explain(path: &Path, error: rusqlite::Error) -> anyhow::Error {
    use rusqlite::ErrorCode as Code;
    let shown = path.display();
    match error.sqlite_error_code() {
        Some(Code::NotADatabase) => usage(format!("{shown} is not a run file of maumau")),
        Some(Code::DatabaseCorrupt) => damaged(path, &error.into()),
        Some(Code::DiskFull) => {
            anyhow!("the disk is full: the run file {shown} cannot grow; make room and give the same command again")
        }
        Some(Code::ReadOnly) => anyhow!("the run file {shown} cannot be written: {error}"),
        Some(Code::CannotOpen) => anyhow!("the run file {shown} cannot be opened or created: {error}"),
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
            anyhow!("the run file {shown} has been in use by another process for {} s: {error}", PATIENCE.as_secs())
        }
        _ => anyhow!("the run file {shown}: {error}"),
    }
}
