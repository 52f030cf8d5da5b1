//! The file format itself: the header that SQLite and we write, the tables, and the messages about unusable files. It
//! reads what identifies a file and creates empty tables; rows are read and written by its neighbours.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use rusqlite::limits::Limit;
use rusqlite::{Connection, Transaction, params};

use crate::agent::resource_limits;
use crate::error::usage;
use crate::io::files::{check_file, open_to_read};
use crate::run_store::log_codec;

/// The first bytes of an SQLite file.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// `MauM`: SQLite files with this number are run files.
const APPLICATION_ID: i32 = 0x4d61_754d;
/// Advice for a file that cannot be read.
const REMEDY: &str = "take a whole copy of it, or name another run file with --run to play its games again";
/// The version of the tables below and of their contents. Version 3 had the digests of records of format 1; version 4 had no
/// subtotal, version 5 no rounds and no lives of agents, version 6 no rounds without a winner.
const VERSION: i32 = 7;
/// Maximum bytes of one value: a packed log.
const MAX_VALUE_BYTES: i32 = log_codec::MAX_BYTES as i32 + 1;
/// The setting that is the subtotal of the games.
pub(super) const SUBTOTAL: &str = "subtotal";
/// Maximum settings: the league, its rule sets, and a few more.
const MAX_SETTINGS: usize = 1_000;
/// Maximum bytes of all settings: a league of 1,024 agents with all that a league file of 1 MiB can say of them takes a few MiB, and
/// so do rule sets.
const MAX_SETTINGS_BYTES: i64 = 64 * 1024 * 1024;
/// How long to wait for another process that is reading or writing.
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
    ) STRICT;
    CREATE TABLE rounds (number INTEGER PRIMARY KEY, round TEXT NOT NULL, checksum BLOB NOT NULL) STRICT;";

/// True if `file`, the bytes of a file, is a run file according to SQLite's header.
pub fn is_run_file(file: &[u8]) -> bool {
    file.starts_with(MAGIC) && file.get(68..72) == Some(&APPLICATION_ID.to_be_bytes()[..])
}

pub(super) enum RunFileKind {
    Run,
    /// True for a new file, or one whose first transaction was never committed.
    Empty,
}

/// Creates the tables of a new run file.
pub(super) fn create_tables(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)
}

/// A file that belongs to the run file at `path`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Refuses what is no file where SQLite opens one beside the run file: it would wait for a writer of a pipe.
pub(super) fn check_beside(path: &Path) -> Result<()> {
    for file in ["-journal", "-wal", "-shm"].map(|ending| beside(path, ending)) {
        match check_file(&file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(usage(format!("{} belongs to a run file: {error}", file.display())));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Refuses a truncated file whose last page is cut, which SQLite sees only when it reads that page. An interrupted commit is not damage: its
/// journal is there, and SQLite rolls it back.
fn check_length(path: &Path, connection: &Connection) -> Result<()> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let expected = number("page_count").and_then(|pages| Ok(pages * number("page_size")?));
    let expected = expected.map_err(|error| explain(path, error))?;
    match cut_off(path, u64::try_from(expected).unwrap_or_default()) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// What is said of a file that has fewer bytes than these. It is not opened for that: a process that closes a file gives up all locks that
/// it has on it, those of SQLite among them (<https://sqlite.org/howtocorrupt.html>, 2.2).
fn cut_off(path: &Path, expected: u64) -> Option<anyhow::Error> {
    let found = std::fs::metadata(path).ok()?.len();
    let is_open = std::fs::metadata(beside(path, "-journal")).is_ok_and(|journal| journal.len() > 0);
    let shown = path.display();
    (!is_open && found < expected)
        .then(|| anyhow!("the run file {shown} was cut off: {found} bytes are there of {expected}; {REMEDY}"))
}

/// How long the file at `path`, which SQLite finds damaged, should be by its own head; `None` if it does not say.
fn length_by_head(path: &Path) -> Option<u64> {
    let mut head = [0; 100];
    open_to_read(path).ok()?.read_exact(&mut head).ok()?;
    let number = |at: usize| u64::from(u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
    // <https://sqlite.org/fileformat.html#the_database_header>: the page size, 1 for 65,536; the number of pages, which is
    // valid if the change counter equals that of the version.
    let page = match u64::from(u16::from_be_bytes([head[16], head[17]])) {
        1 => 65_536,
        bytes => bytes,
    };
    (head.starts_with(MAGIC) && number(24) == number(92)).then(|| page * number(28))
}

/// Settings for other processes and foreign contents: waits for the former, and accepts no value longer than what is written
/// there.
pub(super) fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
    Ok(())
}

pub(super) fn identify(path: &Path, connection: &Connection) -> Result<RunFileKind> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let tables = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
    let read = tables.and_then(|tables| Ok((tables, number("application_id")?, number("user_version")?)));
    let shown = path.display();
    match read.map_err(|error| explain(path, error))? {
        (_, APPLICATION_ID, VERSION) => {
            check_length(path, connection)?;
            check_tables(path, connection)?;
            check_settings(path, connection)?;
            Ok(RunFileKind::Run)
        }
        (_, APPLICATION_ID, version) => Err(usage(format!(
            "{shown} is a run file of version {version}, and this maumau reads version {VERSION}; use the maumau that wrote it"
        ))),
        (0, 0, 0) => Ok(RunFileKind::Empty),
        _ => Err(usage(format!("{shown} is a database, but not a run file of maumau"))),
    }
}

/// Refuses settings that no run has: they would be read as a whole. Only their lengths are read here. The subtotal grows with the
/// agents, and is held to them when it is read.
fn check_settings(path: &Path, connection: &Connection) -> Result<()> {
    let lengths =
        "SELECT octet_length(key) + octet_length(value) + octet_length(checksum) FROM meta WHERE key != ?2 LIMIT ?1";
    let failed = |error| explain(path, error);
    let mut query = connection.prepare(lengths).map_err(failed)?;
    let found =
        query.query_map(params![MAX_SETTINGS as i64 + 1, SUBTOTAL], |row| row.get::<_, i64>(0)).map_err(failed)?;
    let found: Vec<i64> = found.collect::<rusqlite::Result<_>>().map_err(failed)?;
    let bytes: i64 = found.iter().sum();
    ensure!(
        found.len() <= MAX_SETTINGS && bytes <= MAX_SETTINGS_BYTES,
        usage(format!(
            "{} has {} settings of {bytes} bytes; a run file has at most {MAX_SETTINGS}, of {MAX_SETTINGS_BYTES} bytes in all; {REMEDY}",
            path.display(),
            if found.len() > MAX_SETTINGS { "too many".to_owned() } else { found.len().to_string() }
        ))
    );
    Ok(())
}

/// Refuses a file whose tables are not those of [`TABLES`]: a view in their place may yield rows without end.
pub(super) fn check_tables(path: &Path, connection: &Connection) -> Result<()> {
    let failed = |error| explain(path, error);
    let mut query = connection.prepare("SELECT sql FROM sqlite_schema ORDER BY rowid").map_err(failed)?;
    let found = query.query_map([], |row| row.get::<_, Option<String>>(0)).map_err(failed)?;
    let found: Vec<_> = found.collect::<rusqlite::Result<_>>().map_err(failed)?;
    let expected = TABLES.split_terminator(';').map(|table| Some(table.trim().to_owned()));
    ensure!(expected.eq(found), usage(format!("{} has other tables than a run file of maumau", path.display())));
    Ok(())
}

/// Refuses a file that SQLite would corrupt by writing: one whose pages are not where they should be.
pub(super) fn check_structure(path: &Path, connection: &Connection) -> Result<()> {
    let found: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(|error| explain(path, error))?;
    if found == "ok" {
        return Ok(());
    }
    Err(damaged(path, &anyhow!(found.replace('\n', " "))))
}

pub(super) fn damaged(path: &Path, error: &anyhow::Error) -> anyhow::Error {
    anyhow!("the run file {} is damaged: {error:#}; {REMEDY}", path.display())
}

/// SQLite's error, in words for people.
pub(super) fn explain(path: &Path, error: rusqlite::Error) -> anyhow::Error {
    use rusqlite::ErrorCode as Code;
    let shown = path.display();
    match error.sqlite_error_code() {
        Some(Code::NotADatabase) => usage(format!("{shown} is not a run file of maumau")),
        Some(Code::DatabaseCorrupt) => length_by_head(path)
            .and_then(|expected| cut_off(path, expected))
            .unwrap_or_else(|| damaged(path, &error.into())),
        Some(Code::DiskFull) => {
            anyhow!("the disk is full: the run file {shown} cannot grow; make room and give the same command again")
        }
        Some(Code::ReadOnly) => anyhow!("the run file {shown} cannot be written: {error}"),
        Some(Code::CannotOpen) => match resource_limits::why_no_file_opens() {
            Some(why) => anyhow!("the run file {shown} cannot be opened: {why}; then give the same command again"),
            None => anyhow!("the run file {shown} cannot be opened or created: {error}"),
        },
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
            anyhow!("the run file {shown} has been in use by another process for {} s: {error}", PATIENCE.as_secs())
        }
        _ => anyhow!("the run file {shown}: {error}"),
    }
}
