//! The run file: one SQLite file with the settings and the finished games of a run.
//!
//! Writing goes through a rollback journal with `synchronous = FULL`: a transaction is in the file wholly or not at all, and
//! durable once it is committed; between transactions the file is complete in itself and can be copied. (With a write-ahead
//! log the newest games would stand in a second file.) Several finished games share one transaction, see
//! [`super::recorder`].

#[cfg(test)]
mod durability;
#[cfg(test)]
mod faulty_disk;

use std::ffi::CStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use maumau_protocol::Seed;
use maumau_tournament::{AgentId, Plan, Tally};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use super::lock::RunLock;
use super::settings::{LeagueSettings, Season, Settings};
use super::store::{RunStore, StoredGame};
use super::times::TimeTotals;
use super::{game_code, outcome_code};
use crate::cli::usage;
use crate::log;
use crate::untrusted::Untrusted;

/// `MauM`: SQLite files with this number are run files.
const APPLICATION_ID: i32 = 0x4d61_754d;
/// The version of the tables below.
const VERSION: i32 = 2;
/// Bytes of one value: a packed log.
const MAX_VALUE_BYTES: i32 = game_code::MAX_BYTES as i32 + 1;
/// How long to wait for somebody who is reading or writing just now.
const PATIENCE: Duration = Duration::from_secs(60);

const TABLES: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        outcome BLOB NOT NULL,
        faults TEXT,
        digest BLOB NOT NULL,
        log BLOB NOT NULL
    ) STRICT;";

const GAME_COLUMNS: &str = "number, outcome, faults, digest, log";

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
        read_tally(&self.path, &self.connection, &self.season)
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
        row.map_err(|error| explain(&self.path, error))?.transpose().map_err(|error| damaged(&self.path, &error))
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
        let stored = match kind {
            Kind::Run => Some(read_settings(&connection).map_err(|error| damaged(path, &error))?),
            Kind::Empty => None,
        };
        let Wanted { settings, again } = wanted(stored.as_ref())?.into();
        let season = Season::new(settings)?;
        if stored.as_ref() != Some(&season.settings) || !again.is_empty() {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
            write_settings(&transaction, &season.settings, stored.is_none()).map_err(failed)?;
            take_out(&transaction, &season.plan, &again).map_err(failed)?;
            transaction.commit().map_err(failed)?;
        }
        Ok((RunWriter { path: path.to_owned(), connection, failed: false, _lock: lock }, season))
    }

    /// As [`RunFile::tally`].
    ///
    /// # Errors
    /// As [`RunFile::tally`].
    pub(crate) fn tally(&self, season: &Season) -> Result<(Tally, TimeTotals)> {
        read_tally(&self.path, &self.connection, season)
    }

    fn try_add(&mut self, games: &[StoredGame]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let insert = format!("INSERT INTO games ({GAME_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5)");
            let mut insert = transaction.prepare_cached(&insert)?;
            for game in games {
                let faults = game.faults.iter().any(|faults| !faults.is_empty());
                insert.execute(params![
                    game.number as i64,
                    outcome_code::pack(&game.result, &game.times),
                    faults.then(|| json(&game.faults)).transpose()?,
                    game.digest,
                    game.log,
                ])?;
            }
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
    let known = head.starts_with(b"SQLite format 3\0") && number(24) == number(92);
    let is_open = std::fs::metadata(journal).is_ok_and(|journal| journal.len() > 0);
    ensure!(
        !known || is_open || found >= expected,
        "the run file {} was cut off: {found} bytes are there of {expected}; take a whole copy of it, or name another run \
         file with --run to play its games anew",
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
        transaction.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", params![key, value])?;
    }
    Ok(())
}

/// Takes out the games of these agents.
fn take_out(transaction: &Transaction<'_>, plan: &Plan, agents: &[AgentId]) -> rusqlite::Result<()> {
    let mut delete = transaction.prepare("DELETE FROM games WHERE number = ?1")?;
    let plays = |number: &u64| plan.game(*number).agents.iter().any(|agent| agents.contains(agent));
    let numbers = if agents.is_empty() { 0..0 } else { 0..plan.len() };
    numbers.filter(plays).try_for_each(|number| delete.execute(params![number as i64]).map(drop))
}

fn read_settings(connection: &Connection) -> Result<Settings> {
    let value = |key: &str| -> Result<String> {
        let row = connection.query_row("SELECT value FROM meta WHERE key = ?1", params![key], |row| row.get(0));
        row.with_context(|| format!("its {key} cannot be read"))
    };
    let league: LeagueSettings = serde_json::from_str(&value("league")?).context("its league cannot be read")?;
    Ok(Settings {
        league,
        rules: serde_json::from_str(&value("rules")?).context("its rules cannot be read")?,
        seed: value("seed")?.parse::<Seed>().context("its seed cannot be read")?,
        engine: value("engine")?,
    })
}

fn read_tally(path: &Path, connection: &Connection, season: &Season) -> Result<(Tally, TimeTotals)> {
    let mut tally = Tally::new(season.plan.clone());
    let mut times = TimeTotals::new(&season.plan);
    for_each_game(path, connection, season, |game| {
        tally.add(&game.finished()).map_err(|error| damaged(path, &error.into()))?;
        times.add(&season.plan.game(game.number), &game.times);
        Ok(())
    })?;
    Ok((tally, times))
}

fn for_each_game(
    path: &Path,
    connection: &Connection,
    season: &Season,
    mut each: impl FnMut(StoredGame) -> Result<()>,
) -> Result<()> {
    let failed = |error| explain(path, error);
    let mut query = connection.prepare(&format!("SELECT {GAME_COLUMNS} FROM games ORDER BY number")).map_err(failed)?;
    let mut rows = query.query([]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        each(read_game(row, season).map_err(|error| damaged(path, &error))?)?;
    }
    Ok(())
}

fn read_game(row: &Row<'_>, season: &Season) -> Result<StoredGame> {
    let number = u64::try_from(row.get::<_, i64>(0)?).context("a game has a negative number")?;
    ensure!(number < season.plan.len(), "it holds the game number {number}, which its plan does not");
    let id = season.plan.game(number).id().0.to_string();
    let in_game = || format!("the game {id}");
    let (result, times) = outcome_code::unpack(row.get_ref(1)?.as_blob()?).with_context(in_game)?;
    let faults: Option<String> = row.get(2)?;
    let faults = match faults {
        Some(faults) => serde_json::from_str(&faults).with_context(in_game)?,
        None => vec![Default::default(); result.places.len()],
    };
    Ok(StoredGame { number, result, faults, times, digest: row.get(3)?, log: row.get(4)?, id })
}

fn damaged(path: &Path, error: &anyhow::Error) -> anyhow::Error {
    anyhow!("the run file {} is damaged: {error:#}", path.display())
}

/// What SQLite says, for people.
fn explain(path: &Path, error: rusqlite::Error) -> anyhow::Error {
    use rusqlite::ErrorCode as Code;
    let shown = path.display();
    match error.sqlite_error_code() {
        Some(Code::NotADatabase) => usage(format!("{shown} is not a run file of maumau")),
        Some(Code::DatabaseCorrupt) => anyhow!("the run file {shown} is damaged: {error}"),
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
