//! Ensures that only one process at a time writes a run file. It creates and locks a small file beside it, and never
//! reads the run itself.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use rusqlite::Connection;

use crate::error::usage;
use crate::io::files::{check_file, names, open_to_read};

/// An advisory lock (`flock`) on a file beside the run file, which names its holder. The file is never removed, so two
/// processes cannot hold locks on two files of one name. The lock ends with this process, however it ends, and agents do not
/// inherit it: the file is closed when they are started.
#[derive(Debug)]
pub(super) struct RunLock {
    _file: File,
    /// The canonical name of the run file.
    pub(super) target: PathBuf,
    /// Who holds the lock, in words.
    pub(super) holder: String,
}

/// Maximum bytes of the name of a holder.
const MAX_HOLDER_BYTES: u64 = 200;
/// How often the lock is tried: another process may hold it for the moment in which it looks who holds it.
const TRIES: u32 = 5;
/// Between two tries.
const BETWEEN: Duration = Duration::from_millis(20);

impl RunLock {
    /// Takes the lock of the run file at `run`.
    ///
    /// # Errors
    /// Another process holds it, and is named; it is not a plain file, or has several names; or the lock file cannot be
    /// written.
    pub(super) fn take(run: &Path) -> Result<RunLock> {
        let unusable = || format!("the run file {}", run.display());
        let target = target_of(run).with_context(unusable)?;
        if let Ok(found) = std::fs::metadata(&target) {
            let shown = run.display();
            ensure!(found.is_file(), usage(format!("{shown} is not a file; name another one with --run")));
            ensure!(
                names(&found) == 1,
                usage(format!(
                    "the run file {shown} has {} names (hard links), and the lock that keeps a second process away goes by the \
                     name; remove the others, or go on with a copy",
                    names(&found)
                ))
            );
        }
        let path = lock_path(&target);
        let shown = path.display();
        match check_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(usage(format!("the lock file {shown}: {error}")));
            }
            _ => {}
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .with_context(|| format!("the lock file {shown} cannot be opened"))?;
        let mut tried = file.try_lock();
        for _ in 1..TRIES {
            if matches!(tried, Err(TryLockError::WouldBlock)) {
                std::thread::sleep(BETWEEN);
                tried = file.try_lock();
            }
        }
        match tried {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = read_holder(&mut file).unwrap_or_else(|| "another process".to_owned());
                bail!("the run file {} is in use by {holder}; wait for it or stop it", run.display());
            }
            Err(TryLockError::Error(error)) => return Err(anyhow!("{shown} cannot be locked: {error}")),
        }
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_else(|_| "this host".to_owned());
        let now: String = Connection::open_in_memory()
            .and_then(|sqlite| sqlite.query_row("SELECT datetime('now') || ' UTC'", [], |row| row.get(0)))
            .context("the time for the lock file cannot be told")?;
        let holder = format!("process {} on {} since {now}\n", std::process::id(), host.trim());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(holder.as_bytes()))
            .with_context(|| format!("the lock file {shown} cannot be written"))?;
        Ok(RunLock { _file: file, target, holder: holder.trim().to_owned() })
    }
}

/// Who holds the lock of a run file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// No process.
    Nobody,
    /// A process whose name is not in the file yet, or cannot be read on this system.
    Unknown,
    /// A process, in words.
    Named(String),
}

impl Holder {
    /// The holder of the lock of the run file at `run`.
    ///
    /// # Errors
    /// The lock file cannot be opened or locked.
    pub fn of(run: &Path) -> Result<Holder> {
        let target = target_of(run).with_context(|| format!("the run file {}", run.display()))?;
        let path = lock_path(&target);
        let shown = path.display();
        let mut file = match open_to_read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Holder::Nobody),
            opened => opened.with_context(|| format!("the lock file {shown} cannot be opened"))?,
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(Holder::Nobody),
            Err(TryLockError::WouldBlock) => Ok(read_holder(&mut file).map_or(Holder::Unknown, Holder::Named)),
            Err(TryLockError::Error(error)) => Err(anyhow!("{shown} cannot be locked: {error}")),
        }
    }
}

/// Who holds a lock that is taken, if that can be read: the holder may be about to write its name.
fn read_holder(file: &mut File) -> Option<String> {
    let mut holder = String::new();
    file.take(MAX_HOLDER_BYTES).read_to_string(&mut holder).ok()?;
    Some(holder.trim().to_owned()).filter(|holder| !holder.is_empty())
}

/// The canonical name of a run file that may have several through links, even if no file exists at their end yet.
pub(super) fn target_of(run: &Path) -> std::io::Result<PathBuf> {
    let mut path = run.to_owned();
    loop {
        match (path.canonicalize(), path.read_link()) {
            (Err(error), Ok(target)) if error.kind() == ErrorKind::NotFound => {
                path = path.parent().unwrap_or(Path::new("")).join(target);
            }
            (Err(error), _) if error.kind() == ErrorKind::NotFound => return Ok(path),
            (found, _) => return found,
        }
    }
}

fn lock_path(run: &Path) -> PathBuf {
    let mut name = run.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_run_file_has_one_name_whatever_links_lead_to_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = |name: &str| folder.path().canonicalize().expect("a folder").join(name);
        std::fs::create_dir(inside("deeper")).expect("a folder");
        for (link, target) in [("first", "deeper/second"), ("deeper/second", "../run")] {
            std::os::unix::fs::symlink(target, inside(link)).expect("a link");
        }
        let names = || ["run", "deeper/second", "first"].map(|name| target_of(&inside(name)).expect("a name"));
        for name in names() {
            assert_eq!(name.file_name(), inside("run").file_name(), "before there is a file");
            assert_eq!(name.parent().map(Path::canonicalize).expect("a folder").expect("a folder"), inside(""));
        }
        std::fs::write(inside("run"), "").expect("a file");
        assert_eq!(names(), [inside("run"), inside("run"), inside("run")]);
        let round = inside("round");
        std::os::unix::fs::symlink(&round, &round).expect("a link");
        assert!(target_of(&round).is_err(), "a link to itself leads nowhere");
    }

    #[test]
    fn a_run_file_with_two_names_is_refused_by_either() {
        let folder = tempfile::tempdir().expect("a folder");
        let [run, other] = ["run", "other"].map(|name| folder.path().join(name));
        std::fs::write(&run, "").expect("a file");
        let lock = RunLock::take(&run).expect("nobody has it");
        std::fs::hard_link(&run, &other).expect("a link");
        for name in [&other, &run] {
            let error = RunLock::take(name).expect_err("it has two names").to_string();
            assert!(error.contains("has 2 names (hard links)"), "{error}");
        }
        drop(lock);
        std::fs::remove_file(&other).expect("a link");
        RunLock::take(&run).expect("it has one name again");
    }
}
